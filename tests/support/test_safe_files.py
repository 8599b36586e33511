"""Files that are whole or not there, whoever else writes beside them."""

import os
import stat
import sys
import threading

import pandas as pd
import pytest

import partage as pt
from partage._support import safe_files
from partage._support.safe_files import file_safely, folder_safely, write_safely
from partage.exceptions import PartageError


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_threads_that_write_one_file_all_succeed(tmp_path):
    path = tmp_path / "model.json"
    failures = []

    def save(content):
        for _ in range(40):
            try:
                write_safely(path, content)
            except PartageError as error:
                failures.append(error)

    contents = [bytes([65 + i]) * 100_000 for i in range(4)]
    threads = [threading.Thread(target=save, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert path.read_bytes() in contents
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


def test_draft_does_not_follow_a_planted_link(tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(safe_files.secrets, "token_hex", lambda _: "guessed")
    (tmp_path / ".model.json.guessed").symlink_to(victim)
    with pytest.raises(PartageError, match="cannot be written: File exists"):
        write_safely(tmp_path / "model.json", b"new")
    assert victim.read_text() == "precious"


def test_private_file_stays_private(tmp_path):
    path = tmp_path / "model.json"
    path.write_text("old")
    path.chmod(0o600)
    write_safely(path, b"new")
    assert path.read_text() == "new"
    assert mode_of(path) == 0o600


def test_private_file_of_a_folder_stays_private(tmp_path):
    folder = tmp_path / "report"
    folder.mkdir()
    (folder / "model.json").write_text("old")
    (folder / "model.json").chmod(0o600)
    with folder_safely(folder) as draft:
        (draft / "model.json").write_text("new")
    assert mode_of(folder / "model.json") == 0o600
    assert (folder / "model.json").read_text() == "new"


def test_new_files_and_folders_have_the_usual_permissions(tmp_path):
    (tmp_path / "usual").touch()
    (tmp_path / "usual_folder").mkdir()
    write_safely(tmp_path / "file", b"")
    with folder_safely(tmp_path / "folder"):
        pass
    assert mode_of(tmp_path / "file") == mode_of(tmp_path / "usual")
    assert mode_of(tmp_path / "folder") == mode_of(tmp_path / "usual_folder")


def test_file_that_cannot_be_finished_leaves_the_old_one(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")

    def write_half():
        with file_safely(path) as draft:
            draft.write_text("half")
            raise OSError(28, os.strerror(28))

    with pytest.raises(PartageError, match="free some space"):
        write_half()
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes")
def test_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_safely(pipe, b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


def test_folder_in_the_place_of_a_file_is_refused(tmp_path):
    with pytest.raises(PartageError, match="cannot be written: Is a directory"):
        write_safely(tmp_path, b"new")


def test_folders_above_a_folder_are_made(tmp_path):
    with folder_safely(tmp_path / "a" / "b" / "c") as draft:
        (draft / "file").write_text("new")
    assert (tmp_path / "a" / "b" / "c" / "file").read_text() == "new"
    assert [file.name for file in (tmp_path / "a" / "b").iterdir()] == ["c"]


def test_error_without_a_number_or_words_is_told(tmp_path):
    def write():
        with file_safely(tmp_path / "file"):
            raise OSError

    with pytest.raises(PartageError, match="cannot be written: Input/output error; check the path"):
        write()


def test_number_in_the_words_of_an_error_names_the_remedy(tmp_path):
    def write():
        with file_safely(tmp_path / "file"):
            raise OSError("no room (os error 28)")

    with pytest.raises(PartageError, match="No space left on device; free some space"):
        write()


def test_counts_that_cannot_be_written_leave_the_old_file(tmp_path, monkeypatch):
    counts = pt.Contingency.of(pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), "x", "y")
    path = tmp_path / "counts.npz"
    counts.save(path)
    before = path.read_bytes()

    def fail(_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(safe_files.os, "fsync", fail)
    with pytest.raises(PartageError, match="No space left on device; free some space"):
        counts.save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["counts.npz"]
