"""Chapter 9, combat results: retreats ordered, advance after combat, losses spread by their owner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine import panel
from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NOBODY, NUMBER, Argument, Chapter, open_to_all
from fronte.games.inferno import cites, fortresses, infiltration
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.combat import subsets
from fronte.games.inferno.effectiveness import endurance, reduce
from fronte.games.inferno.frames import (
    HERE,
    IN_COMBAT,
    IN_RETREAT,
    LENGTH,
    LONGEST_PATH,
    MOST_UNITS,
    UNITS,
    defending_side,
    owner,
    phasing,
    phasing_side,
    units_side,
)
from fronte.games.inferno.procedure import about_battle, retreating_origins
from fronte.games.inferno.retreats import note_price, order_retreat
from fronte.games.inferno.stacking import is_legal_stack
from fronte.games.inferno.state import FIRED, MOV, State
from fronte.games.inferno.suspicion import may_hide_others

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CHAPTER = Chapter()

replace = msgspec.structs.replace

# 9.2, who retreats


@CHAPTER.step(cites.RETREAT, on="attack_losses", secrets=phasing_side, **IN_COMBAT)
def attack_retreat(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.2, 12.5.1.b, 7.7.a: attackers go back, hex by hex; those in a trench of their own stay."""
    battle = state.battle
    assert battle is not None
    beaten: list[int] = []
    origins = retreating_origins(rules, battle)
    for origin in reversed(origins):
        units = tuple(unit for unit in battle.attackers if state.at[unit] == origin)
        beaten += units
        state.frames.append(Frame("attackers_back", AUTO, (units, battle.attack_retreat)))
    state.battle = replace(battle, retreated=tuple(sorted(beaten)))
    if origins:
        note_price(rules, state, state.active, fortresses.retreat_penalty(rules, battle.attackers), out)


def _not_attackers(rules: Inferno, state: State, frame: Frame) -> str:
    """7.7.a: units of one attacking hex, and the retreat of the result."""
    battle = state.battle
    assert battle is not None
    units, hexes = frame.args
    if any(unit not in battle.attackers for unit in units):
        return "a unit has not attacked"
    if hexes != battle.attack_retreat:
        return f"{hexes} is not the retreat of the attackers"
    alive = [unit for unit in units if state.at[unit] >= 0]
    return "" if len({state.at[unit] for unit in alive}) < 2 else "the units are not in one hex"


@CHAPTER.step(
    cites.WITHHELD_JOIN,
    on="attack_losses attackers_back settle_in",
    secrets=units_side,
    takes=(HERE, LENGTH),
    fault=_not_attackers,
    once=False,
    **IN_RETREAT,
)
def attackers_back(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """7.7.a: one attacking hex retreats; those withheld in it may join, but not attackers that fell back into it."""
    battle = state.battle
    assert battle is not None
    units, hexes = frame.args
    alive = fortresses.stay_behind(rules, state, [unit for unit in units if state.at[unit] >= 0], out)
    if not alive:
        return
    here = [unit for unit in state.stacks[state.at[alive[0]]] if rules.combat[unit]]
    others = [unit for unit in here if unit not in battle.retreated and not rules.immobile[unit]]
    ask = may_hide_others(rules, state, state.active, state.at[alive[0]])
    if not order_retreat(rules, state, alive, hexes, others, ask=ask):
        _stuck(rules, state, alive, out)


def _not_the_retreat(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2: the hexes are those of the result."""
    assert state.battle is not None
    return "" if frame.args[0] == state.battle.defence_retreat else "it is not the retreat of the defenders"


@CHAPTER.step(
    cites.RETREAT,
    cites.WITHHELD_RETREAT,
    cites.GUNS_LOST,
    on="advance_if_empty",
    secrets=defending_side,
    takes=(Argument("hexes", NUMBER, 0, LONGEST_PATH),),
    fault=_not_the_retreat,
    **IN_COMBAT,
)
def defence_retreat(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.2, 7.7.b, 12.3.e/12.3.d: the defenders go back with those withheld; artillery in the hex is lost."""
    battle = state.battle
    assert battle is not None
    (hexes,) = frame.args
    side = 1 - state.active
    if not hexes:
        return
    here = [unit for unit in state.stacks[battle.target] if rules.combat[unit] and rules.side[unit] == side]
    units = fortresses.stay_behind(rules, state, here, out)
    note_price(rules, state, side, fortresses.retreat_penalty(rules, battle.defenders), out)
    if units and not order_retreat(rules, state, units, hexes):
        _stuck(rules, state, units, out)
        if rules.guns_stay_with_stuck:
            return
    lose_guns(rules, state, battle.target, side, (cites.GUNS_LOST,), out)


def _stuck(rules: Inferno, state: State, units: Sequence[int], out: list[Event]) -> None:
    """9.2.4/9.2.1.d: a stack that cannot retreat stays."""
    side = rules.side[units[0]]
    data = {"units": list(rules.unit_ids(units)), "hex": rules.hex_id(state.at[units[0]])}
    seen = data | {"units": list(rules.unit_ids([unit for unit in units if rules.shows(state, unit)]))}
    out.append(Event("cannot_retreat", (cites.RETREAT_BARRED,), data, 1 << side, seen))
    note_price(rules, state, side, rules.unable_penalty, out)


def lose_guns(rules: Inferno, state: State, h: int, side: int, because: tuple[str, ...], out: list[Event]) -> None:
    """12.3.e/12.3.d, 12.3.j/12.3.g: artillery that would have to retreat is eliminated."""
    for unit in state.stacks[h]:
        if rules.gun[unit] and rules.side[unit] == side:
            rules.eliminate(state, unit, because, out)


# 9.3, advance after combat


class Advance(Action, frozen=True):
    """9.3: these attackers go into the hex that was won."""

    form = "advance[ {units}]"
    units: tuple[str, ...] = ()


@CHAPTER.step(cites.ADVANCE, on="attack_losses close finish", secrets=open_to_all, **IN_COMBAT)
def advance_if_empty(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.3: offer the advance when the hex first becomes empty, once per combat."""
    battle = state.battle
    assert battle is not None
    if battle.advance_offered or state.stacks[battle.target]:
        return
    state.battle = replace(battle, advance_offered=True)
    if may_advance(rules, state, battle):
        state.frames.append(Frame("advance", state.active))


def may_advance(rules: Inferno, state: State, battle: Battle) -> list[int]:
    """9.3, 9.3.a/9.3: attackers that took part, stand where they attacked from and did not have to retreat."""
    return [
        unit
        for unit, origin in zip(battle.attackers, battle.origins, strict=True)
        if state.at[unit] == origin and unit not in battle.retreated and not rules.immobile[unit]
    ]


def why_not_advance(rules: Inferno, state: State, units: Sequence[int], target: int) -> Refusal | None:
    """9.3, 9.3.b: the stacking limit, and the narrower one of an enemy trench."""
    if not is_legal_stack(rules, state, target, units):
        return Refusal(cites.ADVANCE, "too_many_advance", {"hex": rules.hex_id(target)})
    if units and rules.board.trench[1 - rules.side[units[0]]] >> target & 1:
        small = sum(1 for unit in units if rules.battalion[unit])
        if rules.option["trench_advance"] == "one_unit":
            if len(units) > 1:
                return Refusal(cites.ONE_INTO_TRENCH, "one_into_trench")
        elif small > 1 or len(units) - small > 1:
            return Refusal(cites.FEW_INTO_TRENCH, "few_into_trench")
    return None


def _no_advance(rules: Inferno, state: State, frame: Frame) -> str:
    """9.3: the hex is empty, and somebody can go there."""
    battle = state.battle
    assert battle is not None
    if state.stacks[battle.target] or not battle.advance_offered:
        return "the hex is not free to advance into"
    return "" if may_advance(rules, state, battle) else "nobody can advance"


@CHAPTER.choice(on="attack_losses close finish", seats=phasing, fault=_no_advance, **IN_COMBAT)
class AdvanceChoice(Choice["Inferno", State]):
    """9.3: the attacker says who advances, if anybody."""

    name = "advance"
    panel = panel.SUBSET
    rules = (cites.ADVANCE, cites.ONE_INTO_TRENCH, cites.FEW_INTO_TRENCH)
    verbs = (Advance,)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        assert state.battle is not None
        target = state.battle.target
        for group in subsets(may_advance(rules, state, state.battle)):
            if why_not_advance(rules, state, group, target) is None:
                yield Advance(rules.unit_ids(group))

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Advance) and state.battle is not None
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        able = may_advance(rules, state, state.battle)
        for unit in units:
            if unit not in able:
                return Refusal(cites.MAY_ADVANCE, "may_not_advance", {"unit": rules.ids[unit]})
        return why_not_advance(rules, state, units, state.battle.target)

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Advance) and state.battle is not None
        state.frames.pop()
        units = [rules.number[name] for name in action.units]
        if not units:
            return
        target = state.battle.target
        out.append(Event("advanced", (cites.ADVANCE,), {"units": list(action.units), "hex": rules.hex_id(target)}))
        rules.enter(state, units, target, out)

    def sample(self, rules: Inferno, state: State, frame: Frame, rng: Random) -> Action:
        assert state.battle is not None
        group: list[int] = []
        for unit in may_advance(rules, state, state.battle):
            if rng.random() < 0.7 and why_not_advance(rules, state, [*group, unit], state.battle.target) is None:
                group.append(unit)
        return Advance(rules.unit_ids(group))

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        assert state.battle is not None
        able = may_advance(rules, state, state.battle)
        return about_battle(rules, state) | {"may_advance": list(rules.unit_ids(able))}

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        return panel.subset(super().offer(rules, state, frame), "advance", "units")


# 9.4, losses


class Losses(Action, frozen=True):
    """9.4.2: how many reductions each unit takes."""

    form = "losses {hits:=}"
    hits: tuple[tuple[str, int], ...]


def reductions(rules: Inferno, battle: Battle, attacks: bool) -> int:
    """9.4, 9.4.1.d: what the result costs a side, with what its retreats added."""
    attack, defence = battle.attack_drm + battle.attack_penalty, battle.defence_drm + battle.defence_penalty
    return rules.tables.reductions(battle.steps, battle.lrt_die + (attack if attacks else defence))


def _losing_side(rules: Inferno, state: State, frame: Frame) -> int:
    """9.4: a loss of nothing reads no secret."""
    battle = state.battle
    assert battle is not None
    attacks = frame.name == "attack_losses"
    if not reductions(rules, battle, attacks):
        return NOBODY
    return state.active if attacks else 1 - state.active


@CHAPTER.step(cites.LOSSES_TAKEN, on="defence_losses", secrets=_losing_side, **IN_COMBAT)
def attack_losses(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """8.5: what the attacker loses."""
    battle = state.battle
    assert battle is not None
    drm = battle.attack_drm + battle.attack_penalty
    number = reductions(rules, battle, True)
    out.append(Event("losses", (cites.LOSSES,), {"side": rules.seats[state.active], "reductions": number, "drm": drm}))
    units = tuple(unit for unit in battle.attackers if state.at[unit] >= 0)
    ask_losses(rules, state, state.active, units, number, True, out)


@CHAPTER.step(cites.LOSSES_TAKEN, on="close stand", secrets=_losing_side, **IN_COMBAT)
def defence_losses(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """8.5: what the defender loses."""
    battle = state.battle
    assert battle is not None
    drm = battle.defence_drm + battle.defence_penalty
    number = reductions(rules, battle, False)
    out.append(
        Event("losses", (cites.LOSSES,), {"side": rules.seats[1 - state.active], "reductions": number, "drm": drm})
    )
    units = tuple(unit for unit in battle.defenders if state.at[unit] >= 0)
    ask_losses(rules, state, 1 - state.active, units, number, False, out)


def ask_losses(
    rules: Inferno, state: State, side: int, units: tuple[int, ...], number: int, attacking: bool, out: list[Event]
) -> None:
    """9.4.2: let the owner spread reductions over his units, unless there is only one way."""
    if not number:
        return
    first = infiltration.suffers_first(rules, units, attacking)
    ways = spreads(rules, state, units, number, first)
    if len(ways) == 1:
        take_losses(rules, state, units, ways[0], number, out)
    elif ways:
        state.frames.append(Frame("losses", side, (units, number, first)))


def spreads(
    rules: Inferno, state: State, units: tuple[int, ...], number: int, first: tuple[int, ...]
) -> list[tuple[int, ...]]:
    """9.4.2.a, 12.4.f: every fair way to spread reductions: one number per unit."""
    deaths = [endurance(rules, state, unit) for unit in units]
    number = min(number, sum(deaths))
    found: list[tuple[int, ...]] = []
    for most in range(max(deaths, default=0), -1, -1):
        # Where the hardest hit takes so many, fairness leaves each unit two numbers at most.
        ranges = [(min(most, death), max(0, min(most, death) - 1)) for death in deaths]
        _spread(ranges, [], number, most, found)
    fair = [
        hits
        for hits in found
        if why_unfair(deaths, hits) is None and infiltration.has_suffered_first(units, hits, first)
    ]
    return sorted(fair, reverse=True)


def _spread(
    ranges: list[tuple[int, int]], chosen: list[int], left: int, most: int, found: list[tuple[int, ...]]
) -> None:
    """Every choice of one number from each range that adds up, the largest being `most`."""
    rest = ranges[len(chosen) :]
    if not sum(low for _, low in rest) <= left <= sum(high for high, _ in rest) or len(found) >= MOST_SPREADS:
        return
    if not rest:
        if max(chosen, default=0) == most:
            found.append(tuple(chosen))
        return
    for hits in dict.fromkeys(rest[0]):
        _spread(ranges, [*chosen, hits], left - hits, most, found)


MOST_SPREADS = 5000
"""More ways to spread losses than any combat has: so many units never fight together (7.2)."""


def why_unfair(deaths: Sequence[int], hits: Sequence[int]) -> int | None:
    """9.4.2.a: which unit of the list got too few reductions; None if the spread is fair.

    A unit may take one more than another; two more only if the other would have died of its next one.
    """
    most = max(hits, default=0)
    for k, taken in enumerate(hits):
        if most > taken + 1 and taken + 1 < deaths[k]:
            return k
    return None


def take_losses(
    rules: Inferno, state: State, units: Sequence[int], hits: Sequence[int], number: int, out: list[Event]
) -> None:
    """9.4.2.c/9.4.2.b, Isonzo 12.2.a: apply reductions; what is left over falls on an engineer that is now alone."""
    where = {state.at[unit] for unit in units}
    for unit, times in zip(units, hits, strict=True):
        if times:
            reduce(rules, state, unit, times, (cites.SPREAD,), out)
    beaten = bool(units) and rules.side[units[0]] != state.active
    rest = number - sum(hits) if beaten else 0  # 7.7.a: an engineer behind the attackers is never drawn in
    for h in sorted(where):
        stack = [unit for unit in state.stacks[h] if rules.combat[unit]]
        if rest and stack and all(rules.engineer[unit] and unit not in units for unit in stack):
            reduce(rules, state, stack[0], rest, (cites.ENGINEERS,), out)
            rest = 0


def _no_such_losses(rules: Inferno, state: State, frame: Frame) -> str:
    """9.4.2: those of one side who fight, the reductions of the result, and more than one way to spread them."""
    battle = state.battle
    assert battle is not None
    units, number, first = frame.args
    attacks = frame.seat == state.active
    fighting = battle.attackers if attacks else battle.defenders
    if any(unit not in fighting or state.at[unit] < 0 for unit in units) or len(set(units)) < len(units):
        return "a unit does not fight, or is named twice"
    due = reductions(rules, battle, attacks)
    if number not in ((due, 1) if battle.refusing and not attacks else (due,)):
        return f"{number} reductions, where the result gives {due}"
    if first != infiltration.suffers_first(rules, units, attacks):
        return "those who bear the first losses are others (12.4.f)"
    return "" if len(spreads(rules, state, units, number, first)) > 1 else "there is no choice of losses"


@CHAPTER.choice(
    on="defence_losses close stand defence_retreat",
    seats=owner,
    takes=(HERE, Argument("number", NUMBER, 1, 99), Argument("first", UNITS, 0, MOST_UNITS)),
    fault=_no_such_losses,
    **IN_COMBAT,
)
class LossesChoice(Choice["Inferno", State]):
    """9.4.2: the owner spreads reductions equally over the units that took part."""

    name = "losses"
    panel = panel.ALLOCATE
    rules = (cites.SPREAD, cites.SPREAD_EQUALLY, cites.INFILTRATORS_FIRST)
    verbs = (Losses,)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        units, number, first = frame.args
        for way in spreads(rules, state, units, number, first):
            yield Losses(tuple((rules.ids[unit], hits) for unit, hits in zip(units, way, strict=True) if hits))

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Losses)
        units, number, first = frame.args
        named = rules.units(tuple(name for name, _ in action.hits))
        if isinstance(named, Refusal):
            return named
        for unit in named:
            if unit not in units:
                return Refusal(cites.WHO_SUFFERS, "takes_no_losses", {"unit": rules.ids[unit]})
        given = dict(zip(named, (hits for _, hits in action.hits), strict=True))
        hits = [given.get(unit, 0) for unit in units]
        deaths = [endurance(rules, state, unit) for unit in units]
        if any(not 0 <= taken <= death for taken, death in zip(hits, deaths, strict=True)):
            return Refusal(cites.ENDURANCE, "more_than_it_bears")
        due = min(number, sum(deaths))
        if sum(hits) != due:
            return Refusal(cites.SPREAD, "reductions_due", {"due": due, "given": sum(hits)})
        if due and not infiltration.has_suffered_first(units, hits, first):
            return Refusal(cites.INFILTRATORS_FIRST, "infiltrators_first")
        spared = why_unfair(deaths, hits)
        if spared is not None:
            return Refusal(cites.SPREAD_EQUALLY, "spared", {"unit": rules.ids[units[spared]]})
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Losses)
        state.frames.pop()
        units, number, _ = frame.args
        given = {rules.number[name]: hits for name, hits in action.hits}
        take_losses(rules, state, units, [given.get(unit, 0) for unit in units], number, out)

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        units, number, first = frame.args
        return {"units": list(rules.unit_ids(units)), "reductions": number, "first": list(rules.unit_ids(first))}

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        """What each unit can bear at the most, and how much is due."""
        units, number, _ = frame.args
        deaths = [endurance(rules, state, unit) for unit in units]
        return super().offer(rules, state, frame) | {
            "verb": "losses",
            "field": "hits",
            "total": min(number, sum(deaths)),
            "shares": {rules.ids[unit]: [0, most] for unit, most in zip(units, deaths, strict=True)},
        }


# The end of a combat


def _left_side(rules: Inferno, state: State, frame: Frame) -> int:
    """7.7.c: the end of a combat whose defenders stand or went back reads no secret."""
    battle = state.battle
    assert battle is not None
    stands = any(state.at[unit] == battle.target for unit in battle.defenders)
    gone = bool(battle.defence_retreat) or not state.occ[1 - state.active] >> battle.target & 1
    return NOBODY if stands or gone else 1 - state.active


@CHAPTER.step(cites.WITHHELD_ALONE, cites.GUNS_ALONE, cites.ADVANCE, on="combat", secrets=_left_side, **IN_COMBAT)
def close(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """7.7.c, 12.3.j/12.3.g, 9.3: if no defender is left, those withheld go back and guns are lost; then all is done."""
    battle = state.battle
    assert battle is not None
    side = 1 - state.active
    state.frames += (Frame("finish", AUTO), Frame("advance_if_empty", AUTO))
    here = [unit for unit in state.stacks[battle.target] if rules.side[unit] == side]
    defended = any(unit in battle.defenders for unit in here)
    if not here or defended or battle.defence_retreat:
        return
    lose_guns(rules, state, battle.target, side, (cites.GUNS_ALONE,), out)
    left = fortresses.stay_behind(
        rules, state, [unit for unit in state.stacks[battle.target] if rules.combat[unit]], out
    )
    if left and not order_retreat(rules, state, left, 1):
        _stuck(rules, state, left, out)


@CHAPTER.step(cites.TO_MOV, on="combat", secrets=open_to_all, **IN_COMBAT)
def finish(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.g/12.3.f, 5.4.b/5.4: guns that fired, if dice fell, turn to Mov; who fought is hidden again."""
    battle = state.battle
    assert battle is not None
    for gun in (*battle.guns, *battle.support):
        if state.at[gun] < 0 or not battle.fought:
            continue
        if not rules.firing_flips:
            state.flags[gun] |= FIRED if rules.fires_once else 0
        else:
            state.flags[gun] |= MOV
            data = {"unit": rules.ids[gun], "hex": rules.hex_id(state.at[gun]), "mov": True}
            out.append(Event("flipped", (cites.TO_MOV,), data))
    state.battle = None
