"""Changes to a data pack that a study makes: one value of a counter, of a hex or of a table, or a folder of files.

A change names a place and a value. Places are `counters.UNIT.COLUMN`, `hexes.HEX.COLUMN`, `hexsides.A/B.COLUMN` in the
CSV files, and `tables.A.B`, `scenarios.A.B`, `board.A.B` in the TOML files. The name of a row may be a pattern with *
and ?, and then all rows that fit it are changed. With `+=` the value is added to what is printed.
"""

from __future__ import annotations

import csv
import difflib
import io
import json
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from fronte.engine.pack import Pack

ROWS = {
    "counters": ("units.csv", ("id",)),
    "hexes": ("hexes.csv", ("hex",)),
    "hexsides": ("hexsides.csv", ("a", "b")),
}
"""Where a change of a CSV file goes: the file, and the columns that name a row."""
TREES = {"tables": "tables.toml", "scenarios": "scenarios.toml", "board": "board.toml"}
TEXT_FILES = (".toml", ".csv")


def is_change(place: str) -> bool:
    """Is this the place of something in a pack?"""
    head, dot, _ = place.partition(".")
    return bool(dot) and (head in ROWS or head in TREES)


def change(pack: Pack, place: str, value: str, add: bool = False) -> dict[str, str]:
    """The files of a pack that a change concerns, changed; ValueError if there is no such place."""
    head, _, rest = place.partition(".")
    if head in ROWS:
        file, keys = ROWS[head]
        name, _, column = rest.rpartition(".")
        return {file: _changed_rows(pack.text(file), keys, name, column, value, add)}
    file = TREES[head]
    return {file: _changed_tree(pack.text(file), rest.split("."), value, add)}


def folder_files(folder: Path) -> dict[str, str]:
    """The text files of an owner's own pack, so that a study does not depend on the folder staying as it is."""
    if not folder.is_dir():
        raise ValueError(f"{folder}: there is no such folder")
    files = sorted(path for path in folder.iterdir() if path.suffix in TEXT_FILES)
    if not files:
        raise ValueError(f"{folder}: the folder has no file of a pack ({', '.join(TEXT_FILES)})")
    return {path.name: path.read_text(encoding="utf-8") for path in files}


# CSV


def _changed_rows(text: str, keys: Sequence[str], name: str, column: str, value: str, add: bool) -> str:
    reader = csv.DictReader(io.StringIO(text))
    columns = list(reader.fieldnames or ())
    if column not in columns or column in keys:
        known = ", ".join(known for known in columns if known not in keys)
        raise ValueError(f"there is no column {column!r} to change; the columns are {known}")
    rows = list(reader)
    names = ["/".join(row[key] for key in keys) for row in rows]
    chosen = [row for row, known in zip(rows, names, strict=True) if fnmatchcase(known, name)]
    if not chosen:
        near = difflib.get_close_matches(name, names, 3, 0.4)
        raise ValueError(f"nothing is called {name!r}" + (f"; near to it: {', '.join(near)}" if near else ""))
    for row in chosen:
        row[column] = str(_sum(row[column], value)) if add else value
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _sum(printed: str, value: str) -> int:
    try:
        return int(printed or 0) + int(value)
    except ValueError:
        raise ValueError(f"{value!r} cannot be added to {printed!r}; both must be whole numbers") from None


# TOML


def _changed_tree(text: str, path: Sequence[str], value: str, add: bool) -> str:
    tree = tomllib.loads(text)
    branch: Any = tree
    for part in path[:-1]:
        branch = branch[_step(branch, part)]
    last = _step(branch, path[-1])
    printed, new = branch[last], _toml_value(value)
    if isinstance(printed, Mapping) or isinstance(new, str) != isinstance(printed, str):
        raise ValueError(f"{'.'.join(path)} is {printed!r}, which {value!r} cannot replace")
    branch[last] = printed + new if add else new
    return "".join(f"{_key(key)} = {_toml(data)}\n" for key, data in tree.items())


def _step(branch: Any, part: str) -> Any:
    """The key or index that a part of a path means."""
    if isinstance(branch, Mapping) and part in branch:
        return part
    if isinstance(branch, list) and part.isdigit() and int(part) < len(branch):
        return int(part)
    known = ", ".join(branch) if isinstance(branch, Mapping) else f"0 to {len(branch) - 1}"
    raise ValueError(f"there is no {part!r} here; there are {known}")


def _toml_value(text: str) -> Any:
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def _key(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _toml(data: Any) -> str:
    """A value as TOML in one line."""
    if isinstance(data, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(inner)}" for key, inner in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(map(_toml, data)) + "]"
    if isinstance(data, date):
        return data.isoformat()
    return json.dumps(data, ensure_ascii=False)
