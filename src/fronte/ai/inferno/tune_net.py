"""What a net learns from (`fronte tune net`): games of many players against each other, not of steady alone.

Most are played by those that are quick, in some player turns with another intention than their own, as `tune_value`
does; in some a planner that thinks shortly takes part. After every player turn the signs are noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np

import fronte
from fronte.ai import Seat, player
from fronte.ai.inferno.guards import Guarded, Sentry
from fronte.ai.inferno.intents import Intent, reweighed
from fronte.ai.inferno.planner import policy_of
from fronte.ai.inferno.raids import Raid
from fronte.ai.inferno.signs import names, signs
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.stubborn import FIRMER, Bulwark
from fronte.ai.inferno.tune_value import EXPLORING, other_weights
from fronte.ai.inferno.value import worth_of
from fronte.ai.learning import SelfPlay, played
from fronte.ai.luck import Luck
from fronte.ai.netfit import Games
from fronte.ai.nets import Net
from fronte.ai.playout import Playout

QUICK = ("raider", "steady", "stubborn")
PLANNER = "planner-2:6p"
"""The planner without a net, so that the same games are played whatever has been learnt."""
PLANNERS = 0.05
"""The share of games in which a planner takes part, in half of them on both sides."""
POOL = (PLANNER, *QUICK)


def play(job: SelfPlay) -> dict[str, Any]:
    """The signs after each player turn of a game, who played it, and its score."""
    rng = Random(f"pool {job.seed}")
    hands = [rng.choice(QUICK), rng.choice(QUICK)]
    if rng.random() < PLANNERS:
        hands[rng.randrange(2)] = PLANNER
        if rng.random() < 0.5:
            hands = [PLANNER, PLANNER]
    turns: list[dict[str, Any]] = []

    def note(rules: Any, state: Any) -> None:
        turns.append({"turn": state.turn, "active": state.active, "signs": [round(x, 3) for x in signs(rules, state)]})

    score = (_at_the_table if PLANNER in hands else _among_the_quick)(job, hands, rng, note)
    return {"job": msgspec.to_builtins(job), "players": hands, "score": score, "turns": turns}


def _among_the_quick(job: SelfPlay, hands: Sequence[str], rng: Random, note: Callable[[Any, Any], None]) -> int:
    """A game without a match around it; its score."""
    match = fronte.new(job.game, job.scenario, job.seed)
    rules: Any = match.rules
    policy = policy_of(rules)
    stubborn = {
        side: Intent("stubborn", reweighed(usual.weights, FIRMER), kind=Bulwark) for side, usual in policy.base.items()
    }
    kinds = {"steady": policy.base, "raider": policy.raids, "stubborn": stubborn}
    usual = {side: kinds[name][side] for side, name in enumerate(hands)}
    playout = Playout(policy, match.state, usual, Luck("pool", job.seed))
    while True:
        side = playout.state.active
        playout.intents = dict(usual)
        if rng.random() < EXPLORING:
            weights = other_weights(usual[side].weights, rng)
            playout.intents[side] = Intent("other", weights, kind=rng.choice((Campaign, Raid, Guarded, Sentry)))
        playout.go_on(0, usual)
        if playout.over:
            break
        note(rules, playout.state)
    return int(rules.merit(rules.result(playout.state), rules.scorer))


def _at_the_table(job: SelfPlay, hands: Sequence[str], rng: Random, note: Callable[[Any, Any], None]) -> int:
    """A game of players who see what their seats see; its score."""
    match = fronte.new(job.game, job.scenario, job.seed)
    rules: Any = match.rules
    stretch = policy_of(rules).stretch
    players = [player(name, f"{job.seed} {seat}", game=job.game) for seat, name in enumerate(hands)]
    seats = [Seat(match, seat) for seat in rules.seats]
    now = stretch(match.state)
    while match.seat >= 0:
        match.play(players[match.seat](seats[match.seat]))
        if match.seat >= 0 and stretch(match.state) != now:
            now = stretch(match.state)
            note(rules, match.state)
    assert match.result is not None
    return int(rules.merit(match.result, rules.scorer))


def gather(jobs: Sequence[SelfPlay], workers: int, file: Path | None) -> Iterator[dict[str, Any]]:
    """All games, those of the file first; new ones go into it."""
    return played(play, jobs, workers, file)


def games_of(rows: Sequence[dict[str, Any]]) -> Games:
    """The games as a net learns from them. Who plays is told by how much of the game is left as well."""
    rows = [row for row in rows if row["turns"]]
    told = np.array([turn["signs"] for row in rows for turn in row["turns"]])
    lengths = [len(row["turns"]) for row in rows]
    hands = np.array([[name == own for own in row["players"] for name in POOL[1:]] for row in rows], dtype=float)
    who = np.repeat(hands, lengths, axis=0)
    time = told[:, 1:2]
    return Games(told, np.hstack([who, who * time]), lengths, np.array([float(row["score"]) for row in rows]))


def names_of(game: str, scenario: str) -> tuple[str, ...]:
    """The names of the signs in a game."""
    rules: Any = fronte.ruleset(game, scenario)
    return names(rules)


def line_of(game: str, scenario: str) -> Net:
    """The line of weights as a net over the same signs, to be compared with."""
    worth = worth_of(game)
    by = {f"{name} left": x for name, x in worth.left.items()} | {
        f"{name} second": x for name, x in worth.second.items()
    }
    weights = {**worth.base, **worth.end, **by}
    listed = names_of(game, scenario)
    return Net("fronte tune value", listed, worth.base["one"], tuple(weights.get(name, 0.0) for name in listed))
