"""How near partage comes to the limit: small fits, wide tables, the start of the command.

Seconds are of CPU time. `np.sort` of the same column is measured in turn with each fit, so that
machines of different speed can be compared.
"""

import sys
from statistics import median

import numpy as np
import polars as pl

import partage as pt
from figure import Figure
from narrow import without_avx512
from problems import noise, pieces
from report_command import run
from timing import Times, interleave, ratios

MILLI = 1000


def _sine(n_rows, seed):
    """Draw a column whose rate of the class is a wave."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    return x, rng.random(n_rows) < 0.5 + 0.4 * np.sin(8 * x)


def _columns(n_rows, seed):
    """Yield a column of each law."""
    for name, problem in (("five pieces", pieces(n_rows, seed=seed)), ("noise", noise(n_rows))):
        yield name, np.ascontiguousarray(problem.X[:, 0]), problem.y
    yield ("sine", *_sine(n_rows, seed))


def _repeat(call, n):
    """Make a call that calls n times."""

    def repeated():
        for _ in range(n):
            call()

    return repeated


def small_fits():
    """One column of 100 to 10,000 rows; the sort beside it is only shown."""
    rows = []
    for n_rows, limit, n in ((100, 0.12, 200), (1_000, 0.3, 100), (10_000, 1.0, 20)):
        for law, x, y in _columns(n_rows, seed=n_rows):
            fits = _repeat(lambda x=x, y=y: pt.discretize(x, y), n)
            sorts = _repeat(lambda x=x: np.sort(x), n)
            fits()
            fit, sort = interleave(fits, sorts, seconds=3, least=5)
            case = f"{n_rows:,} rows, {law}"
            best, middle = (MILLI / n * f(fit.cpu) for f in (min, median))
            rows.append(Figure(case, best, "ms of CPU", limit=limit, median=middle))
            base = MILLI / n * min(sort.cpu)
            rows.append(Figure(f"{case}, np.sort", base, "ms of CPU"))
    return rows


def ratios_per_sort(n_rows):
    """Fit one column of each law: times of np.sort of it, their median, and the sort in ms."""
    found = {}
    for law, x, y in _columns(n_rows, seed=n_rows):
        # The sort that comes straight after a fit pays for cold caches: the next one counts.
        sorts = [lambda x=x: np.sort(x)] * 2
        fit, _, sort = interleave(lambda x=x, y=y: pt.discretize(x, y), *sorts, seconds=4, least=5)
        found[law] = [*ratios(fit.cpu, sort.cpu), MILLI * min(sort.cpu)]
    return found


def _per_sort(n_rows, limits):
    """Fit one column of each law against np.sort of it, with AVX-512 and without."""
    rows = []
    for law, (best, middle, sort) in ratios_per_sort(n_rows).items():
        case = f"{n_rows:,} rows, {law}"
        rows.append(Figure(case, best, "x np.sort", limit=limits.get(law), median=middle))
        rows.append(Figure(f"{case}, np.sort", sort, "ms of CPU"))
    narrow = without_avx512("limit_figures", "ratios_per_sort", n_rows) or {}
    for law, (best, middle, sort) in narrow.items():
        case = f"{n_rows:,} rows, {law}, NumPy without AVX-512"
        rows.append(Figure(case, best, "x np.sort", median=middle))
        rows.append(Figure(f"{case}, np.sort", sort, "ms of CPU"))
    return rows


def fit_per_sort_100k():
    """One column of 100,000 rows."""
    return _per_sort(100_000, {"five pieces": 8, "sine": 15, "noise": 5})


def fit_per_sort_1m():
    """One column of a million rows."""
    return _per_sort(1_000_000, {"five pieces": 3, "noise": 3})


def _mixed(n_rows, n_numbers, n_texts, seed):
    """Draw numbers and texts, a third of which say something of the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    says = 0.5 * y
    columns = {}
    for i in range(n_numbers):
        columns[f"number {i}"] = rng.normal(size=n_rows) + (says if i % 3 == 0 else 0)
    for i in range(n_texts):
        codes = rng.integers(0, 40 * (i + 1), n_rows)
        codes = np.where((rng.random(n_rows) < 0.3) & (i % 3 == 0), codes // 2 * 2 + y, codes)
        columns[f"text {i}"] = [f"value {code}" for code in codes]
    return pl.DataFrame(columns), y


def _sort_and_factorize(frame):
    """Do what no fit can do without: sort the numbers, code the texts."""
    for column in frame:
        if column.dtype == pl.String:
            column.to_pandas().factorize()
        else:
            np.sort(column.to_numpy())


def mixed_100k():
    """100,000 rows of 20 numbers and 10 texts, with one thread and with two."""
    frame, y = _mixed(100_000, 20, 10, seed=30)
    fits = [lambda n=n: pt.TablePartitioner(n_jobs=n).fit(frame, y) for n in (1, 2)]
    fits[0]()
    one, two, base = interleave(*fits, lambda: _sort_and_factorize(frame), seconds=12, least=5)
    share = min(two.wall) / min(one.wall)
    middle = median(b / a for a, b in zip(one.wall, two.wall, strict=True))
    return [
        Figure("one thread", min(one.cpu), "s of CPU", limit=0.25, median=median(one.cpu)),
        Figure("sorting and factorizing alone", min(base.cpu), "s of CPU"),
        Figure("two threads", share, "x the wall time of one", limit=0.6, median=middle),
    ]


def wide_2000():
    """2,000 columns of 10,000 rows, with one thread and with two."""
    rng = np.random.default_rng(20)
    y = rng.integers(0, 2, 10_000)
    X = rng.normal(size=(2_000, 10_000)).T
    X[:, ::4] += 0.5 * y[:, None]
    pt.Discretizer().fit(X[:, :20], y)
    calls = [lambda n=n: pt.Discretizer(n_jobs=n).fit(X, y) for n in (1, 2)]
    one, two, sort = interleave(*calls, lambda: np.sort(X, axis=0), seconds=20, most=3, least=2)
    return [
        Figure("one thread", min(one.cpu), "s of CPU", limit=4, median=median(one.cpu)),
        Figure("two threads", min(two.wall) / min(one.wall), "x the wall time of one"),
        Figure("np.sort of the columns", min(sort.cpu), "s of CPU"),
    ]


def _start(words, case, limit):
    """CPU time of a command that does next to nothing."""
    run(sys.executable, *words)
    runs = [run(sys.executable, *words) for _ in range(7)]
    cpu = [one.cpu for one in runs]
    return Figure(case, min(cpu), "s of CPU", limit=limit, median=median(cpu))


def starts():
    """Start an interpreter that imports, or prints the help of the command."""
    return [
        _start(["-c", "import partage"], "import partage", 0.15),
        _start(["-m", "partage", "--help"], "partage --help", 0.2),
        _start(["-c", "import numpy"], "import numpy alone", None),
        _start(["-c", "import polars"], "import polars alone", None),
    ]


def many_classes():
    """Fit a million rows of two to 1,000 classes."""
    rows = []
    for n_classes in (2, 10, 100, 1_000):
        problem = pieces(1_000_000, n_classes=n_classes, seed=n_classes)
        x, y = np.ascontiguousarray(problem.X[:, 0]), problem.y
        fits, sorts = Times(), Times()
        for _ in range(3):
            fits.measure(lambda x=x, y=y: pt.discretize(x, y))
            np.sort(x)
            sorts.measure(lambda x=x: np.sort(x))
        best, middle = ratios(fits.cpu, sorts.cpu)
        case = f"1M rows, {n_classes:,} classes"
        rows.append(Figure(case, best, "x np.sort", median=middle))
    return rows


FIGURES = (
    small_fits,
    fit_per_sort_100k,
    fit_per_sort_1m,
    mixed_100k,
    wide_2000,
    starts,
    many_classes,
)
