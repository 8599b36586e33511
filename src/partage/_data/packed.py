"""Compressed files and archives: what they hold, as bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from pathlib import Path

from partage._data.magic import ENDINGS, Content, compression_of
from partage.exceptions import PartageError

__all__ = ["unpack"]

_BESIDE = re.compile(r"(readme|licen[cs]e|metadata|schema|dictionary)", re.IGNORECASE)


def unpack(name: str, content: Content, member: str) -> tuple[str, Content, str]:
    """Unpack a file as often as it is packed.

    Gives the name of what was inside, the content, and the part of it that is still to be chosen,
    such as a sheet.
    """
    kind = compression_of(content)
    if not kind:
        return name, content, member
    data = content if isinstance(content, bytes) else Path(content).read_bytes()
    if kind == "zip":
        name, data, member = _open_zip(name, data, member)
    else:
        try:
            data = _EXPAND[kind](data)
        except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
            raise PartageError(
                f"{name}: cannot be unpacked: {error}. Is the file complete?"
            ) from None
    if not data.strip():
        raise PartageError(f"{name}: must hold data; the file is empty.")
    return unpack(name, data, member)


def _open_zip(name: str, data: bytes, member: str) -> tuple[str, bytes, str]:
    """Read the one file of an archive, or the one that is named."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            names = [
                one.filename
                for one in file.infolist()
                if not one.is_dir()
                and not one.filename.startswith("__MACOSX/")
                and not Path(one.filename).name.startswith(".")
            ]
            if not member and len(names) > 1:
                names = _tables_among(names)
            chosen = [one for one in names if member in (one, Path(one).name)] if member else []
            if not chosen and len(names) > 1:
                shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" * (len(names) > 8))
                raise PartageError(
                    f"{name}: must hold one file, or name the one to read as {name}:{names[0]}; "
                    f"it holds {shown}."
                )
            if not names:
                raise PartageError(f"{name}: must hold a file; the archive is empty.")
            inside = (chosen or names)[0]
            return inside, file.read(inside), "" if chosen else member
    except (zipfile.BadZipFile, zlib.error) as error:
        raise PartageError(f"{name}: cannot be unpacked: {error}. Is the file complete?") from None
    except RuntimeError as error:  # a password
        raise PartageError(f"{name}: cannot be unpacked: {error}. Unpack it first.") from None


def _tables_among(names: list[str]) -> list[str]:
    """Leave out what goes with one table: a readme, a licence, pictures."""
    tables = [
        one
        for one in names
        if ENDINGS.get(Path(one).suffix.lower()) is not None
        and Path(one).suffix.lower() != ".txt"
        and not _BESIDE.match(Path(one).name)
    ]
    return tables if len(tables) == 1 else names


def _expand_zst(data: bytes) -> bytes:
    """Expand Zstandard, which Python knows from 3.14 on."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]

        return bytes(zstd.decompress(data))
    except ImportError:
        pass
    try:
        import zstandard
    except ImportError:
        raise PartageError(
            "reading .zst files needs zstandard, which is not installed; run "
            "`pip install partage[files]`."
        ) from None
    with zstandard.ZstdDecompressor().stream_reader(data) as reader:
        return bytes(reader.read())


_EXPAND = {
    "gz": gzip.decompress,
    "bz2": bz2.decompress,
    "xz": lzma.decompress,
    "zst": _expand_zst,
}
