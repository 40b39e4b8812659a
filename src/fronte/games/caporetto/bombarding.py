"""12.1.3, 12.1.4, 12.1.7: step B. The guns of an action and those who support designate their targets, then each target
is resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, permutations
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.caporetto import aims, artillery, assault, fire, observation, panels, seating, volleys
from fronte.games.caporetto.aims import Barrel, Pair, Target
from fronte.games.caporetto.fire import BOMBARDMENT
from fronte.games.caporetto.state import Aim, State
from fronte.hexes import bits, nth

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST_OFFERED = 200
"""So many answers are listed beside the targets, which say all."""


class Bombard(Action, frozen=True):
    """12.1.3: guns, each with its target; who is not named does not fire."""

    form = "bombard {aims:=}"
    odds = True
    aims: tuple[Pair, ...]


class Hold(Action, frozen=True):
    """12.1.3, 12.2: nobody fires (any more)."""

    form = "hold"


class Resolve(Action, frozen=True):
    """12.1.4: the targets, in the order in which they are resolved."""

    form = "resolve {targets}"
    targets: tuple[str, ...]


# Who reaches what


def assigned(state: State) -> int:
    """7.3, 7.4, 12.1.3: the guns of the formations that act."""
    found = 0
    for _, guns in state.pool:
        found |= guns
    return found


class Field(NamedTuple):
    """12.1.3: what a gun can fire at: the hexes with units, and those with guns in place."""

    gun: int
    hexes: tuple[int, int]


def fields(rules: Caporetto, state: State, guns: int, side: int, observed: int, barred: int = 0) -> list[Field]:
    """12.1, 12.1.3: of these guns those that can fire at something of a side, if these hexes are observed for all of
    them and some are barred."""
    reach: dict[int, int] = {}
    within = 0
    for gun in bits(artillery.ready(rules, state, 1 - side, guns)):
        reach[gun] = _reach(rules, state, gun, observed, barred)
        within |= reach[gun]
    units, guns_there = (fire.hexes_to_bombard(rules, state, side, battery, within) for battery in (False, True))
    return [Field(gun, (able & units, able & guns_there)) for gun, able in reach.items() if able & (units | guns_there)]


def _reach(rules: Caporetto, state: State, gun: int, observed: int, barred: int) -> int:
    """12.1, 12.1.1: the hexes at which a gun can fire that are not barred, whoever is there."""
    able = artillery.covers(rules, state, gun) & observation.for_gun(rules, state, gun, observed) & ~barred
    return able & rules.home(gun) if rules.option["cross_sector_fire"] == "common-only" else able


def is_any(rules: Caporetto, state: State, guns: int, side: int, observed: int, barred: int = 0) -> bool:
    """12.1.3: has one of these guns something of a side to fire at (`fields`)? Most often the first has."""
    there = state.occ[side] | state.guns[side]
    for gun in bits(artillery.ready(rules, state, 1 - side, guns)):
        able = _reach(rules, state, gun, observed, barred) & there
        if able and any(fire.hexes_to_bombard(rules, state, side, battery, able) for battery in (False, True)):
            return True
    return False


def barrels(rules: Caporetto, state: State, found: Iterable[Field]) -> list[Barrel]:
    """12.1.3, 18.9: the same with all targets, and the points of groups."""
    return [
        Barrel(
            gun,
            tuple([(h, battery) for battery in (0, 1) for h in bits(hexes[battery])]),
            artillery.left(rules, state, gun) if rules.groups >> gun & 1 else 0,
        )
        for gun, hexes in found
    ]


def few_barrels(rules: Caporetto, state: State, found: Iterable[Field], rng: Random) -> list[Barrel]:
    """The same with two targets of each at random, for who draws one."""
    return [
        Barrel(
            gun,
            (some_target(hexes, rng), some_target(hexes, rng)),
            artillery.left(rules, state, gun) if rules.groups >> gun & 1 else 0,
        )
        for gun, hexes in found
    ]


def some_target(hexes: tuple[int, int], rng: Random) -> Target:
    """One of the targets of a gun at random."""
    units = hexes[0].bit_count()
    number = rng.randrange(units + hexes[1].bit_count())
    return (nth(hexes[0], number), 0) if number < units else (nth(hexes[1], number - units), 1)


def why_no_aims(
    rules: Caporetto, state: State, found: Iterable[Aim], guns: int, side: int, observed: int
) -> Refusal | None:
    """12.1, 12.1.1, 12.1.3, 18.9: why guns cannot fire so at a side."""
    for aim in found:
        gun, h, _, battery = aim
        data = {"unit": rules.ids[gun], "hex": rules.grid.ids[h]}
        if not rules.guns >> gun & 1 or not guns >> gun & 1:
            return Refusal("12.1.3", "not_assigned", data)
        why = why_no_aim(rules, state, aim, observed)
        if why is not None:
            return why
        if not fire.targets_in(rules, state, h, side, bool(battery)):
            return Refusal("12.1.3", "no_guns_there", data) if battery else Refusal("12.1.3", "nobody_there", data)
    return None


def why_no_aim(rules: Caporetto, state: State, aim: Aim, observed: int) -> Refusal | None:
    """12.1, 12.1.1, 18.9: why a gun cannot fire at a hex at all, whoever is there."""
    gun, h, _, _ = aim
    why = artillery.why_not_ready(rules, state, gun)
    if why is not None:
        return why
    seen = observation.for_gun(rules, state, gun, observed)
    return artillery.why_no_shot(rules, state, aims.shot(rules, state, aim), h, seen)


def volleys_at(rules: Caporetto, state: State, able: Iterable[Barrel]) -> dict[Target, fire.Volley]:
    """12.1.4: by target what all who reach it would fire together."""
    shots: dict[Target, list[artillery.Shot]] = {}
    for barrel in able:
        for target in barrel.targets:
            shots.setdefault(target, []).append(artillery.all_of(rules, state, barrel.unit))
    found = {}
    for (h, battery), fired in shots.items():
        supports = [] if battery else [unit for unit, at in assault.supports_now(state) if at == h]
        found[h, battery] = fire.bombardment(rules, state, h, fired, supports, bool(battery))
    return found


def targets_of(state: State) -> tuple[Target, ...]:
    """12.1.4: the targets that were designated, in the order in which they are resolved."""
    return tuple(dict.fromkeys((h, battery) for _, h, _, battery in state.aims))


def order_matters(rules: Caporetto, state: State) -> bool:
    """12.1.4: can it change anything which target is resolved first? Where two are in one hex, whose trench may suffer,
    or where something may go astray onto another target or onto those who are still to fire."""
    targets = targets_of(state)
    if len({h for h, _ in targets}) < len(targets):
        return True
    if len(targets) < 2 or not fire.can_stray(rules, state):
        return False
    for h, battery in targets:
        guns = [gun for gun in volleys.aiming(state, h, battery) if rules.guns >> gun & 1]
        if all(observation.sees(rules, state, gun, h) for gun in guns):
            continue
        beside = rules.grid.ring[h]
        for unit, at, _, kind in state.aims:
            if (at, kind) != (h, battery) and (beside >> at & 1 or beside >> state.at[unit] & 1):
                return True
    return False


# The step


@CHAPTER.step("12.1.3", "12.1.7", on=volleys.STEPS, secrets=open_to_all)
def bombard_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.1.3: step B. Only who has a target is asked."""
    state.step, state.aims = "bombard", ()
    volleys.aim_supports(state)
    state.frames.append(Frame("fire_on", AUTO, (BOMBARDMENT, 0)))
    seat = seating.active_seat(rules, state)
    if _is_asked(rules, state):
        state.frames.append(Frame("bombard", seat))
    else:
        ask_order(rules, state)


def ask_order(rules: Caporetto, state: State) -> None:
    """12.1.4: who fires chooses the order of the targets, where it can matter."""
    if order_matters(rules, state):
        state.frames.append(Frame("fire_order", seating.active_seat(rules, state)))


def _guns(rules: Caporetto, state: State) -> int:
    """12.1.3, 24.12: the guns that may bombard in this action."""
    side = rules.scene.force_side[state.active]
    return assigned(state) if artillery.bombards_in_actions(rules, state, side) else 0


def _fields(rules: Caporetto, state: State) -> list[Field]:
    side, guns = rules.scene.force_side[state.active], _guns(rules, state)
    if not guns:
        return []
    observed = observation.in_bombardment(rules, state, side, state.reach)
    return fields(rules, state, guns, 1 - side, observed)


def _is_asked(rules: Caporetto, state: State) -> bool:
    """12.1.3: has a gun of the action a target?"""
    side, guns = rules.scene.force_side[state.active], _guns(rules, state)
    if not guns:
        return False
    return is_any(rules, state, guns, 1 - side, observation.in_bombardment(rules, state, side, state.reach))


def all_barrels(rules: Caporetto, state: State) -> list[Barrel]:
    """12.1.3: the guns of the action, with what each can bombard."""
    return barrels(rules, state, _fields(rules, state))


def active(rules: Caporetto, state: State, frame: Frame) -> tuple[int, ...]:
    """Who acts."""
    return (seating.active_seat(rules, state),)


@CHAPTER.choice(on="fire_on", seats=active)
class Bombardment(Choice["Caporetto", State]):
    """12.1.3: all guns of the action designate their targets at once."""

    name = "bombard"
    rules = ("12.1.3", "12.1.4", "18.9")
    verbs = (Bombard, Hold)
    panel = aims.PANEL

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Hold()
        for pairs in aims.answers(rules, all_barrels(rules, state)):
            yield Bombard(pairs)

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        pairs = aims.drawn(rules, few_barrels(rules, state, _fields(rules, state), rng), rng)
        return Bombard(pairs) if pairs else Hold()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Hold):
            return None
        assert isinstance(action, Bombard)
        found = aims.read(rules, state, action.aims)
        if isinstance(found, Refusal):
            return found
        if not found:
            return Refusal("12.1.3", "nobody_fires")
        side = rules.scene.force_side[state.active]
        observed = observation.in_bombardment(rules, state, side, state.reach)
        return why_no_aims(rules, state, found, _guns(rules, state), 1 - side, observed)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Bombard):
            found = aims.read(rules, state, action.aims)
            assert not isinstance(found, Refusal)
            artillery.spend(rules, state, [aims.shot(rules, state, aim) for aim in found])
            state.aims = (*found, *state.aims)
            aims.tell(rules, found, BOMBARDMENT, "12.1.3", out)
        ask_order(rules, state)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        able = all_barrels(rules, state)
        return offer_of(
            rules, state, frame, able, volleys_at(rules, state, able), self.legal(rules, state, frame), "bombard"
        )


def offer_of(
    rules: Caporetto,
    state: State,
    frame: Frame,
    able: list[Barrel],
    made: dict[Target, fire.Volley],
    legal: Iterator[Action],
    verb: str,
) -> dict[str, Any]:
    """The targets with who reaches them, and so many answers that nobody is stuck."""
    listed = list(islice(legal, MOST_OFFERED))
    targets = aims.offered(rules, state, frame.seat, able, made)
    points = {rules.ids[one.unit]: one.points / artillery.PARTS for one in able if one.points}
    return {
        "actions": [msgspec.to_builtins(action) for action in listed],
        **({"more": True} if len(listed) == MOST_OFFERED else {}),
        "verb": verb,
        "field": "aims",
        "targets": {told: msgspec.to_builtins(target) for told, target in targets.items()},
        **({"points": points} if points else {}),
    }


@CHAPTER.choice(on="fire_on", seats=active)
class FireOrder(Choice["Caporetto", State]):
    """12.1.4: in which order the targets that were designated are resolved."""

    name = "fire_order"
    rules = ("12.1.4",)
    verbs = (Resolve,)
    panel = panels.ORDER

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for order in permutations(targets_of(state)):
            yield Resolve(tuple([aims.word(rules, target) for target in order]))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        order = [aims.word(rules, target) for target in targets_of(state)]
        rng.shuffle(order)
        return Resolve(tuple(order))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Resolve)
        wanted = [aims.word(rules, target) for target in targets_of(state)]
        return None if sorted(action.targets) == sorted(wanted) else Refusal("12.1.4", "not_the_targets")

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Resolve)
        state.frames.pop()
        place = {told: number for number, told in enumerate(action.targets)}
        state.aims = tuple(sorted(state.aims, key=lambda aim: place[aims.word(rules, (aim[1], aim[3]))]))

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        listed = list(islice(self.legal(rules, state, frame), MOST_OFFERED))
        more = {"more": True} if len(listed) == MOST_OFFERED else {}
        return {"actions": [msgspec.to_builtins(action) for action in listed], **more}

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"targets": [aims.word(rules, target) for target in targets_of(state)]}
