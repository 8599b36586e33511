"""Figures of groups of categories, and of tables of both kinds of column."""

import numpy as np
import pandas as pd

import partage as pt
from figure import Figure
from measure import log_loss
from problems import N_VALUES, PROBLEMS, pieces
from tables import RESULTS, read
from timing import interleave, measure_memory, ratios

CASES = [f"cat{n_classes}_{name}" for n_classes in (2, 3) for name in N_VALUES]
SECONDS = {"10k": 0.05, "100k": 0.5}  # from categorical input


def _count(codes, y):
    """Count the classes of each value as NumPy can: what no fit can do without."""
    labels, label_codes = np.unique(y, return_inverse=True)
    return np.bincount(codes.astype(np.int64) * len(labels) + label_codes)


def _count_bare(codes, y, n_classes):
    """Count classes that are numbered already."""
    return np.bincount(codes.astype(np.int64) * n_classes + y)


def group_text():
    """Fit from text against numbering its values."""
    return [_fit_per_factorize(case) for case in CASES]


def _fit_per_factorize(case):
    problem = PROBLEMS[case]()
    x, y = problem.X[:, 0].copy(), problem.y
    fit, unit = interleave(lambda: pt.group(x, y), lambda: pd.factorize(x), least=3)
    best, middle = ratios(fit.cpu, unit.cpu)
    return Figure(case, best, "x pd.factorize", limit=4, median=middle)


def group_categorical():
    """Fit from a categorical column against counting its classes, and in seconds."""
    return [row for case in CASES for row in _fit_per_count(case)]


def _fit_per_count(case):
    problem = PROBLEMS[case]()
    x, y = pd.Series(problem.X[:, 0]).astype("category"), problem.y
    codes = x.cat.codes.to_numpy()
    fit, count = interleave(lambda: pt.group(x, y), lambda: _count(codes, y), least=3)
    best, middle = ratios(fit.cpu, count.cpu)
    name = case.partition("_")[2]
    limit = None if name in SECONDS else 1.5
    yield Figure(case, best, "x counting", limit=limit, median=middle)
    n_classes = int(y.max()) + 1
    fit, bare = interleave(
        lambda: pt.group(x, y), lambda: _count_bare(codes, y, n_classes), least=3
    )
    best, middle = ratios(fit.cpu, bare.cpu)
    yield Figure(case, best, "x np.bincount of numbered classes", median=middle)
    if name in SECONDS:
        yield Figure(case, min(fit.wall), "s", limit=SECONDS[name])


def five_groups():
    """Count groups and measure held-out log-loss; Khiops' on the same rows is the limit."""
    peer = {row["problem"]: row for row in read(RESULTS / "khiops.csv") if row["status"] == "ok"}
    rows = []
    for case in CASES:
        problem = PROBLEMS[case]()
        x, x_test = problem.X[:, 0], problem.X_test[:, 0]
        p = pt.group(x, problem.y)
        exact = 5 if not case.endswith("100k") else None
        found = p.n_parts - _is_garbage_apart(p, x)
        rows.append(Figure(f"{case}, groups beside garbage", found, "groups", "exactly", exact))
        loss = log_loss(p.assign(x), problem.y, p.assign(x_test), problem.y_test)
        # The file holds six digits.
        limit = float(peer[case]["log_loss"]) + 5e-7 if case in peer else None
        rows.append(Figure(f"{case}, held-out log-loss, Khiops'", loss, "nats", limit=limit))
        truth = log_loss(problem.groups[0], problem.y, problem.groups[1], problem.y_test)
        rows.append(Figure(f"{case}, log-loss of the true groups", truth, "nats"))
        if case.endswith("100k"):
            codes = pd.factorize(np.concatenate([x, x_test]))[0]
            each = log_loss(codes[: len(x)], problem.y, codes[len(x) :], problem.y_test)
            rows.append(Figure(f"{case}, log-loss of one group a value", each, "nats"))
    return rows


def _is_garbage_apart(p, x):
    """Whether the garbage group holds rare values only: all rarer than those of other groups."""
    if p.garbage is None:
        return False
    frequency = pd.Series(x).value_counts()
    in_garbage = frequency.index.isin(p.groups[p.garbage])
    return frequency[in_garbage].max() < frequency[~in_garbage].min()


def mixed_table():
    """One fit of a table of numbers and text, on two cores."""
    n_rows = 1_000_000
    numbers = pieces(n_rows, n_columns=20, seed=30)
    frame = pd.DataFrame({f"number {i}": numbers.X[:n_rows, i] for i in range(20)})
    rng = np.random.default_rng(31)
    for i in range(10):
        n_values = (10, 100, 1000, 10_000)[i % 4]
        group_of = rng.integers(5, size=n_values)
        chosen = rng.integers(n_values, size=n_rows)
        swap = (group_of[chosen] % 2 != numbers.y) & (rng.random(n_rows) < 0.5)
        chosen[swap] = rng.integers(n_values, size=int(swap.sum()))
        frame[f"text {i}"] = pd.Categorical.from_codes(chosen, [f"v{k}" for k in range(n_values)])
    held = int(frame.memory_usage(deep=True).sum())
    column = frame["number 0"].to_numpy()

    def fit():
        return pt.TablePartitioner(n_jobs=2).fit(frame, numbers.y)

    _, peak = measure_memory(fit)
    times, sort = interleave(fit, lambda: np.sort(column), seconds=10, least=2)
    per_column = min(times.wall) / frame.shape[1] / min(sort.wall)
    case = "1M rows, 20 numbers and 10 categories, n_jobs=2"
    return [
        Figure(case, per_column, "x np.sort of one column, per column, wall", limit=25),
        Figure(f"{case}, peak memory", peak / held, "x the table", limit=3),
    ]


def assign_text():
    """Codes of text against numbering its values."""
    problem = PROBLEMS["cat2_10k"]()
    frame = pd.DataFrame({"x": problem.X[:, 0]})
    x = problem.X[:, 0].copy()
    grouper = pt.Grouper().fit(frame, problem.y)
    codes, unit = interleave(lambda: grouper.transform(frame), lambda: pd.factorize(x), least=3)
    best, middle = ratios(codes.cpu, unit.cpu)
    return [Figure("1M rows of 10k values", best, "x pd.factorize", limit=2, median=middle)]


def _noise_columns(n_values, n_rows, n_columns, seed):
    rng = np.random.default_rng(seed)
    for _ in range(n_columns):
        yield rng.integers(n_values, size=n_rows), rng.integers(2, size=n_rows)


def group_noise():
    """Columns independent of the class that are divided all the same."""
    required = {"modl": 0, "modl-standard": 0, "khiops": 0.05}
    rows = []
    for n_values in (10, 100, 1000, 10_000, 100_000):
        n_rows = max(10_000, n_values)
        for method, limit in required.items():
            n_columns = 200 if n_values <= 1000 else 30
            if limit > 0 and n_values <= 100:
                n_columns = 2000  # a share near its limit needs many columns
            divided = [
                pt.group(x, y, method=method).n_parts > 1
                for x, y in _noise_columns(n_values, n_rows, n_columns, seed=(77, n_values))
            ]
            case = f"{method}, {n_columns} columns of {n_rows} rows, {n_values} values"
            rows.append(Figure(case, np.mean(divided), "share divided", limit=limit))
    return rows


FIGURES = (
    group_text,
    group_categorical,
    five_groups,
    mixed_table,
    assign_text,
    group_noise,
)
