"""Odd files that were once misread: other quotes, names again, dates of other programs."""

import datetime as dt
import json

import numpy as np
import polars as pl

from odd_files import AMOUNT, DAYS, EVENT, PEOPLE, N, csv_with, parquet, plain


def column(write, values=AMOUNT):
    """Write a column of people, each value as a function writes it."""
    return csv_with("x", [write(value) for value in values])


def single_quotes():
    """Texts that hold a comma, between single quotes."""
    rows = (f"{amount},'{city}, EU',{y}\n" for amount, city, y in PEOPLE.rows())
    return ("amount,city,y\n" + "".join(rows)).encode()


def names_again():
    """Files put one after the other, with their names."""
    names, rest = plain().split(b"\n", 1)
    lines = rest.split(b"\n")
    return b"\n".join([names, *lines[:120], names, *lines[120:260], names, *lines[260:]])


def markdown():
    """People as a table of Markdown."""
    rows = (f"| {amount} | {city} | {y} |\n" for amount, city, y in PEOPLE.rows())
    return ("| amount | city | y |\n|-------:|:-----|---|\n" + "".join(rows)).encode()


def times_of_day():
    """People with a time of day, in the morning for most."""
    hours = np.where(EVENT, AMOUNT % 24, AMOUNT % 12).astype(int)
    return parquet(PEOPLE.with_columns(x=pl.Series([dt.time(int(hour), 30) for hour in hours])))


def in_records():
    """People whose columns are fields of records."""
    return parquet(PEOPLE.select(pl.struct("amount", "city").alias("p"), "y"))


def of_mails(day):
    """Write a time as mails have it."""
    return f"{day:%a, %d %b %Y} 10:20:30 GMT"


READABLE = {
    "single quotes": ("d.csv", single_quotes, "city", "categorical"),
    "names again": ("d.csv", names_again, "amount", "numeric"),
    "Markdown": ("d.md", markdown, "amount", "numeric"),
    "carets": ("d.csv", lambda: plain().replace(b",", b"^"), "amount", "numeric"),
    "control characters": ("d.txt", lambda: plain().replace(b",", b"\x01"), "amount", "numeric"),
    "JSON rows below names": (
        "d.json", lambda: json.dumps([PEOPLE.columns, *map(list, PEOPLE.rows())]).encode(),
        "amount", "numeric"),
    "JSON rows by number": (
        "d.json", lambda: json.dumps(dict(enumerate(PEOPLE.to_dicts()))).encode(), "amount",
        "numeric"),
    "times of day in Parquet": ("d.parquet", times_of_day, "x", "duration"),
    "records in Parquet": ("d.parquet", in_records, "p.amount", "numeric"),
    "wide yen": ("d.csv", lambda: column(lambda v: f"\uffe5{v:,.0f}"), "x", "numeric"),
    "whole francs": ("d.csv", lambda: column(lambda v: f"CHF {int(v)}.\u2013"), "x", "numeric"),
    "fractions": ("d.csv", lambda: column(lambda v: f"{int(v)} 1/2"), "x", "numeric"),
    "dates of Japan": (
        "d.csv", lambda: column(lambda d: f"{d.year}年{d.month}月{d.day}日", DAYS), "x",
        "datetime"),
    "dates of mails": ("d.csv", lambda: column(of_mails, DAYS), "x", "datetime"),
    "dates of SAS": ("d.csv", lambda: column(lambda d: f"{d:%d%b%Y}".upper(), DAYS), "x",
                     "datetime"),
    "times of SAS": ("d.csv", lambda: column(lambda d: f"{d:%d%b%Y}:10:20:30".upper(), DAYS), "x",
                     "datetime"),
    "days of zeros": (
        "d.csv", lambda: column(lambda d: "0000-00-00" if d.day % 6 == 0 else f"{d}", DAYS), "x",
        "datetime"),
    "special values with decimals": (
        "d.csv", lambda: csv_with("x", np.where(np.arange(N) % 5 == 0, 99999.99, AMOUNT)), "x",
        "numeric"),
}  # fmt: skip

REFUSED = {
    "a table of HTML": ("d.xls", lambda: b'<table border="1"><tr><td>1</td></tr></table>',
                        "this is a table of HTML", ".xlsx"),
}  # fmt: skip
