"""How SQL dialects write names and values: nothing a user passes can leave its quotes."""

from __future__ import annotations

import datetime
import decimal
import math
from fractions import Fraction
from typing import Any

import numpy as np

from partage._support.checks import listed

_MOST_DIGITS = 15  # of a decimal that every engine reads exactly


class Dialect:
    """Standard SQL; the dialects below say where they differ."""

    name = ""
    real = "DOUBLE PRECISION"
    infinity = "Infinity"
    has_instants = True  # whether times with a zone compare as instants
    fence = ""  # ends a subquery whose expressions must not be copied to each use

    def identifier(self, who: str, name: str) -> str:
        """Quote the name of a column or table."""
        if not name or "\0" in name or not _is_encodable(name):
            raise ValueError(
                f"{who}: a name in SQL must hold letters, and none that no engine can store; "
                f"got {name!r}. Rename it."
            )
        return '"' + name.replace('"', '""') + '"'

    def text(self, value: str) -> str | None:
        """Quote text; None for text that no column can hold."""
        return "'" + value.replace("'", "''") + "'" if _is_encodable(value) else None

    def is_text(self, column: str, value: str) -> str:
        """Compare a column of text with a text."""
        return f"{column} = {self.text(value)}"

    def number(self, value: float) -> str:
        """Write a float so that exactly this float is read back."""
        if math.isinf(value):
            sign = "-" if value < 0 else ""
            return f"CAST('{sign}{self.infinity}' AS {self.real})"
        return repr(value) if _is_short(value) else f"CAST('{value!r}' AS {self.real})"

    def as_real(self, expression: str) -> str:
        """Convert an expression to a 64-bit float."""
        return f"CAST({expression} AS {self.real})"

    def is_nan(self, real: str) -> str | None:
        """Test whether a float is NaN; None where columns hold none."""
        return f"{real} = CAST('NaN' AS {self.real})"

    def boolean(self, value: bool) -> str:
        """Write a truth value."""
        return "TRUE" if value else "FALSE"

    def binary(self, value: bytes) -> str:
        """Write bytes."""
        return f"X'{value.hex()}'"

    def timestamp(self, value: np.datetime64) -> str:
        """Write a time, to the microsecond and rounded down."""
        return f"TIMESTAMP '{_time_text(value)}'"

    def instant(self, value: datetime.datetime) -> str:
        """Write a time of a known zone."""
        utc = value.astimezone(datetime.UTC).replace(tzinfo=None)
        return f"TIMESTAMP WITH TIME ZONE '{_time_text(np.datetime64(utc))}+00:00'"

    def duration(self, who: str, microseconds: int) -> str:
        """Write a duration."""
        raise ValueError(
            f"{who}: {self.name} has no durations that compare; got {microseconds} microseconds. "
            "Store durations as numbers and fit on these."
        )

    def decimal(self, value: decimal.Decimal) -> str:
        """Write a decimal number."""
        return format(value, "f")

    def integer(self, who: str, value: int) -> str:
        """Write a whole number."""
        del who
        return str(value)

    def literal(self, who: str, value: Any) -> str | None:
        """Write a value of any type; None where no column can hold it."""
        if isinstance(value, np.generic) and value.dtype.kind not in "Mm":
            value = value.item()
        if isinstance(value, bool):
            return self.boolean(value)
        if isinstance(value, int):
            return self.integer(who, value)
        if isinstance(value, float):
            return self.number(value)
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bytes):
            return self.binary(value)
        if isinstance(value, decimal.Decimal):
            return self.decimal(value)
        return self._time_literal(who, value)

    def _time_literal(self, who: str, value: Any) -> str:
        """Write dates, times and durations."""
        if isinstance(value, np.datetime64):
            return self.timestamp(value)
        if isinstance(value, datetime.datetime):
            zoned = value.tzinfo is not None
            return self.instant(value) if zoned else self.timestamp(np.datetime64(value))
        if isinstance(value, datetime.date):
            return f"DATE '{value.isoformat()}'"
        if isinstance(value, datetime.time):
            return f"TIME '{value.isoformat()}'"
        if isinstance(value, (datetime.timedelta, np.timedelta64)):
            return self.duration(who, _microseconds(value))
        raise TypeError(
            f"{who}: a value of type {type(value).__name__} has no place in SQL; got {value!r}. "
            "Convert the column to text before fitting."
        )


class DuckDB(Dialect):
    """DuckDB."""

    name = "duckdb"
    real = "DOUBLE"

    def text(self, value: str) -> str | None:
        """Quote text; the NUL letter has no literal."""
        quoted = super().text(value)
        return quoted and quoted.replace("\0", "' || chr(0) || '")

    def binary(self, value: bytes) -> str:
        """Write bytes."""
        return "CAST('" + "".join(f"\\x{byte:02X}" for byte in value) + "' AS BLOB)"

    def timestamp(self, value: np.datetime64) -> str:
        """Write a time; nanoseconds have a type of their own."""
        if np.datetime_data(value.dtype)[0] == "ns":
            return f"CAST('{str(value).replace('T', ' ')}' AS TIMESTAMP_NS)"
        return super().timestamp(value)

    def duration(self, who: str, microseconds: int) -> str:
        """Write a duration."""
        del who
        return f"to_microseconds({microseconds})"


class Postgres(Dialect):
    """PostgreSQL."""

    name = "postgres"
    fence = "\nOFFSET 0"

    def text(self, value: str) -> str | None:
        """Quote text for any setting of backslashes; no text holds NUL."""
        quoted = super().text(value)
        if quoted is None or "\0" in value:
            return None
        return "E" + quoted.replace("\\", "\\\\") if "\\" in value else quoted

    def binary(self, value: bytes) -> str:
        """Write bytes."""
        return f"decode('{value.hex()}', 'hex')"

    def duration(self, who: str, microseconds: int) -> str:
        """Write a duration."""
        del who
        return f"INTERVAL '{microseconds} microseconds'"


class SQLite(Dialect):
    """SQLite, whose numbers and times are those its Python module stores."""

    name = "sqlite"
    fence = "\nLIMIT -1 OFFSET 0"
    real = "REAL"
    has_instants = False

    def identifier(self, who: str, name: str) -> str:
        """Quote a name: between double quotes SQLite takes an unknown name for text."""
        super().identifier(who, name or "x")
        return "`" + name.replace("`", "``") + "`"

    def text(self, value: str) -> str | None:
        """Quote text; the NUL letter would end the statement."""
        quoted = super().text(value)
        return quoted and quoted.replace("\0", "' || char(0) || '")

    def is_text(self, column: str, value: str) -> str:
        """Compare as text, whatever type the value in the column has."""
        return f"CAST({column} AS TEXT) = {self.text(value)}"

    def number(self, value: float) -> str:
        """Write a float as a quotient of powers of two: SQLite reads decimals to 15 digits."""
        if math.isinf(value):
            return "9e999" if value > 0 else "-9e999"
        return repr(value) if _is_short(value) else _binary_quotient(value)

    def is_nan(self, real: str) -> str | None:
        """SQLite stores NaN as NULL."""
        del real
        return None

    def boolean(self, value: bool) -> str:
        """Truth values are 0 and 1."""
        return "1" if value else "0"

    def decimal(self, value: decimal.Decimal) -> str:
        """Decimals are stored as floats: the largest that is not above."""
        return self.number(_float_below(Fraction(value)))

    def timestamp(self, value: np.datetime64) -> str:
        """Write a time as text."""
        return f"'{_time_text(value)}'"

    def instant(self, value: datetime.datetime) -> str:
        """Write a time as text."""
        return f"'{value.isoformat(' ')}'"

    def integer(self, who: str, value: int) -> str:
        """Whole numbers have 64 bits and a sign."""
        if -(2**63) < value < 2**63:
            return str(value)
        raise ValueError(f"{who}: sqlite holds integers of 64 bits with a sign; got {value}.")

    def _time_literal(self, who: str, value: Any) -> str:
        if isinstance(value, (datetime.date, datetime.time)) and not isinstance(
            value, datetime.datetime
        ):
            return f"'{value.isoformat()}'"
        return super()._time_literal(who, value)


class _WithBackslashes(Dialect):
    """Dialects in which a backslash escapes inside quotes."""

    def text(self, value: str) -> str | None:
        """Quote text."""
        if not _is_encodable(value):
            return None
        escapes = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\0": "\\x00"}
        return "'" + "".join(escapes.get(letter, letter) for letter in value) + "'"


class BigQuery(_WithBackslashes):
    """BigQuery's standard SQL."""

    name = "bigquery"
    real = "FLOAT64"
    infinity = "inf"

    def identifier(self, who: str, name: str) -> str:
        """Quote a name."""
        super().identifier(who, name)
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"

    def is_nan(self, real: str) -> str | None:
        """NaN equals nothing here."""
        return f"IS_NAN({real})"

    def binary(self, value: bytes) -> str:
        """Write bytes."""
        return f"FROM_HEX('{value.hex()}')"

    def decimal(self, value: decimal.Decimal) -> str:
        """Write a decimal number."""
        return f"BIGNUMERIC '{value:f}'"

    def integer(self, who: str, value: int) -> str:
        """Write a whole number; those beyond 64 bits are decimals."""
        del who
        return str(value) if -(2**63) <= value < 2**63 else f"BIGNUMERIC '{value}'"

    def timestamp(self, value: np.datetime64) -> str:
        """Write a time without a zone, a DATETIME here."""
        return f"DATETIME '{_time_text(value)}'"

    def instant(self, value: datetime.datetime) -> str:
        """Write a time of a known zone."""
        return super().instant(value).replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMP")


class Snowflake(_WithBackslashes):
    """Snowflake."""

    name = "snowflake"
    real = "DOUBLE"
    infinity = "inf"

    def timestamp(self, value: np.datetime64) -> str:
        """Write a time without a zone."""
        return f"CAST('{_time_text(value)}' AS TIMESTAMP_NTZ)"

    def instant(self, value: datetime.datetime) -> str:
        """Write a time of a known zone."""
        utc = value.astimezone(datetime.UTC).replace(tzinfo=None)
        return f"CAST('{_time_text(np.datetime64(utc))} +00:00' AS TIMESTAMP_TZ)"


class Spark(_WithBackslashes):
    """Spark SQL."""

    name = "spark"
    real = "DOUBLE"

    def identifier(self, who: str, name: str) -> str:
        """Quote a name."""
        super().identifier(who, name)
        return "`" + name.replace("`", "``") + "`"

    def text(self, value: str) -> str | None:
        """Quote text; the NUL letter is written by its number."""
        quoted = super().text(value)
        return quoted and quoted.replace("\\x00", "\\u0000")

    def decimal(self, value: decimal.Decimal) -> str:
        """Write a decimal number."""
        return f"{value:f}BD"

    def integer(self, who: str, value: int) -> str:
        """Write a whole number; those beyond 64 bits are decimals."""
        del who
        return str(value) if -(2**63) < value < 2**63 else f"{value}BD"

    def timestamp(self, value: np.datetime64) -> str:
        """Write a time without a zone."""
        return f"TIMESTAMP_NTZ '{_time_text(value)}'"

    def instant(self, value: datetime.datetime) -> str:
        """Write a time of a known zone."""
        utc = value.astimezone(datetime.UTC).replace(tzinfo=None)
        return f"TIMESTAMP_LTZ '{_time_text(np.datetime64(utc))}+00:00'"

    def duration(self, who: str, microseconds: int) -> str:
        """Write a duration."""
        del who
        sign, rest = ("-" if microseconds < 0 else ""), abs(microseconds)
        seconds = f"{rest // 10**6}.{rest % 10**6:06d}"
        return f"INTERVAL '{sign}{seconds}' SECOND"


DIALECTS: dict[str, Dialect] = {
    d.name: d for d in (DuckDB(), Postgres(), SQLite(), BigQuery(), Snowflake(), Spark())
}


def find_dialect(who: str, name: Any) -> Dialect:
    """Find a dialect by its name."""
    if not isinstance(name, str) or name not in DIALECTS:
        raise ValueError(f"{who}: dialect must be {listed(list(DIALECTS))}; got {name!r}.")
    return DIALECTS[name]


def _is_encodable(text: str) -> bool:
    """Whether text has an encoding: halves of surrogate pairs have none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_short(value: float) -> bool:
    """Whether a float is a decimal of few digits, which every engine reads exactly."""
    shown = repr(value)
    digits = sum(letter.isdigit() for letter in shown)
    return "e" not in shown and digits <= _MOST_DIGITS and Fraction(shown) == Fraction(value)


def _binary_quotient(value: float) -> str:
    """Write a float as a whole number times or over powers of two, each step exact."""
    numerator, denominator = value.as_integer_ratio()
    power = 0
    while numerator and numerator % 2 == 0 and abs(numerator) >= 2**53:
        numerator, power = numerator // 2, power + 1
    steps = [f"CAST({numerator} AS REAL)"]
    exponent = denominator.bit_length() - 1
    # The largest steps come first but the last, so that nothing is rounded on the way.
    for sign, count in (("*", power), ("/", exponent)):
        while count > 0:
            step = min(count, 62)
            steps.append(f"{sign} {2**step}")
            count -= step
    return f"({' '.join(steps)})"


def _float_below(value: Fraction) -> float:
    """Largest float that is not above a number."""
    near = float(value)
    return near if Fraction(near) <= value else math.nextafter(near, -math.inf)


def _time_text(value: np.datetime64) -> str:
    """Write a time to the second, or to the microsecond where it has a fraction."""
    text = str(value.astype("datetime64[us]")).replace("T", " ")
    return text.removesuffix(".000000")


def _microseconds(value: Any) -> int:
    """Microseconds of a duration, rounded down."""
    return int(np.timedelta64(value).astype("timedelta64[us]").astype(np.int64))


__all__ = ["DIALECTS", "Dialect", "find_dialect"]
