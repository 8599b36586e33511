"""Ctrl-C ends a long binarization, and nothing that is passed to its core breaks the process."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from partage import _core


def test_interrupt_ends_the_work_at_once():
    code = """
        import signal, threading, time
        import numpy as np
        import partage as pt
        import partage._estimators.binarization.lad, partage._estimators.binarization.binarizer
        rng = np.random.default_rng(0)
        X = rng.integers(0, 12, size=(20000, 10)).astype(float)
        y = rng.integers(0, 2, size=20000)
        calls = [
            lambda: pt.DataBinarizer(method="greedy", consistency=8).fit(X, y),
            lambda: pt.DataBinarizer(consistency=8, tolerance=0.001).fit(X, y),
            lambda: pt.LADClassifier(consistency=6, max_degree=6, n_best=1000).fit(
                X[:4000], y[:4000]
            ),
        ]
        asked = []
        def ask():
            asked.append(time.perf_counter())
            signal.raise_signal(signal.SIGINT)
        for call in calls:
            threading.Timer(0.5, ask).start()
            try:
                call()
            except KeyboardInterrupt:
                print(time.perf_counter() - asked[-1])
            else:
                print("ended by itself")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    waited = [float(line) for line in done.stdout.splitlines()]
    assert len(waited) == 3
    assert max(waited) < 5.0


def examples(codes, n_codes, ordered=(1,), direction=(0,), classes=(0, 1)):
    return _core.make_examples(
        np.array(codes, dtype=np.uint32),
        np.array(classes, dtype=np.uint16),
        None,
        np.array(n_codes, dtype=np.uint32),
        np.array(ordered, dtype=np.uint8),
        np.array(direction, dtype=np.int8),
    )


def test_core_refuses_codes_that_do_not_fit():
    with pytest.raises(ValueError, match="beyond those of its attribute"):
        examples([[0], [3]], [2])
    with pytest.raises(ValueError, match="do not fit"):
        examples([[0], [1]], [2, 2])
    with pytest.raises(ValueError, match="do not fit"):
        examples([[0], [1]], [2], classes=(0, 1, 1))
    found = examples([[0], [1]], [2])
    with pytest.raises(ValueError, match="one entry for each discriminant"):
        found.merits(np.ones(5, dtype=np.uint8), False)
    with pytest.raises(ValueError, match="does not reach that consistency"):
        _core.find_cover(found, "ideal", 0, False, 0.0, 0, 0, 10**6, None)
    with pytest.raises(ValueError, match="does not reach that consistency"):
        _core.find_cover(found, "tree", 2, False, 0.0, 0, 0, 10**6, None)
    with pytest.raises(ValueError, match="no cover is called best"):
        _core.find_cover(found, "best", 1, False, 0.0, 0, 0, 10**6, None)


def test_core_refuses_literals_that_do_not_fit():
    bits = np.ones(4, dtype=np.uint8)
    with pytest.raises(ValueError, match="do not fit"):
        _core.Literals(bits, bits[:2], 2, None)
    with pytest.raises(ValueError, match="do not fit"):
        _core.Literals(bits, bits, 3, None)
    literals = _core.Literals(bits, bits, 2, None)
    with pytest.raises(ValueError, match="one entry for each row"):
        _core.find_patterns(literals, bits, "prime", 2, 1.0, 0.0, 1, 1.0, 10, None)
    with pytest.raises(ValueError, match="n_best"):
        _core.find_patterns(literals, bits[:2], "prime", 2, 1.0, 0.0, 0, 1.0, 10, None)


@pytest.mark.parametrize("method", [row["name"] for row in _core.covers()])
def test_core_takes_tables_without_anything_to_choose(method):
    for codes, n_codes in (([[0], [0]], [1]), ([[0], [0]], [0]), (np.empty((2, 0)), [])):
        width = len(n_codes)
        found = examples(codes, n_codes, (1,) * width, (0,) * width)
        assert _core.find_cover(found, method, 1, False, 0.0, 0, 0, 10**6, None).size == 0
