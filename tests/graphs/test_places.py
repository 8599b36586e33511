"""Where a graph is drawn, and graphs given in rare ways."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import partage as pt

CLASSES = [0, 0, 1]


def drawn(model, **options):
    """Give the places of the points of a picture."""
    ax = model.plot(**options)
    places = np.vstack(
        [np.asarray(c.get_offsets()) for c in ax.collections if len(c.get_offsets())]
    )
    plt.close(ax.figure)
    return places


def test_objects_of_one_column_lie_on_a_line():
    model = pt.GraphPartitioner().fit([[0.0], [1.0], [5.0]], CLASSES)
    assert set(drawn(model)[:, 1]) == {0.0}


@pytest.mark.parametrize("n", [3, 40, 600])
def test_a_graph_without_a_table_is_laid_out(n):
    ring = np.column_stack([np.arange(n), (np.arange(n) + 1) % n])
    y = (np.arange(n) >= n // 2).astype(int)
    model = pt.GraphPartitioner(graph=ring).fit(None, y)
    assert np.isfinite(drawn(model)).all()
    with pytest.raises(ValueError, match="columns must be None for a graph without a table"):
        model.plot(columns=[0, 1])


def test_two_objects_may_be_joined_by_a_matrix_or_not_at_all():
    joined = pt.GraphPartitioner(graph=[[0, 1], [1, 0]]).fit(None, [0, 1])
    assert joined.graph_.toarray().tolist() == [[False, True], [True, False]]
    alone = pt.GraphPartitioner(graph=np.empty((0, 2))).fit(None, [0, 1])
    assert alone.graph_.nnz == 0
