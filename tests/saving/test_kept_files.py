"""Files that once reached code that others did not: refused, or used without an error."""

import json

import pytest
from fuzz.files import judge
from fuzz.guided import CORPUS

FILES = sorted(CORPUS.glob("*.json"))


def test_there_are_kept_files():
    assert len(FILES) > 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_kept_file_is_refused_or_can_be_used(path):
    case = json.loads(path.read_text())
    assert judge(case["data"], case["of_model"]) is None
