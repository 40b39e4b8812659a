"""What is worked out about a match in a worker process: advice, outlooks, costs, and the values of many positions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from fronte.ai.advice import Estimate, Option, advise, cost, decided, known_policy, outlook
from fronte.ai.budget import Budget
from fronte.ai.puzzles import collection
from fronte.ai.puzzles.judging import best_line, judge, stars
from fronte.ai.reasons import tell
from fronte.engine import flow
from fronte.engine.decision import Action
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.server.api_types import (
    AdviceShown,
    CostShown,
    EndingShown,
    JudgementShown,
    OptionShown,
    PuzzleJudged,
    Worth,
)
from fronte.server.matches import tables

SEED = "analysis"
"""The same question about the same position has the same answer."""
OUTLOOK = Budget(48, 5.0)
COST = Budget(40, 6.0)
POINT = Budget(4, 2.5)
"""Playouts, and the seconds after which they end where they are. A point of the curve is one of many."""
MOST_POINTS = 48
MOST_MOVES = 12
"""Moves of a plan that are told."""
MOST_OPTIONS = 8


def own_time() -> float:
    """Seconds, mostly of this process: on a busy machine an answer takes longer, five times at most, for being good."""
    return 0.8 * time.process_time() + 0.2 * time.monotonic()


class Study(msgspec.Struct):
    """A question about a match: `advice`, `judgement`, `cost`, `lines`, `worth` or `puzzle`."""

    kind: str
    at: int = 0
    lines: list[int] = []
    language: str = "en"
    name: str = ""
    """Of a puzzle: which it is."""
    shown: bool = False
    """Of a puzzle: the best line is told in any case."""


class Telling:
    """A position of a match as a seat sees it, and the words for it."""

    def __init__(self, match: Match, line: int, seat: str, language: str) -> None:
        self.match, self.line, self.seat = match, line, match.seated(seat)
        """An earlier point of a match has only the lines after the last copy of its state, so they do not tell this."""
        self.words, self.game = tables.texts(match.rules, language), match.rules.header.game

    def moves(self, moves: Sequence[Action]) -> list[str]:
        """What some moves do, the first of them."""
        return [self.words.action(msgspec.to_builtins(move)) for move in moves[:MOST_MOVES]]

    def option(self, option: Option) -> OptionShown:
        """A plan or an answer in words."""
        purpose = "" if option.purpose is None else tell(option.purpose, self.words, self.game)
        told = self.moves(option.moves)
        return OptionShown(purpose, told, len(option.moves), option.tries, option.expected, _list(option.behind))

    def advice(self, player: str) -> AdviceShown:
        """What a player would do."""
        found = advise(self.seat, player, SEED, own_time)
        why = tell(found.why, self.words, self.game) if found.why.key else ""
        options = [self.option(option) for option in found.options[:MOST_OPTIONS]]
        action = msgspec.to_builtins(found.action)
        return AdviceShown(self.line, player, action, self.words.action(action), why, options)

    def judgement(self) -> JudgementShown:
        """How good it is."""
        found = outlook(self.seat, OUTLOOK, SEED, clock=own_time)
        endings = [
            EndingShown(self.words.word("level", one.level), one.winner, one.share, one.low, one.high)
            for one in found.endings
        ]
        return JudgementShown(found.playouts, found.ended, _list(found.score), list(found.spread), endings)

    def cost(self, later: Sequence[Entry]) -> CostShown:
        """What was decided here, and what it cost."""
        done = decided(self.match.rules, self.match.state, later)
        found = cost(self.seat, done, COST, SEED, own_time)
        best = None if found.best is None else self.option(found.best)
        return CostShown(self.moves(done), len(done), found.playouts, found.done, best, _list(found.cost))


def _list(found: Estimate) -> list[float | None]:
    """Mean, low and high."""
    return [found.mean, found.low, found.high]


def studied(match: Match, then: Any, seat: str, player: str, study: Study) -> Any:
    """The answer to a question; `then(line)` is the match as it was after so many lines."""
    if study.kind == "lines":
        return turning_lines(then(0), match.entries)
    if study.kind == "worth":
        return [worth(then(line), seat, line) for line in study.lines]
    if study.kind == "puzzle":
        return judged(match, study)
    told = Telling(then(study.at), study.at, seat, study.language)
    if study.kind == "advice":
        return told.advice(player)
    return told.judgement() if study.kind == "judgement" else told.cost(match.entries[study.at :])


def judged(match: Match, study: Study) -> PuzzleJudged:
    """What was decided in a puzzle, and the best that was found."""
    rules = match.rules
    puzzle = collection.read(rules.header.game, study.name)
    found = judge(puzzle, rules, match.entries)
    best = puzzle.best_chance
    earned = 0 if found.chance is None else stars(found.chance, best)
    chance = None if found.chance is None else float(found.chance)
    line: list[str] = []
    hexes: list[str] = []
    if study.shown or found.chance is not None:
        words = tables.texts(rules, study.language)
        actions = [msgspec.to_builtins(action) for action in best_line(puzzle, rules)]
        line = [words.action(action) for action in actions]
        named = [h for action in actions for h in (action.get("target"), *action.get("path", ())[-1:])]
        hexes = [h for h in dict.fromkeys(named) if h in rules.grid.index]
    return PuzzleJudged(
        chance, found.whole, found.reached, float(best), float(Fraction(puzzle.naive)), earned, line, hexes
    )


def worth(match: Match, seat: str, line: int) -> Worth:
    """A point of the curve: the score that a seat expects in the end."""
    found = outlook(
        match.seated(seat), POINT, SEED, clock=own_time
    )  # the same luck for all points: what differs is the position
    return Worth(line, match.view(seat).stage.turn, _list(found.score))


def turning_lines(match: Match, entries: Sequence[Entry]) -> list[int]:
    """The lines after which a new stretch begins, the first and the last; evenly fewer where they are too many."""
    rules, state, policy = match.rules, match.state.copy(), known_policy(match.rules)
    found, last = [0], policy.stretch(state)
    for line, entry in enumerate(entries, 1):
        if "order" in entry.action:
            continue
        flow.act(rules, state, Match(rules, state, []).read(entry.action), [])
        for dice in entry.rolls:
            flow.fall(rules, state, dice, [])
        now = policy.stretch(state) if state.frames else None
        if now != last:
            found.append(line)
            last = now
    if found[-1] != len(entries):
        found.append(len(entries))
    if len(found) <= MOST_POINTS:
        return found
    return [found[round(k * (len(found) - 1) / (MOST_POINTS - 1))] for k in range(MOST_POINTS)]
