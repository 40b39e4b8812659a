"""7.1: Assault and Charge markers. They are laid before anything is done, and somebody has to attack from each."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.positions import HEX
from fronte.games.volturno import charge, movement, reserve
from fronte.games.volturno.assault import (
    attacks,
    attacks_formed,
    can_assault,
    can_attack_formed,
    fulfil,
    gets_there,
    is_taken,
    target_of,
)
from fronte.games.volturno.command import in_reach_of_chief
from fronte.games.volturno.counters import FORMATIONS, GARIBALDINI, LIGHT
from fronte.games.volturno.fog import MARKERS
from fronte.games.volturno.movement import ASSAULT, CHARGE
from fronte.games.volturno.panels import DECLARE, REDIRECT
from fronte.games.volturno.reaction_zones import in_enemy_zone
from fronte.games.volturno.retreats import AMID
from fronte.games.volturno.state import NOBODY, Marker, State, units_in
from fronte.hexes import bits
from fronte.hexes.facing import turn

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
CLOSE = 6
"""Beyond so many hexes from the enemy units are not told apart when somebody is sought who can attack."""
ONE_MORE = 0.9
"""How often in random play a marker is laid where one can be."""


class Declare(Action, frozen=True):
    """7.1: an Assault marker, or a Charge marker, is laid for a unit in a hex, pointing at a target next to it."""

    form = "declare {unit} from {at} at {target}[ by {by}]"
    odds = True
    unit: str
    at: str
    target: str
    by: str = ""


class Declared(Action, frozen=True):
    """4.B2.a: no more markers are laid."""

    form = "declared"


def markers_allowed(rules: Volturno, state: State) -> int:
    """7.1.1, 6.2, 15.2.p3: how many markers the active formation may lay."""
    leader, row = rules.leader_of[state.formation], state.row
    if rules.is_night(state.turn) or row in ("fall_back", "retire", "hold"):
        return 0
    if row == "cautious":
        return 1
    extra = int(in_reach_of_chief(rules, state, leader)) + int(row == "attack")
    return min(int(rules.tables["markers"]["most"]), rules.counters[leader].command + extra)


def why_no_declaration(rules: Volturno, state: State, action: Declare) -> Refusal | None:
    """7.1, 7.1.2, 7.1.3: why this marker cannot be laid."""
    if action.by not in ("", *MARKERS):
        return Refusal("7.1", "no_such_marker", {"name": action.by})
    unit = rules.number.get(action.unit, -1)
    if unit < 0:
        return rules.unknown_unit(action.unit)
    data = {"unit": action.unit, "hex": action.at}
    pair = rules.hexes((action.at, action.target))
    if isinstance(pair, Refusal):
        return pair
    if len(state.markers) >= markers_allowed(rules, state):
        return Refusal("7.1.1", "no_more_markers", data)
    if not named_ones(rules, state) >> unit & 1 or state.at[unit] < 0:
        return _why_not_named(rules, state, unit)
    kind = kind_of(action)
    why = charge.why_cannot(rules, state, unit) if kind == CHARGE else None
    if why is not None or not can_assault(rules, unit):
        return why or Refusal("11", "cannot_assault", data)
    if any(marker[3] == unit for marker in state.markers):
        return Refusal("7.1.3", "has_marker", data)
    at, target = pair
    if is_taken(rules, state, kind, at, target):
        return Refusal("7.1.2", "marker_there", data)
    if kind == CHARGE:
        return charge.why_no_marker(rules, state, unit, at, target)
    found = can_attack_formed(rules, state, unit, at, target)
    return None if found else Refusal("11.1", "cannot_reach", data)


def _why_not_named(rules: Volturno, state: State, unit: int) -> Refusal:
    """7.1.3, 15.5.p1: why a unit cannot be named for a marker: whose it is, where it is, what it has done."""
    data = {"unit": rules.ids[unit]}
    if rules.side[unit] != state.active:
        return Refusal("1", "not_yours", data)
    if state.at[unit] < 0:
        return Refusal("2.4.p2", "gone", data)
    if unit in rules.leader_set:
        return Refusal("11", "cannot_assault", data)
    if rules.counters[unit].formation != state.formation:
        return Refusal("6.1", "not_its_formation", data)
    if state.called >> unit & 1:
        return Refusal("15.5.p1", "was_called", data)
    return Refusal("4.B2.p6", "out_of_command", data)


def named_ones(rules: Volturno, state: State) -> int:
    """7.1.3, 15.5.p1: the units that act with the formation, and can be named for a marker: those in command that no
    other formation has taken along, whatever they did with it, and the one taken along."""
    return rules.member_mask[state.formation] & ~(state.ooc | state.called) | state.along


def kind_of(action: Declare) -> int:
    """7.1: which marker is meant."""
    return CHARGE if action.by == MARKERS[CHARGE] else ASSAULT


def _able(rules: Volturno, state: State) -> list[int]:
    """7.1.1, 7.1.3: the units for which a marker may still be laid, if they find a target."""
    if len(state.markers) >= markers_allowed(rules, state):
        return []
    named = {marker[3] for marker in state.markers}
    units = units_in(named_ones(rules, state))
    return [unit for unit in units if state.at[unit] >= 0 and unit not in named and can_assault(rules, unit)]


def _of_unit(rules: Volturno, state: State, unit: int) -> Iterator[Declare]:
    name = rules.ids[unit]
    for at, target in attacks_formed(rules, state, unit, roomy=True):
        if not is_taken(rules, state, ASSAULT, at, target):
            yield Declare(name, rules.grid.ids[at], rules.grid.ids[target])
    yield from _charges(rules, state, unit)


def _charges(rules: Volturno, state: State, unit: int) -> Iterator[Declare]:
    for at, target in charge.attacks_formed(rules, state, unit):
        if not is_taken(rules, state, CHARGE, at, target):
            yield Declare(rules.ids[unit], rules.grid.ids[at], rules.grid.ids[target], MARKERS[CHARGE])


def _declarations(rules: Volturno, state: State) -> Iterator[Declare]:
    for unit in _able(rules, state):
        yield from _of_unit(rules, state, unit)


def _any_declaration(rules: Volturno, state: State) -> bool:
    """7.1: can any marker be laid? Those are asked first who are nearest to an enemy."""
    near = rules.grid.near(state.occ[1 - state.active], CLOSE)

    def away(unit: int) -> int:
        return sum([not mask >> state.at[unit] & 1 for mask in near[: CLOSE + 1]])

    units = sorted(_able(rules, state), key=away)
    return any(True for unit in units for _ in _beside(rules, state, unit)) or any(
        True for unit in units for _ in _of_unit(rules, state, unit)
    )


def _beside(rules: Volturno, state: State, unit: int) -> Iterator[int]:
    """8.1: the enemies next to a unit at whom a marker can be laid where it is, for which no ways need be sought."""
    here = state.at[unit]
    for target in bits(rules.grid.ring[here] & state.occ[1 - rules.side[unit]]):
        taken = is_taken(rules, state, ASSAULT, here, target)
        if not taken and can_attack_formed(rules, state, unit, here, target):
            yield target


@CHAPTER.choice(on="act", seats=anybody, phases="activation")
class DeclareChoice(Choice["Volturno", State]):
    """4.B2.a, 7.1: the Assault and Charge markers of the formation are laid before anything is done."""

    name = "declare"
    rules = ("4.B2.a", "7.1")
    verbs = (Declare, Declared, reserve.Call)
    panel = DECLARE

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        found = list(_declarations(rules, state))
        if not found or state.markers or state.row != "attack":
            yield Declared()
        yield from found
        for unit in reserve.callable_ones(rules, state):
            yield reserve.Call(rules.ids[unit])

    def sample(self, rules: Volturno, state: State, frame: Frame, rng: Random) -> Action:
        """A marker for the first unit that can attack, drawn in any order; now and then something else."""
        compelled = state.row == "attack" and not state.markers
        action = self._some(rules, state, rng) if compelled or rng.random() < ONE_MORE else None
        if action is not None:
            return action
        return rng.choice([Declared(), *(reserve.Call(rules.ids[u]) for u in reserve.callable_ones(rules, state))])

    def _some(self, rules: Volturno, state: State, rng: Random) -> Action | None:
        """Some marker: a charge every other time that there is one; None if nobody can attack."""
        units = _able(rules, state)
        rng.shuffle(units)
        for unit in units:
            charges = list(_charges(rules, state, unit)) if rng.random() < 0.5 else []
            if charges:
                return rng.choice(charges)
            # in the other form only if it has to, or now and then
            pairs = attacks(rules, state, unit, roomy=True) if rng.random() < 0.8 else []
            pairs = [pair for pair in pairs if not is_taken(rules, state, ASSAULT, *pair)]
            if pairs:
                at, target = rng.choice(pairs)
                return Declare(rules.ids[unit], rules.grid.ids[at], rules.grid.ids[target])
            found = list(_of_unit(rules, state, unit))
            if found:
                return rng.choice(found)
        return None

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Declared):
            must = state.row == "attack" and not state.markers and _any_declaration(rules, state)
            return Refusal("table.initiative", "must_attack", {}) if must else None
        if isinstance(action, reserve.Call):
            unit = rules.number.get(action.unit, -1)
            return rules.unknown_unit(action.unit) if unit < 0 else reserve.why_no_call(rules, state, unit)
        assert isinstance(action, Declare)
        return why_no_declaration(rules, state, action)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Declared):
            state.frames.pop()
            return
        if isinstance(action, reserve.Call):
            reserve.call(rules, state, rules.number[action.unit], out)
            return
        assert isinstance(action, Declare)
        at, target = rules.grid.index[action.at], rules.grid.index[action.target]
        direction = rules.ground.facings.toward(at, target)
        kind = kind_of(action)
        state.markers = (*state.markers, (kind, at, direction, rules.number[action.unit]))
        data = {"hex": action.at, "target": action.target, "by": MARKERS[kind]}
        out.append(Event("declared", ("7.1",), data))
        if not may_declare(rules, state):
            state.frames.pop()

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        left = markers_allowed(rules, state) - len(state.markers)
        card = rules.roster(state, state.formation)
        return {"formation": FORMATIONS[state.formation], "left": left, "card": card}


def may_declare(rules: Volturno, state: State) -> bool:
    """7.1, 15.5.p1: is there anything to be declared, or would there be for a unit of the reserve?"""
    if _any_declaration(rules, state):
        return True
    if len(state.markers) >= markers_allowed(rules, state):
        return False
    able = [unit for unit in reserve.callable_ones(rules, state) if can_assault(rules, unit)]
    return any(True for unit in able for _ in attacks_formed(rules, state, unit))


def waiting(rules: Volturno, state: State) -> Iterator[int]:
    """7.1.4: the markers, by their order, from which nobody has attacked and whose target is still there."""
    for number, marker in enumerate(state.markers):
        enemies = state.occ[1 - rules.side[marker[3]]]
        if not state.fulfilled >> number & 1 and enemies >> target_of(rules, marker) & 1:
            yield number


def carries_out(rules: Volturno, state: State, unit: int, number: int) -> bool:
    """7.1.4: could a unit make the attack of this marker now?"""
    marker = state.markers[number]
    if marker[0] == CHARGE:
        moved = state.mover == unit and state.steps  # 7.2: to charge is an action of its own
        return not moved and number in charge.markers_formed(rules, state, unit)
    return can_assault(rules, unit) and gets_there(rules, state, unit, marker)


def owed(rules: Volturno, state: State, units: list[int]) -> tuple[int, int] | None:
    """7.1.4: a unit of these that could still carry out a declared attack, whoever was named for it first, and the
    marker; None if there is none."""
    for number in waiting(rules, state):
        named = state.markers[number][3]
        for unit in sorted(units, key=lambda one: one != named):
            if carries_out(rules, state, unit, number):
                return unit, number
    return None


def alone(rules: Volturno, state: State, unit: int, units: list[int]) -> int:
    """7.1.4: the marker to which a unit has to see, since it can and none of these others could; NOBODY if there is
    none. While the unit that was named has not acted the others are free, and who is named has its own to see to."""
    due = list(waiting(rules, state))
    others = [other for other in units if other != unit]
    named = {state.markers[number][3] for number in due}
    for number in due:
        if state.markers[number][3] in others or not carries_out(rules, state, unit, number):
            continue
        if not any(other not in named and carries_out(rules, state, other, number) for other in others):
            return number
    return NOBODY


def fulfil_by_fire(rules: Volturno, state: State, unit: int, h: int) -> None:
    """7.1.p3, 11.p2: light infantry that fires has attacked; out of every enemy zone any target will do."""
    here = state.at[unit]
    if rules.counters[unit].kind != LIGHT:
        return
    fulfil(rules, state, unit, h)
    free = not in_enemy_zone(rules, state, rules.side[unit], here)
    due = [n for n, m in enumerate(state.markers) if m[:2] == (ASSAULT, here)]
    if free and due and not any(target_of(rules, state.markers[n]) == h for n in due):
        state.fulfilled |= 1 << next((n for n in due if not state.fulfilled >> n & 1), due[0])


# 7.1.5: markers whose target is gone


class Redirect(Action, frozen=True):
    """7.1.5: a marker goes into the emptied hex, turns a hexside towards a new target, or both."""

    form = "redirect[ to {to}][ at {target}]"
    odds = True
    to: str = ""
    target: str = ""


class Leave(Action, frozen=True):
    """7.1.5: it stays as it is, and obliges to nothing."""

    form = "leave"


def has_use(rules: Volturno, state: State, kind: int) -> bool:
    """7.1.5: is there anybody left who could still attack by a marker of this kind?"""
    units = named_ones(rules, state) & ~state.acted | (1 << state.mover if state.mover != NOBODY else 0)
    for unit in units_in(units):
        able = charge.why_cannot(rules, state, unit) is None if kind == CHARGE else can_assault(rules, unit)
        if able and state.at[unit] >= 0:
            return True
    return False


@CHAPTER.step(
    "7.1.5",
    on=f"{AMID} strike_back recoil counter_charge",
    secrets=open_to_all,
    takes=(Argument("hex", HEX),),
    once=False,
    phases="activation",
)
def emptied(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """7.1.5: a reaction or a retreat has emptied a hex: the markers that point at it may be redirected, at once."""
    (h,) = frame.args
    if state.stacks.get(h):
        return
    for number in reversed(range(len(state.markers))):
        marker = state.markers[number]
        if target_of(rules, marker) == h and has_use(rules, state, marker[0]):
            state.frames.append(Frame("redirect", state.active, (number,)))


def _numbered(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if frame.args[0] < len(state.markers) else "there is no such marker (7.1)"


@CHAPTER.choice(
    on=f"{AMID} strike_back recoil counter_charge",
    seats=anybody,
    takes=(Argument("marker", NUMBER, 0, charge.MOST_MARKERS - 1),),
    fault=_numbered,
    once=False,
    phases="activation",
)
class RedirectChoice(Choice["Volturno", State]):
    """7.1.5: where a marker whose target is gone lies and points now."""

    name = "redirect"
    rules = ("7.1.5",)
    verbs = (Redirect, Leave)
    panel = REDIRECT

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        yield Leave()
        marker = state.markers[frame.args[0]]
        target = target_of(rules, marker)
        for to in ("", rules.grid.ids[target]):
            at = target if to else marker[1]
            ways = [(marker[2] + by) % 6 for by in (1, 5)]
            aims = [rules.grid.neighbours[at][way] for way in ways]
            for name in (*([""] if to else ()), *rules.hex_ids([h for h in aims if h >= 0])):
                action = Redirect(to, name)
                if self.why_not(rules, state, frame, action) is None:
                    yield action

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Leave):
            return None
        assert isinstance(action, Redirect)
        named = rules.hexes([name for name in (action.to, action.target) if name])
        if isinstance(named, Refusal):
            return named
        return why_no_redirection(rules, state, frame.args[0], action)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Leave):
            return
        assert isinstance(action, Redirect)
        number = frame.args[0]
        marker = redirected(rules, state, number, action)
        state.markers = (*state.markers[:number], marker, *state.markers[number + 1 :])
        target = target_of(rules, marker)
        data = {"hex": rules.grid.ids[marker[1]], "target": rules.grid.ids[target] if target >= 0 else ""}
        out.append(Event("redirected", ("7.1.5",), {**data, "by": MARKERS[marker[0]]}))
        mover = state.mover
        if mover != NOBODY and state.steps and marker[0] == ASSAULT and not movement.is_bound(rules, state, mover):
            state.bound = movement.bound_in(rules, state, rules.side[mover], state.at[mover], 0)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        kind, at = state.markers[frame.args[0]][:2]
        target = target_of(rules, state.markers[frame.args[0]])
        return {"by": MARKERS[kind], "hex": rules.grid.ids[at], "target": rules.grid.ids[target]}


def redirected(rules: Volturno, state: State, number: int, action: Redirect) -> Marker:
    """7.1.5: the marker as it would lie; it points where it did if no new target is named."""
    kind, at, direction, unit = state.markers[number]
    at = rules.grid.index[action.to] if action.to else at
    if action.target and rules.grid.index[action.target] in rules.grid.adjacent[at]:
        direction = rules.ground.facings.toward(at, rules.grid.index[action.target])
    return kind, at, direction, unit


def why_no_redirection(rules: Volturno, state: State, number: int, action: Redirect) -> Refusal | None:
    """7.1.5, 7.1.2: into the emptied hex or not at all, by one hexside at most, and a turn needs an enemy."""
    kind, _, direction, unit = state.markers[number]
    emptied_hex = target_of(rules, state.markers[number])
    data = {"hex": action.to or action.target, "unit": rules.ids[unit]}
    if (not action.to and not action.target) or (action.to and rules.grid.index[action.to] != emptied_hex):
        return Refusal("7.1.5", "no_redirection", data)
    _, there, way, _ = redirected(rules, state, number, action)
    target = rules.grid.neighbours[there][way]
    if action.target:
        if rules.grid.index[action.target] != target or turn(way, direction) > 1:
            return Refusal("7.1.5", "no_redirection", data)
        side = rules.side[unit]
        if not state.occ[1 - side] >> target & 1 or (side == GARIBALDINI and rules.ground.capua >> target & 1):
            return Refusal("7.1.5", "nobody_there", {"hex": action.target})
    if is_taken(rules, state, kind, there, target, but=number):
        return Refusal("7.1.2", "marker_there", {"hex": rules.grid.ids[there]})
    return None
