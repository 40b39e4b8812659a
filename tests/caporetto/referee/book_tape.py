"""A game played slowly: whatever the engine does by itself, step by step and throw by throw, is one picture each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from fronte.engine.decision import AUTO, Action
from fronte.engine.event import Event
from fronte.engine.flow import draw
from fronte.engine.match import Match


class Picture(NamedTuple):
    """What one step did: its name, what it was about, the dice, the position afterwards, and what was told."""

    name: str
    args: tuple[Any, ...]
    dice: tuple[int, ...]
    after: dict[str, Any]
    events: list[Event]


def play(match: Match, action: Action) -> Iterator[Picture]:
    """Play a legal action up to the next decision, picture by picture. The match goes on with it."""
    rules, state = match.rules, match.state
    frame = state.frames[-1]
    out: list[Event] = []
    rules.choices[frame.name].apply(rules, state, frame, action, out)
    yield Picture(frame.name, frame.args, (), rules.to_position(state), out)
    while state.frames and state.frames[-1].seat < 0:
        out = []
        dice: tuple[int, ...] = ()
        frame = state.frames.pop()
        if frame.seat == AUTO:
            rules.steps[frame.name](rules, state, frame, out)
        else:
            chance = rules.chances[frame.name]
            dice = tuple(draw(state, chance.dice))
            chance.fall(rules, state, frame, dice, out)
        yield Picture(frame.name, frame.args, dice, rules.to_position(state), out)
