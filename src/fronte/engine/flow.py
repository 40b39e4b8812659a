"""How a state goes on: from a decision or a throw to the next one. No checks here; `match` makes them."""

from __future__ import annotations

from fronte.engine.decision import AUTO, CHANCE, Action, Frame
from fronte.engine.dice import die
from fronte.engine.event import Event
from fronte.engine.frames import open_to_all
from fronte.engine.rules import Rules, S, State


def settle(rules: Rules[S], state: S, out: list[Event], read: set[int] | None = None) -> None:
    """Let the rules carry out their own steps until a seat owes a decision, dice must fall, or all is over.

    `read` takes up whose secrets the steps read, by what is declared of them.
    """
    frames = state.frames
    steps, declared = rules.steps, rules.frames
    while frames and frames[-1].seat == AUTO:
        frame = frames.pop()
        name = frame.name
        if read is not None:
            secrets = declared[name].secrets
            if secrets is not open_to_all:
                read.add(secrets(rules, state, frame))
        steps[name](rules, state, frame, out)


def waits_for_dice(state: State) -> bool:
    """Does the state wait for a throw?"""
    return bool(state.frames) and state.frames[-1].seat == CHANCE


def draw(state: State, dice: int) -> tuple[int, ...]:
    """The next dice: those forced by a case or a recorded game first, then the stream."""
    fallen, first = state.forced[:dice], state.rolled
    if dice == 1 and not fallen:
        state.rolled = first + 1
        return (die(state.seed, first),)
    if fallen:
        state.forced = state.forced[dice:]
    state.rolled = first + dice - len(fallen)
    return (*fallen, *(die(state.seed, first + k) for k in range(dice - len(fallen))))


def fall(rules: Rules[S], state: S, dice: tuple[int, ...], out: list[Event]) -> None:
    """Let these dice fall for the throw that the state waits for, and go on."""
    frame: Frame = state.frames.pop()
    chance = rules.chances[frame.name]
    out.append(Event("rolled", chance.rules, {"what": frame.name, "dice": list(dice)}))
    chance.fall(rules, state, frame, dice, out)
    settle(rules, state, out)


def roll_on(rules: Rules[S], state: S, out: list[Event]) -> list[tuple[int, ...]]:
    """Throw whatever is to be thrown until a seat owes a decision or all is over; the dice that fell."""
    throws: list[tuple[int, ...]] = []
    while state.frames and state.frames[-1].seat == CHANCE:
        dice = draw(state, rules.chances[state.frames[-1].name].dice)
        throws.append(dice)
        fall(rules, state, dice, out)
    return throws


def act(rules: Rules[S], state: S, action: Action, out: list[Event], read: set[int] | None = None) -> None:
    """Carry out an action known to be legal, up to the next decision or throw; `read` as in `settle`."""
    frame = state.frames[-1]
    rules.choices[frame.name].apply(rules, state, frame, action, out)
    settle(rules, state, out, read)
