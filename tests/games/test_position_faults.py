"""Positions of any game: what every position has is checked in one way, and every fault is told with its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import fronte
from fronte.engine.decision import Frame
from fronte.engine.given import PositionError
from fronte.engine.rules import Rules
from fronte.games.common import positions

FAULTS: dict[str, tuple[Callable[[dict[str, Any], str], Any], str]] = {
    "game": (lambda p, unit: p.update(game="chess"), "game: the position is of 'chess', not of {game}"),
    "turn": (lambda p, unit: p.update(turn=0), "turn: 0 is not a whole number between 1 and 60"),
    "phase": (lambda p, unit: p.update(phase="tea"), "phase: 'tea' is none of "),
    "active": (lambda p, unit: p.update(active="france"), "active: 'france' is none of "),
    "rolled": (lambda p, unit: p.update(rolled=-1), "rolled: -1 is not a whole number between 0 and "),
    "forced": (lambda p, unit: p.update(forced=[7]), "forced: 7 is not a whole number between 1 and 6"),
    "outcome": (lambda p, unit: p.update(outcome=3), "outcome: 3 is not text"),
    "missing": (lambda p, unit: p.pop("frames"), "frames: it is missing"),
    "unknown": (lambda p, unit: p.update(moon=1), "the position: unknown fields moon"),
    "unit": (lambda p, unit: p["units"].update(nobody={"at": "gone"}), "units: there is no unit 'nobody'"),
    "field": (lambda p, unit: p["units"][unit].update(moon=1), "units.{unit}: unknown fields moon"),
    "nowhere": (lambda p, unit: p["units"].update({unit: {}}), "units.{unit}.at: it is missing"),
    "hex": (lambda p, unit: p["units"][unit].update(at="9999"), "units.{unit}.at: there is no hex '9999' on the board"),
    "place": (lambda p, unit: p["units"][unit].update(at=5), "units.{unit}.at: 5 is not text"),
    "stack": (lambda p, unit: p.update(frames="x"), "frames: 'x' is not a list"),
    "frame": (lambda p, unit: p["frames"].append(["sing", 0, []]), "frames[{depth}]: 'sing' is no frame of this game"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_with_its_place(any_game: str, fault: str) -> None:
    match = fronte.new(any_game, seed=3)
    position = match.rules.to_position(match.state)
    unit, depth = next(iter(position["units"])), len(position["frames"])
    spoil, why = FAULTS[fault]
    spoil(position, unit)
    with pytest.raises(PositionError) as wrong:
        match.rules.from_position(position)
    assert str(wrong.value).startswith(why.format(game=any_game, unit=unit, depth=depth))


def test_values_are_written_in_names_and_read_back(any_game: str) -> None:
    rules: Any = fronte.ruleset(any_game)
    away = next(iter(rules.away))
    values: dict[str, list[Any]] = {
        positions.UNIT: [1],
        positions.UNITS: [(), (2, 0)],
        positions.HEX: [3],
        positions.HEXES: [(), (3, 4)],
        positions.PLACE: [3, away],
        positions.WORD: ["before"],
        "number": [0, -7],
    }
    for kind, some in values.items():
        for value in some:
            written = positions.write_value(rules, kind, value, rules.ids.__getitem__)
            assert positions.read_value(rules, kind, written, "here", rules.find_unit) == value
    assert positions.write_value(rules, positions.UNITS, (2, 2), rules.ids.__getitem__) == [rules.ids[2]]
    for kind, value in ((positions.UNITS, ["x"]), (positions.HEX, "x"), ("number", True), (positions.WORD, 1)):
        with pytest.raises(PositionError, match=r"^here: "):
            positions.read_value(rules, kind, value, "here", rules.find_unit)


def test_a_frame_is_written_in_the_names_that_its_reader_may_know(probe: str) -> None:
    rules: Any = fronte.ruleset(probe)
    frame = Frame("snap_die", -1, (0, 1))
    written = positions.write_frame(rules, frame, lambda piece: f"?{piece}")
    assert written == ["snap_die", -1, ["?0", "?1"]]
    assert positions.read_frame(rules, written, "frames", lambda name: int(name[1:])) == frame


def test_only_so_many_faults_are_told_at_once(any_game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = fronte.new(any_game, seed=3)
    rules: Rules[Any] = match.rules
    monkeypatch.setattr(type(rules), "broken", lambda self, state: [f"fault {n}" for n in range(8)])
    with pytest.raises(PositionError) as wrong:
        rules.from_position(rules.to_position(match.state))
    assert str(wrong.value) == "fault 0; fault 1; fault 2; fault 3; fault 4 (and 3 more)"
