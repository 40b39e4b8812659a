"""Whole games under the referee's eyes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from eager import eager
from ref_board import Book
from ref_judge import Referee
from ref_player import pick
from ref_tape import Picture, play

import fronte
from fronte.ai import Seat, player
from fronte.engine.decision import MOST_LISTED, Action
from fronte.engine.match import Match
from fronte.games import registry

LAZY = ("act", "stragglers", "set_up")


def refusal(match: Match, action: dict[str, Any]) -> str:
    """Why an action may not be played, empty where it may."""
    said = match.why_not(action)
    return "" if said is None else f"{said.rule} {said.why}"


def chooser(match: Match, hand: str, seed: int) -> Callable[[Match, Random], Action]:
    """What somebody of a kind decides: eager, or a machine player at both seats."""
    if hand == "eager":
        return eager
    hands = [player(hand, f"{seed}/{seat}", game="volturno") for seat in match.rules.seats]
    seats = [Seat(match, seat) for seat in match.rules.seats]
    return lambda match, rng: hands[match.seat](seats[match.seat])


def watched(
    scenario: str,
    seed: int,
    most: int = 100_000,
    every: int = 4,
    hot: bool = True,
    hand: str = "",
    tamper: Callable[[Picture], Picture] = lambda picture: picture,
    until: str = "",
) -> tuple[Referee, int]:
    """One game, from set-up to the end, and how many actions it had.

    `hot` players look for fights; the others draw what they do; `hand` names another: eager, or a machine player.
    `tamper` may falsify what the referee is shown. The game is broken off when he has remarked on the rule `until`.
    """
    match = fronte.new("volturno", scenario, seed)
    rules = match.rules
    rng = Random(seed)
    chosen = chooser(match, hand, seed) if hand else None
    referee = Referee(Book(registry.HERE / "volturno" / "data", scenario), rules.to_position(match.state))
    count = 0
    while match.seat >= 0 and count < most:
        if until and any(remark.key.startswith(until) for remark in referee.remarks):
            break
        decision = match.decision
        assert decision is not None
        frame = match.state.frames[-1]
        choice = rules.choices[frame.name]
        drawn = (not hot or bool(hand)) and decision.kind in LAZY and rng.random() < 0.9
        listed = [] if drawn else choice.listed(rules, match.state, frame)
        offered: list[dict[str, Any]] = []
        look = not drawn and (decision.kind not in LAZY or count % every == 0)
        if look:
            offered = [msgspec.to_builtins(action) for action in listed]
        whole = look and len(listed) < MOST_LISTED
        referee.owes(decision.seat, decision.kind, decision.about, offered, whole, lambda asked: refusal(match, asked))
        if not drawn and not listed:
            referee.say(
                "0 nothing on offer", f"{decision.seat} {decision.kind}, done: {refusal(match, {'do': 'done'})}"
            )
            break
        if chosen:
            action = chosen(match, rng)
        else:
            action = match.sample(rng) if drawn or not hot else pick(match, rng, listed, referee.world.data)
        if count % 23 == 0:
            for seat in rules.seats:
                referee.fog(seat, [(p.force, p.at, p.id, p.mine) for p in match.view(seat).pieces])
        data = msgspec.to_builtins(action)
        where = f"{scenario} {seed} #{count} GT {referee.world.turn} {decision.seat} {decision.kind} {data}"
        referee.follow(where, data, map(tamper, play(match, action)))
        count += 1
    return referee, count
