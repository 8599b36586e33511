"""The experiments on graphs: their helpers on cases worked by hand, their pages."""

import re

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from partage import GraphPartitioner
from partage.experiments import Settings, find_papers, reproduce
from partage.experiments.bipartition.patterns import _find_orders
from partage.experiments.bipartition.trees import C45, EntropyTree, pessimistic_errors
from partage.experiments.graphs import cross_validate, describe, mean_of
from partage.experiments.partition_evaluation.page import (
    _compare_counts,
    _compare_gaussians,
    _find_splits,
    _first_size,
)


@pytest.mark.parametrize(
    ("errors", "size", "limit"), [(0, 1, 0.75), (0, 6, 0.206), (0, 9, 0.143), (1, 16, 0.157)]
)
def test_pessimistic_errors_are_those_of_the_book(errors, size, limit):
    # Quinlan, C4.5, 1993, section 4.2: U_25%(0, 6) = 0.206 and so on.
    assert pessimistic_errors(errors, size) / size == pytest.approx(limit, abs=6e-4)


def test_all_wrong_stays_all_wrong():
    assert pessimistic_errors(3.0, 3.0) == 3


def test_a_pruned_tree_keeps_what_is_clear_and_drops_noise():
    x = np.arange(200.0)[:, None]
    step = (x[:, 0] >= 100).astype(int)
    tree = C45(x, step)
    assert (tree.n_leaves, tree.score(x, step)) == (2, 1)
    odd = step.copy()
    odd[[20, 60]] = 1
    tree = C45(x, odd)
    assert tree.n_leaves == 2
    assert tree.score(x, odd) == pytest.approx(0.99)
    assert C45(x, np.zeros(200)).n_leaves == 1


def test_iris_has_the_tree_that_is_known_of_it(iris):
    X, y = iris[0].to_numpy(), iris[1].to_numpy()
    tree = C45(X, y)
    assert tree.n_leaves == 5
    assert tree.score(X, y) == pytest.approx(147 / 150)


def test_the_entropy_tree_cuts_where_c45_finds_no_cut_worth_its_price():
    x = np.arange(30.0)[:, None]
    bands = (x[:, 0] // 5 % 2).astype(int)
    tree = EntropyTree(x, bands)
    assert (tree.n_leaves, tree.score(x, bands)) == (6, 1)
    assert C45(x, bands).n_leaves < 6
    assert EntropyTree(x, np.zeros(30)).n_leaves == 1


def test_the_entropy_tree_is_pruned():
    x = np.arange(90.0)[:, None]
    noise = np.random.default_rng(0).integers(2, size=90)
    grown = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    assert EntropyTree(x, noise).n_leaves < grown.fit(x, noise).get_n_leaves()


def test_the_order_of_the_paper_is_told_for_each_tree():
    def fold(test):
        return [{"test": test, "train": 1.0}]

    methods = {"global balls (the paper)": fold(0.8), "C4.5": fold(0.7), "entropy tree": fold(0.9)}
    c45, entropy = _find_orders({"rings": methods})
    assert "comes out on 1 of 1 patterns (rings)" in c45
    assert "With the entropy tree" in entropy
    assert "does not come out" in entropy


def test_noise_that_is_split_is_told_with_its_gain():
    units, one_group = [(3, 7, 11, 11, 0)], [0] * 10
    assert _find_splits(units, [[[1] * 11, [], []]]) == []
    (sentence,) = _find_splits(units, [[[*one_group, 2], [], []]])
    rng = np.random.default_rng([10, 7, 3])
    X, y = rng.random((7, 3)), rng.integers(2, size=7)
    found = GraphPartitioner(method="agglomerative").fit(X, y).partition_
    assert found.n_parts == 2
    assert f"by {found.null_cost - found.cost:.2f} nats (N = 7, dimensions: 3, seed 10)" in sentence


def test_robustness_is_the_mean_ratio_of_the_folds():
    folds = [{"test": 0.8, "train": 1.0}, {"test": 0.6, "train": 0.8}]
    assert mean_of(folds, "test") == pytest.approx(0.7)
    assert mean_of(folds, "robustness") == pytest.approx((0.8 + 0.75) / 2)
    assert describe(folds, "test") == "0.70 ± 0.14"


def test_gaps_are_filled_and_columns_scaled_before_the_neighbours_are_sought():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    X = np.column_stack([y + 0.1 * rng.normal(size=60), 1e6 * rng.normal(size=60)])
    X[3, 0] = np.nan
    scaled = cross_validate(X, y, {"method": "agglomerative", "scale": "minmax"}, 3, 0)
    raw = cross_validate(X, y, {"method": "agglomerative"}, 3, 0)
    assert mean_of(scaled, "nn_test") > 0.9 > mean_of(raw, "nn_test")
    assert [set(fold) for fold in scaled] == [
        {"test", "train", "groups", "cost", "class_cost", "nn_test", "nn_train"}
    ] * 3


def test_threshold_is_the_least_size_from_which_on_four_groups_are_found():
    assert _first_size([10, 20, 30, 40], [0.8, 0.5, 0.52, 1.0]) == 30
    assert _first_size([10, 20], [0.9, 0.4]) is None


def test_four_gaussians_found_later_by_the_code_that_knows_the_graph_are_told_so():
    sizes, shares = [30, 40, 50], np.array([[0.80, 0.56], [0.56, 0.40], [0.92, 0.80]])
    firsts = [_first_size(sizes, shares[:, k]) for k in range(2)]
    enough, earlier = _compare_gaussians(sizes, shares, firsts)
    assert (enough.ours, enough.verdict) == ("in 92% of the data sets", "reproduced")
    assert (earlier.ours, earlier.verdict) == ("50 against 30", "differs: later here")
    assert _compare_gaussians(sizes, shares, [30, 30])[1].verdict == "differs: not earlier"
    assert _compare_gaussians(sizes, shares, [None, 30])[1].ours == "30 against none"
    assert _compare_gaussians(sizes, shares, [None, 30])[1].verdict == "reproduced"


def test_tables_of_irises_may_differ_by_as_many_as_the_page_says(tmp_path):
    paper = [[50, 0, 0], [0, 50, 1], [0, 0, 49]]
    assert _compare_counts("petals", paper, [[50, 0, 0], [0, 47, 1], [0, 3, 49]]).difference == ""
    far = _compare_counts("petals", paper, [[50, 0, 0], [0, 46, 1], [0, 4, 49]])
    assert far.difference == (
        "3 groups hold 145 irises of their largest class, the paper's 3 hold 149"
    )
    (found,) = find_papers("partition_evaluation")
    _, (table1,) = reproduce(found, "table1", Settings(is_quick=True), tmp_path)
    assert "give or take 3. Below" in table1.setting


@pytest.mark.parametrize(("paper", "n_plots"), [("bipartition", 2), ("partition_evaluation", 1)])
def test_the_page_of_a_paper_holds_every_table_and_no_path(tmp_path, paper, n_plots):
    (paper,) = find_papers(paper)
    page, sections = reproduce(paper, None, Settings(is_quick=True), tmp_path)
    text = page.read_text(encoding="utf-8")
    assert [section.title for section in sections if f"## {section.title}" not in text] == []
    assert len(sections) == len(paper.tables)
    assert str(tmp_path) not in text
    pictures = re.findall(r"\]\((.*\.png)\)", text)
    assert len(pictures) == n_plots
    assert all((tmp_path / picture).stat().st_size > 5000 for picture in pictures)
    assert "nan" not in text


def test_figures_of_the_papers_stand_on_the_pages(tmp_path):
    (paper,) = find_papers("partition_evaluation")
    _, (table1,) = reproduce(paper, "table1", Settings(is_quick=True), tmp_path)
    by_name = {row.what: row for row in table1.comparisons}
    assert by_name["petal width"].paper == "50 0 0 / 0 48 0 / 0 2 50"
    assert by_name["petal width"].verdict == "reproduced"
