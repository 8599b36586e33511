"""``GraphPartitionClassifier``: classes by majority in the nearest part."""

from __future__ import annotations

from sklearn.base import ClassifierMixin

from partage._estimators.graph_partitioner import BaseGraphPartitioner


class GraphPartitionClassifier(ClassifierMixin, BaseGraphPartitioner):
    """Classify by the most frequent class in the nearest part of a proximity graph.

    A scikit-learn classifier: the parts are those of ``GraphPartitioner``, and a new row belongs to
    the part of the nearest training row.

    Parameters
    ----------
    method : {"bipartition", "agglomerative", "prototypes"}, default="bipartition"
        Cut balls off recursively while that shortens the description; merge adjacent groups,
        starting from balls of one class, to the shortest description of the whole partition; or
        choose prototypes, each with the rows it is nearest to, which needs no graph and suits large
        and wide tables.
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
    init : {"all", "balls", "classes", "bipartition", "singletons"}, default="all"
        Where ``"agglomerative"`` starts: the largest balls of one class as in the paper, objects
        of one class that hang together, the parts of ``"bipartition"``, or single objects. By
        default all but the last, one after the other, and what they have in common; the shortest
        description is kept.
    grouping : {"any", "connected"}, default="any"
        How ``"agglomerative"`` encodes the grouping of balls: as one among all groupings as in the
        paper, or as one that joins neighbours, which finds groups in fewer objects.
    moves : bool, default=True
        Whether ``"agglomerative"`` then moves balls and objects between groups, and cuts balls off
        them, while that helps. The paper's search is ``init="balls", moves=False``.
    max_ball_size : int, default=None
        Largest ball looked at, in objects; for large graphs. All by default.
    n_centres : int, default=None
        Centres, evenly spread, whose balls of any size are examined. For ``"prototypes"``
        the rows to choose from; by default all up to 2000, and three samples of 2000 of more.
    metric : str or callable, default="euclidean"
        A distance of scipy, or a function of two rows.
    scale : {"minmax", "standard"} or None, default=None
        Bring each column to [0, 1], or to mean 0 and variance 1, first. The default leaves
        columns as they are, as in the papers, so that a column of large numbers alone decides who
        is near: pass ``"minmax"`` unless all columns are in one unit.
    n_neighbors : int, default=10
        Neighbours of each row where ``graph="knn"``.
    n_jobs : int, default=None
        Threads; None is one, -1 all cores. The result is the same.
    verbose : bool, default=False
        Whether to show how far the work is.

    Attributes
    ----------
    labels_ : ndarray of shape (n_objects,)
        Part code of each training object; -1 for those of zero weight.
    partition_ : Cells
        The parts: ``labels``, ``counts``, ``cost``, ``null_cost``, ``level``, ``table()``.
    graph_ : csr_array of shape (n_objects, n_objects)
        The graph.
    nodes_ : tuple of Split
        For ``"bipartition"``: the subsets examined, in order, with ``n``, ``counts``,
        ``null_cost``, ``split_cost``, ``n_balls``, ``centre``, ``radius``, ``size``, ``accepted``.
    prototypes_ : ndarray of shape (n_parts,)
        For ``"prototypes"``: the row that each part surrounds.
    classes_ : ndarray
        The classes of the target.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where all were text.

    Examples
    --------
    >>> import partage as pt
    >>> X = [[x, y] for x in range(8) for y in range(4)]
    >>> model = pt.GraphPartitionClassifier().fit(X, [0] * 16 + [1] * 16)
    >>> model.predict_proba([[0.2, 3.1], [6.9, 0.4]])
    array([[1., 0.],
           [0., 1.]])
    """

    def predict_proba(self, X, links=None):
        """Class shares in the nearest part.

        Parameters
        ----------
        X : data frame or array of shape (n_objects, n_columns), or None
            The objects as points.
        links : sparse matrix or array of shape (n_objects, n_training_objects), default=None
            For a graph of the user's: the training objects that each new object is linked with.

        Returns
        -------
        ndarray of shape (n_objects, n_classes)
            Shares in the order of ``classes_``.
        """
        parts = self._parts(f"{type(self).__name__}.predict_proba", X, links)
        return self.partition_.rates[parts]
