"""Every check of the project: ``nox -l`` lists them, ``nox`` runs those a change must pass."""

import os
import re
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.sessions = ["lint", "tests", "site", "cpp_tests", "build"]
nox.options.default_venv_backend = "venv"

SETTINGS = nox.project.load_toml("pyproject.toml")
PROJECT = SETTINGS["project"]
CPP = ["cpp/partage", "cpp/bindings", "cpp/tests", "cpp/fuzz"]


def requirements(*extras: str) -> list[str]:
    """List what the project and its extras need, without the project itself."""
    return [*PROJECT["dependencies"], *(line for extra in extras for line in lines_of(extra))]


def lines_of(extra: str) -> list[str]:
    """List what an extra needs, and the extras it names."""
    found = []
    for line in PROJECT["optional-dependencies"][extra]:
        named = re.fullmatch(r"partage\[(\w+)\]", line)
        found += lines_of(named[1]) if named else [line]
    return found


def pinned(name: str) -> str:
    """Return the line of the dev extra that names a package."""
    return next(line for line in requirements("dev") if line.startswith(name))


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types, formatting and spelling; nothing is built."""
    session.install(*requirements("dev"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    files = [str(f) for folder in CPP for f in sorted(Path(folder).rglob("*.[ch]pp"))]
    session.run("clang-format", "--dry-run", "-Werror", *files, silent=True)
    session.run("codespell")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the Python tests on the installed package; arguments go to pytest."""
    session.install(".[test]", pinned("nanobind"))
    session.run("pytest", "-n", "2", *session.posargs)


@nox.session
def tests_full(session: nox.Session) -> None:
    """Run the Python tests on all their cases, Spark among them; arguments go to pytest."""
    session.install(".[test]", *map(pinned, ("nanobind", "pyspark", "dask", "pytest-timeout")))
    # A test that hangs is named instead of holding up the rest.
    options = ["-n", "2", "--timeout", "600", "--durations", "20"]
    session.run("pytest", *options, *session.posargs, env={"PARTAGE_TESTS": "full"})


@nox.session
def cpp_tests(session: nox.Session) -> None:
    """Run the C++ tests under the sanitizers, after a proof that these can fail."""
    session.install(pinned("cmake"), pinned("ninja"))
    session.run("tools/sanitize", "cpp", external=True)


@nox.session
def threads(session: nox.Session) -> None:
    """Run the C++ tests under the sanitizer of threads, after a proof that it can fail."""
    session.install(pinned("cmake"), pinned("ninja"))
    session.run("tools/sanitize", "threads", external=True)


@nox.session
def sanitize(session: nox.Session) -> None:
    """Run the tests that call the core most under the sanitizers; arguments go to pytest."""
    session.install(*requirements("test"), pinned("cmake"), pinned("ninja"))
    session.run("tools/sanitize", "python", *session.posargs, external=True)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Attack at random the core, files and frames, ``-- --seconds N`` each; kill what writes."""
    session.install(".[test]")
    for target in ("core", "files", "counts", "guided", "frames"):
        session.run("python", "-m", f"fuzz.{target}", *(session.posargs or ["--seconds", "60"]))
    session.run("python", "-m", "fuzz.kills")


@nox.session
def fuzz_core(session: nox.Session) -> None:
    """Attack the C++ core with inputs that libFuzzer guides to new code: ``-- SECONDS``."""
    session.install(pinned("cmake"), pinned("ninja"))
    session.run("tools/fuzz_core", *session.posargs, external=True)


@nox.session
def coverage(session: nox.Session) -> None:
    """Count the branches of Python and the lines of C++ that the tests run; arguments to pytest."""
    tools = [pinned(name) for name in ("cmake", "ninja", "gcovr", "pytest-cov")]
    session.install(*requirements("test"), *tools)
    session.run("tools/coverage", *session.posargs, external=True)


@nox.session
def mutants(session: nox.Session) -> None:
    """Change the code in small ways, which the tests must notice; arguments go to tools/mutate."""
    session.install(".[test]", pinned("cmake"), pinned("ninja"))
    session.run("python", "tools/mutate", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Draw the picture anew and check pages, links, examples, docstrings and the site."""
    session.install(".[test,docs]")
    session.run("python", "tools/make_picture.py")
    session.run("pytest", "tests/test_docs.py", "tests/test_docstrings.py")


@nox.session
def site(session: nox.Session) -> None:
    """Build the documentation site into build/site; a warning is an error."""
    session.install(".[docs]")
    build = ["-W", "--keep-going", "-q", "-b", "html", "docs", "build/site"]
    session.run("python", "-m", "sphinx", *build)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure partage on the benchmark problems; arguments go to benchmarks/run.py."""
    session.install(".[test]")
    session.run("python", "benchmarks/run.py", *(session.posargs or ["--adapters", "partage"]))


@nox.session
def bench_check(session: nox.Session) -> None:
    """Compare the instructions of ten small fits with those kept; needs valgrind and a compiler."""
    session.install(".[test]")
    session.run("python", "benchmarks/bench_check.py", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Build the sdist and the wheel from it, try it, compare the stub; ``-- FOLDER`` keeps them."""
    session.install(pinned("build"))
    with tempfile.TemporaryDirectory() as folder:
        dist, venv, stub = (Path(folder, name) for name in ("dist", "venv", "_core.pyi"))
        if session.posargs:
            dist = Path(session.posargs[0])
        session.run("python", "-m", "build", "--outdir", str(dist), silent=True)
        (wheel,) = dist.glob("*.whl")
        session.run("python", "-m", "venv", str(venv))
        python = str(venv / "bin" / "python")
        tools = [str(wheel), pinned("nanobind")]
        session.run(python, "-m", "pip", "install", "--quiet", *tools, external=True)
        session.run(str(venv / "bin" / "partage"), "--version", external=True)
        write = ["-m", "nanobind.stubgen", "-q", "-m", "partage._core", "-o", str(stub)]
        session.run(python, *write, external=True)
        session.run("diff", "src/partage/_core.pyi", str(stub), external=True)


# A third of the tests: what reads data and shows results meets other libraries first.
THIRD = [
    "tests/data",
    "tests/display",
    "tests/saving",
    "tests/targets",
    "tests/partitions",
    "tests/support",
    "tests/estimators/test_contract.py",
]
THIRD_NEEDS = ("hypothesis", "matplotlib", "polars", "pyarrow", "pytest", "duckdb", "psycopg")


def group(name: str) -> list[str]:
    """List the lines of a dependency group."""
    return nox.project.dependency_groups(SETTINGS, name)


def package() -> str:
    """Name what is installed: the wheel that PARTAGE_WHEEL names, or these sources."""
    return os.environ.get("PARTAGE_WHEEL", ".")


def third_needs() -> list[str]:
    """List what the chosen third of the tests needs."""
    names = (*THIRD_NEEDS, "networkx", "sqlglot")
    return [line for line in lines_of("test") if line.startswith(names) and "xdist" not in line]


def run_third(session: nox.Session, *options: str) -> None:
    """Run the chosen third of the tests, and compare the digests."""
    session.run("python", "-m", "pip", "list", "--format=freeze")
    session.run("python", "tools/digests", "check")
    session.run("pytest", "-q", *options, *(session.posargs or THIRD))


@nox.session
def oldest(session: nox.Session) -> None:
    """Run a third of the tests with the oldest declared version of every dependency."""
    lines = [*requirements(), *third_needs()]
    # What those versions were made for, and do not say.
    of_those_days = ["pyparsing<3.2", "scipy<1.15", "setuptools<81"]
    session.install(*(line.replace(">=", "==") for line in lines), *of_those_days)
    session.install("--no-deps", package())
    run_third(session, "-W", "ignore::DeprecationWarning", "-W", "ignore::FutureWarning")


@nox.session
def newest(session: nox.Session) -> None:
    """Run a third of the tests with the newest version of every dependency, pre-releases too."""
    session.install("--upgrade", *requirements(), *third_needs())
    session.install("--no-deps", package())
    run_third(session)


@nox.session
def digests(session: nox.Session) -> None:
    """Compare results with those that every CPU, system and version must give, bit for bit."""
    session.install(package())
    session.run("python", "tools/digests", "check")


@nox.session
def typing(session: nox.Session) -> None:
    """Check scripts of users with mypy and pyright; only planted errors may be found."""
    session.install(package(), *group("typing"), pinned("pytest>"))
    session.run("pytest", "tests/typing", env={"PARTAGE_TESTS": "full"})


@nox.session
def wheels(session: nox.Session) -> None:
    """Build wheels of several systems here, audit and try them; arguments go to tools/wheels."""
    session.install(*group("wheels"))
    given = session.posargs
    if not given:
        session.run("python", "tools/wheels", "--twice", "--python=3.12", "manylinux-x86_64")
    session.run("python", "tools/wheels", *(given or ["--try"]))


@nox.session
def native_wheels(session: nox.Session) -> None:
    """Build and try the wheels of this system by cibuildwheel, from the sdist if there is one."""
    session.install(*group("native-wheels"))
    made = sorted(Path("dist").glob("*.tar.gz"))
    session.run("cibuildwheel", "--output-dir", "wheelhouse", *map(str, made[-1:]))


@nox.session
def sdist(session: nox.Session) -> None:
    """Build the sdist of a release, ``-- TAG``, with the addresses that PARTAGE_HOME gives."""
    session.install(pinned("build"))
    if (home := os.environ.get("PARTAGE_HOME")) and session.posargs:
        session.run("python", "tools/index_page", home, session.posargs[0])
    session.run("python", "-m", "build", "--sdist", "--outdir", "dist")


@nox.session
def release_files(session: nox.Session) -> None:
    """Check versions, workflows, citation and recipe; arguments are more files to lint."""
    session.install(*group("release"), pinned("pytest>"))
    workflows = [str(path) for path in sorted(Path(".github/workflows").glob("*.yml"))]
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    session.run("zizmor", "--offline", *workflows)
    schema = "vendor.citation-file-format"
    session.run("check-jsonschema", "--builtin-schema", schema, "CITATION.cff")
    session.run("pytest", "-q", "tests/test_release.py")
    if os.environ.get("CI"):  # installing it needs more than the package index
        session.install(*group("actionlint"))
        session.run("actionlint", *workflows)
