"""Fixtures of a studio that is open."""

import pytest

from studio_client import Client, open_rows


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """Give a studio that the tests of a module share, so that they leave it as it is."""
    with open_rows(tmp_path_factory.mktemp("studio") / "model.json") as opened:
        yield opened


@pytest.fixture
def client(studio):
    return Client(studio)


@pytest.fixture
def fresh(tmp_path):
    """Give a client of a studio of its own."""
    with open_rows(tmp_path / "model.json") as opened:
        yield Client(opened)
