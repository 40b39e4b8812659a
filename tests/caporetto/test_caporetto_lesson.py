"""The first lesson of Caporetto: it goes as its text says, from a reaction to the plan of the next turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import fronte
from fronte.ai import player
from fronte.engine.match import Match
from fronte.server.lessons import read_lesson

PLAYED = (
    ("react", "react de-leib"),
    ("place_hq", "hq 2408"),
    ("act", "move de-leib-1 2407 with de-leib-2"),
    ("act", "move de-leib-3 2407-2307"),
    ("act", "assault de-leib-1 2406 with de-leib-2"),
    ("act", "assault de-leib-3 2406"),
    ("bombard", "bombard de-geb-ak-a=2406"),
    ("wave", "wave de-leib-1,de-leib-2 led by de-leib-1"),
)
"""What the lesson tells the learner to do, up to the assault."""
USUAL = {"activate": "pass", "move_guns": "done", "move_others": "done"}
"""How the turn is brought to its end."""


@pytest.fixture
def lesson() -> dict[str, Any]:
    return read_lesson("caporetto")


class Learner:
    """Somebody who does what he is told; the machine has the other seat, as at the table."""

    def __init__(self, lesson: Mapping[str, Any]) -> None:
        self.match = fronte.position("caporetto", lesson["position"], lesson["scenario"], lesson["seed"])
        self.machine = player("steady", "lesson", game="caporetto")
        self.steps, self.step = lesson["steps"], 1
        self.passed: list[int] = []

    @property
    def asked(self) -> str:
        self.wait()
        decision = self.match.decision
        assert decision is not None
        return decision.kind

    def wait(self) -> None:
        """Until he is asked."""
        self.look()
        while (decision := self.match.decision) is not None and decision.seat != "ahg":
            self.match.play(self.machine(self.match.seated(decision.seat)))
        self.look()

    def play(self, action: Any) -> None:
        self.match.play(action)
        self.look()

    def look(self) -> None:
        """Whatever step of the lesson is over is over (as web/src/lib/lesson.ts has it)."""
        while any(holds(until, self.match) for until in self.steps[self.step].get("until", ())):
            self.passed.append(self.step)
            self.step += 1


def holds(until: Mapping[str, Any], match: Match) -> bool:
    if "picked" in until:
        return False  # what is chosen on the screen is no matter of the rules
    decision = match.decision
    if "decision" in until:
        return decision is not None and decision.seat == "ahg" and decision.kind == until["decision"]
    if "turn" in until:
        return bool(match.state.turn >= until["turn"])
    asked = {key: value for key, value in until.items() if key != "event"}
    return any(
        event.kind == until["event"] and asked.items() <= {k: event.data.get(k) for k in asked}.items()
        for event in match.events
    )


def test_it_goes_as_its_text_says_to_the_plan_of_the_next_turn(lesson: dict[str, Any]) -> None:
    learner = Learner(lesson)
    match = learner.match
    for kind, action in PLAYED:
        assert learner.asked == kind
        learner.play(action)
    told = [event for event in match.events if event.kind == "fired"]
    assert [event.data["fire"] for event in told] == ["infiltration", "bombardment", "defence", "defence"]
    assert all(event.data["points"] for event in told[:2]), "fire that does something"
    assert learner.asked == "activate"
    (result,) = [event for event in match.events if event.kind == "assault_result"]
    assert result.data["won"]
    assert [piece.at for piece in match.view("ahg").pieces if piece.id in ("de-leib-1", "de-leib-2")] == ["2406"] * 2
    while learner.asked != "plan":
        learner.play(USUAL.get(learner.asked) or next(iter(match.legal())))
    assert match.state.turn == 8
    learner.play("plan de-leib,de-jr3")
    assert learner.steps[learner.step].get("last"), "and the lesson is over"
    assert learner.passed == list(range(1, len(learner.steps) - 1))


def test_it_is_told_what_a_learner_sees(lesson: dict[str, Any]) -> None:
    learner = Learner(lesson)
    match = learner.match
    assert learner.asked == "react"
    odds = match.odds("react de-leib")
    assert odds.of == 6 and sum(row.counts[1] for row in odds.rows) == 5, "it needs 1 to 5"
    for kind, action in PLAYED[:2]:
        assert learner.asked == kind
        learner.play(action)
    assert learner.asked == "act"
    assert match.why_not("move de-leib-3 2407-2406") is not None
    three = [piece for piece in match.view("ahg").pieces if piece.id.startswith("de-leib-") and piece.at == "2408"]
    assert len(three) == 4, "three battalions and the headquarters"


def test_it_names_what_there_is(lesson: dict[str, Any]) -> None:
    rules = fronte.ruleset("caporetto", lesson["scenario"])
    shown = [name for step in lesson["steps"] for name in step.get("show", [])] + lesson["corner"]
    untils = [until for step in lesson["steps"] for until in step.get("until", [])]
    assert set(shown) <= set(rules.grid.index)
    assert {until["picked"] for until in untils if "picked" in until} <= set(rules.number)
    assert {until["decision"] for until in untils if "decision" in until} <= set(rules.choices)
    assert {until["event"] for until in untils if "event" in until} <= set(rules.texts("en").tables["event"])
    assert all(step["en"].strip() and step["it"].strip() for step in lesson["steps"])
    assert lesson["steps"][-1]["last"]
