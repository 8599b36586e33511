"""``GraphPartitioner``: parts of a table taken as a whole, or of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from partage._data.table import read_table
from partage._estimators.columns import read_fitted_columns
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator, TransformerMixin
from partage._graphs.describe import describe_cells
from partage._graphs.fit import check_graph_settings
from partage._graphs.models import fit_given_graph, fit_points, graph_of_points
from partage._graphs.nearest import group_by_links
from partage._graphs.points import choose_scale, read_points
from partage._graphs.repeats import repeat_rows
from partage._support.frames import Frame
from partage._targets.read import check_not_among, read_target, take_target, target_name
from partage._targets.target import check_lengths

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@public
@dataclass(kw_only=True, eq=False, repr=False)
class BaseGraphPartitioner(BaseEstimator):
    """Fits parts of a proximity graph; new objects join the part of their nearest one.

    Parameters
    ----------
    method : {"auto", "bipartition", "agglomerative", "prototypes"}, default="auto"
        ``"auto"`` takes ``"bipartition"`` where ``graph`` is given, and for tables of at most two
        columns and 5,000 rows, ``"prototypes"`` for others; ``partition_.method`` says which.
        These cut balls off recursively while that shortens the description; merge adjacent groups,
        starting from balls of one class, to the shortest description of the whole partition; or
        choose prototypes, each with the rows it is nearest to, which needs no graph and suits large
        and wide tables. Levels of methods compare on most tables: the higher one says more of new
        rows.
    graph : {"gabriel", "rng", "knn", "delaunay"} or a graph, default="gabriel"
        How rows are linked: Gabriel's graph, relative neighbours, nearest neighbours, Delaunay's
        graph in 2 or 3 dimensions. Or a graph of your own: an adjacency (scipy sparse or array), a
        networkx graph or a list of edges; it need not be connected.
    balls : {"global", "local", "trace"}, default="global"
        Balls of ``"bipartition"`` inside a subset: those of the whole graph as in the paper, those
        of the graph that the subset induces, or those of the whole graph cut down to the subset.
    null_prior : {"paper", "half"}, default="paper"
        What ``"bipartition"`` expects of a subset: not to be cut, as likely as any size of ball, as
        in the paper; or as likely as to be cut, which leaves noise whole.
    prune : bool, default=True
        Whether ``"bipartition"`` undoes cuts that do not pay for themselves in the code of the
        whole recursion, so that no result costs more than one group. The paper keeps them.
    init : {"all", "balls", "classes", "bipartition", "singletons"}, default="all"
        Where ``"agglomerative"`` starts: the largest balls of one class as in the paper, objects
        of one class that hang together, the parts of ``"bipartition"``, or single objects. By
        default all but the last, one after the other, and what they have in common; the shortest
        description is kept. From 6,000 objects on, the default leaves the balls out.
    grouping : {"any", "connected"}, default="any"
        How ``"agglomerative"`` encodes the grouping of balls: as one among all groupings as in the
        paper, or as one that joins neighbours, which finds groups in fewer objects.
    moves : bool, default=True
        Whether ``"agglomerative"`` then moves balls and objects between groups, and cuts balls off
        them, while that helps. The paper's search is ``init="balls", moves=False``.
    max_ball_size : int, default=None
        Largest ball looked at, in objects; for large graphs. All by default.
    n_centers : int, default=None
        Centres, evenly spread, whose balls of any size are examined. For ``"prototypes"``
        the rows to choose from; by default all up to 2000, and three samples of 2000 of more.
    metric : str or callable, default="euclidean"
        A distance of scipy, or a function of two rows.
    scale : {"auto", "minmax", "standard"} or None, default="auto"
        Bring each column to [0, 1], or to mean 0 and variance 1, first. ``"auto"`` does the latter
        where the ranges of two columns differ by more than three times, and ``scale_`` says
        whether it did; None leaves columns as they are, as in the papers, so that a column of large
        numbers alone decides who is near.
    n_neighbors : int, default=10
        Neighbours of each row where ``graph="knn"``.
    verbose : bool, default=None
        Whether to show progress on standard error. By default it is shown in a terminal, once it
        takes more than three seconds.

    Attributes
    ----------
    labels_
    partition_
    graph_
    nodes_
    prototypes_
    scale_ : str or None
        The scale that ``scale="auto"`` chose, or the one that was given.
    classes_
    n_features_in_
    feature_names_in_
    """

    method: str = "auto"
    graph: Any = "gabriel"
    balls: str = "global"
    null_prior: str = "paper"
    prune: bool = True
    init: str = "all"
    grouping: str = "any"
    moves: bool = True
    max_ball_size: int | None = None
    n_centers: int | None = None
    metric: Any = "euclidean"
    scale: str | None = "auto"
    n_neighbors: int = 10
    n_jobs: int | None = None
    verbose: bool | None = None

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Partition the objects.

        Parameters
        ----------
        X : data frame or array of shape (n_objects, n_columns), or None
            The objects as points: numbers without gaps. None where ``graph`` is a graph of the
            user's.
        y : array-like of shape (n_objects,), default=None
            The class of each object.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_objects,), default=None
            How many equal objects each row stands for: whole numbers. A row of weight 0 is left
            out, and its label is -1.

        Returns
        -------
        self
            The fitted estimator.
        """
        name = type(self).__name__
        who = f"{name}.fit"
        settings = check_graph_settings(name, self)
        named = target_name(y, target)
        X, y = take_target(who, X, y, target)
        is_given = not isinstance(self.graph, str)
        points: Any = None
        library = "pandas"
        if X is not None or not is_given:
            table = read_table(who, X)
            check_not_among(who, table, y)
            points, _ = read_points(who, table)
            validate_data(self, X, skip_check_array=True)
            library = table.library
        rows = read_target(who, y, sample_weight)
        if points is not None:
            check_lengths(who, "X", len(points), rows)
        repeats, objects = repeat_rows(who, rows)
        if is_given:
            fitted = fit_given_graph(who, self.graph, repeats, objects, settings, library)
        else:
            fitted = fit_points(who, points, repeats, objects, settings, self.scale, library)
        self.labels_ = np.array(fitted.found.cells.codes)
        self.partition_ = fitted.found.cells
        self.classes_ = rows.classes
        self._fitted = fitted
        self._points = points
        self._target_name = named
        self._class_codes = repeats.by_row(objects.codes)
        self.scale_ = None if is_given else choose_scale(self.scale, points[repeats.row_of])
        if fitted.found.cells.method == "bipartition":
            self.nodes_ = fitted.found.nodes
        if fitted.found.cells.method == "prototypes":
            self.prototypes_ = fitted.found.prototypes
        return self

    @property
    def graph_(self) -> Any:
        """The graph of the training objects: a symmetric csr matrix of booleans."""
        check_is_fitted(self)
        who = f"{type(self).__name__}.graph_"
        objects, repeats = self._fitted.objects, self._fitted.repeats
        if objects is None:
            settings = check_graph_settings(type(self).__name__, self)
            points, codes = self._points[repeats.row_of], self._class_codes[repeats.row_of]
            objects = graph_of_points(who, points, settings, self.scale, codes)
        rows = objects.rows(repeats)
        matrix = rows.matrix(who, repeats.n_rows)
        # Ties between balls are settled by coordinates, so its lengths are those of the fit.
        matrix.tie_order = np.append(rows.order, np.flatnonzero(repeats.times == 0))
        return matrix

    def _parts(self, who: str, X: Any, links: Any) -> NDArray[np.int64]:
        """Part code of each new object."""
        check_is_fitted(self)
        nearest = self._fitted.nearest
        if nearest is None:
            if links is None:
                raise ValueError(
                    f"{who}: a model of your own graph needs the links of the new objects; pass "
                    "links=, a matrix with one row for each new object and one column for each of "
                    f"the {len(self.labels_)} training objects."
                )
            found, repeats = self._fitted.found, self._fitted.repeats
            return group_by_links(who, links, repeats, found.labels, found.cells.n_parts)
        if links is not None:
            raise ValueError(
                f"{who}: links are for models of your own graph; this one has "
                f"graph={self.graph!r}. Leave them out."
            )
        points, _ = read_points(who, read_fitted_columns(self, who, X))
        return nearest.parts(points)

    def predict(self, X: Any, links: Any = None) -> NDArray[Any]:
        """Class of each object: the most frequent one in the nearest part.

        Parameters
        ----------
        X : data frame or array of shape (n_objects, n_columns), or None
            The objects as points.

        Returns
        -------
        ndarray of shape (n_objects,)
            The classes.
        """
        parts = self._parts(f"{type(self).__name__}.predict", X, links)
        return self.classes_[self.partition_.majority[parts]]

    def describe(self) -> Frame:
        """Describe each part in the columns.

        Returns
        -------
        DataFrame
            Of the library of the training table. One row per part: ``count``, ``share`` of the
            rows, the most frequent class (``label``) and its ``rate``; up to three
            ``conditions`` on columns that cover the part best, the share of the part that they
            hold for (``covered``) and the share of the part among the rows they hold for
            (``purity``); and what makes the part (``reading``).
        """
        check_is_fitted(self)
        rates = self.partition_.rates.max(axis=1).tolist()
        labels = self.partition_.classes[self.partition_.majority].tolist()
        return self._described({"label": labels, "rate": rates})

    def _described(self, shown: dict[str, list[Any]]) -> Frame:
        """Describe each part in the columns, with what is shown of the target."""
        if self._points is None:
            raise ValueError(
                f"{type(self).__name__}.describe: parts of a graph without a table have no columns."
            )
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        names = names or [f"x{i}" for i in range(self._points.shape[1])]
        times = self._fitted.repeats.times
        return describe_cells(self.partition_, self._points, names, times, shown)

    def plot(self, columns: Any = None, ax: Axes | None = None) -> Axes:
        """Draw the objects, the edges between them and their parts.

        Parameters
        ----------
        columns : pair of int or str, default=None
            The two columns to draw; by default both columns of a table of two, and the first two
            principal components of wider ones, on the scale of the distances. A graph of the
            user's is laid out by its edges.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._graphs.plots import plot_cells

        check_is_fitted(self)
        return plot_cells(self, columns, ax, getattr(self, "means_", None))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


@public
@dataclass(kw_only=True, eq=False, repr=False)
class GraphPartitioner(TransformerMixin, BaseGraphPartitioner):
    """Partition a table as a whole, or a graph, into the parts that matter for a class.

    A scikit-learn transformer. Rows are linked into a proximity graph, and its balls (all objects
    within r steps of one) are the pieces that parts are made of, so parts may have any shape. New
    rows join the part of the nearest training row.

    Examples
    --------
    >>> import partage as pt
    >>> X = [[x, y] for x in range(8) for y in range(4)]
    >>> g = pt.GraphPartitioner().fit(X, [0] * 16 + [1] * 16)
    >>> g.partition_
    Cells(2 parts of 32 objects, level 0.4344)
    >>> g.predict([[0.2, 3.1], [6.9, 0.4]])
    array([0, 1])
    """

    def transform(self, X: Any, links: Any = None) -> NDArray[Any]:
        """Part code of each object.

        Parameters
        ----------
        X : data frame or array of shape (n_objects, n_columns), or None
            The objects as points.

        Returns
        -------
        ndarray of int64, of shape (n_objects, 1)
            The codes.
        """
        return self._parts(f"{type(self).__name__}.transform", X, links)[:, None]

    def fit_transform(
        self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None
    ) -> NDArray[Any]:
        """Partition the objects, and give the part code of each.

        Parameters
        ----------
        X : data frame or array of shape (n_objects, n_columns)
            The objects as points.
        y : array-like of shape (n_objects,), default=None
            The class of each object.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_objects,), default=None
            How many equal objects each row stands for: whole numbers.

        Returns
        -------
        ndarray of int64, of shape (n_objects, 1)
            The codes.
        """
        self.fit(X, y, target=target, sample_weight=sample_weight)
        X, _ = take_target(f"{type(self).__name__}.fit_transform", X, y, target)
        return self.transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Name of the column that ``transform`` gives.

        Returns
        -------
        ndarray of str
            ``["part"]``.
        """
        from sklearn.utils.validation import _check_feature_names_in

        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        return np.array(["part"], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


__all__ = ["BaseGraphPartitioner", "GraphPartitioner"]
