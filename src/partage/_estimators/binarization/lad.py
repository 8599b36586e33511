"""``LADClassifier``: patterns on binary data, and their vote (Logical Analysis of Data)."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from partage import _core
from partage._data.one_row import read_one_row
from partage._data.table import Table
from partage._estimators.binarization.binarizer import DataBinarizer
from partage._estimators.binarization.discriminants import Discriminant, code_table, satisfied
from partage._estimators.columns import read_fitted_columns
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator, ClassifierMixin
from partage._saving.partitions import read_numbers
from partage._saving.savable import Savable
from partage._support.checks import check_choice, check_jobs, check_whole, refuse
from partage._support.parallel import run_all
from partage._targets.target import TargetRows

PATTERNS = ("prime", "maximal")
_Term = tuple[tuple[int, ...], float, float]  # literals, rows of the class and others they cover
_MOST_WORDS = 200_000_000  # of bits that the enumeration for one class may read


@dataclass(frozen=True)
class Pattern:
    """Conditions that hold together for rows of one class, and rarely or never for others.

    Attributes
    ----------
    label : object
        The class it speaks for.
    conditions : tuple of str
        The conditions, all of which a row must satisfy.
    n_positive, n_negative : float
        Training rows that it covers, of its class and of the others.
    support : float
        Share of its class that it covers.
    precision : float
        Share of its class among the rows it covers.
    weight : float
        Its vote; the votes of a class sum to 1.
    """

    label: Any
    conditions: tuple[str, ...]
    n_positive: float
    n_negative: float
    support: float
    weight: float
    literals: tuple[int, ...] = field(repr=False)

    @property
    def precision(self) -> float:
        """Share of its class among the rows it covers."""
        return self.n_positive / (self.n_positive + self.n_negative)

    def __str__(self) -> str:
        return (
            f"{' and '.join(self.conditions) or 'always'} -> {self.label} "
            f"(support {self.support:.2f}, precision {self.precision:.2f})"
        )


@dataclass(frozen=True)
class Explanation:
    """Why a row was given its class.

    Attributes
    ----------
    label : object
        The class.
    probabilities : dict
        Share of the votes of each class.
    patterns : tuple of Pattern
        The patterns that cover the row, heaviest first.
    """

    label: Any
    probabilities: dict[Any, float]
    patterns: tuple[Pattern, ...]

    def __str__(self) -> str:
        votes = ", ".join(f"{label} {share:.2f}" for label, share in self.probabilities.items())
        fired = [f"  {pattern}" for pattern in self.patterns] or [
            "  no pattern covers it: the shares of the classes decide"
        ]
        return "\n".join([f"{self.label} ({votes})", *fired])


def _make_patterns(
    discriminants: tuple[Discriminant, ...], label: Any, terms: list[_Term], total: float
) -> list[Pattern]:
    """Describe the terms of a class; their votes are the rows of the class that they cover."""
    votes = sum(positives for _, positives, _ in terms)
    return [
        Pattern(
            label=label,
            conditions=tuple(
                discriminants[k // 2].negated() if k % 2 else str(discriminants[k // 2])
                for k in term
            ),
            n_positive=positives,
            n_negative=negatives,
            support=positives / total,
            weight=positives / votes,
            literals=term,
        )
        for term, positives, negatives in terms
    ]


@public
@dataclass(kw_only=True, eq=False, repr=False)
class LADClassifier(ClassifierMixin, Savable, BaseEstimator):
    """Classify by readable patterns on binary data, each with a vote.

    The table is turned into conditions by ``DataBinarizer``; for every class, against the rest,
    patterns are sought: conjunctions of few conditions, or of their opposites, that cover rows of
    that class only. A row gets the class of the greatest share of votes. Missing values satisfy
    neither a condition nor its opposite.

    Parameters
    ----------
    method : str, default="ideal"
        How conditions are chosen; see ``DataBinarizer``.
    consistency : int, default=2
        Conditions in which rows of different classes must differ. Larger values give more
        conditions to choose patterns from.
    patterns : {"prime", "maximal"}, default="prime"
        ``"prime"`` enumerates the patterns of at most ``max_degree`` conditions of which none can
        be left out, and keeps those that cover most; rows that none covers give a pattern grown
        from them. ``"maximal"`` grows a pattern of wide coverage from every row.
    max_degree : int, default=3
        Conditions of an enumerated pattern. It is lowered, to no less than 2, where an enumeration
        would read more than 2e8 words of bits.
    min_precision : float, default=1.0
        Least share of its class among the rows that a pattern covers. Below 1 patterns may cover a
        few rows of other classes, which suits noisy data.
    min_support : float, default=0.0
        Least share of its class that an enumerated pattern covers.
    n_best : int, default=5
        Patterns that each row gives to the theory, by coverage, where they are enumerated. Larger
        values give more patterns and a steadier vote.
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
    petal length (cm) <= 2.45 -> 0 (support 1.00, precision 1.00)
    >>> lad.predict(X.iloc[[0, 60, 120]])
    array([0, 1, 2])
    """

    method: str = "ideal"
    consistency: int = 2
    patterns: str = "prime"
    max_degree: int = 3
    min_precision: float = 1.0
    min_support: float = 0.0
    n_best: int = 5
    monotonic: Mapping[str, Any] | None = None
    tolerance: float = 0.0
    kinds: Mapping[str, str] | None = None
    ordered: Mapping[str, Any] | None = None
    cut_style: str = "midpoint"
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
        literals = _core.Literals(_flat(holds), _flat(fails), len(codes), rows.weights)
        n_jobs = check_jobs(name, self.n_jobs)
        found = run_all(
            lambda label, cancel: self._find(literals, rows, label, cancel),
            range(rows.n_classes),
            n_jobs,
        )
        self._set_columns(binarizer._names, has_names=hasattr(binarizer, "feature_names_in_"))
        self._target_name = binarizer._target_name
        self._store(binarizer, rows.counts(), found)
        return self

    def _make_binarizer(self) -> DataBinarizer:
        """Make the binarizer of these parameters."""
        shared = ("method", "consistency", "monotonic", "tolerance", "kinds", "ordered")
        return DataBinarizer(
            **{key: getattr(self, key) for key in (*shared, "cut_style", "n_jobs")}
        )

    def _store(
        self, binarizer: DataBinarizer, class_counts: NDArray[np.float64], found: list[list[_Term]]
    ) -> None:
        """Assign what was fitted, from the terms that were found for each class."""
        labels = binarizer.classes_.tolist()
        self.patterns_ = tuple(
            pattern
            for label, terms, total in zip(labels, found, class_counts.tolist(), strict=True)
            for pattern in _make_patterns(binarizer.discriminants_, label, terms, total)
        )
        self.binarizer_ = binarizer
        self.classes_ = binarizer.classes_
        self._class_counts = class_counts
        self._prior = class_counts / class_counts.sum()
        self._speaks_for = np.repeat(np.arange(len(found)), [len(terms) for terms in found])
        self._library = binarizer._library

    def _fitted_to_plain(self) -> dict[str, Any]:
        patterns = zip(self._speaks_for.tolist(), self.patterns_, strict=True)
        return self.binarizer_._fitted_to_plain() | {
            "class_counts": self._class_counts.tolist(),
            "patterns": [
                [label, list(p.literals), p.n_positive, p.n_negative] for label, p in patterns
            ],
        }

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        binarizer = self._make_binarizer()
        binarizer._restore_fitted(data)
        binarizer._set_columns(binarizer._names, has_names=data["has_names"])
        counts = read_numbers(data["class_counts"], (len(binarizer.classes_),), "class_counts")
        n_literals = 2 * len(binarizer.discriminants_)
        found: list[list[_Term]] = [[] for _ in binarizer.classes_]
        for label, literals, *covered in data["patterns"]:
            positives, negatives = read_numbers(covered, (2,), "covered rows").tolist()
            if label not in range(len(found)) or not set(literals) <= set(range(n_literals)):
                raise ValueError("a pattern has no such class or condition")
            if not 0 < positives <= counts[label]:
                raise ValueError("a pattern covers more rows than there are, or none")
            found[label].append((tuple(literals), positives, negatives))
        self._store(binarizer, counts, found)

    def _check(self, who: str) -> None:
        """Check the parameters of patterns."""
        check_choice(who, "patterns", self.patterns, PATTERNS)
        for name in ("max_degree", "n_best"):
            check_whole(who, name, getattr(self, name))
        if not _is_number(self.min_precision) or not 0 < self.min_precision <= 1:
            refuse(who, "min_precision", "a number above 0 and at most 1", self.min_precision)
        if not _is_number(self.min_support) or not 0 <= self.min_support < 1:
            refuse(who, "min_support", "a number of at least 0 and below 1", self.min_support)

    def _find(
        self, literals: _core.Literals, rows: TargetRows, label: int, cancel: _core.Cancel
    ) -> list[_Term]:
        """Find the terms of one class against the rest."""
        found: list[_Term] = _core.find_patterns(
            literals,
            (rows.codes == label).astype(np.uint8),
            self.patterns == "maximal",
            int(self.max_degree),
            float(self.min_precision),
            float(self.min_support),
            int(self.n_best),
            _MOST_WORDS,
            cancel,
        )
        return found

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
        covers = np.ones((len(codes), len(self.patterns_)), dtype=bool, order="F")
        for k, pattern in enumerate(self.patterns_):
            for literal in pattern.literals:
                covers[:, k] &= sides[literal % 2][:, literal // 2]
        return covers

    def _shares(self, covers: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Turn votes into shares of the classes."""
        votes = np.zeros((len(covers), len(self.classes_)))
        weights = np.array([pattern.weight for pattern in self.patterns_])
        for label in range(len(self.classes_)):
            own = self._speaks_for == label
            votes[:, label] = np.where(covers[:, own], weights[own], 0.0).sum(axis=1)
        # Without a vote, and between equal ones, the shares of the classes decide.
        votes += 1e-12 * self._prior
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))

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
        """Return the class with the greatest share of votes.

        Returns
        -------
        ndarray of shape (n_rows,)
            Classes.
        """
        check_is_fitted(self)
        shares = self._shares(self._covers_of(f"{type(self).__name__}.predict", X))
        return np.asarray(self.classes_[shares.argmax(axis=1)])

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
        fired = [self.patterns_[k] for k in np.flatnonzero(covers[0])]
        return Explanation(
            label=self.classes_.tolist()[int(shares.argmax())],
            probabilities=dict(zip(self.classes_.tolist(), shares.tolist(), strict=True)),
            patterns=tuple(sorted(fired, key=lambda pattern: -pattern.weight)),
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _flat(bits: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Lay a table out column after column."""
    return np.asfortranarray(bits).ravel(order="F").view(np.uint8)


def _is_number(value: object) -> bool:
    """Whether a value is a real number."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)
