"""24.12, 24.13: the morning of 24 October. The preparatory bombardment, target after target, then mines and gas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.caporetto import aims, artillery, observation, seating, volleys
from fronte.games.caporetto.aims import Barrel, Target
from fronte.games.caporetto.bombarding import (
    Bombard,
    Field,
    Hold,
    barrels,
    fields,
    is_any,
    offer_of,
    volleys_at,
    why_no_aims,
)
from fronte.games.caporetto.fire import BOMBARDMENT
from fronte.games.caporetto.gunnery import PHASE, about_force
from fronte.games.caporetto.seating import FORCE, force_fault, of_its_force
from fronte.games.caporetto.state import State
from fronte.hexes import mask_of, nth

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
SELDOM, BATTERIES = 0.9, 0.25
"""How likely the bombardment goes on when it is drawn at random, and how likely it is fired at guns."""


def _fields(rules: Caporetto, state: State, force: int) -> list[Field]:
    """24.12, 24.12.e1, 24.12.e3: the guns of a force that can fire in the preparation, with their targets."""
    return fields(rules, state, *_preparation(rules, state, force))


def _preparation(rules: Caporetto, state: State, force: int) -> tuple[int, int, int, int]:
    """24.12.e1, 24.12.e3: the guns, the side they fire at, what is observed, and what is barred, as `fields` asks."""
    side = rules.scene.force_side[force]
    observed = observation.in_preparation(rules, state, side)
    return rules.of_force[force], 1 - side, observed, mask_of((*state.mines, *state.gas))


def _preparing(rules: Caporetto, state: State, force: int) -> list[Barrel]:
    return barrels(rules, state, _fields(rules, state, force))


@CHAPTER.step("24.12", on="artillery_step", secrets=open_to_all, takes=(FORCE,), fault=force_fault, phases=PHASE)
def prepare_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """24.12: one bombardment after another, as long as a gun has a target."""
    (force,) = frame.args
    if is_any(rules, state, *_preparation(rules, state, force)):
        state.frames.append(Frame("preparatory", seating.seat_of(rules, force), (force,)))


@CHAPTER.choice(on="artillery_step", seats=of_its_force, takes=(FORCE,), phases=PHASE)
class Preparation(Choice["Caporetto", State]):
    """24.12: the next target of the preparatory bombardment, and the guns that fire at it; or the end of it."""

    name = "preparatory"
    rules = ("24.12", "24.12.e2", "24.12.e3")
    verbs = (Bombard, Hold)
    panel = aims.PANEL

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Hold()
        by_target = _by_target(_preparing(rules, state, frame.args[0]))
        for number in range(1, max(map(len, by_target.values()), default=0) + 1):
            for able in by_target.values():
                for pairs in aims.undivided(rules, able, number):
                    yield Bombard(pairs)
        for able in by_target.values():
            for pairs in aims.divided(rules, able):
                yield Bombard(pairs)

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        if rng.random() > SELDOM:
            return Hold()
        able = _fields(rules, state, frame.args[0])
        if not able:
            return Hold()
        first = rng.choice(able)
        battery = int(rng.random() < BATTERIES) if all(first.hexes) else int(not first.hexes[0])
        h = nth(first.hexes[battery], rng.randrange(first.hexes[battery].bit_count()))
        reaching = [Barrel(gun, ((h, battery),)) for gun, hexes in able if hexes[battery] >> h & 1]
        pairs = aims.drawn(rules, reaching, rng)
        return Bombard(pairs) if pairs else Hold()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        (force,) = frame.args
        if isinstance(action, Hold):
            return None
        assert isinstance(action, Bombard)
        found = aims.read(rules, state, action.aims)
        if isinstance(found, Refusal):
            return found
        if not found:
            return Refusal("24.12", "nobody_fires")
        if len({(aim[1], aim[3]) for aim in found}) > 1:
            return Refusal("24.12", "one_after_another")
        h = found[0][1]
        if h in state.mines or h in state.gas:
            return Refusal("24.12.e3", "mined", {"hex": rules.grid.ids[h]})
        side = rules.scene.force_side[force]
        observed = observation.in_preparation(rules, state, side)
        return why_no_aims(rules, state, found, rules.of_force[force], 1 - side, observed)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        (force,) = frame.args
        state.frames.pop()
        if not isinstance(action, Bombard):
            return
        found = aims.read(rules, state, action.aims)
        assert not isinstance(found, Refusal)
        artillery.spend_in_preparation(rules, state, [aims.shot(rules, state, aim) for aim in found])
        state.aims = tuple(found)
        aims.tell(rules, found, BOMBARDMENT, "24.12", out)
        state.frames.append(Frame("prepare_step", AUTO, (force,)))
        volleys.bombard(rules, state, found[0][1], bool(found[0][3]))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return about_force(rules, frame)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        able = _preparing(rules, state, frame.args[0])
        return offer_of(
            rules, state, frame, able, volleys_at(rules, state, able), self.legal(rules, state, frame), "bombard"
        )


def _by_target(able: Sequence[Barrel]) -> dict[Target, list[Barrel]]:
    """By target the guns that reach it, each with this target alone."""
    found: dict[Target, list[Barrel]] = {}
    for one in able:
        for target in one.targets:
            found.setdefault(target, []).append(Barrel(one.unit, (target,), one.points))
    return dict(sorted(found.items()))


# 24.13: gas and mines


@CHAPTER.step(
    "24.13", "24.12.e2", on="artillery_step", secrets=open_to_all, takes=(FORCE,), fault=force_fault, phases=PHASE
)
def gas_and_mines(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """24.13: the mines, then the gas, each in its hex. None of these attacks can change another, so that their order is
    not asked."""
    artillery.close_preparation(state)
    scene = rules.scene
    attacks = [(h, scene.mines.column, True) for h in state.mines] + [(h, scene.gas.column, False) for h in state.gas]
    for h, column, mines in reversed(attacks):
        volleys.blow(rules, state, h, column, mines)
