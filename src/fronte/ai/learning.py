"""What learning from self-play needs in any family: games played once and kept, and files of what was found."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fronte.ai.arena import add_row, many, read_rows
from fronte.files import write_text


class SelfPlay(msgspec.Struct, frozen=True):
    """One game to play."""

    game: str
    scenario: str
    seed: int


def played(
    play: Callable[[SelfPlay], dict[str, Any]], jobs: Sequence[SelfPlay], workers: int, file: Path | None
) -> Iterator[dict[str, Any]]:
    """All games, those of the file first; new ones go into it. A row tells its game as `job`."""
    known = {json.dumps(row["job"], sort_keys=True): row for row in read_rows(file)} if file is not None else {}
    keys = [json.dumps(msgspec.to_builtins(job), sort_keys=True) for job in jobs]
    wanted = [job for job, key in zip(jobs, keys, strict=True) if key not in known]
    with many(workers) as run:
        fresh = iter(run(play, wanted))
        for key in keys:
            row = known.get(key)
            if row is None:
                row = next(fresh)
                add_row(file, row)
            yield row


def read_tables(file: Path) -> tuple[list[str], dict[str, Any]]:
    """What a file of weights says: the comments before its first table, and its tables; nothing if there is none."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return [line for line in text.partition("[")[0].splitlines() if line.startswith("#")], tomllib.loads(text)


def write_lines(file: Path, lines: Sequence[str]) -> None:
    """Write a file of weights."""
    write_text(file, "\n".join(lines).lstrip("\n") + "\n")


def write_sides(file: Path, name: str, sides: Mapping[str, Mapping[str, float]]) -> None:
    """Put weights of some sides under a name into a file; all others stay, comments before the first table too."""
    lines, tables = read_tables(file)
    tables.setdefault(name, {}).update(sides)
    for one, found in tables.items():
        for side, values in found.items():
            lines += ["", f"[{one}.{side}]", *(f"{key} = {float(value)!r}" for key, value in values.items())]
    write_lines(file, lines)
