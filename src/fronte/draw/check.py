"""Checking how a game looks: that `look.toml` of a pack asks for nothing that cannot be drawn."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from fronte.engine.look import FILE, Where, layers, line_of, look_of, printed_rows, wrong_in
from fronte.engine.pack import Pack, PackError

from .branches import BRANCHES
from .ground import TERRAIN, WATER
from .signs import SYMBOLS
from .tokens import TOKENS

_COLOUR = re.compile(r"#[0-9a-fA-F]{3}([0-9a-fA-F]{3})?")


def wrong_looks(pack: Pack) -> list[PackError]:
    """Everything wrong in the files of a pack that say how its game looks, by line."""
    found = [wrong for text in layers(pack) for wrong in wrong_in(text)]
    if found:
        return found
    texts = layers(pack)
    found = [
        PackError(FILE, next(filter(None, (line_of(text, path) for text in texts)), None), why)
        for path, why in _undrawable(pack)
    ]
    board = look_of(pack).board
    found += _unknown_words(pack, "hexes.csv", "terrain", board.terrain, TERRAIN)
    return found + _unknown_words(pack, "hexsides.csv", "water", board.water, WATER)


def _unknown_words(
    pack: Pack, file: str, column: str, told: Mapping[str, str], known: Collection[str]
) -> list[PackError]:
    """Words of the board's files that nobody draws, each once: neither the painter nor `look.toml` knows them."""
    try:
        reader = csv.DictReader(io.StringIO(pack.text(file)))
        rows = [(reader.line_num, row.get(column) or "") for row in reader]
    except (PackError, csv.Error):
        return []  # told by those who read these files
    first: dict[str, int] = {}
    for line, word in rows:
        if word and word not in told and word not in known:
            first.setdefault(word, line)
    why = f"is not drawn; the painter knows {', '.join(known)}, and look.toml can say which it is ([board] {column})"
    return [PackError(file, line, f"{column} {word!r} {why}") for word, line in first.items()]


def _undrawable(pack: Pack) -> Iterator[tuple[Where, str]]:
    look = look_of(pack)
    for number, part in enumerate(look.part):
        at: Where = ("part", number)
        if part.symbol:
            column = part.symbol.strip("{}")
            asked = part.words.values() or {row[column] for row in printed_rows(pack).values() if row.get(column)}
            yield from _unknown((*at, "symbol"), asked if "{" in part.symbol else [part.symbol], BRANCHES, "branch")
        colour = part.colour
        several = [colour] if isinstance(colour, str) else colour.values() if isinstance(colour, dict) else colour
        yield from _bad_colours((*at, "colour"), several)
        yield from _bad_colours((*at, "ink"), [part.ink])
    for table, signs in (("sign", look.sign), ("layer", look.layer)):
        for kind, sign in signs.items():
            yield from _unknown((table, kind, "symbol"), [sign.symbol] if sign.symbol else [], SYMBOLS, "sign")
    for force, how in look.force.items():
        yield from _bad_colours(("force", force, "ink"), [how.ink])
        yield from _bad_colours(("force", force, "flag"), how.flag)
    yield from _unknown(("board", "terrain"), look.board.terrain.values(), TERRAIN, "terrain")
    yield from _unknown(("board", "water"), look.board.water.values(), WATER, "water")


def _unknown(path: Where, asked: Iterable[str], known: Iterable[str], what: str) -> Iterator[tuple[Where, str]]:
    for name in sorted(set(asked) - set(known)):
        yield path, f"there is no {what} {name!r}; there are {', '.join(known)}"


def _bad_colours(path: Where, colours: Iterable[str]) -> Iterator[tuple[Where, str]]:
    for colour in colours:
        if colour and colour not in TOKENS and not _COLOUR.fullmatch(colour):
            yield path, f"{colour!r} is no colour: write #rrggbb"
