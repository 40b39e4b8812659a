"""Checking a data pack to the end: every error with its file and line, not only the first.

The game's own readers do the checking, and stop at the first error. So each error is mended in a copy that exists only
in memory, in the mildest way that lets the reader go on: a bad value is replaced by one that is allowed, a bad line is
left empty (but a bad hex gives way to the game's own, as others lean on it), and so does a bad TOML file.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fronte.draw.check import wrong_looks
from fronte.engine.dice import seed_bytes
from fronte.engine.pack import Pack, PackError
from fronte.engine.rulebook import Rulebook
from fronte.engine.text import LANGUAGES, Texts, missing
from fronte.games.registry import GAMES, data_folder, open_pack

MOST = 500
"""More errors than this are not worth reading."""
SHAPED = ("tables.toml", "scenarios.toml", "board.toml")
"""TOML files whose tables must have the shape of the game's own."""

_CELL = re.compile(
    r"(?:unit \S+: )?(\w+) is (?:missing|.*?)(?:, not (?:one of (?P<words>.*)|between (?P<low>-?\d+).*))?$"
)
_UNIT = re.compile(r"^unit (\S+?):? ")
_TOML_LINE = re.compile(r"\(at line (\d+)")


def check_pack(game: str, folders: Sequence[Path]) -> list[PackError]:
    """Every error of a game's data with an owner's folders before it."""
    own = data_folder(game)
    pack = open_pack(game, folders)
    found: list[PackError] = []
    for folder in folders:
        found += _strangers(folder, open_pack(game))
    for name in (*SHAPED, "rules.toml", "rules.it.toml"):
        found += _check_toml(pack, own, name)
    found += _check_translation(pack)
    found += _check_play(game, pack)
    found += _check_texts(game, pack)
    found += wrong_looks(pack)
    return list({str(error): error for error in found}.values())  # several readers may stumble over the same thing


def _strangers(folder: Path, printed: Pack) -> list[PackError]:
    """Files that override nothing, usually for a slip in the name."""
    known = {path.name for own in printed.folders for path in own.iterdir()}
    files = sorted(path.name for path in folder.iterdir() if path.suffix in (".toml", ".csv"))
    return [PackError(name, None, "the game has no file of this name") for name in files if name not in known]


# TOML


def _check_toml(pack: Pack, own: Path, name: str) -> list[PackError]:
    """Syntax, and for tables the shape; a file that cannot be used gives way to the game's own."""
    try:
        data = pack.toml(name)
    except PackError as wrong:
        _give_way(pack, own, name)
        return [_with_line(wrong)]
    if name not in SHAPED or pack.path(name).parent == own:
        return []
    text = pack.text(name)
    found = [PackError(name, _line_of(text, path), why) for path, why in _misshapen(data, Pack([own]).toml(name), ())]
    if found:
        _give_way(pack, own, name)
    return found


def _check_translation(pack: Pack) -> list[PackError]:
    """Every table of the Italian rules must be a rule's: anything else would be read by nobody."""
    file = "rules.it.toml"
    try:
        data, book = pack.toml(file), Rulebook.read(pack)
    except PackError:
        return []  # told by those who read these files
    why = 'is no rule of rules.toml; the Italian of a rule stands in a table with its id, as ["3.1"]'
    known = {*book.rules, "option"}  # options have tables below that word
    strange = [name for name, words in data.items() if name not in known or not isinstance(words, dict)]
    return [PackError(file, _line_of(pack.text(file), (name,)), f"{name} {why}") for name in strange]


def _with_line(wrong: PackError) -> PackError:
    """An error of TOML syntax with the line that its message names."""
    line = _TOML_LINE.search(wrong.why)
    return PackError(wrong.file, int(line[1]), wrong.why) if line else wrong


def _give_way(pack: Pack, own: Path, name: str) -> None:
    pack.inline[name] = (own / name).read_text(encoding="utf-8")


def _misshapen(data: Any, model: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
    """Where data have not the shape of the model: keys missing, other types, lists of another length."""
    if isinstance(model, dict):
        if not isinstance(data, dict):
            return [(path, f"{_dotted(path)} must be a table")]
        found = [(path, f"{_dotted((*path, key))} is missing") for key in model if key not in data and _needed(key)]
        for key in data:
            if key in model:
                found += _misshapen(data[key], model[key], (*path, key))
        return found
    if isinstance(model, bool) or isinstance(data, bool) or type(data) is not type(model):
        same = type(data) is type(model) or "mp" in path or "attack" in path  # a cost may be a number or a word
        return [] if same else [(path, f"{_dotted(path)} is {data!r}, not {_kind(model)}")]
    if isinstance(model, list) and model and isinstance(model[0], list):
        if len(data) != len(model) and "row" in path[-1]:
            return [(path, f"{_dotted(path)} has {len(data)} cells, not {len(model)}")]
        bad = [cell for cell in data if not _is_like(cell, model[0])]
        return [(path, f"{_dotted(path)}: {cell!r} is not like {model[0]!r}") for cell in bad]
    return []


def _needed(key: str) -> bool:
    return key not in ("note", "title", "description", "credits", "how")


def _is_like(cell: Any, model: list[Any]) -> bool:
    if not isinstance(cell, list) or len(cell) != len(model):
        return False
    return all(type(a) is type(b) for a, b in zip(cell, model, strict=True))


def _kind(model: Any) -> str:
    return {int: "a whole number", str: "text", list: "a list", bool: "true or false"}.get(
        type(model), "like the game's"
    )


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(path) or "the file"


def _line_of(text: str, path: tuple[str, ...]) -> int | None:
    """The line on which a table or a key of it stands."""
    table, best = "", None
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.split("#")[0].strip()
        if bare.startswith("["):
            table = bare.strip("[]")
            if table == ".".join(path[: len(table.split("."))]):
                best = number
        elif path and "=" in bare and bare.split("=")[0].strip().strip('"') == path[-1]:
            if table == ".".join(path[:-1]):
                return number
    return best


# What decides play


def _check_play(game: str, pack: Pack) -> list[PackError]:
    """Make the rules and set up every scenario, mending what is wrong until it works."""
    found: list[PackError] = []
    mended: set[tuple[str, int | None, str]] = set()
    while len(found) < MOST:
        wrong = _first_error(game, pack)
        if wrong is None:
            return found
        line = wrong.line or _line_of_unit(pack, wrong)
        cell = _CELL.match(wrong.why)
        column = cell[1] if cell else ""
        again = (wrong.file, line, column) in mended
        if not again:
            found.append(PackError(wrong.file, line, wrong.why))
        mended.add((wrong.file, line, column))
        if not _mend(pack, data_folder(game), wrong.file, line, cell if not again else None):
            return found
    return found


def _first_error(game: str, pack: Pack) -> PackError | None:
    try:
        scenarios = [name for name, data in pack.toml("scenarios.toml").items() if isinstance(data, dict)]
        for scenario in scenarios:
            GAMES[game](pack, scenario, {}).start(seed_bytes(0), [])
        Rulebook.read(pack)
    except PackError as wrong:
        return wrong
    except (ValueError, KeyError, TypeError, IndexError) as wrong:
        return PackError("pack", None, f"the rules cannot be made: {type(wrong).__name__}: {wrong}")
    return None


def _line_of_unit(pack: Pack, wrong: PackError) -> int | None:
    """The line of a unit that an error names."""
    named = _UNIT.match(wrong.why)
    if named is None or wrong.file != "units.csv":
        return None
    lines = pack.text("units.csv").splitlines()
    return next((n for n, line in enumerate(lines, 1) if line.startswith(f"{named[1]},")), None)


def _mend(pack: Pack, own: Path, file: str, line: int | None, cell: re.Match[str] | None) -> bool:
    """Take an error out of the copy in memory; False if that cannot be done."""
    if not file.endswith(".csv") or line is None or line < 2:
        return False
    lines = pack.text(file).splitlines()
    header = next(csv.reader([lines[0]]))
    row = next(csv.reader([lines[line - 1]]), [])
    if cell is not None and cell[1] in header and len(row) == len(header):
        words = (cell["words"] or "").split(", ")
        row[header.index(cell[1])] = words[0] or cell["low"] or "1"
        if cell[1] == "terrain" and "level" in header:
            row[header.index("level")] = "0"  # the levels allowed go by terrain, and the first one is low
        lines[line - 1] = _csv_line(row)
    elif file == "hexes.csv" and row and re.fullmatch(r"\d{4}", row[0]):
        instead = _own_hex(own, row[0], header)
        lines[line - 1] = _csv_line(instead) if row != instead else ""
    else:
        lines[line - 1] = ""
    pack.inline[file] = "\n".join(lines) + "\n"
    return True


def _own_hex(own: Path, name: str, header: list[str]) -> list[str]:
    """A hex as the game's own board has it, or where it has none of this name the plainest of its hexes."""
    rows = list(csv.DictReader((own / "hexes.csv").read_text(encoding="utf-8").splitlines()))
    plainest = min(rows, key=lambda row: sum(map(bool, row.values())))
    found = next((row for row in rows if row["hex"] == name), plainest) | {"hex": name}
    return [found.get(column, "") for column in header]


def _csv_line(row: list[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(row)
    return out.getvalue()


# Texts


def _check_texts(game: str, pack: Pack) -> list[PackError]:
    """Both languages must have a text for everything that the game's own texts have."""
    found = []
    own = Texts.read(open_pack(game), "en")
    for language in LANGUAGES:
        file = f"text.{language}.toml"
        broken = _broken_texts(pack, file)
        if broken:
            found += broken
            continue
        try:
            texts = Texts.read(pack, language)
        except (PackError, KeyError) as wrong:
            found.append(wrong if isinstance(wrong, PackError) else PackError(file, None, f"no column {wrong}"))
            continue
        lacks = missing(texts, list(own.tables["event"]), list(own.tables["decision"]))
        found += [PackError(file, None, why) for why in lacks]
    return found


def _broken_texts(pack: Pack, file: str) -> list[PackError]:
    """Folders add to each other's texts, so each must be TOML by itself."""
    found = []
    for folder in pack.folders:
        try:
            if (folder / file).is_file():
                Pack([folder]).toml(file)
        except PackError as wrong:
            found.append(_with_line(wrong))
    return found
