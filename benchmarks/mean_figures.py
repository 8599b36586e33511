"""Figures of averaged means: unseen rows of real targets, against a tree and against parts."""

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeRegressor

import partage as pt
from figure import Figure
from real_numbers import sets, squared_error_left

N_SPLITS = 5
LEAVES = (2, 3, 4, 6, 8, 12, 16, 24)


def _tree(x, y):
    """Fit a tree whose number of leaves is chosen by five folds."""
    search = GridSearchCV(DecisionTreeRegressor(random_state=0), {"max_leaf_nodes": LEAVES}, cv=5)
    return search.fit(x[:, None], y)


def _scores(x, y, train, test):
    """R² of averaged means, of the parts, of a tree and of deciles, on unseen rows."""
    column, unseen = x[train][:, None], x[test][:, None]
    found = []
    for output in ("averaged", "mean"):
        model = pt.TablePartitioner(output=output, target_type="number", method="modl-scores")
        found.append(model.fit(column, y[train]).transform(unseen)[:, 0])
    found.append(_tree(x[train], y[train]).predict(unseen))
    deciles = pt.TablePartitioner(
        output="mean", target_type="number", method="equal-frequency", max_parts=10
    )
    found.append(deciles.fit(column, y[train]).transform(unseen)[:, 0])
    return [squared_error_left(y[test], guess) for guess in found]


def averaged_means():
    """Mean R² of single columns by set, five splits; averaged means against a tree."""
    rows, by_set = [], []
    for name, columns, y in sets():
        scores = []
        for seed in range(N_SPLITS):
            order = np.random.default_rng([24, seed]).permutation(len(y))
            train, test = np.split(order, [len(y) * 7 // 10])
            scores += [_scores(x, y, train, test) for x in columns.values()]
        means = np.mean(scores, axis=0)
        by_set.append(means)
        beside = ", ".join(
            f"{what} {value:.4f}"
            for what, value in zip(("parts", "tree", "deciles"), means[1:], strict=True)
        )
        rows.append(Figure(f"{name}, {len(columns)} columns ({beside})", means[0], "R²"))
    averaged, parts, tree, deciles = np.mean(by_set, axis=0)
    n_above = int(sum(one[0] > one[2] for one in by_set))
    return [
        *rows,
        Figure(
            f"mean of {len(by_set)} sets, less that of a tree",
            averaged - tree,
            "R²",
            "at least",
            0.0,
        ),
        Figure(
            f"averaged means, {len(by_set)} sets",
            averaged,
            f"R² (parts {parts:.4f}, tree {tree:.4f}, deciles {deciles:.4f})",
        ),
        Figure(
            f"sets of {len(by_set)} above a tree",
            n_above,
            "sets",
            "at least",
            14 * len(by_set) // 18,
        ),
    ]


def points_regressor():
    """Mean R² of all columns together by set, three splits: points on curves, points on parts."""
    by_set = []
    rows = []
    for name, columns, y in sets():
        X = pd.DataFrame(columns)
        scores = []
        for seed in range(3):
            order = np.random.default_rng([25, seed]).permutation(len(y))
            train, test = np.split(order, [len(y) * 7 // 10])
            found = [
                pt.PointsRegressor(curve=curve).fit(X.iloc[train], y[train]).predict(X.iloc[test])
                for curve in (True, False)
            ]
            scores.append([squared_error_left(y[test], guess) for guess in found])
        by_set.append(np.mean(scores, axis=0))
        rows.append(Figure(f"{name} (parts {by_set[-1][1]:.4f})", by_set[-1][0], "R²"))
    curve, parts = np.mean(by_set, axis=0)
    rows.append(Figure(f"mean of {len(by_set)} sets (parts {parts:.4f})", curve, "R²"))
    return rows


FIGURES = (averaged_means, points_regressor)
