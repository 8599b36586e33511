"""Options that say something of single columns, or of all: ``NAME=VALUE`` or ``VALUE``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from partage._support.checks import CUT_STYLES, KINDS
from partage.cli.arguments import UsageError, check_named, read_count

# Options that take NAME=VALUE: attribute, and the parameter of the estimator.
BY_COLUMN = {
    "special": "special_values",
    "monotonic": "monotonic",
    "ordered": "ordered",
    "cuts": "user_cuts",
    "max_parts": "max_parts",
    "min_part_size": "min_part_size",
    "round_cuts": "round_cuts",
}
_NAMED_ONLY = ("ordered", "cuts", "kind")


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Add what is said of columns."""
    group = parser.add_argument_group(
        "columns", "Options of NAME=VALUE may be given several times; VALUE alone is for all."
    )
    group.add_argument("--drop", action="append", default=[], metavar="NAME", help="column to skip")
    _add(group, "--kind", _read_kind, "NAME=KIND", f"how to take a column: {', '.join(KINDS)}")
    _add(group, "--special", read_values, "NAME=-1,-999", "codes that are no measurements")
    _add(group, "--ordered", _read_texts, "NAME=LOW,HIGH", "order of the values of a column")
    group.add_argument(
        "--text",
        action="append",
        default=[],
        metavar="NAME",
        help="free text: take its length and number of words",
    )
    group.add_argument(
        "--auto", action="store_true", help="take what a report proposes: special values, kinds"
    )
    group.add_argument(
        "--missing",
        choices=("separate", "merge"),
        default="separate",
        help="missing values: a part of their own, or with the part they resemble",
    )


def add_parts(parser: argparse.ArgumentParser) -> None:
    """Add what is asked of parts and cuts."""
    group = parser.add_argument_group("parts")
    group.add_argument(
        "--method",
        action="append",
        default=[],
        metavar="NAME",
        help="of `partage methods`; numeric=NAME and categorical=NAME choose one for each kind",
    )
    trend = "how the event's rate goes: ascending, descending, peak, valley or auto"
    _add(group, "--max-parts", read_count, "[NAME=]N", "most parts")
    size = "least rows of a part, or share below 1"
    _add(group, "--min-part-size", _read_number, "[NAME=]SIZE", size)
    _add(group, "--monotonic", str, "[NAME=]TREND", trend)
    _add(group, "--cuts", read_values, "NAME=18,25,65", "cuts of a column: these and no others")
    group.add_argument(
        "--cut-style",
        choices=CUT_STYLES[::-1],
        default="simple",
        help="where between two values a cut is placed: at a simple number (default), or midway",
    )
    _add(group, "--round-cuts", _read_number, "[NAME=]BITS", "bits that rounder cuts may cost")


def _add(group: Any, option: str, read: Callable[[str], Any], metavar: str, what: str) -> None:
    """Add an option that takes NAME=VALUE."""
    is_named = option.removeprefix("--") in _NAMED_ONLY
    kind = _by_column(read, is_named)
    group.add_argument(option, action="append", default=[], type=kind, metavar=metavar, help=what)


def _by_column(read: Callable[[str], Any], is_named: bool) -> Callable[[str], tuple[str, Any]]:
    """Read ``NAME=VALUE``, or a value for all columns, whose name is empty."""

    def read_one(text: str) -> tuple[str, Any]:
        name, sign, value = text.rpartition("=")
        if is_named and not (sign and name):
            raise argparse.ArgumentTypeError(f"must be NAME=VALUE; got {text!r}")
        return name, read(value)

    read_one.__name__ = "NAME=VALUE"  # what argparse calls it in a message
    return read_one


def _read_kind(text: str) -> str:
    """Read a kind of column."""
    if text not in KINDS:
        raise argparse.ArgumentTypeError(
            f"must be NAME=KIND, KIND one of {', '.join(KINDS)}; got {text!r}"
        )
    return text


def _read_number(text: str) -> float:
    """Read a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number; got {text!r}") from None


def read_values(text: str) -> list[Any]:
    """Read values with commas between them: whole numbers, numbers, or text."""
    return [_value(item.strip()) for item in text.split(",")]


def _read_texts(text: str) -> list[str]:
    """Read texts with commas between them."""
    return [item.strip() for item in text.split(",")]


def _value(text: str) -> Any:
    """Read a number where a text is one."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def check_columns(who: str, columns: Sequence[str], options: argparse.Namespace) -> None:
    """Refuse options that name a column which the data have not."""
    named = [("--target", options.target)]
    for option in ("sample_weight", "by"):
        named += [(f"--{option.replace('_', '-')}", getattr(options, option))]
    named += [
        (f"--{option}", name) for option in ("drop", "text") for name in vars(options)[option]
    ]
    for option in ("kind", *BY_COLUMN):
        title = f"--{option.replace('_', '-')}"
        named += [(title, name) for name, _ in getattr(options, option)]
    for option, name in named:
        if name:
            check_named(who, option, name, columns)


def parameters_of(who: str, options: argparse.Namespace, columns: Sequence[str]) -> dict[str, Any]:
    """Parameters of the estimator that the options stand for, on the columns that are left."""
    found: dict[str, Any] = {
        "missing": options.missing,
        "cut_style": options.cut_style,
        "method": _methods(who, options.method),
        "by": options.by if options.monotonic else None,
    }
    for option, parameter in BY_COLUMN.items():
        found[parameter] = _gathered(getattr(options, option), columns)
    if found["user_cuts"]:
        found["candidate_cuts"] = {name: [] for name in found["user_cuts"]}
    return found


def _gathered(given: list[tuple[str, Any]], columns: Sequence[str]) -> Any:
    """Give one value for all columns, a dict of values by column, or None."""
    named = {name: value for name, value in given if name in columns}
    general = [value for name, value in given if not name]
    if not named:
        return general[-1] if general else None
    if not general:
        return named
    return dict.fromkeys(columns, general[-1]) | named


def _methods(who: str, given: list[str]) -> Any:
    """Read one method, or one for each kind of column."""
    if not given:
        return "modl"
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    found = {}
    for text in given:
        kind, sign, name = text.partition("=")
        if not sign or kind not in KINDS[:2]:
            raise UsageError(
                f"{who}: --method must be one name, or numeric=NAME and categorical=NAME; got "
                f"{text!r}."
            )
        found[kind] = name
    return found
