"""Run the command by ``python -m partage``."""

import sys

from partage.cli import run_process

if __name__ == "__main__":
    sys.exit(run_process())
