"""One process at a time serves a file of SQLite: it holds a lock beside the file, and says where it is to be found.

Two that were started apart would not tell each other what happens at their tables. The lock is the system's: it ends
with the process, however that ends. Several processes need PostgreSQL.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path
from types import TracebackType

import msgspec

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FAR = 1 << 30
"""Windows locks parts of a file against reading; so the part that is locked lies behind all that is written."""
TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class Whereabouts(msgspec.Struct):
    """The process that holds a file, and where browsers find it."""

    process: int = 0
    address: str = ""


class AlreadyServed(ValueError):
    """Another process serves this file."""

    def __init__(self, file: Path, by: Whereabouts) -> None:
        at = f" at {by.address}" if by.address else ""
        process = f" (process {by.process})" if by.process else ""
        super().__init__(
            f"the matches in {file} are being served already{at}{process}. One process serves an SQLite file: "
            "use that one, end it first, or give another file; several processes need PostgreSQL"
        )
        self.address = by.address


class FileLock:
    """The lock on a database, as long as it is not closed; AlreadyServed if another process has it."""

    def __init__(self, database: Path) -> None:
        database.parent.mkdir(parents=True, exist_ok=True)
        place = database.with_name(database.name + ".lock")
        self.file = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self.file)
        except OSError as wrong:
            os.close(self.file)
            if wrong.errno in TAKEN:
                raise AlreadyServed(database, _read(place)) from None
            raise
        try:
            self.tell("")
        except OSError as wrong:
            os.close(self.file)
            raise OSError(wrong.errno, wrong.strerror, str(place)) from None

    def tell(self, address: str) -> None:
        """Write down where the server is."""
        text = msgspec.json.encode(Whereabouts(os.getpid(), address))
        os.lseek(self.file, 0, os.SEEK_SET)
        os.write(self.file, text)
        os.ftruncate(self.file, len(text))

    def __enter__(self) -> FileLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.ftruncate(self.file, 0)
        os.close(self.file)  # which ends the lock; the file stays, as another may be about to lock it


def _lock(file: int) -> None:
    if sys.platform == "win32":
        os.lseek(file, FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _read(place: Path) -> Whereabouts:
    with contextlib.suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(place.read_bytes(), type=Whereabouts)
    return Whereabouts()
