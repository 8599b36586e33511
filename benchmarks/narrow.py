"""Measure where NumPy sorts without AVX-512, in a process of its own.

Its sort in AVX-512 takes about two thirds of the time of that in AVX2. Figures that were set on a
machine without the former are shown against both sorts.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np


def _wide():
    """Names of what NumPy would use of AVX-512 on this machine."""
    core = np._core._multiarray_umath
    return [
        name
        for name in core.__cpu_dispatch__
        if core.__cpu_features__[name] and (name == "X86_V4" or name.startswith("AVX512"))
    ]


def without_avx512(module, function, *arguments):
    """Call a function of a module that returns plain data; None where NumPy has no AVX-512."""
    wide = _wide()
    if not wide:
        return None
    call = f"{module}.{function}(*{arguments!r})"
    done = subprocess.run(
        [sys.executable, "-c", f"import json, {module}\nprint(json.dumps({call}))"],
        cwd=Path(__file__).parent,
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(wide)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])
