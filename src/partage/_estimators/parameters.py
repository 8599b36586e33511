"""The texts of parameters and attributes that several estimators or functions share."""

from __future__ import annotations

import re


def _by_name(text: str) -> dict[str, str]:
    """Divide a text into its entries, by name."""
    entries = [entry.rstrip() for entry in re.split(r"^(?=\S)", text, flags=re.MULTILINE) if entry]
    return {entry.split(" ", 1)[0]: entry for entry in entries}


PARAMETERS = _by_name("""\
target_type : {"auto", "class", "number", "ordered"}
    What y is. ``"number"`` is an amount, a price or a count, whose ranks the parts tell;
    ``"ordered"`` are classes with an order, of which parts may tell neighbours as one; ``"auto"``
    takes floats and decimals that are not all whole as a number, and everything else as classes,
    unless the method is for numbers alone, such as ``"poisson"``.
method : str or dict
    How partitions are judged: one of the methods of ``discretize`` and ``group``, which ``partage
    methods`` lists, or one for each kind of column, such as
    ``{"numeric": "mdlpc", "categorical": "chaid"}``. A method for numbers alone, or for categories
    alone, applies to these, and ``"modl"`` to the other columns. ``"none"`` makes one part of each
    value, of numbers too.
method_params : dict
    Parameters of the method, such as ``{"alpha": 0.9}`` for ``"fusinter"``; where ``method`` is a
    dict of kinds, a dict of such dicts.
search : str
    How intervals are searched: ``"exact"`` proves the optimum, ``"coarse"`` solves a joined column
    exactly and refines, ``"bottom-up"`` merges, ``"top-down"`` splits, ``"auto"`` takes the best
    that is affordable.
partitions : dict
    Partitions of single columns, by name, such as edited ones: their parts are kept as they are,
    and counted on the rows of ``fit``. The other columns are partitioned.
kinds : dict
    Kind of single columns, by name: ``"numeric"``, ``"categorical"``, ``"ordered"`` or
    ``"datetime"``, which reads text of ISO 8601 as times. Others follow their dtype.
ordered : dict
    Order of the values of single columns, by name: their groups are then intervals of it. Ordered
    categories of pandas and polars keep their own.
n_parts : int or dict
    Exact number of parts of each column; a dict gives it by column name.
max_parts : int or dict
    Upper limit for the number of parts of each column; a dict gives it by column name.
min_part_size : int, float or dict
    Smallest weight of a part; below 1 it is a share of all rows, missing ones included. A dict
    gives it by column name.
min_class_count : int, float, list or dict
    Smallest weight of each class in a part, one number for all classes or one for each; below 1 it
    is a share of the rows of that class. A dict gives it by column name. For numbers and ordered
    categories.
monotonic : {"ascending", "descending", "peak", "valley", "auto"} or dict
    How the rate of the event of two classes (see ``positive``; the mean rank of more classes that
    have an order; the mean of a number) must go from part to part, equal rates allowed.
    ``"peak"`` rises, then falls; ``"auto"`` takes the cheapest of the four. A dict gives it by
    column name. For numbers and ordered categories.
by : str or array-like of shape (n_rows,)
    Segment of each row, such as its month, or the name of the column of X that holds it: the rates
    must be monotonic in each segment, too. The column is partitioned like any other.
by_tolerance : float
    How sure a reversal between neighbouring parts in one segment must be to count: 0 for any
    reversal, 0.95 for those that chance explains in fewer than 5 % of cases. The rates of all rows
    are always held to the trend.
user_cuts : dict
    Cuts of single columns of numbers, by name, that are always kept; others may be added.
candidate_cuts : dict
    The only cuts of single columns of numbers, by name, that may be made beside ``user_cuts``.
cut_style : {"midpoint", "simple"}
    Where between two neighbouring values a cut is placed, which changes no part of the fitted rows:
    at their middle, or at the multiple of the largest power of ten between them (100 between 95 and
    115), a whole number between whole numbers, the start of a year, month, day or hour between
    times.
round_cuts : float or dict
    Bits that rounder cuts may cost in all. Cuts are moved to numbers of as few digits as this
    allows; larger values give rounder cuts. A dict gives it by column name.
missing : {"separate", "merge", "error"}
    Missing values keep a code of their own, join the part where they cost least, or raise.
special_values : list or dict
    Codes that stand for no measurement, such as -999 for "not asked": a list for every column, or
    lists by column name. Their rows are kept out of the parts.
special : {"separate", "merge"}
    Each special value keeps a code of its own, or joins the part where it costs least.
output : {"code", "onehot", "label", "rate", "woe", "averaged", "mean", "median", "sparse"}
    What ``transform`` gives: part codes; one column of bits per part and one for missing values;
    readable parts, in frames (``set_output``) as ordered categories; class shares; weight of
    evidence; shares averaged over all partitions, of the event for two classes, or the averaged
    mean of a y of numbers; its mean or median in the part; the bits as a sparse array of SciPy.
positive : class
    The event of two classes, whose rate and weight of evidence are shown; by default the second
    class, or the last one of a target that is an ordered categorical series.
woe_sign : {1, -1}
    -1 turns the weight of evidence: a high one then speaks for the other class.
cross_fit : int
    Number of folds, with outputs that show the target (``"rate"``, ``"woe"``, ``"averaged"``,
    ``"mean"``, ``"median"``): ``fit_transform`` then gives each row what was learned without its
    fold. ``transform`` uses all rows.
drop_uninformative : bool
    Whether ``transform`` leaves out columns of level 0.
shares : {"counted", "averaged"}
    Class shares of the parts of numbers: counted, or averaged over all partitions of the column,
    which follow the values more finely. Categories keep their groups.
interactions : {1, 2, 3} or "grid"
    Largest number of columns in a product. Beyond 1, cells of pairs (and triples) of columns are
    grouped by MODL and become terms of their own where their level exceeds the sum of those of
    their members, by more than it takes to name them among all. ``"grid"``, for
    ``NaiveBayesClassifier``, puts grids of such pairs in the place of both columns.
max_memory : float
    Bytes that the search for products may use; more is refused before it starts.
verbose : bool
    Whether to show progress on the standard error stream.
n_jobs : int
    Threads; None is one, -1 all cores. The result is the same.
consistency : int
    Separators that every pair of rows of different classes must keep. Larger values keep more
    conditions.
tolerance : float
    Share of the pairs of rows of different classes that may be left short of separators, from 0 to
    below 1. Larger values keep fewer conditions and follow noise less.
""")

PARAMETERS_OF_FUNCTIONS = PARAMETERS | _by_name("""\
x : array-like
    The column: an array, a list, or a series of pandas, polars or pyarrow.
x1 : array-like
    The first column: numbers, times, text or categories; an array, a list, or a series of pandas,
    polars or pyarrow.
x2 : array-like
    The second column.
min_cell_size : float
    Smallest weight of a cell that is not empty; below 1 it is a share of all rows.
names : sequence of str
    Names of the columns in results and messages; by default those of the series.
y : array-like
    The class of each row: text, integers or booleans; or a number, see ``target_type``. No gaps.
n_parts : int
    Exact number of parts.
max_parts : int
    Upper limit for the number of parts.
min_part_size : int or float
    Smallest weight of a part; below 1 it is a share of all rows, missing ones included.
min_class_count : int, float or list
    Smallest weight of each class in a part, one number for all classes or one for each; below 1 it
    is a share of the rows of that class.
monotonic : {"ascending", "descending", "peak", "valley", "auto"}
    How the rate of the last of two classes must go from part to part, equal rates allowed; with
    more classes the mean rank, if they have an order; with a number its mean. ``"peak"`` rises,
    then falls; ``"auto"`` takes the cheapest of the four.
by : array-like
    Segment of each row, such as its month: the rates must be monotonic in each segment, too.
user_cuts : list
    Cuts that are always kept; others may be added.
candidate_cuts : list
    The only cuts that may be made beside ``user_cuts``.
round_cuts : float
    Bits that rounder cuts may cost in all. Cuts are moved to numbers of as few digits as this
    allows; larger values give rounder cuts.
special_values : list or dict
    Codes that stand for no measurement, such as -999 for "not asked"; a dict gives them by column
    name. Their rows are kept out of the parts.
method_params : dict
    Parameters of the method, such as ``{"alpha": 0.9}`` for ``"fusinter"``.
sample_weight : array-like
    Frequency of each row, not negative. Whole numbers give exactly the result of repeated rows;
    larger weights are more evidence, so that scaling them changes the result.
exposure : array-like
    Exposure of each row, positive, over which ``y`` counts events or adds up: years of an
    insurance, say. For ``method="poisson"`` and ``"tweedie"``.
name : str
    Name of the column in results and messages; by default the name of the series.
""")

_FIT = _by_name("""\
X : data frame or array of shape (n_rows, n_columns)
    The table.
y : array-like of shape (n_rows,)
    The class of each row, or a number where ``target_type`` is a parameter.
target : str
    Name of the column of X that holds the class or the number, instead of y.
sample_weight : array-like of shape (n_rows,)
    Frequency of each row.
exposure : array-like of shape (n_rows,)
    Exposure of each row, positive, over which the target counts events or adds up; for
    ``method="poisson"`` and ``"tweedie"``.
""")

_FITTED = _FIT | _by_name("""\
X : data frame or array of shape (n_rows, n_columns)
    A table with the columns that were fitted.
input_features : array-like of str
    Names of the fitted columns; must be those of ``feature_names_in_`` where that exists.
ax : matplotlib Axes
    Where to draw; a new figure by default.
dialect : str
    Whose SQL to write: duckdb, postgres, sqlite, bigquery, snowflake or spark.
table : str or tuple of str
    The table, or schema and table.
keep : sequence of str
    Columns of the table to pass through, before the others.
style : {"html"}
    Give a table that notebooks show with bars, instead of a data frame.
links : sparse matrix or array of shape (n_objects, n_training_objects)
    For a graph of the user's: the training objects that each new object is linked with.
""")

_PRICED = _FITTED | _by_name("""\
X : data frame or array of shape (n_rows, n_columns)
    Rows to price the change on; by default those of the fit. A model from a file does not hold
    them.
exposure : array-like of shape (n_rows,)
    Their exposure, where the model was fitted with one.
""")

PARAMETERS_OF_METHODS = {
    "": _FITTED,
    "edit": _PRICED,
    "simplify": _PRICED,
    "fit": _FIT,
    "partial_fit": _FIT,
    "fit_transform": _FIT,
}

ATTRIBUTES = _by_name("""\
partitions_ : dict of str to Intervals or Groups
    The partition of each column.
levels_ : ndarray of shape (n_columns,)
    Level of each column: 0 is no information on the target.
classes_ : ndarray
    The classes of the target; none of a number.
class_count_ : ndarray of shape (n_classes,)
    Weight of each class.
class_log_prior_ : ndarray of shape (n_classes,)
    Logarithm of the share of each class.
feature_log_prob_ : list of ndarray of shape (n_classes, parts)
    log P(part | class) of each column, then of each product; missing values last. Parts stand in
    the order of ``partitions_``, also where ``method="none"`` makes one of each value.
feature_importances_ : ndarray of shape (n_columns,)
    Share of the columns in the information about the class.
products_ : dict of tuple to Groups
    Groups of the cells of each product that was kept.
labels_ : ndarray of shape (n_objects,)
    Part code of each training object; -1 for those of zero weight.
partition_ : Cells
    The parts: ``labels``, ``counts``, ``cost``, ``null_cost``, ``level``, ``table()``.
graph_ : csr_array of shape (n_objects, n_objects)
    The graph.
nodes_ : tuple of Split
    For ``"bipartition"``: the subsets examined, in order, with ``n``, ``counts``, ``null_cost``,
    ``split_cost``, ``n_balls``, ``centre``, ``radius``, ``size``, ``accepted``.
prototypes_ : ndarray of shape (n_parts,)
    For ``"prototypes"``: the row that each part surrounds.
n_features_in_ : int
    Number of columns.
feature_names_in_ : ndarray of str
    Names of the columns, where all were text.
""")
