"""Files from outside at the command line: one line that names the file and what is wrong, and nothing is lost."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest
from correspondents import middle
from typer.testing import CliRunner, Result

from fronte.cli import app
from fronte.files import FileError, read_file
from fronte.mail import desk as desks
from fronte.mail import letter as letters
from fronte.mail.letter import signed


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "300"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desk in the middle of a match, and the letter that is to be read next."""
    monkeypatch.chdir(tmp_path)
    for name, text in written().items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


@lru_cache(maxsize=1)
def written() -> dict[str, str]:
    one, two, letter = middle()
    return {"my.desk": two.desk.write(), "next.letter": letters.write(letter), "other.desk": one.desk.write()}


def says(answer: Result, *parts: str) -> None:
    """One line of error, no traceback."""
    assert answer.exit_code == 1, answer.output
    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
    assert len(answer.output.strip().splitlines()) == 1 and answer.output.startswith("error: "), answer.output
    for part in parts:
        assert part in answer.output, answer.output


BAD: dict[str, bytes] = {
    "empty": b"",
    "binary": bytes(range(256)) * 20,
    "nul": b'{"fronte_letter":1,\x00"match":"x"}',
    "latin": "però".encode("latin-1"),
    "deep": b'{"fronte_letter":1,"body":' + b"[" * 90_000,
    "table": b'{"fronte_letter":1,"fronte_desk":1}',
    "list": b"[1, 2, 3]",
    "huge": b'{"x":"' + b"x" * 3_000_000 + b'"}',
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_letter_or_desk_is_said_so(folder: Path, name: str) -> None:
    before = Path("my.desk").read_bytes()
    Path(name).write_bytes(BAD[name])
    says(run("mail", "import", "my.desk", name), name)
    says(run("mail", "join", name), name)
    says(run("mail", "import", name, "next.letter"), name)
    for command in ("status", "export", "play", "verify"):
        says(run("mail", command, name), name)
    assert Path("my.desk").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == sorted({"my.desk", "next.letter", "other.desk", name})


def test_a_cut_off_desk_or_letter_says_what_to_do(folder: Path) -> None:
    rng = Random(1)
    desk, letter = Path("my.desk").read_text(encoding="utf-8"), Path("next.letter").read_text(encoding="utf-8")
    for _ in range(6):
        Path("cut").write_text(desk[: rng.randrange(1, len(desk) - 2)], encoding="utf-8")
        says(run("mail", "import", "cut", "next.letter"), "cut: ", "Take the last copy")
        Path("cut").write_text(letter[: rng.randrange(1, len(letter) - 2)], encoding="utf-8")
        says(run("mail", "import", "my.desk", "cut"), "cut: ", "Ask for it once more")


def test_keys_and_actions_that_were_changed_are_found(folder: Path) -> None:
    desk = desks.read(Path("my.desk").read_text(encoding="utf-8"))
    number = next(number for number, done in desk.actions.items() if done)
    for change in (
        {"private": "00" * 32},
        {"secret": "00" * 32},
        {"private": "x"},
        {"secret": ""},
        {"seat": "russian"},
        {"letters": []},
        {"letters": desk.letters[1:]},
        {"letters": desk.letters[:-1] + desk.letters[-2:-1]},
        {"actions": {}},
        {"actions": desk.actions | {"9999": []}},
        {"actions": desk.actions | {number: []}},
    ):
        broken = desks.Desk(**{name: getattr(desk, name) for name in desk.__struct_fields__} | change)
        Path("bad.desk").write_text(broken.write(), encoding="utf-8")
        says(run("mail", "status", "bad.desk"), "bad.desk: the desk is damaged", "Take the last copy")


def test_nothing_that_is_not_a_file_is_read(folder: Path) -> None:
    says(run("mail", "import", "my.desk", str(folder)), "no file that can be read")
    says(run("mail", "status", str(folder)), "no file that can be read")
    if hasattr(os, "mkfifo"):
        os.mkfifo("pipe")  # nobody writes to it: reading would wait for ever
        says(run("mail", "import", "my.desk", "pipe"), "no file that can be read")
        says(run("verify", "pipe"), "no file that can be read")


def test_a_write_that_fails_leaves_the_desk_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Path("my.desk").read_bytes()

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    says(run("mail", "import", "my.desk", "next.letter"), "my.desk: No space left")
    assert Path("my.desk").read_bytes() == before
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["my.desk", "next.letter", "other.desk"]
    assert run("mail", "import", "my.desk", "next.letter").exit_code == 0
    assert Path("my.desk").read_bytes() != before


def test_nothing_is_written_over_a_desk(folder: Path) -> None:
    before = Path("my.desk").read_bytes(), Path("other.desk").read_bytes()
    says(run("mail", "export", "other.desk", "--out", "other.desk"), "this is your desk")
    assert (Path("my.desk").read_bytes(), Path("other.desk").read_bytes()) == before


def test_a_match_names_no_other_folder(folder: Path) -> None:
    """Files are named after the match, and whoever invites names the match."""
    entropy = Random(1).randbytes
    made = desks.invite(middle()[0].rules, "italian", entropy)
    evil = letters.msgspec.structs.replace(made.letters[0], match="../../../../etc/x0000000")
    Path("evil").write_text(letters.write(signed(evil, bytes.fromhex(made.private))), encoding="utf-8")
    says(run("mail", "join", "evil"), "names no match")


def test_files_have_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x" * 100, encoding="utf-8")
    assert read_file(file, 100) == "x" * 100
    with pytest.raises(FileError, match="larger than the 99 bytes"):
        read_file(file, 99)
    with pytest.raises(FileError, match="file"):
        read_file(tmp_path / "missing", 99)
    with pytest.raises(FileError):
        read_file(Path("a\0b"), 99)
