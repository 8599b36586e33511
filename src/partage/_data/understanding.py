"""What the columns of a table are, beyond their types: decisions, each with its reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from partage._data.conversions import BOOLEAN_WORDS, Conversion, convert
from partage._data.number_text import (
    NumberText,
    currencies_of,
    find_first_number,
    find_number_text,
    is_gap_word,
    share_of,
)
from partage._data.sentinels import find_sentinel_days, find_sentinels
from partage._data.time_text import TimeText, find_digits, find_iso, find_time_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Decision", "Understanding", "quoted", "understand"]

_N_TRIED = 10_000  # texts by which the way of writing is found
_ENOUGH = 0.98  # of the texts must be numbers or dates for a column to become such
_MANY = 0.5
_FEWEST_ROWS = 30  # in which a different value in each means something
_MOST_CODES = 1000
_ID_WORDS = ("id", "uuid", "guid", "index", "key", "rowid", "row", "no", "nr", "number", "unnamed")
_WORD = r"[^\W\d_]{2,}"  # of free text, which phone numbers are not
_LEADING_ZERO = r"^\s*0\d+\s*$"


@dataclass(frozen=True)
class Decision:
    """What was done with a column, or could be, and why.

    Attributes
    ----------
    column : str
        Its name.
    action : str
        ``"converted"``, ``"left out"``, ``"made"`` (a column from free text), ``"taken"`` (a
        special value or a kind) or ``"proposed"``.
    reason : str
        Why, in words.
    option : str
        Option of the command that takes a proposal, or undoes what was done.
    """

    column: str
    action: str
    reason: str
    option: str = ""

    def __str__(self) -> str:
        return f"{self.column}: {self.reason}" + (f" ({self.option})" if self.option else "")


@dataclass(frozen=True)
class Understanding:
    """All decisions on a table, and what follows from them."""

    decisions: list[Decision] = field(default_factory=list)
    conversions: dict[str, Conversion] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    special: dict[str, list[Any]] = field(default_factory=dict)
    # Numbers that are special or may be, whoever says so: no reading is judged by them.
    aside: dict[str, list[Any]] = field(default_factory=dict)
    # Columns that may be read otherwise: by a conversion, or whole numbers as categories (None).
    alternatives: dict[str, Conversion | None] = field(default_factory=dict)
    # Why columns are left out unless that other reading says something.
    otherwise: dict[str, Decision] = field(default_factory=dict)

    def apply(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Convert columns, and drop those that are left out."""
        return convert(frame, self.conversions).drop(self.left_out)


def understand(
    frame: pl.DataFrame,
    *,
    skipped: Collection[str] = (),
    kinds: Mapping[str, str] | None = None,
    special: Mapping[str, Sequence[Any]] | None = None,
    kept: Collection[str] = (),
    texts: Collection[str] = (),
    auto: bool = False,
    has_decimal_comma: bool = False,
) -> Understanding:
    """Look at every column, and decide how it is taken.

    Parameters
    ----------
    frame : polars.DataFrame
        The table.
    skipped : collection of str
        Columns that stay as they are, such as the target.
    kinds : mapping of str to str
        Kinds that the user gave: nothing else is decided of these columns.
    special : mapping of str to sequence
        Special values that the user gave, by column.
    kept : collection of str
        Columns that are not left out as identifiers, since something is asked of them.
    texts : collection of str
        Columns of free text whose length and number of words are to be made.
    auto : bool, default=False
        Whether what is proposed is taken.
    has_decimal_comma : bool, default=False
        Whether 1,234 is 1.234 where nothing else decides.
    """
    found = Understanding()
    special = special or {}
    look = _Look(found, kinds or {}, special, {*kept, *special}, set(texts), auto)
    look.has_decimal_comma = has_decimal_comma or _has_decimal_commas(frame, skipped)
    for name in frame.columns:
        if name not in skipped:
            look.at(frame[name])
    return found


class _Look:
    """Looks at one column after the other."""

    def __init__(
        self,
        found: Understanding,
        kinds: Mapping[str, str],
        special: Mapping[str, Sequence[Any]],
        kept: set[str],
        texts: set[str],
        auto: bool,
    ) -> None:
        self.found, self.kinds, self.special, self.texts = found, kinds, special, texts
        self.kept, self.auto = kept, auto
        self.has_decimal_comma = False

    def at(self, column: pl.Series) -> None:
        """Decide what a column is."""
        import polars as pl

        kind = self.kinds.get(column.name)
        if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
            held = "bytes" if column.dtype == pl.Binary else "lists or records"
            self._leave_out(column.name, f"it holds {held}, not single values")
        elif column.null_count() == len(column) and column.name not in self.kept and kind is None:
            self._leave_out(column.name, "every value is missing")
        elif column.name in self.texts:
            self._measure(column.name)
        elif column.dtype == pl.String and kind not in ("categorical", "ordered"):
            self._at_text(column, kind)
        elif column.dtype.is_numeric() and kind in (None, "numeric", "datetime"):
            self._at_numbers(column, kind)
        elif column.dtype in (pl.Date, pl.Datetime) and kind in (None, "datetime"):
            self._at_days(column)

    def _at_text(self, column: pl.Series, kind: str | None) -> None:
        """Convert text that is something else; name identifiers and free text."""
        present = column.drop_nulls()
        distinct = present.unique()
        if kind is None and not distinct.str.contains(r"\d").any():
            self._at_words(column.name, present, distinct)
            return
        gaps = distinct.filter(is_gap_word(distinct))
        words = present.filter(~present.is_in(gaps.to_list())) if len(gaps) else present
        if words.is_empty():
            return
        iso = find_iso(column) if kind in (None, "datetime") else None
        if iso is not None:  # which can be read in one way only: not worth a word
            self.found.conversions[column.name] = _conversion(column.name, iso)
            self._at_days(iso.parse(column))
            return
        style = self._style(words, kind)
        if style is not None:
            converted = style.parse(words)
            share = share_of(converted.is_not_null())
            if share >= _ENOUGH or kind in ("numeric", "datetime"):
                self._convert(column, words, style, converted)
                return
            if share > _MANY:
                self.found.alternatives[column.name] = _conversion(column.name, style)
                return
        money = currencies_of(words.head(_N_TRIED)) if style is None and kind is None else []
        if money:
            shown = ", ".join(map(repr, money))
            reason = f"amounts of several currencies ({shown}): turn them into one, or divide them"
            self._leave_out(
                column.name, reason, f"--kind {quoted(column.name)}=categorical keeps it"
            )
        elif kind is None:
            self._at_words(column.name, present, distinct)
            self._offer_first_numbers(column.name, words)

    def _offer_first_numbers(self, name: str, words: pl.Series) -> None:
        """Offer the first number of texts, where they are many and hold few words."""
        n_words = int(words.str.count_matches(_WORD).sum()) / len(words)
        is_many = words.n_unique() > max(_FEWEST_ROWS, len(words) // 10)
        first = find_first_number(words) if is_many and n_words < 2 else None
        if first is None or first.parse(words).n_unique() < words.n_unique() // 10:
            return
        self.found.alternatives[name] = _conversion(name, first)
        if name in self.found.left_out:  # an identifier, if its numbers say nothing
            self.found.left_out.remove(name)
            self.found.otherwise[name] = self.found.decisions.pop()

    def _style(self, words: pl.Series, kind: str | None) -> NumberText | TimeText | None:
        """Find how dates or numbers are written."""
        first = words.head(_N_TRIED)
        if kind != "numeric":
            times = find_time_text(first)
            if times is not None:
                return times
        if kind == "datetime" or (kind is None and _are_codes(first)):
            return None
        found = find_number_text(first, self.has_decimal_comma)
        return find_first_number(first) if found is None and kind == "numeric" else found

    def _convert(
        self,
        column: pl.Series,
        words: pl.Series,
        style: NumberText | TimeText,
        converted: pl.Series,
    ) -> None:
        """Convert a column, and say what did not fit."""
        self.found.conversions[column.name] = _conversion(column.name, style)
        reason = f"text read as {style.words()}"
        if isinstance(style, TimeText) and not style.is_sure:
            reason += " (month first is possible too; write dates as 2024-01-31 to be sure)"
        odd = words.filter(converted.is_null())
        if len(odd):
            held = "1 text that is" if len(odd) == 1 else f"{len(odd):,} texts that are"
            such = f" ({_some(odd)})" if len(odd) == 1 else f" (such as {_some(odd)})"
            reason += f"; {held} none{such} became missing"
        self._decide(
            column.name,
            "converted",
            reason,
            f"--kind {quoted(column.name)}=categorical keeps the text",
        )
        if isinstance(style, NumberText) and column.name not in self.kinds:
            self._at_numbers(converted.alias(column.name), None)
        if isinstance(style, TimeText):
            self._at_days(converted.alias(column.name))

    def _at_words(self, name: str, present: pl.Series, distinct: pl.Series) -> None:
        """Recognise booleans in several spellings, identifiers and free text."""
        n_values = len(distinct)
        is_few = 2 < n_values <= 2 * len(BOOLEAN_WORDS)
        spelled = [text.strip().lower() for text in distinct.to_list()] if is_few else []
        if spelled and {BOOLEAN_WORDS.get(word) for word in spelled} == {True, False}:
            self.found.conversions[name] = Conversion(name, "boolean")
            shown = ", ".join(sorted(distinct.to_list())[:6])
            keep = f"--kind {quoted(name)}=categorical keeps the text"
            self._decide(name, "converted", f"yes and no in several spellings ({shown})", keep)
            return
        is_repeated = len(present) < _FEWEST_ROWS or n_values <= _MANY * len(present)
        if is_repeated or name in self.kept:
            return
        n_words = int(present.str.count_matches(_WORD).sum()) / len(present)
        keep = f"--kind {quoted(name)}=categorical keeps it"
        if n_words >= 3:
            if self.auto:
                self._measure(name)
                return
            self._leave_out(
                name,
                f"free text ({n_values:,} different ones)",
                f"--text {quoted(name)} takes its length and number of words",
            )
        elif n_values == len(present):
            self._leave_out(name, "a different value in every row: an identifier", keep)
        elif n_values >= _ENOUGH * len(present):
            self._leave_out(name, "a different value in nearly every row: an identifier", keep)

    def _measure(self, name: str) -> None:
        """Replace free text by its length and its number of words."""
        self.found.left_out.append(name)
        for to in ("length", "words"):
            self.found.conversions[f"{name} ({to})"] = Conversion(name, to)
        what = "free text: its length and its number of words stand for it"
        self._decide(name, "made", what, f"--drop {quoted(name)} leaves both out")

    def _at_numbers(self, column: pl.Series, kind: str | None) -> None:
        """Recognise identifiers, special values, and numbers that may be codes."""
        present = column.drop_nulls()
        digits = find_digits(present) if kind != "numeric" and len(present) else None
        if digits is not None and column.name not in self.special:
            self.found.conversions[column.name] = _conversion(column.name, digits)
            keep = f"--kind {quoted(column.name)}=numeric keeps the numbers"
            shown = f"whole numbers such as {present[0]} read as dates"
            self._decide(column.name, "converted", shown, keep)
            self._at_days(digits.parse(column))
            return
        is_asked = kind is not None or column.name in self.kept
        if not is_asked and _is_row_number(column.name, present):
            keep = f"--kind {quoted(column.name)}=numeric keeps it"
            self._leave_out(column.name, "a different number in every row: an identifier", keep)
            return
        if column.name in self.special:
            self.found.aside[column.name] = list(self.special[column.name])
        else:
            self._propose_special(column.name, present)
        n_values = present.n_unique() if _are_whole(present) else 0
        if kind is None and 2 < n_values <= min(_MOST_CODES, len(present) // 10):
            self.found.alternatives[column.name] = None

    def _at_days(self, column: pl.Series) -> None:
        """Name days that stand for none."""
        import polars as pl

        present = column.drop_nulls()
        if column.name in self.special or present.dtype not in (pl.Date, pl.Datetime):
            return
        self._propose(column.name, *find_sentinel_days(present))

    def _propose_special(self, name: str, present: pl.Series) -> None:
        """Name numbers that stand for no measurement."""
        values, share = find_sentinels(present)
        self.found.aside[name] = list(values)
        self._propose(name, values, share)

    def _propose(self, name: str, values: Sequence[Any], share: float) -> None:
        """Propose special values, or take them."""
        if not values:
            return
        shown = ", ".join(map(str, values))
        option = f"--special {quoted(name)}={','.join(map(str, values))}"
        held = "special values" if len(values) > 1 else "a special value"
        percent = f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1g} %"
        reason = f"{percent} of the rows hold {shown}: {held}"
        if self.auto:
            self.found.special[name] = list(values)
            self._decide(name, "taken", reason)
        else:
            self._decide(name, "proposed", f"{reason}?", option)

    def _leave_out(self, name: str, reason: str, option: str = "") -> None:
        """Leave a column out."""
        self.found.left_out.append(name)
        self._decide(name, "left out", reason, option)

    def _decide(self, name: str, action: str, reason: str, option: str = "") -> None:
        """Keep a decision."""
        self.found.decisions.append(Decision(name, action, reason, option))


def _has_decimal_commas(frame: pl.DataFrame, skipped: Collection[str]) -> bool:
    """Whether some column has commas that can only be decimal."""
    import polars as pl

    for name, dtype in frame.schema.items():
        if dtype != pl.String or name in skipped:
            continue
        first = frame[name].drop_nulls().head(_N_TRIED)
        if first.is_empty() or not first.str.contains(r"^\s*[+-]?\d*,(\d{1,2}|\d{4,})\s*$").any():
            continue
        style = find_number_text(first)
        if style is not None and style.decimal == ",":
            return share_of(style.parse(first).is_not_null()) >= _ENOUGH
    return False


def _are_codes(words: pl.Series) -> bool:
    """Whether numbers are written with leading zeros, as codes are."""
    return bool(words.str.contains(_LEADING_ZERO).any())


def _is_row_number(name: str, present: pl.Series) -> bool:
    """Whether whole numbers count the rows, or are all different in a column that is named so."""
    if len(present) < _FEWEST_ROWS or not _are_whole(present):
        return False
    steps = present.diff().drop_nulls()
    # Steps between unsigned numbers of 64 bits may be none that polars can hold.
    if len(steps) and bool((steps == steps[0]).all()) and abs(int(steps[0])) == 1:
        return True
    last = name.lower().replace("_", " ").replace("-", " ").replace(":", " ").split()[-1:]
    is_named = any(word.rstrip(".") in _ID_WORDS for word in last) or name.endswith(("Id", "ID"))
    return is_named and present.n_unique() == len(present)


def _are_whole(numbers: pl.Series) -> bool:
    """Whether numbers are whole, as some libraries hold those of a column with gaps as floats."""
    if not numbers.dtype.is_float():
        return numbers.dtype.is_integer()
    return bool((numbers.is_finite() & (numbers == numbers.floor())).all())


def _some(odd: pl.Series) -> str:
    """Show the most frequent of some texts."""
    counted = odd.alias("text").value_counts(sort=True)
    return ", ".join(repr(text) for text in counted["text"].head(3).to_list())


def _conversion(name: str, style: NumberText | TimeText) -> Conversion:
    """Make the conversion of a style."""
    return Conversion(name, "number" if isinstance(style, NumberText) else "time", style)


def quoted(name: str) -> str:
    """Write a name as a shell takes it."""
    return name if all(c.isalnum() or c in "_.-" for c in name) else f"'{name}'"
