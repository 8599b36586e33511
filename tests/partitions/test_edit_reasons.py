"""The history of a partition says why, by whom and when it was edited."""

import datetime
import json

import numpy as np
import pytest

import partage as pt
from helpers import assert_refuses


def test_edits_keep_their_reasons():
    y = [0] * 10 + [1] * 10 + [0] * 10
    p = pt.discretize(np.arange(30.0), y)
    q = p.merge(0, 1, reason="policy", who="Ada").split(0, at=4.5, reason="law")
    q = q.set_cuts([9.5], who="Bob")
    assert [(e.reason, e.who) for e in q.history] == [("policy", "Ada"), ("law", ""), ("", "Bob")]
    now = datetime.datetime.now(datetime.UTC)
    times = [datetime.datetime.fromisoformat(e.when) for e in q.history]
    assert all(
        datetime.timedelta() <= now - time < datetime.timedelta(minutes=10) for time in times
    )
    day = q.history[0].when[:10]
    assert repr(q.history[0]).endswith(f"bits for 'policy' by Ada on {day}")
    assert repr(p.merge(0, 1).history[0]).endswith("bits")
    back = pt.from_dict(json.loads(json.dumps(q.to_dict())))
    assert back == q
    assert [vars(e) | {"before": 0} for e in back.history] == [
        vars(e) | {"before": 0} for e in q.history
    ]
    assert p.merge(0, 1) == p.merge(0, 1)
    assert p.merge(0, 1, reason="policy") != p.merge(0, 1)
    text = np.repeat(["a", "b", "c"], 10)
    g = pt.group(text, y, method="none").move("a", to=1, reason="one").split(0, at="a", who="two")
    assert [(e.reason, e.who) for e in g.history] == [("one", ""), ("", "two")]
    plain = q.to_dict()
    for edit in plain["history"]:
        del edit["reason"], edit["who"], edit["when"]
    assert [e.reason for e in pt.from_dict(plain).history] == ["", "", ""]  # an older file


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda p: p.merge(0, 1, reason=3), "Intervals.merge: reason must be text; got 3."),
        (lambda p: p.split(0, at=4.5, who=None), "Intervals.split: who must be text; got None."),
        (lambda p: p.set_cuts([], reason=b""), "Intervals.set_cuts: reason must be text; got b''."),
    ],
)
def test_reasons_are_text(edit, message):
    p = pt.discretize(np.arange(30.0), [0] * 10 + [1] * 10 + [0] * 10)
    assert_refuses(lambda: edit(p), TypeError, message)
