"""``LADClassifier``: patterns on binary data, and their vote (Logical Analysis of Data)."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from partage import _core
from partage._data.one_row import read_one_row
from partage._data.table import Table
from partage._estimators.binarization.binarizer import DataBinarizer
from partage._estimators.binarization.discriminants import code_table, satisfied
from partage._estimators.binarization.pattern import Explanation, make_patterns
from partage._estimators.binarization.theory import (
    THEORIES,
    Term,
    Theory,
    all_patterns,
    form_theory,
    read_theory,
)
from partage._estimators.columns import read_fitted_columns
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator, ClassifierMixin
from partage._saving.partitions import read_numbers
from partage._saving.savable import Savable
from partage._support.checks import check_choice, check_count, check_jobs, check_whole, refuse
from partage._support.parallel import run_all
from partage._targets.target import TargetRows

PATTERNS = ("priced", "prime", "maximal")
_MOST_WORDS = 200_000_000  # of bits that the enumeration for one class may read


@public
@dataclass(kw_only=True, eq=False, repr=False)
class LADClassifier(ClassifierMixin, Savable, BaseEstimator):
    """Classify by readable patterns on binary data, each with a vote.

    The table is turned into conditions by ``DataBinarizer``; for every class, against the rest,
    patterns are sought: conjunctions of few conditions, or of their opposites, that hold for rows
    of that class more often than for others. Few of them get votes, and a row gets the class with
    most. Missing values satisfy neither a condition nor its opposite.

    Parameters
    ----------
    method : str, default="ideal"
        How conditions are chosen; see ``DataBinarizer``.
    consistency : int, default=2
        Conditions in which rows of different classes must differ. Larger values give more
        conditions to choose patterns from.
    discriminants : {"cover", "modl", "both"}, default="both"
        Where conditions come from: those that ``method`` chooses, the cuts of MODL, or both; see
        ``DataBinarizer``.
    patterns : {"priced", "prime", "maximal"}, default="priced"
        ``"priced"`` takes conjunctions of at most ``max_degree`` conditions that save more of the
        description of the classes than their own description takes, so that noise gives none.
        ``"prime"`` enumerates the patterns of at most ``max_degree`` conditions of which none can
        be left out, and keeps those that cover most; rows that none covers give a pattern grown
        from them. ``"maximal"`` grows a pattern of wide coverage from every row.
    max_degree : int, default=3
        Conditions of an enumerated pattern. It is lowered, to no less than 2, where an enumeration
        would read more than 2e8 words of bits.
    min_precision : float, default=None
        Least share of its class among the rows that a pattern covers. By default 1 for prime and
        maximal patterns, which then cover no row of another class; priced ones have no bound.
    min_support : float, default=0.0
        Least share of its class that an enumerated pattern covers.
    n_best : int, default=5
        Patterns that each row gives to the theory, by coverage, where they are enumerated. Larger
        values give more patterns and a steadier vote.
    theory : {"weights", "all"}, default="weights"
        Which patterns are kept: those that a linear program gives votes, in which rows whose class
        does not lead by one vote cost what they lack and votes cost the length of their pattern;
        or all, each with a vote in proportion to the rows of its class that it covers. Of patterns
        that differ in neighbouring thresholds only, the first keeps the one that saves most.
    max_patterns : int, default=30
        Most patterns that ``theory="weights"`` keeps; None for no limit.
    price : float, default=1.0
        Price of a nat of the length of a pattern, when it is sought and when it gets its vote.
        Larger values give fewer patterns.
    monotonic : dict, default=None
        Known directions of columns; see ``DataBinarizer``.

    Attributes
    ----------
    patterns_ : tuple of Pattern
        The patterns, class by class, those that cover most first; each has ``label``,
        ``conditions``, ``support``, ``precision``, ``weight`` and a readable ``str()``.
    binarizer_ : DataBinarizer
        The conditions they are made of.
    classes_
    n_features_in_
    feature_names_in_

    References
    ----------
    E. Boros, P. L. Hammer, T. Ibaraki, A. Kogan, E. Mayoraz, I. Muchnik, An implementation of
    logical analysis of data, IEEE Transactions on Knowledge and Data Engineering 12, 2000.

    Examples
    --------
    >>> import partage as pt
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> lad = pt.LADClassifier(consistency=1).fit(X, y)
    >>> print(lad.patterns_[0])
    petal length (cm) <= 2 -> 0 (support 1.00, precision 1.00)
    >>> lad.predict(X.iloc[[0, 60, 120]])
    array([0, 1, 2])
    """

    method: str = "ideal"
    consistency: int = 2
    discriminants: str = "both"
    patterns: str = "priced"
    max_degree: int = 3
    min_precision: float | None = None
    min_support: float = 0.0
    n_best: int = 5
    theory: str = "weights"
    max_patterns: int | None = 30
    price: float = 1.0
    monotonic: Mapping[str, Any] | None = None
    tolerance: float = 0.0
    kinds: Mapping[str, str] | None = None
    ordered: Mapping[str, Any] | None = None
    cut_style: str = "simple"
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Find the conditions, then the patterns of every class.

        Returns
        -------
        self
            The fitted classifier.
        """
        name = type(self).__name__
        self._check(name)
        binarizer = self._make_binarizer()
        table, rows = binarizer._fit_as(name, X, y, target, sample_weight)
        codes = code_table(f"{name}.fit", binarizer._attributes, table)
        codes = codes if rows.kept is None else codes[rows.kept]
        holds, fails = satisfied(binarizer.discriminants_, binarizer._attributes, codes)
        jobs = check_jobs(name, self.n_jobs)
        classes = range(rows.n_classes)

        def find(asked: NDArray[np.float64] | None) -> list[Term]:
            looked_at = literals if asked is None else literals_of(asked)
            found = run_all(lambda k, cancel: self._find(looked_at, rows, k, cancel), classes, jobs)
            return [term for some in found for term in some]

        def literals_of(weights: NDArray[np.float64] | None) -> _core.Literals:
            return _core.Literals(_flat(holds), _flat(fails), len(codes), weights)

        literals = literals_of(rows.weights)
        if self.theory == "all":
            theory = all_patterns(find(None), rows.n_classes)
        else:
            theory = form_theory(
                find,
                lambda terms: _covered(terms, (holds, fails)),
                rows,
                binarizer.discriminants_,
                self.max_patterns,
            )
        self._set_columns(binarizer._names, has_names=hasattr(binarizer, "feature_names_in_"))
        self._target_name = binarizer._target_name
        self._store(binarizer, rows.counts(), theory)
        return self

    def _make_binarizer(self) -> DataBinarizer:
        """Make the binarizer of these parameters."""
        shared = ("method", "consistency", "discriminants", "monotonic", "tolerance", "kinds")
        return DataBinarizer(
            **{key: getattr(self, key) for key in (*shared, "ordered", "cut_style", "n_jobs")}
        )

    def _store(
        self, binarizer: DataBinarizer, class_counts: NDArray[np.float64], theory: Theory
    ) -> None:
        """Assign what was fitted."""
        labels = binarizer.classes_.tolist()
        totals = class_counts.tolist()
        self.patterns_ = make_patterns(binarizer.discriminants_, theory, labels, totals)
        self.binarizer_ = binarizer
        self.classes_ = binarizer.classes_
        self._theory = theory
        self._class_counts = class_counts
        self._prior = class_counts / class_counts.sum()
        self._library = binarizer._library

    def _fitted_to_plain(self) -> dict[str, Any]:
        theory = self._theory
        patterns = zip(theory.terms, theory.votes.tolist(), strict=True)
        return self.binarizer_._fitted_to_plain() | {
            "class_counts": self._class_counts.tolist(),
            "patterns": [
                [t.label, list(t.literals), t.positives, t.negatives, vote] for t, vote in patterns
            ],
            "base_votes": theory.base.tolist(),
            "steepness": theory.steepness,
        }

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        binarizer = self._make_binarizer()
        binarizer._restore_fitted(data)
        binarizer._set_columns(binarizer._names, has_names=data["has_names"])
        counts = read_numbers(data["class_counts"], (len(binarizer.classes_),), "class_counts")
        theory = read_theory(data, counts, 2 * len(binarizer.discriminants_))
        self._store(binarizer, counts, theory)

    def _check(self, who: str) -> None:
        """Check the parameters of patterns."""
        check_choice(who, "patterns", self.patterns, PATTERNS)
        for name in ("max_degree", "n_best"):
            check_whole(who, name, getattr(self, name))
        check_choice(who, "theory", self.theory, THEORIES)
        check_count(who, "max_patterns", self.max_patterns)
        if not _is_number(self.price) or not 0 <= self.price < float("inf"):
            refuse(who, "price", "a number of at least 0", self.price)
        least = self.min_precision
        if least is not None and not (_is_number(least) and 0 < least <= 1):
            refuse(who, "min_precision", "a number above 0 and at most 1, or None", least)
        if not _is_number(self.min_support) or not 0 <= self.min_support < 1:
            refuse(who, "min_support", "a number of at least 0 and below 1", self.min_support)

    def _find(
        self, looked_at: _core.Literals, rows: TargetRows, label: int, cancel: _core.Cancel
    ) -> list[Term]:
        """Find the terms of one class against the rest."""
        least = 0.0 if self.patterns == "priced" else 1.0
        found = _core.find_patterns(
            looked_at,
            (rows.codes == label).astype(np.uint8),
            self.patterns,
            int(self.max_degree),
            float(least if self.min_precision is None else self.min_precision),
            float(self.min_support),
            int(self.n_best),
            float(self.price),
            _MOST_WORDS,
            cancel,
        )
        return [Term(label, tuple(literals), *numbers) for literals, *numbers in found]

    def coverage(self, X: Any) -> Any:
        """Tell which patterns cover each row.

        Returns
        -------
        scipy.sparse.csr_array of bool, of shape (n_rows, n_patterns)
            One row for each row, one column for each of ``patterns_``.
        """
        from scipy import sparse

        check_is_fitted(self)
        return sparse.csr_array(self._covers_of(f"{type(self).__name__}.coverage", X))

    def _covers_of(self, who: str, X: Any) -> NDArray[np.bool_]:
        """Which patterns cover each row of a table."""
        return self._covers(who, read_fitted_columns(self, who, X))

    def _covers(self, who: str, table: Table) -> NDArray[np.bool_]:
        """Which patterns cover each row of the fitted columns, as a dense table."""
        codes = code_table(who, self.binarizer_._attributes, table)
        sides = satisfied(self.binarizer_.discriminants_, self.binarizer_._attributes, codes)
        return _covered(self._theory.terms, sides)

    def _shares(self, covers: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Turn votes into shares of the classes."""
        return self._theory.shares(covers, self._prior)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of votes of each class.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Shares, in the order of ``classes_``; those of the training rows where no pattern covers
            a row.
        """
        check_is_fitted(self)
        return self._shares(self._covers_of(f"{type(self).__name__}.predict_proba", X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with most votes.

        Returns
        -------
        ndarray of shape (n_rows,)
            Classes.
        """
        check_is_fitted(self)
        covers = self._covers_of(f"{type(self).__name__}.predict", X)
        votes = self._theory.decisive_votes(covers, self._prior)
        return np.asarray(self.classes_[votes.argmax(axis=1)])

    def to_sql(self, dialect: str = "duckdb", table: Any = "t", keep: Any = ()) -> str:
        """Write the classification as one SELECT.

        Returns
        -------
        str
            A SELECT of the share of votes of each class (``probability_...``) and of the class
            (``prediction``).
        """
        from partage._estimators.binarization.export import patterns_select

        check_is_fitted(self)
        return patterns_select(self, dialect, table, keep)

    def to_python(self) -> str:
        """Write the classification as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            gives the share of votes of each class, and the class.
        """
        from partage._estimators.binarization.export import patterns_source

        check_is_fitted(self)
        return patterns_source(self)

    def explain(self, row: Any) -> Explanation:
        """Name the patterns that cover a row.

        Parameters
        ----------
        row : dict, data frame of one row, series or sequence
            The values of the columns: by name where they have names, others beside them not
            looked at; or in the order of the fitted columns.

        Returns
        -------
        Explanation
            The class (``label``), the shares of the votes (``probabilities``) and the ``patterns``
            that cover the row, heaviest first; its ``str()`` is readable.
        """
        check_is_fitted(self)
        who = f"{type(self).__name__}.explain"
        has_names = hasattr(self, "feature_names_in_")
        covers = self._covers(
            who, read_one_row(who, row, self.binarizer_._names, has_names=has_names)
        )
        shares = self._shares(covers)[0]
        votes = self._theory.decisive_votes(covers, self._prior)[0]
        fired = [self.patterns_[k] for k in np.flatnonzero(covers[0])]
        labels = self.classes_.tolist()
        return Explanation(
            label=labels[int(votes.argmax())],
            probabilities=dict(zip(labels, shares.tolist(), strict=True)),
            patterns=tuple(sorted(fired, key=lambda pattern: -pattern.weight)),
            votes=dict(zip(labels, self._theory.sum_votes(covers)[0].tolist(), strict=True)),
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _covered(
    terms: Sequence[Term], sides: tuple[NDArray[np.bool_], NDArray[np.bool_]]
) -> NDArray[np.bool_]:
    """Which terms cover each row, from the conditions and opposites that it satisfies."""
    covers = np.ones((len(sides[0]), len(terms)), dtype=bool, order="F")
    for k, term in enumerate(terms):
        for literal in term.literals:
            covers[:, k] &= sides[literal % 2][:, literal // 2]
    return covers


def _flat(bits: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Lay a table out column after column."""
    return np.asfortranarray(bits).ravel(order="F").view(np.uint8)


def _is_number(value: object) -> bool:
    """Whether a value is a real number."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)
