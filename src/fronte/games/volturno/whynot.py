"""Why a unit cannot go to a hex, attack it or do anything now: asked of what a seat may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fronte.engine.card import Line
from fronte.engine.decision import Refusal
from fronte.engine.whynot import MOST_TOLD, Idle, Obstacle, Part, WhyNot
from fronte.games.common.made import Made
from fronte.games.common.relaxed import Found, March, Step, arrives, barred, commonest, explained, way
from fronte.games.volturno import acting, assault, declarations, fire, formations, movement
from fronte.games.volturno.counters import COMPASS, FORMATIONS, HALVES, LIGHT
from fronte.games.volturno.reaction_zones import zone_of
from fronte.games.volturno.state import State

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

QUIET = (
    "has_acted", "has_ridden", "not_its_formation", "leader_waits", "chief_rides_first", "chief_rides_last",
    "only_the_chief", "activated_already", "in_command", "was_called",
)  # fmt: skip
"""Reasons that go without saying."""


def why_not_there(rules: Volturno, state: State, seat: int, unit: int, goal: int) -> WhyNot:
    """8, 7.1: what stands between a unit of this seat and a hex, now or when its formation acts."""
    name, where = rules.ids[unit], rules.grid.ids[goal]
    own = _own(rules, state, seat, unit)
    attack = _attack(rules, state, seat, unit, goal)
    if not own.obstacles:
        known = movement.reach(rules, state, unit, goal) if goal in movement.spread(rules, state, unit)[0] else {}
        ends = acting.why_no_end(rules, state, unit, goal)
        if goal in known and ends is None:
            path = rules.hex_ids(known[goal][1])
            waits = _why_it_waits(rules, state, seat, unit, path)
            if waits is not None:
                return WhyNot(name, where, path, 0, barred(waits), attack=attack)
            return WhyNot(name, where, path, len(path), attack=attack)
    found = _way(rules, state, unit, goal)
    ends = acting.why_no_end(rules, state, unit, goal) if not own.obstacles else None
    obstacles = (*found.part.obstacles, *([Obstacle(ends, (where,))] if ends else []))
    formed = _formed(rules, state, unit, goal) if found.part.obstacles else []
    helps = (*formed, *found.part.helps)[:MOST_TOLD]
    way_part = Part(obstacles, helps, found.part.single and ends is None)
    gone = 0 if own.obstacles else found.gone
    return WhyNot(name, where, rules.hex_ids([step.to for step in found.path]), gone, own, way_part, attack)


def _why_it_waits(rules: Volturno, state: State, seat: int, unit: int, path: tuple[str, ...]) -> Refusal | None:
    """7.1.4: why it does not go a way that is open: it alone can carry out a declared attack."""
    frame = state.frames[-1] if state.frames else None
    choice = rules.choices.get(frame.name) if frame is not None else None
    if frame is None or frame.seat != seat or not isinstance(choice, acting.Acting):
        return None
    return choice.why_not(rules, state, frame, acting.Move(rules.ids[unit], path))


def _own(rules: Volturno, state: State, seat: int, unit: int) -> Part:
    """6.1, 5.1.1, 8.4: why the unit itself does not march now, and what would set it going."""
    why = _why_not_now(rules, state, seat, unit)
    if why is None:
        return Part()
    formation = rules.counters[unit].formation
    more = []
    if why.key in ("not_its_formation", "not_active") and formation >= 0:
        if formations.why_no_attempt(rules, state, formation) is None:
            more.append(Line("activate", {"formation": FORMATIONS[formation]}, "6.1"))
    return barred(why, more=more)


def _why_not_now(rules: Volturno, state: State, seat: int, unit: int) -> Refusal | None:
    frame = state.frames[-1] if state.frames else None
    choice = rules.choices.get(frame.name) if frame is not None else None
    if frame is not None and frame.seat == seat and isinstance(choice, acting.Acting):
        return choice.why_idle(rules, state, frame, unit) or acting.why_no_march(rules, state, unit)
    data, formation = {"unit": rules.ids[unit]}, rules.counters[unit].formation
    if state.ooc >> unit & 1:
        return Refusal("4.B2.p6", "out_of_command", data)
    if formation >= 0 and formation != state.formation:
        why = formations.why_no_attempt(rules, state, formation)
        return why or Refusal("6.1", "not_active", data | {"formation": FORMATIONS[formation]})
    return Refusal("7.2", "acts_later", data)


def _march(rules: Volturno, state: State, unit: int) -> March:
    """The unit with all steps of the field, as it is formed now: it may be asked only while it is so."""
    left, extent = movement.left_of(rules, state, unit), rules.ground.extent
    steps = Made(lambda h: _steps(rules, state, unit, h) if extent >> h & 1 else [])
    return March(state.at[unit], left, rules.points[unit], movement.is_fresh(state, unit), steps, least=left > 0)


def _steps(rules: Volturno, state: State, unit: int, here: int) -> list[Step]:
    """8: the steps out of a hex, also those that something bars."""
    found, side = [], rules.side[unit]
    kind = movement.marker_for(state, unit)
    zones = zone_of(rules, state, 1 - side) if unit not in rules.leader_set else 0
    for there in rules.grid.adjacent[here]:
        bar = movement.why_no_entry(rules, state, unit, there)
        bar = bar or movement.why_no_zone(rules, state, unit, there, kind)
        cost = movement.step_cost(rules, state, unit, here, there)
        if not cost:
            bar = bar or movement.why_closed(rules, state, unit, here, there)
        found.append(Step(there, cost or HALVES, bar, stops=bool(zones >> there & 1)))
    return found


def _way(rules: Volturno, state: State, unit: int, goal: int) -> Found:
    """What is in the way of a unit; guns limbered, as they move."""
    if unit in rules.gun_set and not movement.is_column(state, unit):
        return movement.in_other_form(state, unit, lambda: _way(rules, state, unit, goal))
    march, ids = _march(rules, state, unit), rules.grid.ids

    def dear(step: Step, left: int) -> Refusal:
        return Refusal("8.p3", "too_dear", {"hex": ids[step.to], "need": step.cost, "have": left})

    def stops(step: Step) -> Refusal:
        return Refusal("3.1.2.p1", "stops_there", {"hex": ids[step.to]})

    return explained(march, goal, ids, dear, rules.hexside_name, stops)


def _formed(rules: Volturno, state: State, unit: int, goal: int) -> list[Line]:
    """8.3.p1, 8.4: would it get there if it formed column, or line, when its action begins?"""
    if unit in rules.gun_set or unit in rules.leader_set or state.mover == unit:
        return []

    def is_enough() -> bool:
        march = _march(rules, state, unit)
        return arrives(march, way(march, goal, ()))

    if not movement.in_other_form(state, unit, is_enough):
        return []
    into = "line" if movement.is_column(state, unit) else "column"
    return [Line(f"form_{into}", {"unit": rules.ids[unit]}, "8.3.p1")]


# Attacks


def _attack(rules: Volturno, state: State, seat: int, unit: int, goal: int) -> Part | None:
    """7.1, 9, 11: why a unit does not fire at a hex with enemies, nor assault it."""
    if not state.occ[1 - seat] >> goal & 1:
        return None
    name, where = rules.ids[unit], rules.grid.ids[goal]
    counter = rules.counters[unit]
    if unit in rules.leader_set:
        return barred(Refusal("11", "cannot_assault", {"unit": name}), where)
    own = _why_not_now(rules, state, seat, unit)
    now = own is None or own.key in ("not_limbered", "holds")
    if counter.is_artillery or (counter.kind == LIGHT and rules.grid.ring[goal] >> state.at[unit] & 1):
        why = _why_no_fire(rules, state, unit, goal)
        if why is None and now:
            return Part()
        if counter.is_artillery:
            return barred(why or own, where)
    frame = state.frames[-1] if state.frames else None
    if frame is not None and frame.seat == seat and frame.name == "declare":
        return _why_no_marker(rules, state, unit, goal)
    if now:
        return barred(assault.why_no_assault(rules, state, unit, assault.Assault(name, where)), where)
    near = [at for at in rules.grid.adjacent[goal] if assault.can_attack_formed(rules, state, unit, at, goal)]
    if not near:
        return barred(Refusal("11.1", "cannot_reach", {"unit": name, "hex": where}), where)
    return msgspec.structs.replace(barred(own), helps=(_from(rules, near),))


def _why_no_fire(rules: Volturno, state: State, unit: int, goal: int) -> Refusal | None:
    """9: whichever way it would have to turn for it."""
    why = fire.why_no_shot(rules, state, unit, goal)
    if why is not None:
        return why
    facing = COMPASS[fire.towards(rules, state, unit, goal)]
    return fire.why_no_fire(rules, state, unit, fire.Fire(rules.ids[unit], rules.grid.ids[goal], facing=facing))


def _why_no_marker(rules: Volturno, state: State, unit: int, goal: int) -> Part:
    """7.1: can a marker be laid for it, and where?"""
    reasons = {
        at: declarations.why_no_declaration(
            rules, state, declarations.Declare(rules.ids[unit], rules.grid.ids[at], rules.grid.ids[goal])
        )
        for at in rules.grid.adjacent[goal]
    }
    near = [at for at, why in reasons.items() if why is None]
    if near:
        return Part((), (_from(rules, near),))
    return barred(commonest([why for why in reasons.values() if why is not None]), rules.grid.ids[goal])


def _from(rules: Volturno, near: list[int]) -> Line:
    return Line("attack_from", {"hexes": list(rules.hex_ids(sorted(near)))}, "7.1")


# Who can do nothing


def idle(rules: Volturno, state: State, seat: int) -> dict[str, Idle]:
    """4.B2, 5.1.1: of the units of this seat on the map those that can do nothing: now, or with any formation that can
    be activated."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or frame.seat != seat:
        return {}
    choice = rules.choices.get(frame.name)
    own = [*rules.units_of_side[seat], *rules.leaders_of_side[seat]]
    found: dict[str, Idle] = {}
    for unit in own:
        if state.at[unit] < 0:
            continue
        if isinstance(choice, acting.Acting):
            why = choice.why_idle(rules, state, frame, unit) or _why_stuck(rules, state, choice, unit)
        elif frame.name == "activate":
            why = _why_no_call(rules, state, unit)
        else:
            return {}
        if why is not None:
            found[rules.ids[unit]] = Idle(why, why.key in QUIET)
    return found


def _why_stuck(rules: Volturno, state: State, choice: acting.Acting, unit: int) -> Refusal | None:
    """8: why a unit whose turn it is finds nothing to do."""
    if next(iter(choice.besides(rules, state, unit)), None) is not None:
        return None
    why = acting.why_no_march(rules, state, unit)
    if why is not None:
        return why
    left, fresh = movement.left_of(rules, state, unit), movement.is_fresh(state, unit)
    if any((fresh and left > 0) or price <= left for _, price in movement.first_steps(rules, state, unit)):
        return None
    bars = [step.bar for step in _steps(rules, state, unit, state.at[unit]) if step.bar is not None]
    return commonest(bars) or Refusal("7.2", "has_acted", {"unit": rules.ids[unit]})


def _why_no_call(rules: Volturno, state: State, unit: int) -> Refusal | None:
    """5.1, 6.1: why a unit will not act with any formation that could be activated now."""
    formation = rules.counters[unit].formation
    if formation < 0:
        return None
    if state.ooc >> unit & 1:
        return Refusal("4.B2.p6", "out_of_command", {"unit": rules.ids[unit]})
    return formations.why_no_attempt(rules, state, formation)
