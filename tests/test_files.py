"""Files of people: whatever fails while one is written, the old one is still there, whole."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import fronte
from fronte import files
from fronte.cli import app


def full(*args: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    file = tmp_path / "game.fronte"
    files.write_text(file, "perché\n")
    files.write_text(file, "sì\n")
    assert file.read_text(encoding="utf-8") == "sì\n"
    files.write_bytes(file, b"\x00")
    assert file.read_bytes() == b"\x00"
    assert os.listdir(tmp_path) == ["game.fronte"]


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_what_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    file = tmp_path / "game.fronte"
    file.write_text("old")
    monkeypatch.setattr(os, fails, full)
    with pytest.raises(OSError, match="No space left") as raised:
        files.write_text(file, "new")
    assert raised.value.filename == str(file)
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["game.fronte"]


def test_a_fault_of_the_writer_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("old")
    with pytest.raises(ValueError, match="broken"), files.replacing(file) as out:
        out.write("half")
        raise ValueError("broken")
    assert file.read_text() == "old" and os.listdir(tmp_path) == ["rows.jsonl"]


def test_who_interrupts_keeps_what_was_written(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    with pytest.raises(KeyboardInterrupt), files.replacing(file) as out:
        out.write("one row\n")
        raise KeyboardInterrupt
    assert file.read_text() == "one row\n" and os.listdir(tmp_path) == ["rows.jsonl"]


def test_permissions_and_links_stay_and_a_private_file_is_private(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    files.write_text(link, "new")
    assert link.is_symlink() and file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    files.write_text(file, "secret", private=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    files.write_text(tmp_path / "fresh", "secret", private=True)
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o600


def test_what_is_no_plain_file_is_written_to_as_it_is() -> None:
    files.write_text(Path("/dev/null"), "gone")
    assert not Path("/dev/null").is_file()


def test_a_failed_save_in_the_terminal_keeps_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.fronte"
    run = CliRunner()
    begin = ["text", "isonzo", "--seed", "1", "--open", "--save", str(file)]
    assert run.invoke(app, begin, input="end\nquit\n").exit_code == 0
    before = file.read_text(encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full)
    again = run.invoke(app, ["text", "--load", str(file), "--open"], input="end\nend\nquit\n")
    said = " ".join(again.output.split())
    assert "could not be saved" in said and "No space left" in said
    assert file.read_text(encoding="utf-8") == before
    assert os.listdir(tmp_path) == ["game.fronte"]


def test_a_save_without_its_seed_is_not_gone_on_with(tmp_path: Path) -> None:
    match = fronte.new("isonzo", seed=1)
    match.play("end")
    file = tmp_path / "game.fronte"
    file.write_text(match.save(with_seed=False), encoding="utf-8")
    for language, words in (("en", "the save has no seed"), ("it", "senza seme")):
        refused = CliRunner().invoke(app, ["text", "--load", str(file), "--language", language])
        assert refused.exit_code == 1 and words in " ".join(refused.output.split())
    assert CliRunner().invoke(app, ["replay", str(file)]).exit_code == 0
    loading = CliRunner().invoke(
        app, ["text", "--seed", "2", "--open", "--save", str(tmp_path / "b")], input=f"load {file}\nquit\n"
    )
    assert "the save has no seed" in " ".join(loading.output.split())
