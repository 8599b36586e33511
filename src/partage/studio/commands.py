"""Commands: what a page or a journal asks of a column, checked, and done by the library's edits.

A page names what it shows: a border by its number, a value by its place. What is kept names values
themselves, so that a journal can be read again on other counts.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from partage._saving.plain import value_from_plain as read_value
from partage._saving.plain import value_to_plain as write_value
from partage._search.limits import check_limits
from partage.exceptions import PartageError
from partage.studio.sheet import LIMITS, STATUSES, Sheet

__all__ = ["EDITS", "Refused", "do", "resolve"]

MOST_LETTERS = 4_000  # of a note or a reason
MOST_VALUES = 20_000  # that one edit moves


class Refused(PartageError):  # noqa: N818  # said on the page, not raised through it
    """A command that cannot be done; its text says why."""


Command = Mapping[str, Any]


def resolve(sheet: Sheet, asked: Command) -> dict[str, Any]:
    """Say a command of the page in values: what a journal keeps."""
    what = asked.get("do")
    if not isinstance(what, str) or what not in _RESOLVED:
        raise Refused(f"do must be one of {', '.join(_RESOLVED)}; got {what!r}.")
    found = _RESOLVED[what](sheet, asked)
    for name in ("reason", "who"):
        if name in asked:
            found[name] = _text(asked, name)
    return found


def _text(asked: Command, name: str) -> str:
    """Take a text of bounded length."""
    text = asked.get(name, "")
    if not isinstance(text, str) or len(text) > MOST_LETTERS:
        raise Refused(f"{name} must be text of at most {MOST_LETTERS} letters.")
    return text


def _whole(asked: Command, name: str) -> int:
    """Take a whole number."""
    number = asked.get(name)
    if not isinstance(number, int) or isinstance(number, bool) or abs(number) > 10**9:
        raise Refused(f"{name} must be a whole number; got {number!r}.")
    return number


def _number(asked: Command, name: str, default: float | None = None) -> float:
    """Take a finite number."""
    number = asked.get(name, default)
    is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
    if not is_number or not math.isfinite(number):
        raise Refused(f"{name} must be a number; got {number!r}.")
    return float(number)


def _list(asked: Command, name: str, most: int = MOST_VALUES) -> list[Any]:
    """Take a list of bounded length."""
    found = asked.get(name)
    if not isinstance(found, list) or len(found) > most:
        raise Refused(f"{name} must be a list of at most {most:,} entries.")
    return found


# What the page asks for, in values


def _cuts_of(sheet: Sheet) -> list[Any]:
    """Cuts of a column; other columns have none to move."""
    partition: Any = sheet.partition
    if not partition.rule.is_measured:
        raise Refused(f"{sheet.name!r} has groups of values, not cuts.")
    return list(partition.cuts)


def _index(asked: Command, cuts: list[Any]) -> int:
    """Take the number of a cut."""
    index = _whole(asked, "index")
    if not 0 <= index < len(cuts):
        raise Refused(f"index must be one of the {len(cuts)} cuts; got {index}.")
    return index


def _replaced(sheet: Sheet, cuts: list[Any], index: int, cut: Any) -> dict[str, Any]:
    """Say that a cut moves."""
    if any(cuts[index] == lock for lock in sheet.locks):
        raise Refused("This border is locked. Unlock it to move it.")
    new = [*cuts[:index], cut, *cuts[index + 1 :]]
    return {"do": "set_cuts", "cuts": [write_value(one) for one in new]}


def _move_cut(sheet: Sheet, asked: Command) -> dict[str, Any]:
    """Move a cut to a place on the axis, or to the roundest number within reach."""
    cuts = _cuts_of(sheet)
    index = _index(asked, cuts)
    position = _number(asked, "position")
    cut = sheet.partition._cut_near(position, max(_number(asked, "reach", 0.0), 0.0))
    return _replaced(sheet, cuts, index, cut)


def _step_cut(sheet: Sheet, asked: Command) -> dict[str, Any]:
    """Move a cut over some values."""
    cuts = _cuts_of(sheet)
    index = _index(asked, cuts)
    return _replaced(sheet, cuts, index, sheet.partition._cut_stepped(index, _whole(asked, "by")))


def _type_cut(sheet: Sheet, asked: Command) -> dict[str, Any]:
    """Put a cut where it was typed: another place of one that there is, or one more."""
    cuts = _cuts_of(sheet)
    cut = _typed(sheet, _text(asked, "text"))
    if asked.get("index") is not None:
        return _replaced(sheet, cuts, _index(asked, cuts), cut)
    return {"do": "split", "part": _part_of(sheet, cut), "at": write_value(cut)}


def _typed(sheet: Sheet, text: str) -> Any:
    """Read a cut that was typed: a number, or a time as text."""
    partition: Any = sheet.partition
    kind = partition.rule.kind
    text = text.strip()
    if kind.is_time:
        return text
    read: tuple[Callable[[str], Any], ...] = (int, float)
    if kind.name == "decimal":
        read = (decimal.Decimal,)
    for one in read:
        try:
            cut = one(text)
        except (ValueError, decimal.InvalidOperation):
            continue
        if math.isfinite(cut):
            return cut
    raise Refused(f"A cut of {sheet.name!r} must be a number; got {text!r}.")


def _part_of(sheet: Sheet, cut: Any) -> int:
    """Part that a cut lies in."""
    code = int(sheet.partition.assign([cut])[0])
    if code >= sheet.partition.n_parts:
        raise Refused(f"{cut} is a special value of {sheet.name!r}; cut beside it.")
    return code


def _split_at(sheet: Sheet, asked: Command) -> dict[str, Any]:
    """Cut a part at a place on the axis."""
    _cuts_of(sheet)
    reach = max(_number(asked, "reach", 0.0), 0.0)
    cut = sheet.partition._cut_near(_number(asked, "position"), reach)
    return {"do": "split", "part": _part_of(sheet, cut), "at": write_value(cut)}


def _values(sheet: Sheet, asked: Command) -> list[Any]:
    """Take values by their places among those that were counted."""
    units = sheet.partition.units
    if units is None or not units.values:
        raise Refused(f"The values of {sheet.name!r} were not kept; open the studio with the data.")
    found = []
    for i in _list(asked, "values"):
        if not isinstance(i, int) or isinstance(i, bool) or not 0 <= i < units.n_units:
            raise Refused(f"values must be places of values; got {i!r}.")
        found.append(write_value(units.values[i]))
    return found


def _move(sheet: Sheet, asked: Command) -> dict[str, Any]:
    return {"do": "move", "values": _values(sheet, asked), "to": _whole(asked, "to")}


def _divide(sheet: Sheet, asked: Command) -> dict[str, Any]:
    return {"do": "split", "part": _whole(asked, "part"), "at": _values(sheet, asked)}


def _merge(_: Sheet, asked: Command) -> dict[str, Any]:
    parts = _list(asked, "parts", 10_000)
    if not all(isinstance(part, (int, str)) and not isinstance(part, bool) for part in parts):
        raise Refused(f"parts must be numbers or names; got {parts!r}.")
    return {"do": "merge", "parts": parts}


def _set_apart(_: Sheet, asked: Command) -> dict[str, Any]:
    return {"do": "set_apart", "beside": _text(asked, "beside")}


def _optimize(sheet: Sheet, _: Command) -> dict[str, Any]:
    locked = [write_value(one) for one in sheet.locked()]
    return {"do": "optimize", "limits": dict(sheet.limits), "locked": locked}


def _limits(sheet: Sheet, asked: Command) -> dict[str, Any]:
    """Take limits; None takes one away."""
    given = asked.get("limits")
    if not isinstance(given, dict) or not set(given) <= set(LIMITS):
        raise Refused(f"limits must be among {', '.join(LIMITS)}.")
    kept = {name: value for name, value in {**sheet.limits, **given}.items() if value is not None}
    checked = check_limits("limits", **kept).of(sheet.name)
    return {"do": "limits", "limits": {k: v for k, v in checked.given().items() if k in LIMITS}}


def _lock(sheet: Sheet, asked: Command) -> dict[str, Any]:
    """Lock a border or a group, or unlock it."""
    index, is_on = _whole(asked, "index"), asked.get("on") is True
    partition: Any = sheet.partition
    if partition.rule.is_measured:
        cut = list(partition.cuts)[_index(asked, list(partition.cuts))]
        kept = [one for one in sheet.locks if one != cut and partition.rule.has_borders([one])]
        locks = [*kept, cut] if is_on else kept
        locks.sort()
    else:
        if not 0 <= index < partition.n_parts:
            raise Refused(f"index must be one of the {partition.n_parts} groups; got {index}.")
        members = partition.rule.members()
        others = [members[k][0] for k in sheet.locked() if k != index]
        locks = [*others, members[index][0]] if is_on else others
    return {"do": "lock", "locks": [write_value(one) for one in locks]}


def _note(_: Sheet, asked: Command) -> dict[str, Any]:
    return {"do": "note", "text": _text(asked, "text")}


def _status(_: Sheet, asked: Command) -> dict[str, Any]:
    status = asked.get("status")
    if status not in STATUSES:
        raise Refused(f"status must be one of {', '.join(STATUSES)}; got {status!r}.")
    return {"do": "status", "status": status}


def _plainly(what: str) -> Callable[[Sheet, Command], dict[str, Any]]:
    """Make what takes a command as it is."""
    return lambda _, __: {"do": what}


_RESOLVED: dict[str, Callable[[Sheet, Command], dict[str, Any]]] = {
    "move_cut": _move_cut,
    "step_cut": _step_cut,
    "type_cut": _type_cut,
    "split_at": _split_at,
    "move": _move,
    "divide": _divide,
    "merge": _merge,
    "set_apart": _set_apart,
    "optimize": _optimize,
    "limits": _limits,
    "lock": _lock,
    "note": _note,
    "status": _status,
    **{what: _plainly(what) for what in ("undo", "redo", "reset")},
}


# What is done


def do(sheet: Sheet, command: Command) -> Sheet:
    """Do a command that was resolved."""
    what = str(command.get("do"))
    if what not in _DONE:
        raise Refused(f"no command is called {what!r}.")
    if what in EDITS and sheet.status == "signed":
        raise Refused(f"{sheet.name!r} is signed. Reopen it to change its parts.")
    said = {name: str(command.get(name, "")) for name in ("reason", "who")}
    return _DONE[what](sheet, command, said)


Said = dict[str, str]


def _do_merge(sheet: Sheet, command: Command, said: Said) -> Sheet:
    return sheet.edited(sheet.partition.merge(*command["parts"], **said))


def _do_split(sheet: Sheet, command: Command, said: Said) -> Sheet:
    partition: Any = sheet.partition
    at = command["at"]
    read = list(map(read_value, at)) if isinstance(at, list) else read_value(at)
    return sheet.edited(partition.split(command["part"], read, **said))


def _do_cuts(sheet: Sheet, command: Command, said: Said) -> Sheet:
    partition: Any = sheet.partition
    return sheet.edited(partition.set_cuts(list(map(read_value, command["cuts"])), **said))


def _do_move(sheet: Sheet, command: Command, said: Said) -> Sheet:
    partition: Any = sheet.partition
    values = list(map(read_value, command["values"]))
    return sheet.edited(partition.move(values, to=command["to"], **said))


def _do_apart(sheet: Sheet, command: Command, said: Said) -> Sheet:
    return sheet.edited(sheet.partition.set_apart(command["beside"], **said))


def _do_optimize(sheet: Sheet, command: Command, said: Said) -> Sheet:
    given = dict.fromkeys(LIMITS) | dict(command["limits"])
    if not sheet.partition.rule.is_measured:
        given.pop("round_cuts")
    locked = list(map(read_value, command["locked"]))
    return sheet.edited(sheet.partition.optimize(locked=locked, **said, **given))


def _do_undo(sheet: Sheet, command: Command, said: Said) -> Sheet:  # noqa: ARG001
    return replace(sheet, partition=sheet.partition.undo(), redo=(*sheet.redo, sheet.partition))


def _do_redo(sheet: Sheet, command: Command, said: Said) -> Sheet:  # noqa: ARG001
    if not sheet.redo:
        raise Refused("There is nothing to redo.")
    return replace(sheet, partition=sheet.redo[-1], redo=sheet.redo[:-1])


def _do_reset(sheet: Sheet, command: Command, said: Said) -> Sheet:
    while sheet.partition.history:
        sheet = _do_undo(sheet, command, said)
    return sheet


def _do_limits(sheet: Sheet, command: Command, said: Said) -> Sheet:  # noqa: ARG001
    return replace(sheet, limits=dict(command["limits"]))


def _do_lock(sheet: Sheet, command: Command, said: Said) -> Sheet:  # noqa: ARG001
    return replace(sheet, locks=tuple(map(read_value, command["locks"])))


def _do_note(sheet: Sheet, command: Command, said: Said) -> Sheet:  # noqa: ARG001
    return replace(sheet, note=str(command["text"]))


def _do_status(sheet: Sheet, command: Command, said: Said) -> Sheet:
    status = str(command["status"])
    signed = {"who": said["who"], "when": str(command.get("when", ""))}
    return replace(sheet, status=status, signed=signed if status == "signed" else {})


_DONE: dict[str, Callable[[Sheet, Command, Said], Sheet]] = {
    "merge": _do_merge,
    "split": _do_split,
    "set_cuts": _do_cuts,
    "move": _do_move,
    "set_apart": _do_apart,
    "optimize": _do_optimize,
    "undo": _do_undo,
    "redo": _do_redo,
    "reset": _do_reset,
    "limits": _do_limits,
    "lock": _do_lock,
    "note": _do_note,
    "status": _do_status,
}
EDITS = tuple(_DONE)[:9]  # that change the parts
