"""Positions of Volturno 1860: written in names, and read with every field checked before anything is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Frame
from fronte.engine.frames import faults
from fronte.engine.given import PositionError, flag, listed, mapping, said, whole, word
from fronte.games.common import positions
from fronte.games.volturno import movement
from fronte.games.volturno.assault import is_taken
from fronte.games.volturno.counters import COMPASS, FORMATIONS, GARIBALDINI, RESERVE, SIDE_OF, SIDES
from fronte.games.volturno.fog import LEVELS, MARKERS
from fronte.games.volturno.sequence import PHASES
from fronte.games.volturno.state import LOST, MASKS, NOBODY, ROUTED, WAITING, State, place, units_in

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

FIELDS = [
    "control",
    "formations",
    "initiative",
    "passes",
    "formation",
    "row",
    "markers",
    "mover",
    "left",
    "steps",
    "bound",
    "origin",
    "fulfilled",
    "losses",
    "aimed",
    "railed",
    "stopped",
]
REQUIRED = ("game", "turn", "phase", "active", "units", "frames", *FIELDS)
UNIT_FIELDS = ("at", "facing", "height", "level", "marks")
FORMATION_FIELDS = ("morale", "orders", "activated", "seen", "stayed")
ROWS = ("", "fall_back", "retire", "hold", "cautious", "as_ordered", "attack")
OUTCOMES = ("", "time")
MOST_ORDERS = 99
MOST_MARKERS = 8
MOST_LEFT = 40


def write(rules: Volturno, state: State) -> dict[str, Any]:
    """All of a state, readable."""
    board = {
        "control": {SIDES[side]: list(rules.hex_ids(_bits(state.control[side]))) for side in range(2)},
        "formations": {FORMATIONS[f]: _formation(state, f) for side in range(2) for f in rules.formations[side]},
    }
    more = {
        "initiative": SIDES[state.initiative],
        "passes": state.passes,
        "formation": FORMATIONS[state.formation] if state.formation != NOBODY else "",
        "row": state.row,
        "markers": [[MARKERS[k], rules.grid.ids[h], COMPASS[d], rules.ids[u]] for k, h, d, u in state.markers],
        "mover": rules.ids[state.mover] if state.mover != NOBODY else "",
        "left": state.left,
        "steps": state.steps,
        "bound": list(rules.hex_ids(_bits(state.bound))),
        "origin": rules.grid.ids[state.origin] if state.mover != NOBODY else "",
        "fulfilled": state.fulfilled,
        "losses": list(state.losses),
        "aimed": [[rules.grid.ids[h], rules.ids[unit]] for h, unit in state.aimed],
        "railed": state.railed,
        "stopped": state.stopped,
    }
    units = {rules.ids[unit]: _unit(rules, state, unit) for unit in range(len(state.at))}
    return positions.write_position(
        rules, state, units, board, more, lambda frame: positions.write_frame(rules, frame, rules.ids.__getitem__)
    )


def _bits(mask: int) -> list[int]:
    return [h for h in range(mask.bit_length()) if mask >> h & 1]


def _formation(state: State, formation: int) -> dict[str, Any]:
    found: dict[str, Any] = {"morale": state.morale[formation], "orders": state.orders[formation]}
    for name in ("activated", "seen", "stayed"):
        if getattr(state, name) >> formation & 1:
            found[name] = True
    return found


def _unit(rules: Volturno, state: State, unit: int) -> dict[str, Any]:
    at = state.at[unit]
    data: dict[str, Any] = {"at": rules.hex_id(at)}
    if at >= 0 and unit not in rules.leader_set:
        data |= {"facing": COMPASS[state.facing[unit]], "height": state.stacks[at].index(unit)}
    if state.level[unit]:
        data["level"] = LEVELS[state.level[unit]]
    marks = [name for name in MASKS if getattr(state, name) >> unit & 1]
    return data | ({"marks": marks} if marks else {})


def read(rules: Volturno, given: Mapping[str, Any]) -> State:
    """The state that a position describes; PositionError with the place of what cannot be."""
    return positions.read_position(rules, given, FIELDS, REQUIRED, lambda data: _read(rules, data))


def _read(rules: Volturno, data: dict[str, Any]) -> State:
    state = State(len(rules.counters))
    positions.read_stage(rules, state, data, PHASES)
    if state.turn > rules.last_turn:
        raise PositionError(f"turn: the last is {rules.last_turn}")
    word(state.outcome, "outcome", OUTCOMES)
    _read_units(rules, state, data["units"])
    control = mapping(data["control"], "control", SIDES, SIDES)
    for side, name in enumerate(SIDES):
        for h in listed(control[name], f"control.{name}", rules.grid.size):
            state.control[side] |= 1 << positions.read_value(rules, positions.HEX, h, "control", rules.find_unit)
    if state.control[0] & state.control[1]:
        raise PositionError("control: both sides hold a hex (1.3.p1)")
    _read_formations(rules, state, data["formations"])
    state.initiative = SIDES.index(word(data["initiative"], "initiative", SIDES))
    state.passes = whole(data["passes"], "passes", 0, 3)
    formation = word(data["formation"], "formation", ("", *FORMATIONS))
    state.formation = FORMATIONS.index(formation) if formation else NOBODY
    state.row = word(data["row"], "row", ROWS)
    state.markers = tuple(
        _marker(rules, entry, f"markers[{n}]")
        for n, entry in enumerate(listed(data["markers"], "markers", MOST_MARKERS))
    )
    state.mover = (
        positions.read_value(rules, positions.UNIT, data["mover"], "mover", rules.find_unit)
        if data["mover"]
        else NOBODY
    )
    state.origin = (
        positions.read_value(rules, positions.HEX, data["origin"], "origin", rules.find_unit)
        if data["origin"]
        else NOBODY
    )
    state.left = whole(data["left"], "left", 0, MOST_LEFT)
    state.steps = whole(data["steps"], "steps", 0, MOST_LEFT)
    for h in listed(data["bound"], "bound", MOST_MARKERS):
        state.bound |= 1 << positions.read_value(rules, positions.HEX, h, "bound", rules.find_unit)
    state.fulfilled = whole(data["fulfilled"], "fulfilled", 0, (1 << len(state.markers)) - 1)
    lost = [whole(n, "losses", 0, MOST_LEFT) for n in listed(data["losses"], "losses", 2)]
    if len(lost) != 2:
        raise PositionError("losses: each side has its number")
    state.losses = lost[0], lost[1]
    state.aimed = tuple(
        _aim(rules, entry, f"aimed[{n}]") for n, entry in enumerate(listed(data["aimed"], "aimed", MOST_LEFT))
    )
    state.railed, state.stopped = flag(data["railed"], "railed"), flag(data["stopped"], "stopped")
    state.frames = positions.read_frames(
        data["frames"], lambda frame, at: positions.read_frame(rules, frame, at, rules.find_unit)
    )
    return state


def _aim(rules: Volturno, entry: Any, place_: str) -> tuple[int, int]:
    parts = listed(entry, place_, 2)
    if len(parts) != 2:
        raise PositionError(f"{place_}: a hex and a unit that was fired at from it (9.2.1)")
    return (
        positions.read_value(rules, positions.HEX, parts[0], place_, rules.find_unit),
        positions.read_value(rules, positions.UNIT, parts[1], place_, rules.find_unit),
    )


def _marker(rules: Volturno, entry: Any, place_: str) -> tuple[int, int, int, int]:
    parts = listed(entry, place_, 4)
    if len(parts) != 4:
        raise PositionError(f"{place_}: a marker is its kind, its hex, its direction and its unit (7.1)")
    return (
        MARKERS.index(word(parts[0], place_, MARKERS)),
        positions.read_value(rules, positions.HEX, parts[1], place_, rules.find_unit),
        COMPASS.index(word(parts[2], place_, COMPASS)),
        positions.read_value(rules, positions.UNIT, parts[3], place_, rules.find_unit),
    )


def _read_formations(rules: Volturno, state: State, value: Any) -> None:
    there = [FORMATIONS[f] for side in range(2) for f in rules.formations[side]]
    found = mapping(value, "formations", there, there)
    for name, given in found.items():
        f, here = FORMATIONS.index(name), f"formations.{name}"
        data = mapping(given, here, FORMATION_FIELDS, ("morale", "orders"))
        state.morale[f] = whole(data["morale"], f"{here}.morale", -rules.most_morale, rules.most_morale)
        state.orders[f] = whole(data["orders"], f"{here}.orders", 0, MOST_ORDERS)
        for field in ("activated", "seen", "stayed"):
            if flag(data.get(field, False), f"{here}.{field}"):
                setattr(state, field, getattr(state, field) | 1 << f)


def _read_units(rules: Volturno, state: State, value: Any) -> None:
    heights: dict[int, dict[int, int]] = {}
    found = set()
    for unit, at, here, given in positions.read_units(rules, value, UNIT_FIELDS, rules.find_unit):
        found.add(unit)
        for mark in listed(given.get("marks", ()), f"{here}.marks", len(MASKS)):
            name = word(mark, f"{here}.marks", MASKS)
            setattr(state, name, getattr(state, name) | 1 << unit)
        state.at[unit] = at
        if unit in rules.leader_set or at < 0:
            if set(given) - {"at", "marks"}:
                raise PositionError(f"{here}: it has no facing and no cohesion there")
            continue
        state.at[unit] = WAITING
        state.facing[unit] = COMPASS.index(word(given.get("facing"), f"{here}.facing", COMPASS))
        state.level[unit] = LEVELS.index(word(given.get("level", ""), f"{here}.level", LEVELS))
        height = whole(given.get("height", 0), f"{here}.height", 0, len(state.at))
        if heights.setdefault(at, {}).setdefault(height, unit) != unit:
            raise PositionError(f"{here}.height: another unit lies at {height} in {said(given['at'])}")
    if len(found) < len(state.at):
        missing = next(name for u, name in enumerate(rules.ids) if u not in found)
        raise PositionError(f"units: {missing} is missing")
    for at, stack in heights.items():
        if [*sorted(stack)] != [*range(len(stack))]:
            raise PositionError(f"units: the heights in {rules.grid.ids[at]} leave gaps")
        for height in sorted(stack):
            place(state, stack[height], at, rules.side[stack[height]])


def broken(rules: Volturno, state: State) -> list[str]:
    """What is impossible about a state, each with its place."""
    found = [*_units(rules, state), *_stacks(rules, state), *_stage(rules, state), *_markers(rules, state)]
    found += (*_battle(rules, state), *_counters(rules, state))
    return found or list(faults(rules.frames, rules, state))


def _units(rules: Volturno, state: State) -> list[str]:
    found = []
    for unit, at in enumerate(state.at):
        name, leader = rules.ids[unit], unit in rules.leader_set
        if at >= 0 and not rules.ground.extent >> at & 1:
            found.append(f"units.{name}: {rules.grid.ids[at]} is not in play (gap.map-edge)")
        if leader and at < 0 and at != WAITING:
            found.append(f"units.{name}: a commander cannot be eliminated (2.2.p4)")
        if not 0 <= state.level[unit] < len(LEVELS):
            found.append(f"units.{name}: it has lost {state.level[unit]} levels (2.4)")
        if at == WAITING and state.phase != "setup":
            found.append(f"units.{name}: it has not been set up (1.4)")
        if rules.rehides and not leader and state.shown >> unit & 1:
            found.append(f"units.{name}: units are turned down again (8.6.p3)")
        if state.low & state.out & 1 << unit:
            found.append(f"units.{name}: it has two markers of ammunition (9.4.3)")
        if state.exhausted >> unit & 1 and not rules.counters[unit].is_cavalry:
            found.append(f"units.{name}: cavalry alone is exhausted (10.3)")
        if leader and (state.column | state.ooc | state.low | state.out) >> unit & 1:
            found.append(f"units.{name}: a commander has no such marker (2.2)")
        if not leader and state.led >> unit & 1:
            found.append(f"units.{name}: commanders alone ride (8.5)")
        if at < 0 and (state.column | state.ooc | state.low | state.out | state.exhausted) >> unit & 1:
            found.append(f"units.{name}: it is off the map and has markers (2.4.p2)")
    return found


def _stacks(rules: Volturno, state: State) -> list[str]:
    found = []
    # 11.3.2: who retreats may overfill a hex for a moment
    passing = {state.at[f.args[0]] for f in state.frames if f.name in ("fall_away", "retreat")}
    for h, stack in state.stacks.items():
        name = rules.grid.ids[h]
        if any(state.at[unit] != h for unit in stack):
            found.append(f"units: the stack in {name} is of units that are elsewhere")
        if len({rules.side[unit] for unit in stack}) > 1:
            found.append(f"units: both sides are in {name} (8.p2)")
        if rules.stacked(state, h) > rules.most_stacked and h not in passing:
            found.append(f"units: more than {rules.most_stacked} points are in {name} (6.3.1)")
    return found


def _stage(rules: Volturno, state: State) -> list[str]:
    found = []
    if bool(state.outcome) != (state.phase == "end") or bool(state.frames) == bool(state.outcome):
        found.append("frames: somebody owes a decision, or the game is over")
    if state.mover != NOBODY and (state.mover in rules.leader_set or state.at[state.mover] < 0):
        found.append("mover: it is no unit on the map (7.2)")
    if state.mover == NOBODY and (state.left or state.steps):
        found.append("left: nobody is moving")
    if state.bound and state.formation == NOBODY:
        found.append("bound: nobody attacks outside an Action Phase (7.1.p2)")
    if state.mover != NOBODY and state.origin == NOBODY:
        found.append("origin: the move of a unit began somewhere (7.2)")
    if state.mover != NOBODY and not state.steps and state.at[state.mover] not in (state.origin, ROUTED, LOST):
        found.append("origin: a unit that has not moved is where it was (7.2)")
    acting = any(frame.name == "act" for frame in state.frames)
    if acting != (state.formation != NOBODY):
        found.append("formation: one acts in its Action Phase and at no other time (7)")
    elif acting and not state.activated >> state.formation & 1:
        found.append("formation: it has not been activated (6.1)")
    if (state.markers or state.row) and state.formation == NOBODY:
        found.append("markers: they lie during an Action Phase only (4.B2.c1)")
    if acting and state.formation != NOBODY and SIDE_OF[state.formation] != state.active:
        found.append("active: it is not the side whose formation acts (7)")
    if state.mover != NOBODY and not found:
        if rules.side[state.mover] != state.active:
            found.append("mover: it is not of the side that acts (7.2)")
        elif state.left > movement.allowance(rules, state, state.mover):
            found.append("left: more than the allowance of the unit (8.p3)")
    return found


def _counters(rules: Volturno, state: State) -> list[str]:
    """2.1, 2.2: frames are about units, but those that name commanders; and who waits is set up by somebody (1.4)."""
    found = []
    for depth, frame in enumerate(state.frames):
        for told, value in zip(rules.frames[frame.name].takes, frame.args, strict=False):
            if told.kind not in (positions.UNIT, positions.UNITS):
                continue
            leads = frame.name == "displaced" or told.name.startswith("leader")
            for unit in value if told.kind == positions.UNITS else (value,):
                if (unit in rules.leader_set) != leads:
                    what = "no commander" if leads else "a commander"
                    found.append(f"frames[{depth}] ({frame.name}), {told.name}: {rules.ids[unit]} is {what} (2.2)")
    placing = {frame.seat for frame in state.frames if frame.name == "set_up"}
    waits = {rules.side[unit] for unit, at in enumerate(state.at) if at == WAITING}
    if state.phase == "setup" and (waits - placing or state.frames[:1] != [Frame("first_turn", AUTO)]):
        found.append("frames: who waits is set up, and then the first turn begins (1.4)")
    return found


def _markers(rules: Volturno, state: State) -> list[str]:
    """7.1: what markers cannot be."""
    found = []
    for number, (kind, h, direction, unit) in enumerate(state.markers):
        here, target = f"markers[{number}]", rules.grid.neighbours[h][direction]
        if unit in rules.leader_set or rules.side[unit] != state.active:
            found.append(f"{here}: {rules.ids[unit]} is no unit of the side that acts (7.1.3)")
        if not rules.ground.extent >> h & 1 or target < 0 or not rules.ground.extent >> target & 1:
            found.append(f"{here}: it lies or points off the field (gap.map-edge)")
        elif is_taken(rules, state, kind, h, target, number):
            found.append(f"{here}: another marker lies in {rules.grid.ids[h]} that bars it (7.1.2)")
        if any(other[3] == unit for other in state.markers[:number]):
            found.append(f"{here}: {rules.ids[unit]} is named for another marker already (7.1.3)")
    most = int(rules.tables["markers"]["most"])
    if len(state.markers) > most:
        found.append(f"markers: a formation lays {most} at most (7.1.1)")
    return found


def _battle(rules: Volturno, state: State) -> list[str]:
    """What chapters 1, 5, 6 and 15 do not let be."""
    found = []
    for side, name in enumerate(SIDES):
        lost = state.occ[side] & ~state.control[side]
        if lost and Frame("set_up", side) not in state.frames:
            found.append(f"control.{name}: it holds every hex that it stands in (1.3.p1)")
        if side == GARIBALDINI and state.occ[side] & rules.ground.capua:
            found.append(f"units: a unit of {name} is in Capua (15.6)")
    barred = (state.called | state.along) & ~rules.member_mask[RESERVE]
    if barred:
        found.append(f"units.{rules.ids[units_in(barred)[0]]}: it is not of the reserve (15.5)")
    if state.along & ~state.called or state.along.bit_count() > 1:
        found.append("units: a formation takes one unit of the reserve along (15.5)")
    caller = state.formation not in (NOBODY, RESERVE) and SIDE_OF[state.formation] == GARIBALDINI
    if state.along and not caller:
        found.append("units: a unit of the reserve is taken along by another formation that acts (15.5)")
    callers = sum(1 for f in rules.formations[GARIBALDINI] if f != RESERVE and state.activated >> f & 1)
    if state.called.bit_count() > callers:
        found.append("units: one unit of the reserve for each formation that was activated (15.5)")
    if state.seen & ~sum(1 << f for f in rules.formations[GARIBALDINI]):
        found.append("formations: Garibaldini alone have to see the enemy first (15.3)")
    for f in rules.formations[GARIBALDINI]:
        if state.activated >> f & 1 and not state.seen >> f & 1:
            found.append(f"formations.{FORMATIONS[f]}: it has seen nobody and is activated (15.3)")
    if state.stayed & ~state.activated:
        found.append("formations: one that stays on a six has been activated (15.2.p5)")
    for f, orders in enumerate(state.orders):
        if orders and state.activated >> f & 1:
            found.append(f"formations.{FORMATIONS[f]}: it is activated and has an Orders marker (6.1.2)")
    if rules.is_night(state.turn) and state.markers:
        found.append("markers: nothing is declared at night (15.2.p3)")
    return found
