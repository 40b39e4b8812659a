"""`fronte advise` and `fronte judge`: what a player would do in a saved game and why, how good a position is, and what
a decision cost. All of it as one seat sees it."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer
from rich.table import Table

from fronte.ai.advice import Advice, Cost, Estimate, Option, Outlook, advise, cost, decided, outlook
from fronte.ai.budget import Budget
from fronte.ai.reasons import tell
from fronte.cli.common import (
    AsJson,
    Language,
    Packs,
    SavedGame,
    check_language,
    console,
    fail,
    load_match,
    one_line_errors,
    plain,
    print_json,
    read_text,
)
from fronte.cli.words import Words
from fronte.engine import record
from fronte.engine.decision import Action
from fronte.engine.match import Match
from fronte.engine.seat import Seat

SHOWN = 5
"""How many moves of a plan are told."""

At = Annotated[int | None, typer.Option(help="After so many lines of the record; at its end if none are named.")]
ForSeat = Annotated[str, typer.Option(help="As this seat sees it; by default the one that owes the decision.")]
Chance = Annotated[str, typer.Option(help="What is left to chance in thinking about it.")]


class Telling:
    """A position as a seat sees it, and the words to tell of it."""

    def __init__(self, match: Match, seat: Seat, language: str) -> None:
        self.match, self.seat = match, seat
        self.words, self.texts = Words(language), match.rules.texts(language)
        self.game = match.rules.header.game
        self.sits = self.texts.word("player", seat.name)

    def action(self, action: Action) -> str:
        """What an action does."""
        return plain(self.texts.action(msgspec.to_builtins(action)))

    def number(self, value: float | None) -> str:
        """A number for people."""
        return "?" if value is None else self.words.number(round(value, 1) + 0.0)

    def moves(self, moves: tuple[Action, ...] | list[Action]) -> str:
        """The first of some moves, and how many more there are."""
        first = self.action(moves[0])
        return first if len(moves) == 1 else self.words("judge_more", what=first, count=len(moves) - 1)

    def plan(self, option: Option) -> str:
        """A plan by what it is for, or an answer by what it does."""
        if option.purpose is None:
            return self.moves(option.moves[:1])
        return plain(tell(option.purpose, self.texts, self.game))


def _sit(match: Match, seat: str) -> Seat:
    if not seat and match.seat < 0:
        fail("the game is over; name a seat with --seat")
    with one_line_errors():
        return match.seated(seat or match.rules.seats[match.seat])


def advise_command(
    file: SavedGame,
    seat: ForSeat = "",
    at: At = None,
    player: Annotated[str, typer.Option(help="Who is asked: planner:2s, planner:64p, steady, or a level.")] = "planner",
    seed: Chance = "0",
    language: Language = "en",
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """What a player would do here, why, and what else it weighed."""
    check_language(language)
    match = load_match(file, at, pack or ())
    sits = _sit(match, seat)
    with one_line_errors():
        found = advise(sits, player, seed)
    if as_json:
        print_json(found)
    else:
        _say_advice(Telling(match, sits, language), found, player)


def _say_advice(told: Telling, found: Advice, player: str) -> None:
    words, say = told.words, console.print
    where = words("advise_where", line=len(told.match.entries), seat=told.sits)
    say(f"[bold]{words('advise_would', where=where, player=player)}[/]", soft_wrap=True)
    say(f"  {told.action(found.action)}", soft_wrap=True)
    if found.why.key:
        say(f"  {plain(tell(found.why, told.texts, told.game))}", soft_wrap=True)
    if not found.options:
        return
    later = [move for move in found.options[0].moves if move != found.action]
    if later:
        say(words("advise_then"))
        for move in later[:SHOWN]:
            say(f"  {told.action(move)}", soft_wrap=True)
        if len(later) > SHOWN:
            say(f"  {words('advise_more', count=len(later) - SHOWN)}")
    behind = words("advise_col_behind", seat=told.sits)
    table = Table(*(words(f"advise_col_{name}") for name in ("plan", "tries")), behind)
    for option in found.options:
        much = told.number(option.behind.mean)
        if option.behind.low is not None and option is not found.options[0]:
            much += f" ({told.number(option.behind.low)} .. {told.number(option.behind.high)})"
        table.add_row(told.plan(option), str(option.tries), much)
    say(table)


def judge(
    file: SavedGame,
    seat: ForSeat = "",
    at: At = None,
    playouts: Annotated[int, typer.Option(min=1, help="Playouts for each question.")] = 24,
    seed: Chance = "0",
    language: Language = "en",
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """How good a position is for a seat, and how sure that is; and what its decision there cost, if one follows."""
    check_language(language)
    match = load_match(file, at, pack or ())
    sits = _sit(match, seat)
    budget = Budget(playouts)
    with one_line_errors():
        good = outlook(sits, budget, seed)
        later = record.read(read_text(file))[1][len(match.entries) :]
        done = decided(match.rules, match.state, later) if sits.owes else []
        lost = cost(sits, done, budget, seed) if done else None
    if as_json:
        print_json({"outlook": good, "done": done, "cost": lost})
        return
    told = Telling(match, sits, language)
    _say_outlook(told, good)
    if lost is not None:
        _say_cost(told, done, lost)


def _say_outlook(told: Telling, good: Outlook) -> None:
    words, say = told.words, console.print
    where = words("advise_where", line=len(told.match.entries), seat=told.sits)
    say(f"[bold]{where}[/]", soft_wrap=True)
    say(f"  {_interval(told, 'judge_score', 'score', good.score)}", soft_wrap=True)
    low, high = map(told.number, good.spread)
    say(f"  {words('judge_spread', low=low, high=high, playouts=good.playouts, ended=good.ended)}", soft_wrap=True)
    for ending in good.endings:
        shares = {name: words.number(100 * getattr(ending, name), 0) for name in ("share", "low", "high")}
        say(f"  {words('judge_ending', level=told.texts.word('level', ending.level), **shares)}", soft_wrap=True)


def _say_cost(told: Telling, done: list[Action], lost: Cost) -> None:
    words, say = told.words, console.print
    say(f"[bold]{words('judge_done', what=told.moves(done))}[/]", soft_wrap=True)
    if lost.best is None:
        say(f"  {words('judge_alone')}")
        return
    say(f"  {words('judge_best', what=told.moves(lost.best.moves))}", soft_wrap=True)
    say(f"  {_interval(told, 'judge_cost', 'cost', lost.cost, playouts=lost.playouts)}")
    low, high = lost.cost.low, lost.cost.high
    if low is not None and high is not None and not low > 0:
        say(f"  {words('judge_better' if high < 0 else 'judge_unsure')}")


def _interval(told: Telling, key: str, name: str, found: Estimate, **more: int) -> str:
    """An estimate in words, with its interval where there is one."""
    if found.low is None:
        return told.words(f"{key}_only", **{name: told.number(found.mean)}, **more)
    numbers = {name: found.mean, "low": found.low, "high": found.high}
    return told.words(key, **{field: told.number(value) for field, value in numbers.items()}, **more)
