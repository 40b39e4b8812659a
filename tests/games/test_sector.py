"""A scenario of some columns ends where they end: Canale and Vallarsa."""

from __future__ import annotations

import pytest

import fronte
from fronte.games.isonzo.battleground import demolishable
from fronte.games.registry import GAMES, open_pack
from fronte.hexes import bits

SHORT = [("isonzo", "canale"), ("altipiani", "vallarsa")]
every_sector = pytest.mark.parametrize(("of", "short"), SHORT)


@every_sector
def test_nobody_goes_out_of_the_sector(of: str, short: str) -> None:
    match = fronte.new(of, short, "4")
    inside = set(match.rules.setting.extent)
    moved = 0
    while match.result is None:
        if match.decision is not None and match.decision.kind == "movement":
            for unit, offer in match.offer["units"].items():
                moved += 1
                assert set(offer["reach"]) <= inside, unit
        match.play("end" if match.why_not("end") is None else match.offer["actions"][0])
    assert moved > 10


def test_a_step_outside_is_refused_with_a_reason() -> None:
    match = fronte.new("isonzo", "canale", "4")
    while match.decision is not None and match.decision.kind != "movement":
        match.play("end")
    refusal = match.why_not("move it-roma 1510")
    assert refusal is not None and "outside of this scenario" in refusal.why


@every_sector
def test_who_is_beaten_stays_in_the_sector(of: str, short: str) -> None:
    rules = fronte.new(of, short).rules
    state = fronte.new(of, short).state
    for side in (0, 1):
        assert rules.bars_retreat(state, side) & rules.beyond == rules.beyond  # type: ignore[attr-defined]


@every_sector
def test_every_level_of_the_scale_has_a_score(of: str, short: str) -> None:
    levels = fronte.new(of, short).rules.setting.levels
    limits = [most for _, most in levels if most is not None]
    assert len(levels) == len(limits) + 1 == 4
    assert limits == sorted(set(limits))


@pytest.mark.parametrize(
    ("of", "short", "whole", "own"),
    [
        ("isonzo", "canale", "historical", {"1705": 3}),
        ("altipiani", "vallarsa", "historical", {"1312": 1, "1612": 1}),
    ],
)
def test_places_have_a_worth_of_their_own_in_a_sector_alone(
    of: str, short: str, whole: str, own: dict[str, int]
) -> None:
    here, there = (fronte.ruleset(of, scenario).setting.objectives for scenario in (short, whole))
    assert {name: worth for name, worth in here.items() if there.get(name) != worth} == own


def test_a_place_outside_of_the_sector_is_refused() -> None:
    text = open_pack("isonzo").text("scenarios.toml").replace("1705 = 3", "0811 = 3")
    with pytest.raises(fronte.PackError, match="0811 has no part in the scenario"):
        GAMES["isonzo"](open_pack("isonzo", inline={"scenarios.toml": text}), "canale", {})


def test_bridges_outside_are_not_asked_for() -> None:
    match = fronte.new("isonzo", "canale")
    rules, found = match.rules, demolishable(match.rules, match.state, 0)  # type: ignore[arg-type]
    ends = {end for number in found for end in (rules.board.sides[number].a, rules.board.sides[number].b)}  # type: ignore[attr-defined]
    assert ends <= set(bits(rules.sector))  # type: ignore[attr-defined]
