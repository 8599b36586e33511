"""Files that once reached code that others did not: refused, or used without an error."""

import json

import pytest
from fuzz.counts import pieces, use_counts, write_pieces
from fuzz.files import judge, load_model, models, partitions, use_model, use_partition
from fuzz.guided import CORPUS

import partage as pt
from partage._saving.models import ESTIMATORS

FILES = sorted(CORPUS.glob("*.json"))


def test_every_estimator_is_attacked_and_its_file_can_be_used(tmp_path):
    assert {data["estimator"] for data in models()} == set(ESTIMATORS)
    for data in models():
        use_model(load_model(data, tmp_path))


def test_partitions_and_counts_to_attack_can_be_used(tmp_path):
    for data in partitions():
        use_partition(pt.from_dict(data))
    for i, (head, arrays) in enumerate(pieces()):
        write_pieces(head, arrays, tmp_path / f"{i}.npz")
        use_counts(pt.Contingency.load(tmp_path / f"{i}.npz"))


def test_there_are_kept_files():
    assert len(FILES) > 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_kept_file_is_refused_or_can_be_used(path):
    case = json.loads(path.read_text())
    assert judge(case["data"], case["of_model"]) is None
