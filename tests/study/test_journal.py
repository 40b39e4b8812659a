"""The journal of a study outlives a process that is killed while it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fronte.study.journal import Journal
from fronte.study.plan import Job


def test_what_was_written_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "games.journal"
    journal = Journal(path)
    for game in range(3):
        journal.add(Job(0, game), bytes([game]) * (10 + game))
    journal.close()
    again = Journal(path)
    assert list(again.places) == [Job(0, 0), Job(0, 1), Job(0, 2)]
    assert again.record(Job(0, 1)) == bytes([1]) * 11
    again.add(Job(1, 0), b"more")
    assert again.record(Job(1, 0)) == b"more"
    again.close()


@pytest.mark.parametrize("lost", range(1, 29))
def test_a_last_entry_that_is_not_whole_is_cut_off(tmp_path: Path, lost: int) -> None:
    """28 bytes are the last entry: its heading of 16 and its record of 12."""
    path = tmp_path / "games.journal"
    journal = Journal(path)
    for game in range(3):
        journal.add(Job(0, game), bytes([65 + game]) * 12)
    journal.close()
    path.write_bytes(path.read_bytes()[:-lost])
    again = Journal(path)
    assert list(again.places) == [Job(0, 0), Job(0, 1)]
    again.add(Job(0, 2), b"C" * 12)
    assert [again.record(Job(0, game)) for game in range(3)] == [b"A" * 12, b"B" * 12, b"C" * 12]
    again.close()


def test_a_damaged_entry_ends_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "games.journal"
    journal = Journal(path)
    journal.add(Job(0, 0), b"good")
    journal.add(Job(0, 1), b"evil")
    journal.close()
    path.write_bytes(path.read_bytes().replace(b"evil", b"ebil"))
    again = Journal(path)
    assert list(again.places) == [Job(0, 0)]
    again.close()
