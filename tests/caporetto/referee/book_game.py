"""Whole games under the referee's eyes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import msgspec
from book_board import Book
from book_judge import Referee
from book_player import pick
from book_tape import Picture, play

from fronte.ai.caporetto import PLAYERS
from fronte.engine.match import Match
from fronte.engine.seat import Seat
from fronte.games import registry
from fronte.games.caporetto.game import Caporetto

LAZY = ("move_others", "move_guns", "interdict", "preparatory", "plan", "gun_modes", "set_up")
"""Decisions with so many answers that they are not listed each time."""

LOOKS = 7
"""Of so many decisions one is looked at with both seats' eyes."""

DATA = registry.HERE / "caporetto" / "data"


@cache
def ruled(scenario: str, options: tuple[tuple[str, str], ...]) -> Caporetto:
    """A ruleset, made once."""
    return Caporetto(registry.board_pack("caporetto"), scenario, dict(options))


def begin(scenario: str, seed: int, **options: str) -> Match:
    """A new match."""
    return Match.begin(ruled(scenario, tuple(sorted(options.items()))), seed.to_bytes(32, "big"))


IDLE = ("pass", "done", "hold", "decline", "declared", "keep", "ready")
TRIES = 6


def busily(match: Match, rng: Random) -> Any:
    """By chance, but nobody passes while something else is drawn."""
    action = match.sample(rng)
    for _ in range(TRIES):
        if action.__struct_config__.tag not in IDLE:
            break
        action = match.sample(rng)
    return action


def watched(
    scenario: str,
    seed: int,
    most: int = 100_000,
    hot: bool = True,
    tamper: Callable[[Picture], Picture] = lambda picture: picture,
    book: Book | None = None,
    player: str = "",
    fog: str = "off",
) -> tuple[Referee, int]:
    """One game, from its start to its end, and how many actions it had.

    `hot` players look for fights; the others draw what they do. A `player` is busy (by chance, but not idle) or one of
    the program's. `tamper` may falsify what the referee is shown.
    """
    match = begin(scenario, seed, fog_of_war=fog)
    rules = match.rules
    hands = [PLAYERS[player](Random(f"{seed}/{one}")) for one in rules.seats] if player in PLAYERS else []
    seats = [Seat(match, one) for one in rules.seats]
    rng = Random(seed)
    referee = Referee(book or Book(DATA, scenario), rules.to_position(match.state))
    count = 0
    while match.seat >= 0 and count < most:
        decision = match.decision
        assert decision is not None
        frame = match.state.frames[-1]
        choice = rules.choices[frame.name]
        listed: list[Any] = []
        offered: list[dict[str, Any]] = []
        lazy = decision.kind in LAZY
        if (hot and not lazy and not player) or rng.random() < 0.2:
            listed = choice.listed(rules, match.state, frame)
            offered = [msgspec.to_builtins(action) for action in listed]

        def refusal(asked: dict[str, Any]) -> str:
            said = match.why_not(asked)
            return "" if said is None else f"{said.rule} {said.why}"

        referee.where = f"{scenario} {seed} #{count} GT {referee.world.turn} {decision.seat} {decision.kind}"
        referee.owes(decision.seat, decision.kind, decision.about, offered, refusal)
        if count % LOOKS == 0:
            for one in rules.seats:
                names = [piece.id for piece in match.view(one).pieces if piece.id]
                referee.sees(referee.world, one, names, fog == "on")
        if hands:
            action = hands[match.seat](seats[match.seat])
        elif player:
            action = busily(match, rng)
        elif hot and rng.random() < 0.9 and offered:
            action = listed[pick(referee.world, sides(scenario, decision.seat, referee), rng, offered)]
        else:
            action = match.sample(rng)
        data = msgspec.to_builtins(action)
        referee.follow(f"{referee.where} {data}", data, map(tamper, play(match, action)))
        count += 1
    referee.ended(match)
    return referee, count


def sides(scenario: str, seat: str, referee: Referee) -> set[str]:
    """Whose units a seat would rather not run into: its own."""
    return {seat} if scenario != "historical" else {referee.world.data.get("active", "ahg").split("-")[0]}
