"""The experiments: their counts on cases worked by hand, their registry, their pages."""

import re
from importlib import import_module

import numpy as np
import pytest

from partage.experiments import (
    PAPERS,
    Settings,
    find_papers,
    find_tables,
    page,
    reproduce,
)
from partage.experiments.binarization import page as binarization
from partage.experiments.optimal_intervals.trials import (
    Outcome,
    Plan,
    Variant,
    find_borders,
    run_experiment,
)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_listed_paper_has_a_module_that_runs_tables(paper):
    assert callable(import_module(f"partage.experiments.{paper.name}.page").run)


def test_no_name_means_every_paper_and_every_table():
    assert find_papers(None) == PAPERS
    assert find_tables(PAPERS[0], None) == PAPERS[0].tables


def test_borders_lie_between_runs():
    x = np.array([1.0, 2.0, 3.0, 4.0, 4.0, 5.0, 6.0])
    y = np.array([0, 0, 1, 0, 1, 1, 1])
    np.testing.assert_array_equal(find_borders(x, y), [2.5, 3.5, 4.5])


def test_counts_and_t_of_four_files_worked_by_hand():
    files = np.array(
        [
            [0.5, 0.5, 3, 3, 50, 50],  # optimal, equal
            [0.6, 0.5, 3, 4, 52, 50],  # FUSINTER better by 2 rows
            [0.6, 0.5, 5, 4, 50, 54],  # the optimum better by 4 rows
            [0.6, 0.5, 4, 4, 50, 52],  # the optimum better by 2 rows
        ]
    )
    outcome = Outcome(files, n_test=100)
    np.testing.assert_array_equal(outcome.is_optimal, [True, False, False, False])
    np.testing.assert_array_equal(outcome.extra_parts, [0, -1, 1, 0])
    np.testing.assert_allclose(outcome.gains, [0.0, -0.02, 0.04, 0.02])
    # Mean 0.01, sum of squares about it 0.0020: t = 0.01 / sqrt(0.0020 / 3) * sqrt(4).
    assert outcome.t == pytest.approx(0.01 / np.sqrt(0.0020 / 3) * 2)


def test_t_is_zero_where_nothing_differs():
    assert Outcome(np.array([[0.5, 0.5, 3, 3, 50, 50]] * 4), n_test=100).t == 0.0


def test_no_search_goes_below_the_optimum():
    (outcome,) = run_experiment(Plan(n_samples=1, n_test=100, n_repeats=1), Variant())
    gap = outcome.column("greedy_cost") - outcome.column("best_cost")
    assert gap.min() >= -1e-12


def test_the_optimum_over_values_is_at_most_that_over_runs():
    plan = Plan(n_samples=1, n_test=100, n_repeats=1)
    (values,) = run_experiment(plan, Variant())
    (runs,) = run_experiment(plan, Variant(units="runs"))
    assert (values.column("best_cost") <= runs.column("best_cost") + 1e-12).all()


def test_the_number_of_processes_changes_nothing():
    plan = Plan(n_samples=2, n_test=100, n_repeats=1)
    (one,) = run_experiment(plan, Variant())
    (two,) = run_experiment(plan, Variant(), jobs=2)
    np.testing.assert_array_equal(one.files, two.files)


def test_the_page_of_a_paper_holds_every_table_and_no_path(tmp_path):
    page, sections = reproduce(PAPERS[0], None, Settings(is_quick=True), tmp_path)
    text = page.read_text(encoding="utf-8")
    assert page == tmp_path / "optimal_intervals.md"
    assert [f"## {section.title}" in text for section in sections] == [True, True]
    assert "Made by `partage reproduce optimal_intervals --quick`; partage " in text
    assert str(tmp_path) not in text
    assert "| 29 of 231 = 12.6% |" in text
    pictures = re.findall(r"\]\((.*\.png)\)", text)
    assert pictures == ["optimal_intervals-gains.png"]
    assert all((tmp_path / picture).stat().st_size > 1000 for picture in pictures)


def test_a_single_table_does_not_overwrite_the_page_of_the_paper(tmp_path):
    (tmp_path / "optimal_intervals.md").write_text("kept", encoding="utf-8")
    page, _ = reproduce(PAPERS[0], "variations", Settings(is_quick=True), tmp_path)
    assert page.name == "optimal_intervals-variations.md"
    assert (tmp_path / "optimal_intervals.md").read_text(encoding="utf-8") == "kept"


def test_a_page_is_written_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "find_spec", lambda _: None)
    plot = page.Plot("curve", "A curve.", lambda _: None)
    section = page.Section("Title", "Setting.", "1", plots=[plot], seconds=2.0)
    page.write_page(tmp_path / "page.md", "Somebody, 1984", "partage reproduce", [section])
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert '(No plot: A curve. It needs matplotlib: `pip install "partage[plot]"`.)' in text
    assert text.endswith("Seeds: 1. Run time: 2 s.\n")


def test_a_verdict_is_reproduced_or_differs_with_its_reason():
    assert page.Comparison("a", "1", "1").verdict == "reproduced"
    assert page.Comparison("a", "1", "2", "other data").verdict == "differs: other data"


def test_columns_of_numbers_stand_to_the_right_and_bars_are_escaped():
    table = page.markdown_table(("name", "share"), [("a|b", "12.5%"), ("c", "-3")])
    assert table == "| name | share |\n| --- | ---: |\n| a\\|b | 12.5% |\n| c | -3 |"


def test_averages_of_sizes_differ_by_what_is_said_and_on_how_many_sets():
    table = np.array([[20.0, 28.0], [20.4, 29.0]])
    assert binarization._off(table, ("20.4 ± 30.3", "27.6 ± 1.0"), 1.0) == ""
    told = binarization._off(table, ("20.4 ± 30.3", "27.1 ± 32.4"), 1.0)
    assert told == "by up to 1.4, on 2 of 21 sets"
