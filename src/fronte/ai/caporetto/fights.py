"""What assaults promise, by their exact odds; and the decisions while they are fought: who goes, who stands, who loses
steps, where the beaten go."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from fronte.ai.caporetto.chart import TURN
from fronte.ai.caporetto.costs import Sufferer, line_cost, points_cost, sufferers
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.posts import Posts
from fronte.ai.caporetto.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.games.caporetto import (
    aftermath,
    assailants,
    assault,
    assaulting,
    countering,
    falling_back,
    losses,
    odds,
    retreats,
    seating,
    trenches,
)
from fronte.games.caporetto.odds import Clash, Fight
from fronte.games.caporetto.state import NOBODY, put
from fronte.games.caporetto.tables import DIE
from fronte.hexes import bits

MOST = 48
"""So many answers are looked at."""
BESIDE, ALONE = 0.5, 0.9
"""How much of those next to who assaults fire at him: the others have others before them."""
CLOSE_TO_SURRENDER = 1
"""Points that a unit has left before it would surrender."""


def legal(picture: Picture, most: int = MOST) -> list[Action]:
    """What may be answered, at least the first of it."""
    frame = picture.state.frames[-1]
    return list(islice(picture.rules.choices[frame.name].legal(picture.rules, picture.state, frame), most))


# What an assault promises


class Judged(NamedTuple):
    """An assault that could be made: the chance to win the hex, and what all of it is worth."""

    win: float
    gain: float


class Help(NamedTuple):
    """What fire is likely to bring before an assault: points for those in the hex, and levels of their trench."""

    points: float
    levels: float


NO_HELP = Help(0.0, 0.0)


def fire_at(
    picture: Picture, sources: Sequence[int], h: int, by_road: bool, alone: bool = False
) -> tuple[float, float, float]:
    """12.2: the points, steps and the chance of S that the defenders' fire brings those who assault a hex out of
    these; on the move (21.5.3) there is nobody else at whom they could fire."""
    rules, state = picture.rules, picture.state
    foes, blind = 1 - picture.side, rules.blind[state.turn]
    points = steps = quiet = 0.0
    for here in sources:
        total = 0.0
        best = trenches.against_assault(rules, state, h, here, foes)
        for there in bits(rules.grid.ring[here] & state.occ[foes]):
            if blind >> here & 1 and there != h:
                continue
            share = 1.0 / len(sources) if there == h else ALONE if alone else BESIDE
            for unit in state.stacks[there]:
                if rules.side[unit] == foes:
                    guns = losses.machine_guns(rules, state, unit)
                    total += share * (guns / 2 if state.ooc >> unit & 1 else guns)
        shift = rules.tables.fire.trench_help[best]
        if rules.ground.water[rules.ground.way(here, h)]:
            shift += rules.tables.fire.crossing
        if blind >> here & 1 or blind >> h & 1:
            shift += rules.tables.fire.blind
        hit = picture.chart.hit(total, shift, by_road)
        points += hit.points
        steps += hit.steps
        quiet += hit.suppressed
    many = max(1, len(sources))
    return points / many, steps, quiet / many


def weigh(picture: Picture, h: int, wave: Sequence[int], counter: bool = False) -> tuple[Fight, Sequence[int]]:
    """12.3.3: ratio and column of an assault if the defender does what serves him best, and all who defend."""
    rules, state = picture.rules, picture.state
    side = 1 - rules.side[wave[0]]
    lead, best = assault.leads(rules, state, wave)[0], None
    for group in assault.groups(rules, state, h, side)[:4]:
        against = (assault.leads(rules, state, group) or (NOBODY,))[0]
        fight = odds.weigh(rules, state, Clash(h, tuple(wave), group, lead, against, counter))
        if best is None or fight.column < best.column:
            best = fight
    assert best is not None
    return best, assault.defenders(rules, state, h, side)


def judge(
    picture: Picture,
    weights: Weights,
    h: int,
    wave: Sequence[int],
    worth: float,
    helped_by: Help = NO_HELP,
    by_road: bool = False,
    counter: bool = False,
    alone: bool = False,
) -> Judged:
    """12.3: what an assault of a hex by these units, from where they are, promises if the hex is worth so much.

    `helped_by`: what fire is likely to do to the defenders before that."""
    rules, state = picture.rules, picture.state
    fight, defending = weigh(picture, h, wave, counter)
    sources = sorted({state.at[unit] for unit in wave})
    points, steps, quiet = (0.0, 0.0, 0.0) if counter else fire_at(picture, sources, h, by_road, alone)
    flank = 0.0
    if len(sources) > 1 and any(rules.infiltration >> unit & 1 for unit in wave):
        six = rules.grid.neighbours[h]
        places = {six.index(here) for here in sources if here in six}
        flank = 1.0 if any((place + 3) % 6 in places for place in places) else 0.0
    helped = helped_by.points + flank
    shift = helped + helped_by.levels - points
    low = int(shift // 1)
    rest = shift - low
    win = gain = 0.0
    dice = 2 if fight.dice > 1 else 1
    ours, theirs = sufferers(picture, weights, wave, points), sufferers(picture, weights, defending, helped)
    for move, part in ((low, 1.0 - rest), (low + 1, rest)):
        if part <= 0.0:
            continue
        column = min(fight.column + move, rules.tables.assault.last) if fight.defence else fight.column
        found = _at_column(picture, weights, column, ours, theirs, worth, dice)
        win += part * found.win
        gain += part * found.gain
    away = min(0.9, quiet)
    fire_cost = weights.caution * (weights.step * steps + sum(points_cost(picture, weights, u, points) for u in wave))
    return Judged((1 - away) * win, (1 - away) * gain - fire_cost)


def _at_column(
    picture: Picture,
    weights: Weights,
    column: int,
    wave: Sequence[Sufferer],
    defending: Sequence[Sufferer],
    worth: float,
    dice: int,
) -> Judged:
    table, results = picture.rules.tables.assault, []
    men = sum(one.steps for one in defending if not one.is_gun)
    for die in range(1, DIE + 1):
        mine, theirs = table.result(column, die if column >= 0 else 0)
        won = odds.beaten(mine, theirs, men)
        cost = weights.caution * line_cost(weights, wave, mine, won)
        gain = line_cost(weights, defending, theirs, not won) - cost + (worth if won else 0.0)
        results.append((gain, won))
    results.sort()
    win = total = 0.0
    for place, (gain, won) in enumerate(results):
        chance = 1 / DIE if dice == 1 else (2 * place + 1) / DIE**2
        win, total = win + chance * won, total + chance * gain
    return Judged(win, total)


def from_there(picture: Picture, moves: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Put units where they would be; what takes them back is told."""
    was = [(unit, picture.state.at[unit]) for unit, _ in moves]
    for unit, h in moves:
        if picture.state.at[unit] != h:
            put(picture.rules, picture.state, unit, h)
    return was


# What hexes are worth


def hex_worth(picture: Picture, weights: Weights, h: int, here: int, unit: int, own: float = 6.0) -> float:
    """What it is worth to drive the enemy out of a hex, for a unit that comes from another with so many factors."""
    found = weights.ground
    if h in picture.wanted:
        found += weights.take * picture.prize(h, own)
    found += weights.take * picture.doors.get(h, 0.0)
    way = picture.way_of(unit)
    saved = min(2.0, max(0.0, (way[here] - way[h]) / TURN))
    found += weights.gate * saved + weights.cut * picture.starving * min(1.0, picture.cutting.get(h, 0.0))
    found += weights.relief * picture.relief.get(h, 0)
    for there in picture.rules.grid.adjacent[h]:
        if there in picture.kept:
            found += 0.1 * picture.kept[there]
    return found


# Step D: assaults are fought


def next_assault(picture: Picture, weights: Weights) -> Answer:
    """12.3.2: the surest first: what it opens helps the others."""
    rules, state = picture.rules, picture.state
    counter = state.frames[-1].args[0]
    best, most = -1, -1e9
    for h in assailants.targets(rules, state, counter):
        units = best_wave(picture, weights, h, counter)
        found = judge(picture, weights, h, units, 0.0, counter=bool(counter)).win if units else 0.0
        if found > most:
            best, most = h, found
    name = rules.grid.ids[best]
    return Answer(assaulting.Next(name), Reason("next_assault", {"hex": name}))


def best_wave(picture: Picture, weights: Weights, h: int, counter: int) -> tuple[int, ...]:
    """10.2.4: of those who wait the wave that promises most."""
    rules, state = picture.rules, picture.state
    units = assailants.waiting(rules, state, h, counter)
    best: tuple[int, ...] = ()
    most = -1e9
    for order in _orders(picture, units):
        chosen: list[int] = []
        for unit in order:
            if assault.why_not_wave(rules, state, h, [*chosen, unit], bool(counter)) is None:
                chosen.append(unit)
        if not chosen:
            continue
        wave = tuple(sorted(chosen))
        found = (
            judge(picture, weights, h, wave, 1.0, counter=bool(counter)).gain
            if assault.is_target(rules, state, h, rules.side[wave[0]])
            else 0.0
        )
        if found > most:
            best, most = wave, found
    return best


def _orders(picture: Picture, units: Sequence[int]) -> list[list[int]]:
    """Some orders in which units are taken: the strong first, those of high morale first, each of them first."""
    rules, state = picture.rules, picture.state

    def strong(unit: int) -> tuple[int, int, int]:
        return -losses.strength(rules, state, unit), -picture.spirit(unit), unit

    by_strength = sorted(units, key=strong)
    by_morale = sorted(units, key=lambda unit: (-picture.spirit(unit), *strong(unit)))
    found = [by_strength, by_morale]
    for unit in by_strength[:4]:
        found.append([unit, *(one for one in by_strength if one != unit)])
    return found


def wave(picture: Picture, weights: Weights) -> Answer:
    """10.2.4, 12.3.4.e1: the wave that promises most, led by whom it hurts least of those with the highest morale."""
    rules, state = picture.rules, picture.state
    h, counter = state.frames[-1].args
    units = best_wave(picture, weights, h, counter)
    if not units:
        return Answer(legal(picture, 1)[0], Reason("wave", {"hex": rules.grid.ids[h], "win": 0}))
    lead = assault.leads(rules, state, units)[0]
    win = round(100 * judge(picture, weights, h, units, 1.0, counter=bool(counter)).win)
    action = assaulting.Wave(rules.unit_ids(units), rules.ids[lead])
    return Answer(action, Reason("wave", {"hex": rules.grid.ids[h], "win": win}))


def stand(picture: Picture, weights: Weights) -> Answer:
    """11.4, 12.3.4.e1: those against whom the column is lowest."""
    rules, state = picture.rules, picture.state
    h, counter, coming = state.frames[-1].args
    best: tuple[tuple[int, int], assaulting.Stand] | None = None
    for action in legal(picture):
        assert isinstance(action, assaulting.Stand)
        group, lead = rules.known(action.units), rules.number[action.lead]
        fight = odds.weigh(rules, state, Clash(h, coming, tuple(group), coming[0], lead, bool(counter)))
        rank = fight.column, -picture.steps(lead)
        if best is None or rank < best[0]:
            best = rank, action
    assert best is not None
    return Answer(best[1], Reason("stand", {"hex": rules.grid.ids[h]}))


def rommel_die(picture: Picture, weights: Weights) -> Answer:
    """21.6.2: the better one."""
    rules, state = picture.rules, picture.state
    args = state.frames[-1].args
    clash = assailants.clash_of(args)
    fight = odds.weigh(rules, state, clash)
    side = 1 - rules.side[clash.wave[0]]
    defending = assault.defenders(rules, state, clash.hex, side)
    die = odds.best_die(rules, state, fight, defending, args[4:])
    return Answer(assaulting.Pick(die), Reason("rommel_die", {"die": die}))


def suffer(picture: Picture, weights: Weights) -> Answer:
    """12.3.4: as few units and as little strength gone as possible."""
    rules, state = picture.rules, picture.state
    units, lead, steps = state.frames[-1].args
    splits = losses.assault_splits(rules, state, units, lead[0] if lead else NOBODY, steps)
    return Answer(aftermath.Suffer(rules.unit_ids(losses.best_split(rules, state, splits))), Reason("losses"))


def occupy(picture: Picture, weights: Weights) -> Answer:
    """10.2.3: the strongest who fit."""
    rules, state = picture.rules, picture.state

    def strong(action: Action) -> int:
        return losses.total(rules, state, rules.known(getattr(action, "units", ())))

    action = max(legal(picture), key=strong)
    return Answer(action, Reason("occupy", {"hex": rules.grid.ids[state.frames[-1].args[0]]}))


# Going back


def withdraw(picture: Picture, weights: Weights) -> Answer:
    """10.2.4: to leave before another wave, where who stays would surrender."""
    rules, state = picture.rules, picture.state
    h, counter = state.frames[-1].args[:2]
    data = {"hex": rules.grid.ids[h]}
    side = 1 - assailants.attacker(rules, state, counter)
    coming = assailants.waiting(rules, state, h, counter)
    mine = [unit for unit in assault.defenders(rules, state, h, side) if not rules.guns >> unit & 1]
    if coming and mine and h not in picture.kept:
        theirs = Picture(picture.chart, state, rules.force[coming[0]])
        units = best_wave(theirs, weights, h, counter)
        found = judge(theirs, weights, h, units, 0.0, counter=bool(counter)) if units else Judged(0.0, 0.0)
        weak = all(picture.spirit(unit) <= 1 + CLOSE_TO_SURRENDER for unit in mine)
        if found.win > 0.6 or (weak and found.win > 0.25):
            return Answer(aftermath.Withdraw(), Reason("withdraw", data))
    return Answer(aftermath.Remain(), Reason("remain", data))


def refuge(picture: Picture, weights: Weights, unit: int, h: int) -> float:
    """How good a hex is for who falls back."""
    rules, state = picture.rules, picture.state
    found = 0.0
    if not picture.fed >> h & 1:
        found -= 1.0
    if picture.near_foes >> h & 1:
        found -= 0.3 * (rules.grid.ring[h] & picture.foes).bit_count()
    found += 0.15 * (picture.trench_at(h, picture.side) + picture.chart.cover[h])
    found += weights.hold * picture.kept.get(h, 0.0) * (0.3 if state.occ[picture.side] >> h & 1 else 1.0)
    foes = picture.arrival[h]
    found += min(foes, TURN) / TURN * 0.2
    exits = (rules.grid.ring[h] & rules.ground.extent & ~picture.foes & ~picture.near_foes).bit_count()
    return found + 0.05 * exits


def retreat_to(picture: Picture, weights: Weights) -> Answer:
    """12.3.5: together where they can, to where they are safest."""
    rules = picture.rules
    actions = [one for one in legal(picture) if isinstance(one, falling_back.Retreat)]

    def rank(action: falling_back.Retreat) -> tuple[float, int, str]:
        unit = rules.number[action.units[0]]
        return refuge(picture, weights, unit, rules.grid.index[action.hex]), len(action.units), action.hex

    best = max(actions, key=rank)
    return Answer(best, Reason("retreat", {"hex": best.hex}))


def second_hex(picture: Picture, weights: Weights) -> Answer:
    """12.3.5.7: farther only where one would be shot to pieces, and has the morale for it."""
    rules, state = picture.rules, picture.state
    left, gone = state.frames[-1].args
    far = []
    for h, units in falling_back.groups(rules, state, left, gone).items():
        where = retreats.second_setting(rules, state, h, picture.side, left)
        ways = retreats.ways(rules, state, units[0], where).hexes
        pressed = (rules.grid.ring[h] & picture.foes).bit_count()
        safer = any(not picture.near_foes >> there & 1 for there in bits(ways))
        if pressed >= 3 and safer and all(picture.spirit(unit) > 1 + CLOSE_TO_SURRENDER for unit in units):
            far.append(rules.grid.ids[h])
    if far:
        return Answer(falling_back.Farther(tuple(far)), Reason("farther"))
    return Answer(falling_back.Halt(), Reason("halt"))


# 12.4: counter-assaults


def counter_moves(picture: Picture, weights: Weights) -> Answer:
    """12.4: the counter-assault that promises most; support where one has been declared."""
    rules, state = picture.rules, picture.state
    done = Answer(countering.Declared(), Reason("no_counter"))
    if state.frames[-1].seat == seating.active_seat(rules, state):  # 24.3: nobody counter-assaults himself
        return done
    posts = Posts(picture, weights)
    best: tuple[float, Answer] | None = None
    for h in countering.lost_now(rules, state):
        ready = [one for one, target, _ in assault.now(state) if target == h and rules.side[one] == picture.side]
        for unit in countering.supporters(rules, state, h, state.frames[-1].seat):
            action = countering.Assist(rules.ids[unit], rules.grid.ids[h])
            return Answer(action, Reason("support", {"hex": rules.grid.ids[h]}))
        worth = 0.25 + weights.take * picture.chart.values.get(h, 0.0) + weights.block * _barred(picture, h)
        for order in _counters(picture, h):
            units = rules.known(order.units)
            if ready and not assault.fit_together(rules, state, h, [*ready, *units]):
                continue
            end = rules.grid.index[order.path[-1]] if order.path else state.at[units[0]]
            was = from_there(picture, [(unit, end) for unit in units])
            found = judge(picture, weights, h, sorted([*ready, *units]), worth, counter=True)
            before = judge(picture, weights, h, sorted(ready), worth, counter=True).gain if ready else 0.0
            from_there(picture, was)
            left = sum(max(0.0, posts(unit, state.at[unit]) - posts(unit, end)) for unit in units)
            gain = found.gain - max(0.0, before) - (1.0 - found.win) * left - (0.1 if order.forced else 0.0)
            if gain > weights.least and (best is None or gain > best[0]):
                data = {"hex": rules.grid.ids[h], "win": round(100 * found.win)}
                best = gain, Answer(order, Reason("counter", data))
    return best[1] if best is not None else done


def _barred(picture: Picture, h: int) -> float:
    return min(2.0, picture.relevance.get(h, 0.0))


def _counters(picture: Picture, h: int) -> list[countering.Counter]:
    """Single units, and all of a stack that can go together."""
    rules, state = picture.rules, picture.state
    able = countering.able(rules, state, h, state.frames[-1].seat)
    stacks: dict[int, list[int]] = {}
    for unit in able:
        stacks.setdefault(state.at[unit], []).append(unit)
    found: list[countering.Counter] = []
    for units in stacks.values():
        together = tuple(units)
        while len(together) > 1 and not assault.fit_together(rules, state, h, together):
            together = together[:-1]
        sets = [together] if len(together) > 1 else []
        sets += [(unit,) for unit in units]
        for chosen in sets:
            found += islice(countering.orders(rules, state, chosen, h, countering.ways(rules, state, chosen, h)), 4)
    return found
