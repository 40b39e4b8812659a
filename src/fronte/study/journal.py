"""The journal of a study: every finished game is appended at once, so that an interruption loses no finished game.

An entry is a heading of four numbers (variant, game, length, checksum) and the game's record. A last entry that was not
written whole, because the process was killed or the disk was full, is cut off when the journal is opened again.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import BinaryIO

from fronte.study.plan import Job

HEADING = struct.Struct("<IIII")
SYNC_EVERY = 1 << 20
"""Bytes after which the journal is forced to disk, should the machine itself fail."""


class Journal:
    """An open journal: where the record of every finished game lies."""

    def __init__(self, path: Path) -> None:
        self.places: dict[Job, tuple[int, int]] = {}
        """For each finished game where its record begins and how long it is."""
        self.file: BinaryIO = path.open("a+b")
        self._read()
        self._unsynced = 0

    def _read(self) -> None:
        """Find the entries; cut off what was not written whole."""
        self.file.seek(0)
        good = 0
        while len(heading := self.file.read(HEADING.size)) == HEADING.size:
            variant, game, length, checksum = HEADING.unpack(heading)
            record = self.file.read(length)
            if len(record) < length or zlib.crc32(record) != checksum:
                break
            self.places[Job(variant, game)] = (good + HEADING.size, length)
            good += HEADING.size + length
        self.file.truncate(good)

    def add(self, job: Job, record: bytes) -> None:
        """Append a finished game. Once this returns, only a failure of the whole machine can lose it."""
        begin = self.file.seek(0, os.SEEK_END)
        heading = HEADING.pack(job.variant, job.game, len(record), zlib.crc32(record))
        self.file.write(heading + record)
        self.file.flush()
        self.places[job] = (begin + HEADING.size, len(record))
        self._unsynced += len(record)
        if self._unsynced > SYNC_EVERY:
            self.sync()

    def sync(self) -> None:
        """Force what has been written to disk."""
        os.fsync(self.file.fileno())
        self._unsynced = 0

    def record(self, job: Job) -> bytes:
        """The record of a finished game."""
        begin, length = self.places[job]
        self.file.seek(begin)
        return self.file.read(length)

    def close(self) -> None:
        """Force everything to disk and close."""
        self.sync()
        self.file.close()
