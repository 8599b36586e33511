"""Real engines that run the SQL of the exporters: DuckDB, SQLite, PostgreSQL."""

import contextlib
import os
import pwd
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import duckdb
import psycopg
import pytest

ENGINES = ["duckdb", "sqlite", "postgres"]
_TYPES = {
    "duckdb": {"number": "DOUBLE", "boolean": "BOOLEAN", "text": "VARCHAR", "whole": "BIGINT"},
    "postgres": {
        "number": "DOUBLE PRECISION",
        "boolean": "BOOLEAN",
        "text": "TEXT",
        "whole": "BIGINT",
    },
    "sqlite": {"number": "REAL", "boolean": "INTEGER", "text": "TEXT", "whole": "INTEGER"},
}


class Engine:
    """A connection that loads columns into a table and runs a query on it."""

    def __init__(self, name, connection, mark):
        self.name = name
        self.connection = connection
        self.mark = mark

    def quote(self, name):
        """Quote a name, by the standard's own rule."""
        return '"' + name.replace('"', '""') + '"'

    def load(self, table, columns):
        """Make a table of columns ``{name: (type, values)}``; an id keeps the order of rows."""
        types = _TYPES[self.name]
        head = ", ".join(f"{self.quote(n)} {types.get(t, t)}" for n, (t, _) in columns.items())
        cursor = self.connection.cursor()
        cursor.execute(f"DROP TABLE IF EXISTS {self.quote(table)}")
        cursor.execute(f"CREATE TABLE {self.quote(table)} ({head}, row_id INTEGER)")
        values = [v for _, v in columns.values()]
        rows = [(*row, i) for i, row in enumerate(zip(*values, strict=True))]
        if self.name == "duckdb":
            self._load_arrow(table, columns, len(rows))
        elif self.name == "postgres":
            with cursor.copy(f"COPY {self.quote(table)} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join([self.mark] * (len(values) + 1))
            cursor.executemany(f"INSERT INTO {self.quote(table)} VALUES ({marks})", rows)

    def _load_arrow(self, table, columns, n_rows):
        import pyarrow as pa

        arrays = [pa.array(list(values), from_pandas=False) for _, values in columns.values()]
        arrays.append(pa.array(range(n_rows)))
        names = [f"c{i}" for i in range(len(arrays))]
        self.connection.register("loaded", pa.table(arrays, names=names))
        self.connection.execute(f"INSERT INTO {self.quote(table)} SELECT * FROM loaded")
        self.connection.unregister("loaded")

    def query(self, sql):
        """Names of the columns, and the rows."""
        cursor = self.connection.cursor()
        cursor.execute(sql)
        return [column[0] for column in cursor.description], cursor.fetchall()


@contextlib.contextmanager
def open_engine(name):
    """Open an engine; PostgreSQL is a server of its own for the time of the tests."""
    if name == "duckdb":
        with duckdb.connect() as connection:
            yield Engine(name, connection, "?")
    elif name == "sqlite":
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            yield Engine(name, connection, "?")
    else:
        with _postgres() as connection:
            yield Engine(name, connection, "%s")


def _skip(reason):
    """Skip, or fail where PostgreSQL was promised."""
    if os.environ.get("PARTAGE_POSTGRES") == "required":
        pytest.fail(f"PARTAGE_POSTGRES=required, but {reason}")
    pytest.skip(reason)


def _binaries():
    """Folder of PostgreSQL's binaries, or None."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return folders[-1].parent if folders else None


def _owner():
    """Who runs the server: it refuses to be run by root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    _skip("PostgreSQL needs a user that is not root")
    return {}


@contextlib.contextmanager
def _postgres():
    """Start a server in a folder of its own; it listens on a socket there only."""
    binaries = _binaries()
    if binaries is None:
        _skip("PostgreSQL is not installed: no initdb on PATH or in /usr/lib/postgresql")
    owner = _owner()
    folder = Path(tempfile.mkdtemp(prefix="partage-pg-"))
    if owner:
        os.chown(folder, owner["user"], owner["group"])
    settings = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **owner}
    initdb = [binaries / "initdb", "-D", folder / "data", "-U", "tester", "-A", "trust"]
    subprocess.run([*initdb, "-E", "UTF8", "--no-locale", "--no-sync"], check=True, **settings)
    start = [binaries / "postgres", "-D", folder / "data", "-k", folder, "-F"]
    server = subprocess.Popen([*start, "-c", "listen_addresses="], **settings)
    try:
        with _connect(psycopg, folder, server) as connection:
            yield connection
    finally:
        server.terminate()
        server.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


def _connect(psycopg, folder, server):
    """Connect as soon as the server answers."""
    for _ in range(200):
        with contextlib.suppress(psycopg.OperationalError):
            return psycopg.connect(
                host=str(folder), user="tester", dbname="postgres", autocommit=True
            )
        assert server.poll() is None, "the PostgreSQL server stopped"
        time.sleep(0.1)
    raise TimeoutError("PostgreSQL did not answer within 20 seconds")
