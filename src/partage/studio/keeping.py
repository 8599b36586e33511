"""``Keeper``: a model file that is written whole, and a journal of what was done since.

Every command is in the journal before it is answered. The model file holds the number of the last
command that it includes, so that a sitting that was cut off anywhere is read again from both.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from partage._saving.models import model_to_json
from partage._support.safe_files import write_safely
from partage.exceptions import PartageError
from partage.studio.commands import Refused
from partage.studio.desk import Desk

__all__ = ["Keeper", "digest_of"]

_AUTOSAVE = 30.0  # seconds after a change
_LAYOUT = 1


class Keeper:
    """Saves a desk: each command at once, the whole from time to time.

    Parameters
    ----------
    desk : Desk
        What is saved.
    path : Path
        The model file; the journal stands beside it.
    """

    def __init__(self, desk: Desk, path: Path) -> None:
        self.desk = desk
        self.path = path
        self.journal = path.with_name(f"{path.stem}.journal")
        self.id = secrets.token_hex(8)
        self.done = 0  # commands of the sitting
        self.saved = -1  # commands that the model file includes
        self.trouble = ""
        self._digest: str | None = None
        self._file: BinaryIO | None = None
        self._saving = threading.Lock()
        self._timer: threading.Timer | None = None
        self._is_closed = False

    # Opening

    def open(self, studio: dict[str, Any] | None, digest: str | None) -> None:
        """Take up what a model file and its journal hold; start a journal."""
        if self.desk.is_read_only:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._digest = digest
        self._file = _open_alone(self.journal)
        left = _read_journal(self._file)
        if studio is not None:
            self.id, self.done = str(studio.get("id", self.id)), int(studio.get("done", 0))
            self.saved = self.done
        # Without a model file the fit is the same again, and the journal goes on from it.
        same = left is not None and (digest is None if studio is None else left[0] == self.id)
        n_lost = 0
        for number, command in left[1] if left is not None and same else ():
            if number != self.done + 1:
                continue
            try:
                self.desk.replay(command)
            except (Refused, KeyError, TypeError, ValueError):
                n_lost += 1
            self.done = number
        if left is not None and same:
            self.id = left[0]
        if n_lost:
            self.desk.notes.append(
                f"{n_lost} of the edits since the last save could not be done again, since the "
                "data have changed."
            )
        elif left is not None and not same and left[1]:
            kept = self.journal.with_suffix(".journal.old")
            with contextlib.suppress(OSError):
                kept.write_bytes(self.journal.read_bytes())
            self.desk.notes.append(
                f"{self.path.name} is not the file that the last journal belongs to; its "
                f"{len(left[1])} edits are kept in {kept.name}."
            )
        if left is None or not same:
            self._restart()
        self.desk.changed = self.write

    def _restart(self) -> None:
        """Empty the journal: what it held is in the model file."""
        assert self._file is not None
        self._file.seek(0)
        self._file.truncate()
        head = {"partage_studio": _LAYOUT, "id": self.id, "done": self.done}
        self._file.write(_line(head))
        self._file.flush()

    # Changes

    def write(self, command: dict[str, Any]) -> None:
        """Put a command into the journal, on the disk."""
        assert self._file is not None
        self._file.write(_line({"number": self.done + 1, "command": command}))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.done += 1
        if self._timer is None and not self._is_closed:
            self._timer = threading.Timer(_AUTOSAVE, self._autosave)
            self._timer.daemon = True
            self._timer.start()

    def _autosave(self) -> None:
        self._timer = None
        with contextlib.suppress(PartageError, OSError):
            self.save()

    @property
    def is_saved(self) -> bool:
        """Whether the model file holds all that was done."""
        return self.saved == self.done

    def save(self) -> None:
        """Write the model file, unless somebody else has written it since."""
        if self.desk.is_read_only:
            raise Refused("This studio is read-only.")
        with self._saving:
            with self.desk.lock:
                sheets, done = dict(self.desk.sheets), self.done
            found = digest_of(self.path)
            if found != self._digest:
                self.trouble = (
                    f"{self.path.name} was written by somebody else since it was opened, and is "
                    "not replaced. Move it away, then save again; the journal keeps your edits."
                )
                raise Refused(self.trouble)
            content = self._as_json(sheets, done).encode()
            write_safely(self.path, content)
            self._digest = hashlib.sha256(content).hexdigest()
            self.saved, self.trouble = done, ""
            with self.desk.lock:
                if self.done == done:
                    self._restart()

    def _as_json(self, sheets: dict[str, Any], done: int) -> str:
        """Write the model with the parts of these sheets."""
        plain = {name: sheet.to_plain() for name, sheet in sheets.items()}
        said = {name: one for name, one in plain.items() if one}
        state = {"id": self.id, "done": done, "columns": said}
        partitions = {name: sheets[name].partition for name in self.desk.model.partitions_}
        return model_to_json(self.desk.model._with_partitions(partitions, state))

    def close(self) -> None:
        """Save, and let the journal go."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._file is None:
            return
        try:
            if not self.is_saved:
                self.save()
        finally:
            self._file.close()
            self._file = None
            if self.is_saved:
                self.journal.unlink(missing_ok=True)


def _line(data: dict[str, Any]) -> bytes:
    """Write JSON on a line of its own."""
    return json.dumps(data).encode() + b"\n"


def digest_of(path: Path) -> str | None:
    """Digest of a file; None where there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def _read_journal(file: BinaryIO) -> tuple[str, list[tuple[int, dict[str, Any]]]] | None:
    """Read a journal as far as it is whole; a line that was cut off is taken away."""
    file.seek(0)
    lines = file.read().splitlines(keepends=True)
    rows = list(_objects(lines))
    file.truncate(sum(map(len, lines[: len(rows)])))
    if not rows or rows[0].get("partage_studio") != _LAYOUT:
        return None
    found = [
        (row["number"], row["command"])
        for row in rows[1:]
        if isinstance(row.get("number"), int) and isinstance(row.get("command"), dict)
    ]
    return str(rows[0].get("id")), found


def _objects(lines: list[bytes]) -> Iterator[dict[str, Any]]:
    """Objects of JSON until the first line that is none."""
    for line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(row, dict) or not line.endswith(b"\n"):
            return
        yield row


def _open_alone(path: Path) -> BinaryIO:
    """Open a journal to append to; refuse where another studio has it open."""
    file = path.open("ab+")
    try:
        _lock_file(file)
    except OSError:
        file.close()
        raise PartageError(
            f"{path.name} is open in another studio; close that one, pass another --model, or "
            "--read-only."
        ) from None
    return file


def _lock_file(file: BinaryIO) -> None:
    """Lock a file until it is closed, also by the end of the process."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return
    fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
