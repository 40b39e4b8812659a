"""What a seat is told of a unit or a hex of an Inferno game, for every screen; the words are in `[card]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fronte.engine.card import Card, Line
from fronte.engine.view import Piece, View
from fronte.games.inferno import cites, fortresses
from fronte.games.inferno.counters import Face
from fronte.games.inferno.ground import WATERS
from fronte.games.inferno.stacking import counted_steps
from fronte.games.inferno.state import State
from fronte.games.inferno.supply import supply_path
from fronte.games.inferno.zoc import zoc

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

QUIET = ("escorted",)
"""Marks that nobody has to be told of."""


def face_text(face: Face) -> str:
    """2.1: attack-defence-movement(artillery)."""
    return f"{face.attack}-{face.defence}-{face.ma}" + (f"({face.av})" if face.av else "")


# Units


def piece_card(rules: Inferno, state: State, seat: int, name: str) -> Card:
    """2, 5.4: what is printed on a counter, and what the seat knows of its condition."""
    unit = rules.number[name]
    counter = rules.counters[unit]
    view = rules.view(state, seat) if seat >= 0 else rules.public_view(state)
    known = view.piece(name)
    side = rules.seats[counter.side]
    printed = [
        Line("unit", {"name": counter.name, "full_name": counter.full_name, "side": side}),
        Line("size", {"size": counter.size}),
        Line("type", {"type": counter.type}),
        Line("corps", {"corps": counter.corps}) if counter.corps else Line("independent"),
    ]
    faces = [Line("values", {"face": face_text(counter.faces[-1])}, cites.COUNTERS)]
    if len(counter.faces) > 1:
        faces.append(Line("reduced", {"face": face_text(counter.faces[0])}, cites.COUNTERS))
    groups = [tuple(printed), tuple(faces)]
    if known is None:
        return Card((*groups, (Line("unseen", {}, cites.HIDDEN),)))
    groups.append(tuple(_fares(rules, known, view)))
    if known.mine and state.at[unit] >= 0:
        groups.append(tuple(_burdens(rules, state, unit)))
    return Card(tuple(group for group in groups if group))


def _fares(rules: Inferno, piece: Piece, view: View) -> list[Line]:
    """Where a unit is, and what is known of its condition."""
    counter = rules.counters[rules.number[piece.id]]
    steps = int(piece.values.get("steps", 0))
    found = [Line("where", {"at": piece.at})]
    if piece.at != "eliminated":
        found.append(Line("steps", {"steps": steps, "of": counter.steps}))
    found += condition(piece)
    if counter.entry and piece.at == "waiting":
        found.append(
            Line(
                "entry",
                {"turn": counter.entry, "hexes": list(getattr(counter, "entry_hexes", ()))},
                cites.REINFORCEMENTS,
            )
        )
    moving = view.stage.moving
    if moving is not None and moving.piece == piece.id:
        found.append(Line("left", {"left": moving.left}, cites.MOVEMENT_POINTS))
    return found


def condition(piece: Piece) -> list[Line]:
    """10, 11, 2.4: what makes a unit weaker, as far as that is known, and the marks on it."""
    found = []
    if piece.values.get("ce"):
        found.append(Line("ce", {"ce": piece.values["ce"]}, cites.EFFECTIVENESS))
    if piece.values.get("supply", "in") != "in":
        found.append(Line("supply", {"supply": piece.values["supply"]}, cites.SUPPLY))
    quiet = (*QUIET, "moved") if "done" in piece.marks else QUIET
    return [*found, *(Line("mark", {"mark": mark}) for mark in piece.marks if mark not in quiet)]


def _burdens(rules: Inferno, state: State, unit: int) -> list[Line]:
    """4.3.b/4.3, 11.3: why a unit of one's own may not move, if it may not, and its line of supply."""
    found = []
    barred = rules.frozen(state, unit)
    if barred is not None:
        found.append(Line(f"refusal.{barred.key}", barred.data, rules.cite(barred.rule)))
    path = supply_path(rules, state, unit)
    way = {"path": list(rules.hex_ids(path or []))}
    return [*found, Line("supply_line" if path else "no_supply_line", way, cites.SUPPLY_PATH)]


# Hexes


def hex_card(rules: Inferno, state: State, seat: int, name: str) -> Card:
    """What is printed in a hex and around it, who holds it, and what matters to units in it."""
    view = rules.view(state, seat) if seat >= 0 else rules.public_view(state)
    h = rules.grid_index[name]
    groups = [_ground(rules, state, h), _bearing(rules, state, seat, h, view)]
    groups += [group for group in (_side(rules, h, other, view) for other in rules.board.grid.adjacent[h]) if group]
    return Card(tuple(map(tuple, groups)))


def _ground(rules: Inferno, state: State, h: int) -> list[Line]:
    board = rules.board
    found = [Line("hex", {"hex": rules.hex_id(h)}), Line("terrain", {"terrain": board.terrain[h]})]
    if board.level[h]:
        found.append(Line("level", {"level": board.level[h]}))
    found += [Line(mark) for mark, mask in (("peak", board.peaks), ("settlement", board.settlements)) if mask >> h & 1]
    if fortresses.standing(rules, state) >> h & 1:
        found.append(Line("fort", {}, cites.FORTRESSES))
    for column, attribute in board.owners.items():
        owners = [side for side, mask in zip(rules.seats, getattr(board, attribute), strict=True) if mask >> h & 1]
        found += [Line(column, {"side": side}) for side in owners]
    return found


def _bearing(rules: Inferno, state: State, seat: int, h: int, view: View) -> list[Line]:
    name = rules.hex_id(h)
    found = [Line("held", {"side": view.holder(name)})]
    if name in rules.setting.objectives:
        found.append(Line("worth", {"vp": rules.setting.objectives[name]}))
    if seat < 0:
        return found
    if zoc(rules, state, 1 - seat) >> h & 1:
        found.append(Line("zone", {}, cites.ZONES))
    if any(piece.at == name and not piece.mine for piece in view.pieces):
        return found  # how many of the enemy stand there is not told, and nobody else can
    own = [unit for unit in state.stacks[h] if rules.side[unit] == seat]
    used = counted_steps(rules, state, own)
    return [*found, Line("stacking", {"used": used, "limit": rules.board.stacking[h]}, cites.STACKING_LIMIT)]


def _side(rules: Inferno, h: int, other: int, view: View) -> list[Line]:
    """A neighbour: what lies on the hexside between, and the unit on top there."""
    number = rules.board.side_at.get((h, other), -1)
    there = rules.hex_id(other)
    found = []
    if number >= 0:
        side = rules.board.sides[number]
        name = rules.board.hexside_name(number)
        if side.water:
            found.append(Line("water", {"water": WATERS[side.water], "name": side.name}))
        signs = [sign for sign in view.signs if sign.at == name]
        if number in rules.board.bridge_at:
            down = any(sign.kind == "destroyed" for sign in signs)
            found.append(Line("bridge_down" if down else "bridge"))
        for sign in signs:
            if sign.kind in ("pontoon", "crossed"):
                data: dict[str, Any] = {"side": sign.force}
                found.append(Line(sign.kind, data | ({"size": sign.value} if sign.value else {}), cites.CROSSINGS))
        if side.crag:
            found.append(Line("crag", {}, cites.CRAG))
        found += [Line(what) for what in ("road", "trail", "railway") if getattr(side, what)]
    top = next(iter(view.stack(there)), None)
    if top is not None:
        found.append(Line("top", {"unit": top.id}, cites.TOP_UNIT))
    return [Line("towards", {"hex": there}), *found] if found else []
