"""Figures of the studio: how soon an edit is answered, how soon it opens, what a kill loses."""

import gc
import http.client
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from figure import Figure
from partage._estimators.table_model import TableModel
from partage._report.making import Request
from partage.studio.opening import Opening, open_table

N_EDITS = 200
N_VALUES = 10_000
N_KILLS = 10


class Page:
    """Speaks to a studio as its page does, over one connection."""

    def __init__(self, url):
        address, token = url.split("/?token=")
        self.host = address.removeprefix("http://")
        self.headers = {
            "X-Partage-Token": token,
            "Origin": address,
            "Content-Type": "application/json",
        }
        self.connection = http.client.HTTPConnection(self.host)

    def ask(self, method, path, body=None):
        """Give an answer and the seconds that it took."""
        start = time.perf_counter()
        self.connection.request(method, path, body and json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        seconds = time.perf_counter() - start
        assert answer.status == 200, text
        is_json = answer.getheader("Content-Type").startswith("application/json")
        return json.loads(text) if is_json else text, seconds

    def do(self, column, version, what, **command):
        """Do a command."""
        body = {"column": column, "version": version, "do": what, **command}
        found, seconds = self.ask("POST", "/api/do", body)
        return found["column"], seconds


def _table(n_rows):
    """Draw a category and a number of 10,000 values each, and two classes."""
    rng = np.random.default_rng(0)
    code, number = rng.integers(0, N_VALUES, (2, n_rows))
    odds = np.array([-2.0, -1.0, 0.5])[code % 3] + number / N_VALUES
    late = rng.random(n_rows) < 1 / (1 + np.exp(-odds))
    names = np.array([f"value {i}" for i in range(N_VALUES)])
    return pl.DataFrame(
        {"code": names[code], "number": number / 8, "late": np.where(late, "late", "paid")}
    )


def _edit_values(page, rng):
    """Move, divide, merge and undo at random among 10,000 values; the seconds of each edit."""
    column, _ = page.ask("GET", "/api/column?name=code")
    for _ in range(N_EDITS):
        n_parts, version = column["np"], column["version"]
        what = rng.choice(["move", "divide", "merge", "undo"], p=[0.6, 0.1, 0.1, 0.2])
        if what == "undo" and column["history"]:
            column, seconds = page.do("code", version, "undo")
        elif what == "merge" and n_parts > 3:
            column, seconds = page.do("code", version, "merge", parts=[0, 2])
        else:
            home = int(rng.integers(n_parts))
            found, _ = page.ask("GET", f"/api/values?name=code&group={home}")
            values = [value["i"] for value in found["values"]]
            some = rng.choice(values, min(len(values) - 1, int(rng.integers(1, 20)))).tolist()
            some = sorted(set(some))
            if not some:
                continue
            if what == "divide" or n_parts == 1:
                column, seconds = page.do("code", version, "divide", part=home, values=some)
            else:
                to = int(rng.choice([k for k in range(n_parts) if k != home]))
                column, seconds = page.do("code", version, "move", values=some, to=to)
        yield seconds


def _edit_borders(page, rng):
    """Drag, step, cut and merge borders among 10,000 numbers."""
    column, _ = page.ask("GET", "/api/column?name=number")
    for _ in range(N_EDITS):
        version, cuts = column["version"], column["cuts"]
        what = rng.choice(["move_cut", "step_cut", "split_at", "merge"])
        index = int(rng.integers(max(len(cuts), 1)))
        ends = [*(place for place, _ in cuts[index : index + 2]), N_VALUES / 8]
        has_room = bool(cuts) and ends[1] - ends[0] > 2
        if what == "merge" and len(cuts) > 3:
            column, seconds = page.do("number", version, "merge", parts=[index, index + 1])
        elif what == "step_cut" and has_room:
            column, seconds = page.do("number", version, "step_cut", index=index, by=1)
        elif what == "move_cut" and has_room:
            place = cuts[index][0] + float(rng.uniform(0.2, 0.6))
            column, seconds = page.do("number", version, "move_cut", index=index, position=place)
        else:
            place = float(rng.uniform(1, N_VALUES / 8 - 1))
            if any(abs(place - cut) < 1 for cut, _ in cuts):
                continue
            column, seconds = page.do("number", version, "split_at", position=place)
        yield seconds


def studio_edit():
    """Answer to 200 edits, 1M rows, 10,000 values, with a holdout."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        request = Request(_table(1_000_000), "late", "1M rows", holdout=0.3)
        with open_table(TableModel(n_jobs=-1), request, Opening(Path(folder) / "m.json")) as studio:
            gc.freeze()  # as the command does
            page = Page(studio.url)
            rng = np.random.default_rng(1)
            for name, edits in (("a category", _edit_values), ("a number", _edit_borders)):
                cpu = time.process_time()
                seconds = [1e3 * one for one in edits(page, rng)]
                cpu = 1e3 * (time.process_time() - cpu) / len(seconds)
                case = f"{N_EDITS} edits of {name} of {N_VALUES:,} values, 1M rows"
                found += [
                    Figure(f"{case}, median", median(seconds), "ms", limit=50),
                    Figure(f"{case}, worst", max(seconds), "ms", limit=150),
                    Figure(f"{case}, CPU of both sides", cpu, "ms"),
                ]
    return found


N_ROWS, N_COLUMNS = 10_000_000, 300
# The command itself, whose studio is asked as its page does where it would wait for Ctrl-C.
_OPEN = """
import resource, sys, time
sys.path.insert(0, sys.argv[1])
import studio_figures
from partage.cli import main
from partage.studio import opening
from partage.studio.studio import Studio

real, done = opening.fit_observed, []

def fit(*args, **kwargs):
    real(*args, **kwargs)
    done.append(time.perf_counter())

def wait(studio):
    page = studio_figures.Page(studio.url)
    page.ask("GET", "/")
    opened = time.perf_counter() - done[0]
    columns = [page.ask("GET", f"/api/column?name=c{i}")[1] for i in range(0, 300, 3)]
    start = time.perf_counter()
    studio.save()
    saved = time.perf_counter() - start
    with open("/proc/self/statm") as file:
        held = int(file.read().split()[1]) * resource.getpagesize()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    total = studio.model.partitions_["c1"].total().weight[0]
    print("figures", opened, sorted(columns)[50], saved, held / 1e9, peak / 1e9, total)

opening.fit_observed, Studio.wait = fit, wait
sys.exit(main(sys.argv[2:]))
"""


def _write_rows(path):
    """Write 10M rows of numbers and categories, a piece at a time, to a Parquet file."""
    rng = np.random.default_rng(0)
    piece = N_ROWS // 20
    writer = None
    for _ in range(20):
        late = rng.random(piece) < 0.3
        base = rng.normal(size=(7, piece)).astype(np.float32)
        columns = {}
        for i in range(N_COLUMNS):
            law = np.roll(base[i % 7], 1009 * i) + np.float32((i % 3) * 0.2) * late
            whole = np.round(law * (1000 if i % 5 else 20)).astype(np.int32)
            column = pa.array(whole / np.float32(1000)) if i % 5 else pa.array(whole)
            columns[f"c{i}"] = column if i % 5 else column.cast(pa.string()).dictionary_encode()
        table = pa.table(columns | {"late": late})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def studio_open():
    """Open 300 columns of 10M rows, after the fit by DuckDB; the command from a file."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "rows.parquet"
        _write_rows(data)
        words = ["studio", str(data), "--target", "late", "--engine", "duckdb", "--memory", "1GB"]
        words += ["--spill", folder, "--no-browser", "--model", str(Path(folder) / "m.json")]
        done = subprocess.run(
            [sys.executable, "-c", _OPEN, str(Path(__file__).parent), *words],
            capture_output=True,
            text=True,
            check=True,
        )
    line = next(line for line in done.stdout.splitlines() if line.startswith("figures "))
    opened, column, saved, held, peak, total = map(float, line.split()[1:])
    assert total == N_ROWS
    case = "300 columns, 10M rows"
    return [
        Figure(f"{case}, opened after the fit", opened, "s", limit=2),
        Figure(f"{case}, a column", 1e3 * column, "ms"),
        Figure(f"{case}, saved", saved, "s"),
        Figure(f"{case}, memory after the fit", held, "GB", limit=1.5),
        Figure(f"{case}, most memory, the fit with it", peak, "GB"),
    ]


_KILLED = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
import studio_figures
from partage._estimators.table_model import TableModel
from partage._report.making import Request
from partage.studio.opening import Opening, open_table

request = Request(studio_figures._table(5_000), "late", "5,000 rows")
studio = open_table(TableModel(), request, Opening(Path(sys.argv[1])))
page = studio_figures.Page(studio.url)
column, _ = page.ask("GET", "/api/column?name=number")
print("ready", flush=True)
for i in range(100):
    what, asked = ("undo", {}) if column["history"] else ("split_at", {"position": 500 + i})
    column, _ = page.do("number", column["version"], what, **asked)
    print(i + 1, flush=True)
    if i == 60:
        studio.save()
print("done", flush=True)
"""


def studio_kill():
    """Kill a studio at random moments of 100 edits; edits that were answered and are gone."""
    rng = np.random.default_rng(2)
    lost = []
    for _ in range(N_KILLS):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.json"
            child = subprocess.Popen(
                [sys.executable, "-c", _KILLED, str(path), str(Path(__file__).parent)],
                stdout=subprocess.PIPE,
                text=True,
            )
            last, stop = 0, int(rng.integers(1, 100))
            for line in child.stdout:
                last = int(line) if line[0].isdigit() else last
                if last == stop:
                    time.sleep(float(rng.uniform(0, 0.02)))
                    child.send_signal(signal.SIGKILL)
                    break
            last = max([last, *(int(line) for line in child.stdout if line.strip().isdigit())])
            child.wait()
            request = Request(_table(5_000), "late", "5,000 rows")
            with open_table(TableModel(), request, Opening(path)) as studio:
                page = Page(studio.url)
                version = page.ask("GET", "/api/column?name=number")[0]["version"]
            lost.append(last - version)
    case = f"{N_KILLS} kills during 100 edits, most edits lost that were answered"
    return [Figure(case, max(0, *lost), "edits", limit=1)]


FIGURES = (studio_edit, studio_open, studio_kill)
