"""More odd files: ways of writing numbers, dates, durations and tables that are seldom read."""

import datetime as dt
import json

import numpy as np
import polars as pl

from odd_files import AMOUNT, DAYS, EVENT, PEOPLE, N, csv_with, on_disk, parquet, plain, zipped

RNG = np.random.default_rng(77)
FLIPPED = EVENT ^ (RNG.random(N) < 0.1)
LOSSES = AMOUNT - 2000
MONTHS = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]


def column(make, values=AMOUNT, separator=","):
    """Write a column of people, each value as a function writes it."""
    return csv_with("x", [make(value) for value in values], separator)


def mixed_money(i, value):
    """One currency in four ways."""
    return (f"${value:,.2f}", f"USD {value:,.2f}", f"{value:,.2f} USD", f"$ {value:,.0f}")[i % 4]


def lakh(value):
    """Group digits as in India: 12,34,567."""
    digits = str(int(1000 * value))
    head, tail = digits[:-3], digits[-3:]
    pairs = [head[max(0, k - 2) : k] for k in range(len(head), 0, -2)][::-1]
    return ",".join([*pairs, tail])


def in_arabic(value):
    """Write the digits of Arabic."""
    digits = {ord("0") + i: chr(0x660 + i) for i in range(10)}
    return f"{value:.2f}".translate(digits)


def week(day):
    """Year and week of ISO 8601."""
    found = day.isocalendar()
    return f"{found.year}-W{found.week:02d}"


def rest(names):
    """People under other lines of names."""
    return names + plain().split(b"\n", 1)[1]


def in_middle(line):
    """People with a line among their rows."""
    lines = plain().split(b"\n")
    return b"\n".join([*lines[:50], line, *lines[50:]])


def nested_lines():
    """People as JSON lines with records in records."""
    return "\n".join(
        json.dumps({"p": {"money": {"amount": a}, "city": c}, "tags": ["x"] * (i % 3), "y": y})
        for i, (a, c, y) in enumerate(PEOPLE.rows())
    ).encode()


def spss():
    """People as SPSS, with a code that has labels."""
    import pyreadstat

    codes = np.where(EVENT, RNG.integers(1, 3, N), RNG.integers(2, 4, N))
    labels = {"grade": {1: "low", 2: "mid", 3: "high"}}
    frame = PEOPLE.with_columns(pl.Series("grade", codes)).to_pandas()
    return on_disk(lambda path: pyreadstat.write_sav(frame, path, variable_value_labels=labels))


# Name of the file, what it holds, the column that must say something, its kind.
READABLE = {
    "one currency in several ways": (
        "d.csv", lambda: csv_with("x", [mixed_money(i, v) for i, v in enumerate(AMOUNT)]), "x",
        "numeric"),
    "some losses in brackets": (
        "d.csv", lambda: column(lambda v: f"({-v:,.2f})" if v < 0 else f"{v:,.2f}", LOSSES), "x",
        "numeric"),
    "a minus behind": (
        "d.csv", lambda: column(lambda v: f"{-v:.2f}-" if v < 0 else f"{v:.2f}", LOSSES), "x",
        "numeric"),
    "the minus of typesetters": (
        "d.csv", lambda: column(lambda v: f"{v:.2f}".replace("-", "\u2212"), LOSSES), "x",
        "numeric"),
    "narrow spaces between thousands": (
        "d.csv", lambda: column(lambda v: f"{10 * v:,.0f}".replace(",", "\u202f")), "x", "numeric"),
    "lakh and crore": ("d.csv", lambda: column(lakh), "x", "numeric"),
    "digits of Arabic": ("d.csv", lambda: column(in_arabic), "x", "numeric"),
    "limits of a device": (
        "d.csv",
        lambda: column(lambda v: "<500" if v < 500 else ">5000" if v > 5000 else f"{v:.0f}"), "x",
        "numeric"),
    "about": ("d.csv", lambda: column(lambda v: f"~{v:.1f}"), "x", "numeric"),
    "plus or minus": ("d.csv", lambda: column(lambda v: f"{v:.1f} ± 0.5"), "x", "numeric"),
    "estimates": (
        "d.csv", lambda: column(lambda v: f"{v:.1f} (est.)" if v > 2000 else f"{v:.1f}"), "x",
        "numeric"),
    "numbers as formulas of Excel": ("d.csv", lambda: column(lambda v: f'="{v:.2f}"'), "x",
                                     "numeric"),
    "sizes of files": (
        "d.csv", lambda: column(lambda v: f"{v / 1e3:.1f} MB" if v > 1000 else f"{v:.0f} KB"), "x",
        "numeric"),
    "basis points": ("d.csv", lambda: column(lambda v: f"{v:.0f} bps"), "x", "numeric"),
    "marks of so many": ("d.csv", lambda: column(lambda v: f"{int(v)}/5000"), "x", "numeric"),
    "degrees": ("d.csv", lambda: column(lambda v: f"{v / 100:.4f}°N"), "x", "numeric"),
    "latitude and longitude": (
        "d.csv", lambda: column(lambda v: f"{v / 100:.4f} {v / 50:.4f}"), "x", "numeric"),
    "several words for gaps": (
        "d.csv", lambda: csv_with("x", [("N/A", "k.A.", "#N/A", "n/d")[i % 4] if i % 9 == 0 else
                                        f"{v:.2f}" for i, v in enumerate(AMOUNT)]), "x", "numeric"),
    "booleans of two languages": (
        "d.csv",
        lambda: csv_with("x", np.where(FLIPPED, RNG.choice(["Vrai", "oui"], N),
                                       RNG.choice(["Faux", "non"], N))), "x", "categorical"),
    "weeks": ("d.csv", lambda: column(week, DAYS), "x", "datetime"),
    "quarters": ("d.csv", lambda: column(lambda d: f"Q{(d.month + 2) // 3} {d.year}", DAYS), "x",
                 "datetime"),
    "quarters behind years": (
        "d.csv", lambda: column(lambda d: f"{d.year}-Q{(d.month + 2) // 3}", DAYS), "x",
        "datetime"),
    "months and two digits": ("d.csv", lambda: column(lambda d: f"{d:%m/%y}", DAYS), "x",
                              "datetime"),
    "months with a dot": ("d.csv", lambda: column(lambda d: f"{d:%m.%Y}", DAYS), "x", "datetime"),
    "months behind years": ("d.csv", lambda: column(lambda d: f"{d:%Y-%m}", DAYS), "x", "datetime"),
    "short months": ("d.csv", lambda: column(lambda d: f"{d:%b-%y}", DAYS), "x", "datetime"),
    "days as whole numbers": ("d.csv", lambda: column(lambda d: f"{d:%Y%m%d}", DAYS), "x",
                              "datetime"),
    "months of German": (
        "d.csv", lambda: column(lambda d: f"{d.day}. {MONTHS[d.month - 1]} {d.year}", DAYS), "x",
        "datetime"),
    "days that are none": (
        "d.csv", lambda: csv_with("x", ["9999-12-31" if i % 5 == 0 else str(d)
                                        for i, d in enumerate(DAYS)]), "x", "datetime"),
    "times of twelve hours": (
        "d.csv",
        lambda: column(lambda v: dt.time(int(v / 700) % 24, int(v) % 60).strftime("%I:%M %p")),
        "x", "duration"),
    "more than a day": ("d.csv", lambda: column(lambda v: f"{int(v // 60)}:{int(v) % 60:02d}:00"),
                        "x", "duration"),
    "durations of ISO": ("d.csv", lambda: column(lambda v: f"PT{int(v // 60)}H{int(v) % 60}M"), "x",
                         "duration"),
    "durations in words": ("d.csv", lambda: column(lambda v: f"{int(v // 60)}h {int(v) % 60}m"),
                           "x", "duration"),
    "UTF-16 without a mark": ("d.csv", lambda: plain().decode().encode("utf-16-le"), "amount",
                              "numeric"),
    "UTF-32": ("d.csv", lambda: plain().decode().encode("utf-32"), "amount", "numeric"),
    "a comment among the rows": ("d.csv", lambda: in_middle(b"# corrected on Monday"), "amount",
                                 "numeric"),
    "comments of semicolons": ("d.csv", lambda: b"; made by hand\n" + plain(), "amount", "numeric"),
    "a line of units": ("d.csv", lambda: rest(b"amount,city,y\nEUR,name,class\n"), "amount",
                        "numeric"),
    "names of groups of columns": ("d.csv", lambda: rest(b"money,,\namount,city,y\n"), "amount",
                                   "numeric"),
    "a column of gaps": ("d.csv", lambda: csv_with("x", [None] * N), "amount", "numeric"),
    "lines of old computers": ("d.csv", lambda: plain().replace(b"\n", b"\r"), "amount", "numeric"),
    "spaces between columns": ("d.txt", lambda: plain().replace(b",", b"   "), "amount", "numeric"),
    "a separator at each end": ("d.csv", lambda: plain().replace(b"\n", b",\n"), "amount",
                                "numeric"),
    "JSON lines of records in records": ("d.jsonl", nested_lines, "p.money.amount", "numeric"),
    "a zip with a readme": (
        "d.zip", lambda: zipped(people_csv=plain(), **{"README.md": b"hello"}), "amount",
        "numeric"),
    "labels of SPSS": ("d.sav", spss, "grade", "categorical"),
    "a folder by value": ("city=Oslo", lambda: parquet(PEOPLE.drop("city")), "amount", "numeric"),
}  # fmt: skip

# Name of the file, what it holds, what the message must say.
REFUSED = {
    "YAML": ("d.yaml", lambda: b"- amount: 3\n  y: good\n", "this is a YAML file", "JSON"),
    "SYLK": ("d.slk", lambda: b"ID;PSCALC3\nE\n", "this is a SYLK file", ".xlsx"),
    "DIF": ("d.dif", lambda: b"TABLE\n0,1\n", "this is a DIF file", ".xlsx"),
    "dBase": ("d.dbf", lambda: b"\x03\x7c\x01\x01abc", "this is a dBase file", ".xlsx"),
    "no names": ("d.csv", lambda: plain().split(b"\n", 1)[1], "looks like data", "line of names"),
}
