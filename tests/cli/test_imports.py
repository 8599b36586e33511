"""What the commands load: an estimator, and all that scikit-learn brings, are for Python users."""

import subprocess
import sys

HEAVY = ("sklearn", "scipy", "pandas", "matplotlib", "joblib", "pyarrow", "duckdb")
RUN = """
import json, sys
from partage import cli
codes = [cli.main(words.split()) for words in sys.argv[1:]]
print(json.dumps([codes, [name for name in {heavy} if name in sys.modules]]))
"""
TABLE = "age,city,y\n" + "".join(f"{i % 47},{'AB'[i % 2]},{int(i % 47 > 30)}\n" for i in range(60))


COMMANDS = (
    "report t.csv --target y --out r --sql duckdb",
    "show r/model.json",
    "show r/model.json age",
    "apply r/model.json t.csv -o parts.csv",
    "compare r/model.json t.csv",
)


def test_commands_load_no_estimator(tmp_path):
    """All run in one process, after which nothing heavy may be loaded."""
    (tmp_path / "t.csv").write_text(TABLE)
    found = subprocess.run(
        [sys.executable, "-c", RUN.format(heavy=HEAVY), *COMMANDS],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines()[-1] == "[[0, 0, 0, 0, 0], []]"
