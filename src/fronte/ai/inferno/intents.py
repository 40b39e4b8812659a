"""What a player turn may be meant to do: intentions, and the whole plan of moves that each of them leads to.

An intention is a change to steady's weights, or a goal to concentrate on. Steady's own planning then works out who goes
where, with which attacks in mind and which guns. Beside the intentions that have a name, others are drawn at random:
the more time there is, the more of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from random import Random
from typing import NamedTuple

import msgspec

from fronte.ai.inferno.guards import Guarded, Watchful
from fronte.ai.inferno.raids import BOLDER, Raid
from fronte.ai.inferno.steady import policy
from fronte.ai.inferno.steady.ground import PARTS, Chart, Picture
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.steady.weights import Weights, scaled
from fronte.ai.reasons import Answer
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State

CHANGES: dict[str, Mapping[str, float]] = {
    "steady": {},
    "bold": {"bleed": 0.6, "least_gain": 0.4, "leave_post": 0.5, "hurt": 1.3},
    "careful": {"bleed": 1.6, "least_gain": 2.0, "leave_post": 1.6},
    "press": {"pull": 2.0, "ground": 2.0, "take": 1.5, "cover": 0.6, "hold": 0.6},
    "attrition": {"hurt": 1.8, "vp": 0.7, "bleed": 0.9},
    "points": {"vp": 2.0, "leave_post": 0.7, "guard": 0.8},
    "hold": {"least_gain": 5.0, "hold": 1.8, "cover": 1.6, "guard": 1.5, "pull": 0.7},
    "close_up": {"cover": 2.0, "occupy": 1.6, "crowd": 1.8, "open": 1.5},
    "fall_back": {"exposed": 6.0, "surrounded": 2.0, "hold": 0.3, "weak": 2.0},
    "counter": {"vp": 1.8, "least_gain": 0.4, "leave_post": 0.4, "take": 1.5, "bleed": 0.8},
    "rest": {"heal": 2.5, "weak": 2.5, "least_gain": 2.0},
}
"""Factors on steady's weights. The first is what steady would do."""
WATCH: Mapping[str, float] = {"guard": 2.0, "take": 0.8}
"""The same for who expects raids."""
DRAWN = "drawn"
SPREAD = 0.6
"""How far the weights of an intention without a name lie from steady's, as the logarithm of a factor."""
CONCENTRATION = 6.0
"""How much stronger a goal pulls when all is concentrated on it."""


class Intent(NamedTuple):
    """A name, the weights that go with it, the hex to concentrate on (-1: none), and how moves are planned."""

    name: str
    weights: Weights
    focus: int = -1
    kind: type[Campaign] = Campaign


class Focused(Picture):
    """A picture in which one goal pulls more than others."""

    def __init__(self, chart: Chart, state: State, side: int, focus: int) -> None:
        super().__init__(chart, state, side)
        self.focus = focus

    @cached_property
    def pull(self) -> list[float]:
        """How strongly each hex feels the objectives that are still to be won, the focus above all."""
        plain = self.chart.field(self.terms.wanted(self), self.side, False)
        more = CONCENTRATION * self.chart.values[self.focus] / PARTS
        return [x + more * felt for x, felt in zip(plain, self.chart.felt[self.focus], strict=True)]


def intents(picture: Picture, weights: Weights, goals: int, rng: Random) -> Iterator[Intent]:
    """Intentions without end, what steady would do first; then those with a name, then so many goals, then others."""
    for name in CHANGES:
        yield Intent(name, changed(weights, name))
    for goal in contested(picture)[:goals]:
        yield Intent("concentrate", weights, goal)
    while True:
        yield Intent(DRAWN, drawn(weights, rng))


def raiding(weights: Weights) -> Intent:
    """What the raider means."""
    return Intent("raid", reweighed(weights, BOLDER), kind=Raid)


def with_raids(picture: Picture, steady: Intent, goals: int, rng: Random) -> Iterator[Intent]:
    """The same intentions, with raids before attacks and guards against them, as steady has them where it has any, in
    all but steady's own; before them the raider's, and his who thinks of guarding above all."""
    raid = raiding(steady.weights)
    kind = Guarded if steady.kind is Campaign else steady.kind
    yield raid
    yield Intent("watch", reweighed(raid.weights, WATCH), kind=Watchful)
    for intent in intents(picture, steady.weights, goals, rng):
        yield steady if intent.name == "steady" else intent._replace(kind=kind)


def changed(weights: Weights, name: str) -> Weights:
    """The weights that go with an intention that has a name."""
    return reweighed(weights, CHANGES[name])


def reweighed(weights: Weights, factors: Mapping[str, float]) -> Weights:
    """The weights with these factors on them."""
    return msgspec.structs.replace(weights, **{key: getattr(weights, key) * factor for key, factor in factors.items()})


def drawn(weights: Weights, rng: Random) -> Weights:
    """Weights drawn around these, as an intention without a name has them; nothing is drawn for what counts nothing."""
    return scaled(weights, [rng.gauss(0.0, SPREAD) if value else 0.0 for value in msgspec.structs.astuple(weights)])


def contested(picture: Picture) -> list[int]:
    """Goals of the enemy that are within reach of the front, the most promising first."""
    chart, state = picture.chart, picture.state
    mine = picture.state.zocs[picture.side]
    near = chart.distance_from(state, mine)
    open_goals = [g for g in chart.values if not picture.ours >> g & 1 and near[g] <= 4]
    return sorted(open_goals, key=lambda g: (-chart.values[g] / (1 + near[g]) / (1 + picture.pressure[g]), g))


def plan(rules: Inferno, state: State, side: int, intent: Intent) -> list[Answer]:
    """The moves of a Movement Phase that an intention leads to. The state is left as it is."""
    if intent.focus < 0:
        return policy.movement(rules, state, side, intent.weights, intent.kind)
    picture = policy.prepare(rules, state.copy(), side)
    moves: list[Answer] = []
    for tied in picture.terms.tied:
        focused = Focused(picture.chart, picture.state.copy(), side, intent.focus)
        campaign = intent.kind(focused, intent.weights, tied)
        moves = campaign.plan()
        if not campaign.terms.laid_open(campaign):
            break
    return moves
