"""12.1, 12.2, 10.1.2: fire. What falls on a hex and what it does there, for bombardment, barrages and all fire of
machine guns: one chart, one die.

Who may fire and where is asked of `artillery`, `observation` and of the questions here; what they make together is a
`Volley`, which holds everything that made it. Its odds are counted, its result is read, and `strike` applies it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.caporetto import (
    artillery,
    assault,
    barrages,
    engineers,
    losses,
    morale,
    observation,
    sectors,
    trenches,
)
from fronte.games.caporetto.artillery import OBSERVED, PARTS, Shot, times
from fronte.games.caporetto.state import units_of
from fronte.games.caporetto.tables import DIE, NOTHING, Outcome
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

BOMBARDMENT, BARRAGE, ASTRAY, BLOW, DEFENCE, INFILTRATION = range(6)
KINDS = ("bombardment", "barrage", "astray", "blow", "defence", "infiltration")
RULES = ("12.1.4", "12.1.6", "12.1.5.6", "24.13", "12.2.9", "10.1.2")
"""By kind of fire the rule by which it is resolved; the last two are fire of machine guns, the others bombardment."""


class Fact(NamedTuple):
    """Something that made a volley what it is: factors in parts of `artillery.PARTS`, or columns."""

    key: str
    amount: int
    rule: str
    unit: int = -1


class Volley(NamedTuple):
    """One fire, up to the die."""

    kind: int
    hex: int
    targets: tuple[int, ...]
    total: int
    """In parts."""
    column: int
    """12.1.4.B: before the shifts; -1 left of the chart."""
    shift: int
    """12.1.4.C: the net one."""
    drm: int = 0
    """12.2.9.D."""
    breaks: bool = False
    """12.1.5.T: a T hurts the trench."""
    loose: int = 0
    """12.1.5.6.e1: what of the total can go astray,"""
    loose_breaks: bool = False
    """and whether guns that hurt trenches are among it."""
    factors: tuple[Fact, ...] = ()
    shifts: tuple[Fact, ...] = ()

    @property
    def is_bombardment(self) -> bool:
        """12.1.5, and not 12.2.10."""
        return self.kind < DEFENCE


class Odds(NamedTuple):
    """What a volley brings: of so many ways of the dice, how many each number of points and of steps has."""

    of: int
    points: tuple[int, ...]
    steps: tuple[int, ...]
    suppressed: int
    trench: int


class Losses(NamedTuple):
    """12.1.5.D: what the owner has to share out as evenly as possible: so many steps among these."""

    units: tuple[int, ...]
    steps: int


# Whom fire hits


def targets_in(rules: CaporettoPrinted, state: State, h: int, side: int, battery: bool) -> tuple[int, ...]:
    """12.1.3, 18.9.4: what a bombardment of one kind hits of a side in a hex: guns in place, groups excepted, or all
    others. Flamethrowers are with their unit (21.4)."""
    wanted = _of_kind(rules, state, side, battery)
    return tuple([unit for unit in state.stacks.get(h, ()) if wanted >> unit & 1])


def _of_kind(rules: CaporettoPrinted, state: State, side: int, battery: bool) -> int:
    placed = rules.guns & state.emplaced
    return rules.of_side[side] & (placed & ~rules.groups if battery else ~(placed | rules.flamethrowers))


def hexes_to_bombard(rules: CaporettoPrinted, state: State, side: int, battery: bool, within: int = -1) -> int:
    """12.1.3: the hexes, or those of them that are asked for, in which a side has something of one kind for the enemy
    to bombard."""
    there = state.guns[side] if battery else state.occ[side] | state.guns[side]
    wanted, found = _of_kind(rules, state, side, battery), 0
    for h in bits(there & within):
        for unit in state.stacks[h]:
            if wanted >> unit & 1:
                found |= 1 << h
                break
    return found


def aimed_at(rules: CaporettoPrinted, state: State, h: int) -> tuple[int, ...]:
    """12.2.2: the units of a hex that assault or support, at which alone one fires defensively."""
    acting = {declared[0] for declared in (*assault.now(state), *assault.supports_now(state))}
    return tuple([unit for unit in state.stacks.get(h, ()) if unit in acting and not rules.flamethrowers >> unit & 1])


def is_assault(state: State, h: int) -> bool:
    """12.2.4: are there units under an Assault marker in a hex?"""
    return any(state.at[unit] == h for unit, _, _ in assault.now(state))


# Bombardment and support fire


def bombardment(
    rules: CaporettoPrinted,
    state: State,
    h: int,
    shots: Sequence[Shot],
    supports: Sequence[int] = (),
    battery: bool = False,
    counter: bool = False,
) -> Volley:
    """12.1.4, 12.1.7: guns and units that support fire at one kind of target in a hex: at guns in place (`battery`) or
    at all others.

    `counter`: in support of a counter-assault, for which trenches do not count (12.4.3).
    """
    firer = shots[0].gun if shots else supports[0]
    side = 1 - rules.side[firer]
    targets = targets_in(rules, state, h, side, battery)
    factors = _shells(rules, state, shots, h)
    loose = [fact for fact in factors if not observation.sees(rules, state, fact.unit, h)]
    factors += [Fact("support", losses.machine_guns(rules, state, unit) * PARTS, "12.1.7", unit) for unit in supports]
    trench = 0
    if shots:
        trench = trenches.against_bombardment(rules, state, h, side)
    elif not counter:
        trench = trenches.against_fire(rules, state, h, [state.at[unit] for unit in supports], side)
    return _volley(
        rules,
        (BOMBARDMENT, h, targets),
        factors,
        [*_cover(rules, h), *_of_targets(rules, targets, trench)],
        breaks=_breaks(rules, factors),
        loose=sum([fact.amount for fact in loose]),
        loose_breaks=_breaks(rules, loose),
    )


def _shells(rules: CaporettoPrinted, state: State, shots: Sequence[Shot], h: int) -> list[Fact]:
    """12.1.type, 8.1.blizzard.bomb: what each shot is worth in a hex."""
    if not shots:
        return []
    places = {state.at[shot.gun] for shot in shots}
    far = max([rules.grid.distance(h, place) for place in places])
    direct = observation.directly(rules, h, mask_of(places), far)
    rule = "8.1.blizzard.bomb" if rules.snow[state.turn] >> h & 1 else "12.1.type"
    found = []
    for shot in shots:
        is_direct = bool(direct >> state.at[shot.gun] & 1)
        amount = artillery.worth(rules, state, shot, h, is_direct)
        found.append(Fact("direct" if is_direct else "indirect", amount, rule, shot.gun))
    return found


def _breaks(rules: CaporettoPrinted, factors: Iterable[Fact]) -> bool:
    """12.1.5.T: is a medium or heavy gun or a Bombarda among those who fire?"""
    return any(rules.guns >> fact.unit & 1 and rules.tables.guns[rules.gun_class[fact.unit]].breaks for fact in factors)


def interdiction(rules: CaporettoPrinted, state: State, h: int, units: Sequence[int], side: int = -1) -> Volley:
    """12.1.6.e2: units suffer the barrage of their hex at half its strength: one, or a stack by `interdiction_roll`;
    where nobody is named, whoever may come of a side."""
    part = rules.tables.fire.interdiction_part
    total = times(dict(state.barrages)[h], part)
    breaks = bool(state.breaking >> h & 1)
    side = rules.side[units[0]] if units else side
    return _volley(
        rules,
        (BARRAGE, h, tuple(units)),
        [Fact("barrage", total, "12.1.6.e2")],
        [*_cover(rules, h), *_of_targets(rules, units, trenches.against_bombardment(rules, state, h, side))],
        breaks=breaks,
        loose=times(dict(state.loose).get(h, 0), part),
        loose_breaks=breaks,
    )


def blow(rules: CaporettoPrinted, state: State, h: int, column: int, mines: bool, side: int) -> Volley:
    """24.13: mines or gas: every unit of a side in the hex, by the column of the marker, whatever else there is. Gas
    does nothing to trenches."""
    targets = [unit for unit in units_of(rules, state, h, side) if not rules.flamethrowers >> unit & 1]
    return Volley(BLOW, h, tuple(targets), rules.tables.fire.start[column] * PARTS, column, 0, breaks=mines)


# Friendly fire


def goes_astray(rules: CaporettoPrinted, state: State, volley: Volley, die: int) -> bool:
    """12.1.5.6: on a 6 something of a bombardment falls beside the hex, if guns fired that do not see it; never in turn
    1."""
    if volley.kind not in (BOMBARDMENT, BARRAGE) or not volley.loose:
        return False
    return die == rules.tables.fire.friendly_fire and can_stray(rules, state)


def can_stray(rules: CaporettoPrinted, state: State) -> bool:
    """12.1.5.6.e2: is there friendly fire in this turn?"""
    return state.turn != artillery.FIRST or rules.scene.opening.friendly_fire


def astray(rules: CaporettoPrinted, state: State, volley: Volley, direction: int) -> Volley | None:
    """12.1.5.6: the same bombardment at half strength on all units of the hex that a die chooses, the first to the top
    of the map and on clockwise; None if nobody is there. `friendly_fire_roll` says whether by the same die."""
    return stray(rules, state, rules.grid.neighbours[volley.hex][direction - 1], volley.loose, volley.loose_breaks)


def stray(rules: CaporettoPrinted, state: State, h: int, loose: int, breaks: bool) -> Volley | None:
    """12.1.5.6: what falls on a hex of so much that has gone astray; None if nobody is there."""
    targets = [unit for unit in state.stacks.get(h, ()) if not rules.flamethrowers >> unit & 1]
    if not targets:
        return None
    trench = trenches.against_bombardment(rules, state, h, rules.side[targets[0]])
    return _volley(
        rules,
        (ASTRAY, h, tuple(targets)),
        [Fact("astray", times(loose, rules.tables.fire.friendly_fire_part), "12.1.5.6")],
        [*_cover(rules, h), *_of_targets(rules, targets, trench)],
        breaks=breaks,
    )


# Defensive fire


def why_no_defence(rules: CaporettoPrinted, state: State, unit: int, h: int) -> Refusal | None:
    """12.2, 12.2.1, 12.2.1.e1: why a unit cannot fire defensively at a hex."""
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
    here = state.at[unit]
    if not rules.zoc_makers >> unit & 1:
        return Refusal("12.2.1", "cannot_fire", data)
    if not any(rules.side[other] != rules.side[unit] for other in aimed_at(rules, state, h)):
        return Refusal("12.2", "nobody_assaults", data)
    if not rules.grid.ring[h] >> here & 1:
        return Refusal("12.2.1", "not_adjacent", data)
    if rules.option["boundary_defensive_fire"] == "none" and not sectors.this_side(rules, state, unit) >> h & 1:
        return Refusal("24.3.zoc", "other_sector", data)
    if rules.blind[state.turn] >> h & 1 and is_assault(state, h):
        if not any(state.at[other] == h and target == here for other, target, _ in assault.now(state)):
            return Refusal("12.2.1.e1", "not_assaulted", data)
    return None


def defence(
    rules: CaporettoPrinted,
    state: State,
    h: int,
    firers: Sequence[int],
    guns: Sequence[tuple[int, str]] = (),
    counter: bool = False,
) -> Volley:
    """12.2.6, 12.2.9: units, and guns with their case of 12.2.4, fire at those who assault or support from a hex.

    `counter`: against a counter-assault trenches do not count (12.4.3).
    """
    targets = aimed_at(rules, state, h)
    factors = [_burst(rules, state, unit) for unit in firers]
    factors += _battery_fire(rules, state, firers, guns)
    shifts = []
    if not is_assault(state, h):
        shifts += _cover(rules, h)
    trench = 0
    if not counter:
        sources = [state.at[unit] for unit in firers]
        shifts += _own_trench(rules, state, firers, h)
        if not is_assault(state, h):
            trench = _trench_of_supporters(rules, state, h, sources, rules.side[targets[0]])
    shifts += _of_targets(rules, targets, trench)
    declared = [found for found in assault.now(state) if found[0] in targets]
    if any(rules.ground.water[rules.ground.way(h, target)] for _, target, _ in declared):
        shifts.append(Fact("crossing", rules.tables.fire.crossing, "table.defensive-fire"))
    firing = mask_of(state.at[unit] for unit in (*firers, *(gun for gun, _ in guns)))
    blind = rules.blind[state.turn]
    if blind >> h & 1 or (firing and not firing & ~blind):
        shifts.append(Fact("blind", rules.tables.fire.blind, "8.1.fog.df"))
    drm = rules.tables.fire.road_die if any(by_road for _, _, by_road in declared) else 0
    return _volley(rules, (DEFENCE, h, targets), factors, shifts, drm=drm)


def _trench_of_supporters(rules: CaporettoPrinted, state: State, h: int, sources: Sequence[int], side: int) -> int:
    """10.2.6, 17.9: the trench that helps those who support from a hex; against guns alone as against bombardment."""
    if sources:
        return trenches.against_fire(rules, state, h, sources, side)
    return trenches.against_bombardment(rules, state, h, side)


def _burst(rules: CaporettoPrinted, state: State, unit: int) -> Fact:
    """12.2.6, 7.8: the machine guns of a unit; Out of Command half of them, rounded up."""
    amount = losses.machine_guns(rules, state, unit) * PARTS
    if state.ooc >> unit & 1:
        return Fact("out_of_command", _halved(rules, amount), "7.8", unit)
    return Fact("machine_guns", amount, "12.2.6", unit)


def _halved(rules: CaporettoPrinted, amount: int) -> int:
    """7.8: rounded up to a whole factor."""
    part = rules.out_of_command_fire
    return -(-amount * part.part // (part.of * PARTS)) * PARTS


def _battery_fire(
    rules: CaporettoPrinted, state: State, firers: Iterable[int], guns: Iterable[tuple[int, str]]
) -> list[Fact]:
    """12.2.5: a quarter of what is printed on each gun. By case A all together not more than what is printed on the
    units that fire, and at least 1."""
    found, observed = [], 0
    for gun, case in guns:
        amount = times(rules.factor[gun] * PARTS, rules.defensive_part)
        if state.ooc >> gun & 1:
            amount = _halved(rules, amount)
        found.append(Fact("guns", amount, "12.2.5", gun))
        observed += amount if case == OBSERVED else 0
    printed = sum(losses.machine_guns(rules, state, unit) for unit in firers)
    over = observed - max(printed, rules.defensive_least) * PARTS
    if over > 0:
        found.append(Fact("limit", -over, "12.2.5"))
    return found


# Infiltration fire


def infiltration(
    rules: CaporettoPrinted,
    state: State,
    movers: Sequence[int],
    here: int,
    there: int,
    firers: Sequence[int],
    by_road: bool = False,
) -> Volley:
    """10.1.2: enemies (`movement.watchers`) fire at units that step from a hex to the next, in the hex they enter."""
    side, fire = rules.side[movers[0]], rules.tables.fire
    targets = tuple([unit for unit in movers if not rules.flamethrowers >> unit & 1])
    sources = [state.at[unit] for unit in firers]
    shifts = [*_cover(rules, there), *_own_trench(rules, state, firers, there)]
    shifts += _of_targets(rules, targets, trenches.against_fire(rules, state, there, sources, side))
    if rules.ground.water[rules.ground.way(here, there)]:
        shifts.append(Fact("crossing", fire.crossing, "table.defensive-fire"))
    factors = [_burst(rules, state, unit) for unit in firers]
    return _volley(rules, (INFILTRATION, there, targets), factors, shifts, drm=fire.road_die if by_road else 0)


# Shifts


def _cover(rules: CaporettoPrinted, h: int) -> list[Fact]:
    """table.bombardment: the ground of the target's hex; a town or village counts in place of its terrain."""
    ground, cover = rules.ground, rules.tables.fire.cover
    for word, hexes in (("town", ground.towns), ("village", ground.villages), ("woods", ground.woods)):
        if hexes >> h & 1:
            return [Fact(word, cover[word], "table.bombardment")]
    return []


def _of_targets(rules: CaporettoPrinted, targets: Sequence[int], trench: int) -> list[Fact]:
    """17.4, 21.2: the trench of those who are fired at, of which cavalry has nothing, and cavalry among them."""
    fire, riders = rules.tables.fire, [unit for unit in targets if rules.cavalry >> unit & 1]
    found = []
    if trench and (len(riders) < len(targets) or not targets):
        found.append(Fact("trench", fire.trench_cover[trench], "17.4"))
    if riders:
        found.append(Fact("cavalry", fire.cavalry, "21.2.e1"))
    return found


def _own_trench(rules: CaporettoPrinted, state: State, firers: Iterable[int], h: int) -> list[Fact]:
    """17.4, 12.2.9.C, 21.2: the best trench out of which one of them fires, along a hexside too; cavalry has nothing of
    it."""
    helped = [unit for unit in firers if not rules.cavalry >> unit & 1]
    levels = [trenches.against_assault(rules, state, state.at[unit], h, rules.side[unit]) for unit in helped]
    best = max(levels, default=0)
    return [Fact("own_trench", rules.tables.fire.trench_help[best], "17.4")] if best else []


def _volley(
    rules: CaporettoPrinted,
    aim: tuple[int, int, tuple[int, ...]],
    factors: Sequence[Fact],
    shifts: Sequence[Fact],
    **more: Any,
) -> Volley:
    """12.1.4, 12.2.9: steps A to C."""
    fire = rules.tables.fire
    total = sum([fact.amount for fact in factors])
    most = fire.most_shift
    net = max(-most, min(most, sum([fact.amount for fact in shifts])))
    column = fire.column(total, PARTS)
    return Volley(*aim, total, column, net, **more, factors=tuple(factors), shifts=tuple(shifts))


# The dice


def cell(rules: CaporettoPrinted, volley: Volley, die: int) -> Outcome:
    """12.1.4.D, 12.2.9.D: what the chart says for a die; `again` asks for a second one."""
    return rules.tables.fire.result(volley.column + volley.shift, die + volley.drm)


def result(rules: CaporettoPrinted, volley: Volley, die: int, second: int = 0) -> Outcome:
    """12.1.5, 12.2.10: what comes of a die, and of a second one where the chart has a star."""
    found = cell(rules, volley, die)
    if found.again:
        return Outcome(dp=1) if second <= rules.tables.fire.again else NOTHING
    return found


def is_idle(volley: Volley) -> bool:
    """12.1.4.C: does it end left of the chart, so that no die can bring anything? What goes astray may fall on better
    ground."""
    return volley.column + volley.shift < 0 and not volley.loose


def odds(rules: CaporettoPrinted, volley: Volley) -> Odds:
    """12.1.5, 12.2.10: what the dice can bring, counted over all the ways in which they fall."""
    starred = any(cell(rules, volley, die).again for die in range(1, DIE + 1))
    seconds = range(1, DIE + 1) if starred else range(1, 2)
    points: Counter[int] = Counter()
    steps: Counter[int] = Counter()
    suppressed = trench = 0
    for die in range(1, DIE + 1):
        for second in seconds:
            found = result(rules, volley, die, second)
            points[found.dp] += 1
            steps[found.steps] += 1
            suppressed += found.suppressed
            trench += found.trench and volley.breaks
    return Odds(DIE * len(seconds), _row(points), _row(steps), suppressed, trench)


def _row(found: Counter[int]) -> tuple[int, ...]:
    return tuple([found[n] for n in range(max(found) + 1)])


# What it does


def strike(
    rules: CaporettoPrinted, state: State, volley: Volley, found: Outcome, dice: Sequence[int], out: list[Event]
) -> Losses:
    """12.1.5, 12.2.10, 15.4.1, 21.4.e2: points and surrenders first, then S and T. The steps come back, for the owner
    to share out among those who are left (`losses.even_splits`)."""
    data = {
        "fire": KINDS[volley.kind],
        "hex": rules.grid.ids[volley.hex],
        "units": rules.unit_ids(volley.targets),
        "dice": list(dice),
        "points": found.dp,
        "steps": found.steps,
        "suppressed": found.suppressed,
    }
    if dice:  # whoever does not know all who fire or are fired at hears nothing of the column (`veils`)
        data["by"] = rules.unit_ids(dict.fromkeys(fact.unit for fact in volley.factors if fact.unit >= 0))
        data["column"] = rules.tables.fire.read_in(volley.column + volley.shift)
        data["drm"] = volley.drm
    out.append(Event("fired", (RULES[volley.kind],), data))
    if volley.is_bombardment:
        _note_attack(rules, state, volley)
    if found.dp:
        rule = "12.1.5.D" if volley.is_bombardment else "12.2.10"
        morale.disorganise(rules, state, volley.targets, found.dp, out, rule)
    if found != NOTHING and volley.is_bombardment:
        engineers.disrupt(rules, state, volley.targets, out)
    if found.dp:
        morale.test_surrenders(rules, state, volley.targets, out)
    left = tuple([unit for unit in volley.targets if state.at[unit] >= 0])
    if found.suppressed and left:
        suppress(rules, state, left, volley.is_bombardment, out)
    if found.trench and volley.breaks and volley.targets:
        trenches.batter(rules, state, volley.hex, rules.side[volley.targets[0]], "12.1.5.T", out)
    if volley.kind == INFILTRATION:  # 16.3: guns lose their step by bombardment only
        left = tuple([unit for unit in left if not rules.guns >> unit & 1])
    if volley.kind == DEFENCE and found.steps and left:  # whoever takes the step
        losses.burn(rules, state, left, out)
    return Losses(left, found.steps if left else 0)


def _note_attack(rules: CaporettoPrinted, state: State, volley: Volley) -> None:
    """24.9: formations that have been bombarded this turn; 12.1.6.e2: units that have had their barrage."""
    for unit in volley.targets:
        if rules.formation_of[unit] >= 0:
            state.attacked |= 1 << rules.formation_of[unit]
    if volley.kind == BARRAGE:
        barrages.note(state, volley.hex, volley.targets)


def suppress(rules: CaporettoPrinted, state: State, units: Iterable[int], bombarded: bool, out: list[Event]) -> None:
    """12.1.5.S, 12.2.10.S: Out of Command. By bombardment nothing else: who was activated before is Activated already,
    who acts will be when his action is over (13), and does till then all that he may (7.7). By other fire everybody is
    Activated, and the Assault markers are lost."""
    hit = mask_of(units)
    state.ooc |= hit
    if not bombarded:
        state.activated |= hit
        state.assaults = tuple([declared for declared in state.assaults if not hit >> declared[0] & 1])
    rule = "12.1.5.S" if bombarded else "12.2.10.S"
    out.append(Event("suppressed", (rule,), {"units": rules.unit_ids(units)}))
