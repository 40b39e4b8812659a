"""Files of people: read whole within a limit; written beside, then put in place, so that the old one is never lost."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

PRIVATE = 0o600


class FileError(ValueError):
    """A file that cannot be what it should be; the message names it and says what is wrong."""


def read_file(file: Path, most: int) -> str:
    """The text of a file of at most so many bytes; FileError if it is larger, no text or no file at all."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise FileError(f"{file}: this is no file that can be read")
        with file.open("rb") as source:
            raw = source.read(most + 1)
    except (OSError, ValueError) as wrong:
        if isinstance(wrong, FileError):
            raise
        raise FileError(f"{file}: {getattr(wrong, 'strerror', None) or wrong}") from None
    if len(raw) > most:
        raise FileError(f"{file}: larger than the {most:,} bytes that are read")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise FileError(f"{file}: not a text file (byte {wrong.start} is not UTF-8)") from None
    if "\0" in text:
        raise FileError(f"{file}: not a text file (byte {raw.index(0)} is zero)")
    return text


def write_text(file: Path, text: str, private: bool = False) -> None:
    """Put this text into a file, whole or not at all. A private file is for its owner alone."""
    with replacing(file, private) as out:
        out.write(text)


def write_bytes(file: Path, data: bytes) -> None:
    """Put these bytes into a file, whole or not at all."""
    with replacing(file, binary=True) as out:
        out.write(data)


@contextmanager
def replacing(file: Path, private: bool = False, binary: bool = False) -> Iterator[IO[Any]]:
    """A file to write to; it takes the place of the old one when all is written and on the disk.

    Who interrupts the program keeps what was written until then. What is no plain file (a pipe, a terminal) is written
    to as it is. An OSError names the file that was meant.
    """
    mode, encoding = ("wb", None) if binary else ("w", "utf-8")
    try:
        if file.exists() and not file.is_file():
            with file.open(mode, encoding=encoding) as out:
                yield out
            return
        target = Path(os.path.realpath(file))  # a link stays a link
        beside = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}.part")
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE if private else 0o666)
        try:
            with open(number, mode, encoding=encoding) as out:
                try:
                    yield out
                except KeyboardInterrupt:
                    _settle(out, beside, target, private)
                    raise
                _settle(out, beside, target, private)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror, str(file)) from None


def _settle(out: IO[Any], beside: Path, target: Path, private: bool) -> None:
    out.flush()
    os.fsync(out.fileno())
    if target.exists() and not private:
        beside.chmod(stat.S_IMODE(target.stat().st_mode))
    os.replace(beside, target)
    with suppress(OSError):  # not every system lets a folder be synced
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
