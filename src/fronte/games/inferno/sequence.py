"""Chapter 3, sequence of play: player turns and their phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.inferno import cites
from fronte.games.inferno.frames import CLEARS, SIDE, named_side, phasing_side
from fronte.games.inferno.movement import turn_to_battery
from fronte.games.inferno.stacking import check_stacking, overstacked
from fronte.games.inferno.state import DONE, ESCORTED, FIRED, HIT, MOVED, RECOVERED, STRUCK, State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CHAPTER = Chapter()


@CHAPTER.step(cites.PLAYER_TURN, on="ground", secrets=open_to_all, takes=(SIDE,))
def player_turn(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """3.1: one player turn: supply, reinforcement, movement, combat, in that order."""
    (side,) = frame.args
    state.active = side
    rules.player_turn_begins(state)
    out.append(
        Event("player_turn", (cites.SEQUENCE, cites.PLAYER_TURN), {"turn": state.turn, "side": rules.seats[side]})
    )
    state.frames.append(Frame("player_turn_ends", AUTO, (side,)))
    state.frames += [Frame(name, AUTO) for name in reversed(rules.phase_order)]


def say_phase(rules: Inferno, state: State, phase: str, rule: str, out: list[Event]) -> None:
    """Enter a phase and say so."""
    state.phase = phase
    data = {"phase": phase, "side": rules.seats[state.active], "turn": state.turn}
    out.append(Event("phase", (rule,), data))


@CHAPTER.step(cites.MOVEMENT_PHASE, on="combat_phase", secrets=phasing_side, marks=(CLEARS,))
def movement_phase(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """3.1.A-3/3.1.3: nobody has moved; who stands with a bridge engineer now may cross with it (14.2.b)."""
    say_phase(rules, state, "movement", cites.MOVEMENT_PHASE, out)
    state.flags = [flags & ~(DONE | MOVED | RECOVERED | ESCORTED) for flags in state.flags]
    state.frames.append(Frame("movement_begins", AUTO))
    rules.before_movement(state)


@CHAPTER.step(cites.MOVEMENT_PHASE, on="combat_phase", secrets=phasing_side, phases="movement")
def movement_begins(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """14.2.b: note who starts the phase with an engineer, then let the player move."""
    side = state.active
    for unit in rules.engineers_of[side]:
        if state.at[unit] >= 0:
            for other in state.stacks[state.at[unit]]:
                if other != unit or rules.engineers_cross_alone:
                    state.flags[other] |= ESCORTED
    state.mover, state.left = -1, 0
    state.frames.append(Frame("movement", side))


def end_movement(rules: Inferno, state: State, keep: list[int], out: list[Event]) -> None:
    """3.1.A-3/3.1.3, 5.2, 12.3.h/12.3.f: guns that stood still turn to battery, then stacks are checked."""
    ready = [gun for gun in rules.may_unlimber(state, state.active) if gun not in keep]
    turn_to_battery(rules, state, ready, out)
    check_stacking(rules, state, (state.active,))
    if rules.unlimbers_both:
        state.frames.append(Frame("unlimber", AUTO, (1 - state.active,)))


@CHAPTER.step(cites.TO_BATTERY, on="combat_phase overstack", secrets=named_side, takes=(SIDE,), phases="movement")
def unlimber(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.h/12.3.f: by option guns of the other side turn to battery too. A step of its own: it reads their marks."""
    turn_to_battery(rules, state, rules.may_unlimber(state, frame.args[0]), out)


@CHAPTER.step(cites.COMBAT_PHASE, on="player_turn_ends", secrets=phasing_side, marks=(CLEARS,))
def combat_phase(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """3.1.A-4/3.1.4: nobody has attacked or been attacked."""
    say_phase(rules, state, "combat", cites.COMBAT_PHASE, out)
    state.flags = [flags & ~(FIRED | HIT | STRUCK) for flags in state.flags]
    state.frames.append(Frame("combat", state.active))


def end_combat(rules: Inferno, state: State, out: list[Event]) -> None:
    """5.1.b/5.1: stacks of both sides are checked at the end of every Combat Phase, each by a step of its own."""
    for side in (0, 1):
        if side != state.active or overstacked(rules, state, side):
            state.frames.append(Frame("stack_check", AUTO, (side,)))


@CHAPTER.step(
    cites.STACKING_CHECK,
    cites.OVERSTACKING,
    on="player_turn_ends stack_check",
    secrets=named_side,
    takes=(SIDE,),
    phases="combat",
    once=False,
)
def stack_check(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """5.1.b/5.1, 5.2: the stacks of one side."""
    check_stacking(rules, state, frame.args)
