"""Logarithms and exponentials of the core, and that no others enter results."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

from partage._support import portable

ROOT = Path(__file__).resolve().parents[2]
# Modules whose numbers are drawn, shown or written as source, but enter no partition or price.
FREE = {
    "datasets.py": "made-up data",
    "_report/example.py": "made-up data",
    "_report/profile.py": "scales of a picture",
    "_display/grids.py": "colours of a picture",
    "_estimators/scorecard": "its regression has bits of its own",
    "_estimators/points": "so has that of points",
    "_estimators/additive/links.py": "source text that users run elsewhere",
    "_estimators/binarization/export.py": "source text that users run elsewhere",
    "experiments": "reproduces papers",
}
PYTHON = (
    r"\b(?:math|np)\.(?:log|log2|log10|log1p|exp|exp2|expm1|lgamma|gamma|pow|power|logaddexp)\b"
)
CPP = r"std::(?:log|log2|log10|log1p|exp|exp2|expm1|lgamma|tgamma|pow|erf|erfc|sin|cos|tan|fma)\b"


def numbers(seed, low, high, n=4000):
    """Draw numbers between two powers of ten."""
    rng = np.random.default_rng(seed)
    return 10.0 ** rng.uniform(low, high, n)


def assert_close(found, wanted, ulps):
    """Compare to some units of the last place of the wanted numbers."""
    assert np.all(np.abs(found - wanted) <= ulps * np.spacing(np.abs(wanted)))


def test_logarithms():
    x = np.concatenate([numbers(1, -300, 300), 1.0 + numbers(2, -12, 0), 1.0 - numbers(3, -12, -1)])
    wanted = np.array([math.log(value) for value in x])
    assert_close(portable.logs(x), wanted, 2)
    assert [portable.log(value) for value in x[:50]] == portable.logs(x)[:50].tolist()
    assert portable.log(2) == portable.LOG_2 == math.log(2)


def test_logarithms_of_one_plus_a_number():
    x = np.concatenate([numbers(4, -12, 12), -numbers(5, -12, -0.01)])
    assert_close(np.array([portable.log1p(v) for v in x]), np.array([math.log1p(v) for v in x]), 4)


def test_exponentials():
    x = np.concatenate([-numbers(6, -12, 2.8), numbers(7, -12, 2.8)])
    assert_close(portable.exps(x), np.array([math.exp(value) for value in x]), 4)
    low = -numbers(8, -12, 2)
    assert_close(
        np.array([portable.expm1(v) for v in low]), np.array([math.expm1(v) for v in low]), 4
    )


def test_ends_of_the_range():
    assert np.array_equal(
        portable.logs([0.0, -0.0, np.inf, -1.0, np.nan]),
        [-np.inf, -np.inf, np.inf, np.nan, np.nan],
        equal_nan=True,
    )
    assert np.array_equal(
        portable.exps([-np.inf, np.inf, np.nan, 0.0]), [0.0, np.inf, np.nan, 1.0], equal_nan=True
    )
    assert np.array_equal(portable.normal_quantiles([0.0, 0.5, 1.0]), [-np.inf, 0.0, np.inf])
    assert portable.logs(np.ones((2, 3))).shape == (2, 3)


def test_normal_quantiles():
    p = np.concatenate([numbers(9, -300, -0.302), 1.0 - numbers(10, -15, -0.302)])
    found, wanted = portable.normal_quantiles(p), ndtri(p)
    assert np.all(np.abs(found - wanted) <= 1e-13 * np.maximum(np.abs(wanted), 1e-2))


@pytest.mark.parametrize("x", [1, 2, 3.5, 40, 1e5])
def test_log_gamma(x):
    assert portable.log_gamma(x) == pytest.approx(math.lgamma(x), rel=1e-14, abs=1e-14)


def others(folder, pattern, endings):
    """Find calls of the C library's or NumPy's functions, by file."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix in endings and not name.startswith(tuple(FREE)):
            lines = path.read_text(encoding="utf-8").splitlines()
            code = "\n".join(line for line in lines if ">>>" not in line)
            if calls := re.findall(pattern, code):
                found[name] = calls
    return found


def test_no_other_logarithm_enters_a_result():
    assert others(ROOT / "src" / "partage", PYTHON, {".py"}) == {}
    assert others(ROOT / "cpp" / "partage", CPP, {".cpp", ".hpp"}) == {}
    assert others(ROOT / "cpp" / "bindings", CPP, {".cpp", ".hpp"}) == {}


def test_another_logarithm_would_be_found(tmp_path):
    (tmp_path / "price.py").write_text("cost = math.log(n) + np.exp(x)\n")
    assert others(tmp_path, PYTHON, {".py"}) == {"price.py": ["math.log", "np.exp"]}
