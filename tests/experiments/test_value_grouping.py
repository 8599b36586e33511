"""The experiments on value grouping: data sets, divergences, classifiers and statements."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

import partage as pt
from helpers import FULL
from partage.experiments import Settings, find_papers, reproduce
from partage.experiments.forest import page as forest
from partage.experiments.forest.pairs import PairRegression
from partage.experiments.optimum import page as optimum
from partage.experiments.value_grouping import trials
from partage.experiments.value_grouping.claims import (
    Results,
    compare_bayes,
    compare_groups,
    compare_selection,
)
from partage.experiments.value_grouping.noise_page import compare_noise
from partage.experiments.value_grouping.noise_trials import try_noise
from partage.experiments.value_grouping.trials import WaveSet


def test_attributes_are_products_of_bins_of_equal_width():
    X = np.array([[0.0, 0.0, 5.0], [0.4, 1.0, 9.0], [1.0, 2.0, 7.0]])
    np.testing.assert_array_equal(
        trials.code_attributes(X, WaveSet(1, 2)), [[0, 0, 1], [0, 1, 1], [0, 1, 1]]
    )
    np.testing.assert_array_equal(
        trials.code_attributes(X, WaveSet(2, 2)), [[0, 1, 3], [0, 1, 3], [0, 3, 3]]
    )


@pytest.mark.parametrize(("dimension", "n_attributes"), [(1, 21), (2, 210), (3, 1330)])
def test_sets_have_the_numbers_of_attributes_of_the_paper(dimension, n_attributes):
    X, _ = pt.datasets.make_waveform(50, 0)
    assert trials.code_attributes(X, WaveSet(dimension, 2)).shape == (n_attributes, 50)


def test_divergences_worked_by_hand():
    # Values 0 and 1 share group 0, value 2 is unseen. Training: two rows of class 0, one of 1.
    fold = trials._Fold(
        train=np.array([[0, 1, 1]], dtype=np.uint32),
        test=np.array([[0, 0, 2]], dtype=np.uint32),
        y_train=np.array([0, 0, 1], dtype=np.uint16),
        y_test=np.array([0, 1, 2], dtype=np.uint16),
        groups=[np.array([0, 0, 1])],
        n_groups=np.array([1]),
        seconds=0.0,
    )
    p = np.array([2 / 3, 1 / 3])  # of the group, and of all rows
    q = [np.array([2, 2]) / 5, np.array([1, 1]) / 4]  # values 0 and 2 of the test rows
    printed = (2 * (p * np.log(p / q[0])).sum() + (p * np.log(p / q[1])).sum()) / 3
    laplace = np.array([3, 2, 1]) / 6
    turned = (2 * (0.5 * np.log(0.5 / laplace[:2])).sum() + np.log(1 / laplace[2])) / 3
    np.testing.assert_allclose(trials._diverge(fold, 0), (printed, turned))


@pytest.mark.parametrize("method", ["modl", "chaid", "none"])
def test_trials_agree_with_the_classifiers_of_the_library(method):
    found = trials.try_grouping(1, 16, method, 1, 3, data=None)
    chosen = trials.try_selection(1, 16, method, 1, 3, data=None)
    X, y = trials.load_waves(None)
    frame = pd.DataFrame(trials.code_attributes(X, WaveSet(1, 16)).T).add_prefix("x")
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    train, test = list(folds.split(X, y))[1]
    options = {"method": method, "kinds": dict.fromkeys(frame.columns, "categorical")}
    if method == "none":
        del options["kinds"]
    plain = pt.NaiveBayesClassifier(**options).fit(frame.iloc[train], y[train])
    selective = pt.SelectiveNaiveBayesClassifier(selection="lift", **options)
    selective.fit(frame.iloc[train], y[train])
    assert found["groups"] == np.mean([p.n_parts for p in plain.partitions_.values()])
    assert found["values"] == frame.iloc[train].nunique().mean()
    assert found["train"] == plain.score(frame.iloc[train], y[train])
    assert found["test"] == plain.score(frame.iloc[test], y[test])
    assert chosen["selected"] == len(selective.selected_features_)
    assert chosen["test"] == selective.score(frame.iloc[test], y[test])


def test_attributes_in_one_group_predict_the_majority():
    found = trials.try_selection(1, 2, "tschuprow", 0, 2, data=None)
    assert set(found) >= {"train", "test", "selected"}
    assert 0.3 < found["test"] < 1


def paper_like():
    """Make results in which every statement of the paper holds."""
    sets = [WaveSet(1, 4), WaveSet(1, 64), WaveSet(2, 16), WaveSet(2, 64), WaveSet(3, 8)]
    values = np.array([4.0, 60.0, 150.0, 1500.0, 240.0])
    groups = np.column_stack(
        [[3, 5, 4, 3, 4], [3, 5, 4, 2, 3], [3, 9, 20, 30, 25], [2, 2.5, 2.4, 2.2, 2.3],
         [2, 3, 3, 2, 2], values]
    )  # fmt: skip
    kl = np.array([1.01, 1.02, 1.05, 1.6, 1.1, 1.0]) * np.ones((5, 1))
    kl[2:, 2] = 1.5
    test = (
        np.array([0.82, 0.815, 0.819, 0.7, 0.75, 0.82])
        + np.array([0, 0, 0.01, 0.02, 0.03])[:, None]
    )
    test[3, 4] = 0.34
    robust = np.array([0.99, 0.99, 0.95, 0.99, 0.99, 0.94]) * np.ones((5, 1))
    selected = np.array([0.83, 0.825, 0.82, 0.7, 0.75, 0.82]) * np.ones((5, 1))
    selected[3] = [0.77, 0.71, 0.69, 0.6, 0.5, 0.71]
    bayes = selected - 0.01
    tables = {
        "values": np.repeat(values[:, None], 6, axis=1),
        "groups": groups,
        "kl_printed": kl,
        "kl_reversed": kl,
        "test": test,
        "robustness": robust,
    }
    chosen = {"values": tables["values"], "test": selected, "bayes": bayes}
    return Results(sets, tables), Results(sets, chosen)


def test_statements_hold_on_results_like_the_papers():
    results, chosen = paper_like()
    comparisons = [*compare_groups(results), *compare_bayes(results), *compare_selection(chosen)]
    assert [c.what for c in comparisons if c.difference] == []


@pytest.mark.parametrize(
    ("key", "place", "value", "what"),
    [
        ("groups", (1, 3), 7.0, "groups of Tschuprow"),
        ("kl_reversed", (1, 0), 1.3, "CHAID and MODL almost reach"),
        ("kl_reversed", (slice(3), 4), 0.5, "another grouping has a lower divergence"),
        ("kl_reversed", (2, 4), 0.5, "a MODL method has the lowest"),
        ("kl_printed", (0, 0), 0.5, "NoGrouping has the lowest divergence, as printed"),
    ],
)
def test_a_statement_that_fails_on_one_set_differs(key, place, value, what):
    results, _ = paper_like()
    results[key][place] = value
    differing = [c.what for c in compare_groups(results) if c.difference]
    assert any(name.startswith(what) for name in differing)


def test_reasons_follow_from_the_numbers():
    results, _ = paper_like()
    results["kl_reversed"][1, 2] = 0.9
    results["groups"][0, 0] = 3.9
    found = {c.what: c for c in compare_groups(results)}
    assert found["NoGrouping has the lowest divergence, reversed"].verdict == (
        "differs: a grouping is lower in 1, of 60 values per attribute, down to 0.900 of NoGrouping"
    )
    groups = found["groups of CHAID above 100 values: the most of all groupings"]
    assert groups.ours == "in 3 of 3 sets; up to 30.0 (2D, 64 bins), where MODL has 3.0"
    results["test"][1, 1] -= 0.02
    verdicts = [c.verdict for c in compare_bayes(results)]
    assert "differs: MODL - MODLS beyond that in: 1D, 64 bins (60 values, +0.0250)" in verdicts


def test_accuracies_that_are_level_count_on_neither_side():
    results, chosen = paper_like()
    results["test"][0, 3] = results["test"][0, 5] - 0.0005
    below = [c for c in compare_bayes(results) if c.what.startswith("Tschuprow is below")]
    assert [c.ours for c in below] == ["in 4 of 5 sets"]
    chosen["test"][0, 4] = chosen["test"][0].max() - 0.0005
    chosen["bayes"][[1, 3], 0] = chosen["test"][[1, 3], 0]
    found = {c.what: c for c in compare_selection(chosen)}
    margin = "by more than 0.001"
    assert found[f"Tschuprow and Khiops are below the best of the others {margin}"].ours == (
        "in 4 of 5 sets"
    )
    assert found[f"with MODL, selection improves naive Bayes {margin}"].verdict == (
        "differs: not in: 1D, 64 bins; 2D, 64 bins"
    )
    assert found[f"no method is above MODL {margin}"].ours.startswith("in 5 of 5 sets")


def like_the_aim():
    """Means by grouping, amount of noise, model and measure that reach every aim."""
    means = np.zeros((2, 2, 4, 6))
    means[..., 0] = 10
    means[..., 0, 2:] = [0.80, 0.79, 0.6, 0.7]
    means[..., 1, 2:] = [0.95, 0.75, 0.1, 0.7]
    means[..., 2:, 2:] = [0.83, 0.82, 0.3, 0.4]
    means[1, 1, 1, 1] = 8
    return means


def test_aims_of_selection_among_noise_are_reached():
    found = compare_noise(like_the_aim())
    assert [c.what for c in found if c.difference] == []
    assert found[0].ours == "by 0.040 at least; at most by 0.040, where it keeps 8 noise attributes"


def test_noise_is_counted_where_the_accuracy_falls_most():
    means = np.concatenate([like_the_aim(), like_the_aim()[:, 1:]], axis=1)
    means[1, 1, 1, 1], means[1, 2, 1, 1] = 102, 93
    means[1, 2, 1, 3] = 0.734
    told = compare_noise(means)[0].ours
    assert told == "by 0.040 at least; at most by 0.056, where it keeps 93 noise attributes"


@pytest.mark.parametrize(
    ("model", "measure", "value", "what"),
    [
        (1, 3, 0.81, "the lift selection is less accurate"),
        (2, 1, 0.3, "description length keeps no noise"),
        (2, 3, 0.805, "noise changes its test accuracy"),
        (2, 3, 0.785, "its test accuracy is above"),
        (2, 5, 1.1, "its loss on test rows"),
        (2, 2, 1.1, "its accuracy on training rows"),
        (3, 1, 2.0, "it keeps no noise where columns"),
    ],
)
def test_an_aim_of_selection_that_one_case_misses_differs(model, measure, value, what):
    means = like_the_aim()
    means[1, 1, model, measure] = value
    differing = [c.what for c in compare_noise(means) if c.difference]
    assert any(name.startswith(what) for name in differing)


def test_noise_is_kept_by_lift_and_not_by_description_length():
    plain, lift, mdl, free = trials_of_noise = try_noise(1, 16, "none", 2, 0, 2, data=None)
    assert plain[:2] == [63.0, 42.0]
    assert lift[1] > 10
    assert mdl[1] == 0 < mdl[0]
    assert free[1] > 10
    for row in trials_of_noise:
        assert 0.7 < row[3] < row[2] < 1  # accuracies on test and training rows
        assert 0 < row[4] < row[5] < 1.5  # losses


@pytest.mark.parametrize("paper", ["value_grouping", "optimum", "forest"])
def test_the_quick_page_of_a_paper_holds_its_tables_and_pictures(paper, tmp_path):
    (found,) = find_papers(paper)
    # The four tables of value_grouping take long; by default the shortest stands for them.
    table = "figures3-4" if paper == "value_grouping" and not FULL else None
    page, sections = reproduce(found, table, Settings(is_quick=True), tmp_path)
    text = page.read_text(encoding="utf-8")
    assert len(sections) == (1 if table else len(found.tables))
    assert all(f"## {section.title}" in text for section in sections)
    assert "nan" not in text
    assert "Data sets not found" not in text
    told = "The UCI sample was not found: the 5000 rows are those of `make_waveform(5000, 0)`."
    assert text.count(told) == (len(sections) if paper == "value_grouping" else 0)
    plots = [plot.name for section in sections for plot in section.plots]
    assert sorted(file.name for file in tmp_path.glob("*.png")) == sorted(
        f"{page.stem}-{name}.png" for name in plots
    )


def test_searches_are_compared_with_the_optimum():
    from partage.experiments.optimum.trials import compare_searches

    found = compare_searches("five pieces", 0.2, 300, 2)
    for criterion in ("modl", "fusinter"):
        for row in found[criterion].values():
            assert row["gap"] >= -1e-9
            assert 0 <= row["optimal"] <= 1


def test_what_must_be_read_is_counted():
    from sklearn.ensemble import RandomForestClassifier

    from partage.experiments.forest.trials import count_parts

    X, y = pt.datasets.make_waveform(200, 0)
    trees = RandomForestClassifier(2, max_depth=1, random_state=0).fit(X, y)
    assert count_parts(trees) == 4
    bayes = pt.NaiveBayesClassifier().fit(X, y)
    informative = [p.n_parts for p in bayes.partitions_.values() if p.n_parts > 1]
    assert count_parts(bayes) == sum(informative)


def test_regression_on_pairs_sees_what_columns_alone_do_not_tell():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 2, 600), "b": rng.integers(0, 2, 600)}).astype(str)
    y = (X["a"] == X["b"]).to_numpy().astype(int)
    made = PairRegression(LogisticRegression()).fit(X, y)
    assert ("a", "b") in made.bayes_.products_
    assert (made.predict_proba(X).argmax(axis=1) == y).all()


def test_models_are_averaged_and_counted_where_they_ran():
    names = ["small", "refused", "large"]
    models = ["selective NB", "LAD", "forest", "boosting"]
    means = np.ones((3, 4, 6))
    means[:, :, 0] = [[0.2, 0.9, 0.1, 0.2], [0.2, 0.8, 0.4, np.nan], [0.3, np.nan, 0.4, 0.5]]
    means[1, 3] = means[2, 1] = np.nan
    without, with_lad = forest._summarise(means, models, names)
    assert without.header[0] == "mean of 2 of 3 data sets"
    assert [row[:3] for row in without.rows] == [
        ("forest", "1.50", "0.2500"),
        ("selective NB", "1.75", "0.2500"),
        ("boosting", "2.75", "0.3500"),
    ]
    assert with_lad.header[0] == "mean of 1 of 3 data sets"
    assert [row[0] for row in with_lad.rows] == ["forest", "selective NB", "boosting", "LAD"]
    told = forest._tell_sets(means, models, names)
    assert "all other models ran (not: refused); the second with it, over the 1 on" in told
    best, duels = forest._find(means, models, names)
    assert "on 1 of the 2 data sets on which all of these ran" in best
    assert best.endswith("It loses on: small (0.2 against 0.1).")
    assert duels == (
        "selective NB alone: against forest, on the 3 data sets on which both ran, a lower "
        "log-loss on 2 and at least its accuracy on 3; against boosting, on the 2 data sets on "
        "which both ran, a lower log-loss on 1 and at least its accuracy on 2."
    )


def test_the_page_says_when_the_optimum_is_worth_it():
    losses = {("slope", 0.0, 100): 0.002, ("slope", 0.4, 100): 0.006, ("slope", 0.0, 300): -0.002,
              ("slope", 0.4, 300): -0.006, ("waves", 0.0, 100): 0.0, ("waves", 0.4, 100): 0.02,
              ("waves", 0.0, 300): 0.0, ("waves", 0.4, 300): 0.0}  # fmt: skip
    table = {("modl", "bottom-up", *kind): {"loss": loss} for kind, loss in losses.items()}
    for pair in (("modl", "top-down"), ("fusinter", "bottom-up"), ("fusinter", "top-down")):
        loss = -0.003 if pair == ("fusinter", "top-down") else -0.0001
        table |= {(*pair, *kind): {"loss": loss} for kind in losses}
    overall, bottom_up, *others = optimum._find_worth(table)
    assert overall == (
        "Is the optimum worth it? Its held-out loss, mean of all kinds, is lower against MODL "
        "bottom-up (0.0025); within 0.001 against MODL top-down, FUSINTER bottom-up; higher "
        "against FUSINTER top-down (0.0030)."
    )
    assert bottom_up == (
        "MODL, bottom-up against the optimum: of 8 kinds, the optimum has a held-out loss lower by "
        "more than 0.001 in 3, higher by as much in 2. Its mean loss by shape: lower for waves "
        "(0.0050); within 0.001 for slope. By noise: lower for 0.4 (0.0050); within 0.001 for 0.0. "
        "By rows: lower for 100 (0.0070); higher for 300 (0.0020)."
    )
    assert len(others) == 3
