"""Wheels as files: their tags, licences, bill of materials, and the order of their bytes."""

import base64
import hashlib
import json
import struct
import uuid
import zipfile
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

# What is compiled in, beside the code of the project: name, licence, its file in licenses/.
NANOBIND = ("nanobind", "BSD-3-Clause", "nanobind.txt")
ROBIN_MAP = ("robin-map", "MIT", "robin-map.txt")
LLVM = "Apache-2.0 WITH LLVM-exception"
RUNTIME = (
    ("libc++", LLVM, "llvm-libcxx.txt"),
    ("libc++abi", LLVM, "llvm-libcxxabi.txt"),
    ("libunwind", LLVM, "llvm-libunwind.txt"),
    ("compiler-rt", "MIT", "zig-compiler-rt.txt"),
)
PARTS = (NANOBIND, ROBIN_MAP, *RUNTIME)

Packer = Callable[[bytes], bytes]  # from bytes to those of deflate, without a header


def bill_of_materials(version: str, platform: str, versions: dict[str, str], epoch: int) -> str:
    """List what is compiled into a wheel, as CycloneDX 1.6 in JSON."""
    name = f"partage {version} {platform}"

    def component(part: str, licence: str) -> dict[str, object]:
        known = versions.get(part)
        entry: dict[str, object] = {"type": "library", "name": part, "bom-ref": part}
        if known:
            entry["version"] = known
        if part == "nanobind":
            entry["purl"] = f"pkg:pypi/nanobind@{known}"
        key = "expression" if " " in licence else "license"
        entry["licenses"] = [{key: licence if " " in licence else {"id": licence}}]
        return entry

    subject = {
        "type": "library",
        "name": "partage",
        "version": version,
        "bom-ref": "partage",
        "purl": f"pkg:pypi/partage@{version}",
        "licenses": [{"license": {"id": "BSD-3-Clause"}}],
    }
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, name)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).isoformat(),
            "component": subject,
        },
        "components": [component(part, licence) for part, licence, _ in PARTS],
        "dependencies": [{"ref": "partage", "dependsOn": [part for part, _, _ in PARTS]}],
    }
    return json.dumps(bill, indent=2) + "\n"


def deflate(data: bytes) -> bytes:
    """Compress by the standard library."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def deflate_tightly(data: bytes) -> bytes:
    """Compress to 3 % less than the standard library does, in seconds."""
    from zopfli.zlib import compress

    return compress(data, numiterations=5)[2:-4]  # without what zlib puts around


def finish(raw: Path, out: Path, tags: str, bill: str, epoch: int, pack: Packer = deflate) -> Path:
    """Write a wheel anew: its platform tags, a bill of materials, files in order at one time."""
    name, version, python, abi, _ = raw.stem.split("-")
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(raw) as wheel:
        files = {
            entry.filename: (wheel.read(entry), entry.external_attr >> 16)
            for entry in wheel.infolist()
            if not entry.is_dir() and entry.filename != f"{info}/RECORD"
        }
    lines = files[f"{info}/WHEEL"][0].decode().splitlines()
    lines = [line for line in lines if line and not line.startswith("Tag:")]
    lines += [f"Tag: {python}-{abi}-{tag}" for tag in tags.split(".")]
    files[f"{info}/WHEEL"] = ("\n".join(lines).encode() + b"\n", 0o644)
    files[f"{info}/sboms/partage.cdx.json"] = (bill.encode(), 0o644)
    record = "".join(
        f"{path},{_hash(data)},{len(data)}\n" for path, (data, _) in sorted(files.items())
    )
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}-{version}-{python}-{abi}-{tags}.whl"
    stamp = datetime.fromtimestamp(max(epoch, 315532800), UTC).timetuple()[:6]
    first = sorted(files, key=lambda file: (file.startswith(info), file))
    with path.open("wb") as wheel:
        directory = b""
        for file in first:
            data, mode = files[file]
            entry = zipfile.ZipInfo(file, stamp)
            entry.external_attr = (0o100755 if mode & 0o100 else 0o100644) << 16
            entry.create_system = 3
            directory += _append(wheel, entry, data, pack(data))
        count, start = len(first), wheel.tell()
        end = (b"PK\5\6", 0, 0, count, count, len(directory), start, 0)
        wheel.write(directory + struct.pack("<4s4H2LH", *end))
    return path


def _append(wheel: BinaryIO, entry: zipfile.ZipInfo, data: bytes, packed: bytes) -> bytes:
    """Write a file that is compressed already, which zipfile cannot; its line of the directory."""
    method = zipfile.ZIP_DEFLATED
    if len(packed) >= len(data):
        packed, method = data, zipfile.ZIP_STORED
    name = entry.filename.encode()
    flags = 0 if entry.filename.isascii() else 0x800  # the name is UTF-8
    year, month, day, hour, minute, second = entry.date_time
    date = (year - 1980) << 9 | month << 5 | day
    time = hour << 11 | minute << 5 | second // 2
    sizes = (zlib.crc32(data), len(packed), len(data), len(name), 0)
    both = (20, flags, method, time, date, *sizes)
    at = wheel.tell()
    wheel.write(struct.pack("<4s5H3L2H", b"PK\3\4", *both) + name + packed)
    made_by = entry.create_system << 8 | 20
    line = (b"PK\1\2", made_by, *both, 0, 0, 0, entry.external_attr, at)
    return struct.pack("<4s6H3L5H2L", *line) + name


def _hash(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"sha256={digest}"


def digest(path: Path) -> str:
    """Hash of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
