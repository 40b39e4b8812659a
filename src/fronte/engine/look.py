"""How board and counters of a game look: `look.toml` of its pack, which decides nothing in play.

A counter's face is a list of parts, each in a named slot. What a part shows is written with values in braces: what the
view says of the piece, else the column of `units.csv` for the face that is up (`{attack}`; `{av|0}` gives a default).
A part that has a value to show and does not know it is left out, so one list serves fresh and reduced counters,
strangers, and pieces that are made during play. The same parts in a row give the face as text. Browser, picture and
terminal read this file; `web/src/lib/faces.ts` fills parts by the same rules, and `web/src/lib/faces.cases.json` holds
both to the same answers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, get_args

import msgspec

from fronte.engine.pack import Pack, PackError
from fronte.engine.view import Piece

FILE = "look.toml"
Slot = Literal[
    "band", "symbol", "title", "top", "name", "bottom", "left", "right", "top-left", "top-right", "middle-left",
    "middle-right", "bottom-left", "bottom-right", "lines",
    "edge-nw", "edge-ne", "edge-e", "edge-se", "edge-sw", "edge-w",
]  # fmt: skip
"""Where a part stands: on the counter, or over one of its edges as a marker laid on it does."""
Badge = Literal["", "box", "ring", "disc", "diamond", "star", "tag", "bar"]
"""What a part stands on."""
Where = tuple[str | int, ...]
"""A place in the file: names of tables and keys, numbers of parts."""
SLOTS: tuple[str, ...] = get_args(Slot)
_FIELD = re.compile(r"\{(\w+)(?:\|([^}]*))?\}")
_ROMAN = ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing on a counter, and when it is there."""

    slot: Slot = "bottom"
    text: str = ""
    symbol: str = ""
    """Instead of a text the sign of a branch (`draw.branches`)."""
    words: dict[str, str] = {}
    """What is written for each value; a part whose value is not among them is left out."""
    hide: tuple[str, ...] = ()
    """Values that need not be shown."""
    only: dict[str, tuple[str, ...]] = {}
    """It is there only where these values have one of these words."""
    unless: dict[str, tuple[str, ...]] = {}
    mark: str = ""
    """It is there only on a piece with this mark."""
    face: int | None = None
    """It is there only on this face: 0 the fresh one."""
    known: bool | None = None
    """It is there only on pieces that the seat can name, or on strangers only."""
    roman: bool = False
    badge: Badge = ""
    colour: str | tuple[str, ...] | dict[str, str] = ""
    """Of the badge: one, or by the value of `by`: in turn by number, or by word."""
    by: str = ""
    """The value that chooses the colour, where it is not the one that is shown."""
    ink: str = ""
    """Of what is written."""
    size: float = 0
    """Of the letters, where not that of the slot."""


class SignLook(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How signs of a kind are drawn."""

    symbol: str = ""
    """One that the painter knows (`draw.signs`); empty: such signs are not drawn."""
    crossing: bool = False
    """It lies on the bridge of its hexside, not beside it."""


class ForceLook(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The colours of a force on the map, where `pack.toml` does not say them."""

    ink: str = ""
    flag: tuple[str, ...] = ()
    upright: bool = False
    """The bands of its flag stand beside each other."""


class BoardLook(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Words of the board's files that the painter does not know, as those that it knows."""

    terrain: dict[str, str] = {}
    water: dict[str, str] = {}
    town: tuple[str, ...] = ()
    """Columns of `hexes.csv` that mark a place of weight."""


class Look(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """All that a pack says about how its game looks."""

    faces: tuple[str, ...] = ("", "2")
    """With what the columns of each face end, from the fresh one on."""
    part: tuple[Part, ...] = ()
    text: tuple[Part, ...] = ()
    """The face in one line of text."""
    brief: tuple[Part, ...] = ()
    """The same in four or five characters, for a map in characters."""
    board: BoardLook = BoardLook()
    force: dict[str, ForceLook] = {}
    sign: dict[str, SignLook] = {}
    layer: dict[str, SignLook] = {}
    """What stands in every hex of a layer that is laid over the map, by its kind: fog, rain."""
    spent: dict[str, tuple[str, ...]] = {}
    """Marks of pieces that have done their part, and in which phases such pieces of one's own are drawn paler; none: in
    all of them."""
    front: int = 0
    """How many hexsides of its hex are the front of a piece that looks somewhere; they are drawn, the rest is rear."""
    all_round: dict[str, dict[str, str]] = {}
    """Terrains in which all of them are front, each with the readings of options under which it is not so."""


PLAIN = Look(
    part=(
        Part("title", "{name|?}"),
        Part("lines", "{values}"),
    ),
    text=(Part(text="{values}"),),
)
"""How a game looks whose pack says nothing: every piece with its name and what it is worth."""


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part with what it shows on one piece."""

    part: Part
    text: str
    colour: str = ""


# Reading


@lru_cache(maxsize=64)
def look_of(pack: Pack) -> Look:
    """What a pack says, and what its family shares; PackError if it cannot be read."""
    found: dict[str, Any] = {}
    for layer in layers(pack):
        for wrong in wrong_in(layer, FILE):
            raise wrong
        for key, value in _toml(layer).items():
            found[key] = value | found.get(key, {}) if isinstance(value, dict) else found.get(key, value)
    look = msgspec.convert(found, Look) if found else PLAIN
    return look if look.part else msgspec.structs.replace(look, part=PLAIN.part, text=look.text or PLAIN.text)


def layers(pack: Pack) -> list[str]:
    """The texts of the file, what goes before first."""
    own = [pack.inline[FILE]] if FILE in pack.inline else []
    return own + [Pack([folder]).text(FILE) for folder in pack.folders if (folder / FILE).is_file()]


def _toml(text: str) -> dict[str, Any]:
    return Pack((), {FILE: text}).toml(FILE)


@lru_cache(maxsize=64)
def printed_rows(pack: Pack) -> Mapping[str, Mapping[str, str]]:
    """The lines of `units.csv` by the ids of the counters; none where a pack has no counters yet."""
    try:
        text = pack.text("units.csv")
    except PackError:
        return {}
    return {row["id"]: row for row in csv.DictReader(io.StringIO(text)) if row.get("id")}


# Filling


def values_of(look: Look, piece: Piece, printed: Mapping[str, str]) -> dict[str, str]:
    """All that the parts of a piece can show, by name."""
    ending = look.faces[min(piece.face, len(look.faces) - 1)] if look.faces else ""
    found = {column: text for column, text in printed.items() if text}
    if ending:
        found |= {column: printed[column + ending] for column in printed if printed.get(column + ending)}
    if piece.id:
        found = {"name": piece.id} | found
    found |= {name: str(value) for name, value in piece.values.items() if value != ""}
    found["force"] = piece.force
    found["values"] = " ".join(str(value) for value in piece.values.values() if value not in ("", 0))
    if piece.facing is not None:
        found["facing"] = str(piece.facing)
    return {name: text for name, text in found.items() if text}


def fill(parts: tuple[Part, ...], piece: Piece, values: Mapping[str, str]) -> Iterator[Shown]:
    """The parts that are there on a piece, with what they show."""
    for part in parts:
        if not _is_there(part, piece, values):
            continue
        text = _written(part, values)
        if text is not None:
            yield Shown(part, text, _colour(part, values))


def _is_there(part: Part, piece: Piece, values: Mapping[str, str]) -> bool:
    if part.mark and part.mark not in piece.marks:
        return False
    if part.face is not None and part.face != piece.face:
        return False
    if part.known is not None and part.known != bool(piece.id):
        return False
    if any(values.get(name, "") not in words for name, words in part.only.items()):
        return False
    return not any(values.get(name, "") in words for name, words in part.unless.items())


def _written(part: Part, values: Mapping[str, str]) -> str | None:
    """What a part shows; None if it would show something that is not known, or nothing that is worth it."""
    template = part.symbol or part.text
    fields = _FIELD.findall(template)
    found = {name: values.get(name) or default for name, default in fields}
    if any(not value for value in found.values()):
        return None
    if part.hide and found and all(value in part.hide for value in found.values()):
        return None
    if part.words:
        if any(value not in part.words for value in found.values()):
            return None
        found = {name: part.words[value] for name, value in found.items()}
    if part.roman:
        found = {name: roman(int(value)) if value.isdigit() else value for name, value in found.items()}
    return _FIELD.sub(lambda field: found[field[1]], template)


def _colour(part: Part, values: Mapping[str, str]) -> str:
    if isinstance(part.colour, str):
        return part.colour
    names = _FIELD.findall(part.by or part.symbol or part.text)
    value = values.get(names[0][0], "") if names else ""
    if isinstance(part.colour, dict):
        return part.colour.get(value, part.colour.get("", ""))
    return part.colour[int(value) % len(part.colour)] if value.isdigit() and part.colour else ""


def roman(number: int) -> str:
    """A number as the Romans wrote it."""
    text = ""
    for value, sign in _ROMAN:
        while number >= value:
            number, text = number - value, text + sign
    return text


def face_of(pack: Pack, piece: Piece) -> list[Shown]:
    """What stands on the counter of a piece."""
    look = look_of(pack)
    return list(fill(look.part, piece, values_of(look, piece, printed_rows(pack).get(piece.id, {}))))


def face_text(pack: Pack, piece: Piece, brief: bool = False) -> str:
    """The face of a piece as text."""
    look = look_of(pack)
    values = values_of(look, piece, printed_rows(pack).get(piece.id, {}))
    return "".join(shown.text for shown in fill(look.brief if brief else look.text, piece, values)).strip()


# Checking


def wrong_in(text: str, file: str = FILE) -> list[PackError]:
    """Everything in the text of such a file that cannot be used, each with its line."""
    try:
        data = _toml(text)
    except PackError as wrong:
        line = re.search(r"\(at line (\d+)", wrong.why)
        return [PackError(file, int(line[1]) if line else None, wrong.why)]
    found = []
    for key, value in data.items():
        if key in ("part", "text", "brief") and isinstance(value, list):
            for number, one in enumerate(value):
                found += _misfit(text, file, (key, number), one, Part)
        elif key in ("force", "sign", "layer") and isinstance(value, dict):
            for name, one in value.items():
                found += _misfit(text, file, (key, name), one, ForceLook if key == "force" else SignLook)
        elif key == "board":
            found += _misfit(text, file, (key,), value, BoardLook)
        elif key == "spent" and isinstance(value, dict):
            for name, one in value.items():
                found += _misfit(text, file, (key, name), one, tuple[str, ...])
        elif key in ("faces", "spent", "front", "all_round"):
            found += _misfit(text, file, (), {key: value}, Look)
        else:
            found.append(PackError(file, line_of(text, (key,)), f"{key} is not known here"))
    return found


def _misfit(text: str, file: str, path: Where, data: Any, kind: Any) -> list[PackError]:
    try:
        msgspec.convert(data, kind)
    except msgspec.ValidationError as wrong:
        said, _, at = str(wrong).partition(" - at `$")
        key = re.match(r"\.?(\w+)", at)
        unknown = re.search(r"unknown field `([^`]+)`", said)
        name = unknown[1] if unknown else key[1] if key else ""
        where = (*path, name) if name else path
        return [PackError(file, line_of(text, where), f"{_place(where)}: {said}")]
    return []


def _place(path: Where) -> str:
    return ".".join(str(one + 1) if isinstance(one, int) else one for one in path)


def line_of(text: str, path: Where) -> int | None:
    """The line on which a table, a part or a key of one stands."""
    seen: dict[str, int] = {}
    here: Where = ()
    best = None
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.split("#")[0].strip()
        if bare.startswith("[["):
            name = bare.strip("[] ")
            seen[name] = seen.get(name, -1) + 1
            here = (name, seen[name])
        elif bare.startswith("["):
            here = tuple(bare.strip("[] ").split("."))
        elif "=" in bare:
            key = tuple(one.strip().strip('"') for one in bare.split("=")[0].split("."))
            if (*here, *key) == path[: len(here) + len(key)]:
                return number
            continue
        if here and here == path[: len(here)]:
            best = number
    return best
