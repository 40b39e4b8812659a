"""For every registered game: what comes from outside is refused with its place, or plays on within bounds."""

from __future__ import annotations

import json
import os
from collections import Counter
from random import Random
from typing import Any

import pytest
from mutants import NIGHTLY, collected, judged, limited, mutants, plays_on

import fronte
from fronte.ai import player
from fronte.ai.seat import Seat
from fronte.engine import flow

FORGED = int(os.environ.get("FRONTE_FORGED", "4000" if NIGHTLY else "120"))
SEEDS = range(40 if NIGHTLY else 1)


def accepted(match: fronte.Match) -> None:
    """The state of a match gives a position that is accepted and reads back the same."""
    position = json.loads(json.dumps(match.rules.to_position(match.state)))
    again = match.rules.from_position(position)
    assert match.rules.to_position(again) == position


@pytest.mark.costly(each=True)
def test_every_state_of_a_random_game_is_a_position(game: str, scenario: str) -> None:
    for seed in SEEDS:
        match, rng = fronte.new(game, scenario, 900 + seed), Random(seed)
        while match.result is None:
            accepted(match)
            match.play(match.sample(rng))
        accepted(match)


@pytest.mark.costly(each=True)
@pytest.mark.family("inferno")
def test_every_state_of_a_steady_game_is_a_position(game: str, scenario: str) -> None:
    for seed in SEEDS[:8] if NIGHTLY else SEEDS[:1]:
        match = fronte.new(game, scenario, 700 + seed)
        steady = player("steady", 1)
        while match.result is None:
            accepted(match)
            name = match.rules.seats[match.seat]
            match.play(steady(Seat(match, name)), name)
        accepted(match)


@pytest.mark.costly(each=True)
def test_every_frame_is_declared_and_every_declaration_is_a_frame(game: str, scenario: str) -> None:
    rules: Any = fronte.ruleset(game, scenario)
    assert {*rules.choices, *rules.chances, *rules.steps} == set(rules.frames)
    known = {name for other in fronte.GAMES for name in fronte.ruleset(other).frames}
    for name, declared in rules.frames.items():
        assert declared.name == name
        assert declared.on & {*rules.frames, "ground"}, f"{name} can lie on nothing"
        assert declared.on <= {*known, "ground"}, f"{name} lies on what no game has"


@pytest.mark.costly(each=True)
def test_a_forged_position_is_refused_with_its_place_or_plays_on(game: str, scenario: str) -> None:
    positions = collected(game, scenario, range(40, 48 if NIGHTLY else 42), 8 if NIGHTLY else 3)
    rng = Random(17)
    found: Counter[bool] = Counter()
    for what, position in mutants(positions, FORGED, rng):
        try:
            found[bool(judged(game, scenario, position, rng))] += 1
        except Exception as wrong:
            raise AssertionError(f"{what}: {json.dumps(position)}") from wrong
    assert found[True] > FORGED // 2 and found[False] > FORGED // 20


@pytest.mark.costly(each=True)
def test_a_save_with_a_forged_position_names_its_line(game: str, scenario: str) -> None:
    positions = collected(game, scenario, range(50, 51), 2)
    rng = Random(18)
    refused = 0
    for _, position in mutants(positions, FORGED // 2, rng):
        heading = json.loads(fronte.new(game, scenario, seed=3).save().splitlines()[0])
        heading["position"], heading["opening"] = position, []
        with limited():
            try:
                match = fronte.load(json.dumps(heading) + "\n")
            except fronte.SaveError as wrong:
                assert str(wrong).startswith("line 1: "), str(wrong)
                refused += 1
            else:
                plays_on(match, rng, 2)
    assert refused


BASE = {"game": "isonzo", "turn": 3, "phase": "movement", "active": "italian", "units": {}, "held": [], "rolled": 0}
LOW = [["player_turn_ends", -2, [0]], ["combat_phase", -2, []], ["movement", 0, []]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"frames": []}, "frames: nobody owes a decision"),
        ({"frames": [["movement", 0, []]]}, r"frames\[0\] \(movement\): it cannot be the lowest"),
        ({"frames": [*LOW, ["losses", 0, [["it-udine"], 10**9, []]]]}, r"frames\[3\] .*number: .* not a whole number"),
        ({"frames": [*LOW, ["retreat", 0, [["it-udine"], 1000, [], []]]]}, "battle: it is missing"),
        ({"frames": [LOW[0], LOW[1], ["movement", 1, []]]}, r"frames\[2\] \(movement\): 1 is not who does it"),
        ({"frames": [*LOW, ["march", -2, ["it-udine", ["2412"], []]]]}, r"\(march\): it-udine is not moving"),
        ({"frames": [*LOW, ["overstack", 0, ["2412", ["it-udine"]]]]}, "it cannot lie on movement"),
        ({"frames": [*LOW, ["dance", 0, []]]}, r"frames\[3\]: 'dance' is no frame"),
        ({"frames": LOW, "phase": "combat"}, r"frames\[2\] \(movement\): it is not there in the combat phase"),
        ({"frames": LOW, "turn": 40}, "turn: 40 is not between"),
        ({"frames": LOW, "turn": True}, "turn: True is not a whole number"),
        ({"frames": LOW, "outcome": "time"}, "outcome: the game is over, but"),
        ({"frames": LOW, "moving": {"unit": "it-udine", "left": 10**9}}, "moving.left: 1000000000 is not"),
        ({"frames": LOW, "forced": [1.0]}, "forced: 1.0 is not a whole number"),
        ({"frames": LOW, "forced": [1] * 5000}, "forced: 5000 entries, more than"),
        ({"frames": LOW, "colour": "red"}, "unknown fields colour"),
        ({"frames": LOW, "units": {"ah-7geb": {"at": "waiting", "ce": 1}}}, "units.ah-7geb: it has not come in yet"),
        ({"frames": LOW, "units": {"ah-7geb": {"at": "2312", "marks": ["mov"]}}}, "only artillery has a Mov side"),
        ({"frames": LOW, "pontoons": {"it-udine": "1711/1811"}}, "units.it-udine: it is no engineer"),
        ({"frames": LOW, "crossed": {"99999": "it-udine"}}, "crossed.99999: it is no slot of the river"),
        ({"frames": LOW, "battle": {"target": "2412", "attackers": [], "origins": [], "guns": []}}, "battle: there is"),
    ],
)
def test_an_impossible_position_is_refused_with_its_place(change: dict[str, Any], words: str) -> None:
    with pytest.raises(fronte.PositionError, match=words):
        fronte.position("isonzo", BASE | change)


def test_the_same_position_without_the_fault_plays_on() -> None:
    plays_on(fronte.position("isonzo", BASE | {"frames": LOW}), Random(1))


def before_dice(game: str, scenario: str) -> tuple[Any, Any]:
    """The rules, and a state of random play in which the dice of a combat are about to fall: short games have few."""
    for seed in range(5, 50):
        match, rng = fronte.new(game, scenario, seed), Random(seed)
        while match.result is None:
            state, action = match.state.copy(), match.sample(rng)
            flow.act(match.rules, state, action, [])
            if state.frames and state.frames[-1].name == "combat_dice":
                return match.rules, state
            match.play(action)
    raise AssertionError("nobody ever fights")


@pytest.mark.family("inferno")
def test_dice_of_a_combat_that_nobody_defends_are_refused(game: str, scenario: str) -> None:
    """A position may wait for the dice of a combat; a ratio with nobody on one side of it is none."""
    rules, state = before_dice(game, scenario)
    position = json.loads(json.dumps(rules.to_position(state)))
    assert rules.to_position(rules.from_position(position)) == position
    position["battle"]["defenders"] = []
    with pytest.raises(fronte.PositionError, match="only where somebody defends"):
        rules.from_position(position)
