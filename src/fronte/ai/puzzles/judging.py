"""Judging who solved a puzzle by exact odds, and not by how his dice fell.

What counts is the chance that the decisions gave. It is reckoned when the first dice are about to fall, and what is
decided after that adds or takes away what it changes against what the program would have done there: so the luck of the
throws is left out, and every decision is in. So is left out what the other side answers otherwise than was reckoned
with, before the dice or after them: whoever plays the best line has its chance against anybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec

from fronte.ai.advice import known_policy
from fronte.ai.playout import DISCARDED
from fronte.ai.puzzles.chance import NEVER, SURE, Tree
from fronte.ai.puzzles.collection import Puzzle
from fronte.engine import flow
from fronte.engine.decision import CHANCE, Action
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.engine.rules import Rules

STARS = (Fraction(1, 2), Fraction(4, 5), Fraction(97, 100))
"""The part of the best chance that earns one star, two, and three."""


class Verdict(msgspec.Struct, frozen=True):
    """What the decisions of a player were worth."""

    chance: Fraction | None
    """None: nothing is decided yet, as no dice have fallen and the time is not over."""
    whole: bool = True
    """False: there are more ways than were counted, and the chance is at least this."""
    reached: bool | None = None
    """Whether the goal was reached in the end; None while there is time."""


def judge(puzzle: Puzzle, rules: Rules[Any], entries: Iterable[Entry]) -> Verdict:
    """The verdict on what was played from the position of a puzzle."""
    seat, state = rules.seat_index(puzzle.seat), rules.from_position(puzzle.position)
    tree = Tree(known_policy(rules), seat, puzzle.goal, state)
    found: Fraction | None = None
    answers = NEVER  # what other answers of the other side than were reckoned with have changed before the dice
    for entry in entries:
        if "order" in entry.action:
            continue
        if tree.over(state):
            break
        asked, action = state.frames[-1].seat, Match(rules, state, []).read(entry.action)
        own = asked == seat
        weighed = found is not None if own else found is None and action != tree.policy.reply(state, asked)
        before = tree.chance(state) if weighed else NEVER
        flow.act(rules, state, action, DISCARDED)
        if weighed and not own:
            answers += tree.chance(state) - before
        if found is None and flow.waits_for_dice(state):
            found = tree.chance(state) - answers
        elif found is not None and own:
            found += tree.chance(state) - before
        for dice in entry.rolls:
            flow.fall(rules, state, dice, DISCARDED)
    if not tree.over(state):
        return Verdict(None if found is None else _within(found), tree.whole)
    reached = puzzle.goal.reached(rules, state, seat)
    if found is None:
        found = SURE if reached else NEVER
    return Verdict(_within(found), tree.whole, reached)


def _within(chance: Fraction) -> Fraction:
    return min(SURE, max(NEVER, chance))


def stars(chance: Fraction, best: Fraction) -> int:
    """None to three, for how near a chance is to the best that was found."""
    return sum(chance >= part * best for part in STARS)


def stated(puzzle: Puzzle, rules: Rules[Any]) -> Fraction:
    """The chance of the best line of a puzzle, reckoned anew; ValueError where the line is not legal."""
    tree, state, _ = _played(puzzle, rules)
    return tree.chance(state)


def best_line(puzzle: Puzzle, rules: Rules[Any]) -> list[Action]:
    """The best line of a puzzle as actions."""
    return _played(puzzle, rules)[2]


def _played(puzzle: Puzzle, rules: Rules[Any]) -> tuple[Tree, Any, list[Action]]:
    """The best line, played: the state it leads to."""
    seat, state = rules.seat_index(puzzle.seat), rules.from_position(puzzle.position)
    policy = known_policy(rules)
    tree = Tree(policy, seat, puzzle.goal, state)
    line: list[Action] = []
    for text in puzzle.best:
        while not tree.over(state) and state.frames[-1].seat not in (seat, CHANCE):
            other = state.frames[-1].seat
            flow.act(rules, state, policy.reply(state, other), DISCARDED)
        match = Match(rules, state, [])
        refusal = match.why_not(text, puzzle.seat)
        if refusal is not None:
            raise ValueError(f"{text}: {refusal.why}")
        line.append(match.read(text))
        flow.act(rules, state, line[-1], DISCARDED)
    return tree, state, line
