"""16, 17: the two scenarios. Set-up in zones, objectives, the end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, anybody
from fronte.engine.rules import Result
from fronte.games.volturno.counters import COMPASS, GARIBALDINI, NAPOLETANI, SIDES
from fronte.games.volturno.fog import tell
from fronte.games.volturno.movement import FORMS, read_facing
from fronte.games.volturno.panels import SET_UP
from fronte.games.volturno.reaction_zones import in_enemy_zone
from fronte.games.volturno.state import LOST, ROUTED, WAITING, State, place, set_column
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()


class Place(Action, frozen=True):
    """16.1.4, 16.1.4.p2: a unit or a commander is set up, or set up elsewhere; facing and column are its owner's."""

    form = "place {unit} at {at}[ facing {facing}][ in {state}]"
    unit: str
    at: str
    facing: str = ""
    state: str = ""


class Historical(Action, frozen=True):
    """16.1.4: all that is not yet placed is set up as it was."""

    form = "historical"


class Ready(Action, frozen=True):
    """1.4: the set-up is done."""

    form = "ready"


def waiting(rules: Volturno, state: State, side: int) -> list[int]:
    """The counters of a side that are still to be set up."""
    return [u for u in range(len(state.at)) if rules.side[u] == side and state.at[u] == WAITING]


def stranded(rules: Volturno, state: State, side: int) -> int:
    """gap.cic-setup: a commander who was set up with a unit that has been set up elsewhere since; -1 if none."""
    for zone in rules.zones:
        for unit in zone.units if zone.beside else ():
            at = state.at[unit]
            if rules.side[unit] == side and at >= 0 and not (zone.hexes | state.occ[side]) >> at & 1:
                return unit
    return -1


def why_no_place(rules: Volturno, state: State, unit: int, h: int) -> Refusal | None:
    """16.1.3.p2, 6.3.1, 16.1.4.p3: why a counter cannot be set up in a hex."""
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
    zone, side = rules.zone_of_unit[unit], rules.side[unit]
    beside = zone.beside and zone.near >> h & 1 and state.occ[side] >> h & 1
    if not (zone.hexes >> h & 1 or beside):
        return Refusal(zone.rule, "not_in_its_zone", data)
    if state.occ[1 - side] >> h & 1 or in_enemy_zone(rules, state, side, h):
        return Refusal("16.1.4.p3", "too_near_at_setup", data)
    if unit in rules.leader_set:
        return None
    if side == GARIBALDINI and rules.ground.capua >> h & 1:
        return Refusal("15.6", "capua_closed", data)
    there = rules.stacked(state, h) - (rules.stacking[unit] if state.at[unit] == h else 0)
    return Refusal("6.3.1", "full", data) if there + rules.stacking[unit] > rules.most_stacked else None


def _open_to(rules: Volturno, state: State, unit: int) -> Iterator[int]:
    """16.1.4, gap.cic-setup: the hexes of the zone in which a counter is set up, beside own units where it may be."""
    zone = rules.zone_of_unit[unit]
    return bits(zone.hexes | (zone.near & state.occ[rules.side[unit]] if zone.beside else 0))


def put(rules: Volturno, state: State, unit: int, h: int, facing: int, column: bool) -> None:
    """1.4, 1.3.p1: a counter is put there; being set up in a hex counts as entering it."""
    if unit in rules.leader_set:
        state.at[unit] = h
        return
    side = rules.side[unit]
    place(state, unit, h, side)
    state.facing[unit] = facing
    set_column(state, unit, side, column)


@CHAPTER.choice(on="ground set_up first_turn", seats=anybody, phases="setup", once=False)
class SetUp(Choice["Volturno", State]):
    """1.4, 16.1.4, 17.1.4: a side sets up all its counters in their zones; Garibaldini first."""

    name = "set_up"
    rules = ("1.4", "16.1.4")
    verbs = (Place, Historical, Ready)
    panel = SET_UP

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        left, alone = waiting(rules, state, frame.seat), stranded(rules, state, frame.seat)
        if not left and alone < 0:
            yield Ready()
        if left and why_no_default(rules, state, frame.seat) is None:
            yield Historical()
        for unit in left or [alone] * (
            alone >= 0
        ):  # who stands can be put elsewhere too, which is not listed: chance would never begin to play
            for h in _open_to(rules, state, unit):
                if why_no_place(rules, state, unit, h) is None:
                    yield Place(rules.ids[unit], rules.grid.ids[h])

    def sample(self, rules: Volturno, state: State, frame: Frame, rng: Random) -> Action:
        """Some counters by hand, then the rest as it was where that is possible."""
        left = waiting(rules, state, frame.seat)
        if not left and stranded(rules, state, frame.seat) < 0:
            return Ready()
        if not left:
            return super().sample(rules, state, frame, rng)
        if rng.random() < 0.3 and why_no_default(rules, state, frame.seat) is None:
            return Historical()
        unit = rng.choice([u for u in left if u not in rules.leader_set] or left)
        hexes = [*_open_to(rules, state, unit)]
        rng.shuffle(hexes)
        for h in hexes:
            if why_no_place(rules, state, unit, h) is None:
                into = "" if unit in rules.leader_set else rng.choice(("", "column"))
                facing = "" if unit in rules.leader_set else rng.choice(COMPASS)
                return Place(rules.ids[unit], rules.grid.ids[h], facing, into)
        return super().sample(rules, state, frame, rng)

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        left = waiting(rules, state, frame.seat)
        if isinstance(action, Ready):
            if left:
                return Refusal("1.4", "not_all_placed", {"unit": rules.ids[left[0]]})
            alone = stranded(rules, state, frame.seat)
            if alone < 0:
                return None
            data = {"unit": rules.ids[alone], "hex": rules.grid.ids[state.at[alone]]}
            return Refusal(rules.zone_of_unit[alone].rule, "not_in_its_zone", data)
        if isinstance(action, Historical):
            return why_no_default(rules, state, frame.seat)
        assert isinstance(action, Place)
        unit, h = rules.number.get(action.unit, -1), rules.grid.index.get(action.at, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        if h < 0:
            return rules.unknown_hex(action.at)
        if rules.side[unit] != frame.seat:
            return Refusal("1", "not_yours", {"unit": action.unit})
        if read_facing(action.facing) is None:
            return Refusal("3.1", "no_facing", {"facing": action.facing})
        if action.state not in ("", *FORMS):
            return Refusal("16.1.4.p2", "no_such_form", {"name": action.state})
        return why_no_place(rules, state, unit, h)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Ready):
            state.frames.pop()
            state.control[frame.seat] |= state.occ[frame.seat]
            state.control[1 - frame.seat] &= ~state.occ[frame.seat]
            out.append(Event("set_up_done", ("1.4",), {"side": SIDES[frame.seat]}))
        elif isinstance(action, Historical):
            for unit in waiting(rules, state, frame.seat):
                counter = rules.counters[unit]
                put(rules, state, unit, rules.begins[unit], counter.facing, counter.column)
            out.append(Event("set_up_as_it_was", ("16.1.4",), {"side": SIDES[frame.seat]}))
        else:
            assert isinstance(action, Place)
            unit = rules.number[action.unit]
            counter = rules.counters[unit]
            facing = COMPASS.index(action.facing) if action.facing else counter.facing
            column = action.state == "column" if action.state else counter.column
            put(rules, state, unit, rules.grid.index[action.at], facing, column)
            tell(rules, state, unit, "placed", (rules.zone_of_unit[unit].rule,), {}, out)

    def offer(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        """Also where those may stand that stand already: they can be put elsewhere at any time."""
        zones = {}
        for unit in (u for u in range(len(state.at)) if rules.side[u] == frame.seat):
            hexes = _open_to(rules, state, unit)
            zones[rules.ids[unit]] = [rules.grid.ids[h] for h in hexes if why_no_place(rules, state, unit, h) is None]
        return super().offer(rules, state, frame) | {"zones": zones}

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"side": SIDES[frame.seat], "left": len(waiting(rules, state, frame.seat))}


def why_no_default(rules: Volturno, state: State, side: int) -> Refusal | None:
    """6.3.1, 16.1.4.p3: what has been placed by hand may leave no room for the rest as it was."""
    left = waiting(rules, state, side)
    if not left:
        return Refusal("1.4", "all_placed", {"side": SIDES[side]})
    full = {h: rules.stacked(state, h) for h in state.stacks}
    for unit in left:
        h = rules.begins[unit]
        if state.occ[1 - side] >> h & 1 or in_enemy_zone(rules, state, side, h):
            return Refusal("16.1.4.p3", "too_near_at_setup", {"hex": rules.grid.ids[h]})
        full[h] = full.get(h, 0) + rules.stacking[unit]
        if full[h] > rules.most_stacked:
            return Refusal("6.3.1", "full", {"hex": rules.grid.ids[h]})
    return None


def start(rules: Volturno, state: State) -> None:
    """1.4, 16.1.3.p1, 17.1.3.p4: Garibaldini set up first; in the full scenario all objectives are theirs."""
    if rules.scenario["victory"] == "points" or rules.option["short_scenario_initial_control"] == "garibaldini":
        for h in rules.objectives:
            state.control[GARIBALDINI] |= 1 << h
    state.frames = [Frame("first_turn", AUTO), Frame("set_up", NAPOLETANI), Frame("set_up", GARIBALDINI)]


# The end


def score(rules: Volturno, state: State) -> int:
    """16.1.3, 17.1.3: objectives held more than the enemy, or victory points of the Neapolitans; and a handicap."""
    held = [sum(vp for h, vp in rules.objectives.items() if mask >> h & 1) for mask in state.control]
    if rules.scenario["victory"] == "majority":
        return held[NAPOLETANI] - held[GARIBALDINI] + rules.head_start
    return held[NAPOLETANI] + routed(rules, state, GARIBALDINI) - routed(rules, state, NAPOLETANI) + rules.head_start


def routed(rules: Volturno, state: State, side: int) -> int:
    """17.1.3.p6: strength points of a side that were put to rout; by option of all that were eliminated."""
    gone = (ROUTED, LOST) if rules.option["eliminated_counts_as_routed_for_vp"] else (ROUTED,)
    return sum(rules.counters[u].strength for u in rules.units_of_side[side] if state.at[u] in gone)


def holder(state: State, h: int) -> str:
    """1.3.p1: the side that controls a hex; empty if nobody does."""
    return next((SIDES[side] for side in range(2) if state.control[side] >> h & 1), "")


def account(rules: Volturno, state: State) -> dict[str, Any]:
    """16.1.3, 17.1.3.p2: of what the score is made: who holds which objective, and the strength put to rout."""
    held = {rules.grid.ids[h]: holder(state, h) for h in sorted(rules.objectives)}
    points = rules.scenario["victory"] == "points"
    return {"held": held, "routed": {name: routed(rules, state, s) if points else 0 for s, name in enumerate(SIDES)}}


def end(rules: Volturno, state: State, out: list[Event]) -> None:
    """16.1.1, 17.1.1: the last turn is over; objectives and routed units are counted."""
    state.phase, state.outcome = "end", "time"
    state.frames.clear()
    found = result(rules, state)
    assert found is not None
    told = account(rules, state)
    for name, side in told["held"].items():
        vp = rules.objectives[rules.grid.index[name]]
        out.append(Event("held", found.rules, {"hex": name, "side": side or "nobody", "vp": vp}))
    for side, strength in told["routed"].items():
        if strength:
            out.append(Event("routed_strength", ("17.1.3.p6",), {"side": side, "strength": strength}))
    over = {"level": found.level, "score": found.score, "winner": found.winner or ""}
    if rules.scenario["victory"] == "majority":
        over["lead"] = found.score  # of whom it is, is said in words
    out.append(Event("over", found.rules, over))


def result(rules: Volturno, state: State) -> Result | None:
    """16.1.3: four of six objectives win, those given as a handicap among them; where both had so many, who has more.
    17.1.3: 20 points or more, 4 or fewer, and a draw between."""
    if not state.outcome:
        return None
    points = score(rules, state)
    if rules.scenario["victory"] == "majority":
        needed = int(rules.scenario["needed"])
        held = [sum(1 for h in rules.objectives if mask >> h & 1) for mask in state.control]
        held[NAPOLETANI if rules.head_start > 0 else GARIBALDINI] += abs(rules.head_start)
        able = [side for side in range(2) if held[side] >= needed and held[side] > held[1 - side]]
        winner = able[0] if able else None
        level = "draw" if winner is None else f"{SIDES[winner]}_win"
        return Result(level, points, None if winner is None else SIDES[winner], ("16.1.3",))
    levels = rules.scenario["levels"]
    if points <= int(levels["garibaldian"]):
        return Result("garibaldini_win", points, SIDES[GARIBALDINI], ("17.1.3",))
    if points <= int(levels["draw"]):
        return Result("draw", points, None, ("17.1.3",))
    return Result("napoletani_win", points, SIDES[NAPOLETANI], ("17.1.3",))
