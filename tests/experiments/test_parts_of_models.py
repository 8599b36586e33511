"""What a human must read of a model, by the kind of model."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import partage as pt
from partage.experiments.forest.trials import _auc, count_parts

RNG = np.random.default_rng(0)
X = pd.DataFrame({"a": RNG.normal(size=120), "b": RNG.normal(size=120)})
Y = (X["a"] > 0).astype(int).to_numpy()


def test_linear_models_have_coefficients_and_bayes_its_means():
    assert count_parts(make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)) == 2
    assert count_parts(GaussianNB().fit(X, Y)) == 4


def test_trees_have_leaves():
    forest = RandomForestClassifier(3, random_state=0).fit(X, Y)
    assert count_parts(forest) == sum(tree.get_n_leaves() for tree in forest.estimators_)
    boosted = HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=3).fit(X, Y)
    assert 2 <= count_parts(boosted) <= 6


def test_models_of_parts_have_parts_terms_and_patterns():
    assert count_parts(pt.SelectiveNaiveBayesClassifier().fit(X, Y)) == 2
    model = pt.AdditiveClassifier(pairs=0).fit(X, Y)
    assert count_parts(model) == sum(term.n_numbers for term in model.terms_.values()) > 0
    lad = pt.LADClassifier().fit(X, Y)
    assert count_parts(lad) == len(lad.patterns_) > 0


def test_a_class_that_no_row_has_is_left_out_of_the_area():
    proba = np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0]])
    assert _auc(np.array([0, 1]), proba, np.array([0, 1, 2])) == 1.0
    assert _auc(np.array([0, 0]), proba, np.array([0, 1])) == pytest.approx(0.5)
