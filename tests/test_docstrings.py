"""Every public name is documented, as it is, with an example that runs."""

import ast
import doctest
import inspect
import re

import numpy as np
import pytest

import partage as pt

PUBLIC = {
    name: item
    for name in pt.__all__
    if callable(item := getattr(pt, name))
    and not (inspect.isclass(item) and issubclass(item, Exception))
}
METHODS = {
    f"{name}.{key}": member
    for name, item in PUBLIC.items()
    if inspect.isclass(item)
    for owner in reversed(item.__mro__)
    if owner.__module__.startswith("partage")
    for key, member in vars(owner).items()
    if not key.startswith("_") and (callable(member) or isinstance(member, property))
}
SECTION = re.compile(r"^(?P<title>[A-Z][A-Za-z ]+)\n-{3,}\n", re.MULTILINE)
ENTRY = re.compile(r"^(?P<names>\*{0,2}\w+(?:, \w+)*)(?: : (?P<kind>.*))?$", re.MULTILINE)
DEFAULT = re.compile(r"default[ =:]\s*(?P<value>.+)$")


def sections(item):
    """Map the titles of a numpydoc docstring to their text; the summary is under ''."""
    pieces = SECTION.split(inspect.getdoc(item))
    return {"": pieces[0], **dict(zip(pieces[1::2], pieces[2::2], strict=True))}


def documented_parameters(item):
    """Names of the documented parameters, with what is said of each kind."""
    text = sections(item).get("Parameters", "")
    return {
        name.strip("*"): match["kind"] or ""
        for match in ENTRY.finditer(text)
        for name in match["names"].split(", ")
    }


def real_parameters(item):
    """Map the names of the parameters to their defaults."""
    parameters = inspect.signature(item).parameters.values()
    return {p.name: p.default for p in parameters if p.name not in ("self", "cls")}


def is_ours(member):
    """Whether a method is written in partage rather than inherited or generated."""
    return inspect.unwrap(getattr(member, "fget", None) or member).__module__.startswith("partage")


def takes_documented_parameters(item):
    """Whether a public object is built or called by its user with parameters."""
    built = (pt.Cells, pt.Contingency, pt.Grid, pt.Groups, pt.Intervals)
    return item not in built and bool(real_parameters(item))


CALLED = {name: item for name, item in PUBLIC.items() if takes_documented_parameters(item)}
CALLED_METHODS = {
    name: member
    for name, member in METHODS.items()
    if not isinstance(member, property | staticmethod | classmethod)
    and is_ours(member)
    and real_parameters(member)
}


@pytest.mark.parametrize("item", [*PUBLIC.values()], ids=[*PUBLIC])
def test_public_name_says_what_it_is_for_in_one_sentence(item):
    first = inspect.getdoc(item).split("\n\n")[0]
    assert "\n" not in first
    assert first.endswith(".")
    assert first[0].isupper()


@pytest.mark.parametrize("member", [*METHODS.values()], ids=[*METHODS])
def test_public_method_says_what_it_is_for(member):
    assert inspect.getdoc(member).split("\n")[0].strip()


@pytest.mark.parametrize("item", [*CALLED.values()], ids=[*CALLED])
def test_documented_parameters_are_the_real_ones_in_order(item):
    assert list(documented_parameters(item)) == list(real_parameters(item))


@pytest.mark.parametrize("item", [*CALLED_METHODS.values()], ids=[*CALLED_METHODS])
def test_documented_parameters_of_a_method_are_the_real_ones_in_order(item):
    assert list(documented_parameters(item)) == list(real_parameters(item))


@pytest.mark.parametrize("item", [*CALLED.values()], ids=[*CALLED])
def test_documented_defaults_are_the_real_ones(item):
    kinds = documented_parameters(item)
    real = {k: v for k, v in real_parameters(item).items() if v is not inspect.Parameter.empty}
    said = {k: DEFAULT.search(kinds[k]) for k in real}
    assert {k: match and ast.literal_eval(match["value"]) for k, match in said.items()} == real
    assert all(said.values())


@pytest.mark.parametrize("item", [*PUBLIC.values()], ids=[*PUBLIC])
def test_example_is_short_and_runs(item):
    examples = doctest.DocTestFinder(recurse=False).find(item, globs={"pt": pt})
    (example,) = (e for e in examples if e.examples)
    assert sum(e.source.count("\n") for e in example.examples) <= 10
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example).failed == 0


@pytest.mark.parametrize("name", [n for n, item in PUBLIC.items() if hasattr(item, "fit")])
def test_estimator_documents_its_fitted_attributes(name, steps):
    X, y = steps
    is_regressor = "Regressor" in name
    fitted = PUBLIC[name]().fit(X, np.arange(len(X)) % 7 / 2 if is_regressor else y)
    text = sections(PUBLIC[name])["Attributes"]
    documented = {n for match in ENTRY.finditer(text) for n in match["names"].split(", ")}
    real = {key for key in vars(fitted) if key.endswith("_") and not key.startswith("_")}
    assert real <= documented
