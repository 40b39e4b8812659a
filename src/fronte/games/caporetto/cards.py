"""What a seat is told of a piece and of a hex of Caporetto, and the board in characters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from fronte.engine.card import TOWARDS, Card, Line
from fronte.engine.sketch import CLIFF, DRY, RIVER, HexSketch, SideSketch, Sketch
from fronte.engine.view import Piece, View
from fronte.games.caporetto import artillery, fog, sightings, trenches
from fronte.games.caporetto.state import State
from fronte.games.caporetto.terrain import COMMON, LEFT, RIGHT, SIDES
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

BY_ITSELF = ("name", "dp", "steps")
"""Values that a card tells in another way than by their number alone."""
LETTERS = {"clear": " ", "woods": "w", "high_mountain": "M"}
BRIDGE, BLOWN = "=", "x"


# Pieces


def piece_card(rules: Caporetto, state: State, seat: int, piece: str) -> Card:
    """All that a seat knows of a piece that it can name."""
    known = fog.piece(rules, state, seat, piece)
    if known is None:
        return Card(
            ((Line("unit", {"unit": piece}), Line("unseen", {}, "22.3" if sightings.is_foggy(rules) else "22.0")),)
        )
    unit = rules.number[piece]
    lines = [Line("unit", {"unit": piece}), Line("side", {"side": known.force}), Line("where", {"at": known.at})]
    values = [Line(key, {key: value}) for key, value in known.values.items() if key not in BY_ITSELF]
    if rules.guns >> unit & 1:
        mode = "fire" if state.emplaced >> unit & 1 else "move"
        values.append(Line("mode", {"mode": mode}, "18.1"))
    if rules.arrives[unit] and known.at == "due":
        data = {"turn": rules.arrives[unit], "hex": rules.grid.ids[rules.entry[unit]]}
        values.append(Line("arrives", data, "5.1"))
    return Card((tuple(lines), tuple(values), tuple(condition(rules, known))))


def condition(rules: Caporetto, piece: Piece) -> list[Line]:
    """15, 16: steps left, disorganisation, and the marks on it."""
    found = []
    if "steps" in piece.values and piece.id:
        of = rules.full_steps[rules.number[piece.id]]
        found.append(Line("steps", {"steps": piece.values["steps"], "of": of}, "16.1"))
    if piece.values.get("dp"):
        found.append(Line("dp", {"dp": piece.values["dp"]}, "15.1"))
    return [*found, *(Line("mark", {"mark": mark}) for mark in piece.marks)]


# Hexes


def hex_card(rules: Caporetto, state: State, seat: int, name: str) -> Card:
    """What lies in a hex and at its hexsides, as it is now."""
    h = rules.grid.index[name]
    groups = [tuple(_ground(rules, state, h)), tuple(_worth(rules, state, h))]
    for d, other in enumerate(rules.grid.neighbours[h]):
        if other >= 0:
            told = list(_side(rules, state, h, other, h * 6 + d))
            groups.append((Line(TOWARDS, {"hex": rules.grid.ids[other]}), *told) if told else ())
    return Card(tuple(group for group in groups if group))


def _ground(rules: Caporetto, state: State, h: int) -> Iterator[Line]:
    ground = rules.ground
    yield Line("hex", {"hex": rules.grid.ids[h]})
    yield Line("terrain", {"terrain": ground.terrain[h]}, "10.0.2")
    yield Line("level", {"level": ground.level[h]}, "12.1.1")
    for word, hexes in (("town", ground.towns), ("village", ground.villages)):
        if hexes >> h & 1:
            yield Line("settlement", {"settlement": word}, "10.0.2")
    if ground.peaks >> h & 1:
        yield Line("peak", {}, "12.1.1")
    elif ground.observers >> h & 1:
        yield Line("observer", {}, "12.1.1")
    if ground.stream[h]:
        yield Line("stream", {"name": ground.stream[h]}, "10.0.10")
    for side, word in enumerate(SIDES):
        level = trenches.level(rules, state, h, side)
        if level:
            yield Line("trench", {"side": word, "trench": level}, "17.8")
    weather = rules.weather_at(state.turn, h)
    yield Line("weather", {"weather": weather}, "8.1")


def _worth(rules: Caporetto, state: State, h: int) -> Iterator[Line]:
    """23.1, 9.2.3, 21.9, 24.3, 24.14: for what the hex counts."""
    ground, scene = rules.ground, rules.scene
    if not ground.extent >> h & 1:
        yield Line("out_of_play", {}, "21.7")
    if h in scene.objectives:
        yield Line("objective", {"vp": scene.objectives[h]}, "23.1")
    for force, held in enumerate(state.control):
        if held >> h & 1:
            yield Line("held", {"side": scene.forces[force]}, "23.1")
            break
    for side, word in enumerate(SIDES):
        if ground.sources[side] >> h & 1:
            yield Line("source", {"side": word}, "9.2.3")
    if h in scene.depots and not state.centres >> h & 1:
        yield Line("depot", {"side": scene.forces[scene.depots[h]]}, "24.14")
    if ground.exits >> h & 1:
        yield Line("exit", {}, "21.9")
    if scene.sectors:
        sector = next(word for word in (LEFT, RIGHT, COMMON) if ground.sector[word] >> h & 1)
        yield Line("sector", {"sector": sector}, "24.3")
    strength = dict(state.barrages).get(h, 0)
    if strength:
        yield Line("barrage", {"factor": strength // artillery.PARTS}, "12.1.6")
    for word, hexes in (("mine", state.mines), ("gas", state.gas)):
        if h in hexes:
            yield Line(word, {}, "24.13")


def _side(rules: Caporetto, state: State, h: int, other: int, way: int) -> Iterator[Line]:
    ground = rules.ground
    if ground.water[way]:
        yield Line(ground.water[way], {}, "19.1")
    number = ground.bridge[way]
    if number >= 0:
        word = "footbridge" if ground.bridges[number].foot else "bridge"
        yield Line(word if state.standing >> number & 1 else f"{word}_down", {}, "19.1.2")
    elif (h, other) in state.built or (other, h) in state.built:
        yield Line("bridge_built", {}, "21.1")
    if ground.route[way]:
        yield Line(ground.route[way], {}, "10.0.4")
    if ground.stream_along[way]:
        yield Line("stream", {"name": ground.stream_along[way]}, "10.0.10")
    if ground.cliff[way]:
        yield Line("cliff", {}, "10.0.9")
    if ground.crest[way]:
        yield Line("crest", {}, "10.0.8")
    for one, level in zip(ground.side_trenches, state.side_trenches, strict=True):
        if (one.hex, one.against) == (h, other) and level:
            yield Line("trench", {"side": SIDES[one.owner], "trench": level}, "17.9")


# The board in characters


def sketch(rules: Caporetto, view: View) -> Sketch:
    """2.1: ground with its level, places, water and cliffs; what leads across as it is in this view."""
    board = _printed_sketch(rules)
    sides = dict(board.sides)
    for kind, crossing in (("destroyed", BLOWN), ("built", BRIDGE)):
        for sign in view.on(kind):
            a, b = sorted(sign.at.split("/"), key=rules.grid.index.__getitem__)
            sides[a, b] = SideSketch(board.side(a, b).line, crossing)
    return Sketch(board.hexes, sides)


@lru_cache(maxsize=32)
def _printed_sketch(rules: Caporetto) -> Sketch:
    """The board as it is printed, with all its bridges."""
    ground, ids = rules.ground, rules.grid.ids
    hexes = {name: HexSketch(_letters(rules, h), _mark(rules, h), ground.name[h]) for h, name in enumerate(ids)}
    sides = {}
    for h in range(rules.grid.size):
        for d in range(3):
            other, way = rules.grid.neighbours[h][d], h * 6 + d
            if other < 0:
                continue
            line = RIVER if ground.water[way] else CLIFF if ground.cliff[way] else DRY
            crossing = BRIDGE if ground.bridge[way] >= 0 else ""
            if line or crossing:
                sides[ids[min(h, other)], ids[max(h, other)]] = SideSketch(line, crossing)
    return Sketch(hexes, sides)


def _letters(rules: Caporetto, h: int) -> str:
    return f"{LETTERS[rules.ground.terrain[h]]}{rules.ground.level[h]}".strip()


def _mark(rules: Caporetto, h: int) -> str:
    ground = rules.ground
    marks = (("o", mask_of(rules.scene.objectives)), ("t", ground.towns), ("v", ground.villages))
    place = next((mark for mark, hexes in marks if hexes >> h & 1), "")
    trench = "#" if (ground.trench[0] | ground.trench[1]) >> h & 1 else ""
    return place + trench
