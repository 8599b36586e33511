"""Figures of grids: speed and held-out loss."""

import math
import time

import numpy as np
import pandas as pd

import partage as pt
from figure import Figure
from partage._estimators.grids import check_grid
from partage._estimators.joint import open_joint
from partage._partitions.find_grid import GridSettings, find_grid
from partage._search.grids import GridRows, solve_grid

N_TRAIN, N_TEST, FLIPPED = 2000, 20_000, 0.1
HELD_OUT = {"xor": 0.328, "checker10": 0.355, "rings": 0.507, "category x number": 0.329}
LAWS = ("xor", "checker4", "checker10", "rings", "additive", "corner", "diag", "noise")
MIXED = ("category x number", "categories")
KINDS_SEED = 16


def law(name, n_rows, rng, flipped=FLIPPED):
    """Draw two columns and a class that depends on both."""
    x1, x2 = rng.random((2, n_rows))
    c1, c2 = rng.integers(0, 6, (2, n_rows))
    squares = {k: ((x1 * k).astype(int) + (x2 * k).astype(int)) % 2 == 1 for k in (4, 10)}
    is_event = {
        "xor": (x1 > 0.5) ^ (x2 > 0.5),
        "checker4": squares[4],
        "checker10": squares[10],
        "rings": (np.hypot(x1 - 0.5, x2 - 0.5) * 8).astype(int) % 2 == 1,
        "additive": rng.random(n_rows) < 1 / (1 + np.exp(-4 * (x1 + x2 - 1))),
        "corner": (x1 > 0.7) & (x2 > 0.7),
        "diag": x1 > x2,
        "noise": rng.random(n_rows) < 0.5,
        "category x number": (x1 > 0.5) ^ (c1 % 2 == 0),
        "categories": c1 % 3 == c2 % 3,
    }[name]
    is_flipped = rng.random(n_rows) < (0.0 if name == "additive" else flipped)
    y = np.where(is_flipped, ~is_event, is_event)
    texts = [np.char.add("v", c.astype(str)) for c in (c1, c2)]
    columns = {"category x number": (x1, texts[0]), "categories": tuple(texts)}
    first, second = columns.get(name, (x1, x2))
    return pd.DataFrame({"x1": first, "x2": second, "y": np.where(y, "yes", "no")})


def grid_held_out():
    """Log-loss on 20,000 rows of the shares that grids of 2,000 rows have learned.

    Means of five draws, and of twenty others, on which nothing was chosen. Beside them the loss of
    the shares of the law itself on the same rows, and for the checkerboard that of a grid of 2,000
    rows that is given the cuts of the law.
    """
    rows = []
    for i, (name, limit) in enumerate(HELD_OUT.items()):
        for case, draws in (("five draws", range(5)), ("twenty other draws", range(100, 120))):
            rows += _held_out(name, i, f"{name}, mean of {case}", draws, limit)
    return rows


def _held_out(name, i, case, draws, limit):
    """Losses of one law on some draws."""
    losses, by_law, by_cuts, saved = [], [], [], []
    for draw in draws:
        train, test = (law(name, n, np.random.default_rng([i, draw, n])) for n in (N_TRAIN, N_TEST))
        g = pt.grid(train["x1"], train["x2"], train["y"])
        losses.append(_loss(g, test))
        clean = law(name, N_TEST, np.random.default_rng([i, draw, N_TEST]), flipped=0.0)
        share = np.mean(clean["y"] != test["y"])
        by_law.append(-share * np.log(FLIPPED) - (1 - share) * np.log(1 - FLIPPED))
        if name == "checker10" and len(draws) == 5:
            cuts = [k / 10 for k in range(1, 10)]
            given = {"user_cuts": {"x1": cuts, "x2": cuts}, "max_parts": 10}
            known = pt.grid(train["x1"], train["x2"], train["y"], **given)
            by_cuts.append(_loss(known, test))
            saved.append(known.cost - g.cost)
    rows = [
        Figure(case, float(np.mean(losses)), "nats per row", limit=limit),
        Figure(f"{case}: the law itself", float(np.mean(by_law)), "nats per row"),
    ]
    if by_cuts:
        known = f"{case}: the cuts of the law"
        rows.append(Figure(known, float(np.mean(by_cuts)), "nats per row"))
        less = "least by which the grid found costs less than the one with the cuts of the law"
        rows.append(Figure(f"{name}: {less}", float(min(saved)), "nats"))
    return rows


def _loss(grid, test):
    """Mean log-loss of the shares of a grid on other rows."""
    rates = grid.code_rates()[grid.assign(test["x1"], test["x2"])]
    chosen = rates[np.arange(len(test)), (test["y"] == "yes").astype(int)]
    return float(-np.log(chosen).mean())


KINDS = {
    "numbers": (True, True),
    "number by category": (True, False),
    "categories": (False, False),
}


def _tiny(rng, is_ordered, has_y):
    """Draw a table so small that one axis can be listed; two thirds follow a law."""
    n_rows = int(rng.integers(30, 120))
    codes = rng.integers(0, 6, (2, n_rows))
    strength = rng.choice([0.0, 0.6, 0.9])
    follows = rng.random(n_rows) < strength
    labels = None
    if has_y:
        law = (codes[0] >= rng.integers(1, 6)) ^ (codes[1] % 3 == rng.integers(0, 3))
        labels = np.where(follows, law, rng.integers(0, 2, n_rows)).astype(np.uint16)
        labels[:2] = 0, 1
    else:
        codes[1] = np.where(follows, (codes[0] * 2 + rng.integers(0, 2, n_rows)) % 6, codes[1])
    dense = np.vstack([np.unique(c, return_inverse=True)[1] for c in codes]).astype(np.uint32)
    sizes = tuple(int(n) + 1 for n in dense.max(axis=1))
    return GridRows(dense, sizes, (0, 0), is_ordered, labels, None, 2 if has_y else 1)


def grid_enumeration():
    """Share of 900 tiny tables whose optimum the search finds where it lists no axis."""
    rows = []
    for has_y in (True, False):
        for search, limit in (("auto", 99.5 if has_y else 97.0), ("thorough", 99.0)):
            above = []
            for kind, is_ordered in KINDS.items():
                for i in range(300):
                    rng = np.random.default_rng([KINDS_SEED, len(kind), i, has_y])
                    table = _tiny(rng, is_ordered, has_y)
                    best = solve_grid(table, "modl", "auto").cost
                    above.append(solve_grid(table, "modl", f"{search}, unlisted").cost - best)
            above = np.array(above)
            case = f"{'with' if has_y else 'without'} classes, {search}"
            share = 100 * float(np.mean(above < 1e-9))
            rows.append(Figure(f"{case}: optimal", share, "% of 900 tables", "at least", limit))
            rows.append(Figure(f"{case}: worst", float(above.max()), "nats above"))
    return rows


def grid_noise():
    """Single pairs of noise, and an exclusive or of 200 rows with a fifth flipped."""
    n_level = n_cut = n_named = n_joint = 0
    named = math.log(math.comb(30, 2))
    for n_rows in (100, 200, 500):
        for i in range(300):
            rng = np.random.default_rng([n_rows, i])
            x1, x2 = rng.random((2, n_rows))
            g = pt.grid(x1, x2, rng.integers(0, 2, n_rows))
            is_cut = min(g.n_parts) > 1
            n_level += g.level > 0
            n_cut += is_cut
            n_named += is_cut and g.synergy > named
    for n_rows in (200, 1000):
        for i in range(120):
            rng = np.random.default_rng([n_rows, i, 1])
            x1, x2 = rng.random((2, n_rows))
            texts = rng.choice(list("abcdefgh"), n_rows)
            n_joint += pt.grid(x1, texts if i % 3 == 0 else x2).level > 0
    n_found = 0
    for i in range(20):
        rng = np.random.default_rng([20, i])
        x1, x2 = rng.random((2, 200))
        y = ((x1 > 0.5) ^ (x2 > 0.5)) ^ (rng.random(200) < 0.2)
        g = pt.grid(x1, x2, y)
        n_found += min(g.n_parts) > 1 and g.synergy > named
    return [
        Figure("900 pairs, with a level above 0", n_level / 9, "%", limit=2),
        Figure("900 pairs, both axes cut", n_cut / 9, "%", limit=0.3),
        Figure("900 pairs, named among 30 columns", n_named, "pairs", "exactly", 0),
        Figure("240 pairs without classes, level above 0", n_joint, "pairs", "exactly", 0),
        Figure("exclusive or, 200 rows, 20 % flipped, found", n_found, "of 20", "exactly", 20),
    ]


def _pairs_table(n_rows, n_columns):
    rng = np.random.default_rng([n_rows, n_columns])
    X = rng.random((n_rows, n_columns))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    y = np.where(rng.random(n_rows) < 0.3, X[:, 2] + X[:, 3] > 1, y)
    y = np.where(rng.random(n_rows) < 0.2, rng.random(n_rows) < 0.5, y)
    return pd.DataFrame(X, columns=[f"c{i}" for i in range(n_columns)]), y


def pairs_speed():
    """CPU seconds of one thread for all pairs of a table."""
    rows = []
    for n_rows, n_columns, limit in (
        (10_000, 30, 2),
        (100_000, 30, 3),
        (1_000_000, 30, 6),
        (10_000, 100, 15),
    ):
        X, y = _pairs_table(n_rows, n_columns)
        started = time.process_time()
        found = pt.pairs(X, y)
        used = time.process_time() - started
        case = f"{n_columns} columns of {n_rows} rows, {len(found)} pairs"
        rows.append(Figure(case, used, "CPU seconds", limit=limit))
        first = (found["column1"][0], found["column2"][0]) == ("c0", "c1")
        rows.append(Figure(f"{case}: the exclusive or comes first", first, "", "exactly", 1))
    return rows


def grid_speed():
    """CPU seconds of one grid of a million rows."""
    rows = []
    for name, limit in (("checker10", 5), ("noise", 1)):
        frame = law(name, 1_000_000, np.random.default_rng(1))
        plan = check_grid("grid", "separate", None)
        joint = open_joint("grid", plan, frame[["x1", "x2", "y"]], None, "y", None).fit((0, 1), 1)
        started = time.process_time()
        g = find_grid("grid", joint, (0, 1), GridSettings())
        used = time.process_time() - started
        case = f"{name}, {g.n_cells} cells, columns partitioned before"
        rows.append(Figure(case, used, "CPU seconds", limit=limit))
    return rows


def _timed(case, find, shape):
    """Parts that are found, against the groups of the law, and what that takes."""
    started = time.process_time()
    found = find()
    used = time.process_time() - started
    is_found = found.n_parts == shape
    return [
        Figure(f"{case}: the groups of the law", is_found, "", "exactly", 1),
        Figure(case, used, "CPU seconds"),
    ]


def grid_many_values():
    """Look for groups of categories whose values have tens of rows each."""
    rng = np.random.default_rng(KINDS_SEED)
    rows = []
    for n_rows, n_values in ((20_000, 1000), (200_000, 5000)):
        user = rng.integers(0, n_values, n_rows)
        own = rng.integers(0, n_values // 10, n_rows) * 10 + user % 10
        item = np.where(rng.random(n_rows) < 0.8, own, rng.integers(0, n_values, n_rows))
        frame = pd.DataFrame({"user": user.astype(str), "item": item.astype(str)})
        case = f"{n_rows:,} rows, {n_values:,} x {n_values:,} values in 10 x 10 groups"
        rows += _timed(case, lambda frame=frame: pt.cocluster(frame, ["user", "item"]), (10, 10))
    left, right = rng.integers(0, 1000, (2, 20_000))
    y = rng.random(20_000) < np.where((left + right) % 2, 0.2, 0.8)
    texts = left.astype(str), right.astype(str)
    rows += _timed("20,000 rows, exclusive or of 1,000 values", lambda: pt.grid(*texts, y), (2, 2))
    x = rng.random(20_000)
    y = rng.random(20_000) < np.where((left % 2 == 0) ^ (x > 0.5), 0.2, 0.8)
    rows += _timed(
        "20,000 rows, 1,000 values and a number", lambda: pt.grid(texts[0], x, y), (2, 2)
    )
    return rows


FIGURES = (
    grid_held_out,
    grid_enumeration,
    grid_noise,
    grid_many_values,
    pairs_speed,
    grid_speed,
)
