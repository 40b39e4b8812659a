"""For every game: what stands between a unit and a hex is told truly, in both languages, and from the seat's view."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from every import COVERED

import fronte
from fronte.engine.decision import Refusal
from fronte.engine.text import LANGUAGES
from fronte.engine.whynot import WhyNot
from fronte.games.registry import GAMES

games = pytest.mark.parametrize("game", GAMES)
LINES = 150


def positions(game: str, every: int = 40) -> Iterator[tuple[fronte.Match, Random]]:
    """Matches at some of their decisions, played at random; where units move, more often."""
    match = fronte.new(game, seed=5, options=COVERED.get(game, {}))
    rng = Random(5)
    for number in range(LINES):
        if match.decision is None:
            return
        if number % every == 0 or (number % 7 == 0 and match.decision.panel == "move"):
            yield match, rng
        match.play(match.sample(rng))


def questions(match: fronte.Match, seat: str, rng: Random, number: int = 3) -> list[tuple[str, str]]:
    """Units of a seat with hexes near them."""
    grid = match.rules.grid
    own = [piece for piece in match.view(seat).own() if piece.at in grid.index]
    found = []
    for piece in rng.sample(own, min(number, len(own))):
        near = [h for h in range(grid.size) if 0 < grid.distance(h, grid.index[piece.at]) < 7]
        found.append((piece.id, grid.ids[rng.choice(near)]))
    return found


def asked(match: fronte.Match, seat: str, piece: str, goal: str) -> WhyNot:
    found = match.why_not_there(seat, piece, goal)
    assert not isinstance(found, Refusal), found
    return found


@games
def test_where_a_unit_can_go_nothing_is_in_the_way(game: str) -> None:
    """What the offer has in reach can be gone to; what is said to be free can be played."""
    reached = free = 0
    for match, rng in positions(game):
        assert match.decision is not None
        seat = match.decision.seat
        if match.decision.panel != "move":
            continue
        offer = match.offer
        for unit, mover in list(offer["units"].items())[:6]:
            for h in rng.sample(sorted(mover["reach"]), min(2, len(mover["reach"]))):
                found = asked(match, seat, unit, h)
                assert found.can_go, (unit, h, found)
                assert found.gone == len(found.path)
                reached += 1
        for unit, h in questions(match, seat, rng, 8):
            found = asked(match, seat, unit, h)
            if found.can_go:
                move: dict[str, Any] = {"do": offer.get("move", "move"), "unit": unit, "path": list(found.path)}
                assert match.why_not(move) is None, move
                free += 1
    assert reached > 20
    assert free > 2


@games
def test_the_best_way_leads_there_and_fails_where_it_is_said(game: str) -> None:
    """The path is whole; as far as it can be gone it may be played, and not beyond."""
    compared = 0
    for match, rng in positions(game):
        assert match.decision is not None
        grid, seat = match.rules.grid, match.decision.seat
        for unit, h in questions(match, seat, rng):
            found = asked(match, seat, unit, h)
            piece = match.view(seat).piece(unit)
            assert piece is not None
            for a, b in zip((piece.at, *found.path), found.path, strict=False):
                assert grid.index[b] in grid.adjacent[grid.index[a]]
            assert not found.path or found.path[-1] == h
            if found.can_go or match.decision.panel != "move":
                continue
            whole: dict[str, Any] = {"do": match.offer.get("move", "move"), "unit": unit, "path": list(found.path)}
            assert match.why_not(whole) is not None, found
            compared += 1
    assert compared > 5


@games
def test_everything_has_words_in_both_languages(game: str) -> None:
    helped = 0
    for match, rng in positions(game):
        assert match.decision is not None
        seat = match.decision.seat
        for language in LANGUAGES:
            words = match.rules.texts(language)
            for unit, h in questions(match, seat, rng):
                found = asked(match, seat, unit, h)
                for part in (found.own, found.way, found.attack):
                    for obstacle in part.obstacles if part else ():
                        told = words.refusal(obstacle.refusal)
                        assert told and "{" not in told
                        rule = match.rules.cite(obstacle.refusal.rule)
                        assert not rule or rule in match.rules.rulebook.rules, rule
                    said = [words.said("help", line) for line in (part.helps if part else ())]
                    assert not any("{" in one for one in said)
                    helped += any(said)
            for reason in match.idle(seat).values():
                assert words.refusal(reason.refusal)
    assert helped > 5


@games
def test_what_is_hidden_changes_no_answer(game: str) -> None:
    compared = 0
    for match, rng in positions(game, 30):
        rules = match.rules
        for number, seat in enumerate(rules.seats):
            twin = fronte.Match(rules, rules.shuffle_hidden(match.state, number, Random(number)), [])
            for unit, h in questions(match, seat, rng, 2):
                one, other = (asked(one, seat, unit, h) for one in (match, twin))
                assert msgspec.json.encode(one) == msgspec.json.encode(other)
                compared += 1
            assert msgspec.json.encode(match.idle(seat)) == msgspec.json.encode(twin.idle(seat))
    assert compared > 20


@games
def test_who_is_idle_is_in_no_answer(game: str) -> None:
    """Whoever is said to be able to do nothing neither moves nor is named by an answer that is listed as its own."""
    seen = 0
    for match, _ in positions(game):
        assert match.decision is not None
        if match.decision.panel != "move":
            continue
        idle, offer = match.idle(match.decision.seat), match.offer
        for unit, mover in offer["units"].items():
            if mover["reach"]:
                assert unit not in idle, (unit, idle.get(unit))
        doers = {action.get("unit") for action in offer["actions"] if action["do"] != "show"} - {None}
        assert not doers & idle.keys(), {unit: idle[unit] for unit in doers & idle.keys()}
        seen += len(idle)
    assert seen > 10


@games
def test_another_seats_unit_is_not_explained(game: str) -> None:
    *_, (match, _) = positions(game)
    one, other = match.rules.seats[:2]
    piece = next(piece for piece in match.view(other).own() if piece.at in match.rules.grid.index)
    assert isinstance(match.why_not_there(one, piece.id, piece.at), Refusal)
    assert isinstance(match.why_not_there(one, "nobody", piece.at), Refusal)
    mine = next(piece for piece in match.view(one).own() if piece.at in match.rules.grid.index)
    assert isinstance(match.why_not_there(one, mine.id, "9999"), Refusal)
