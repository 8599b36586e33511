"""Engines shared by the tests of exporters."""

import contextlib

import pytest

from sql_engines import open_engine


@pytest.fixture(scope="session")
def engines():
    """Engines by name, opened when they are first asked for."""
    with contextlib.ExitStack() as stack:
        opened = {}

        def get(name):
            if name not in opened:
                opened[name] = stack.enter_context(open_engine(name))
            return opened[name]

        yield get
