"""Results that ``tools/golden`` compares: every estimator, method and search, by public names."""

import functools
import inspect

import golden_tables as make
import numpy as np
import pandas as pd
import polars as pl

import partage as pt

SEARCHES = {
    "modl": ("auto", "exact", "bottom-up", "top-down", "coarse"),
    "mdlpc": ("auto", "top-down"),
    "fusinter": ("auto", "exact", "bottom-up", "top-down", "coarse"),
    "chimerge": ("auto", "bottom-up"),
    "chi2": ("auto", "exact"),
    "tschuprow": ("auto", "exact", "bottom-up"),
    "cramer": ("auto", "exact", "bottom-up"),
    "entropy": ("auto", "exact", "bottom-up", "top-down", "coarse"),
    "gain-ratio": ("auto", "top-down"),
    "gini": ("auto", "exact", "bottom-up", "top-down", "coarse"),
    "caim": ("auto", "top-down"),
    "cacc": ("auto", "top-down"),
    "ameva": ("auto", "top-down"),
    "equal-width": ("auto",),
    "equal-frequency": ("auto",),
}
WHOLE = ("modl", "fusinter", "gini", "entropy")
GROUPINGS = (
    "modl", "modl-standard", "chaid", "tschuprow", "cramer", "khiops", "gain-ratio",
    "one-against-rest", "forward", "cart", "none",
)  # fmt: skip
DIALECTS = ("duckdb", "postgres", "sqlite", "bigquery", "snowflake")
OUTPUTS = ("code", "label", "rate", "woe", "onehot", "sparse")

# Parameters by the name they have now, and the one they had in older trees.
RENAMED = {"monotonic": "monotone", "min_parts": "least_parts"}
# Parts of a model file that name the parameters or the release, which are no results.
NO_RESULTS = ("made_by", "parameters", "checksum")

SECTIONS = {}
JOBS = None


def section(function):
    """Register the generator of a section's cases: names, and functions that give results."""
    SECTIONS[function.__name__.replace("_", "-")] = function
    return function


def adapt(function, options):
    """Options under the names that a function of this tree has; jobs where it has them."""
    known = inspect.signature(function).parameters
    named = {k if k in known else RENAMED.get(k, k): v for k, v in options.items()}
    return named | ({"n_jobs": JOBS} if "n_jobs" in known and JOBS else {})


def build(name, **options):
    """Make an estimator of the package by its name."""
    cls = getattr(pt, name)
    return cls(**adapt(cls, options))


def model_dict(estimator):
    """Model file of an estimator, without what is no result."""
    return {k: v for k, v in estimator.to_dict().items() if k not in NO_RESULTS}


def _without_notes(plain):
    """Leave out who edited a partition, why and when: these are no results."""
    edits = plain["history"]
    plain["history"] = [
        {k: v for k, v in edit.items() if k not in ("reason", "who", "when")} for edit in edits
    ]
    return plain


def partition(p, x=None, *, full=False):
    """Results of a partition, by aspect."""
    found = {
        "parts": [p.labels(), p.counts, p.rows, p.missing_counts, p.missing_rows, p.missing_part],
        "cost": [p.cost, p.null_cost, p.level, p.price, p.gap, p.is_optimal, p.loss_bound],
        "dict": _without_notes(p.to_dict()),
    }
    if x is not None:
        found["codes"] = p.assign(x)
    if full:
        found["table"] = p.table()
        woes = [p.code_woe(j) for j in range(len(p.classes))]
        codes = [p.code_labels(), p.code_counts(), p.code_rates(), woes, p.totals()]
        found["codes-of"] = codes
        found["expected"] = [p.expected_level(n) for n in (10, 1000)]
        found["facts"] = vars(p.explain()).get("facts") or p.explain().facts
        found["python"] = p.to_python()
        for dialect in DIALECTS:
            found[f"sql-{dialect}"] = p.to_sql(dialect)
    return found


def columns(estimator, X=None):
    """Results of an estimator of columns."""
    summary = estimator.summary()
    return {
        "model": model_dict(estimator),
        "levels": estimator.levels_,
        "summary": [summary[name] for name in summary.columns if name != "why"],
        "why": list(summary["why"]),
    } | ({} if X is None else {"transform": estimator.transform(X)})


def one(method, search="auto", **options):
    """Options of one call of ``discretize``, with a number of parts where the method needs one."""
    number = {
        "chi2": {"n_parts": 4},
        "equal-width": {"max_parts": 6},
        "equal-frequency": {"max_parts": 6},
    }
    return {"method": method, "search": search} | options | number.get(method, {})


def cut(x, y, *, full=False, **options):
    """Discretize a column."""
    return partition(pt.discretize(x, y, **options), x, full=full)


def join(x, y, *, full=False, **options):
    """Group the values of a column."""
    return partition(pt.group(x, y, **adapt(pt.group, options)), x, full=full)


@section
def intervals():
    """Every method and search, on ties, weights, many classes, and long columns."""
    columns_ = {
        "ties": make.numbers(600, 40, 1),
        "distinct": make.numbers(500, 1 << 40, 2),
        "many-classes": make.numbers(900, 120, 3, n_classes=12, noise=20),
        "gaps": make.numbers(700, 90, 4, gaps=10),
        "noise": make.numbers(400, 300, 5, noise=100),
        "pure": (np.arange(60.0), np.zeros(60, int) + (np.arange(60) == 60)),
        "ends": (
            np.array([-np.inf, -1.5, -0.0, 0.0, 1e-300, 1e300, np.inf] * 9),
            np.arange(63) % 7 > 3,
        ),
    }
    for name, (x, y) in columns_.items():
        weight = make.draw(77, len(x), 5)
        for method, searches in SEARCHES.items():
            for search in searches:
                case = f"{name}/{method}/{search}"
                yield case, functools.partial(cut, x, y, **one(method, search))
            yield (
                f"{name}/{method}/weighted",
                functools.partial(cut, x, y, sample_weight=weight, **one(method)),
            )
            yield (
                f"{name}/{method}/merge",
                functools.partial(cut, x, y, **one(method, missing="merge", max_parts=5)),
            )


@section
def long_columns():
    """Columns beyond the limits of the exact search."""
    for n, n_values, k in ((30_000, 1 << 40, 2), (60_000, 9_000, 4), (200_000, 1 << 40, 2)):
        x, y = make.numbers(n, n_values, n, n_classes=k, noise=60)
        for method in SEARCHES:
            quick = method in ("modl", "gini", "entropy", "fusinter", "mdlpc", "equal-frequency")
            if quick if n < 100_000 else method == "modl":
                yield f"{n}/{k}/{method}", functools.partial(cut, x, y, **one(method))
        if n < 100_000:
            trend = {"monotonic": "ascending"} if k == 2 else {"max_parts": 4}
            yield f"{n}/{k}/limits", functools.partial(cut, x, y, min_part_size=0.02, **trend)


@section
def constraints():
    """Limits, trends, segments, given cuts, and their prices."""
    x, y = make.numbers(1500, 70, 11, noise=50)
    segment = np.array(["jan", "feb", "mar"])[make.draw(12, 1500, 3)]
    ranks = pd.Series(pd.Categorical(np.array(["a", "b", "c"])[make.numbers(1500, 70, 11, 3)[1]],
                                     ["a", "b", "c"], ordered=True))  # fmt: skip
    asked = {
        "max-parts": {"max_parts": 3},
        "n-parts": {"n_parts": 4},
        "min-size": {"min_part_size": 120},
        "min-share": {"min_part_size": 0.1},
        "min-class": {"min_class_count": 25},
        "each-class": {"min_class_count": {0: 10, 1: 40}},
        "user-cuts": {"user_cuts": [-1.1, 2.0]},
        "candidates": {"candidate_cuts": [-3, -2, -1, 0, 1, 2, 3]},
        "special": {"special_values": [0.0, 1.0], "special": "merge"},
        "special-apart": {"special_values": [0.0, 1.0]},
        "all": {"monotonic": "auto", "max_parts": 4, "min_part_size": 50, "min_class_count": 9,
                "user_cuts": [0.3]},
    }  # fmt: skip
    for trend in ("ascending", "descending", "peak", "valley", "auto"):
        asked[trend] = {"monotonic": trend}
        asked[f"{trend}-by"] = {"monotonic": trend, "by": segment}
        asked[f"{trend}-ranks"] = {"monotonic": trend, "y": ranks}
    for method in WHOLE:
        for name, options in asked.items():
            given = {"y": y, "method": method, **options}
            if method == "modl" or not name.endswith(("by", "ranks")):
                yield f"{method}/{name}", functools.partial(cut, x, **given)
    for method in sorted(set(SEARCHES) - set(WHOLE)):
        size = one(method, min_part_size=120)
        yield f"{method}/min-size", functools.partial(cut, x, y, **size)
    gaps = make.numbers(1000, 50, 13, gaps=25)
    yield "gaps/min-size", functools.partial(cut, *gaps, min_part_size=90)
    yield "gaps/min-share", functools.partial(cut, *gaps, min_part_size=0.11)
    long = make.numbers(6000, 4000, 14, noise=60)
    for trend in ("ascending", "peak", "auto"):
        yield f"long/{trend}", functools.partial(cut, *long, monotonic=trend)


@section
def groups():
    """Every grouping method, from few values to thousands."""
    for n_values, n, k in (
        (10, 500, 2),
        (40, 900, 3),
        (300, 4000, 2),
        (2000, 12_000, 2),
        (60, 900, 12),
    ):
        x, y = make.values(n, n_values, n_values, n_classes=k)
        weight = make.draw(78, n, 4)
        for method in GROUPINGS:
            yield f"{n_values}/{k}/{method}", functools.partial(join, x, y, method=method)
            if n_values <= 300 and method != "none":  # which takes no limits that it breaks
                yield (
                    f"{n_values}/{k}/{method}/limits",
                    functools.partial(
                        join,
                        x,
                        y,
                        method=method,
                        min_part_size=20,
                        sample_weight=weight,
                        max_parts=4,
                    ),
                )
    x, y = make.values(800, 30, 31)
    x[make.draw(32, 800, 10) == 0] = None
    asked = {
        "gaps": {}, "merge": {"missing": "merge"}, "n-parts": {"n_parts": 3},
        "special": {"special_values": ["v0001", "v0002"]},
        "special-merge": {"special_values": ["v0001"], "special": "merge", "missing": "merge"},
        "min-size": {"min_part_size": 50}, "min-share": {"min_part_size": 0.2},
        "min-class": {"min_class_count": 15, "ordered": sorted(set(x) - {None})},
    }  # fmt: skip
    for trend in ("ascending", "descending", "peak", "valley", "auto"):
        asked[f"ordered-{trend}"] = {"ordered": sorted(set(x) - {None}), "monotonic": trend}
    asked["ordered"] = {"ordered": [*sorted(set(x) - {None}), "absent"]}
    for name, options in asked.items():
        yield f"asked/{name}", functools.partial(join, x, y, full=True, **options)
    for name in ("flag", "level", "word", "whole"):
        frame, y = make.table()
        yield f"kind/{name}", functools.partial(join, frame[name], y, full=True)


@section
def whole_partitions():
    """All that a partition can say: tables, codes, SQL text, source, explanations."""
    frame, y = make.table()
    for name in ("number", "age", "whole", "day", "constant"):
        yield f"{name}", functools.partial(cut, frame[name], y, full=True)
    frame, y = make.table(n_classes=4)
    for name in ("number", "day"):
        yield f"classes/{name}", functools.partial(cut, frame[name], y, full=True)
    many = frame["number"]
    special = {"special_values": [-999.0], "special": "merge", "missing": "merge"}
    yield "special", functools.partial(cut, many, y, full=True, **special)


def _edits(p, x, y):
    """Results of edits of a partition, one after the other."""
    steps = {"merge": p.merge(0, 1)}
    if hasattr(p, "set_cuts"):
        steps["set-cuts"] = p.set_cuts([*p.cuts[:1], p.cuts[-1] + 1])
        steps["split"] = p.split(0, at=p.cuts[0] - 0.3)
    else:
        steps["move"] = p.move(p.groups[0][0], 1)
        largest = max(range(p.n_parts), key=lambda k: len(p.groups[k]))
        steps["split"] = p.split(largest, at=p.groups[largest][:1])
    steps["recount"] = p.recount(x[::2], y[::2])
    steps["merge-again"] = steps["split"].merge(0, 1)
    steps["undo"] = steps["merge-again"].undo(2)
    found = {}
    for name, step in steps.items():
        aspects = partition(step, x, full=name in ("merge", "split"))
        found |= {f"{name}-{aspect}": value for aspect, value in aspects.items()}
        found[f"{name}-history"] = [(edit.action, edit.price) for edit in step.history]
    found["psi"] = [p.psi(x[::3]), p.level_on(x[::3], y[::3])]
    found["back"] = pt.from_dict(p.to_dict()).to_dict()
    return found


@section
def edits():
    """Edits, merges and their prices; new data."""
    x, y = make.numbers(900, 60, 21, noise=20, gaps=5)
    text, label = make.values(900, 25, 22, noise=20)
    for method in ("modl", "gini", "fusinter", "mdlpc"):
        yield f"intervals/{method}", lambda m=method: _edits(pt.discretize(x, y, method=m), x, y)
    merged = {"missing": "merge", "special_values": [0.0], "special": "merge"}
    yield "intervals/merge", lambda: _edits(pt.discretize(x, y, **merged), x, y)
    for method in ("modl", "modl-standard", "chaid"):
        yield (
            f"groups/{method}",
            lambda m=method: _edits(pt.group(text, label, method=m), text, label),
        )


@section
def tables():
    """Estimators of columns: outputs, kinds, limits by column, monitoring, exports."""
    frame, y = make.table()
    many, classes = make.table(n_classes=4, seed=8)
    new = make.table(seed=9)[0]
    for output in OUTPUTS:
        for name, (X, target) in {"two": (frame, y), "four": (many, classes)}.items():
            yield (
                f"output/{name}/{output}",
                lambda X=X, t=target, o=output: columns(
                    build("TablePartitioner", output=o, special_values={"number": [-999]}).fit(
                        X, t
                    ),
                    new,
                ),
            )
    limits = {"max_parts": 3, "min_part_size": 20, "monotonic": {"age": "auto", "level": "auto"}}
    variants = {
        "limits": limits,
        "by": {"monotonic": "auto", "by": "flag", "kinds": {"flag": "categorical"}},
        "cuts": {"user_cuts": {"age": [30]}, "candidate_cuts": {"whole": [-5, 0, 5]}},
        "drop": {"drop_uninformative": True},
        "merge": {"missing": "merge", "special_values": {"number": [-999]}, "special": "merge"},
        "kinds": {"kinds": {"whole": "categorical", "age": "ordered"}},
        "ordered": {"ordered": {"word": make.WORDS}},
        "methods": {"method": {"numeric": "mdlpc", "categorical": "chaid"}},
        "event": {"positive": "no", "woe_sign": -1, "output": "woe"},
    }  # fmt: skip
    for name, options in variants.items():
        yield (
            f"options/{name}",
            lambda o=options: columns(build("TablePartitioner", **o).fit(frame, y), new),
        )
    weight = make.draw(50, len(frame), 4)
    yield (
        "weights",
        lambda: columns(build("TablePartitioner").fit(frame, y, sample_weight=weight), new),
    )
    numeric, text = frame[["number", "age", "day", "noise"]], frame[["city", "word"]]
    for method in SEARCHES:
        yield (
            f"discretizer/{method}",
            lambda m=method: columns(build("Discretizer", **one(m)).fit(numeric, y), numeric),
        )
    for method in GROUPINGS:
        yield (
            f"grouper/{method}",
            lambda m=method: columns(build("Grouper", method=m).fit(text, y), text),
        )
    cross = {"output": "rate", "cross_fit": 3}
    yield "cross-fit", lambda: {"rates": build("TablePartitioner", **cross).fit_transform(frame, y)}

    def later():
        enc = build("TablePartitioner", output="woe").fit(frame, y)
        pieces = build("TablePartitioner")
        for start in range(0, 900, 300):
            pieces.partial_fit(frame[start : start + 300], y[start : start + 300])
        found = {f"sql-{d}": enc.to_sql(d) for d in DIALECTS}
        found["python"] = enc.to_python()
        found["monitor"] = enc.monitor(new, y, by=make.draw(60, 900, 3)).frame
        found |= {f"batches-{k}": v for k, v in columns(pieces, new).items()}
        return found

    yield "later", later


@section
def counted():
    """Contingencies and their sums; text of model files and of the command."""
    frame, y = make.table()
    frame["class"] = y
    half = len(frame) // 2
    for name in ("number", "age", "city", "level", "day"):

        def counts(name=name):
            two = [pt.Contingency.of(f, name, "class") for f in (frame[:half], frame[half:])]
            both = two[0] + two[1]
            number = name in ("number", "age", "day")
            found = both.discretize() if number else both.group()
            held = [both.values, both.counts, both.missing_counts, both.n_rows, both.classes]
            return {"counts": held} | partition(found)

        yield name, counts


@section
def engines():
    """Tables counted by DuckDB and Polars, all rows or in two passes."""
    import duckdb

    frame, y = make.table()
    frame = pl.from_pandas(frame.drop(columns="constant")).with_columns(
        pl.Series("class", y), pl.Series("w", make.draw(51, len(y), 4))
    )
    x, label = make.numbers(40_000, 1 << 40, 61, noise=60)
    long = pl.DataFrame({"x": x, "class": label})

    def lazy(engine, table):
        return table.lazy() if engine == "polars" else duckdb.connect().from_arrow(table.to_arrow())

    def fit(engine):
        table = lazy(engine, frame.drop("w"))
        enc = build("TablePartitioner", ordered={"level": make.LEVELS}).fit(table, target="class")
        rows = enc.transform(frame.drop("w", "class"))
        return {"rows": rows} | columns(enc)

    def weighted(engine):
        table = lazy(engine, frame)
        return columns(build("TablePartitioner").fit(table, target="class", sample_weight="w"))

    def passes(engine):
        source = pt.engines.scan(lazy(engine, long), most_values=2000)
        return columns(build("Discretizer").fit(source, target="class"))

    for engine in ("polars", "duckdb"):
        for run in (fit, weighted, passes):
            yield f"{engine}/{run.__name__}", functools.partial(run, engine)
