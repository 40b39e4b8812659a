"""A game played slowly: every step that the engine takes by itself and every throw is a picture of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from fronte.engine.decision import AUTO, Action
from fronte.engine.event import Event
from fronte.engine.flow import draw
from fronte.engine.match import Match


class Picture(NamedTuple):
    """What one step did: its name, the position before, the position after, and what was told."""

    name: str
    args: tuple[Any, ...]
    before: dict[str, Any]
    after: dict[str, Any]
    events: list[Event]


def play(match: Match, action: Action) -> Iterator[Picture]:
    """Play a legal action up to the next decision, picture by picture. The match goes on with it."""
    rules, state = match.rules, match.state
    before = rules.to_position(state)
    frame = state.frames[-1]
    out: list[Event] = []
    rules.choices[frame.name].apply(rules, state, frame, action, out)
    after = rules.to_position(state)
    yield Picture(frame.name, frame.args, before, after, out)
    while state.frames and state.frames[-1].seat < 0:
        before = after
        out = []
        frame = state.frames.pop()
        if frame.seat == AUTO:
            rules.steps[frame.name](rules, state, frame, out)
        else:
            chance = rules.chances[frame.name]
            dice = draw(state, chance.dice)
            out.append(Event("rolled", chance.rules, {"what": frame.name, "dice": list(dice)}))
            chance.fall(rules, state, frame, dice, out)
        after = rules.to_position(state)
        yield Picture(frame.name, frame.args, before, after, out)
