"""The board of an Inferno game in characters, for the terminal; the game's texts have the legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine import sketch
from fronte.engine.sketch import HexSketch, SideSketch, Sketch
from fronte.engine.view import View
from fronte.games.inferno.ground import DRY, ISONZO, RIVER, STREAM

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

LINES = {DRY: sketch.DRY, STREAM: sketch.STREAM, RIVER: sketch.RIVER, ISONZO: sketch.RIVER}
MOUNTAINS = {"low_mountain": "m", "high_mountain": "M"}


def draw(rules: Inferno, view: View) -> Sketch:
    """Every hex and every hexside with something on it."""
    board = rules.board
    fallen = {piece.id for piece in view.pieces if piece.at == "eliminated"}
    forts = {
        name
        for counter in rules.counters
        if counter.type == "fortress" and counter.id not in fallen
        for name in counter.setup
    }
    hexes = {
        name: HexSketch(_ground(rules, h) + _height(rules, h), _mark(rules, h, name in forts), board.name[h])
        for h, name in enumerate(board.grid.ids)
    }
    pontoons = {sign.at for sign in view.on("pontoon")}
    down = {sign.at for sign in view.on("destroyed")}
    sides = {}
    for number, side in enumerate(board.sides):
        name = board.hexside_name(number)
        crossing = "p" if name in pontoons else _crossing(rules, number, name in down)
        line = sketch.CLIFF if side.crag else LINES[side.water]
        sides[rules.hex_id(side.a), rules.hex_id(side.b)] = SideSketch(line, crossing)
    return Sketch(hexes, sides)


def _crossing(rules: Inferno, number: int, down: bool) -> str:
    """What leads across a hexside: x broken bridge, = bridge, + road, : trail or railway."""
    side = rules.board.sides[number]
    if number in rules.board.bridge_at:
        return "x" if down else "="
    if not side.has_route or (side.water and not side.trail):
        return ""
    return "+" if side.road else ":"


def _mark(rules: Inferno, h: int, fort: bool) -> str:
    """# for a peak, o for a settlement, F for a fortress that stands (Altipiani 12.2.d)."""
    place = "#" if rules.board.peaks >> h & 1 else "o" if rules.board.settlements >> h & 1 else ""
    return place + ("F" if fort else "")


def _height(rules: Inferno, h: int) -> str:
    """One character for the level: 1 to 9, X for ten; . for low ground, % for swamp."""
    level = rules.board.level[h]
    if not level:
        return "%" if rules.board.terrain[h] == "swamp" else "."
    return "X" if level == 10 else str(level)


def _ground(rules: Inferno, h: int) -> str:
    """T for an Italian trench, t for an Austro-Hungarian one; m and M for mountains that their level does not tell."""
    board = rules.board
    for mask, letter in zip(board.trench, "Tt", strict=True):
        if mask >> h & 1:
            return letter
    terrain = board.terrain[h]
    told = all(board.terrains[terrain] != levels for other, levels in board.terrains.items() if other != terrain)
    return " " if told else MOUNTAINS.get(terrain, " ")
