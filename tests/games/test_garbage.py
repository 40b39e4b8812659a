"""What games and machine players make is gone when nobody holds it: nothing waits until Python looks for cycles, which
stops everything, and a state that something holds in a cycle stays whole until then."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

import fronte
from fronte.ai import Seat, player
from fronte.games.registry import GAMES

FIRST = 30
"""Decisions in which whatever is loaded once is loaded."""


@contextmanager
def left_over() -> Iterator[Counter[str]]:
    """What is made meanwhile, lies in cycles and is held by nobody: how many of each type."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    flags = gc.get_debug()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        found.update(type(one).__qualname__ for one in gc.garbage)
    finally:
        gc.garbage.clear()
        gc.set_debug(flags)
        gc.enable()


def play(match: fronte.Match, seats: list[Seat], players: list[fronte.ai.Player], decisions: int) -> None:
    for _ in range(decisions):
        if match.seat < 0:
            return
        _ = match.offer
        action = players[match.seat](seats[match.seat])
        with suppress(fronte.IllegalAction):  # it throws no dice
            match.odds(action)
        match.play(action)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("level", "decisions"), [("steady", 400), ("planner:2p", 6)])
def test_nothing_that_is_made_in_play_is_left_to_the_collector(game: str, level: str, decisions: int) -> None:
    match = fronte.new(game, seed=3)
    seats = [Seat(match, name) for name in match.rules.seats]
    quick, chosen = ([player(one, f"{number}", game=game) for number in range(2)] for one in ("steady", level))
    play(match, seats, quick, FIRST)
    play(match, seats, chosen, 1)
    with left_over() as found:
        play(match, seats, chosen, decisions)
    assert not found
