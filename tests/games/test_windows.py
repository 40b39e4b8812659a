"""Moves that are interrupted, reaction windows, activation in turns, and where units are: what all families share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import fronte
from fronte.engine.decision import AUTO, Frame
from fronte.games.common.activation import next_to_act
from fronte.games.common.places import put
from fronte.games.common.windows import forget_rest, lay_below, open_window, react, rest_waits, unspent

# Interrupted moves


def stack(*frames: Frame) -> Any:
    return SimpleNamespace(frames=list(frames))


def names(state: Any) -> list[str]:
    return [frame.name for frame in state.frames]


def test_the_rest_of_a_move_lies_below_what_interrupts_it() -> None:
    state = stack(Frame("phase", 0))
    assert not rest_waits(state, 1, "march", 4, (7, 8))
    assert names(state) == ["phase"]
    state.frames += (Frame("ask", 1), Frame("die", 0))
    assert rest_waits(state, 1, "march", 4, (7, 8))
    assert state.frames[1] == Frame("march", AUTO, (4, (7, 8)))
    assert names(state) == ["phase", "march", "ask", "die"]


def test_what_comes_next_is_laid_below_whether_or_not_something_came_between() -> None:
    state = stack(Frame("phase", 0))
    lay_below(state, 1, "settle", 4)
    assert names(state) == ["phase", "settle"]
    state.frames.append(Frame("ask", 1))
    lay_below(state, 2, "halt", 4)
    assert names(state) == ["phase", "settle", "halt", "ask"]


def test_who_stops_has_no_rest_and_others_go_on() -> None:
    state = stack(Frame("march", AUTO, (3, (1,))), Frame("march", AUTO, (4, (2,))), Frame("ask", 1, (4,)))
    forget_rest(state, "march", 4)
    assert state.frames == [Frame("march", AUTO, (3, (1,))), Frame("ask", 1, (4,))]


# Windows


def test_pieces_react_in_the_order_their_owner_likes_and_each_once() -> None:
    state = stack(Frame("march", AUTO, (9, (1,))))
    open_window(state, "react", 1, 9, "t2")
    window = state.frames[-1]
    assert window == Frame("react", 1, (9, "t2", ()))
    assert unspent(window, (5, 6, 7)) == [5, 6, 7]
    react(state, 6)
    state.frames.append(Frame("die", 0, (6,)))  # what the reaction does comes first
    assert names(state) == ["march", "react", "die"]
    state.frames.pop()
    assert state.frames[-1] == Frame("react", 1, (9, "t2", (6,)))
    assert unspent(state.frames[-1], (5, 6)) == [5], "7 can no longer react, 6 has reacted"
    react(state, 5)
    assert unspent(state.frames[-1], (5, 6)) == []


def test_in_play_a_window_is_asked_until_it_is_closed_and_then_the_march_goes_on(probe: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(60):
        match: Any = fronte.new(probe, seed=seed)
        rng = Random(seed)
        while match.state.frames:
            if match.decision.kind == "react":
                seen.update(watch(match))
            match.play(match.sample(rng))
    assert all(seen[what] for what in ("before", "after", "asked again", "stopped", "went on")), seen


def watch(match: Any) -> Iterator[str]:
    """What follows from either answer in the window on top."""
    state = match.state
    piece, when, spent = state.frames[-1].args
    yield str(when)
    rest = [frame.args[1] for frame in state.frames if frame.name == "march" and frame.args[0] == piece]
    for action in match.legal():
        twin = match.copy()
        twin.play(action)
        after = twin.state
        top = after.frames[-1] if after.frames else Frame("", 0)
        waits = any(frame.name == "march" and frame.args[0] == piece for frame in after.frames)
        if action.__struct_config__.tag == "hold":
            assert (top.name, top.args[:2]) != ("react", (piece, when)) or after.at[piece] != state.at[piece]
            if rest and after.at[piece] == rest[0][0]:
                yield "went on"
        elif after.hits[piece] > state.hits[piece]:
            assert not waits, "who is hit on the march stops"
            yield "stopped"
        elif top.name == "react" and top.args[:2] == (piece, when) and after.at[piece] == state.at[piece]:
            assert top.args[2] == (*spent, match.rules.find(state, action.unit))
            assert twin.why_not(action) is not None, "a piece reacts once in a window"
            yield "asked again"


# Activation


@pytest.mark.parametrize(
    ("first", "able", "passes", "most", "found"),
    [
        (1, (True, True), 0, 0, (1, 0)),
        (1, (True, False), 0, 0, (0, 1)),  # who has nothing left passes without being asked
        (1, (False, False), 0, 0, None),
        (0, (True, True), 2, 3, (0, 2)),
        (0, (True, True), 3, 3, None),  # Volturno: three passes in a row end it
        (0, (False, True), 2, 3, None),  # the third of them a forced one
        (0, (False, True), 0, 3, (1, 1)),
        (0, (True, True), 2, 2, None),  # Caporetto: two in succession
        (0, (True, True), 0, 2, (0, 0)),  # who has acted goes on
    ],
)
def test_who_acts_next(first: int, able: Sequence[bool], passes: int, most: int, found: tuple[int, int] | None) -> None:
    assert next_to_act(first, able, passes, most) == found


# Places


def test_stacks_and_masks_follow_a_unit() -> None:
    state: Any = SimpleNamespace(at=[-1] * 4, stacks=[()] * 3, occ=[0, 0])
    sides = (0, 0, 1, 1)
    for unit, to in ((1, 2), (0, 2), (2, 1)):
        put(state, unit, to, sides.__getitem__)
    assert (state.at, state.stacks, state.occ) == ([2, 2, 1, -1], [(), (2,), (0, 1)], [0b100, 0b010])
    put(state, 0, 1, sides.__getitem__)  # for a moment both sides are there
    assert (state.stacks[1], state.occ) == ((0, 2), [0b110, 0b010])
    put(state, 2, -2, sides.__getitem__)
    assert (state.at[2], state.stacks[1], state.occ) == (-2, (0,), [0b110, 0])
    put(state, 0, 2, sides.__getitem__, on_top=True)
    assert (state.stacks[2], state.occ) == ((1, 0), [0b100, 0])


def test_an_occupied_hex_is_always_in_the_mask() -> None:
    for game in ("isonzo", "altipiani"):
        match: Any = fronte.new(game, seed=5)
        rng = Random(5)
        for _ in range(400):
            if not match.state.frames:
                break
            match.play(match.sample(rng))
            state, side = match.state, match.rules.side
            for k in range(2):
                there = {state.at[unit] for unit in match.rules.of_side[k] if state.at[unit] >= 0}
                assert state.occ[k] == sum(1 << h for h in there)
            assert all(side[unit] == side[units[0]] for units in state.stacks for unit in units)
