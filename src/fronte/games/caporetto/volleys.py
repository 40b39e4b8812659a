"""12.1.4, 12.2.9: the dice of a fire, one after another, and how its losses are shared out.

Whoever fires lays a volley on the stack (`lay`, or one of those below it). When its turn comes, who fires and who is
hit is looked up anew: a volley at targets that are gone does nothing. Bombardment and defensive fire, which are
designated before the first of them is resolved, are in `State.aims`; `fire_on` takes one target after another from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.caporetto import artillery, assault, barrages, fire, losses, observation, panels, seating
from fronte.games.caporetto.artillery import PARTS, Shot
from fronte.games.caporetto.fire import (
    ASTRAY,
    BARRAGE,
    BLOW,
    BOMBARDMENT,
    DEFENCE,
    INFILTRATION,
    KINDS,
    Losses,
    Odds,
    Volley,
)
from fronte.games.caporetto.state import State
from fronte.games.caporetto.tables import DIE, NOTHING, Outcome
from fronte.games.caporetto.terrain import ITALIAN
from fronte.games.common.positions import HEX, PLACE, UNITS

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST_LISTED = 60
"""So many ways to share out steps are listed; the panel has what any other is made of."""
MOST = 40
"""More than stand in a hex, or fire at one."""
MOST_FACTORS = 10_000 * PARTS
SAME_ROLL = "same-roll"
STEPS = "assault_step defend_step complete mobile_over"
"""What a step of fire lies on,"""
MOVES = "act look_round march passing move_guns move_others launch counter_more"
"""moves that are fired at,"""
RETREATS = "storm pull_back go_back go_home"
"""those that lead out of an assault, into the hex that was left or home,"""
GUNNERY = "artillery_step barrages_fall prepare_step"
"""and the Artillery Phase."""
BELOW = f"fire_on volley {STEPS} {MOVES} {RETREATS} {GUNNERY}"
"""The frames that a fire can lie on."""
TAKES = (
    Argument("kind", NUMBER, 0, len(KINDS) - 1),
    Argument("hex", HEX),
    Argument("from", PLACE),
    Argument("targets", UNITS, 0, MOST),
    Argument("firers", UNITS, 0, MOST),
    Argument("number", NUMBER, 0, MOST_FACTORS),
    Argument("flag", NUMBER, 0, 1),
)
"""`from` is where those come from who are fired at on their way. `number`: what has gone astray, or the column of mines
and gas. `flag`: at guns in place, what hurts trenches, mines and not gas, against a counter-assault, along a road."""
Args = tuple[int, int, int, tuple[int, ...], tuple[int, ...], int, int]


# Volleys are laid


def lay(
    rules: Caporetto,
    state: State,
    kind: int,
    h: int,
    here: int,
    targets: Iterable[int] = (),
    firers: Iterable[int] = (),
    number: int = 0,
    flag: bool = False,
) -> None:
    """12.1.4, 12.2.9: a fire is resolved next, above whatever is on top of the stack. Of bombardment, defensive fire,
    mines and gas `targets` and `firers` are found when its turn comes."""
    args = (kind, h, here, tuple(targets), tuple(firers), number, int(flag))
    state.frames.append(Frame("volley", AUTO, args))


def bombard(rules: Caporetto, state: State, h: int, battery: bool) -> None:
    """12.1.4, 12.1.7: guns that aim at one kind of target in a hex, with those who support."""
    if not battery:
        aim_supports(state, h)
    lay(rules, state, BOMBARDMENT, h, h, flag=battery)


def aim_supports(state: State, h: int = -1) -> None:
    """12.1.7: those who support, all of them or those against a hex, fire with the guns."""
    aimed = {aim[0] for aim in state.aims}
    found = [(unit, at) for unit, at in assault.supports_now(state) if h in (-1, at) and unit not in aimed]
    state.aims = (*state.aims, *[(unit, at, 0, 0) for unit, at in found])


def barrage(rules: Caporetto, state: State, h: int, units: Iterable[int]) -> None:
    """12.1.6.e2, `interdiction_roll`: units that are in a hex, or have entered it, suffer its barrage if they have not
    yet: one after another, or all by one die."""
    for targets in reversed(barrages.apart(rules, barrages.due(rules, state, h, units))):
        lay(rules, state, BARRAGE, h, h, targets)


def defend(rules: Caporetto, state: State, h: int, counter: bool) -> None:
    """12.2.9: those who aim at a hex fire defensively; `counter`: at a counter-assault (12.4.3)."""
    lay(rules, state, DEFENCE, h, h, flag=counter)


def infiltration(
    rules: Caporetto, state: State, movers: Iterable[int], here: int, there: int, firers: Iterable[int], by_road: bool
) -> None:
    """10.1.2: enemies fire at units that have stepped from a hex to the next."""
    lay(rules, state, INFILTRATION, there, here, movers, firers, flag=by_road)


def blow(rules: Caporetto, state: State, h: int, column: int, mines: bool) -> None:
    """24.13: mines go up, or gas is blown, in a hex of the Italians."""
    lay(rules, state, BLOW, h, h, number=column, flag=mines)


# Who fires at whom now


def now(rules: Caporetto, state: State, args: Args) -> Args | None:
    """The same fire with those who fire and those who are hit as they are now; None if there is nobody left."""
    kind, h, here, targets, firers, number, flag = args
    if kind == BOMBARDMENT:
        firers = aiming(state, h, flag)
        targets = fire.targets_in(rules, state, h, 1 - rules.side[firers[0]], bool(flag)) if firers else ()
    elif kind == DEFENCE:
        firers, targets = aiming(state, h, 0), fire.aimed_at(rules, state, h)
    elif kind == BARRAGE:
        targets = barrages.due(rules, state, h, [unit for unit in targets if state.at[unit] == h])
    elif kind == BLOW:
        targets = fire.blow(rules, state, h, number, bool(flag), ITALIAN).targets
    elif kind == ASTRAY:
        found = fire.stray(rules, state, h, number, bool(flag))
        targets = found.targets if found else ()
    else:
        firers = tuple([unit for unit in firers if state.at[unit] >= 0])
        off = rules.flamethrowers
        targets = tuple([unit for unit in targets if state.at[unit] == h and not off >> unit & 1])
    if not targets or (not firers and kind in (BOMBARDMENT, DEFENCE, INFILTRATION)):
        return None
    return kind, h, here, targets, firers, number, flag


def aiming(state: State, h: int, battery: int) -> tuple[int, ...]:
    """12.1.3, 12.2.1: those still on the map that aim at a hex, and at one kind of target in it."""
    return tuple([unit for unit, at, _, kind in state.aims if (at, kind) == (h, battery) and state.at[unit] >= 0])


def volley_of(rules: Caporetto, state: State, args: Sequence[Any]) -> Volley:
    """12.1.4, 12.2.9: what a throw that waits is about."""
    kind, h, here, targets, firers, number, flag = args[: len(TAKES)]
    if kind == BOMBARDMENT:
        guns = [unit for unit in firers if rules.guns >> unit & 1]
        supports = [unit for unit in firers if not rules.guns >> unit & 1]
        shots = _shots(rules, state, h, guns, flag)
        counter = rules.side[firers[0]] != rules.scene.force_side[state.active]  # 12.4.2: who does not act supports
        return fire.bombardment(rules, state, h, shots, supports, bool(flag), counter)
    if kind == BARRAGE:
        return fire.interdiction(rules, state, h, targets)
    if kind == BLOW:
        return fire.blow(rules, state, h, number, bool(flag), ITALIAN)
    if kind == ASTRAY:
        found = fire.stray(rules, state, h, number, bool(flag))
        assert found is not None, "somebody is there, or nothing would have been laid"
        return found
    if kind == DEFENCE:
        units = [unit for unit in firers if not rules.guns >> unit & 1]
        guns = [unit for unit in firers if rules.guns >> unit & 1]
        return fire.defence(rules, state, h, units, cases(rules, state, h, guns), bool(flag))
    return fire.infiltration(rules, state, targets, here, h, firers, bool(flag))


def _shots(rules: Caporetto, state: State, h: int, guns: Sequence[int], battery: int) -> list[Shot]:
    """12.1.4.A, 18.9: guns with what they have now, groups with their share."""
    shares = {unit: points for unit, at, points, kind in state.aims if (at, kind) == (h, battery)}
    return [Shot(gun, shares[gun] or artillery.factor(rules, state, gun)) for gun in guns]


def cases(rules: Caporetto, state: State, h: int, guns: Sequence[int]) -> list[tuple[int, str]]:
    """12.2.4: guns with the case by which each fires defensively at a hex; empty words where by none."""
    if not guns:
        return []
    observed = observation.in_defence(rules, state, rules.side[guns[0]])
    marked = fire.is_assault(state, h)
    return [(gun, artillery.defence_case(rules, state, gun, h, marked, observed)) for gun in guns]


# One after another


def _fire_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    return "" if frame.args[0] in (BOMBARDMENT, DEFENCE) else "no such fire is designated before it is resolved"


@CHAPTER.step(
    "12.1.4",
    "12.2.9",
    on=STEPS,
    secrets=open_to_all,
    takes=(Argument("kind", NUMBER, BOMBARDMENT, DEFENCE), Argument("counter", NUMBER, 0, 1)),
    fault=_fire_fault,
)
def fire_on(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.1.4, 12.2.9: the next target of those that were designated; when none is left, the step of fire is over."""
    kind, counter = frame.args
    if not state.aims:
        if kind == BOMBARDMENT:
            artillery.close(rules, state)
        return
    _, h, _, battery = state.aims[0]
    state.frames.append(frame)
    lay(rules, state, kind, h, h, flag=bool(battery if kind == BOMBARDMENT else counter))


def _laid_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    """A fire has its column, and those who are fired at on their way come from the next hex."""
    kind, h, here, _, _, number, _ = frame.args[: len(TAKES)]
    if kind == BLOW and number >= len(rules.tables.fire.columns):
        return "there is no such column"
    if kind == INFILTRATION and (here < 0 or not rules.grid.ring[h] >> here & 1):
        return "nobody comes from there"
    return ""


def _fault(rules: Caporetto, state: State, frame: Frame) -> str:
    """A throw waits for what is there to be fired at."""
    found = _laid_fault(rules, state, frame)
    if not found and now(rules, state, frame.args[: len(TAKES)]) != frame.args[: len(TAKES)]:
        return "nobody fires so at whom it names"
    return found


@CHAPTER.step("12.1.4", "12.2.9", on=BELOW, secrets=open_to_all, takes=TAKES, fault=_laid_fault, once=False)
def volley(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.1.4, 12.2.9: the turn of a volley has come. No die is thrown where none could bring anything."""
    found = now(rules, state, frame.args)
    if found is None:
        _forget(state, frame.args)
        return
    made = volley_of(rules, state, found)
    if fire.is_idle(made):
        _land(rules, state, found, made, NOTHING, (), out)
    else:
        rules.laid = state, found, made
        state.frames.append(Frame("volley_die", CHANCE, found))


def _forget(state: State, args: Sequence[Any]) -> None:
    """12.1.4, 12.2.9: those who aimed at this target have fired."""
    kind, h, battery = args[0], args[1], args[6]
    if kind == BOMBARDMENT:
        state.aims = tuple([aim for aim in state.aims if (aim[1], aim[3]) != (h, battery)])
    elif kind == DEFENCE:
        state.aims = tuple([aim for aim in state.aims if aim[1] != h])


# The dice


@CHAPTER.throw(1, "12.1.4.D", "12.2.9.D", on=BELOW, secrets=open_to_all, takes=TAKES, fault=_fault)
def volley_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """12.1.4.D, 12.2.9.D: the die of a fire."""
    _read(rules, state, frame.args, dice[0], out)


def _read(rules: Caporetto, state: State, args: Args, die: int, out: list[Event]) -> None:
    """12.1.5, 12.2.10: what the chart says; a star asks for a second die."""
    laid = rules.laid  # nothing happens between the volley and its die, so that it is as it was then
    made = laid[2] if laid and laid[0] is state and laid[1] is args else volley_of(rules, state, args)
    rules.laid = None
    if fire.cell(rules, made, die).again:
        state.frames.append(Frame("volley_star", CHANCE, (*args, die)))
    else:
        _land(rules, state, args, made, fire.result(rules, made, die), (die,), out)


@CHAPTER.throw(
    1,
    "12.1.5",
    "12.2.10",
    on=BELOW,
    secrets=open_to_all,
    takes=(*TAKES, Argument("die", NUMBER, 1, DIE)),
    fault=_fault,
)
def volley_star(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """12.1.5, 12.2.10: the second die of a star."""
    *args, die = frame.args
    made = volley_of(rules, state, args)
    _land(rules, state, args, made, fire.result(rules, made, die, dice[0]), (die, dice[0]), out)


def _land(
    rules: Caporetto,
    state: State,
    args: Sequence[Any],
    made: Volley,
    found: Outcome,
    dice: tuple[int, ...],
    out: list[Event],
) -> None:
    """12.1.5, 12.2.10: a fire does what it does; after its losses something of it may go astray (12.1.5.6)."""
    lost = fire.strike(rules, state, made, found, dice, out)
    _forget(state, args)
    if dice and fire.goes_astray(rules, state, made, dice[0]):
        state.frames.append(Frame("astray_die", CHANCE, (made.hex, made.loose, int(made.loose_breaks))))
    ask_losses(rules, state, made.kind, made.hex, lost, out)


# 12.1.5.6: friendly fire


@CHAPTER.throw(
    1,
    "12.1.5.6",
    on=BELOW,
    secrets=open_to_all,
    takes=(Argument("hex", HEX), Argument("loose", NUMBER, 1, MOST_FACTORS), Argument("breaks", NUMBER, 0, 1)),
)
def astray_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """12.1.5.6, `friendly_fire_roll`: the hex beside the target on which something falls too: by the six that was
    thrown, or by a die of its own."""
    h, loose, breaks = frame.args
    there = rules.grid.neighbours[h][dice[0] - 1]
    found = fire.stray(rules, state, there, loose, bool(breaks))
    if there >= 0:
        units = rules.unit_ids(found.targets) if found else ()
        out.append(
            Event("astray", ("12.1.5.6",), {"hex": rules.grid.ids[h], "to": rules.grid.ids[there], "units": units})
        )
    if found is None:
        return
    args = (ASTRAY, there, there, found.targets, (), loose, breaks)
    if rules.option["friendly_fire_roll"] == SAME_ROLL and not fire.is_idle(found):
        _read(rules, state, args, rules.tables.fire.friendly_fire, out)
    else:
        state.frames.append(Frame("volley", AUTO, args))


# What the throw on top can bring


def forecast(rules: Caporetto, state: State) -> Odds | None:
    """12.1.5, 12.1.5.6, 12.2.10: the exact odds of the throw of a fire that waits on top of the stack; None if none
    does. What may go astray of it is another throw."""
    top = state.frames[-1] if state.frames else None
    if top is None:
        return None
    if top.name == "volley_die":
        return fire.odds(rules, volley_of(rules, state, top.args))
    if top.name == "volley_star":
        made = volley_of(rules, state, top.args)
        return _counted(fire.result(rules, made, top.args[-1], second) for second in range(1, DIE + 1))
    return _odds_astray(rules, state, top) if top.name == "astray_die" else None


def _odds_astray(rules: Caporetto, state: State, frame: Frame) -> Odds:
    """12.1.5.6: over all hexes beside the target, and all dice that are thrown after that."""
    h, loose, breaks = frame.args
    same = rules.option["friendly_fire_roll"] == SAME_ROLL
    dice = (rules.tables.fire.friendly_fire,) if same else tuple(range(1, DIE + 1))
    found, breaks_there = [], []
    for there in rules.grid.neighbours[h]:
        made = fire.stray(rules, state, there, loose, bool(breaks))
        for die, second in product(dice, range(1, DIE + 1)):
            found.append(fire.result(rules, made, die, second) if made else NOTHING)
            breaks_there.append(bool(breaks))
    return _counted(found, breaks_there)


def _counted(found: Iterable[Outcome], breaks: Sequence[bool] = ()) -> Odds:
    """Each of these ways is as likely as the others."""
    found = tuple(found)
    points, steps = Counter([one.dp for one in found]), Counter([one.steps for one in found])
    hurt = sum(one.trench and able for one, able in zip(found, breaks, strict=False))
    rows = [tuple([row[n] for n in range(max(row) + 1)]) for row in (points, steps)]
    return Odds(len(found), rows[0], rows[1], sum(one.suppressed for one in found), hurt)


# 12.1.5.D, 12.2.10: who loses steps


def owner(rules: Caporetto, state: State, units: Sequence[int]) -> int:
    """12.1.5.D, 24.3.start: the seat that decides for units that were hit."""
    return seating.decides(rules, state, units)


def ask_losses(rules: Caporetto, state: State, kind: int, h: int, lost: Losses, out: list[Event]) -> None:
    """12.1.5.D, 12.2.10: steps are shared out, by their owner where there are several ways."""
    if not lost.steps:
        return
    splits = losses.even_splits(rules, state, lost.units, lost.steps)
    if len(splits) == 1:
        losses.take(rules, state, splits[0], out, _rule(kind))
        return
    seat = owner(rules, state, lost.units)
    state.frames.append(Frame("share_losses", seat, (kind, h, lost.units, lost.steps)))


def _rule(kind: int) -> str:
    return "12.1.5.D" if kind < DEFENCE else "12.2.10"


class Share(Action, frozen=True):
    """12.1.5.D, 12.2.10: these units lose a step each; one that is named twice, two."""

    form = "share {units}"
    units: tuple[str, ...]


def offer_of_losses(
    rules: Caporetto, state: State, units: Iterable[int], best: Action, legal: Iterator[Action]
) -> dict[str, Any]:
    """16.1: the first ways to share out steps, the one that costs least, and how many each unit has."""
    listed = list(islice(legal, MOST_LISTED))
    return {
        "actions": [msgspec.to_builtins(action) for action in listed],
        **({"more": True} if len(listed) == MOST_LISTED else {}),
        "best": msgspec.to_builtins(best),
        "steps": {rules.ids[unit]: losses.steps_left(rules, state, unit) for unit in units},
    }


def _losses_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    _, h, units, _ = frame.args
    if any(state.at[unit] != h for unit in units):
        return "it names who is not there"
    return ""


@CHAPTER.choice(
    on=f"{BELOW} astray_die",
    seats=anybody,
    takes=(
        Argument("kind", NUMBER, 0, len(KINDS) - 1),
        Argument("hex", HEX),
        Argument("units", UNITS, 1, MOST),
        Argument("steps", NUMBER, 1, 9),
    ),
    fault=_losses_fault,
)
class ShareLosses(Choice["Caporetto", State]):
    """12.1.5.D, 12.2.10: which units lose the steps of a fire, as evenly as possible."""

    name = "share_losses"
    rules = ("12.1.5.D", "12.2.10")
    verbs = (Share,)
    panel = panels.LOSSES

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        _, _, units, steps = frame.args
        for split in losses.even_splits(rules, state, units, steps):
            yield Share(rules.unit_ids(split))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Share)
        kind, h, units, steps = frame.args
        named = [rules.number.get(name, -1) for name in action.units]
        if -1 in named:
            return rules.unknown_unit(action.units[named.index(-1)])
        if tuple(sorted(named)) in losses.even_splits(rules, state, units, steps):
            return None
        return Refusal(_rule(kind), "not_even", {"hex": rules.grid.ids[h], "steps": steps})

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Share)
        state.frames.pop()
        losses.take(rules, state, rules.known(action.units), out, _rule(frame.args[0]))

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        _, _, units, steps = frame.args
        best = losses.best_split(rules, state, losses.even_splits(rules, state, units, steps))
        return offer_of_losses(rules, state, units, Share(rules.unit_ids(best)), self.legal(rules, state, frame))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        kind, h, units, steps = frame.args
        return {"fire": KINDS[kind], "hex": rules.grid.ids[h], "units": rules.unit_ids(units), "steps": steps}
