"""21.5.3: assaults on the move. A single unit assaults in the middle of the movement of its formation.

Its seven steps, printed A and E to J and called M1 to M7 here, are those of an action: declaration, support fire,
defensive fire, assault, and the counter-assault in three steps. While they last `State.mobile` has who takes part, and
`assault.now` and `assault.supports_now` tell of them alone. Then all of them are Activated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.caporetto import assault, assaulting, losses, seating, volleys
from fronte.games.caporetto.state import State, units_of
from fronte.games.common.positions import HEX
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
TARGET = (Argument("hex", HEX),)


class Cover(Action, frozen=True):
    """21.5.3, 10.2.6: these units support an assault on the move with their fire."""

    form = "cover with {units}"
    odds = True
    units: tuple[str, ...]


class NoCover(Action, frozen=True):
    """21.5.3: nobody supports it."""

    form = "no cover"


def begin(rules: Caporetto, state: State, units: Sequence[int], h: int, by_road: bool, out: list[Event]) -> None:
    """21.5.3: M1: a unit, or companies that are one, declares an assault on the move; its steps lie on the movement of
    the action. Whoever calls has asked `assault.why_not_on_the_move`."""
    fighting = [unit for unit in units if not rules.flamethrowers >> unit & 1]
    for unit in fighting:
        assault.declare(rules, state, unit, h, by_road, out, "21.5.3")
    state.mobile = mask_of(fighting)
    state.frames.append(Frame("mobile_over", AUTO, (h, 0)))


STEPS = (
    Frame("defend_step", AUTO, (0,)),
    Frame("assault_step", AUTO, (assaulting.ON_THE_MOVE,)),
    Frame("counter_step", AUTO),
    Frame("defend_step", AUTO, (1,)),
    Frame("assault_step", AUTO, (assaulting.ON_THE_MOVE + 1,)),
)
"""M3 to M7."""


@CHAPTER.step(
    "21.5.3", on="act look_round", secrets=open_to_all, takes=(*TARGET, Argument("step", NUMBER, 0, len(STEPS) + 1))
)
def mobile_over(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """21.5.3: M2 to M7 one after the other, each laid when its turn has come, and then the end."""
    h, step = frame.args
    if step > len(STEPS):
        _finish(rules, state, h, out)
        return
    state.frames.append(Frame(frame.name, AUTO, (h, step + 1)))
    if step:
        state.frames.append(STEPS[step - 1])
    else:
        state.step = "mobile_support"
        if supporters(rules, state, h):
            state.frames.append(Frame("cover", seating.active_seat(rules, state), (h,)))


# M2: support


def supporters(rules: Caporetto, state: State, h: int) -> list[int]:
    """21.5.3, 10.2.6: those next to the hex who may support the assault, each by itself."""
    side = rules.scene.force_side[state.active]
    found: list[int] = []
    for here in bits(rules.grid.ring[h] & state.occ[side]):
        for unit in units_of(rules, state, here, side):
            if rules.combat >> unit & 1 and assault.why_not_support(rules, state, unit, h) is None:
                found.append(unit)
    return sorted(found)


@CHAPTER.choice(on="mobile_over", seats=anybody, takes=TARGET)
class CoverChoice(Choice["Caporetto", State]):
    """21.5.3, 10.2.6: who supports an assault on the move; one unit of each hex."""

    name = "cover"
    rules = ("21.5.3", "10.2.6")
    verbs = (NoCover, Cover)
    panel = panel.SUBSET

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield NoCover()
        able = supporters(rules, state, frame.args[0])
        generic = sum(losses.is_generic(rules, state, unit) for unit in able)
        for number in range(1, min(len(able), len({state.at[unit] for unit in able}) + generic) + 1):
            for units in combinations(able, number):
                if _is_one_of_each_hex(rules, state, units):
                    yield Cover(rules.unit_ids(units))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        able = supporters(rules, state, frame.args[0])
        chosen: tuple[int, ...] = ()
        for unit in able:
            if rng.random() < 0.75:
                others = tuple([one for one in chosen if state.at[one] != state.at[unit]])
                together = (*chosen, unit)
                chosen = together if _is_one_of_each_hex(rules, state, together) else (*others, unit)
        return Cover(rules.unit_ids(sorted(chosen))) if chosen else NoCover()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, NoCover):
            return None
        assert isinstance(action, Cover)
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        h = frame.args[0]
        for unit in units:
            refusal = assault.why_not_support(rules, state, unit, h)
            if refusal is not None:
                return refusal
        if not units or not _is_one_of_each_hex(rules, state, units):
            return Refusal("10.2.6.e1", "one_supports_from_here", {"hex": rules.grid.ids[h]})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Cover):
            support(rules, state, rules.known(action.units), frame.args[0], out)
            state.mobile |= mask_of(rules.known(action.units))
            volleys.bombard(rules, state, frame.args[0], False)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"hex": rules.grid.ids[frame.args[0]]}

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        able = list(rules.unit_ids(supporters(rules, state, frame.args[0])))
        return super().offer(rules, state, frame) | {"verb": "cover", "field": "units", "pieces": able}


def _is_one_of_each_hex(rules: Caporetto, state: State, units: Sequence[int]) -> bool:
    """10.2.6.e1, 11.1.2: do no two units of a hex support? Up to four generic companies are one."""
    beside: dict[int, list[int]] = {}
    for unit in units:
        beside.setdefault(state.at[unit], []).append(unit)
    return all(losses.one_unit(rules, state, group) for group in beside.values())


def support(
    rules: Caporetto, state: State, units: Iterable[int], h: int, out: list[Event], rule: str = "10.2.6"
) -> None:
    """10.2.6: Support Fire markers are placed, for no points."""
    for unit in units:
        state.supports = (*state.supports, (unit, h))
        data = {"unit": rules.ids[unit], "hex": rules.hex_id(state.at[unit]), "target": rules.grid.ids[h]}
        out.append(Event("support_declared", (rule,), data))


# The end


def _finish(rules: Caporetto, state: State, h: int, out: list[Event]) -> None:
    """21.5.3.e1, 12.3.5.3: guns that are left with the enemy are captured, who has assaulted or supported is Activated,
    and the movement of the others goes on."""
    side = rules.scene.force_side[state.active]
    losses.capture(rules, state, h, 1 - side, out, all_guns=True)
    done = [unit for unit in bits(state.mobile & rules.of_side[side]) if state.at[unit] >= 0]
    for unit in done:
        if not state.activated >> unit & 1:
            state.activated |= 1 << unit
            out.append(Event("activated", ("21.5.3.e1",), {"unit": rules.ids[unit]}))
    assault.lift(rules, state, bits(state.mobile))
    state.mobile = 0
    state.step = "move"
