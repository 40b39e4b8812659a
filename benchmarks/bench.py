"""Measure the program's speed: random play, steady's games played again, copies, odds, legal moves, loading. One core,
pure Python.

    .venv/bin/python benchmarks/bench.py [game ...] [--json]

Every registered game if none is named. Each figure is the best of several rounds by the processor's time, so that other
work on the machine disturbs it as little as possible.
"""

from __future__ import annotations

from random import Random
from time import process_time
from typing import Any

from timing import ROUNDS, asked_games, at_decision, best, largest, moving, print_figures

import fronte
from fronte.ai import Seat, player
from fronte.ai.arena import seldom_collecting
from fronte.engine.save import take_snapshots
from fronte.games.registry import for_header, ruleset

PLAYED = 6


def random_game(game: str, seed: int) -> fronte.Match:
    """One game of random play to the end."""
    match = fronte.new(game, largest(game), seed=seed)
    rng = Random(seed)
    while match.state.frames:
        match.play(match.sample(rng))
    return match


def random_play(game: str) -> tuple[float, int]:
    """Actions a second in random play with all counters, every action checked and every event made."""
    with seldom_collecting():  # as `fronte simulate` plays
        began = process_time()
        actions = sum(len(random_game(game, seed).entries) for seed in range(PLAYED))
        return actions / (process_time() - began), actions


def played_again(game: str) -> tuple[float, int]:
    """Actions a second of a whole game of steady against itself that is played again: what the rules take where
    something is at stake, and no choosing. Random play passes early, and steady does not."""
    match = fronte.new(game, largest(game), seed=1)
    hands = {seat: player("steady", seat, game=game) for seat in match.rules.seats}
    actions = []
    while match.state.frames:
        seat = match.rules.seats[match.seat]
        actions.append(hands[seat](Seat(match, seat)))
        match.play(actions[-1])
    return len(actions) / best(lambda: replay(game, actions), 1), len(actions)


def replay(game: str, actions: list[Any]) -> None:
    """The same actions once more."""
    match = fronte.new(game, largest(game), seed=1)
    for action in actions:
        match.play(action)


def legal_moves(game: str) -> tuple[float, int]:
    """All legal moves of the side or formation that moves, at the beginning of its phase."""
    match = moving(game)

    def moves() -> int:
        count = 0
        for action in match.legal():
            if action.__struct_config__.tag in ("end", "done"):
                break
            count += 1
        return count

    return best(moves, 3), moves()


def attack_odds(game: str) -> float:
    """Exact odds of an attack: of the largest there is in a Combat Phase, or of an assault."""
    if "combat" in ruleset(game).choices:
        match = at_decision(game, "combat")
        attacks = [action for action, _ in zip(match.legal(), range(50), strict=False) if hasattr(action, "target")]
        attack = max(attacks, key=lambda action: len(action.units))
    else:
        match, attack = assaulting(game)
    return best(lambda: match.odds(attack), 50)


def assaulting(game: str) -> tuple[fronte.Match, Any]:
    """A match of random play in which a unit can assault, and the assault."""
    match, rng = fronte.new(game, largest(game), seed=1), Random(1)
    while match.state.frames:
        if match.state.frames[-1].name == "act":
            for action in match.legal():
                if action.__struct_config__.tag == "assault":
                    return match, action
        match.play(match.sample(rng))
    raise SystemExit(f"nobody assaults in this game of {game}")


def loading(game: str) -> tuple[float, int]:
    """Loading the worst of many points of a finished game, with its snapshots."""
    match = random_game(game, 3)
    text = match.save()
    snapshots = take_snapshots(text, for_header)
    points = range(0, len(match.entries) + 1, 37)
    return max(best(lambda at=at: fronte.load(text, at, snapshots), 1) for at in points), len(match.entries)


def measure(game: str) -> dict[str, Any]:
    """All figures of a game."""
    random_game(game, 0)
    speeds = [random_play(game) for _ in range(ROUNDS)]
    state = moving(game).state
    moves, count = legal_moves(game)
    load, length = loading(game)
    steady, lines = played_again(game)
    return {
        "random play, actions per second": round(max(speed for speed, _ in speeds)),
        "actions per game": round(speeds[0][1] / PLAYED),
        "a game of steady played again, actions per second": round(steady),
        "actions in that game of steady": lines,
        "copy of a state, microseconds": round(best(state.copy, 2000) * 1e6, 2),
        "exact odds of an attack, microseconds": round(attack_odds(game) * 1e6),
        "all legal moves of one side, milliseconds": round(moves * 1e3, 2),
        "legal moves listed": count,
        "loading any point of a finished game, worst, milliseconds": round(load * 1e3, 2),
        "actions in that game": length,
    }


if __name__ == "__main__":
    print_figures({game: measure(game) for game in asked_games()})
