"""What a fitted additive model can be asked: terms, rows, exports."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from partage._data.one_row import read_one_row
from partage._estimators.additive.terms import Name, Term
from partage._estimators.public import public
from partage._partitions.partition import Partition
from partage._support.frames import Frame, make_frame
from partage._support.portable import LOG_2


@public
class ShownAdditive:
    """An additive model that was fitted, and what it shows."""

    terms_: dict[Name, Term]
    intercept_: NDArray[np.float64]
    partitions_: dict[str, Partition]
    classes_: NDArray[Any]
    _library: str
    _given: tuple[Any, ...]

    def _output_names(self) -> list[str]:
        """Names of the scores; one score has none."""
        return [""]

    def __getitem__(self, name: Any) -> Term:
        """Give a term: of a column, or of a pair of columns."""
        check_is_fitted(self)
        return find_term(type(self).__name__, self.terms_, name)

    def summary(self) -> Frame:
        """One row per term, the most important first, as a data frame.

        Returns
        -------
        DataFrame
            ``term``, ``kind`` (curve, groups or pair), ``parts``, ``importance`` (mean distance of
            the contributions from 0), ``lowest`` and ``highest`` contribution, ``evidence`` in
            bits against none, and ``certainty``, the probability that there is an effect.
        """
        check_is_fitted(self)
        terms = sorted(self.terms_.values(), key=lambda term: -term.importance)
        columns = {
            "term": [term.label for term in terms],
            "kind": [_kind(term) for term in terms],
            "parts": [term.n_parts for term in terms],
            "importance": [term.importance for term in terms],
            "lowest": [float(term.contributions.min()) for term in terms],
            "highest": [float(term.contributions.max()) for term in terms],
            "evidence": [term.evidence / LOG_2 for term in terms],
            "certainty": [term.certainty for term in terms],
        }
        return make_frame(columns, self._library)

    def explain(self, row: Any) -> Frame:
        """Say what each term adds to the score of one row, the most first, as a data frame.

        Parameters
        ----------
        row : dict, data frame of one row, series or sequence
            The values of the columns: by name where they have names, others beside them not
            looked at; or in the order of the fitted columns.

        Returns
        -------
        DataFrame
            ``term``, ``value``, ``part`` and ``contribution``, or one contribution for each class;
            their sum is the score. The first row is what all rows share.
        """
        check_is_fitted(self)
        who = f"{type(self).__name__}.explain"
        names = list(self.partitions_)
        table = read_one_row(who, row, names, has_names=hasattr(self, "feature_names_in_"))
        found = []
        for term in self.terms_.values():
            places = [names.index(column) for column in term.columns]
            axes = zip(term.axes, places, strict=True)
            code = int(term.codes([axis._assign_from(who, table, i) for axis, i in axes])[0])
            values = ", ".join(str(_value(table, i)) for i in places)
            found.append((term.label, values, term.labels()[code], term.table[code]))
        found.sort(key=lambda one: -float(np.abs(one[3]).max()))
        rows = [("(all rows)", "", "", self.intercept_), *found]
        columns: dict[str, Any] = {
            title: [one[i] for one in rows] for i, title in enumerate(("term", "value", "part"))
        }
        for j, name in enumerate(self._output_names()):
            title = f"contribution_{name}" if name else "contribution"
            columns[title] = [float(one[3][j]) for one in rows]
        return make_frame(columns, self._library)

    def to_sql(self, dialect: str = "duckdb", table: Any = "t", keep: Any = ()) -> str:
        """Write the prediction as one SELECT.

        Returns
        -------
        str
            A SELECT of the scores, and of what they predict.
        """
        from partage._estimators.additive.export import additive_select

        check_is_fitted(self)
        return additive_select(self, dialect, table, keep)

    def to_python(self) -> str:
        """Write the prediction as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            gives the scores of one row, and what they predict.
        """
        from partage._estimators.additive.export import additive_source

        check_is_fitted(self)
        return additive_source(self)

    def plot(self, term: Any, ax: Any = None) -> Any:
        """Draw a term: a curve with its band, or the lattice of a pair.

        Parameters
        ----------
        term : str or tuple of str
            The column, or both columns of a pair.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._display.additive import plot_term

        check_is_fitted(self)
        found = find_term(f"{type(self).__name__}.plot", self.terms_, term)
        return plot_term(found, self._output_names(), ax)

    def edit(
        self,
        term: Any,
        change: Any,
        X: Any = None,
        y: Any = None,
        *,
        target: Any = None,
        sample_weight: Any = None,
        exposure: Any = None,
    ) -> Any:
        """Give a term another shape; the others stay as they are.

        Parameters
        ----------
        term : str or tuple of str
            The column, or both columns of a pair.
        change : {"flat", "ascending", "descending"} or int
            ``"flat"`` takes the term out; a trend makes a curve rise or fall; a number joins its
            parts to at most so many (of a pair, those of each column).

        Returns
        -------
        AdditiveClassifier or AdditiveRegressor
            A new model; its ``changes_`` says what the edit costs.
        """
        from partage._estimators.additive.edit import edited_term

        who = f"{type(self).__name__}.edit"
        check_is_fitted(self)
        found = find_term(who, self.terms_, term)
        new = edited_term(who, found, change)
        terms = {name: new if one is found else one for name, one in self.terms_.items()}
        kept = {name: one for name, one in terms.items() if one is not None}
        given = X, y, target, sample_weight, exposure
        return self._priced(who, kept, f"{found.label}: {change}", given)

    def simplify(
        self,
        max_parts: int | None = 5,
        keep: float = 0.99,
        X: Any = None,
        y: Any = None,
        *,
        target: Any = None,
        sample_weight: Any = None,
        exposure: Any = None,
    ) -> Any:
        """Join the parts of every term: the fewest that keep a share of its variance.

        Parameters
        ----------
        max_parts : int, default=5
            Upper limit for the number of parts of each column, also in a pair.
        keep : float, default=0.99
            Share of the variance of a term that its parts keep, unless the limit forbids it.

        Returns
        -------
        AdditiveClassifier or AdditiveRegressor
            A new model; its ``changes_`` says what it loses.
        """
        from partage._estimators.additive.edit import check_simple, simple_term

        who = f"{type(self).__name__}.simplify"
        check_is_fitted(self)
        most, share = check_simple(who, max_parts, keep)
        terms = {name: simple_term(term, most, share) for name, term in self.terms_.items()}
        given = X, y, target, sample_weight, exposure
        return self._priced(who, terms, f"at most {most} parts, {share:g} kept", given)

    def report(self, path: Any = None, *, title: str = "") -> Any:
        """Show the terms on a page.

        Parameters
        ----------
        path : str or Path, default=None
            Where the page is written, too.
        title : str, default=""
            What the model is called; by default the name of the estimator.

        Returns
        -------
        ReportPage
            Notebooks show it; ``save`` writes it.
        """
        from partage._report.additive import additive_page

        check_is_fitted(self)
        page = additive_page(self, title or type(self).__name__)
        if path is not None:
            page.save(path)
        return page

    def _priced(self, who: str, terms: dict[Name, Term], what: str, given: tuple[Any, ...]) -> Any:
        """Give a model of other terms, priced on the rows of a call or on those of the fit."""
        from partage._estimators.additive.edit import with_terms

        return with_terms(self, terms, what, self._rows_given(who, given))

    def _rows_given(self, who: str, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """Give the rows of a call, or those of the fit."""
        if given[0] is not None:
            return given
        if not hasattr(self, "_given"):
            raise ValueError(
                f"{who}: X must be given; this model comes from a file, which does not hold the "
                "rows of the fit."
            )
        kept: tuple[Any, ...] = self._given
        return kept


def find_term(who: str, terms: dict[Name, Term], name: Any) -> Term:
    """Find a term by name; a pair by its columns in any order."""
    import difflib

    if isinstance(name, (list, tuple)):
        if len(name) == 2 and name[0] == name[1]:
            raise ValueError(
                f"{who}: a pair must have two columns; got {tuple(name)!r}. A column has its own "
                "curve."
            )
        for key in (tuple(name), tuple(name)[::-1]):
            if key in terms:
                return terms[key]
    elif isinstance(name, str) and name in terms:
        return terms[name]
    known = [term.label for term in terms.values()]
    label = " x ".join(map(str, name)) if isinstance(name, (list, tuple)) else str(name)
    near = difflib.get_close_matches(label, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(map(repr, known))}."
    if not known:
        hint = "the model has none."
    raise KeyError(f"{who}: there is no term {label!r}; {hint}")


def _kind(term: Term) -> str:
    """Say what a term is."""
    if term.is_pair:
        return "pair"
    return "curve" if term.axes[0].rule.is_line else "groups"


def _value(table: Any, index: int) -> Any:
    """First value of a column, as the user knows it."""
    source = table.source
    return source[0, index] if isinstance(source, np.ndarray) else table.series(index)[0]


__all__ = ["ShownAdditive", "find_term"]
