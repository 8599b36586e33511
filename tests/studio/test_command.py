"""``partage studio`` in this process: what it opens, tells and refuses."""

import gc
import signal

import pytest

from partage import cli
from partage.studio.studio import Studio
from studio_client import make_rows, open_rows


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Give what runs the command, with a studio that is closed as soon as it waits."""
    monkeypatch.chdir(tmp_path)
    make_rows(300).write_csv("loans.csv")

    def close(_):
        raise KeyboardInterrupt

    opened = []
    monkeypatch.setattr(Studio, "wait", close)
    monkeypatch.setattr(Studio, "open", lambda studio: opened.append(studio.url))
    before = signal.getsignal(signal.SIGTERM)

    def run_words(*words):
        status = cli.main(["studio", *words])
        return status, capsys.readouterr(), opened

    yield run_words
    signal.signal(signal.SIGTERM, before)
    gc.unfreeze()


def test_a_table_is_opened_told_and_saved(run, tmp_path):
    status, said, opened = run("loans.csv", "--target", "status", "--n-jobs", "1")
    assert status == 0
    lines = said.out.splitlines()
    assert lines[-3].endswith("Press Ctrl-C to end. Open:")
    assert opened == [lines[-2]]
    assert lines[-1].startswith("Saved ")
    (model,) = tmp_path.rglob("model.json")
    again = run(str(model), "loans.csv", "--no-browser", "--n-jobs", "1", "--read-only")
    assert again[0] == 0
    assert again[1].out.splitlines()[-2].startswith("Shows ")
    assert len(opened) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["loans.csv"], "--target must name the column to be predicted; none was given."),
        (["loans.csv", "--port", "65536"], "must be a port from 0 to 65535; got '65536'"),
        (["loans.csv", "--port", "x"], "must be a port from 0 to 65535; got 'x'"),
    ],
)
def test_what_is_missing_or_wrong_is_said(run, words, message, capsys):
    try:
        status, said, _ = run(*words)
        text = said.err
    except SystemExit as end:
        status, text = end.code, capsys.readouterr().err
    assert status == 2
    assert message in " ".join(text.split())


def test_a_model_needs_its_data_and_a_port_must_be_free(run, tmp_path):
    run("loans.csv", "--target", "status", "--no-browser", "--n-jobs", "1")
    (model,) = tmp_path.rglob("model.json")
    status, said, _ = run(str(model))
    assert status == 2
    assert "must be given behind it; there are none." in " ".join(said.err.split())
    with open_rows(tmp_path / "other" / "m.json", make_rows(200)) as studio:
        port = studio.url.split(":")[2].split("/")[0]
        words = ["loans.csv", "--target", "status", "--port", port, "--n-jobs", "1"]
        status, said, _ = run(*words)
    assert status == 2
    assert f"--port {port} is in use; pass another one." in " ".join(said.err.split())
