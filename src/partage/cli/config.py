"""``--config``: the options of a report in a TOML file, those of single columns under their names.

An option on the command line wins over the file.
"""

from __future__ import annotations

import argparse
import datetime as dt
from typing import Any

from partage._support.speaking import did_you_mean
from partage.cli.arguments import UsageError
from partage.cli.columns import BY_COLUMN

_OF_COLUMNS = ("kind", *BY_COLUMN)
_FLAGS = ("drop", "text")  # of a column: true
_NOT_SET = ("run", "parser", "command", "config", "data")
_LISTS = ("pair", "graph", "drop", "text", "method")


def take_config(who: str, options: argparse.Namespace) -> None:
    """Set the options that a file gives, and the command line does not."""
    if options.config is None:
        return
    data = _read(who, options.config)
    columns = data.pop("columns", {})
    title = f"{who}: {options.config}"
    if not isinstance(columns, dict) or not all(isinstance(one, dict) for one in columns.values()):
        raise UsageError(f"{title}: [columns] must hold a table for each column.")
    known = [name for name in vars(options) if name not in _NOT_SET]
    named = {key.replace("-", "_"): key for key in data}
    for name, key in named.items():
        _check_key(title, key, name, known)
    _set_single(title, options, {name: data[key] for name, key in named.items()})
    for name, key in named.items():
        _set_several(options, name, data[key])
    for column, given in columns.items():
        for key, value in given.items():
            name = key.replace("-", "_")
            _check_key(f"{title}: column {column!r}", key, name, [*_OF_COLUMNS, *_FLAGS])
            if name in _FLAGS:
                vars(options)[name] = [*vars(options)[name], *([column] if value is True else [])]
            elif column not in dict(getattr(options, name)):
                listed = [value] if name in ("special", "cuts", "ordered") else value
                value = value if isinstance(value, list) else listed
                vars(options)[name] = [*getattr(options, name), (column, value)]


def _read(who: str, path: Any) -> dict[str, Any]:
    """Read a file of TOML."""
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(
            f"{who}: --config {path} cannot be read: {error.strerror}; check the path."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{who}: --config {path} must be TOML: {error}.") from None


def _check_key(title: str, key: str, name: str, known: list[str]) -> None:
    """Refuse what is no option."""
    if name not in known:
        shown = [one.replace("_", "-") for one in known]
        near = did_you_mean(key, shown)
        raise UsageError(f"{title}: there is no option {key!r}.{near}")


def _set_single(title: str, options: argparse.Namespace, data: dict[str, Any]) -> None:
    """Set options that have one value, read as on the command line, unless that has them."""
    words = []
    for name, value in data.items():
        option = f"--{name.replace('_', '-')}"
        if name in (*_OF_COLUMNS, *_LISTS) or value is False:
            continue
        if not isinstance(value, (str, int, float, dt.date, dt.time)):
            raise UsageError(f"{title}: {option[2:]} must have one value; got {value!r}.")
        words.append(option if value is True else f"{option}={value}")
    files = ["--", *options.data]
    try:
        found = options.parser.parse_args([*words, *files])
    except UsageError as error:
        raise UsageError(f"{title}: {str(error).partition(': ')[2]}") from None
    usual = options.parser.parse_args(files)
    for name in data:
        if getattr(options, name) == getattr(usual, name) and name not in (*_OF_COLUMNS, *_LISTS):
            setattr(options, name, getattr(found, name))


def _set_several(options: argparse.Namespace, name: str, value: Any) -> None:
    """Set an option of columns, or of several values, unless the command line has."""
    present = vars(options)[name]
    if name in _OF_COLUMNS:
        if not any(column == "" for column, _ in present):
            vars(options)[name] = [*present, ("", value)]
    elif name in _LISTS:
        vars(options)[name] = present or (value if isinstance(value, list) else [value])
