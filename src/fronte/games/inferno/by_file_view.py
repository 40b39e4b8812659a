"""What a side tells the other by file: its view of the match as flat data, and back.

Letters have this form so that each field of them can be left out, compared with what is known, and read by people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fronte.engine.view import Moving, Piece, Sign, Stage, Track, View

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def flat(rules: Inferno, view: View) -> dict[str, Any]:
    """A view as flat data."""
    stage = view.stage
    others = [piece for piece in view.pieces if piece.id and not piece.mine]
    found: dict[str, Any] = {
        "game": view.game,
        "scenario": view.scenario,
        "seat": view.seat,
        "turn": stage.turn,
        "phase": stage.phase,
        "active": stage.active,
        "decides": stage.decides or None,
        "decision": stage.decision or None,
        "own": [flat_piece(rules, piece) for piece in view.own()],
        "enemy": [flat_piece(rules, piece) for piece in others if piece.at != "eliminated"],
        "eliminated": [piece.id for piece in others if piece.at == "eliminated"],
        "held": list(view.control[rules.seats[0]]),
    }
    if rules.option["fog_stack_size"]:
        there = (piece.at for piece in view.pieces if not piece.mine and piece.at in rules.grid_index)
        found["sizes"] = dict(Counter(there))
    attacked = [sign.at for sign in view.on("attacked")]
    if attacked:
        found["attacked"] = attacked
    if stage.moving is not None:
        found["moving"] = {"unit": stage.moving.piece, "left": stage.moving.left}
    if rules.has_bridges:
        found["destroyed"] = [sign.at for sign in view.on("destroyed")]
        found["pontoons"] = {sign.piece: sign.at for sign in view.on("pontoon")}
        crossed = view.on("crossed")
        found["crossed"] = [[sign.at, rules.seat_index(sign.force), str(sign.value)] for sign in crossed]
    tracks: dict[str, dict[str, int]] = {}
    for track in view.tracks:
        tracks.setdefault(track.name, {})[track.force] = track.value
    found |= {name: of if len(of) > 1 else next(iter(of.values())) for name, of in tracks.items()}
    return found | view.family


def flat_piece(rules: Inferno, piece: Piece) -> dict[str, Any]:
    """A piece as flat data."""
    found: dict[str, Any] = {"id": piece.id, "hex": piece.at, **piece.values}
    if piece.mine:
        return found | ({"marks": list(piece.marks)} if piece.marks else {})
    if rules.gun[rules.number[piece.id]]:
        found["mov"] = "mov" in piece.marks
    return found


def typed(rules: Inferno, data: Mapping[str, Any], like: View) -> View:
    """The view that flat data describe. What is missing in the data is taken from the view `like`."""
    seat = str(data["seat"])
    other = next(name for name in rules.seats if name != seat)
    pieces = [_typed_piece(rules, piece, seat, True) for piece in data["own"]]
    enemies = [_typed_piece(rules, piece, other, False) for piece in data["enemy"]]
    hidden = Counter(data.get("sizes", {})) - Counter(piece.at for piece in enemies)
    pieces += [Piece(other, name) for name, many in sorted(hidden.items()) for _ in range(many)]
    pieces += enemies
    pieces += [Piece(other, "eliminated", name) for name in data["eliminated"]]
    moving = data.get("moving")
    held = tuple(data["held"])
    first, second = rules.seats
    taken = frozenset(held)
    return View(
        rules.header.game,
        rules.header.scenario,
        Stage(
            data["turn"],
            data["phase"],
            data["active"],
            decides=data["decides"] or "",
            decision=data["decision"] or "",
            moving=Moving(moving["unit"], moving["left"]) if moving else None,
        ),
        seat,
        tuple(pieces),
        {first: held, second: tuple(name for name in rules.grid.ids if name not in taken)},
        tuple(_signs(rules, data)),
        tuple(_tracks(data, like)),
        {name: data[name] for name in (*like.family, "frames", "battle") if name in data},
    )


def _typed_piece(rules: Inferno, data: Mapping[str, Any], force: str, mine: bool) -> Piece:
    counter = rules.counters[rules.number[data["id"]]]
    steps = data["steps"]
    marks = (*data.get("marks", ()), *(("mov",) if data.get("mov") else ()))
    values = {name: data[name] for name in ("steps", "ce", "supply") if name in data}
    return Piece(force, data["hex"], data["id"], mine, counter.steps - steps if steps else 0, values, marks)


def _signs(rules: Inferno, data: Mapping[str, Any]) -> list[Sign]:
    found = [Sign("attacked", name) for name in data.get("attacked", ())]
    found += [Sign("destroyed", name) for name in data.get("destroyed", ())]
    for unit, name in data.get("pontoons", {}).items():
        found.append(Sign("pontoon", name, rules.seats[rules.side[rules.find_unit(unit)]], unit))
    found += [Sign("crossed", name, rules.seats[owner], value=size) for name, owner, size in data.get("crossed", ())]
    return found


def _tracks(data: Mapping[str, Any], like: View) -> list[Track]:
    """The tracks that the game has, with the numbers of the data."""
    found = []
    for track in like.tracks:
        value = data[track.name]
        found.append(Track(track.name, value[track.force] if isinstance(value, Mapping) else value, track.force))
    return found
