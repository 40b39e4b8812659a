"""What a net learns from (`fronte tune net volturno`): games of the planner's first intention, steady and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import fronte
from fronte.ai import selfplay
from fronte.ai.learning import SelfPlay, played
from fronte.ai.netfit import Games
from fronte.ai.nets import Net
from fronte.ai.selfplay import Hand
from fronte.ai.volturno.chart import chart_of
from fronte.ai.volturno.planner import CHANGES, USUAL, Intent, VolturnoPolicy, changed, drawn, policy_of
from fronte.ai.volturno.signs import names, signs
from fronte.games.volturno.counters import NAPOLETANI

__all__ = ["SelfPlay", "games_of", "gather", "line_of", "names_of"]


def play(job: SelfPlay) -> dict[str, Any]:
    """A game between two of the pool."""
    return selfplay.play(job, policy_of, lambda policy, state: signs(policy.chart, state), _hand, _other)


def _hand(policy: VolturnoPolicy, seat: int, rng: Random) -> Hand:
    """As the planner does without thinking, as steady, or with all weights changed."""
    own = policy.usual(seat)
    return rng.choice((Hand("first", own), Hand("steady", USUAL), Hand("wild", drawn(own.weights, rng))))


def _other(policy: VolturnoPolicy, seat: int, rng: Random) -> Intent:
    """Something else for an activation: as often one that has a name as one that is drawn."""
    own = policy.usual(seat).weights
    if rng.random() < 0.5:
        return drawn(own, rng)
    name = rng.choice(sorted(CHANGES))
    return changed(name, own, CHANGES[name])


def gather(jobs: Sequence[SelfPlay], workers: int, file: Path | None) -> Iterator[dict[str, Any]]:
    """All games, those of the file first; new ones go into it."""
    return played(play, jobs, workers, file)


def games_of(rows: Sequence[dict[str, Any]]) -> Games:
    """The games as a net learns from them."""
    return selfplay.games_of(rows, NAPOLETANI)


def names_of(game: str, scenario: str) -> tuple[str, ...]:
    """The names of the signs in a scenario."""
    return names(chart_of(fronte.ruleset(game, scenario)).rules)


def line_of(game: str, scenario: str) -> Net:
    """Rules of thumb as a net over the same signs, to be compared with."""
    listed = names_of(game, scenario)
    return Net("rules of thumb", listed, 0.0, tuple(float(name == "guess") for name in listed))
