"""Chapter 12 of Volturno: windows are few with sensible standing orders, quick to find, and orders tell no secrets."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any

import pytest
from eager import eager, questions

from fronte.engine import standing
from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES
from fronte.games.registry import ruleset
from fronte.games.volturno.reactions import watchers
from fronte.games.volturno.standing import is_aimed

ORDERS = (
    "usual",
    "shoot odds=30 low=no",
    "counter odds=40",
    "face odds=50",
    "withdraw",
    "withdraw who=guns when=aimed",
    "limber",
    "line",
    "hold when=aimed",
)


def begun(scenario: str, seed: int) -> Match:
    return Match.begin(ruleset("volturno", scenario), seed_bytes(seed))


def test_with_the_usual_orders_few_questions_are_left() -> None:
    """The aim is under three for an activation; without orders the same play asks more often."""
    rates = []
    for order in ("", "usual"):
        counts: list[int] = []
        for seed in range(2):
            match = begun("short", seed)
            for seat in match.rules.seats if order else ():
                match.order(seat, "react", order)
            counts += questions(match, Random(seed))
        assert len(counts) > 20
        rates.append(sum(counts) / len(counts))
    assert rates[1] < 3
    assert rates[1] < 0.75 * rates[0]


def test_the_usual_orders_ask_whoever_is_about_to_be_attacked() -> None:
    """What they say of themselves: guns get away; all others are asked, though they could fire."""
    asked, rng = 0, Random(5)
    for seed in range(4):
        match = begun("short", seed)
        while match.decision is not None and len(match.entries) < 300:
            rules: Any = match.rules
            frame = match.state.frames[-1]
            if match.decision.kind == "react" and is_aimed(rules, match.state, frame):
                answer = standing.answered(rules, match.state, frame, "usual")
                assert answer is None or type(answer).__name__ in ("Withdraw", "Change"), answer
                asked += answer is None and any(type(one).__name__ == "Shoot" for one in match.legal())
            match.play(eager(match, rng))
    assert asked > 5


def test_orders_answer_alike_whatever_is_hidden() -> None:
    """8.6: in states that the side cannot tell apart an order gives the same answer, and a legal one."""
    rng, given, changed = Random(3), 0, 0
    for seed in range(2):
        match, windows = begun("full" if seed else "short", seed), 0
        while match.decision is not None and windows < 40:
            if match.decision.kind != "react":
                match.play(eager(match, rng))
                continue
            windows += 1
            rules: Any = match.rules
            twin = rules.shuffle_hidden(match.state, match.seat, rng)
            changed += twin.at != match.state.at
            for order in ORDERS:
                found = standing.answered(rules, match.state, match.state.frames[-1], order)
                assert found == standing.answered(rules, twin, twin.frames[-1], order), order
                if found is not None:
                    assert match.why_not(found) is None, found
                    given += 1
            match.play(match.sample(rng))
    assert given > 100
    assert changed > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_have_words(language: str) -> None:
    """Each policy and each of its conditions is told in both languages."""
    rules = ruleset("volturno", "short")
    texts = rules.texts(language)
    policies = rules.standing["react"]
    assert set(texts.tables["policy"]["react"]) == set(policies)
    for name, policy in policies.items():
        for parameter in standing.takes(policy):
            for value in parameter.words or (parameter.default,):
                told = texts.order("react", name, {parameter.name: value})
                assert texts.tables["parameter"]["react"][parameter.name] in told
            assert set(parameter.words) <= set(texts.tables["parameter_word"].get(parameter.name, ()))


def test_a_window_is_found_at_once() -> None:
    """Measured 2 to 4 microseconds; the aim is 100, and the bound is that, for machines under load."""
    seen: list[Any] = []
    match = begun("short", 5)
    questions(match, Random(5), seen)
    assert len(seen) > 20
    for state in seen:
        assert watchers(match.rules, state, state.frames[-1])
        assert min(_time(match.rules, state) for _ in range(20)) < 100e-6


def _time(rules: Any, state: Any) -> float:
    begin = perf_counter()
    watchers(rules, state, state.frames[-1])
    return perf_counter() - begin
