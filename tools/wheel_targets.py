"""The systems for which ``tools/wheels`` builds, and how zig compiles for each of them."""

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """A system that wheels are for."""

    zig: str  # the triple of zig, with the version of its C library
    system: str  # of CMake
    processor: str
    host: str  # platform of sysconfig
    tags: str  # platform tags of the wheel, parted by dots
    soabi: str  # end of the name of a module that is for one version of Python
    pythons: tuple[str, ...] = ("3.11", "3.12")

    @property
    def is_linux(self) -> bool:
        """Whether auditwheel knows the system."""
        return self.system == "Linux"


TARGETS = {
    "manylinux-x86_64": Target(
        "x86_64-linux-gnu.2.17", "Linux", "x86_64", "linux-x86_64",
        "manylinux_2_17_x86_64.manylinux2014_x86_64", "x86_64-linux-gnu",
    ),
    "manylinux-aarch64": Target(
        "aarch64-linux-gnu.2.17", "Linux", "aarch64", "linux-aarch64",
        "manylinux_2_17_aarch64.manylinux2014_aarch64", "aarch64-linux-gnu",
    ),
    "musllinux-x86_64": Target(
        "x86_64-linux-musl", "Linux", "x86_64", "linux-x86_64",
        "musllinux_1_2_x86_64", "x86_64-linux-musl",
    ),
    # One wheel for 3.12 and later: that of 3.11 needs the headers of a Python for macOS.
    "macos-arm64": Target(
        "aarch64-macos.11.0", "Darwin", "arm64", "macosx-11.0-arm64", "macosx_11_0_arm64",
        "darwin", ("3.12",),
    ),
    "macos-x86_64": Target(
        "x86_64-macos.11.0", "Darwin", "x86_64", "macosx-11.0-x86_64", "macosx_11_0_x86_64",
        "darwin", ("3.12",),
    ),
}  # fmt: skip

FLAGS = {
    # nanobind names stderr without the header that declares it in libc++
    "Linux": "-include stdio.h",
    # a module finds the functions of Python in the process that loads it
    "Darwin": "-include stdio.h -Wl,-undefined,dynamic_lookup",
}


def find_python(version: str) -> str:
    """Path of an interpreter: this one, one on PATH or one of pyenv."""
    if f"{sys.version_info.major}.{sys.version_info.minor}" == version:
        return sys.executable
    roots = [Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")]
    for path in sorted(p for root in roots for p in root.glob(f"{version}.*/bin/python3")):
        return str(path)
    if found := shutil.which(f"python{version}"):
        return found
    raise SystemExit(f"wheels: Python {version} is needed and was not found")


def zig_path() -> Path:
    """Path of the compiler that the package ziglang holds."""
    import ziglang

    return Path(ziglang.__file__).parent / "zig"


def write_toolchain(target: Target, folder: Path) -> Path:
    """Write the compilers of a target, as CMake wants them."""
    folder.mkdir(parents=True, exist_ok=True)
    tools = {"c++": FLAGS[target.system], "cc": "", "ar": "", "ranlib": ""}
    for name, flags in tools.items():
        triple = f"-target {target.zig} " if name.startswith("c") else ""
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{zig_path()}" {name} {triple}{flags} "$@"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    lines = [
        f"set(CMAKE_SYSTEM_NAME {target.system})",
        f"set(CMAKE_SYSTEM_PROCESSOR {target.processor})",
        f'set(CMAKE_C_COMPILER "{folder}/cc")',
        f'set(CMAKE_CXX_COMPILER "{folder}/c++")',
        f'set(CMAKE_AR "{folder}/ar")',
        f'set(CMAKE_RANLIB "{folder}/ranlib")',
        "set(CMAKE_CROSSCOMPILING_EMULATOR /usr/bin/env)",  # CMake asks for one; none is run
        'set(CMAKE_STRIP "/bin/true")',  # the linker strips
        'set(CMAKE_SHARED_LINKER_FLAGS_INIT "-s")',
        'set(CMAKE_MODULE_LINKER_FLAGS_INIT "-s")',
        "set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)",
    ]
    if target.system == "Darwin":
        lines += [
            'set(CMAKE_OSX_ARCHITECTURES "")',
            "set(CMAKE_SHARED_MODULE_SUFFIX .so)",
            'set(CMAKE_OSX_SYSROOT "")',
        ]
    path = folder / "toolchain.cmake"
    path.write_text("\n".join(lines) + "\n")
    return path


def compile_wheel(target: Target, version: str, work: Path, epoch: int) -> Path:
    """Build the wheel of a target and a version of Python, with the tools of its environment."""
    python = environment(version, work.parent)
    toolchain = write_toolchain(target, work / "toolchain")
    abi = f".cpython-{version.replace('.', '')}-{target.soabi}.so"
    out = work / "raw"
    # One folder for all versions of Python: zig keeps what it compiled of the core.
    for folder in (out, work / "build"):
        shutil.rmtree(folder, ignore_errors=True)
    settings = {
        "CMAKE_ARGS": f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
        "_PYTHON_HOST_PLATFORM": target.host,
        "SETUPTOOLS_EXT_SUFFIX": abi if version == "3.11" else ".abi3.so",
        "SOURCE_DATE_EPOCH": str(epoch),
        "ZIG_LOCAL_CACHE_DIR": str(work / "zig-cache"),
        "PATH": f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}",
    }
    kept = {k: v for k, v in os.environ.items() if not k.startswith("CMAKE_CXX_COMPILER_LAUNCHER")}
    command = [python, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)]
    command += ["-C", f"build-dir={work / 'build'}", "."]
    done = subprocess.run(command, env=kept | settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}\nwheels: build failed")
    (wheel,) = out.glob("*.whl")
    return wheel


def environment(version: str, work: Path) -> str:
    """Python of an environment with the tools that build, made once."""
    from noxfile import pinned

    folder = work / f"build-{version}"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([find_python(version), "-m", "venv", folder], check=True)
        tools = [pinned(name) for name in ("build", "cmake", "nanobind", "ninja")]
        tools += ["scikit-build-core>=0.11"]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *tools], check=True)
    return str(python)
