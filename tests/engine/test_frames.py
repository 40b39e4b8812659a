"""Declarations of frames: one shape for steps, throws and decisions, and each game's chapters declare them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import fronte
from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.frames import NOBODY, NUMBER, Argument, Chance, Chapter, anybody, gathered, open_to_all


def chapter() -> Chapter:
    made = Chapter()

    @made.step("1", on="ground", secrets=open_to_all, takes=(Argument("side", NUMBER, 0, 1),), phases="day night")
    def begins(rules: Any, state: Any, frame: Frame, out: list[Any]) -> None:
        """A step."""

    @made.throw(2, "2", "2.1", on="begins asks", secrets=open_to_all, once=False)
    def dice(rules: Any, state: Any, frame: Frame, dice: tuple[int, ...], out: list[Any]) -> None:
        """A throw."""

    @made.choice(on="begins", seats=anybody, marks=("loud",))
    class Asks(Choice[Any, Any]):
        """A decision."""

        name = "asks"
        rules = ("3",)
        verbs = ()

        def legal(self, rules: Any, state: Any, frame: Frame) -> Iterator[Action]:
            yield from ()

        def why_not(self, rules: Any, state: Any, frame: Frame, action: Action) -> Refusal | None:
            return None

        def apply(self, rules: Any, state: Any, frame: Frame, action: Action, out: list[Any]) -> None:
            """Nothing."""

    return made


def test_steps_throws_and_decisions_are_declared_alike() -> None:
    frames = gathered([chapter()])
    begins, dice, asks = frames.values()
    assert [*frames] == ["begins", "dice", "asks"]
    assert (begins.on, begins.phases, begins.once, begins.rules) == ({"ground"}, ("day", "night"), True, ("1",))
    assert isinstance(dice.run, Chance) and (dice.run.dice, dice.rules, dice.once) == (2, ("2", "2.1"), False)
    assert dice.on == {"begins", "asks"}
    assert isinstance(asks.run, Choice) and (asks.rules, asks.marks) == (("3",), {"loud"})
    frame = Frame("asks", 1)
    assert (begins.seats(None, None, frame), dice.seats(None, None, frame)) == ((AUTO,), (CHANCE,))
    assert (begins.secrets(None, None, frame), asks.secrets(None, None, frame)) == (NOBODY, 1)


def test_a_name_that_is_declared_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="begins is declared twice"):
        gathered([chapter(), chapter()])


def test_every_frame_of_a_game_cites_rules_of_its_book(any_game: str) -> None:
    rules = fronte.ruleset(any_game)
    for told in rules.frames.values():
        assert told.rules, told.name
        assert [rule for rule in told.rules if rules.cite(rule) not in rules.rulebook.rules] == [], told.name
