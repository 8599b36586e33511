"""Run the command by ``python -m partage``."""

import sys

from partage.cli import main

if __name__ == "__main__":
    sys.exit(main())
