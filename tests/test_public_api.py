"""The public face: names, signatures, a cheap import."""

import inspect
import subprocess
import sys

import pytest

import partage as pt
from helpers import sweep

NAMES = {"Discretizer", "Intervals", "discretize", "from_dict"}
SHARED = {
    "method": "modl",
    "search": "auto",
    "n_parts": None,
    "max_parts": None,
    "min_part_size": None,
    "missing": "separate",
    "method_params": None,
}


def run_python(code):
    """Return the standard output of a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_promised_names_are_public():
    assert set(pt.__all__) >= NAMES


def test_public_names_are_sorted_and_exist():
    assert list(pt.__all__) == sorted(pt.__all__)
    assert all(hasattr(pt, name) for name in pt.__all__)


def test_nothing_else_is_listed():
    listed = {name for name in dir(pt) if not name.startswith("_")}
    assert listed == {name for name in pt.__all__ if not name.startswith("_")}


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"^module 'partage' has no attribute 'discretise'"):
        _ = pt.discretise


def test_version_is_that_of_the_package():
    from importlib.metadata import version

    assert pt.__version__ == version("partage")


@pytest.mark.parametrize("name", ["discretize", "Discretizer"])
def test_shared_parameters_have_one_name_and_one_default(name):
    parameters = inspect.signature(getattr(pt, name)).parameters
    assert {key: parameters[key].default for key in SHARED} == SHARED


def test_discretize_takes_its_options_by_keyword_only():
    parameters = inspect.signature(pt.discretize).parameters
    assert list(parameters)[:2] == ["x", "y"]
    rest = list(parameters.values())[2:]
    assert {p.kind for p in rest} == {inspect.Parameter.KEYWORD_ONLY}
    assert parameters["sample_weight"].default is None


def test_discretizer_takes_its_options_by_keyword_only():
    parameters = inspect.signature(pt.Discretizer).parameters.values()
    assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}
    assert {p.name: p.default for p in parameters if p.name in ("output", "n_jobs")} == {
        "output": "code",
        "n_jobs": None,
    }


def test_fit_takes_the_target_and_the_weights_by_keyword():
    parameters = inspect.signature(pt.Discretizer.fit).parameters
    assert list(parameters) == ["self", "X", "y", "target", "sample_weight", "exposure"]
    assert parameters["y"].default is None
    assert parameters["target"].kind is inspect.Parameter.KEYWORD_ONLY
    assert parameters["sample_weight"].kind is inspect.Parameter.KEYWORD_ONLY


def test_import_loads_no_scikit_learn():
    heavy = "{'sklearn', 'scipy', 'matplotlib', 'polars', 'pyarrow'}"
    loaded = run_python(f"import sys, partage; print(sorted({heavy} & set(sys.modules)))")
    assert loaded == "[]"


def test_import_takes_at_most_half_a_second_of_cpu():
    code = (
        "import time; start = time.process_time(); import partage; "
        "print(time.process_time() - start)"
    )
    assert min(float(run_python(code)) for _ in range(4)) <= 0.5


def test_interface_is_typed():
    from importlib.resources import files

    assert files("partage").joinpath("py.typed").is_file()


@pytest.mark.parametrize("command", sweep([["--version"], ["--help"], ["methods"]]))
def test_command_line_answers(command):
    done = subprocess.run(
        [sys.executable, "-m", "partage", *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr
