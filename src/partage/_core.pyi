"""The compiled core: spaces, criteria and searches."""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class AdditiveModel:
    """Scores of rows as sums of terms."""

    def __init__(self, law: str, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_outputs: int, offsets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    def add_line(self, codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_ordered: int, n_cells: int, steps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], trend: int) -> int:
        """Add a column whose first cells are ordered."""

    def add_values(self, codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_cells: int) -> int:
        """Add a column of values without an order."""

    def add_pair(self, codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_first: int, n_second: int, first_is_ordered: bool, second_is_ordered: bool) -> int:
        """Add a lattice of two columns; the cell behind it has no effect."""

    def start(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Start again with these weights of rows."""

    def fit(self, active: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], walks: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], heights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], value: float, max_cycles: int, tolerance: float, n_jobs: int, cancel: Cancel | None) -> int:
        """Fit these terms from where they are; gives the number of cycles."""

    def stretch(self, factor: float, n_jobs: int) -> None:
        """Multiply all that terms add by a factor."""

    def loss(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], factor: float = 1.0) -> float:
        """Weighted sum of the losses of rows, were terms stretched by a factor."""

    def screen(self, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], stride: int, pairs: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], shapes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], walks: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], heights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_jobs: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Log-evidence of pairs of coded columns beyond either column."""

    def means(self, term: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Level of each cell and output."""

    def variances(self, term: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Their variances."""

    def evidence(self, term: int) -> float:
        """Log-evidence of a term against one level."""

    def intercept(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """What all rows share."""

    @property
    def dispersion(self) -> float: ...

def add_by_code(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
    """Add to each row of scores the row of a table that its code names."""

def selection_prior(n_columns: float, sum: float) -> float:
    """log(p+1) + log C(p+s-1, s), in nats: the price of a sum of weights."""

class Posteriors:
    """Posteriors of training rows under a naive Bayes model."""

    def __init__(self, codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def lift_area(self) -> float:
        """Area under the lift curve, classes averaged by frequency."""

    def lift_areas(self, candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cancel: Cancel | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The area with each of these columns taken too."""

    def lift_bounds(self, candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cancel: Cancel | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Numbers that those areas do not exceed."""

    def take(self, column: int) -> None:
        """Take a column."""

    def weigh(self, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_known: int, n_halvings: int, cancel: Cancel | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Weights of the columns that describe the classes shortest."""

    def log_loss(self) -> float:
        """- sum of log P(class | row) of the columns taken, in nats."""

def round_points(fractions: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], units: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most_bias: float, n_proposals: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    How many units of each column are rounded up, so that the largest error of the sums of rows is small; units are numbered by descending fractions.
    """

def group_columns(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, method: str, parameters: Sequence[float], cancel: Cancel | None) -> tuple:
    """
    Group the values of columns of codes: the group of every value, column by column (-1 where no row holds it), and for each column the number of groups, the garbage group or -1, the method's cost and that of one group under MODL.
    """

class Line:
    """A sorted column: class codes of its entries, unit by unit."""

    @property
    def n_units(self) -> int: ...

    @property
    def n_entries(self) -> int: ...

    @property
    def n_classes(self) -> int: ...

    @property
    def total_weight(self) -> float: ...

    def quantiles(self, n: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """
        First units after the borders nearest to n - 1 quantiles, each once; 0 and the end.
        """

    def counts(self, starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Class weights of the parts that start at these units; the last start ends them.
        """

    def entries(self) -> tuple:
        """
        Class codes and weights of its entries, None for one each, and where units start.
        """

    def sums(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Weight of each unit, then the sums of the scores of the classes of its rows.
        """

    def unit_weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Weight of each unit."""

    def scored(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Line:
        """
        The line of the weights of the units and of the sums of the scores of their rows.
        """

    def joined(self, classes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int) -> Line:
        """The line in which runs of classes are one class each."""

    def runs(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """
        First unit of each run of neighbours of one and the same class; then the end.
        """

def line_from_entries(codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int) -> Line:
    """A line from class codes and weights, unit by unit."""

def line_of_amounts(amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Line:
    """
    A line of units whose weight and sums are known, one row of the table for each.
    """

@overload
def split_by_class(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], is_missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int) -> tuple: ...

@overload
def split_by_class(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], is_missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int) -> tuple:
    """
    Lay a column out class by class, missing rows left out: values, offsets, missing counts.
    """

@overload
def pack_rows(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], is_missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

@overload
def pack_rows(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], is_missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """
    Leading bits of the values of a column, missing rows left out, each with its row.
    """

@overload
def sort_rows(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], amounts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, packed: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int) -> tuple: ...

@overload
def sort_rows(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], amounts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, packed: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int) -> tuple:
    """
    Sort a column by value, then class, given its packed rows sorted: line, distinct values, amounts in their order, and the first of these of each unit.
    """

@overload
def assign_parts(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cuts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], missing_code: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

@overload
def assign_parts(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cuts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], missing_code: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Codes of the parts (cuts[k-1], cuts[k]] that values fall in."""

@overload
def merge_classes(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple: ...

@overload
def merge_classes(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """
    Merge values sorted class by class into a line and its distinct values.
    """

@overload
def number_whole(values: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple | None: ...

@overload
def number_whole(values: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple | None: ...

@overload
def number_whole(values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple | None: ...

@overload
def number_whole(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple | None: ...

@overload
def number_whole(values: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple | None: ...

@overload
def number_whole(values: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple | None: ...

@overload
def number_whole(values: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple | None: ...

@overload
def number_whole(values: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple | None:
    """
    Distinct whole numbers in order and the code of each; None where their range is wide.
    """

@overload
def read_codes(codes: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int) -> tuple: ...

@overload
def read_codes(codes: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int) -> tuple: ...

@overload
def read_codes(codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int) -> tuple: ...

@overload
def read_codes(codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int) -> tuple: ...

@overload
def read_codes(codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int) -> tuple: ...

@overload
def read_codes(codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int) -> tuple: ...

@overload
def read_codes(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int) -> tuple: ...

@overload
def read_codes(codes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int) -> tuple:
    """Codes of n_values values, -1 where missing, and which values are met."""

def count_classes(values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], n_values: int, n_classes: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None))]:
    """Rows of each value and class; the last row is that of values below 0."""

def encode_records(data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int) -> tuple:
    """
    Distinct records of `width` bytes: where each is met first, and the code of every record.
    """

def log(x: float) -> float:
    """Natural logarithm, the same bits on every CPU."""

def log1p(x: float) -> float:
    """log(1 + x), the same bits on every CPU."""

def expm1(x: float) -> float:
    """exp(x) - 1 for x of at most 0, the same bits on every CPU."""

def logs(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Logarithm of each value."""

def exps(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Exponential of each value."""

def normal_quantiles(probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Quantile of the standard normal law at each probability."""

class Cancel:
    """Stops the searches it is passed to."""

    def __init__(self) -> None: ...

    def ask(self) -> None:
        """Make the searches stop at their next step."""

class NotPossible(ValueError):
    pass

def criteria() -> list:
    """The criteria, in the order shown to users."""

def searches() -> list:
    """The searches, in the order shown to users."""

class Constraints:
    """What parts must satisfy beyond their sizes."""

    def __init__(self) -> None: ...

    def set_min_counts(self, counts: Sequence[float]) -> None:
        """Least weight of each class in every part."""

    def set_held(self, held: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        What each unit holds of each class, where the least weights are not of the line's.
        """

    def set_fixed(self, starts: Sequence[int], n_empty: int) -> None:
        """
        Units at which parts must start, and parts without rows that are counted besides.
        """

    def set_borders(self, starts: Sequence[int]) -> None:
        """Units at which parts may start, 0 and the number of units too."""

    def set_hint(self, starts: Sequence[int]) -> None:
        """Starts of a partition found without these constraints."""

    def set_trend(self, trend: str, scores: Sequence[float]) -> None:
        """How the mean score of the parts must go, and the score of each class."""

    def clear_segments(self) -> None:
        """Ask no longer for the trend in segments."""

    def following(self, n_numbers: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Constraints:
        """
        The same constraints for units of other numbers: a trend follows these amounts, a row for each unit, and no scores of the numbers.
        """

    def set_segments(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], margins: Sequence[float]) -> None:
        """
        Weight and sum of scores of each segment at each unit; the trend holds in each, but for reversals within margin / sqrt(weight) of both rates.
        """

def search(line: Line, criterion: str, parameters: Sequence[float], search: str, n_parts: int, max_parts: int, min_weight: float, cancel: Cancel | None, constraints: Constraints | None = None, n_values: int = 0, of_log_parts: float = 0.0, n_beside: float = 0.0) -> tuple:
    """
    Find a partition of a line: first unit of each part (and the end), the class weights of the parts, proven optimal or not. Units of n_values values that could join in any way pay for that; sets of rows, those beside too, pay of_log_parts for the logarithm of their number.
    """

def lower_bound(line: Line, criterion: str, parameters: Sequence[float], n_parts: int, max_parts: int, cancel: Cancel | None, constraints: Constraints | None = None, known: float = float('inf'), in_leaf: int = 8, in_tile: int = 32) -> float:
    """
    Cost that no partition of a line is below, from a program over tiles of leaves; minus infinity where the criterion claims nothing that bounds it.
    """

def trend_bound(line: Line, sign: float, cancel: Cancel | None) -> float:
    """
    Cost that no MODL partition of two classes is below if its rates rise (1) or fall (-1).
    """

def sum_partitions(counts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], criterion: str, parameters: Sequence[float], log_prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, log_places: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, cuts: Sequence[int] = [], levels: Sequence[float] = [], n_parts: int = 0, max_parts: int = 0, min_weight: float = 0.0, cancel: Cancel | None = None, constraints: Constraints | None = None) -> dict:
    """
    Sum exp(-cost) over all partitions of units in a line: the logarithm of the total, probabilities of numbers of parts, of cuts and of parts, averaged class shares and their squares (of counts), and the borders around each cut that hold one at each level.
    """

def stretches(first: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], probability: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cuts: Sequence[int], level: float) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, None))]:
    """
    The borders around each cut that hold one with a probability, of parts in order.
    """

def groupings() -> list:
    """The grouping methods, in the order shown to users."""

def group(values: Line, method: str, parameters: Sequence[float], n_parts: int, max_parts: int, min_weight: float, cancel: Cancel | None) -> tuple:
    """
    Group values: group of each, number of groups, garbage group or -1, its threshold, the method's cost, proven optimal or not.
    """

def cost(counts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], criterion: str, parameters: Sequence[float]) -> float:
    """Cost of a partition from the class weights of its parts."""

def lower_bound_of_rows(counts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], criterion: str, parameters: Sequence[float], least: int, most: int, n_values: int = 0) -> float:
    """
    Cost that no partition into `least` to `most` parts is below whichever rows join; structure as in `structure_cost`.
    """

def least_growths(counts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], criterion: str, parameters: Sequence[float]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Least that any part's cost grows by when each of these rows joins it."""

def part_lengths(counts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], criterion: str = 'modl', parameters: Sequence[float] = []) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Cost of each row, of class weights or of moments, under a criterion; MODL's is in nats.
    """

def spreads(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    What a level of its own leaves of the squares of the scores of each part.
    """

def log_factorial(n: float) -> float:
    """log n!, in nats."""

def logs_of_spreads(spreads: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    (n - 1) / 2 times the logarithm of each sum of the spreads of parts, in nats.
    """

def structure_cost(n_parts: int, totals: Sequence[float], criterion: str = 'modl', parameters: Sequence[float] = [], n_values: int = 0) -> float:
    """
    Cost of a number of parts, without what they hold, given the weight of each class: of a line, or of n_values values in any order.
    """

def garbage_structure(values: Line, group_of: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_groups: int) -> float:
    """
    Cost of given groups under MODL with a garbage group, at its cheapest threshold and without what the groups hold, in nats; infinite if there is none.
    """

def null_cost_of_garbage_groups(values: Line) -> float:
    """Cost of one group under MODL with a garbage group, in nats."""

def log_set_partitions(n_values: int, n_groups: int) -> float:
    """log B(I, K), in nats."""

def log_binomial(n: float, k: float) -> float:
    """log C(n, k), in nats."""

def universal_length(n: float) -> float:
    """
    Length of Rissanen's universal code of a whole number of at least 1, in bits.
    """

def find_rank_classes(blocks: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], beside: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], cancel: Cancel | None, is_published: bool = False) -> tuple:
    """
    Intervals of the ranks of a number that suit a partition of consecutive blocks, which hold these weights of its cells: first cell of each, then the end; the grid they were chosen from; the first block of each part, then the end.
    """

def best_rank_classes(sets: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], grids: Sequence[int], is_published: bool = False) -> tuple:
    """
    The cheapest intervals of the ranks of a number for sets that hold these weights of its cells, on some grids: first cell of each, then the end; the grid; their cost.
    """

def climb_rank_classes(sets: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_grid: int, finest: int, is_published: bool = False) -> tuple:
    """
    The same on a grid and on those half and twice as fine, from there on while one is cheaper, up to the finest.
    """

def rank_cells(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], packed: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> tuple:
    """
    Intervals of the ranks of numbers, one for each value or so many of even size, given their packed rows sorted: least value, greatest value and rows of each, and the cell of every number.
    """

def run_sums(amounts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], edges: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], center: float, steps: Sequence[float]) -> tuple:
    """
    Sums of the runs of amounts between edges: of deviations from a centre and of their squares, each in a coarse and a fine piece on grids of these steps, and of zeros; then the least and the greatest amount of each run.
    """

def price_of_rank_classes(n_grid: int, n_classes: int, n_sets: int) -> float:
    """Nats that tell the intervals of ranks which sets tell like classes."""

class Progress:
    """How far a long piece of work is."""

    def __init__(self) -> None: ...

    @property
    def done(self) -> int: ...

    @property
    def total(self) -> int: ...

def proximity_graph(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], slack: float, kind: str, n_neighbours: int, n_jobs: int, progress: Progress | None) -> tuple:
    """
    Gabriel graph, relative neighbours or nearest neighbours of distinct points: where the neighbours of each point start, and the neighbours.
    """

def graph_from_distances(distances: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], kind: str, slack: float, n_jobs: int, progress: Progress | None) -> tuple:
    """The same from a square table of distances."""

def nearest_points(points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_jobs: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """The nearest point to each row, of equals the first."""

def gabriel_degree(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], slack: float, n_sampled: int) -> float:
    """Mean number of Gabriel neighbours of a few points."""

def prototypes(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], object_starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_jobs: int, progress: Progress | None) -> tuple:
    """
    Choose prototypes among candidates: their points, the cell of each point, the cost and the cost of one cell in nats. Distances are Euclid's unless a table of them is given.
    """

class ObjectGraph:
    """Objects, their classes, and who is whose neighbour."""

    def __init__(self, starts: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbours: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], object_starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int) -> None: ...

def bipartition(objects: ObjectGraph, kind: str, null_prior: str, prune: bool, max_ball_size: int, free_centres: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_jobs: int, progress: Progress | None) -> tuple:
    """
    Cut balls off recursively: the last subset of each object, the length of the recursive code, and the subsets examined.
    """

def balls_per_centre(objects: ObjectGraph, max_ball_size: int, free_centres: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_sampled: int) -> float:
    """Mean number of balls of a few centres."""

def count_balls(objects: ObjectGraph, members: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], ball: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: str) -> tuple:
    """
    Distinct balls of each size inside a set of objects, and whether a set is one of them.
    """

def partition_cost(objects: ObjectGraph, groups: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_groups: int, grouping: str) -> tuple:
    """
    Length of a partition in nats: balls, grouping, labels; the number of balls; the length of one group.
    """

def agglomerate(objects: ObjectGraph, init: str, grouping: str, moves: bool, max_ball_size: int, free_centres: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_jobs: int, progress: Progress | None) -> tuple:
    """
    Merge adjacent groups: the group of each object in the cheapest partition met, and its length.
    """

def label_length(counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """log C(n+J-1, J-1) + log(n! / prod n_j!) of class counts, in nats."""

def adjacency_grouping_length(starts: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbours: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """
    Length in nats of a grouping of the nodes of a graph, short where groups are connected.
    """

class TooManyPairs(MemoryError):
    pass

class Examples:
    """Rows to be separated, as codes of their attributes."""

    def __len__(self) -> int: ...

    @property
    def n_discriminants(self) -> int: ...

    @property
    def n_pairs(self) -> float: ...

    def merits(self, kept: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], global_merit: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Merit of each kept discriminant."""

    def count_close_pairs(self, kept: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], limit: int, cancel: Cancel | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Weight of the pairs of different classes by their number of separators.
        """

    def smallest_separation(self, kept: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], cancel: Cancel | None) -> int:
        """Fewest separators of a pair of different classes."""

def make_examples(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], is_ordered: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], direction: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Examples:
    """
    Examples from row-major codes; the number of codes itself stands for missing.
    """

def covers() -> list:
    """The methods of binarization, in the order shown to users."""

def find_cover(examples: Examples, method: str, consistency: int, global_merit: bool, tolerance: float, max_discriminants: int, patience: int, max_pairs: int, cancel: Cancel | None) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """Choose discriminants: 1 for each that is kept."""

class Literals:
    """Rows as bits of discriminants and their opposites."""

    def __init__(self, holds: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], fails: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

def find_patterns(literals: Literals, is_positive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: str, max_degree: int, min_precision: float, min_support: float, n_best: int, price: float, budget: int, cancel: Cancel | None) -> list:
    """
    Patterns of a class: literals, weight covered in the class and outside, nats saved and paid.
    """

def khiops_units(weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], granularity: int, is_ordered: bool) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    Unit of each value of a column at a granularity of Khiops 11: its quantile, or itself if it is frequent.
    """

def solve_grid(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_values: Sequence[int], n_aside: Sequence[int], anchors: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], is_ordered: Sequence[bool], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, method: str, search: str, n_columns: float, n_families: float, max_parts: Sequence[int], fixed: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], min_cell: float, own: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], thresholds: Sequence[float], n_jobs: int) -> tuple:
    """
    Find the grid of least cost of columns of codes, one row each: the part of each value of each axis, the cost, that of one cell, whether it is optimal, and the granularity.
    """

def grid_cost(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_values: Sequence[int], n_aside: Sequence[int], anchors: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], is_ordered: Sequence[bool], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, method: str, n_columns: float, n_families: float, axes: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> tuple:
    """Cost of a grid in nats, that of one cell, and the granularity."""

def screen_pairs(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_values: Sequence[int], n_aside: Sequence[int], anchors: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], is_ordered: Sequence[bool], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, pairs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_jobs: int, progress: Progress | None) -> tuple:
    """
    Look at pairs of columns of codes quickly: costs, those of one cell, parts and cells of each pair, and what each column saves alone, in nats.
    """

def refine_pairs(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_values: Sequence[int], n_aside: Sequence[int], anchors: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], is_ordered: Sequence[bool], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, pairs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], method: str, n_columns: float, own: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], thresholds: Sequence[float], n_jobs: int, progress: Progress | None) -> tuple:
    """
    Search the grids of pairs of columns of codes: as screen_pairs, without what columns save.
    """

def grid_merges(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_values: Sequence[int], n_aside: Sequence[int], anchors: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], is_ordered: Sequence[bool], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, method: str, n_columns: float, axes: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> tuple:
    """
    Merge the parts of a grid down to one cell, the cheapest merge first: axis and the two parts of each merge, the second joining the first, and the cost afterwards.
    """

def grid_rises(codes: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_values: Sequence[int], n_aside: Sequence[int], anchors: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], is_ordered: Sequence[bool], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, method: str, n_columns: float, axes: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], axis: int, by_value: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    By how many nats the cost rises if two parts of an axis merge, or if a value moves to another part: a row for each part or value, a column for each part.
    """
