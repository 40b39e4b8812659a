"""Data packs: what is printed on paper, as folders of TOML and CSV. Every error names its file and line."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from fronte.engine.given import PositionError


class PackError(ValueError):
    """Something wrong in a data pack, with the file and, where there is one, the line."""

    def __init__(self, file: str, line: int | None, why: str) -> None:
        super().__init__(f"{file}:{line}: {why}" if line else f"{file}: {why}")
        self.file, self.line, self.why = file, line, why


class Row(dict[str, str]):
    """A line of a CSV file that knows where it stands."""

    def __init__(self, data: Mapping[str, str], file: str, line: int) -> None:
        super().__init__(data)
        self.file, self.line = file, line

    def error(self, why: str) -> PackError:
        """An error about this line."""
        return PackError(self.file, self.line, why)

    def one_of(self, column: str, allowed: Sequence[str], empty: bool = False) -> str:
        """The value of a column that must be one of these words."""
        value = self[column]
        if value in allowed or (empty and not value):
            return value
        raise self.error(f"{column} is {value!r}, not one of {', '.join(allowed)}")

    def integer(self, column: str, low: int, high: int, default: int | None = None) -> int:
        """The value of a column that must be a whole number within bounds; the default stands for an empty one."""
        value = self[column]
        if not value and default is not None:
            return default
        if re.fullmatch(r"-?[0-9]{1,9}", value) is None:
            raise self.error(f"{column} is {value!r}, not a whole number" if value else f"{column} is missing")
        if not low <= int(value) <= high:
            raise self.error(f"{column} is {value}, not between {low} and {high}")
        return int(value)

    def flag(self, column: str) -> bool:
        """A column that is 1 or empty."""
        return self.one_of(column, ("1",), empty=True) == "1"


@lru_cache(maxsize=64)
def _contents(path: Path, changed: int) -> str:
    return path.read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def _parse(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


class Pack:
    """The files of a game: those that come with it, and before them those of an owner's own folders."""

    def __init__(self, folders: Iterable[Path], inline: Mapping[str, str] | None = None) -> None:
        self.folders = tuple(folders)
        self.inline = dict(inline or {})
        """Files given as text; they come first."""
        for folder in self.folders:
            if not folder.is_dir():
                raise PackError(str(folder), None, "there is no such folder")

    def path(self, name: str) -> Path:
        """Where a file lies: the first folder that has it."""
        for folder in self.folders:
            if (folder / name).is_file():
                return folder / name
        raise PackError(name, None, "the pack has no such file")

    def text(self, name: str) -> str:
        """The text of a file."""
        if name in self.inline:
            return self.inline[name]
        try:
            path = self.path(name)
            return _contents(path, path.stat().st_mtime_ns)
        except UnicodeDecodeError as wrong:
            raise PackError(name, None, f"not UTF-8 text: {wrong}") from None
        except OSError as wrong:
            raise PackError(name, None, f"it cannot be read: {wrong.strerror}") from None

    def toml(self, name: str) -> dict[str, Any]:
        """A TOML file. What it says is shared and must not be changed."""
        try:
            return _parse(self.text(name))
        except (tomllib.TOMLDecodeError, UnicodeError) as wrong:
            raise PackError(name, None, str(wrong)) from None
        except RecursionError:
            raise PackError(name, None, "it is nested too deeply") from None

    def csv(self, name: str, columns: Sequence[str]) -> list[Row]:
        """The lines of a CSV file that must have exactly these columns, in any order."""
        reader = csv.DictReader(io.StringIO(self.text(name)), strict=True)
        try:
            found = reader.fieldnames or ()
            missing = [c for c in columns if c not in found]
            unknown = [c for c in found if c not in columns]
            if missing or unknown:
                parts = [f"missing columns {', '.join(missing)}"] if missing else []
                parts += [f"unknown columns {', '.join(unknown)}"] if unknown else []
                raise PackError(name, 1, "; ".join(parts))
            rows = []
            for data in reader:
                if None in data or None in data.values():
                    raise PackError(name, reader.line_num, f"the line has not {len(columns)} fields")
                rows.append(Row({k: v.strip() for k, v in data.items()}, name, reader.line_num))
            return rows
        except csv.Error as wrong:
            raise PackError(name, reader.line_num, str(wrong)) from None

    def fingerprint(self, names: Iterable[str]) -> str:
        """A hash of the files that decide play."""
        running = hashlib.blake2b(digest_size=8)
        for name in names:
            running.update(name.encode() + b"\0" + self.text(name).encode() + b"\0")
        return running.hexdigest()


@contextmanager
def reading(file: str) -> Iterator[None]:
    """What a file lacks or has of another kind than is expected is an error of that file, whoever stumbles over it."""
    try:
        yield
    except PackError:
        raise
    except KeyError as wrong:
        raise PackError(file, None, f"{wrong.args[0] if wrong.args else 'something'} is missing") from None
    except PositionError as wrong:
        raise PackError(file, None, str(wrong)) from None
    except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as wrong:
        raise PackError(file, None, f"it says something of another kind than is expected: {wrong}") from None
    except RecursionError:
        raise PackError(file, None, "it is nested too deeply") from None


def table(data: Mapping[str, Any], file: str, name: str) -> Mapping[str, Any]:
    """A table of a TOML file that must be there and say its `source`."""
    found = data.get(name)
    if not isinstance(found, Mapping):
        raise PackError(file, None, f"table [{name}] is missing")
    if found.get("source") not in ("printed", "reconstructed"):
        raise PackError(file, None, f"[{name}] must say source = 'printed' or 'reconstructed'")
    return found


def is_number(found: Any) -> bool:
    """Is this a whole number that a game can have?"""
    return isinstance(found, int) and not isinstance(found, bool) and abs(found) <= MOST_NUMBER


MOST_NUMBER = 9999


def value(data: Mapping[str, Any], file: str, name: str, check: Callable[[Any], bool], what: str) -> Any:
    """A value of a TOML table that must pass a check; `what` says in words what is expected."""
    if name not in data:
        raise PackError(file, None, f"{name} is missing")
    if not check(data[name]):
        raise PackError(file, None, f"{name} is {data[name]!r}, not {what}")
    return data[name]
