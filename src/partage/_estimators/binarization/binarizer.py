"""``DataBinarizer``: few conditions on single columns that separate the classes."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from partage import _core
from partage._data.column_kinds import ColumnKinds
from partage._data.table import Table, read_table
from partage._estimators.binarization.consistency import ConsistencyReport, make_report
from partage._estimators.binarization.discriminants import (
    Attribute,
    candidates_of_parts,
    code_table,
    list_discriminants,
    make_examples,
    n_candidates,
    read_attribute,
    satisfied,
)
from partage._estimators.binarization.file import attribute_to_plain, read_attribute_of
from partage._estimators.columns import read_fitted_columns
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator, TransformerMixin
from partage._saving.partitions import read_numbers
from partage._saving.plain import classes_to_plain, read_classes
from partage._saving.savable import Savable
from partage._support.checks import (
    CUT_STYLES,
    check_choice,
    check_count,
    check_jobs,
    check_names,
    check_whole,
    refuse,
)
from partage._support.parallel import run_all
from partage._targets.read import check_not_among, read_target, take_target, target_name
from partage._targets.target import TargetRows, check_lengths

DISCRIMINANTS = ("cover", "modl", "both")
OUTPUTS = ("uint8", "bool", "sparse")
_SIGNS: dict[Any, int] = {"ascending": 1, "descending": -1, 1: 1, -1: -1}
_MOST_PAIRS = 100_000_000  # of blocks of rows, some 2 GB


@functools.cache
def covers() -> dict[str, dict[str, Any]]:
    """Describe the methods, asked from the core once."""
    return {row["name"]: row for row in _core.covers()}


@public
@dataclass(kw_only=True, eq=False, repr=False)
class DataBinarizer(TransformerMixin, Savable, BaseEstimator):
    """Turn a table into the few 0/1 columns that keep its classes apart.

    A scikit-learn transformer. Candidates are the boundary thresholds of every ordered column and
    the values of every other; of these a small set is kept such that any two rows of different
    classes differ in at least ``consistency`` of the new columns, or in as many as all candidates
    together give where that is less. A missing value satisfies no condition and separates nothing.

    Parameters
    ----------
    method : str, default="ideal"
        ``"ideal"`` drops candidates of least merit while every pair of rows keeps enough
        separators; ``"ideal-by-attribute"`` counts the columns that separate a pair, as the tables
        of the paper do; ``"greedy"`` adds the candidate that separates most pairs still in need;
        ``"simple-greedy"`` is the same for a consistency of 1; ``"tree"`` takes the nodes of an
        unpruned decision tree.
    discriminants : {"cover", "modl", "both"}, default="cover"
        Which candidates are kept: those that ``method`` chooses, so that rows of different classes
        stay apart; the cuts of MODL, and the values of columns that it groups, which are few and
        leave out columns that say nothing alone; or both.
    merit : {"local", "global"}, default="local"
        Which candidates an elimination tries first: those with the fewest pairs that no other
        condition on their column separates, or those with the fewest pairs in all. The local merit
        spreads the conditions over the columns.
    max_discriminants : int, default=None
        Upper limit for the number kept, even if pairs are left without separators.
    early_stopping : int, default=None
        End an elimination once this many candidates in a row proved necessary; the rest is kept
        untested.
    monotonic : dict, default=None
        Known directions, by column name: ``"ascending"`` (or +1) where larger values go with later
        classes of ``classes_``, ``"descending"`` (or -1) where with earlier ones. Separations
        against the direction do not count.
    output : {"uint8", "bool", "sparse"}, default="uint8"
        What ``transform`` gives: a matrix of 0 and 1, of booleans, or a sparse matrix.

    Attributes
    ----------
    discriminants_ : tuple of Discriminant
        The conditions that were kept, by column and value: each has ``column``, ``kind``
        (``"threshold"`` or ``"value"``), ``value``, ``merit`` and a readable ``str()``.
    n_candidates_ : int
        Number of conditions to choose from.
    classes_
    n_features_in_
    feature_names_in_

    References
    ----------
    E. Mayoraz, M. Moreira, Combinatorial approach for data binarization, PKDD 1999.

    Examples
    --------
    >>> import pandas as pd
    >>> import partage as pt
    >>> df = pd.DataFrame({"age": [31, 44, 52, 60], "sky": ["red", "grey", "blue", "grey"]})
    >>> b = pt.DataBinarizer().fit(df, ["no", "no", "yes", "yes"])
    >>> [str(d) for d in b.discriminants_]
    ['age > 48']
    >>> b.transform(df).ravel()
    array([0, 0, 1, 1], dtype=uint8)
    """

    method: str = "ideal"
    discriminants: str = "cover"
    consistency: int = 1
    merit: str = "local"
    max_discriminants: int | None = None
    early_stopping: int | None = None
    monotonic: Mapping[str, Any] | None = None
    tolerance: float = 0.0
    kinds: Mapping[str, str] | None = None
    ordered: Mapping[str, Any] | None = None
    cut_style: str = "midpoint"
    output: str = "uint8"
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Choose the conditions.

        Parameters
        ----------
        sample_weight : array-like of shape (n_rows,), default=None
            Frequency of each row; it weighs the pairs that merits and the tolerance count.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit_as(type(self).__name__, X, y, target, sample_weight)
        return self

    def _fit_as(
        self, name: str, X: Any, y: Any, target: str | None, sample_weight: Any
    ) -> tuple[Table, TargetRows]:
        """Choose the conditions in the name of an estimator; hand back what was read."""
        who = f"{name}.fit"
        kinds = self._check(name)
        named = target_name(y, target)
        X, y = take_target(who, X, y, target)
        table = read_table(who, X)
        check_not_among(who, table, y)
        kinds.check_names(who, table)
        validate_data(self, X, skip_check_array=True)
        rows = read_target(who, y, sample_weight)
        check_lengths(who, "X", table.n_rows, rows)
        _check_classes(who, rows)
        attributes = run_all(
            lambda index, _: read_attribute(who, table, index, kinds, rows, self.cut_style),
            range(len(table.names)),
            check_jobs(name, self.n_jobs),
        )
        directions = _read_directions(who, self.monotonic, table, attributes)
        codes = code_table(who, attributes, table)
        codes = codes if rows.kept is None else codes[rows.kept]
        examples = make_examples(attributes, codes, rows, directions)
        kept = np.zeros(examples.n_discriminants, dtype=np.uint8)
        if self.discriminants != "modl":
            kept |= self._find_cover(who, examples)
        if self.discriminants != "cover":
            jobs = check_jobs(name, self.n_jobs)
            kept |= candidates_of_parts(who, table, attributes, kinds, rows, self.cut_style, jobs)
        merits = examples.merits(kept, self.merit == "global")
        self.discriminants_ = list_discriminants(table.names, attributes, kept, merits)
        self.n_candidates_ = int(examples.n_discriminants)
        self.classes_ = rows.classes
        self._attributes, self._directions, self._kept = attributes, directions, kept
        self._names, self._library = table.names, table.library
        self._target_name = named
        return table, rows

    def _fitted_to_plain(self) -> dict[str, Any]:
        columns = zip(self._names, self._attributes, strict=True)
        return {
            **classes_to_plain(self.classes_),
            "columns": [attribute_to_plain(name, attribute) for name, attribute in columns],
            "directions": self._directions.tolist(),
            "kept": np.flatnonzero(self._kept).tolist(),
            "merits": [discriminant.merit for discriminant in self.discriminants_],
        }

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        names = [column["name"] for column in data["columns"]]
        attributes = [read_attribute_of(column) for column in data["columns"]]
        kept = np.zeros(sum(map(n_candidates, attributes)), dtype=np.uint8)
        if len(set(data["kept"])) < len(data["kept"]) or min(data["kept"], default=0) < 0:
            raise ValueError("kept conditions must differ")
        kept[data["kept"]] = 1
        merits = read_numbers(data["merits"], (len(data["kept"]),), "merits")
        directions = np.array(data["directions"], dtype=np.int8)
        if directions.shape != (len(names),) or not (np.abs(directions) <= 1).all():
            raise ValueError("directions must be -1, 0 or 1, one for each column")
        self.discriminants_ = list_discriminants(names, attributes, kept, merits)
        self.n_candidates_ = len(kept)
        self.classes_ = read_classes(data)
        self._attributes, self._directions, self._kept = attributes, directions, kept
        self._names, self._library = names, str(data["library"])

    def _check(self, who: str) -> ColumnKinds:
        """Check the constructor's parameters."""
        method = check_choice(who, "method", self.method, list(covers()))
        check_choice(who, "discriminants", self.discriminants, DISCRIMINANTS)
        check_choice(who, "merit", self.merit, ("local", "global"))
        check_choice(who, "output", self.output, OUTPUTS)
        check_choice(who, "cut_style", self.cut_style, CUT_STYLES)
        check_whole(who, "consistency", self.consistency)
        most = covers()[method]["max_consistency"]
        if most and self.consistency > most:
            raise ValueError(
                f"{who}: consistency must be {most} with method={method!r}; got "
                f"{self.consistency!r}. Use 'ideal' or 'greedy'."
            )
        check_count(who, "max_discriminants", self.max_discriminants)
        check_count(who, "early_stopping", self.early_stopping)
        if self.early_stopping is not None and not covers()[method]["is_eliminative"]:
            raise ValueError(
                f"{who}: early_stopping must be None with method={method!r}, which eliminates "
                f"nothing; got {self.early_stopping!r}. Use max_discriminants or tolerance."
            )
        is_number = isinstance(self.tolerance, numbers.Real) and not isinstance(
            self.tolerance, bool
        )
        if not is_number or not 0 <= self.tolerance < 1:
            refuse(who, "tolerance", "a number of at least 0 and below 1", self.tolerance)
        _check_monotonic(who, self.monotonic)
        if method == "tree" and (self.tolerance > 0 or self.monotonic):
            raise ValueError(
                f"{who}: method='tree' takes neither tolerance nor monotonic, since it counts no "
                "pairs; use 'ideal' or 'greedy'."
            )
        return ColumnKinds.check(who, self.kinds, self.ordered)

    def _find_cover(self, who: str, examples: _core.Examples) -> NDArray[np.uint8]:
        """Let the core choose."""
        try:
            return np.asarray(
                _core.find_cover(
                    examples,
                    self.method,
                    int(min(self.consistency, examples.n_discriminants + 1)),
                    self.merit == "global",
                    float(self.tolerance),
                    int(self.max_discriminants or 0),
                    int(self.early_stopping or 0),
                    _MOST_PAIRS,
                    None,
                )
            )
        except _core.TooManyPairs:
            raise MemoryError(
                f"{who}: method={self.method!r} with consistency={self.consistency} would hold "
                f"more than {_MOST_PAIRS} pairs of groups of rows; use method='ideal', a smaller "
                "consistency, or fewer rows."
            ) from None

    def _codes(self, who: str, X: Any) -> NDArray[np.uint32]:
        """Codes of the rows of a table with the fitted columns."""
        return code_table(who, self._attributes, read_fitted_columns(self, who, X))

    def transform(self, X: Any) -> NDArray[Any]:
        """Tell which conditions each row satisfies.

        Returns
        -------
        array of shape (n_rows, n_discriminants)
            1 where a row satisfies a condition; 0 where it does not, or where the value is missing
            or unknown.
        """
        check_is_fitted(self)
        who = type(self).__name__
        check_choice(who, "output", self.output, OUTPUTS)
        codes = self._codes(f"{who}.transform", X)
        holds, _ = satisfied(self.discriminants_, self._attributes, codes)
        if self.output == "bool":
            return holds
        if self.output == "sparse":
            from scipy import sparse

            found: Any = sparse.csr_array(holds, dtype=np.uint8)
            return found  # type: ignore[no-any-return]  # as set_output: what was asked for
        return holds.astype(np.uint8)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns that ``transform`` gives: the conditions.

        Returns
        -------
        ndarray of str
            One condition for each column, such as ``age > 45.5``.
        """
        from sklearn.utils.validation import _check_feature_names_in

        check_is_fitted(self)
        columns = _check_feature_names_in(self, input_features)
        names = [
            str(d).replace(d.column, str(columns[d.column_idx]), 1) for d in self.discriminants_
        ]
        # The number 1 and the text "1" may both be values of a column.
        twice = {name for name in names if names.count(name) > 1} if _repeats(names) else set()
        named = zip(names, self.discriminants_, strict=True)
        full = [f"{d.column} = {d.value!r}" if name in twice else name for name, d in named]
        return np.array(full, dtype=object)

    def to_sql(self, dialect: str = "duckdb", table: Any = "t", keep: Any = ()) -> str:
        """Write the conditions as one SELECT.

        Returns
        -------
        str
            A SELECT of 1 or 0 for each condition, under its name.
        """
        from partage._estimators.binarization.export import conditions_select

        check_is_fitted(self)
        return conditions_select(self, dialect, table, keep)

    def to_python(self) -> str:
        """Write the conditions as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            gives 1 or 0 for each condition of one row, under its name.
        """
        from partage._estimators.binarization.export import conditions_source

        check_is_fitted(self)
        return conditions_source(self)

    def consistency_report(self, X: Any, y: Any) -> ConsistencyReport:
        """Say how well the conditions keep the classes of some rows apart.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            A table with the columns that were fitted.
        y : array-like of shape (n_rows,)
            The class of each row.

        Returns
        -------
        ConsistencyReport
            Pairs of rows of different classes (``n_pairs``), the fewest separators of one
            (``smallest_separation``), the pairs that no condition separates (``n_unseparated``),
            those that no candidate does (``n_inseparable``), those short of ``consistency``
            separators (``n_short``), and one row for each column (``columns``).
        """
        check_is_fitted(self)
        who = f"{type(self).__name__}.consistency_report"
        codes = self._codes(who, X)
        rows = read_target(who, y)
        check_lengths(who, "X", len(codes), rows)
        examples = make_examples(self._attributes, codes, rows, self._directions)
        return make_report(self, examples, codes, rows)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _repeats(names: list[str]) -> bool:
    """Whether a name stands twice."""
    return len(set(names)) < len(names)


def _check_classes(who: str, rows: TargetRows) -> None:
    """Refuse a target without two classes."""
    if rows.n_classes < 2:
        raise ValueError(
            f"{who}: y must hold at least two classes; got one class, "
            f"{rows.classes.tolist()[0]!r}: there is nothing to separate."
        )


def _check_monotonic(who: str, monotonic: Any) -> None:
    """Check the directions."""
    if monotonic is None:
        return
    if not isinstance(monotonic, Mapping):
        refuse(who, "monotonic", "a dict or None", monotonic)
    for name, sign in monotonic.items():
        if isinstance(sign, bool) or sign not in _SIGNS:
            refuse(who, f"monotonic[{name!r}]", "'ascending', 'descending', +1 or -1", sign)


def _read_directions(
    who: str, monotonic: Any, table: Table, attributes: list[Attribute]
) -> NDArray[np.int8]:
    """Direction of each column, 0 where none is known."""
    directions = np.zeros(len(attributes), dtype=np.int8)
    check_names(who, "monotonic", monotonic or {}, table)
    for name, sign in (monotonic or {}).items():
        index = table.names.index(name)
        if not attributes[index].has_order:
            raise ValueError(
                f"{who}: monotonic must name columns with an order; got {name!r}, whose values "
                "have none. Give its order in ordered, or leave it out."
            )
        directions[index] = _SIGNS[sign]
    return directions
