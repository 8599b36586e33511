"""Files of class counts: NumPy's ``npz`` format, without Python objects."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._categories import MISSING, Categories
from partage._entries import count_entries
from partage._kinds import Column, Kind
from partage._model_file import value_from_plain, value_to_plain
from partage._targets import ClassTarget
from partage.exceptions import PartageError

if TYPE_CHECKING:
    from partage._contingency import Contingency

VERSION = 1


def write_counts(counts: Contingency, path: Any) -> None:
    """Write a contingency to a file."""
    column = counts.column
    head: dict[str, Any] = {
        "partage_contingency": VERSION,
        "name": column.name,
        "target_name": counts.target_name,
        "library": counts.library,
        "classes": [value_to_plain(label) for label in counts.classes.tolist()],
        "classes_dtype": counts.classes.dtype.str,
    }
    arrays: dict[str, Any] = {
        "codes": counts.target.codes,
        "rows": counts.target.rows,
        "weights": counts.target.weights,
    }
    if isinstance(column, Column):
        head["kind"] = column.kind.to_plain()
        arrays |= {"keys": column.keys, "missing": column.missing_mask()}
    else:
        head["values"] = [value_to_plain(value) for value in column.values]
        head["levels"] = [value_to_plain(value) for value in column.levels]
        head["is_ordered"] = column.is_ordered
        arrays["keys"] = column.codes
    buffer = io.BytesIO()
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    np.savez_compressed(buffer, head=text, **arrays)
    Path(path).write_bytes(buffer.getvalue())


def read_counts(who: str, path: Any) -> tuple[Column | Categories, ClassTarget, str, str]:
    """Read a contingency: its column, its target, the name of the target and the library."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = json.loads(bytes(arrays.pop("head")))
        version = int(head["partage_contingency"])
    except FileNotFoundError:
        raise
    except Exception as error:
        raise PartageError(f"{who}: {str(path)!r} holds no contingency: {error}.") from error
    if version > VERSION:
        raise PartageError(
            f"{who}: layout {version} is newer than this version of partage reads ({VERSION}); "
            "update partage."
        )
    try:
        return _from_plain(head, arrays)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise PartageError(f"{who}: {str(path)!r} is damaged: {error!r}.") from error


def _from_plain(
    head: dict[str, Any], arrays: dict[str, NDArray[Any]]
) -> tuple[Column | Categories, ClassTarget, str, str]:
    """Take the pieces of a file, and check that they fit."""
    n = len(arrays["codes"])
    labels = [value_from_plain(label) for label in head["classes"]]
    classes = np.array(labels, dtype=head["classes_dtype"])
    keys = arrays["keys"]
    if any(len(array) != n for array in arrays.values()):
        raise ValueError("the arrays differ in length")
    if n and int(arrays["codes"].max()) >= len(classes):
        raise ValueError("a class is not named")
    column: Column | Categories
    if "kind" in head:
        kind = Kind.from_plain(head["kind"])
        column = Column(head["name"], kind, keys, arrays["missing"].astype(np.uint8))
    else:
        values = [value_from_plain(value) for value in head["values"]]
        if n and (int(keys.max()) >= len(values) or int(keys.min()) < MISSING):
            raise ValueError("a value is not named")
        levels = tuple(value_from_plain(value) for value in head["levels"])
        column = Categories(head["name"], values, keys, head["is_ordered"], levels)
    target = ClassTarget(
        arrays["codes"].astype(np.uint16), classes, arrays["weights"], None, arrays["rows"]
    )
    return *count_entries(column, target), head["target_name"], head["library"]
