"""What a grid says of itself: sentences, broken constraints, tables and pictures; and refusals."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import partage as pt

RNG = np.random.default_rng(3)
X1, X2 = RNG.integers(0, 12, 600).astype(float), RNG.choice(list("pqrs"), 600)
TOGETHER = ((X1 > 5) != np.isin(X2, ["p", "q"])).astype(int)
ALONE = (X1 > 5).astype(int)


def test_a_grid_without_target_says_whether_its_columns_depend():
    joined = pt.grid(X1, np.where(X1 > 5, "high", "low"))
    assert "bits of what x1 and x2 take apart." in str(joined.explain())
    apart = pt.grid(X1, X2)
    assert apart.n_parts == (1, 1)
    assert "x1 and x2 are best described apart" in str(apart.explain())


def test_a_grid_says_what_its_columns_tell_together():
    assert "bits more than the sum of both." in str(pt.grid(X1, X2, TOGETHER).explain())
    repeated = pt.grid(X1, X1 + 0.5, ALONE)
    assert "bits less than the sum of both: they repeat each other" in str(repeated.explain())


def test_an_edit_that_breaks_constraints_of_a_grid_lists_them():
    grid = pt.grid(X1, X2, TOGETHER, max_parts=2, min_cell_size=60, user_cuts={"x1": [5.5]})
    assert grid.violations == ()
    many = pt.discretize(X1, TOGETHER, user_cuts=[0.5, 1.5, 2.5], n_parts=4, name="x1")
    assert grid.set_axis("x1", many).violations == ("max_parts", "min_cell_size", "user_cuts")


def test_axes_of_another_kind_or_without_their_values_are_refused():
    grid = pt.grid(X1, X2, TOGETHER)
    with pytest.raises(TypeError, match=r"partition must be Intervals of column 'x1'; got Groups"):
        grid.set_axis("x1", grid.axes[1])
    few = pt.group(X2[:3], TOGETHER[:3], method="none", name="x2")
    with pytest.raises(ValueError, match="every value of column 'x2' must lie in a part; got '"):
        grid.set_axis("x2", few)


def test_other_rows_need_a_target_if_the_grid_has_one():
    frame = pd.DataFrame({"x1": X1, "x2": X2})
    grid = pt.grid(X1, X2, TOGETHER)
    with pytest.raises(ValueError, match=r"^Grid.table: x and y must be given both or none; got "):
        grid.table(frame)
    apart = pt.grid(X1, np.where(X1 > 5, "high", "low"))
    with pytest.raises(ValueError, match=r"^Grid.table: y must be None, since the grid has no tar"):
        apart.table(frame, TOGETHER)
    counted = apart.table(frame.assign(x2=np.where(X1 > 5, "high", "low")))
    assert counted["count"].iloc[-1] == 600


def test_pictures_of_many_classes_show_the_most_frequent_and_of_three_axes_there_are_none():
    three = TOGETHER + 2 * ((X1 > 9) & (X2 == "p"))
    ax = pt.grid(X1, X2, three).plot()
    assert "share of the most frequent class" in ax.figure.axes[-1].get_ylabel() + ax.get_title()
    plt.close(ax.figure)
    cube = pt.cocluster(pd.DataFrame({"a": X1, "b": X2, "c": X1 > 5}))
    with pytest.raises(ValueError, match=r"^Grid.plot: two axes can be drawn; got 3\.$"):
        cube.plot()


def test_certainty_of_cells_is_refused():
    with pytest.raises(TypeError, match=r"^Grid.certainty: this needs a rule in columns"):
        pt.grid(X1, X2, TOGETHER).table(certainty=True)


def test_a_grid_is_simplified_to_a_share_of_what_it_says():
    grid = pt.grid(X1, X2, TOGETHER)
    with pytest.raises(ValueError, match=r"information must be a number from 0 to 1; got 2\.$"):
        grid.simplify(2)
    assert grid.simplify(1.0).n_parts == grid.n_parts
    assert grid.simplify(max_parts=1).n_parts == (1, 1)
