"""Every check of the project: ``nox -l`` lists them, ``nox`` runs those a change must pass."""

import re
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.sessions = ["lint", "tests", "site", "cpp_tests", "build"]
nox.options.default_venv_backend = "venv"

PROJECT = nox.project.load_toml("pyproject.toml")["project"]
CPP = ["cpp/partage", "cpp/bindings", "cpp/tests"]


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
    session.install(".[test]", pinned("nanobind"), pinned("pyspark"))
    session.run("pytest", "-n", "2", *session.posargs, env={"PARTAGE_TESTS": "full"})


@nox.session
def cpp_tests(session: nox.Session) -> None:
    """Run the C++ tests under the sanitizers, after a proof that these can fail."""
    session.install(pinned("cmake"), pinned("ninja"))
    session.run("tools/sanitize", "cpp", external=True)
    session.run("tools/sanitize", "threads", external=True)


@nox.session
def sanitize(session: nox.Session) -> None:
    """Run the Python tests under the sanitizers, then attacks; arguments go to pytest."""
    session.install(*requirements("test"), pinned("cmake"), pinned("ninja"))
    session.run("tools/sanitize", "python", *session.posargs, external=True)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Attack at random the core, files and frames, ``-- --seconds N`` each; kill what writes."""
    session.install(".[test]")
    for target in ("core", "files", "frames"):
        session.run("python", "-m", f"fuzz.{target}", *(session.posargs or ["--seconds", "60"]))
    session.run("python", "-m", "fuzz.kills")


@nox.session
def coverage(session: nox.Session) -> None:
    """Count the branches of Python and the lines of C++ that the tests run; arguments to pytest."""
    tools = [pinned(name) for name in ("cmake", "ninja", "gcovr", "pytest-cov")]
    session.install(*requirements("test"), *tools)
    session.run("tools/coverage", *session.posargs, external=True)


@nox.session
def mutants(session: nox.Session) -> None:
    """Change the code in small ways, which the tests must notice; arguments go to tools/mutate."""
    session.install(*requirements("test"), pinned("cmake"), pinned("ninja"))
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
def build(session: nox.Session) -> None:
    """Build the sdist and the wheel from it, try the wheel elsewhere, compare the stub."""
    session.install(pinned("build"))
    with tempfile.TemporaryDirectory() as folder:
        dist, venv, stub = (Path(folder, name) for name in ("dist", "venv", "_core.pyi"))
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
