"""A studio that is open, and a client that speaks to it as its page does."""

import http.client
import json
from urllib.parse import quote

import numpy as np
import polars as pl

from partage._estimators.table_model import TableModel
from partage._report.making import Request
from partage.studio.opening import Opening, open_table

HOSTILE = "</script><img src=x onerror=alert(1)> & \"quotes\" 'n' ../../etc/passwd\u2028"


def make_rows(n=1500, seed=0):
    """Draw a table with numbers, gaps, special values, days, categories and a hostile name."""
    rng = np.random.default_rng(seed)
    age = np.round(rng.normal(44, 13, n).clip(18, 90))
    town = rng.integers(0, 40, n)
    odds = -1 + 2.4 * (age < 30) - 1.6 * (age > 55) + np.array([0.5, -0.5, 0.9])[town % 3]
    late = rng.random(n) < 1 / (1 + np.exp(-odds))
    income = np.round(np.exp(rng.normal(7.6, 0.6, n)) * (1 + late), 1)
    gaps, codes = rng.random(n) < 0.1, rng.random(n) < 0.05
    return pl.DataFrame(
        {
            "age": age,
            "income": [
                None if gap else -1.0 if code else x
                for gap, code, x in zip(gaps, codes, income, strict=True)
            ],
            "town": [f"town {i}" for i in town],
            "day": pl.Series(19_000 + rng.integers(0, 60, n) + 20 * late).cast(pl.Date),
            HOSTILE: np.where(rng.random(n) < 0.3 + 0.3 * late, "<b>x</b>", "</script>y"),
            "status": np.where(late, "late", "paid"),
        }
    )


def open_rows(path, rows=None, *, port=0, read_only=False, **request):
    """Open a studio of rows, with a holdout."""
    model = TableModel(special_values={"income": [-1]}, cut_style="simple", positive="late")
    asked = Request(
        frame=make_rows() if rows is None else rows,
        target="status",
        source="loans.csv",
        **({"holdout": 0.3} | request),
    )
    return open_table(model, asked, Opening(path, port, read_only, "Ada"))


class Client:
    """Asks a studio as its page does, unless told otherwise."""

    def __init__(self, studio):
        address, self.token = studio.url.split("/?token=")
        self.host = address.removeprefix("http://")
        self.headers = {"X-Partage-Token": self.token, "Origin": address}
        self.versions = {}

    def ask(self, method, path, body=None, **headers):
        """Send a request; give the status, the headers and the body of the answer."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {k: v for k, v in (self.headers | sent).items() if v is not None}
        connection = http.client.HTTPConnection(self.host, timeout=20)
        connection.putrequest(method, path, skip_host="Host" in sent)
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        if body is not None:
            sent.setdefault("Content-Length", str(len(body)))
        for name, value in sent.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    def get(self, path):
        """Give what the studio says."""
        status, _, body = self.ask("GET", path)
        assert status == 200, body
        return json.loads(body)

    def column(self, name):
        """Give a column as the page sees it."""
        found = self.get(f"/api/column?name={quote(name)}")
        self.versions[name] = found["version"]
        return found

    def do(self, column, what, **command):
        """Do a command, and give the column afterwards."""
        if column not in self.versions:
            self.column(column)
        body = {"column": column, "version": self.versions[column], "do": what, **command}
        status, _, answer = self.ask("POST", "/api/do", body)
        assert status == 200, answer
        found = json.loads(answer)
        self.versions[column] = found["column"]["version"]
        return found["column"]

    def refusal(self, column, what, **command):
        """Do a command that is refused; give the status and the message."""
        self.column(column)
        body = {"column": column, "version": self.versions[column], "do": what, **command}
        status, _, answer = self.ask("POST", "/api/do", body)
        return status, json.loads(answer)["error"]
