"""12.3.3: the odds of assaults and counter-assaults (12.4.3). Ratio, shifts and column, and what each die brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.dice import outcomes
from fronte.engine.event import Event
from fronte.games.caporetto import flamethrowers, losses, morale, trenches
from fronte.games.caporetto.state import NOBODY
from fronte.games.caporetto.tables import Outcome
from fronte.games.caporetto.terrain import ISONZO, RIVER
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

CAPPED = 2
"""15.3: what the option `capped-2` leaves of the morale difference."""


class Shift(NamedTuple):
    """Columns for the attacker, below 0 for the defender, and the rule that gives them."""

    key: str
    amount: int
    rule: str


class Clash(NamedTuple):
    """12.3.3, 12.3.4.e1: who assaults whom."""

    hex: int
    wave: Sequence[int]
    group: Sequence[int]
    """11.4: those who defend it; nobody where only guns and those of 12.3.7 are."""
    lead: int
    against: int
    """The units of both sides whose morale is used; NOBODY where nobody defends."""
    counter: bool = False
    """12.4.3: trenches do not count."""


class Fight(NamedTuple):
    """12.3.3: an assault before the die."""

    attack: int
    defence: int
    base: int
    """The column of the ratio."""
    shifts: tuple[Shift, ...]
    net: int
    column: int
    """Where the die is read; below 0 it is not thrown."""
    dice: int
    """0, 1, or 2 of Rommel's."""


def weigh(rules: CaporettoPrinted, state: State, clash: Clash) -> Fight:
    """12.3.3: ratio, shifts and column. A strength of 0 is on the last column whatever else is (12.3.6)."""
    table, wave = rules.tables.assault, clash.wave
    attack, defence = losses.total(rules, state, wave), losses.total(rules, state, clash.group)
    base = table.column(attack, defence)
    if not defence:
        return Fight(attack, defence, base, (), 0, base, dice_of(rules, state, wave))
    found = shifts(rules, state, clash)
    net = net_shift(rules, wave, found)
    column = shifted(rules, base, net)
    dice = dice_of(rules, state, wave) if column >= 0 else 0
    return Fight(attack, defence, base, found, net, min(column, table.last), dice)


def net_shift(rules: CaporettoPrinted, wave: Iterable[int], found: Iterable[Shift]) -> int:
    """12.3.3.C, 21.5.4: what is for the defender is taken from what is for the attacker; at most three columns, but
    no limit to what favours a wave of German infiltration-capable units alone."""
    most, net = rules.tables.assault.most_shift, sum([shift.amount for shift in found])
    superior = all(rules.superior >> unit & 1 for unit in wave)
    return max(-most, net if superior else min(most, net))


def shifted(rules: CaporettoPrinted, column: int, net: int) -> int:
    """12.3.3.C: so many columns on, outside the table whole ratios; by option whole ratios inside it too."""
    if rules.option["assault_shift_mode"] == "printed-columns":
        return column + net
    table = rules.tables.assault
    values = [_value(ratio.part, ratio.of) for ratio in table.ratio]
    if column < 0:
        now = values[0] + column
    else:
        now = values[column] if column <= table.last else values[-1] + column - table.last
    now += net
    if now < values[0]:
        return int((now - values[0]) // 1)
    if now > values[-1]:
        return table.last + int(now - values[-1])
    return sum(now >= value for value in values) - 1


def _value(part: int, of: int) -> Fraction:
    """A ratio on a line on which each whole ratio is one from the next: 3:1 is 3, 1:1 is 1, 1:2 is 0, 1:3 is -1."""
    return Fraction(part, of) if part >= of else 2 - Fraction(of, part)


def shifts(rules: CaporettoPrinted, state: State, clash: Clash) -> tuple[Shift, ...]:
    """12.3.3.C, 17.4, 21.2, 21.4, 8.1, 15.3: all that moves the column, each with its rule."""
    h, wave, group, lead, against, counter = clash
    ground, table = rules.ground, rules.tables.assault
    side = 1 - rules.side[wave[0]]
    sources = sorted({state.at[unit] for unit in wave})
    dug_in = 0 if counter else min(trenches.against_assault(rules, state, h, source, side) for source in sources)
    riders = group and all(rules.cavalry >> unit & 1 for unit in group)
    trench = 0 if riders else dug_in  # 21.2: which is no help to them, but a trench to who assaults it
    town, village = ground.towns >> h & 1, ground.villages >> h & 1
    rough = (ground.woods | ground.high) >> h & 1
    ways = [ground.way(source, h) for source in sources]
    found = [Shift("trench", table.trench[trench], "17.4")]
    for key, there in (("woods", ground.woods), ("village", ground.villages), ("town", ground.towns)):
        found.append(_one(rules, key, there >> h & 1, "12.3.3.C"))
    found.append(_one(rules, "high_mountain", ground.high >> h & 1, "12.3.3.C"))
    found.append(_one(rules, "uphill", all(rules.prices.uphill[way] for way in ways), "12.3.3.C.e1"))
    found.append(_one(rules, "river", all(ground.water[way] == RIVER for way in ways), "12.3.3.C.e1"))
    found.append(_one(rules, "isonzo_bridge", all(ground.water[way] == ISONZO for way in ways), "12.3.3.C.e1"))
    found.append(_one(rules, "cliff", all(ground.cliff[way] for way in ways), "12.3.3.C.e1"))
    snow = rules.snow[state.turn] & mask_of([h, *sources])
    found.append(_one(rules, "blizzard", snow, "8.1.blizzard.assault"))
    burns = bool(flamethrowers.carried(state, wave)) and (dug_in or town)
    found.append(_one(rules, "flamethrower", burns, "21.4.e1"))
    rides = any if rules.option["cavalry_bonus"] == "any" else all
    clear = not (dug_in or town or village or rough)
    mounted = rides([bool(rules.cavalry >> unit & 1) for unit in wave])
    found.append(_one(rules, "cavalry", clear and mounted, "21.2"))
    found.append(Shift("morale", table.shift["morale"] * _morale_gap(rules, state, lead, against), "15.3"))
    return tuple([shift for shift in found if shift.amount])


def _one(rules: CaporettoPrinted, key: str, holds: object, rule: str) -> Shift:
    return Shift(key, rules.tables.assault.shift[key] if holds else 0, rule)


def _morale_gap(rules: CaporettoPrinted, state: State, lead: int, against: int) -> int:
    """15.3: how much higher the current morale of who leads the assault is; an option caps it or leaves it out."""
    if NOBODY in (lead, against) or rules.option["morale_shift"] == "none":
        return 0
    gap = morale.current(rules, state, lead) - morale.current(rules, state, against)
    return max(-CAPPED, min(CAPPED, gap)) if rules.option["morale_shift"] == "capped-2" else gap


# The die


def dice_of(rules: CaporettoPrinted, state: State, wave: Iterable[int]) -> int:
    """21.6.2: two for an assault of the Rommel detachment, with whoever is attached to it; else one."""
    masks = [1 << unit for unit in wave]
    led = any(bit & state.rommel for bit in masks) and all(bit & (state.rommel | state.attached) for bit in masks)
    return 2 if led else 1


def attacker_wins(
    rules: CaporettoPrinted, state: State, defending: Iterable[int], result: tuple[Outcome, Outcome]
) -> bool:
    """Who wins with a printed result (`beaten`)."""
    mine, theirs = result
    if theirs.retreat:
        return True
    return beaten(mine, theirs, sum(losses.steps_left(rules, state, u) for u in defending if not rules.guns >> u & 1))


def beaten(mine: Outcome, theirs: Outcome, men: int) -> bool:
    """15.4.2, ours: who has won, from the printed result, before anybody surrenders: the attacker if the defender must
    retreat, or loses every step he has while the attacker need not retreat; else the defender."""
    return theirs.retreat or (not mine.retreat and theirs.steps >= men)


def best_die(rules: CaporettoPrinted, state: State, fight: Fight, defending: Sequence[int], dice: Sequence[int]) -> int:
    """21.6.2: which of two dice serves who assaults best."""

    def worth(die: int) -> tuple[bool, int, int]:
        mine, theirs = result = rules.tables.assault.result(fight.column, die)
        wins = attacker_wins(rules, state, defending, result)
        return wins, theirs.dp + theirs.steps - mine.dp - mine.steps, die

    return max(dice, key=worth)


def wound(rules: CaporettoPrinted, state: State, dice: Sequence[int], out: list[Event]) -> None:
    """21.6.2: a double: Rommel does not lead again in later turns."""
    if len(dice) > 1 and len(set(dice)) == 1 and not state.wounded:
        state.wounded = True
        out.append(Event("rommel_wounded", ("21.6.2",), {"die": dice[0]}))


class Odds(NamedTuple):
    """12.3.3.D: what the dice can bring: of so many ways, how many each result has, for attacker and defender."""

    of: int
    wins: int
    """Ways in which the attacker wins."""
    dp: tuple[tuple[int, ...], tuple[int, ...]]
    """By points for each unit;"""
    steps: tuple[tuple[int, ...], tuple[int, ...]]
    """by steps in all, no more than there are;"""
    retreats: tuple[int, int]


def odds(rules: CaporettoPrinted, state: State, fight: Fight, wave: Sequence[int], defending: Sequence[int]) -> Odds:
    """12.3.3.D, 21.6.2: counted over all ways of the dice; of two the better one is taken."""
    ways = list(outcomes(fight.dice)) if fight.dice else [(0,)]
    wins, points, steps, retreats = 0, (Counter[int](), Counter[int]()), (Counter[int](), Counter[int]()), [0, 0]
    sides = (wave, defending)
    room = [sum(losses.steps_left(rules, state, u) for u in side if not rules.guns >> u & 1) for side in sides]
    for dice in ways:
        die = best_die(rules, state, fight, defending, dice) if len(dice) > 1 else dice[0]
        result = rules.tables.assault.result(fight.column, die)
        wins += attacker_wins(rules, state, defending, result)
        for who, line in enumerate(result):
            points[who][line.dp] += 1
            steps[who][min(line.steps, room[who])] += 1
            retreats[who] += line.retreat
    lost = (_row(points[0]), _row(points[1])), (_row(steps[0]), _row(steps[1]))
    return Odds(len(ways), wins, *lost, (retreats[0], retreats[1]))


def _row(found: Counter[int]) -> tuple[int, ...]:
    return tuple([found[number] for number in range(max(found) + 1)])
