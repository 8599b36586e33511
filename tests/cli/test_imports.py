"""What the commands load: an estimator, and all that scikit-learn brings, are for Python users."""

import subprocess
import sys

import pytest

HEAVY = ("sklearn", "scipy", "pandas", "matplotlib", "joblib", "pyarrow", "duckdb")
RUN = """
import json, sys
from partage import cli
codes = [cli.main(words.split()) for words in sys.argv[1:]]
print(json.dumps([codes, [name for name in {heavy} if name in sys.modules]]))
"""
TABLE = "age,city,y\n" + "".join(f"{i % 47},{'AB'[i % 2]},{int(i % 47 > 30)}\n" for i in range(60))


@pytest.mark.parametrize(
    "command",
    [
        "show r/model.json",
        "show r/model.json age",
        "apply r/model.json t.csv -o parts.csv",
        "compare r/model.json t.csv",
    ],
)
def test_commands_load_no_estimator(command, tmp_path):
    """Each runs behind a report of the same process."""
    (tmp_path / "t.csv").write_text(TABLE)
    words = ["report t.csv --target y --out r --sql duckdb", command]
    found = subprocess.run(
        [sys.executable, "-c", RUN.format(heavy=HEAVY), *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines()[-1] == "[[0, 0], []]"
