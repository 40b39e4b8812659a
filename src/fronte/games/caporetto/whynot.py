"""Why a unit cannot go to a hex, attack it or do anything now: asked of what a seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fronte.engine.card import Line
from fronte.engine.decision import Frame, Refusal
from fronte.engine.whynot import MOST_TOLD, Idle, Obstacle, Part, WhyNot
from fronte.games.caporetto import actions, artillery, assault, command, marching, movement, observation, ways
from fronte.games.caporetto.acting import ActChoice, declared
from fronte.games.caporetto.acting import Assault as Declared
from fronte.games.caporetto.counters import QUARTERS
from fronte.games.caporetto.moving import Moving
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.seating import seat_of
from fronte.games.caporetto.state import State
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.common.made import Made
from fronte.games.common.relaxed import Found, March, Step, arrives, barred, commonest, explained, way
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.movement import Going, Manner

AROUND = 10
"""So many hexes beside the straight way are looked at."""
QUIET = (
    "has_moved", "only_guns_move", "guns_moved_before", "was_activated", "does_not_act", "in_battery",
    "activated_already", "goes_with_bearer", "has_declared", "at_work", "formation_of_another", "not_yours",
    "suppressed_already",
)  # fmt: skip
"""Reasons that go without saying."""


def why_not_there(rules: Caporetto, state: State, seat: int, units: Sequence[int], goal: int) -> WhyNot:
    """10, 10.2: what stands between units of this seat that go together and a hex, now or when their formation acts."""
    name, where = rules.ids[units[0]], rules.hex_id(goal)
    own, attack = _own(rules, state, seat, units), _attack(rules, state, seat, units[0], goal)
    choice = _moving(rules, state, seat)
    if not own.obstacles and choice is not None:
        path = ways.leg(rules, state, units, (), state.at[units[0]], goal)
        if choice.judged(rules, state, state.frames[-1], units, path, "") is None:
            return WhyNot(name, where, rules.hex_ids(path), len(path), attack=attack)
    strategic = marching.may_be_strategic(rules, state, units)
    found = min(
        (_way(rules, _march(rules, state, units, goal, so), goal) for so in ((False, True) if strategic else (False,))),
        key=lambda one: len(one.part.obstacles),
    )
    full = None
    if not own.obstacles and choice is not None:
        full = choice.why_no_end(rules, state, state.frames[-1], units, goal, 0)
    obstacles = (*found.part.obstacles, *([Obstacle(full, (where,))] if full else []))
    helps = (*_efforts(rules, state, units, goal, bool(found.part.obstacles)), *found.part.helps)
    if full is not None:
        helps = (*helps, Line(full.key, full.data, full.rule))
    way_part = Part(obstacles, helps[:MOST_TOLD], found.part.single and full is None)
    gone = 0 if own.obstacles else found.gone
    return WhyNot(name, where, rules.hex_ids([step.to for step in found.path]), gone, own, way_part, attack)


def _moving(rules: Caporetto, state: State, seat: int) -> Moving | None:
    """The decision about moves that this seat owes now, if it does."""
    frame = state.frames[-1] if state.frames else None
    choice = rules.choices.get(frame.name) if frame is not None and frame.seat == seat else None
    return choice if isinstance(choice, Moving) else None


def _own(rules: Caporetto, state: State, seat: int, units: Sequence[int]) -> Part:
    """7.7, 10.0.6, 18.1: why the units themselves do not move now, and what would set them going."""
    for unit in units:
        why = _why_not_now(rules, state, seat, unit)
        if why is not None:
            return barred(
                why, more=_call(rules, state, unit) if why.key in ("does_not_act", "does_not_move_now") else ()
            )
    return Part()


def _why_not_now(rules: Caporetto, state: State, seat: int, unit: int) -> Refusal | None:
    choice, data = _moving(rules, state, seat), {"unit": rules.ids[unit]}
    if choice is not None:
        return choice.why_idle(rules, state, state.frames[-1], unit)
    if rules.guns & state.emplaced & 1 << unit:
        return Refusal("18.1", "in_battery", data)
    formation = command.acts_with(rules, state, unit)
    if state.phase == "action" and formation >= 0 and rules.formations[formation].force == state.active:
        return _why_not_called(rules, state, formation) or Refusal("7.7", "does_not_act", data)
    return Refusal("10.0", "does_not_move_now", data)


def _why_not_called(rules: Caporetto, state: State, formation: int) -> Refusal | None:
    """7.3, 7.9, 13: why a formation cannot be activated; none for one that acts already."""
    if formation in state.formations:
        return None
    return actions.why_not_activated(rules, state, rules.formations[formation].id)


def _call(rules: Caporetto, state: State, unit: int) -> list[Line]:
    """7.7: would it move if its formation were activated? That is for who has planned it."""
    formation = command.acts_with(rules, state, unit)
    if formation < 0 or formation in state.formations or state.phase != "action":
        return []
    if rules.formations[formation].force != state.active or not command.is_planned(rules, state, formation):
        return []
    if actions.why_not_activated(rules, state, rules.formations[formation].id) is not None:
        return []
    return [Line("activate", {"formation": rules.formations[formation].id}, "7.7")]


# The way


def _march(
    rules: Caporetto, state: State, units: Sequence[int], goal: int, strategic: bool, forced: bool = False
) -> March:
    """The units with all steps around the way; who has not begun has his whole allowance."""
    manner = marching.manner_of(state, units, strategic=strategic)
    manner = manner._replace(forced=manner.forced or forced)
    whole = movement.allowance(rules, state, units, manner)
    begun = not marching.is_fresh(state, units)
    left = marching.left_of(rules, state, units, strategic) if begun else whole
    if begun and forced:
        left += whole - movement.allowance(rules, state, units, manner._replace(forced=False))
    going = movement.going(rules, state, units, manner)
    start = state.at[units[0]]
    near = rules.grid.within(start, rules.grid.distance(start, goal) + AROUND)
    steps = Made(lambda h: _steps(rules, state, units, h, going, manner) if near >> h & 1 else [])
    return March(start, left, movement.allowance(rules, state, units, manner), not begun, steps)


def _steps(rules: Caporetto, state: State, units: Sequence[int], here: int, going: Going, manner: Manner) -> list[Step]:
    """10.0, 10.0.5: the steps out of a hex, also those that something bars."""
    found, ids = [], rules.grid.ids
    closed, leaving = going.closed_from(here), 0
    if here == state.at[units[0]]:
        leaving = movement.leaving_price(rules, state, here, going)
    for there in rules.grid.adjacent[here]:
        bar: Refusal | None = None
        if going.closed >> there & 1:
            bar = marching.why_closed(rules, state, units, there)
        elif closed >> there & 1:
            bar = Refusal("24.3", "other_sector", {"unit": rules.ids[units[0]], "hex": ids[there]})
        paid = movement.toll(rules, state, units, here, there, going).paid
        if paid == CLOSED:
            data = {"hex": ids[there], "from": ids[here]}
            if not bar and rules.ground.water[rules.ground.way(here, there)]:
                bar = Refusal("10.0.2", "no_bridge_over", data)
            bar = bar or Refusal("10.0.2", "no_way", data)
        whole = paid == WHOLE_ALLOWANCE
        stops = movement.must_stop(rules, state, units, here, there, going)
        found.append(Step(there, paid + leaving if paid > 0 else QUARTERS, bar, whole, stops))
    return found


def _way(rules: Caporetto, march: March, goal: int) -> Found:
    ids = rules.grid.ids

    def dear(step: Step, left: int) -> Refusal:
        if step.whole:
            return Refusal("10.0.9", "cliff_is_whole_move", {"hex": ids[step.to]})
        return Refusal("10.0.3", "step_too_dear", {"hex": ids[step.to], "need": step.cost, "have": left})

    def stops(step: Step) -> Refusal:
        return Refusal("10.1.1", "stops_there", {"hex": ids[step.to]})

    return explained(march, goal, ids, dear, rules.hexside_name, stops)


def _efforts(rules: Caporetto, state: State, units: Sequence[int], goal: int, is_barred: bool) -> list[Line]:
    """10.4, 11.3: would a forced march do, or would each get there who went alone?"""
    found = []
    if is_barred and all(marching.why_not_forced(rules, state, unit) is None for unit in units):
        march = _march(rules, state, units, goal, strategic=False, forced=True)
        if arrives(march, way(march, goal, ())):
            found.append(Line("forced_march", {}, "10.4"))
    if len(units) > 1:
        alone = _march(rules, state, units[:1], goal, strategic=False)
        if arrives(alone, way(alone, goal, ())):
            found.append(Line("alone", {"unit": rules.ids[units[0]]}, "10.0.4"))
    return found


# Attacks


def _attack(rules: Caporetto, state: State, seat: int, unit: int, goal: int) -> Part | None:
    """10.2, 12.1: why a unit does not assault a hex with enemies or support that, nor a gun fire at it."""
    side, where = rules.side[unit], rules.hex_id(goal)
    if not (state.occ[1 - side] | state.guns[1 - side]) >> goal & 1:
        return None
    if rules.guns >> unit & 1:
        observed = observation.for_gun(rules, state, unit, observation.in_defence(rules, state, side))
        shot = artillery.all_of(rules, state, unit)
        return barred(artillery.why_no_shot(rules, state, shot, goal, observed), where)
    why = assault.why_never(rules, unit)
    if why is not None:
        return barred(why, where)
    frame, choice = (state.frames[-1] if state.frames else None), _moving(rules, state, seat)
    if frame is None or not isinstance(choice, ActChoice):
        own = _why_not_now(rules, state, seat, unit)
        return barred(
            own or Refusal("10.2.1", "does_not_act", {"unit": rules.ids[unit]}), more=_call(rules, state, unit)
        )
    if not rules.grid.ring[goal] >> state.at[unit] & 1:
        why = choice.why_idle(rules, state, frame, unit)
        near = [] if why is not None else _whence(rules, state, choice, frame, unit, goal)
        return barred(
            why or Refusal("10.2.1", "not_next_to_enemy", {"unit": rules.ids[unit], "hex": where}), where, more=near
        )
    why = choice.why_no_attack(rules, state, frame, Declared(rules.ids[unit], where), (unit,), goal)
    if why is None or assault.why_not_support(rules, state, unit, goal) is None:
        return Part()
    return barred(why, where)


def _whence(rules: Caporetto, state: State, choice: Moving, frame: Frame, unit: int, goal: int) -> list[Line]:
    """10.2.1: the hexes in reach next to a target, if the unit can then pay for the assault."""
    found = []
    for one in choice.reached(rules, state, frame, (unit,)):
        for h, left in one.left.items():
            if rules.grid.ring[goal] >> h & 1:
                paid = step_price(rules, state, unit, h, goal, by_road=False)
                if paid != CLOSED and paid != WHOLE_ALLOWANCE and paid <= left:
                    found.append(h)
    return [Line("attack_from", {"hexes": list(rules.hex_ids(sorted(set(found))))}, "10.2.1")] if found else []


# Who can do nothing


def idle(rules: Caporetto, state: State, seat: int) -> dict[str, Idle]:
    """4.0: of the units of this seat on the map those that can do nothing: in a phase of movement or the step of an
    action, or with any formation that can be activated."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or frame.seat != seat:
        return {}
    choice = _moving(rules, state, seat)
    if choice is None and frame.name != "activate":
        return {}
    found: dict[str, Idle] = {}
    for unit in bits(state.present):
        if state.at[unit] < 0 or seat_of(rules, rules.force[unit]) != seat:
            continue
        if choice is not None:
            if rules.force[unit] != choice.force(rules, state, frame):
                continue
            why = choice.why_idle(rules, state, frame, unit) or _why_stuck(rules, state, choice, frame, unit)
            if why is not None and isinstance(choice, ActChoice) and _may_attack(rules, state, choice, frame, unit):
                why = None
        else:
            why = _why_no_call(rules, state, unit)
        if why is not None:
            found[rules.ids[unit]] = Idle(why, why.key in QUIET)
    return found


def _may_attack(rules: Caporetto, state: State, choice: ActChoice, frame: Frame, unit: int) -> bool:
    """10.2.1, 10.4: who moves no more may still assault or support, or march by force for that."""
    if not assault.acting(rules, state) & ~rules.flamethrowers & ~declared(state) & 1 << unit:
        return False
    if next(choice.attacks(rules, state, frame, unit), None) is not None:
        return True
    return choice.why_not_forced_here(rules, state, unit) is None


def _why_stuck(rules: Caporetto, state: State, choice: Moving, frame: Frame, unit: int) -> Refusal | None:
    """10: why a unit that may move finds no hex next to it, nor an enemy to assault, and cannot march by force."""
    if choice.can_step(rules, state, frame, unit) or marching.why_not_forced(rules, state, unit) is None:
        return None
    near = rules.grid.adjacent[state.at[unit]]
    bars = [choice.judged(rules, state, frame, (unit,), (h,), "") for h in near]
    return commonest([why for why in bars if why is not None])


def _why_no_call(rules: Caporetto, state: State, unit: int) -> Refusal | None:
    """7.3, 7.9: why a unit acts with no formation that could be activated now; independents may be attached."""
    formation = command.acts_with(rules, state, unit)
    if formation < 0 or rules.guns >> unit & 1 or rules.force[unit] != state.active:
        return None
    return actions.why_not_activated(rules, state, rules.formations[formation].id)
