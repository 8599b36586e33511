"""Hostile input made at random: calls of the core, files, frames. See docs/reliability.md."""

import os

# Every child starts pools of its own: small ones, since the tables are small.
os.environ.setdefault("POLARS_MAX_THREADS", "2")
