"""Chapter 5.3 and 5.4, limited intelligence: what each side sees of the other, and a whole state drawn from that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import Frame
from fronte.engine.recollection import Others, Shown
from fronte.engine.view import Moving, Piece, Sign, Stage, View
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.effectiveness import is_dead
from fronte.games.inferno.frames import UNITS
from fronte.games.inferno.guess_hidden import draw
from fronte.games.inferno.position import read_frame, write_battle, write_frame
from fronte.games.inferno.stacking import is_legal_stack, top_order, top_unit
from fronte.games.inferno.state import (
    AS_BRIDGE,
    ELIMINATED,
    FLAGS,
    HIT,
    IN_SUPPLY,
    MOV,
    SUPPLY,
    WAITING,
    S,
    State,
    fighting,
    on_map,
    place,
)
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

ONLOOKER = -1
"""Somebody who commands nothing and sees what both sides know."""


def visible(rules: Inferno, state: State, unit: int) -> bool:
    """5.3, 5.4.b/5.4: does the other side see this unit? On top of its stack, or taking part in the combat at hand."""
    if not on_map(state, unit):
        return False
    if unit in fighting(state):
        return True
    return top_unit(rules, state, state.at[unit]) == unit


def seen_units(rules: Inferno, state: State, side: int) -> set[int]:
    """5.3, 5.4.b/5.4: all units of a side that the other side sees."""
    stacks = state.stacks
    seen = {unit for unit in fighting(state) if rules.side[unit] == side and state.at[unit] >= 0}
    for h in bits(state.occ[side]):
        stack = stacks[h]
        seen.add(stack[0] if len(stack) == 1 else top_unit(rules, state, h))
    return seen


def others(rules: Inferno, state: State, seat: int) -> Others:
    """5.3, 5.4: the enemies whom a seat sees, and where any stand; all see the dead, and who serves as a bridge."""
    enemy, at, steps = 1 - seat, state.at, state.steps
    ids, names, full = rules.ids, rules.grid.ids, rules.counters
    seen = seen_units(rules, state, enemy)
    known = [Shown(ids[unit], names[at[unit]], full[unit].steps - steps[unit]) for unit in seen if at[unit] >= 0]
    away = [unit for unit in rules.of_side[enemy] if at[unit] in (ELIMINATED, AS_BRIDGE)]
    known += [Shown(ids[unit], rules.where(state, unit)) for unit in away]
    return Others(state.turn, known, frozenset(rules.hex_ids(bits(state.occ[enemy]))))


def attacked_hexes(rules: Inferno, state: State, side: int) -> int:
    """7.a/7.0: the hexes of a side whose combat units have all been attacked in this phase; both sides know these."""
    found = 0
    if state.phase != "combat":
        return found
    at, flags = state.at, state.flags
    hit = mask_of([at[unit] for unit in rules.of_side[side] if flags[unit] & HIT and at[unit] >= 0])
    for h in bits(hit & state.fight[side]):
        if all(state.flags[unit] & HIT for unit in state.stacks[h] if rules.combat[unit]):
            found |= 1 << h
    return found


def own_piece(rules: Inferno, state: State, unit: int, order: int = 0) -> Piece:
    """All that is known of a unit to its owner."""
    steps, flags = state.steps[unit], state.flags[unit]
    return Piece(
        rules.seats[rules.side[unit]],
        rules.where(state, unit),
        rules.ids[unit],
        True,
        rules.counters[unit].steps - steps if steps else 0,
        {"steps": steps, "ce": state.ce[unit], "supply": SUPPLY[state.supply[unit]]},
        (*[name for name, flag in FLAGS.items() if flags & flag], *rules.view_marks(state, unit)),
        None,
        order,
    )


def enemy_piece(rules: Inferno, state: State, unit: int, revealed: bool, order: int = 0) -> Piece:
    """5.4: the counter face of a visible enemy unit; its markers only while it takes part in a combat (5.4.b/5.4)."""
    values: dict[str, int | str] = {"steps": state.steps[unit]}
    if revealed:
        values |= {"ce": state.ce[unit], "supply": SUPPLY[state.supply[unit]]}
    return Piece(
        rules.seats[rules.side[unit]],
        rules.where(state, unit),
        rules.ids[unit],
        False,
        rules.counters[unit].steps - state.steps[unit],
        values,
        (*(("mov",) if state.flags[unit] & MOV else ()), *rules.view_marks(state, unit)),
        None,
        order,
    )


def view(rules: Inferno, state: State, seat: int, sizes: Mapping[str, int] | None = None) -> View:
    """5.4: all that a seat may know; for an ONLOOKER all that both sides know.

    `sizes` are the sizes of enemy stacks where they are known better than from this state (matches by file).
    """
    others = (0, 1) if seat == ONLOOKER else (1 - seat,)
    seen: set[int] = set().union(*(seen_units(rules, state, side) for side in others))
    attacked = sum(attacked_hexes(rules, state, side) for side in others)
    shown = seat == state.active or state.mover in seen
    return View(
        rules.header.game,
        rules.header.scenario,
        Stage(
            state.turn,
            state.phase,
            rules.seats[state.active],
            decides=rules.seats[state.frames[-1].seat] if state.frames else "",
            decision=state.frames[-1].name if state.frames else "",
            moving=Moving(rules.ids[state.mover], state.left) if state.mover >= 0 and shown else None,
        ),
        "" if seat == ONLOOKER else rules.seats[seat],
        (*_own_pieces(rules, state, seat), *_other_pieces(rules, state, others, seen, sizes)),
        {
            rules.seats[0]: rules.numbers_in(state.held),
            rules.seats[1]: rules.numbers_in(rules.board.grid.everything & ~state.held),
        },
        (*(Sign("attacked", name) for name in rules.hex_ids(bits(attacked))), *rules.signs(state)),
        rules.tracks(state),
        _family_part(rules, state, seat, seen),
    )


def _own_pieces(rules: Inferno, state: State, seat: int) -> list[Piece]:
    if seat == ONLOOKER:
        return []
    order: dict[int, int] = {}
    for h in bits(state.occ[seat]):
        if len(state.stacks[h]) > 1:
            stack = sorted(state.stacks[h], key=lambda unit: top_order(rules, state, unit))
            order |= {unit: height for height, unit in enumerate(stack)}
    return [own_piece(rules, state, unit, order.get(unit, 0)) for unit in rules.of_side[seat]]


def _other_pieces(
    rules: Inferno, state: State, sides: Sequence[int], seen: set[int], sizes: Mapping[str, int] | None
) -> list[Piece]:
    """5.3, 5.4: what shows of sides that are not one's own: visible units, by option those under them, and the dead."""
    revealed = fighting(state)
    found: list[Piece] = []
    for side in sides:
        for h in bits(state.occ[side]):
            shown = sorted((u for u in state.stacks[h] if u in seen), key=lambda u: top_order(rules, state, u))
            under = 0
            if rules.option["fog_stack_size"]:
                name = rules.hex_id(h)
                size = len(state.stacks[h]) if sizes is None else sizes.get(name, len(shown))
                under = max(0, size - len(shown))
                found += [Piece(rules.seats[side], name, order=height) for height in range(under)]
            for height, unit in enumerate(shown, under):
                found.append(enemy_piece(rules, state, unit, unit in revealed, height))
        for unit in rules.of_side[side]:
            if state.at[unit] == ELIMINATED:
                found.append(Piece(rules.seats[side], rules.where(state, unit), rules.ids[unit]))
    return found


def _family_part(rules: Inferno, state: State, seat: int, seen: set[int]) -> dict[str, Any]:
    """The combat at hand and what is still to be done, as a seat sees them, and what this game adds."""
    name = _namer(rules, state, seat, seen)
    found: dict[str, Any] = {
        "frames": [write_frame(rules, seen_frame(rules, frame, seat, seen), name) for frame in state.frames]
    }
    if state.battle is not None:
        found["battle"] = write_battle(rules, _seen_battle(rules, state.battle, seat, seen), name)
    return found | rules.family_part(state, seat)


def seen_frame(rules: Inferno, frame: Frame, seat: int, seen: set[int]) -> Frame:
    """4.2, 5.4: only the owner knows where a moving unit is to go, and how many units lie hidden in a hex."""
    if frame.name == "march" and rules.side[frame.args[0]] != seat:
        return Frame(frame.name, frame.seat, (frame.args[0], (), frame.args[2]))
    told = rules.frames[frame.name]
    if not told.names(("units",)):
        return frame
    shapes = [argument.kind for argument in told.takes]
    args = list(frame.args)
    for k, shape in enumerate(shapes):
        if shape == "units":
            known = tuple(unit for unit in args[k] if rules.side[unit] == seat or unit in seen)
            # Of a stack that is not seen at all it is known that it acts, not who is in it.
            args[k] = known or (args[k] if k == shapes.index("units") else ())
    return Frame(frame.name, frame.seat, tuple(args))


def _drawn_frame(state: State, frame: Frame, seat: int) -> Frame:
    """5.2: who may be taken out of a crowded enemy hex, after its hidden units were guessed."""
    if frame.name != "overstack" or frame.seat == seat:
        return frame
    return Frame(frame.name, frame.seat, (frame.args[0], state.stacks[frame.args[0]]))


def _seen_battle(rules: Inferno, battle: Battle, seat: int, seen: set[int]) -> Battle:
    """5.4.b/5.4: a combat as a seat sees it, without the units withheld from it that lie hidden."""
    known = tuple(unit for unit in battle.withheld if rules.side[unit] == seat or unit in seen)
    return battle if known == battle.withheld else msgspec.structs.replace(battle, withheld=known)


def _namer(rules: Inferno, state: State, seat: int, seen: set[int]) -> Any:
    """How a seat names units: its own and visible ones by name, others by the hex they are in."""

    def name(unit: int) -> str:
        if rules.side[unit] == seat or unit in seen or state.at[unit] == ELIMINATED:
            return rules.ids[unit]
        return f"?{rules.where(state, unit)}"

    return name


# A whole state that gives a view


def resample(rules: Inferno[S], known: View, rng: Random) -> S:
    """A full state consistent with a view: enemy units that are not seen are put under stacks that may hide them."""
    seat = rules.seat_index(known.seat)
    state = rules.empty_state()
    state.turn, state.phase = known.stage.turn, known.stage.phase
    state.active = rules.seat_index(known.stage.active)
    for h in known.control[rules.seats[0]]:
        state.held |= 1 << rules.grid_index[h]
    for piece in known.pieces:
        if piece.id:
            put_piece(rules, state, piece)
    rules.resample_more(state, known, rng)
    seen = {rules.number[piece.id] for piece in known.pieces if piece.id and not piece.mine}
    hidden = [unit for unit in rules.of_side[1 - seat] if state.at[unit] == WAITING and unit not in seen]
    attacked = mask_of(rules.grid_index[sign.at] for sign in known.on("attacked"))
    draw(rules, state, 1 - seat, hidden, _sizes(rules, known), attacked, rng)
    resolve = _finder(rules, state, 1 - seat)
    state.frames = [_drawn_frame(state, read_frame(rules, data, resolve), seat) for data in known.family["frames"]]
    if "battle" in known.family:
        state.battle = rules.read_battle(known.family["battle"], resolve)
    if known.stage.moving is not None:
        state.mover, state.left = rules.number[known.stage.moving.piece], known.stage.moving.left
    return state


def _sizes(rules: Inferno, known: View) -> dict[int, int] | None:
    """By option: how many lie in each enemy stack."""
    if not rules.option["fog_stack_size"]:
        return None
    there = [rules.grid_index[piece.at] for piece in known.pieces if not piece.mine and piece.at in rules.grid_index]
    return dict(Counter(there))


def imagine(rules: Inferno[S], state: S, seat: int, rng: Random | None) -> S:
    """The same as `resample(view(state, seat))`, without the way through names: what is hidden is drawn anew.

    Without a generator it is left out: units that are not seen wait off the map.
    """
    twin = state.copy()
    enemy = 1 - seat
    seen = seen_units(rules, state, enemy)
    name = _namer(rules, state, seat, seen)
    hidden = _forget(rules, twin, enemy, seen)
    rules.imagine_more(twin, seat)
    sizes = {h: len(state.stacks[h]) for h in bits(state.occ[enemy])} if rules.option["fog_stack_size"] else None
    draw(rules, twin, enemy, hidden, sizes, attacked_hexes(rules, state, enemy), rng)
    resolve = _finder(rules, twin, enemy)
    for number, frame in enumerate(state.frames):
        if _knows_all(rules, frame, seat, seen):
            twin.frames[number] = _drawn_frame(twin, frame, seat)
        else:
            known = write_frame(rules, seen_frame(rules, frame, seat, seen), name)
            twin.frames[number] = _drawn_frame(twin, read_frame(rules, known, resolve), seat)
    if state.battle is not None:
        twin.battle = _seen_battle(rules, state.battle, seat, seen)
    if state.mover >= 0 and rules.side[state.mover] == enemy and state.mover not in seen:
        twin.mover, twin.left = -1, 0
    return twin


def _knows_all(rules: Inferno, frame: Frame, seat: int, seen: set[int]) -> bool:
    """Does a seat see everything that a frame says: each unit of it, and no way of an enemy who moves?"""
    side = rules.side
    for k, kind in rules.units_in_frames[frame.name]:
        named = frame.args[k]
        for unit in named if kind == UNITS else (named,):
            if side[unit] != seat and unit not in seen:
                return False
    return frame.name != "march" or side[frame.args[0]] == seat


def _forget(rules: Inferno, state: State, enemy: int, seen: set[int]) -> list[int]:
    """5.4: take out of a copy what the seat does not know: marks of enemy units, and unseen units (returned)."""
    revealed = fighting(state)
    hidden: list[int] = []
    left: set[int] = set()
    at, ce, supply, flags = state.at, state.ce, state.supply, state.flags
    for unit in rules.of_side[enemy]:
        where = at[unit]
        if unit in seen:
            flags[unit] &= MOV if rules.gun[unit] else 0
            if unit not in revealed:
                ce[unit], supply[unit] = 0, IN_SUPPLY
        elif where != ELIMINATED:
            ce[unit], supply[unit], flags[unit] = 0, IN_SUPPLY, 0
            state.steps[unit] = rules.counters[unit].steps
            if where != AS_BRIDGE:
                at[unit] = WAITING
                hidden.append(unit)
                left.add(where)
    for h in left:
        if h >= 0:
            state.stacks[h] = tuple([unit for unit in state.stacks[h] if unit in seen])
    return hidden


def put_piece(rules: Inferno, state: State, piece: Piece) -> None:
    """Put a unit as a view shows it into a state."""
    unit, values = rules.number[piece.id], piece.values
    state.steps[unit] = int(values.get("steps", 0))
    state.ce[unit] = int(values.get("ce", 0))
    state.supply[unit] = SUPPLY.index(str(values.get("supply", "in")))
    state.flags[unit] = sum(FLAGS.get(name, 0) for name in piece.marks)
    place(rules, state, unit, rules.read_where(piece.at))


def _finder(rules: Inferno, state: State, side: int) -> Any:
    """Turn a name or a `?hex` back into a unit of the sampled state."""

    def unit(name: str) -> int:
        if not name.startswith("?"):
            return rules.number[name]
        h = rules.read_where(name[1:])
        if h >= 0 and state.stacks[h]:
            return min(state.stacks[h], key=lambda other: top_order(rules, state, other))
        return next((other for other in rules.of_side[side] if state.at[other] == h), rules.of_side[side][0])

    return unit


# The proof that nothing leaks


def shuffle_hidden(rules: Inferno[S], state: S, seat: int, rng: Random) -> S:
    """A state that differs from this one only in what a seat may not know (5.4). For tests."""
    twin = state.copy()
    enemies = [unit for unit in rules.of_side[1 - seat] if on_map(state, unit)]
    revealed = fighting(state)
    for unit in enemies:
        if unit in revealed:
            continue
        if rules.combat[unit]:
            before = twin.ce[unit], twin.supply[unit]
            twin.ce[unit], twin.supply[unit] = rng.randrange(3), rng.randrange(3)
            if is_dead(rules, twin, unit):
                twin.ce[unit], twin.supply[unit] = before
        elif not visible(rules, state, unit):
            twin.flags[unit] ^= MOV * rng.randrange(2)
    hidden = [unit for unit in enemies if unit != state.mover and not visible(rules, state, unit)]  # who moves is seen
    for _ in range(len(hidden)):
        _swap(rules, twin, rng.choice(hidden), rng.choice(hidden))
    if not rules.option["fog_stack_size"]:
        for unit in hidden:
            _slip(rules, twin, unit, rng.choice(list(bits(twin.occ[1 - seat]))))
    rules.shuffle_more(twin, hidden, rng)
    twin.frames = [_drawn_frame(twin, frame, seat) for frame in twin.frames]
    return twin


def _slip(rules: Inferno, state: State, unit: int, to: int) -> None:
    """Let a hidden unit lie in another hex, if nothing that shows changes: then both stacks have other sizes."""
    here = state.at[unit]
    stacks = state.stacks[here] + state.stacks[to]
    if here == to or any(state.flags[other] & HIT for other in stacks):
        return
    before = _outside(rules, state, here, to)
    place(rules, state, unit, to)
    if _outside(rules, state, here, to) != before:
        place(rules, state, unit, here)


def _outside(rules: Inferno, state: State, *hexes: int) -> tuple[Any, ...]:
    """What two hexes show or let be known: who is on top, zones, and whether too many lie there."""
    tops = [top_unit(rules, state, h) for h in hexes]
    legal = [is_legal_stack(rules, state, h, state.stacks[h]) for h in hexes]
    return tops, legal, state.occ[:], state.fight[:], state.zocs[:]


def _swap(rules: Inferno, state: State, one: int, two: int) -> None:
    """Let two hidden units change places, if both stay hidden and the stacks stay legal.

    Stacks that have been attacked are left alone: who was attacked is known (7.a/7.0).
    """
    a, b = state.at[one], state.at[two]
    if a == b or any(state.flags[unit] & HIT for unit in state.stacks[a] + state.stacks[b]):
        return
    if state.flags[one] != state.flags[two]:
        return
    tops = top_unit(rules, state, a), top_unit(rules, state, b)
    place(rules, state, one, b)
    place(rules, state, two, a)
    legal = all(is_legal_stack(rules, state, h, state.stacks[h]) for h in (a, b))
    if not legal or tops != (top_unit(rules, state, a), top_unit(rules, state, b)):
        place(rules, state, one, a)
        place(rules, state, two, b)
