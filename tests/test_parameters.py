"""Every parameter name of the public functions, estimators and methods has one meaning."""

import inspect
import re

import pytest

import partage as pt
from partage._estimators.plan import DEFAULTS
from test_docstrings import CALLED, CALLED_METHODS, documented_parameters, real_parameters

MEANINGS = {
    "discriminants": "Where the conditions of a binarization come from.",
    "max_patterns": "Most patterns that vote.",
    "price": "Price of a nat of the length of a pattern.",
    "theory": "Which patterns are kept, and how they vote.",
    "X": "The table: rows of columns.",
    "alpha": "Rows of no effect that draw points to 0.",
    "about": "What a document says that the card does not know.",
    "against": "What points are lost against.",
    "at": "Where a part is split.",
    "ax": "The axes to draw on.",
    "axis": "A column of a grid.",
    "ball": "Objects of a ball.",
    "balls": "Which balls of a graph count inside a subset.",
    "base": "Points at the base odds of a scorecard.",
    "base_odds": "Odds against the event at the base points.",
    "beside": "Missing or special values beside the parts.",
    "browser": "Whether the page is opened in a browser.",
    "by": "The segment or period of each row.",
    "by_tolerance": "How sure a reversal in a segment must be to count.",
    "candidate_cuts": "The only cuts that may be made.",
    "certainty": "Whether a table says how probable its borders are.",
    "change": "How a partition is edited.",
    "classes": "All classes that later batches may hold.",
    "column": "Name of the column in SQL.",
    "columns": "Columns to draw.",
    "consistency": "Separators of each pair of rows of different classes.",
    "cross_fit": "Number of folds of outputs that show the class.",
    "curve": "Whether numbers are cut at the steps of their averaged curve.",
    "cut_style": "Where a cut is placed between two neighbouring values.",
    "cuts": "All cuts of an edited partition.",
    "data": "Plain data of a partition.",
    "dialect": "Whose SQL to write.",
    "drop_uninformative": "Whether columns of level 0 are left out.",
    "early_stopping": "Necessary candidates in a row that end an elimination.",
    "estimator": "How the columns of a scorecard are weighed.",
    "family": "Law of a number that points add up to.",
    "fixed": "Terms that are kept as they are.",
    "graph": "Which objects are neighbours.",
    "grouping": "How the grouping of balls is encoded.",
    "holdout": "Rows that no part is made from.",
    "information": "Share of what a grid saves that is left.",
    "init": "Where an agglomeration starts.",
    "input_features": "Names of the fitted columns, as scikit-learn passes them.",
    "interactions": "Largest number of columns in a product.",
    "keep": "Columns of the table to pass through.",
    "kinds": "Kind of single columns.",
    "label": "Place of a class.",
    "labels": "Part of each object.",
    "limits": "Limits of the parts that are looked for again.",
    "links": "Training objects that each new object is linked with.",
    "locked": "What stays while parts are looked for again.",
    "max_ball_size": "Largest ball looked at.",
    "max_columns": "Largest number of columns with points.",
    "max_degree": "Largest number of conditions of an enumerated pattern.",
    "max_discriminants": "Largest number of conditions kept.",
    "max_features": "Largest number of columns selected.",
    "max_memory": "Bytes that a search may use.",
    "max_pairs": "Largest number of pairs of columns.",
    "max_parts": "Largest number of parts.",
    "max_size": "Largest number of columns of a subset.",
    "members": "Objects of a subset.",
    "measure": "What the bars of a picture show.",
    "merit": "Which candidates an elimination tries first.",
    "method": "How parts or conditions are judged and found.",
    "method_params": "Parameters of the method.",
    "metric": "Distance between rows.",
    "min_cell_size": "Smallest weight of a cell.",
    "min_class_count": "Smallest weight of each class in a part.",
    "min_iv": "Smallest information value of a column.",
    "min_part_size": "Smallest weight of a part.",
    "min_parts": "Smallest number of parts.",
    "min_precision": "Smallest share of its class among the rows of a pattern.",
    "min_size": "Smallest number of columns of a subset.",
    "min_support": "Smallest share of its class that a pattern covers.",
    "missing": "What becomes of missing values.",
    "model": "Whether subsets of columns are divided by graphs, by grids or by both.",
    "monotonic": "How the class must go with the values of a column.",
    "most": "Number of columns drawn.",
    "moves": "Whether an agglomeration moves objects between groups.",
    "n": "Number of reasons of each row.",
    "n_across": "Pictures beside each other.",
    "n_best": "Patterns that each row gives to the theory.",
    "n_centers": "Number of centres of balls, or of candidates for prototypes.",
    "n_draws": "Samples drawn for intervals.",
    "n_jobs": "Threads.",
    "n_neighbors": "Neighbours of each row in a graph.",
    "n_parts": "Number of parts, exactly.",
    "n_rows": "Number of rows of new data.",
    "name": "Name of the column in results and messages.",
    "names": "Names of the columns in results and messages.",
    "null_prior": "What a subset is expected to be before it is cut.",
    "prune": "Whether cuts that do not pay for themselves are undone.",
    "options": "Parameters of the function of the same name.",
    "ordered": "Order of the values.",
    "output": "What transform gives.",
    "pairs": "Pairs of columns.",
    "override": "Points that are set for single parts.",
    "part": "Code of a part.",
    "partition": "Parts of the column of an axis.",
    "partitioner": "The estimator that makes the parts.",
    "partitions": "Partitions that are kept as they are.",
    "parameters": "Parameters of the estimator that a function fits.",
    "parts": "Parts to merge.",
    "path": "A file.",
    "patterns": "Which patterns are sought.",
    "points_to_double": "Points that double the odds against the event.",
    "port": "Port of the server of a page.",
    "positive": "The class that is the event.",
    "read_only": "Whether nothing can be changed.",
    "reason": "Why an edit is made.",
    "random_state": "Seed of random draws.",
    "reasons": "Number of reasons.",
    "ridge": "Price of half the squares of the weights.",
    "round_cuts": "What rounder cuts may cost.",
    "rounded": "Whether points are whole numbers.",
    "row": "Values of one row.",
    "exposure": "What the events of each row were counted over.",
    "sample_weight": "Frequency of each row.",
    "scale": "How columns are scaled before distances.",
    "search": "How intervals or grids are searched.",
    "selection": "How columns are selected.",
    "shares": "Class shares of parts: counted or averaged.",
    "signs": "Whether weights keep the sign of the evidence.",
    "special": "What becomes of special values.",
    "special_values": "Codes that stand for no value.",
    "steps": "Edits to take back.",
    "style": "Look of a table in a notebook.",
    "table": "Name of the table in SQL.",
    "target": "Name of the column that holds the class.",
    "target_type": "What y is: classes, a number, or as its dtype says.",
    "term": "A term of an additive model: a column, or two.",
    "title": "What a table is called.",
    "to": "Code of the part that a value moves to.",
    "tolerance": "Share of pairs that may be left short of separators.",
    "top": "Number of rows of a ranking.",
    "understand": "Whether text is converted, and identifiers are left out.",
    "user_cuts": "Cuts that are always kept.",
    "value": "A value of the column.",
    "verbose": "Whether to show progress.",
    "weight": "Column that holds how often a row occurred.",
    "widths": "How wide the parts of a picture are.",
    "who": "Who makes an edit.",
    "woe_sign": "Sign of the weight of evidence.",
    "x": "The values of one column.",
    "x1": "The values of the first column.",
    "x2": "The values of the second column.",
    "y": "The class of each row.",
}

# Beside the type that most have: where another is declared, and why.
ONE_COLUMN = "a function has one column: no dict of columns, and no column to name"
DECLARED = {
    ("X", "data frame or array, lazy frame, path or source"): "engines count rows out of memory",
    ("X", "data frame or array, or None"): "a graph of the user's has no table",
    ("X", "data frame"): "a page shows columns by their names",
    ("at", "value or list of values"): "groups are split by values, intervals by a number",
    ("by", "array-like"): ONE_COLUMN,
    ("candidate_cuts", "list"): ONE_COLUMN,
    ("column", "sequence of str"): "a grid has several columns",
    ("change", '{"flat", "ascending", "descending"} or int'): "terms have few shapes",
    ("columns", "pair of int or str"): "a graph is drawn in the plane of two columns",
    ("graph", '{"gabriel", "rng", "knn", "delaunay"} or a graph'): "points can be linked by name",
    ("keep", "float"): "simple terms keep a share of a curve, no columns",
    ("max_parts", "int"): ONE_COLUMN,
    ("max_parts", "int or sequence"): "a grid has a number for each axis",
    ("method", "str or dict"): "a mixed table may have a method for each kind of column",
    ("method", '{"auto", "bipartition", "agglomerative", "prototypes"}'): "few are named in full",
    ("min_class_count", "int, float or list"): ONE_COLUMN,
    ("min_part_size", "int or float"): ONE_COLUMN,
    ("monotonic", "dict"): "binarization knows directions of single columns, and no shapes",
    ("monotonic", '{"ascending", "descending", "peak", "valley", "auto"}'): ONE_COLUMN,
    ("n_parts", "int"): ONE_COLUMN,
    ("ordered", "sequence"): ONE_COLUMN,
    ("output", '{"code", "onehot", "rate", "woe", "label"}'): "cells have no averages",
    ("pairs", '"auto", int or list of pairs of str'): "a number limits the pairs of a model",
    ("pairs", '"auto" or list of pairs of str'): "a ranking has all pairs, features the best",
    ("output", '{"uint8", "bool", "sparse"}'): "conditions have no parts: transform gives bits",
    ("partitioner", "GraphPartitioner"): "subsets of columns are parted together",
    ("round_cuts", "float"): ONE_COLUMN,
    ("selection", '{"mdl", "stepwise", "lasso", None}'): "scorecards choose by p-values too",
    ("user_cuts", "list"): ONE_COLUMN,
}
NOTHING_BUT = re.compile(r",? ?default.*$| of shape \([^)]*\)")


def kinds_by_name():
    """Map each parameter name to the types that are documented, and who documents each."""
    found = {}
    for where, item in (CALLED | CALLED_METHODS).items():
        for name, kind in documented_parameters(item).items():
            plain = NOTHING_BUT.sub("", kind)
            found.setdefault(name, {}).setdefault(plain, []).append(where)
    return found


def test_every_parameter_has_a_meaning_and_every_meaning_a_parameter():
    assert sorted(kinds_by_name()) == sorted(MEANINGS)
    assert all(text.endswith(".") and text[0].isupper() for text in MEANINGS.values())


def test_a_parameter_has_one_type_wherever_it_occurs():
    others = {}
    for name, kinds in kinds_by_name().items():
        undeclared = {kind: kinds[kind] for kind in kinds if (name, kind) not in DECLARED}
        if len(undeclared) > 1:
            others[name] = undeclared
    assert others == {}


def test_every_declared_exception_is_needed():
    found = {(name, kind) for name, kinds in kinds_by_name().items() for kind in kinds}
    assert set(DECLARED) <= found


def test_names_of_old_parameters_are_gone():
    assert not {"monotone", "least_parts", "n_centres", "df"} & set(MEANINGS)


TABLES = [pt.discretize, pt.group, pt.Discretizer, pt.Grouper, pt.TablePartitioner]
CLASSIFIERS = [pt.NaiveBayesClassifier, pt.SelectiveNaiveBayesClassifier]


@pytest.mark.parametrize("item", TABLES + CLASSIFIERS)
def test_functions_and_estimators_share_their_defaults(item):
    real = real_parameters(item)
    shared = {name: real[name] for name in DEFAULTS if name in real}
    assert shared == {name: DEFAULTS[name] for name in shared}
    assert len(shared) >= 10


@pytest.mark.parametrize(
    "item", [*TABLES[2:], *CLASSIFIERS, pt.Scorecard, pt.DataBinarizer, pt.AdditiveClassifier]
)
def test_estimators_take_their_parameters_by_keyword_only(item):
    parameters = inspect.signature(item).parameters.values()
    assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}
