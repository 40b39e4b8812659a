"""12.1, 12.2, 12.3, 10.1.2: the exact odds of fire, barrages and assaults as sheets, before one commits and while the
dice lie on the table; those of single dice are in `dice_sheets`.

They are counted in a state that is made from what the seat sees, so that nothing covered (22) shines through.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from fronte.engine.decision import AUTO, Action, Frame, IllegalAction, Refusal
from fronte.engine.recollection import NOTHING, Recollection
from fronte.engine.sheet import Fact, Row, Sheet
from fronte.games.caporetto import (
    aims,
    assault,
    barrages,
    countering,
    dice_sheets,
    fire,
    forecasts,
    imagined,
    marching,
    odds,
    seating,
    sightings,
    volleys,
)
from fronte.games.caporetto.acting import Assault, Storm, Support
from fronte.games.caporetto.actions import find
from fronte.games.caporetto.aftermath import Remain
from fronte.games.caporetto.artillery import PARTS
from fronte.games.caporetto.assailants import clash_of, is_held, waiting
from fronte.games.caporetto.assaulting import Next, Pick, best_wave, ratio
from fronte.games.caporetto.bombarding import Bombard
from fronte.games.caporetto.defending import Defend
from fronte.games.caporetto.engineers import Blow
from fronte.games.caporetto.falling_back import Farther, Retreat, groups
from fronte.games.caporetto.fire import Volley
from fronte.games.caporetto.gunnery import Interdict
from fronte.games.caporetto.headquarters import Hq
from fronte.games.caporetto.on_the_move import Cover
from fronte.games.caporetto.reactions import React
from fronte.games.caporetto.retreats import entry
from fronte.games.caporetto.state import Aim, State, put, units_of
from fronte.games.caporetto.tables import DIE, WHOLE_ALLOWANCE, Outcome
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

WAYS = DIE * DIE
"""12.1.5, 12.2.10: a die, and the second one of a star."""
MOST_COUNTED = 8
"""Of so many fires all dice are counted together; of more only what makes each of them is told."""
COVERED = "covered"


def sheet(rules: Caporetto, state: State, action: Action, seat: int, recalled: Recollection = NOTHING) -> Sheet:
    """The sheet of an action, as far as a seat can know; IllegalAction where no dice hang on it alone."""
    state, back = imagined.remembered(rules, rules.imagine(state, seat, None), seat, recalled)
    known = sightings.known(rules, state, seat)
    hexes = _aimed_at(rules, state, action)
    counted = [unit for unit in bits(back & ~known) if state.at[unit] in hexes]
    return _sheet(rules, state, action, known | back).remembering(rules.unit_ids(counted), recalled)


def _aimed_at(rules: Caporetto, state: State, action: Action) -> set[int]:
    """The hexes of the enemy that an answer is aimed at."""
    if isinstance(action, Bombard | Defend | Interdict):
        found = aims.read(rules, state, action.aims)
        return set() if isinstance(found, Refusal) else {aim[1] for aim in found}
    if isinstance(action, Support | countering.Assist | Assault | Storm | countering.Counter):
        return {rules.grid.index[action.target]}
    if isinstance(action, Next):
        return {rules.grid.index[action.hex]}
    return set()


def _sheet(rules: Caporetto, state: State, action: Action, known: int) -> Sheet:
    """The same in a state that was made for whoever asks, of whom it is said which units he knows or remembers."""
    frame = state.frames[-1]
    if isinstance(action, Bombard | Defend):
        return _of_volleys(rules, _designated(rules, state, action), known)
    if isinstance(action, marching.Shoot):
        _, here, there, by_road, _ = frame.args
        movers, firers = marching.targets(state, frame), rules.known(action.units)
        made = fire.infiltration(rules, state, movers, here, there, firers, bool(by_road))
        return _of_volleys(rules, [made], known)
    if isinstance(action, Support | countering.Assist):
        h = rules.grid.index[action.target]
        units = [unit for unit, at in assault.supports_now(state) if at == h]
        return _of_volleys(rules, [fire.bombardment(rules, state, h, (), [*units, rules.number[action.unit]])], known)
    if isinstance(action, Assault | Storm):
        wave = rules.known((action.unit, *action.along))
        state = _paid(rules, state, wave)
        return _of_assault(rules, state, forecasts.odds_of(rules, state, rules.grid.index[action.target], wave), known)
    if isinstance(action, countering.Counter):
        return _of_assault(rules, state, countering.foresee(rules, state, action), known)
    if isinstance(action, React):
        return dice_sheets.reaction(rules, find(rules, action.formation))
    if isinstance(action, Blow):
        return dice_sheets.charge(rules, frame.args[0])
    if isinstance(action, Hq):
        return dice_sheets.headquarters(rules, state, frame.args[0], rules.grid.index[action.hex])
    if isinstance(action, Interdict):
        return _of_barrages(rules, state, action, known)
    if isinstance(action, Cover):
        made = fire.bombardment(rules, state, frame.args[0], (), rules.known(action.units))
        return _of_volleys(rules, [made], known)
    if isinstance(action, Retreat):
        return _of_retreat(rules, state, action, known)
    if isinstance(action, Farther):
        return _of_second_hex(rules, state, action)
    if isinstance(action, Remain):
        return _of_next_wave(rules, state, frame.args[0], frame.args[1], known)
    if isinstance(action, Next):
        h = rules.grid.index[action.hex]
        if not is_held(rules, state, h, frame.args[0]):
            return Sheet("assault", 0, {}, (Fact("unheld", {}, "", "10.2.3"),))
        return _of_next_wave(rules, state, h, frame.args[0], known)
    if isinstance(action, Pick):
        return _of_one_die(rules, state, action.die)
    found = forecasts.foresee(rules, state, frame, action)
    if found is None:
        raise IllegalAction(Refusal("", "no_dice", {"do": str(action.__struct_config__.tag)}))
    return _of_assault(rules, state, found, known)


def _paid(rules: Caporetto, state: State, wave: Sequence[int]) -> State:
    """10.4: the state in which a declared assault is fought: forced marches of those who assault are paid for by then.
    As it is where somebody would surrender of it."""
    if not state.weary & mask_of(wave):
        return state
    then = state.copy()
    marching.tire(rules, then, [], wave)
    return then if all(then.at[unit] >= 0 for unit in wave) else state


def forecast(rules: Caporetto, state: State) -> Sheet | None:
    """12.1.4.D, 12.2.9.D, 12.3.3.D: what the throw on top of the stack can bring; None where that is not counted."""
    frame = state.frames[-1] if state.frames else None
    if frame is None:
        return None
    if frame.name in ("volley_die", "volley_star"):
        return _of_die(rules, volleys.volley_of(rules, state, frame.args), frame.args[len(volleys.TAKES) :])
    found = forecasts.foresee(rules, state, frame)
    return dice_sheets.forecast(rules, frame) if found is None else _of_assault(rules, state, found, -1)


# Fire


def _designated(rules: Caporetto, state: State, action: Bombard | Defend) -> list[Volley]:
    """12.1.3, 12.2.1: what the guns and units of an answer make at each of their targets, in the order of targets."""
    found = aims.read(rules, state, action.aims)
    assert not isinstance(found, Refusal), "only legal answers are weighed"
    by: dict[tuple[int, int], list[Aim]] = {}
    for aim in found:
        by.setdefault((aim[1], aim[3]), []).append(aim)
    made = []
    for (h, battery), shots in sorted(by.items()):
        guns = [aim for aim in shots if rules.guns >> aim[0] & 1]
        others = [aim[0] for aim in shots if not rules.guns >> aim[0] & 1]
        if isinstance(action, Defend):
            cases = volleys.cases(rules, state, h, [aim[0] for aim in guns])
            made.append(fire.defence(rules, state, h, others, cases, bool(state.frames[-1].args[0])))
        else:
            others += [unit for unit, at, _, kind in state.aims if (at, kind) == (h, battery)]
            shells = [aims.shot(rules, state, aim) for aim in guns]
            made.append(fire.bombardment(rules, state, h, shells, others, bool(battery)))
    return made


def _of_volleys(rules: Caporetto, made: Sequence[Volley], known: int, nobody: str = "") -> Sheet:
    """12.1.5, 12.2.10: what the dice of one fire, or of several together, can bring; `nobody`: to whom where nobody is
    there."""
    kind, unknown = fire.KINDS[made[0].kind], any(not _is_known(volley.targets, known) for volley in made)
    facts = _facts(rules, made[0]) if len(made) == 1 else [_target(rules, volley) for volley in made]
    left_out = (COVERED,) if unknown else ()
    if len(made) > MOST_COUNTED:
        return Sheet(kind, 0, {"targets": len(made)}, tuple(facts), (), left_out)
    found = [_ways(rules, volley) for volley in made]
    targets = [unit for volley in made for unit in volley.targets]
    who = rules.scene.forces[rules.force[targets[0]]] if targets else nobody
    rule = fire.RULES[made[0].kind]
    rows = [Row("points", _counts([one.dp for one in found[0]]), who, rule)] if len(made) == 1 else []
    rows += [
        Row("steps", _together([[one.steps for one in ways] for ways in found]), who, rule),
        Row("suppressed", _together([[int(one.suppressed) for one in ways] for ways in found]), who, rule),
    ]
    if any(volley.breaks for volley in made):
        hurt = [[int(one.trench and volley.breaks) for one in ways] for volley, ways in zip(made, found, strict=True)]
        rows.append(Row("trench_hurt", _together(hurt), who, "12.1.5.T"))
    return Sheet(kind, WAYS ** len(made), {"targets": len(made)}, tuple(facts), tuple(rows), left_out)


def _of_barrages(rules: Caporetto, state: State, action: Interdict, known: int) -> Sheet:
    """12.1.6: what barrages do to those who are there, each by dice of his own; where nobody is, to an enemy who comes.
    Fire of both sides on a hex is one barrage."""
    (force,) = state.frames[-1].args
    found = aims.read(rules, state, action.aims)
    assert not isinstance(found, Refusal), "only legal answers are weighed"
    foes, made = 1 - rules.scene.force_side[force], []
    for h in sorted({aim[1] for aim in found}):
        barrages.lay(rules, state, h, [aims.shot(rules, state, aim) for aim in found if aim[1] == h])
        due = barrages.due(rules, state, h, state.stacks.get(h, ()))
        made += [fire.interdiction(rules, state, h, units, foes) for units in barrages.apart(rules, due) or [()]]
    return _of_volleys(rules, made, known, rules.scene.forces[seating.foe(rules, force)])


def _ways(rules: Caporetto, volley: Volley) -> list[Outcome]:
    """12.1.5: what each way of the two dice brings; where there is no star the second counts for nothing."""
    dice = range(1, DIE + 1)
    found: list[Outcome] = []
    for die in dice:
        once = fire.cell(rules, volley, die)
        found += [fire.result(rules, volley, die, second) for second in dice] if once.again else [once] * DIE
    return found


def _of_die(rules: Caporetto, volley: Volley, first: Sequence[int]) -> Sheet:
    """12.1.4.D, 12.1.5: what one die brings, the first or that of a star; a star itself is another throw."""
    dice = [(*first, die) for die in range(1, DIE + 1)]
    found = [fire.result(rules, volley, fell[0], fell[-1] if first else 0) for fell in dice]
    who, rule = rules.scene.forces[rules.force[volley.targets[0]]], fire.RULES[volley.kind]
    rows = (
        Row("points", _counts([one.dp for one in found]), who, rule),
        Row("steps", _counts([one.steps for one in found]), who, rule),
        Row("suppressed", _counts([int(one.suppressed) for one in found]), who, rule),
    )
    return Sheet(fire.KINDS[volley.kind], DIE, {"targets": 1}, tuple(_facts(rules, volley)), rows)


def _counts(found: Sequence[int]) -> tuple[int, ...]:
    return tuple([found.count(number) for number in range(max(found) + 1)])


def _together(found: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """In how many ways of all dice there are 0, 1, 2 ... in all."""
    total = [1]
    for ways in found:
        each = _counts(ways)
        total = [
            sum(total[n - k] * many for k, many in enumerate(each) if 0 <= n - k < len(total))
            for n in range(len(total) + len(each) - 1)
        ]
    return tuple(total)


def _is_known(units: Iterable[int], known: int) -> bool:
    return all(known >> unit & 1 for unit in units)


def _facts(rules: Caporetto, volley: Volley) -> list[Fact]:
    """12.1.4, 12.2.9: the column, who fires with how many factors, what moves the column and the die."""
    facts = [_target(rules, volley)]
    facts += [
        Fact(one.key, {"unit": rules.ids[one.unit]} if one.unit >= 0 else {}, f"{one.amount / PARTS:g}", one.rule)
        for one in volley.factors
    ]
    facts += [Fact(one.key, {}, f"{one.amount:+d}", one.rule) for one in volley.shifts]
    return facts + ([Fact("road", {}, f"{volley.drm:+d}", "12.2.9.D")] if volley.drm else [])


def _target(rules: Caporetto, volley: Volley) -> Fact:
    columns, column = rules.tables.fire.columns, min(volley.column + volley.shift, len(rules.tables.fire.columns) - 1)
    told = columns[column] if column >= 0 else "-"
    return Fact("target", {"hex": rules.grid.ids[volley.hex]}, told, fire.RULES[volley.kind])


# Assaults


def _of_assault(rules: Caporetto, state: State, found: forecasts.Forecast, known: int) -> Sheet:
    """12.3.3: ratio, shifts and column, who wins, and what it costs both."""
    clash, fight, counted = found
    heading, table = "counter_assault" if clash.counter else "assault", rules.tables.assault
    strength = {"attack": fight.attack, "defence": fight.defence}
    facts = [Fact("strength", strength, ratio(table.columns, fight.base), "12.3.3.B")]
    facts += [Fact(shift.key, {}, f"{shift.amount:+d}", shift.rule) for shift in fight.shifts]
    facts.append(Fact("column", {}, ratio(table.columns, fight.column), "12.3.3.C"))
    if fight.dice > 1:
        facts.append(Fact("rommel", {}, "", "21.6.2"))
    left_out = () if _is_known((*clash.group, *clash.wave), known) else (COVERED,)
    mine = rules.scene.forces[rules.force[clash.wave[0]]]
    there = clash.group or units_of(rules, state, clash.hex, 1 - rules.side[clash.wave[0]])
    theirs = rules.scene.forces[rules.force[there[0]]]
    if not fight.dice:
        facts.append(Fact("void", {}, "", "12.3.3.C"))
        return Sheet(heading, 0, {"column": fight.column}, tuple(facts), (), left_out)
    of = counted.of
    rows = [Row("victory", (of - counted.wins, counted.wins), mine, "12.3.3.D")]
    for who, points, steps, retreats in zip((mine, theirs), counted.dp, counted.steps, counted.retreats, strict=True):
        rows.append(Row("points", points, who, "12.3.5.1"))
        rows.append(Row("steps", steps, who, "16.1"))
        rows.append(Row("retreats", (of - retreats, retreats), who, "12.3.5"))
    return Sheet(heading, of, {"column": min(fight.column, table.last)}, tuple(facts), tuple(rows), left_out)


def _of_next_wave(rules: Caporetto, state: State, h: int, counter: int, known: int) -> Sheet:
    """10.2.4: who holds a hex meets those who have not assaulted it yet, in a wave as strong as may be."""
    if not waiting(rules, state, h, counter):
        return Sheet("assault", 0, {}, (Fact("no_more_waves", {}, "", "10.2.4"),))
    wave = best_wave(rules, state, h, counter)
    found = forecasts.odds_of(rules, state, h, rules.known(wave.units), bool(counter), rules.number[wave.lead])
    return _of_assault(rules, state, found, known)


def _of_one_die(rules: Caporetto, state: State, die: int) -> Sheet:
    """21.6.2: what one of two dice that have fallen would give."""
    clash = clash_of(state.frames[-1].args)
    fight, side = odds.weigh(rules, state, clash), rules.side[clash.wave[0]]
    defending = assault.defenders(rules, state, clash.hex, 1 - side)
    result = rules.tables.assault.result(fight.column, die)
    forces = [rules.scene.forces[rules.force[units[0]]] for units in (clash.wave, defending or clash.wave)]
    wins = int(odds.attacker_wins(rules, state, defending, result))
    rows = [Row("victory", (1 - wins, wins), forces[0], "12.3.3.D")]
    for who, line in zip(forces, result, strict=True):
        # neither points nor steps are a matter of yes and no: there is room for more
        rows.append(Row("points", (*(0,) * line.dp, 1, 0), who, "12.3.5.1"))
        rows.append(Row("steps", (*(0,) * line.steps, 1, 0), who, "16.1"))
        rows.append(Row("retreats", (int(not line.retreat), int(line.retreat)), who, "12.3.5"))
    column = Fact("column", {}, ratio(rules.tables.assault.columns, fight.column), "12.3.3.C")
    return Sheet("assault", 1, {}, (column,), tuple(rows))


# 12.3.5: retreats


def _of_retreat(rules: Caporetto, state: State, action: Retreat, known: int) -> Sheet:
    """12.3.5.1.e1, 12.3.5.4, 12.3.5.5: what meets those who retreat to a hex: the points of a cliff, the fire of
    all who may fire at them on the way, and the barrage of the hex."""
    units, to = rules.known(action.units), rules.grid.index[action.hex]
    here, side = state.at[units[0]], rules.side[units[0]]
    climbs = any(entry(rules, state, unit, here, to) == WHOLE_ALLOWANCE for unit in units)
    facts = (Fact("climbed", {"n": rules.tables.number("retreat", "cliff_dp")}, "", "12.3.5.1.e1"),) if climbs else ()
    for unit in units:
        put(rules, state, unit, to)
    firers = marching.firers(rules, state, Frame("passing", AUTO, (units, here, to, 0, 1)))
    made = [fire.infiltration(rules, state, units, here, to, firers)] if firers else []
    made = [volley for volley in made if volley.column + volley.shift >= 0]  # too weak a fire is asked of nobody
    due = barrages.due(rules, state, to, units)
    made += [fire.interdiction(rules, state, to, targets, 1 - side) for targets in barrages.apart(rules, due)]
    if made:
        met = _of_volleys(rules, made, known)
        left_out = () if _is_known(firers, known) else (COVERED,)
        return msgspec.structs.replace(met, heading="retreat", facts=facts + met.facts, unknown=left_out)
    return Sheet("retreat", 1, {}, (*facts, Fact("unharmed", {}, "", "12.3.5.4")))


def _of_second_hex(rules: Caporetto, state: State, action: Farther) -> Sheet:
    """12.3.5.7: how many of those who go farther rout, each by a die of its own above its morale."""
    able = groups(rules, state, *state.frames[-1].args)
    units = [unit for name in action.hexes for unit in able[rules.grid.index[name]]]
    routed = _together([[int(die > rules.morale[unit]) for die in range(1, DIE + 1)] for unit in units])
    who = rules.scene.forces[rules.force[units[0]]]
    facts = [Fact("die_of", {"unit": rules.ids[unit], "n": rules.morale[unit]}, "", "12.3.5.7") for unit in units]
    return Sheet("second_hex", DIE ** len(units), {}, tuple(facts), (Row("routs", routed, who, "12.3.5.7"),))
