"""12.2, 12.4.3: steps C and F. Those who are assaulted, and who stands beside them, fire at the assaulters.

All are allocated before the first die. Of targets in different hexes none can change another, so the order in which
they are resolved is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.caporetto import aims, artillery, assault, fire, observation, seating, sectors, volleys
from fronte.games.caporetto.aims import Barrel, Pair, Target
from fronte.games.caporetto.bombarding import Hold, offer_of
from fronte.games.caporetto.fire import DEFENCE
from fronte.games.caporetto.state import NOBODY, Aim, State
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
COUNTER = (Argument("counter", NUMBER, 0, 1),)
ONCE, MANDATORY = "once-per-action", "mandatory"


class Defend(Action, frozen=True):
    """12.2.1, 12.2.4: units and guns, each with the hex at which it fires; who is not named does not fire."""

    form = "defend {aims:=}"
    odds = True
    aims: tuple[Pair, ...]


# Who may


def side_of(rules: Caporetto, state: State, counter: int) -> int:
    """12.2, 12.4.3: the side that fires: who does not act, at a counter-assault who does."""
    side = rules.scene.force_side[state.active]
    return side if counter else 1 - side


def targets_for(rules: Caporetto, state: State, side: int) -> int:
    """12.2: the hexes out of which a side is assaulted or out of which it is fired at in support."""
    if not state.assaults and not state.supports:
        return 0
    declared = [one[0] for one in (*assault.now(state), *assault.supports_now(state))]
    return mask_of(state.at[unit] for unit in declared if rules.side[unit] != side and state.at[unit] >= 0)


def why_no_fire(rules: Caporetto, state: State, unit: int, h: int) -> Refusal | None:
    """12.2.1, `mobile_assault_df`: why a unit cannot fire defensively at a hex."""
    if rules.option["mobile_assault_df"] == ONCE and state.answered >> unit & 1:
        return Refusal("12.2.1", "has_answered", {"unit": rules.ids[unit]})
    return fire.why_no_defence(rules, state, unit, h)


def why_no_gun(rules: Caporetto, state: State, gun: int, h: int, counter: int) -> Refusal | None:
    """12.2.4, 12.2.7, 12.4.3, 18.9.3: why a gun cannot fire defensively at a hex, whoever fires with it."""
    data = {"unit": rules.ids[gun], "hex": rules.grid.ids[h]}
    if counter:
        return Refusal("12.4.3", "no_guns_at_counter_assaults", data)
    if not state.emplaced >> gun & 1 or state.at[gun] < 0:
        return Refusal("18.1", "not_emplaced", data)
    if rules.groups >> gun & 1:
        return Refusal("18.9.3", "groups_do_not_defend", data)
    if not rules.tables.guns[rules.gun_class[gun]].defends:
        return Refusal("12.2.4", "too_heavy_to_defend", data)
    if state.def_fired >> gun & 1:
        return Refusal("12.2.7", "has_defended", data)
    if not artillery.factor(rules, state, gun):
        return Refusal("18.6", "no_factor", data)
    if not targets_for(rules, state, rules.side[gun]) >> h & 1:
        return Refusal("12.2", "nobody_assaults", data)
    if rules.option["boundary_defensive_fire"] == "none" and not sectors.this_side(rules, state, gun) >> h & 1:
        return Refusal("24.3.zoc", "other_sector", data)
    _, case = volleys.cases(rules, state, h, [gun])[0]
    return None if case else Refusal("12.2.4", "cannot_defend_there", data)


def units(rules: Caporetto, state: State, counter: int, seat: int = NOBODY) -> list[Barrel]:
    """12.2.1: the combat units that may fire, each with its hexes; of a seat those for whom it decides."""
    side = side_of(rules, state, counter)
    goals, found = targets_for(rules, state, side), []
    for here in bits(state.occ[side] & rules.ground.around(goals)):
        near = tuple(bits(goals & rules.grid.ring[here]))
        for unit in state.stacks[here]:
            if rules.side[unit] == side and is_of(rules, state, unit, seat):
                hexes = [(h, 0) for h in near if why_no_fire(rules, state, unit, h) is None]
                found += [Barrel(unit, tuple(hexes))] if hexes else []
    return sorted(found)


def is_of(rules: Caporetto, state: State, unit: int, seat: int) -> bool:
    """24.3: is it for this seat to say whether a unit fires? NOBODY: it does not matter for whom."""
    return seat == NOBODY or seating.decider(rules, state, unit) == seat


def guns(rules: Caporetto, state: State, counter: int, with_them: Sequence[Barrel], seat: int = NOBODY) -> list[Barrel]:
    """12.2.4, 18.8: the guns that may fire, each with its hexes: those of a division where one of its units may."""
    if counter:
        return []
    side = side_of(rules, state, counter)
    goals, found = tuple(bits(targets_for(rules, state, side))), []
    area = 0
    for h in goals:
        area |= rules.grid.within(h, rules.defensive_range)
    near = mask_of(gun for h in bits(area & state.guns[side]) for gun in state.stacks[h])
    able = artillery.ready_to_defend(rules, state, side, near)
    if not able:
        return []
    observed = observation.in_defence(rules, state, side)
    for gun in bits(able):
        if not is_of(rules, state, gun, seat):
            continue
        hexes = []
        for h in goals:
            if rules.option["boundary_defensive_fire"] == "none" and not sectors.this_side(rules, state, gun) >> h & 1:
                continue
            marked = fire.is_assault(state, h)
            if artillery.defence_case(rules, state, gun, h, marked, observed) and _is_served(rules, gun, h, with_them):
                hexes.append((h, 0))
        found += [Barrel(gun, tuple(hexes))] if hexes else []
    return found


def barrels(rules: Caporetto, state: State, counter: int) -> list[Barrel]:
    """12.2.1, 12.2.4: all who may fire, units and guns."""
    able = units(rules, state, counter)
    return [*able, *guns(rules, state, counter, able)]


def _is_served(rules: Caporetto, gun: int, h: int, with_them: Sequence[Barrel]) -> bool:
    """18.8: may it fire at this hex at all: by itself, or together with one of those who can?"""
    if artillery.why_no_help(rules, gun, ()) is None:
        return True
    return any((h, 0) in one.targets and artillery.why_no_help(rules, gun, (one.unit,)) is None for one in with_them)


def why_no_aims(rules: Caporetto, state: State, found: Sequence[Aim], counter: int) -> Refusal | None:
    """12.2.1, 12.2.4, 18.8, 24.9.2.e1: why these do not fire so together."""
    side = side_of(rules, state, counter)
    for unit, h, _, battery in found:
        data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
        if battery:
            return rules.unknown_hex(aims.word(rules, (h, battery)))
        if rules.side[unit] != side:
            return Refusal("12.2", "not_defending", data)
        if rules.guns >> unit & 1:
            why = why_no_gun(rules, state, unit, h, counter)
        else:
            why = why_no_fire(rules, state, unit, h)
        if why is not None:
            return why
    for gun, h, _, _ in found:
        if rules.guns >> gun & 1:
            firers = _beside(state, found, h, rules.guns)
            why = artillery.why_no_help(rules, gun, firers)
            if why is not None:
                return why
    return None


def bound_to_fire(rules: Caporetto, state: State, able: Sequence[Barrel]) -> int:
    """24.3.zoc, `boundary_defensive_fire`: the units that must fire: by the option all who can across the line."""
    if rules.option["boundary_defensive_fire"] != MANDATORY:
        return 0
    found = 0
    for unit, hexes, _ in able:
        this_side = sectors.this_side(rules, state, unit)
        found |= any(not this_side >> h & 1 for h, _ in hexes) << unit
    return found


# The step


def firing_seats(rules: Caporetto, state: State, counter: int) -> list[int]:
    """12.2, 12.4.3, 24.3: who may fire defensively; in scenario 1 it may be both, first the one against whom it is."""
    if not targets_for(rules, state, side_of(rules, state, counter)):
        return []
    first = seating.active_seat(rules, state) if counter else seating.other_seat(rules, state)
    able = units(rules, state, counter)
    firing = [one.unit for one in (*able, *guns(rules, state, counter, able))]
    found = {seating.decider(rules, state, unit) for unit in firing}
    return [seat for seat in (first, 1 - first) if seat in found]


@CHAPTER.step(
    "12.2",
    "12.4.3",
    on="assault_step mobile_over",
    secrets=open_to_all,
    takes=COUNTER,
    once=False,
)
def defend_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.2, 12.4.3: step C, or F. Only who can fire is asked."""
    (counter,) = frame.args
    state.step, state.aims = ("mobile_" * bool(state.mobile)) + ("counter_defend" if counter else "defend"), ()
    seats = firing_seats(rules, state, counter)
    if seats:
        state.frames.append(Frame("fire_on", AUTO, (DEFENCE, counter)))
        state.frames += [Frame("defend", seat, (counter,)) for seat in reversed(seats)]


def _beside(state: State, found: Sequence[Aim], h: int, guns: int) -> list[int]:
    """18.8, 24.9.2.e1: the units that fire at a hex, those whom the other seat has named already among them."""
    return [unit for unit, at, _, _ in (*state.aims, *found) if at == h and not guns >> unit & 1]


@CHAPTER.choice(on="fire_on defend", seats=anybody, takes=COUNTER, once=False)
class Defence(Choice["Caporetto", State]):
    """12.2.1, 12.2.9: all who fire defensively are allocated at once."""

    name = "defend"
    rules = ("12.2.1", "12.2.4", "12.2.9")
    verbs = (Defend, Hold)
    panel = aims.PANEL

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        (counter,) = frame.args
        able = units(rules, state, counter, frame.seat)
        must = bound_to_fire(rules, state, able)
        if not must:
            yield Hold()
        for pairs in aims.answers(rules, [*able, *guns(rules, state, counter, able, frame.seat)]):
            named = mask_of(rules.number[name] for name, _ in pairs)
            if not must & ~named and self._fits(rules, state, pairs):
                yield Defend(pairs)

    def _fits(self, rules: Caporetto, state: State, pairs: Sequence[Pair]) -> bool:
        """18.8, 24.9.2.e1: does every gun fire with whom it may?"""
        firing = [(rules.number[name], rules.grid.index[told], 0, 0) for name, told in pairs]
        return all(
            artillery.why_no_help(rules, gun, _beside(state, firing, h, rules.guns)) is None
            for gun, h, _, _ in firing
            if rules.guns >> gun & 1
        )

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        (counter,) = frame.args
        able = units(rules, state, counter, frame.seat)
        must = bound_to_fire(rules, state, able)
        pairs = aims.drawn(rules, [one for one in able if not must >> one.unit & 1], rng)
        pairs += aims.drawn(rules, [one for one in able if must >> one.unit & 1], rng, 0)
        by_word: dict[str, list[int]] = {}
        for unit, h, _, _ in state.aims:
            by_word.setdefault(rules.grid.ids[h], []).extend([] if rules.guns >> unit & 1 else [unit])
        for name, told in pairs:
            by_word.setdefault(told, []).append(rules.number[name])
        helping = []
        for gun, hexes, _ in guns(rules, state, counter, able, frame.seat):
            told = aims.word(rules, rng.choice(hexes))
            if rng.random() < 0.5 and artillery.why_no_help(rules, gun, by_word.get(told, ())) is None:
                helping.append((rules.ids[gun], told))
        return Defend((*pairs, *helping)) if pairs or helping else Hold()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        (counter,) = frame.args
        firing = 0
        if isinstance(action, Defend):
            found = aims.read(rules, state, action.aims)
            if isinstance(found, Refusal):
                return found
            if not found:
                return Refusal("12.2", "nobody_fires")
            why = why_no_aims(rules, state, found, counter)
            if why is not None:
                return why
            strange = next((aim[0] for aim in found if not is_of(rules, state, aim[0], frame.seat)), None)
            if strange is not None:
                return Refusal("24.1", "not_yours", {"unit": rules.ids[strange]})
            firing = mask_of(aim[0] for aim in found)
        if rules.option["boundary_defensive_fire"] == MANDATORY:
            for unit in bits(bound_to_fire(rules, state, units(rules, state, counter, frame.seat)) & ~firing):
                return Refusal("24.3.zoc", "must_fire", {"unit": rules.ids[unit]})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if not isinstance(action, Defend):
            return
        found = aims.read(rules, state, action.aims)
        assert not isinstance(found, Refusal)
        firing = mask_of(aim[0] for aim in found)
        state.def_fired |= firing & rules.guns
        state.answered |= firing & ~rules.guns
        state.aims = (*state.aims, *found)
        aims.tell(rules, found, DEFENCE, "12.2.9", out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        (counter,) = frame.args
        return {"counter": bool(counter)}

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        (counter,) = frame.args
        able = units(rules, state, counter, frame.seat)
        firing = [*able, *guns(rules, state, counter, able, frame.seat)]
        made = _volleys_at(rules, state, firing, counter)
        return offer_of(rules, state, frame, firing, made, self.legal(rules, state, frame), "defend")


def _volleys_at(rules: Caporetto, state: State, firing: Sequence[Barrel], counter: int) -> dict[Target, fire.Volley]:
    """12.2.9: by target what all who reach it would fire together."""
    by: dict[Target, list[int]] = {}
    for unit, hexes, _ in firing:
        for target in hexes:
            by.setdefault(target, []).append(unit)
    found = {}
    for (h, battery), reaching in sorted(by.items()):
        pieces = [unit for unit in reaching if rules.guns >> unit & 1]
        others = [unit for unit in reaching if not rules.guns >> unit & 1]
        found[h, battery] = fire.defence(rules, state, h, others, volleys.cases(rules, state, h, pieces), bool(counter))
    return found
