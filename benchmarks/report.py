"""Make ``docs/benchmarks.md`` from the CSV files: ``python benchmarks/report.py``."""

from pathlib import Path

from problems import PROBLEMS
from tables import RESULTS, read

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"

INTRODUCTION = """# Benchmarks

This page is made by `python benchmarks/report.py` from the files of `benchmarks/results`; do not
edit it. `python benchmarks/peers.py` installs the peers, each in its own environment,
`python benchmarks/run.py` measures them and `python benchmarks/figures.py` measures partage
against the figures it must reach.

Every pair of library and problem runs in a fresh process, after a small fit that loads what the
library loads late. Times are the best of the repetitions, of which a long fit has one: *fit* in CPU
seconds of the process, its threads and its children, *wall* on the clock of a machine that others
used at the same time. *x sort* is the CPU time over that of `np.sort` of the same columns, measured
in turn in the same process; *assign* is the time to assign the training values over that of
`np.searchsorted` with as many cuts. For text the unit of both is `pandas.factorize` of the column.
Memory is the peak of the first fit beyond what was held before
it, child processes included. Log-loss is that of the class shares of the parts on rows held out,
the mean over the columns; no method can do noticeably better than the true pieces. Each problem is
one draw with a fixed seed, so small differences of log-loss mean nothing.

Libraries run with their defaults, except that the tree of scikit-learn has 16 leaves, that KBins
makes ten quantiles (the class unseen, at most 200,000 rows read), that feature-engine chooses a
classification tree by log-loss, and that Khiops only prepares the data, without trees or
constructed variables. Khiops' time includes writing the file it reads; NumPy assigns the values for
Khiops and optbinning's MDLP, which give cuts. optbinning's default asks for a trend of few turns,
which the five pieces do not have: without that constraint it would do better on them. A peer that
is skipped or stopped says nothing of its quality, only that it would exceed the time limit."""

PROBLEM_TEXT = {
    "num": "One column, P(class | x) constant on each of 5 pieces.",
    "num10c": "One column of 5 pieces, 10 classes.",
    "num100c": "One column of 5 pieces, 100 classes.",
    "ties": "One column of 5 pieces, a hundred distinct values.",
    "noise": "One column that says nothing of the class: one part is right.",
    "wave": "Breiman's waves, 21 columns, 3 classes; parts are summed over the columns.",
    "wide": "Twenty columns of 5 pieces each; parts are summed over the columns.",
    "cat2": "A column of text, zipf-distributed values in 5 groups, 2 classes.",
    "cat3": "A column of text, zipf-distributed values in 5 groups, 3 classes.",
}


APART = ("figures", "constraints")  # files that are no results of one adapter


def _short(text):
    """Round a number to three digits, an empty field to a dash."""
    if not text:
        return "-"
    value = float(text)
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _table(header, rows):
    """Lay out a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _fit_line(row):
    """Lay out one library on one problem."""
    return [
        f"{row['library']} {row['version']}",
        *(_short(row[name]) for name in ("fit_cpu_s", "fit_wall_s", "fit_per_unit", "memory_mb")),
        row["parts"],
        f"{float(row['log_loss']):.4f}",
        _short(row["codes_per_unit"]),
    ]


def _truth_line(row):
    """Lay out the true pieces."""
    loss = f"{float(row['log_loss_of_truth']):.4f}"
    return ["*true pieces*", "", "", "", "", row["parts_of_truth"], loss, ""]


def _problem_section(problem, rows):
    """Tell of one problem, fastest library first, then those without a result."""
    done = sorted(
        (row for row in rows if row["status"] == "ok"), key=lambda row: float(row["fit_cpu_s"])
    )
    others = [f"- {row['adapter']}: {row['status']}" for row in rows if row["status"] != "ok"]
    text = [f"## {problem}", PROBLEM_TEXT[problem.partition("_")[0]]]
    if done:
        unit = "x factorize" if problem.startswith("cat") else "x sort"
        header = ["library", "fit s", "wall s", unit, "MB", "parts", "log-loss", "assign"]
        truth = [_truth_line(done[0])] if done[0].get("parts_of_truth") else []
        text.append(_table(header, [*map(_fit_line, done), *truth]))
    if others:
        text.append("\n".join(others))
    return "\n\n".join(text)


def _figures_section(rows):
    """Tell of the figures partage must reach."""
    fields = ("figure", "case", "required", "measured", "median", "unit", "verdict")
    numbers = ("measured", "median")
    lines = [[_short(row[f]) if f in numbers else row[f] for f in fields] for row in rows]
    text = (
        "What partage must reach, and what was measured: the best of the turns, then the median. "
        "*reported*: nothing is required."
    )
    return "\n\n".join(["## Figures of partage", text, _table(fields, lines)])


def _machine_section(rows):
    """Tell of the machines and versions the rows come from."""
    fields = ("processor", "cores", "memory_gib", "system", "python", "numpy")
    seen = sorted({tuple(row[f] for f in fields) for row in rows if row.get("numpy")})
    loads = [float(row["load"]) for row in rows if row.get("load")]
    text = f"The load of the machine was between {min(loads):.1f} and {max(loads):.1f}."
    return "\n\n".join(["## Machine", _table(fields, seen), text])


def main():
    figures = read(RESULTS / "figures.csv")
    paths = sorted(path for path in RESULTS.glob("*.csv") if path.stem not in APART)
    fits = [row for path in paths for row in read(path)]
    sections = [INTRODUCTION, _machine_section([*fits, *figures])]
    if figures:
        sections.append(_figures_section(figures))
    for problem in PROBLEMS:
        rows = [row for row in fits if row["problem"] == problem]
        if rows:
            sections.append(_problem_section(problem, rows))
    PAGE.write_text("\n\n".join(sections) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
