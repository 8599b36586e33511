"""Fitted estimators as files: a JSON layout with a version and a checksum, and no code."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from partage._partitions.partition import Partition
from partage._saving.partitions import read_partition
from partage._saving.plain import NoLayoutError, value_from_plain, value_to_plain
from partage._support.safe_files import as_path, write_safely
from partage.exceptions import PartageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LAYOUT = 1
_SURROGATES = re.compile("[\ud800-\udfff]")
ESTIMATORS = {
    "Discretizer": "partage._estimators.discretizer",
    "Grouper": "partage._estimators.grouper",
    "TablePartitioner": "partage._estimators.table_partitioner",
    "NaiveBayesClassifier": "partage._estimators.bayes.naive_bayes",
    "SelectiveNaiveBayesClassifier": "partage._estimators.bayes.selective",
    "PointsRegressor": "partage._estimators.points.points_regressor",
    "Scorecard": "partage._estimators.scorecard.scorecard",
    "AdditiveClassifier": "partage._estimators.additive.additive_classifier",
    "AdditiveRegressor": "partage._estimators.additive.additive_regressor",
    "GridPartitioner": "partage._estimators.grid_partitioner",
    "DataBinarizer": "partage._estimators.binarization.binarizer",
    "LADClassifier": "partage._estimators.binarization.lad",
}


def model_to_dict(model: Any) -> dict[str, Any]:
    """Describe a fitted estimator with text, numbers, lists and dicts only."""
    from importlib.metadata import version

    try:
        fitted = model._fitted_to_plain()
    except NoLayoutError as error:
        raise TypeError(f"{model._name}.save: {error.what}") from None
    data = {
        "partage_model": LAYOUT,
        "made_by": f"partage {version('partage')}",
        "estimator": model._name,
        "parameters": _parameters_to_plain(model),
        "has_names": hasattr(model, "feature_names_in_"),
        "library": model._library,
        "target": model._target_name,
        **fitted,
    }
    return data | {"checksum": _checksum(data)}


def _parameters_to_plain(model: Any) -> dict[str, Any]:
    """Describe the parameters that are not None."""
    plain = {}
    for key, value in sorted(model._own_parameters().items()):
        try:
            if value is not None:
                plain[key] = _to_plain(value)
        except TypeError:
            raise TypeError(
                f"{model._name}.save: {key} must be plain data, a partition or a "
                f"TablePartitioner, since a model file holds no code; got {value!r}. Set it to "
                "None before saving: what was fitted is kept."
            ) from None
    return plain


def save_model(model: Any, path: str | Path) -> None:
    """Write a fitted estimator; a file that was there before stays until the new one is whole."""
    write_safely(as_path(f"{model._name}.save", path), model_to_json(model).encode())


def model_to_json(model: Any) -> str:
    """Write a fitted estimator as JSON, each column on a line of its own."""
    data = model_to_dict(model)
    columns = ",\n  ".join(_dump(column) for column in data.pop("columns"))
    lines = [f" {_dump(key)}: {_dump(value)}" for key, value in data.items()]
    return ",\n".join(["{\n" + lines[0], *lines[1:], f' "columns": [\n  {columns}\n ]\n}}\n'])


def _dump(data: Any) -> str:
    """Write JSON on one line; text that is no Unicode, such as half a pair, is escaped."""
    text = json.dumps(data, ensure_ascii=False)
    return json.dumps(data) if _SURROGATES.search(text) else text


class Model(Protocol):
    """A fitted estimator that was read from a file: what all have, and whatever its class has."""

    def transform(self, X: Any) -> NDArray[Any]:
        """Replace values by what their parts stand for."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""

    def save(self, path: str | Path) -> None:
        """Write the estimator as JSON."""

    def __getattr__(self, name: str) -> Any: ...


def load(path: str | Path) -> Model:
    """Read a fitted estimator from a file that ``save`` or ``partage report`` wrote.

    Nothing in the file is executed. A file that is damaged, or was changed after it was written, is
    refused.

    Parameters
    ----------
    path : str or Path
        The file, such as ``model.json``.

    Returns
    -------
    Discretizer, Grouper, TablePartitioner, DataBinarizer or a classifier
        A fitted estimator that transforms and predicts as the one that was written.

    Examples
    --------
    >>> import tempfile
    >>> import partage as pt
    >>> enc = pt.Discretizer().fit([[1.0], [2.0], [3.0], [4.0]] * 9, [0, 0, 1, 1] * 9)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     enc.save(f"{folder}/model.json")
    ...     again = pt.load(f"{folder}/model.json")
    >>> again.transform([[1.0], [4.0]]).tolist()
    [[0], [1]]
    """
    data = read_model(path)
    model: Model = restore(path, data, _make)
    return model


def is_model(path: str | Path) -> bool:
    """Whether a file is a model of partage, whole or not."""
    try:
        return Path(path).suffix == ".json" and "partage_model" in _read_json(Path(path))
    except (OSError, PartageError):
        return False


def read_model(path: str | Path) -> dict[str, Any]:
    """Read what a model file holds, after a check that it is one, and whole."""
    data = _read_json(as_path("load", path))
    layout = data.get("partage_model")
    if not isinstance(layout, int) or isinstance(layout, bool):
        raise PartageError(
            f"load: {path} must be a model file of partage; it is another JSON file."
        )
    if layout > LAYOUT:
        raise PartageError(
            f"load: {path} has the layout {layout}, newer than this version of partage reads "
            f"({LAYOUT}); update partage."
        )
    try:
        # JSON has no dates or bytes: whoever changes the file by hand breaks the checksum.
        is_whole = data.pop("checksum", None) == _checksum(data)
    except RecursionError:
        is_whole = False
    if not is_whole:
        raise PartageError(
            f"load: {path} was changed after partage wrote it: its checksum does not fit. Write it "
            "again with `partage report` or `save`; parts are edited in Python."
        )
    return data


def restore(
    path: str | Path, data: dict[str, Any], make: Callable[[str, dict[str, Any]], Any]
) -> Any:
    """Build the model that a file holds; ``make`` is given the name and the parameters."""
    try:
        return _restore(data, make)
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        MemoryError,
        OverflowError,
    ) as error:
        raise PartageError(f"load: {path} is damaged: {error!r}. Write it again.") from error


def _read_json(path: Path) -> dict[str, Any]:
    """Read a file that holds a JSON object."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PartageError(f"load: {path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise PartageError(
            f"load: {path} must be a model file of partage; it is not JSON: {error}."
        ) from None
    if not isinstance(data, dict):
        raise PartageError(
            f"load: {path} must be a model file of partage; it is another JSON file."
        )
    return data


def _restore(data: dict[str, Any], make: Callable[[str, dict[str, Any]], Any]) -> Any:
    """Build the model."""
    parameters = {key: _from_plain(value) for key, value in data["parameters"].items()}
    model = make(data["estimator"], parameters)
    names = [column["name"] for column in data["columns"]]
    if not names or len(set(names)) < len(names) or not all(isinstance(n, str) for n in names):
        raise ValueError("columns must be there, and their names differ")
    model._restore_fitted(data)
    model._set_columns(names, has_names=data["has_names"])
    model._library = str(data["library"])
    target = data.get("target")
    model._target_name = None if target is None else str(target)
    return model


def _make(name: str, parameters: dict[str, Any]) -> Any:
    """Make an estimator that is not fitted."""
    if name not in ESTIMATORS:
        raise ValueError(f"unknown estimator {name!r}")
    return getattr(import_module(ESTIMATORS[name]), name)(**parameters)


def _to_plain(value: Any) -> Any:
    """Write a parameter; a mapping becomes pairs, since its keys may be of any type."""
    if isinstance(value, Mapping):
        pairs = [[_to_plain(key), _to_plain(item)] for key, item in value.items()]
        return {"pairs": pairs}
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [_to_plain(item) for item in value]
    if isinstance(value, Partition):
        return {"partition": value.to_dict()}
    if type(value).__name__ == "TablePartitioner":
        parameters = _parameters_to_plain(value)
        return {"model": {"estimator": "TablePartitioner", "parameters": parameters}}
    return value_to_plain(value)


def _from_plain(plain: Any) -> Any:
    """Read a parameter."""
    if isinstance(plain, dict) and "pairs" in plain:
        return {_from_plain(key): _from_plain(value) for key, value in plain["pairs"]}
    if isinstance(plain, list):
        return [_from_plain(item) for item in plain]
    if isinstance(plain, dict) and "partition" in plain:
        return read_partition(plain["partition"])
    if isinstance(plain, dict) and "model" in plain:
        parameters = plain["model"]["parameters"]
        given = {key: _from_plain(value) for key, value in parameters.items()}
        return _make(plain["model"]["estimator"], given)
    return value_from_plain(plain)


def _checksum(data: dict[str, Any]) -> str:
    """Digest of the content, independent of spaces and order."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
