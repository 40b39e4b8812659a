"""Why steady acts: a sentence in both languages for every kind of decision, with nothing in it that is hidden."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from random import Random

import pytest

import fronte
from fronte.ai import Seat
from fronte.ai.inferno.steady import Steady
from fronte.ai.inferno.steady.games import TERMS
from fronte.ai.inferno.steady.weights import FILE, FIRST, weights_of
from fronte.ai.reasons import Reason, tell, templates
from fronte.engine.text import LANGUAGES, texts_of
from fronte.games.inferno.fog import visible
from fronte.games.inferno.movement import Move
from fronte.server.matches.machine_seats import may_hear
from fronte.server.matches.worker_pool import Answer
from fronte.server.store.rows import Place

RARE = {("isonzo", "overstack"), ("isonzo", "withhold"), ("isonzo", "landing"), ("isonzo", "setup")}
"""Decisions that sensible play of the printed scenarios hardly ever brings about."""
HIDDEN_NUMBERS = re.compile(r"\{(unit|units|guns:units|faces)\b")


@pytest.fixture(scope="module", params=sorted(TERMS))
def told(request: pytest.FixtureRequest) -> tuple[fronte.Match, list[tuple[str, Reason, bool]]]:
    """Two games: every decision's kind and reason, and whether the other side sees the unit that moved, if one did."""
    found = []
    for seed in (3, 8):
        match = fronte.new(request.param, seed=seed)
        players = [Steady(Random(f"{seed}{side}"), weights_of(request.param, file=FIRST)) for side in (0, 1)]
        while match.seat >= 0:
            side, kind = match.seat, match.state.frames[-1].name
            action = players[side](Seat(match, match.rules.seats[side]))
            unit = match.rules.number[action.unit] if isinstance(action, Move) else -1  # type: ignore[attr-defined]
            seen = unit < 0 or visible(match.rules, match.state, unit)  # type: ignore[arg-type]
            match.play(action)
            seen = seen or match.state.at[unit] < 0 or visible(match.rules, match.state, unit)  # type: ignore[arg-type]
            found.append((kind, players[side].why, seen))
    return match, found


@pytest.mark.costly
def test_every_kind_of_decision_has_its_reason(told: tuple[fronte.Match, list[tuple[str, Reason, bool]]]) -> None:
    match, found = told
    game = match.rules.header.game
    wanting = set(match.rules.choices) - {kind for kind, _, _ in found}
    if game == "altipiani":
        wanting -= {"terrain", "overstack"}  # the first is not asked there, the second hardly ever
    assert wanting <= {kind for name, kind in RARE if name == game}
    assert all(why.key for _, why, _ in found)


def test_it_is_a_whole_sentence_in_both_languages(told: tuple[fronte.Match, list[tuple[str, Reason, bool]]]) -> None:
    match, found = told
    for language in LANGUAGES:
        texts = texts_of(match.rules.pack, language)  # type: ignore[attr-defined]
        for _, why, _ in found:
            sentence = tell(why, texts, match.rules.header.game)
            assert len(sentence) > 15 and sentence[-1] == "." and sentence[0].upper() == sentence[0]
            assert not set("{}[]") & set(sentence), sentence
            assert "  " not in sentence and " ." not in sentence and "  " not in sentence


def test_a_reason_for_the_other_side_names_no_unit(told: tuple[fronte.Match, list[tuple[str, Reason, bool]]]) -> None:
    match, found = told
    ids = set(match.rules.ids)  # type: ignore[attr-defined]
    for _, why, _ in found:
        assert not ids & set(map(str, why.data.values()))
        assert not any(isinstance(value, list | tuple | dict) for value in why.data.values())


def test_what_the_other_side_does_not_see_is_not_given_away(
    told: tuple[fronte.Match, list[tuple[str, Reason, bool]]],
) -> None:
    """Recovery, silent guns, and which unit of a stack moves are hidden (5.4); so is a reason that would tell."""
    _, found = told
    secret = Counter((why.key, why.secret) for _, why, _ in found)
    for key in ("recover", "silent", "no_more", "no_works", "setup"):
        assert not secret[key, False]
    for kind, why, seen in found:
        if kind == "movement" and why.key in ("guns", "guns_back", "bank") and not seen:
            assert why.secret
    assert not secret["attack", True] and secret["attack", False] > 10


def test_the_texts_of_both_languages_go_together() -> None:
    first, second = (templates("inferno", language) for language in LANGUAGES)
    assert list(first) == list(second)
    for key in first:
        assert fields(first[key]) == fields(second[key]), key
        assert not HIDDEN_NUMBERS.search(str(first[key]) + str(second[key]))
    assert tomllib.loads(FILE.read_text())


def fields(entry: object) -> set[str]:
    """The fields that a template names, and the cases it tells apart."""
    if isinstance(entry, dict):
        return {f"{case}:{name}" for case, text in entry.items() for name in fields(text)} | set(entry)
    return set(re.findall(r"\{(\w+)", str(entry)))


def test_the_table_tells_a_secret_reason_to_its_own_side_only() -> None:
    match = fronte.new("isonzo")
    places = [Place("m", seat, kind) for seat in ("italian", "ah") for kind in ("seat", "watch", "spectator")]
    for secret in (True, False):
        answer = Answer(why={"en": "Why not.", "it": "Perché no."}, secret=secret)
        heard = [(place.seat, place.kind) for place in places if may_hear(match, place, "ah", answer)]
        own, other = [("ah", "seat"), ("ah", "watch")], [("italian", "seat"), ("italian", "watch")]
        assert heard == (own if secret else other + own)


def test_a_reason_without_a_text_is_an_error() -> None:
    texts = texts_of(fronte.ruleset("isonzo").pack, "en")  # type: ignore[attr-defined]
    with pytest.raises(KeyError, match="whim"):
        tell(Reason("whim"), texts, "isonzo")


def test_an_attack_is_explained_by_its_odds() -> None:
    data = {"hex": "2612", "odds": "3:1", "win": 61, "vp": 2, "own": 1.25, "enemy": 2.0}
    rules = fronte.ruleset("isonzo")
    english, italian = (texts_of(rules.pack, language) for language in LANGUAGES)  # type: ignore[attr-defined]
    assert tell(Reason("attack", data), english, "isonzo") == (
        "Attacking 2612 (Monte Santo) at 3:1: 61% to take it, worth 2 victory points; "
        "expecting to lose 1.2 and to inflict 2.0 reductions."
    )
    assert "si aspetta di subire 1,2 riduzioni e di infliggerne 2,0" in tell(Reason("attack", data), italian, "isonzo")
    assert "worth" not in tell(Reason("attack", data | {"vp": 0}), english, "isonzo")
