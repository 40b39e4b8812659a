"""Advice and judgement for one seat, in any game whose family brings a policy: what to do here, how good it is, what a
decision cost.

All of it is worked out from imagined states that the seat cannot tell from the real one, so no answer depends on what
the seat may not know. It is the same for the same seed and the same number of playouts. What is expected is expected of
the policy's play for both sides: better players will do better on either.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

import msgspec

from fronte.ai import player, policy_for
from fronte.ai.arena import wilson
from fronte.ai.budget import Budget
from fronte.ai.planner import MOST_LISTED, Plan, Planner, Thought
from fronte.ai.playout import DISCARDED, Playout
from fronte.ai.policy import PLANNED, Policy, is_legal
from fronte.ai.reasons import Answer, Reason
from fronte.ai.search import Trial, best_of
from fronte.ai.seat import Seat
from fronte.engine import flow
from fronte.engine.decision import Action
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.engine.rules import Result, Rules

Z = 1.96
"""The normal quantile of a 95 % interval."""
FEWEST = 3
"""Values from which on an interval can be told."""
INTENTS = 6
"""So many intents are tried, if there are as many, for what was done and for what else could have been."""
AHEAD = 2
"""Stretches after its own through which a decision is followed at least: passing ends one sooner than acting does."""
FRESH = 1000
"""The number of the first playout that compares what was found: its dice are other than those it was chosen by."""


class Estimate(msgspec.Struct, frozen=True):
    """A mean, and the interval in which it lies with 95 %; None where there are too few values to tell."""

    mean: float
    low: float | None = None
    high: float | None = None


class Option(msgspec.Struct, frozen=True):
    """A plan or an answer that was thought about."""

    moves: tuple[Action, ...]
    """What it begins with: the moves of a plan, or one answer."""
    purpose: Reason | None
    """What a plan is for, if that has a name."""
    tries: int
    expected: float
    """What the player makes of the position up to which it looked, as a score. It compares plans by that; what the end
    will be is told by playouts that go to the end (`outlook`), and people are shown no other."""
    behind: Estimate
    """How much worse it is for the seat than what was chosen, in the same playouts."""


class Advice(msgspec.Struct, frozen=True):
    """What a player would do, why, and what it weighed; what was chosen first, then from the best on."""

    action: Action
    why: Reason
    options: tuple[Option, ...] = ()


class Ending(msgspec.Struct, frozen=True):
    """A way in which the game may end, and how likely that is, with its 95 % interval."""

    level: str
    winner: str | None
    share: float
    low: float
    high: float


class Outlook(msgspec.Struct, frozen=True):
    """How good a position is for a seat, and how sure that is."""

    playouts: int
    merit: Estimate
    """What the seat may expect, in points that count for it."""
    score: Estimate
    """The same as the score that the game counts, which may count for the other side."""
    spread: tuple[float, float]
    """Eight of ten playouts came to a score between these."""
    endings: tuple[Ending, ...]
    """The most likely first; only of playouts that came to the end of the game."""
    ended: int
    """How many of the playouts did."""


class Cost(msgspec.Struct, frozen=True):
    """What a decision cost a seat: the best that was found beside it, against what was done."""

    playouts: int
    done: float
    """The score that is expected after what was done."""
    best: Option | None
    """The best of what else was found; None where there was nothing else to do."""
    cost: Estimate
    """How much more the seat could expect of that. Below zero: what was done is better than whatever else was found."""


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of values, with Student's interval."""
    if len(values) < FEWEST:
        return Estimate(fmean(values))
    free = len(values) - 1
    quantile = Z + (Z**3 + Z) / (4 * free) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * free**2)
    mean, half = fmean(values), quantile * stdev(values) / sqrt(len(values))
    return Estimate(mean, mean - half, mean + half)


def known_policy(rules: Rules[Any]) -> Policy[Any, Any]:
    """The policy for a ruleset; ValueError where nobody can judge its game."""
    found = policy_for(rules)
    if found is None:
        raise ValueError(f"nobody can judge a position of {rules.header.game}")
    return found


# What to do


def advise(seat: Seat, spec: str, seed: str, clock: Callable[[], float] = time.monotonic) -> Advice:
    """What a player would do for this seat, and why; ValueError if the seat owes no decision or there is no such."""
    if not seat.owes:
        raise ValueError(f"{seat.name} owes no decision here")
    sits = player(spec, seed, clock, seat.rules.header.game)
    action = sits(seat)
    why = getattr(sits, "why", None)
    options: tuple[Option, ...] = ()
    if isinstance(sits, Planner):
        side, policy = seat.rules.seat_index(seat.name), sits.policy_of(seat.rules)
        tried = [trial for trial in sits.compared if trial.tries]
        options = tuple(_option(policy, side, trial, tried[0].found) for trial in tried)
    return Advice(action, why if isinstance(why, Reason) else Reason(""), options)


def _option(policy: Policy[Any, Any], side: int, trial: Trial[Any], best: Sequence[float]) -> Option:
    """A candidate as it came out, against the trials of what was chosen."""
    moves, purpose = _meant(policy, trial.candidate)
    behind = estimate([b - found for b, found in zip(best, trial.found, strict=False)])
    return Option(moves, purpose, trial.tries, policy.score(side, trial.mean), behind)


def _meant(policy: Policy[Any, Any], candidate: Plan[Any] | Answer) -> tuple[tuple[Action, ...], Reason | None]:
    if isinstance(candidate, Plan):
        return tuple(answer.action for answer in candidate.moves), policy.purpose(candidate.intent)
    return (candidate.action,), None


# How good it is


def outlook(
    seat: Seat, budget: Budget, seed: str, ahead: int | None = None, clock: Callable[[], float] = time.monotonic
) -> Outlook:
    """What a seat may expect here: so many playouts to the end of the game, or so many stretches on.

    A playout that does not come to the end, since it looks no further or since time is up, counts with what its last
    position is worth. At least one is made, whoever owes the decision.
    """
    policy, side = known_policy(seat.rules), seat.rules.seat_index(seat.name)
    if seat.result is not None:
        return _outlook(policy, side, [], [seat.result])
    thought = _thought(policy, seat, budget, seed, clock)
    begun = clock()

    def late() -> bool:
        return budget.seconds is not None and clock() - begun > budget.seconds

    values, results = [], []
    for number in range(budget.playouts):
        if number and late():
            break
        met = thought.met(number)
        playout = thought.playout(number, met[side])
        left = ahead
        while not playout.over and left != 0 and not late():
            playout.go_on(0, met)
            left = None if left is None else left - 1
        result = seat.rules.result(playout.state)
        if result is None:
            values.append(policy.value(playout.state, side))
        else:
            results.append(result)
    return _outlook(policy, side, values, results)


def _thought(
    policy: Policy[Any, Any], seat: Seat, budget: Budget, seed: str, clock: Callable[[], float]
) -> Thought[Any, Any]:
    return Thought(Planner(lambda rules: policy, Random(seed), budget, clock), seat, policy)


def _outlook(policy: Policy[Any, Any], side: int, values: Sequence[float], results: Sequence[Result]) -> Outlook:
    """All playouts together: the values of those that were left where they were, and the results of the others."""
    merits = [*values, *(float(policy.rules.merit(result, side)) for result in results)]
    scores = sorted([*(policy.score(side, value) for value in values), *(float(one.score) for one in results)])
    tail = len(scores) // 10
    counted = Counter((result.level, result.winner) for result in results)
    ended = len(results)
    endings = [
        Ending(level, winner, times / ended, *wilson(times, ended))
        for (level, winner), times in sorted(counted.items(), key=lambda item: (-item[1], item[0][0], item[0][1] or ""))
    ]
    spread = scores[tail], scores[-1 - tail]
    return Outlook(len(scores), estimate(merits), estimate(scores), spread, tuple(endings), ended)


# What it cost


class Candidate(NamedTuple):
    """Moves to begin with, and the intent with which the stretch goes on after them."""

    moves: tuple[Action, ...]
    intent: Any
    purpose: Reason | None = None


def cost(
    seat: Seat, done: Sequence[Action], budget: Budget, seed: str, clock: Callable[[], float] = time.monotonic
) -> Cost:
    """What was done here against the best of what else is found, in the same imagined states and with the same dice.

    `done` is what the seat decided: one decision, or the planned ones of a stretch one after the other. Half of the
    playouts choose what it is compared with, and how best to go on after either; the others compare, with fresh dice,
    so that nothing looks better than it is for having been chosen.
    """
    if not seat.owes:
        raise ValueError(f"{seat.name} owes no decision here")
    policy = known_policy(seat.rules)
    thought = _thought(policy, seat, budget, seed, clock)
    side, looks = thought.side, list(policy.looks(thought.worlds[0]))
    looks[0] = max(looks[0], AHEAD)
    moves = tuple(_before_dice(policy, done))
    mine, others = _candidates(thought, moves)
    if not others:
        return Cost(0, 0.0, None, Estimate(0.0, 0.0, 0.0))

    def judge(candidate: Candidate, number: int) -> float:
        playout = thought.playout(number, candidate.intent)
        _carry_out(playout, candidate.moves, side)
        return thought.outlook(playout, looks, number)

    meter = thought.planner.meter
    share = 0.5 * len(others) / (len(mine) + len(others))  # so that all are tried alike
    meter.begin(cost, share)
    other = best_of(others, judge, meter)[0].candidate
    meter.end()
    meter.begin(cost, (0.5 - share) / (1 - share))
    own = best_of(mine, judge, meter)[0].candidate
    meter.end()
    meter.begin(cost, 1.0)
    after = [(judge(own, FRESH), judge(other, FRESH))]
    while 2 * len(after) + 2 <= meter.share and not meter.late:
        number = FRESH + len(after)
        after.append((judge(own, number), judge(other, number)))
    gains = [b - a for a, b in after]
    expected = policy.score(side, fmean(b for _, b in after))
    best = Option(other.moves, other.purpose, len(after), expected, estimate([-gain for gain in gains]))
    return Cost(meter.total + 2 * len(after), policy.score(side, fmean(a for a, _ in after)), best, estimate(gains))


def _before_dice(policy: Policy[Any, Any], done: Sequence[Action]) -> Sequence[Action]:
    """Of what was done that which knew no dice of this stretch: up to the first throw that may change what follows."""
    fateful = next((n for n, action in enumerate(done) if isinstance(action, policy.fateful)), len(done))
    return done[: fateful + 1]


def _candidates(thought: Thought[Any, Any], done: tuple[Action, ...]) -> tuple[list[Candidate], list[Candidate]]:
    """What was done, with all that it may lead to; and what else there was, as many decisions of it."""
    policy, world, side = thought.policy, thought.worlds[0], thought.side
    if policy.way(world) != PLANNED:
        meant = policy.met(side, 0)
        listed = [*islice(thought.seat.legal(), MOST_LISTED)]
        actions = [thought.answer(None).action, *policy.others(world, side, listed)]
        others = [Candidate((action,), meant) for action in dict.fromkeys(actions) if action != done[0]]
        return [Candidate(done[:1], meant)], others
    room = max(1, thought.planner.meter.budget.playouts // 4)
    intents = list(islice(policy.intents(world, side, thought.planner.rng), min(INTENTS, policy.named, room)))
    found: dict[tuple[Action, ...], Candidate] = {}
    for intent in intents:
        moves = policy.plan(world, side, intent) or [policy.close(world, side)]
        begun = tuple(answer.action for answer in moves[: len(done)])
        found.setdefault(begun, Candidate(begun, intent, policy.purpose(intent)))
    found.pop(done, None)
    return [Candidate(done, intent) for intent in intents], list(found.values())


def _carry_out(playout: Playout[Any, Any], moves: Sequence[Action], side: int) -> None:
    """Begin with these moves, those left out that are impossible in this state; nothing is ended after the last."""
    for number, move in enumerate(moves):
        if number and not playout.is_next(side):
            return
        if is_legal(playout.rules, playout.state, move):
            playout.act(move)


def decided(rules: Rules[Any], state: Any, entries: Iterable[Entry]) -> list[Action]:
    """What the seat that owes the decision did from here on, for `cost`: its decision, or where that is planned all
    that it planned up to the end of the stretch. `entries` are the lines that follow in the record."""
    policy, state = known_policy(rules), state.copy()
    side, stretch, planned = state.frames[-1].seat, policy.stretch(state), policy.way(state) == PLANNED
    found: list[Action] = []
    for entry in entries:
        if "order" in entry.action:
            continue
        if not state.frames or policy.stretch(state) != stretch:
            break
        action = Match(rules, state, []).read(entry.action)
        if state.frames[-1].seat == side and (not found or policy.way(state) == PLANNED):
            found.append(action)
        flow.act(rules, state, action, DISCARDED)
        for dice in entry.rolls:
            flow.fall(rules, state, dice, DISCARDED)
        if not planned:
            break
    return found
