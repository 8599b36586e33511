"""What the naive Bayes classifiers share: evidence of parts, summed."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from partage import _core
from partage._data.lazy import check_in_memory
from partage._estimators.base import ColumnEstimator
from partage._estimators.bayes.features import Coder, ColumnFeature, Feature, log_table
from partage._estimators.bayes.file import features_to_plain, read_counts, read_features
from partage._estimators.bayes.grids import find_grids
from partage._estimators.bayes.products import find_products
from partage._estimators.columns import read_fitted_columns
from partage._estimators.fit import fit_columns
from partage._estimators.plan import Plan
from partage._estimators.public import public
from partage._estimators.scikit import ClassifierMixin
from partage._saving.partitions import read_numbers
from partage._saving.plain import classes_to_plain, read_classes
from partage._saving.savable import Savable
from partage._support.checks import check_choice, refuse
from partage._support.frames import Frame, make_frame
from partage._support.parallel import run_all
from partage._support.portable import exps, logs
from partage._targets.target import TargetRows

__all__ = ["BaseNaiveBayes"]

_SHARES = ("counted", "averaged")


@public
@dataclass(kw_only=True, eq=False, repr=False)
class BaseNaiveBayes(ClassifierMixin, Savable, ColumnEstimator):
    """What classifiers that sum the evidence of parts share.

    Attributes
    ----------
    class_count_
    class_log_prior_
    feature_log_prob_
    feature_importances_
    products_
    """

    kinds: Mapping[str, str] | None = None
    ordered: Mapping[str, Any] | None = None
    shares: str = "counted"
    cut_style: str = "midpoint"
    interactions: Any = 1
    max_memory: float = 1e9
    verbose: Any = False

    _takes_grids: ClassVar[bool] = False  # in the place of their columns

    def _plan(self) -> Plan:
        who, size = type(self).__name__, self.interactions
        check_choice(who, "shares", self.shares, _SHARES)
        is_size = isinstance(size, numbers.Integral) and not isinstance(size, bool)
        if not (is_size and size in (1, 2, 3)) and not (size == "grid" and self._takes_grids):
            grids = ", or 'grid'" if self._takes_grids else ""
            refuse(who, "interactions", f"1, 2 or 3{grids}", size)
        if not isinstance(self.verbose, (bool, np.bool_, numbers.Integral)):
            refuse(who, "verbose", "True, False or an integer", self.verbose)
        limit = self.max_memory
        if not isinstance(limit, numbers.Real) or isinstance(limit, bool) or not float(limit) > 0:
            refuse(who, "max_memory", "a number of bytes above 0", limit)
        return super()._plan()

    def _needs_rows(self) -> bool:
        """Whether the counts of single columns are not enough."""
        return self.interactions != 1 or bool(self.partitions)

    def _fit_features(
        self, X: Any, y: Any, target: str | None, sample_weight: Any, call: str = "fit"
    ) -> tuple[Any, TargetRows, list[Feature], list[NDArray[np.float64]]]:
        """Partition the columns, then their products; count the classes of every part."""
        who = f"{type(self).__name__}.{call}"
        plan, n_jobs = self._plan(), self._jobs()
        if self._needs_rows():
            check_in_memory(who, X)
        opened = self._open(who, plan, (X, y, target, sample_weight))
        partitions = fit_columns(who, plan, opened, n_jobs)
        self._target_name = opened.target_name
        is_averaged = self.shares == "averaged"
        columns = [ColumnFeature(k, found, is_averaged) for k, found in enumerate(partitions)]
        products = []
        if self.interactions == "grid":
            products = find_grids(who, opened.table, opened.rows, partitions, n_jobs=n_jobs)
        elif self.interactions > 1:
            products = find_products(
                who,
                opened.table,
                opened.rows,
                partitions,
                size=int(self.interactions),
                max_memory=float(self.max_memory),
                verbose=bool(self.verbose),
                n_jobs=n_jobs,
            )
        features: list[Feature] = [*columns, *products]
        counts = [feature.counts() for feature in features]
        return opened.columns, opened.rows, features, counts

    def _store(
        self,
        library: str,
        classes: NDArray[Any],
        class_counts: NDArray[np.float64],
        features: list[Feature],
        counts: list[NDArray[np.float64]],
        weights: NDArray[np.float64],
    ) -> None:
        """Assign what was fitted."""
        self.classes_ = classes
        self.class_count_ = class_counts
        with np.errstate(divide="ignore"):  # a class announced to partial_fit may have no rows yet
            self.class_log_prior_ = logs(class_counts) - logs(class_counts.sum())
        columns = [feature for feature in features if isinstance(feature, ColumnFeature)]
        self.partitions_ = {feature.name: feature.partition for feature in columns}
        self.products_ = {f.name: f.groups for f in features if not isinstance(f, ColumnFeature)}
        self.levels_ = np.array([feature.level for feature in columns])
        self.weights_ = weights
        self._features = features
        self._counts = counts
        self._library = library
        self._tables = [
            log_table(feature, held) for feature, held in zip(features, counts, strict=True)
        ]

    def _fitted_to_plain(self) -> dict[str, Any]:
        return {
            **features_to_plain(self._features),
            **classes_to_plain(self.classes_),
            "class_counts": self.class_count_.tolist(),
            "counts": [counts.tolist() for counts in self._counts],
            "weights": self.weights_.tolist(),
        }

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        classes = read_classes(data)
        features = read_features(data, is_averaged=self.shares == "averaged")
        class_counts = read_numbers(data["class_counts"], (len(classes),), "class_counts")
        weights = read_numbers(data["weights"], (len(features),), "weights")
        if not class_counts.sum() > 0 or not (weights <= 1).all():
            raise ValueError("there must be rows, and weights of at most 1")
        counts = read_counts(data["counts"], features, len(classes))
        self._store(str(data["library"]), classes, class_counts, features, counts, weights)

    @property
    def feature_log_prob_(self) -> list[NDArray[np.float64]]:
        """Log P(part | class) of each column, then of each product: shape (J, parts)."""
        check_is_fitted(self)
        return [table[counted].T for table, counted in self._tables]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of the columns in the information about the class; they sum to 1, or are all 0.

        A term counts as its weight times the mutual information of its parts and the class; that
        of a product is divided among its columns.
        """
        check_is_fitted(self)
        gains = np.zeros(len(self.partitions_))
        prior = self.class_count_ / self.class_count_.sum()
        for feature, weight, (table, counted) in zip(
            self._features, self.weights_, self._tables, strict=True
        ):
            if weight == 0 or len(counted) < 2:
                continue
            joint = exps(table[counted]) * prior
            both = joint > 0
            alone = joint.sum(axis=1, keepdims=True) * prior
            gain = float((joint[both] * logs(joint[both] / alone[both])).sum())
            gains[list(feature.members)] += weight * max(gain, 0.0) / len(feature.members)
        return gains / gains.sum() if gains.sum() > 0 else gains

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Log P(class, parts) of each row, without what is common to the classes.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        check_is_fitted(self)
        who = f"{type(self).__name__}.predict"
        table = read_fitted_columns(self, who, X)
        return self._scores(Coder(who, table), table.n_rows)

    def _scores(self, coder: Coder, n_rows: int) -> NDArray[np.float64]:
        """Sum the evidence of the rows, term by term in their order."""
        scores = np.tile(self.class_log_prior_, (n_rows, 1))
        used = [k for k, (table, _) in enumerate(self._tables) if self.weights_[k] and table.any()]
        n_jobs = self._jobs()
        for i in range(0, len(used), n_jobs):
            block = used[i : i + n_jobs]
            codes = run_all(lambda k, _: self._features[k].codes(coder), block, n_jobs)
            for k, found in zip(block, codes, strict=True):
                _core.add_by_code(scores, found, self.weights_[k] * self._tables[k][0])
        return scores

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithm of the probability of each class.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        scores = self.predict_joint_log_proba(X)
        scores -= scores.max(axis=1, keepdims=True)
        scores -= logs(exps(scores).sum(axis=1, keepdims=True))
        return scores

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``; rows sum to 1.
        """
        return np.asarray(exps(self.predict_log_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Most probable class of each row; the first on a tie.

        Returns
        -------
        ndarray of shape (n_rows,)
            Classes.
        """
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def explain(self, row: Any) -> Frame:
        """Tell what each column says of one row, the strongest first, as a data frame.

        Parameters
        ----------
        row : dict, data frame of one row, series or sequence
            The values of the columns: by name where they have names, others beside them not
            looked at; or in the order of the fitted columns.

        Returns
        -------
        DataFrame
            ``column``, ``value``, ``part`` and the evidence, whose sum over the rows gives the
            class: with two classes ``evidence``, log P(part | second) / P(part | first); with more
            ``evidence_...``, log P(part | class) / P(part). The first row is the prior.
        """
        from partage._estimators.bayes.explain_row import explain_row

        check_is_fitted(self)
        return explain_row(self, row)

    def summary(self) -> Frame:
        """One row per column and product, the strongest first, as a data frame.

        Returns
        -------
        DataFrame
            Of the library of the fitted table; pandas for arrays. Columns: ``column``, ``level``,
            ``parts``, ``weight`` (0 where it was not selected).
        """
        check_is_fitted(self)
        order = sorted(
            range(len(self._features)),
            key=lambda k: (-self.weights_[k], -self._features[k].level),
        )
        names = [self._features[k].name for k in order]
        columns = {
            "column": [name if isinstance(name, str) else " x ".join(name) for name in names],
            "level": [self._features[k].level for k in order],
            "parts": [self._features[k].n_parts for k in order],
            "weight": self.weights_[order],
        }
        return make_frame(columns, self._library)
