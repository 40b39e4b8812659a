"""12.3.4, 12.3.5: what an assault does: points, surrenders and steps of both sides, then who must retreat does, and who
has held the hex may leave it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.engine.standing import ONE_HEX, Policies, Policy, Value
from fronte.games.caporetto import (
    assault,
    falling_back,
    losses,
    odds,
    panels,
    retreats,
    seating,
    sightings,
    volleys,
)
from fronte.games.caporetto.assailants import (
    HEX_AND_SIDE,
    MOST,
    about,
    attacker,
    clash_of,
    declared,
    is_held,
    target_fault,
    waiting,
)
from fronte.games.caporetto.entering import go_in
from fronte.games.caporetto.state import NOBODY, State
from fronte.games.caporetto.tables import Outcome
from fronte.games.common.positions import HEXES, UNITS
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST_STEPS = 9


class Suffer(Action, frozen=True):
    """12.3.4: these units lose a step each; one that is named twice, two."""

    form = "suffer {units}"
    units: tuple[str, ...]


class Withdraw(Action, frozen=True):
    """10.2.4: the defender leaves the hex of his own will."""

    form = "withdraw"


class Remain(Action, frozen=True):
    """10.2.4: he stays."""

    form = "remain"
    odds = True


def line_of(found: Outcome) -> str:
    """12.3.4: a line of the table as it is printed: `D2R/1`."""
    if not found.dp and not found.steps and not found.retreat:
        return "-"
    points = f"D{found.dp}" if found.dp else ""
    return f"{points}{'R' if found.retreat else ''}{f'/{found.steps}' if found.steps else ''}"


def resolve(rules: Caporetto, state: State, args: Sequence[Any], die: int, out: list[Event]) -> None:
    """12.3.4, 15.4.1, 15.4.2: points and surrenders of both sides, then the steps of both, then who must retreat does.

    A die of 0 is none: the column is below the table."""
    h, counter, wave, group = args
    fight = odds.weigh(rules, state, clash_of(args))
    mine, theirs = result = rules.tables.assault.result(fight.column, die)
    defending = assault.defenders(rules, state, h, 1 - attacker(rules, state, counter))
    won = odds.attacker_wins(rules, state, defending, result)
    data = {"hex": rules.grid.ids[h], "attacker": line_of(mine), "defender": line_of(theirs), "won": won}
    out.append(Event("assault_result", ("12.3.4",), data | ({"die": die} if die else {})))
    sources = tuple(sorted({state.at[unit] for unit in wave}))
    assault.strike(rules, state, wave, mine, won, out)
    assault.strike(rules, state, defending, theirs, not won, out)
    state.frames.append(Frame("after_assault", AUTO, (h, counter, _there(state, wave), sources, int(theirs.retreat))))
    _ask_losses(rules, state, defending, group[:1], theirs.steps)
    _ask_losses(rules, state, wave, wave[:1], mine.steps)


def _there(state: State, units: Iterable[int]) -> tuple[int, ...]:
    return tuple([unit for unit in units if state.at[unit] >= 0])


def _ask_losses(rules: Caporetto, state: State, units: Iterable[int], lead: Sequence[int], steps: int) -> None:
    units = _there(state, units)
    if steps and units:
        seat = seating.decides(rules, state, units)
        state.frames.append(Frame("take_losses", AUTO, (seat, units, _there(state, lead), steps)))


LOSSES = (
    Argument("units", UNITS, 1, MOST),
    Argument("lead", UNITS, 0, 1),
    Argument("steps", NUMBER, 1, MOST_STEPS),
)


@CHAPTER.step(
    "12.3.4",
    on="after_assault take_losses",
    secrets=open_to_all,
    takes=(Argument("seat", NUMBER, 0, 1), *LOSSES),
    once=False,
)
def take_losses(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.4, 12.3.4.e1: steps are taken; where there are several ways their owner chooses."""
    seat, units, lead, steps = frame.args
    splits = _splits(rules, state, units, lead, steps)
    if len(splits) == 1:
        losses.take(rules, state, splits[0], out, "12.3.4")
    else:
        state.frames.append(Frame("assault_losses", seat, (units, lead, steps)))


def _splits(
    rules: Caporetto, state: State, units: Sequence[int], lead: Sequence[int], steps: int
) -> list[tuple[int, ...]]:
    return losses.assault_splits(rules, state, units, lead[0] if lead else NOBODY, steps)


def _losses_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    units, lead, _ = frame.args
    if any(state.at[unit] < 0 for unit in units) or not set(lead) <= set(units):
        return "it names who is not there"
    return ""


@CHAPTER.choice(on="after_assault take_losses", seats=anybody, takes=LOSSES, fault=_losses_fault)
class AssaultLosses(Choice["Caporetto", State]):
    """12.3.4, 12.3.4.e1: who loses the steps of an assault, the first by who led it."""

    name = "assault_losses"
    rules = ("12.3.4", "12.3.4.e1")
    verbs = (Suffer,)
    panel = panels.LOSSES

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for split in _splits(rules, state, *frame.args):
            yield Suffer(rules.unit_ids(split))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Suffer)
        unknown = next((name for name in action.units if name not in rules.number), None)
        if unknown is not None:
            return rules.unknown_unit(unknown)
        units, lead, steps = frame.args
        split = sorted(rules.known(action.units))
        if any(split == sorted(found) for found in _splits(rules, state, units, lead, steps)):
            return None
        if lead and lead[0] not in split:
            return Refusal("12.3.4.e1", "lead_loses_first", {"unit": rules.ids[lead[0]]})
        return Refusal("12.3.4", "not_so_many_steps", {"steps": steps})

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Suffer)
        state.frames.pop()
        losses.take(rules, state, rules.known(action.units), out, "12.3.4")

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        best = Suffer(rules.unit_ids(losses.best_split(rules, state, _splits(rules, state, *frame.args))))
        men = [unit for unit in frame.args[0] if not rules.guns >> unit & 1]
        return volleys.offer_of_losses(rules, state, men, best, self.legal(rules, state, frame))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        units, lead, steps = frame.args
        return {"units": rules.unit_ids(units), "lead": rules.unit_ids(lead), "steps": steps}


AFTER = (
    *HEX_AND_SIDE,
    Argument("wave", UNITS, 0, MOST),
    Argument("sources", HEXES, 1, 6),
    Argument("retreat", NUMBER, 0, 1),
)


@CHAPTER.step("12.3.5", "12.3.8", on="storm", secrets=open_to_all, takes=AFTER, fault=target_fault)
def after_assault(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.5, 12.3.8, 10.2.4: the beaten defender leaves; a hex that is left the wave enters; a defender who has held
    it may leave it now."""
    h, counter, wave, sources, retreat = frame.args
    side = 1 - attacker(rules, state, counter)
    if retreat:
        units = retreats.must_retreat(rules, state, assault.defenders(rules, state, h, side))
        state.frames.append(Frame(frame.name, AUTO, (h, counter, wave, sources, 0)))
        leave(rules, state, units, h, counter, mask_of(sources))
    elif not is_held(rules, state, h, counter):
        victors = _there(state, wave)
        if victors:
            state.fought |= mask_of(declared(rules, state, h, counter))
            go_in(rules, state, h, counter, victors, out)
    elif can_withdraw(rules, state, h, counter, mask_of(sources)):
        seat = seating.decides(rules, state, assault.defenders(rules, state, h, side))
        state.frames.append(Frame("withdraw", seat, (h, counter, sources)))


def leave(rules: Caporetto, state: State, units: Iterable[int], h: int, counter: int, sources: int) -> None:
    """12.3.5, 12.3.5.6: these leave a hex that was assaulted; who has just taken it goes back to where he began."""
    if counter:
        falling_back.go_home(rules, state, units, h)
    else:
        falling_back.give_way(rules, state, units, h, sources)


def can_withdraw(rules: Caporetto, state: State, h: int, counter: int, sources: int) -> bool:
    """10.2.4, 12.3.5.2: has everybody who would leave somewhere to go? Nobody surrenders of his own will."""
    side = 1 - attacker(rules, state, counter)
    units = retreats.must_retreat(rules, state, assault.defenders(rules, state, h, side))
    if counter:
        foes = state.occ[1 - side] | state.guns[1 - side]
        origins = [retreats.origin(state, unit) for unit in units]
        return all(here != NOBODY and not foes >> here & 1 for here in origins)
    where = retreats.setting(rules, state, h, side, sources)
    return all(retreats.ways(rules, state, unit, where).letter for unit in units)


@CHAPTER.choice(on="storm", seats=anybody, takes=(*HEX_AND_SIDE, Argument("sources", HEXES, 1, 6)), fault=target_fault)
class WithdrawChoice(Choice["Caporetto", State]):
    """10.2.4, 12.3.2: after every assault that he has withstood the defender may leave."""

    name = "withdraw"
    rules = ("10.2.4", "12.3.2")
    verbs = (Remain, Withdraw)

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Remain()
        yield Withdraw()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Remain):
            return
        h, counter, sources = frame.args
        units = assault.defenders(rules, state, h, 1 - attacker(rules, state, counter))
        units = retreats.must_retreat(rules, state, units)
        out.append(Event("withdrew", ("10.2.4",), {"hex": rules.grid.ids[h], "units": rules.unit_ids(units)}))
        leave(rules, state, units, h, counter, mask_of(sources))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        seen = sightings.known(rules, state, frame.seat)
        more = [unit for unit in waiting(rules, state, *frame.args[:2]) if seen >> unit & 1]
        return about(rules, state, frame) | {"waiting": rules.unit_ids(more)}


def _remain(rules: Caporetto, state: State, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """10.2.4: the standing order by which whoever has withstood stays, everywhere or in one hex."""
    return Remain() if given["at"] in ("", rules.grid.ids[frame.args[0]]) else None


def _withdraw(rules: Caporetto, state: State, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """10.2.4: the one by which he leaves."""
    return Withdraw() if given["at"] in ("", rules.grid.ids[frame.args[0]]) else None


STANDING: Mapping[str, Policies] = MappingProxyType(
    {"withdraw": {"remain": Policy(_remain, ONE_HEX), "leave": Policy(_withdraw, ONE_HEX)}}
)
