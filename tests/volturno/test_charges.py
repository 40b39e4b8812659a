"""Charges of Volturno 1860 in play: an open field with much cavalry, played at random and looked at from all sides."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec import convert

from fronte.casebook import Case, CaseFile, begin
from fronte.engine.dice import seed_bytes
from fronte.engine.given import PositionError
from fronte.engine.match import Match
from fronte.games.volturno.charging import exhaust

GAMES = 16
FIELD: dict[str, Any] = {
    "span": "2005-3218",
    "hex": {
        "2610": {"terrain": "woods"},
        "2313": {"terrain": "farm"},
        "2908": {"terrain": "village"},
    },
    "side": {"2712/2713": {"water": "stream"}},
}
HORSE = {"kind": "cavalry", "formation": "NC"}
UNITS: dict[str, dict[str, Any]] = {
    "n-lead": {"kind": "cdf", "formation": "NC", "at": "2614", "command": 4},
    "n-a": {**HORSE, "at": "2415", "facing": "n"},
    "n-b": {**HORSE, "at": "2515", "facing": "n", "strength": 4},
    "n-c": {**HORSE, "at": "2615", "facing": "n", "cohesion": 9},
    "n-d": {**HORSE, "at": "2714", "facing": "nw"},
    "n-e": {**HORSE, "at": "2814", "facing": "n", "stacking": 1},
    "n-f": {**HORSE, "at": "2814", "facing": "n", "stacking": 1},
    "n-foot": {"formation": "NC", "at": "2513", "facing": "n", "kind": "light"},
    "n-gun": {"formation": "NC", "at": "2516", "facing": "n", "kind": "horse_artillery"},
    "g-a": {"at": "2411", "facing": "s"},
    "g-b": {"at": "2511", "facing": "s", "cohesion": 6},
    "g-c": {"at": "2611", "facing": "s", "kind": "light", "stacking": 1},
    "g-d": {"at": "2710", "facing": "s"},
    "g-gun": {"at": "2810", "facing": "s", "kind": "field_artillery"},
    "g-gun-2": {"at": "2611", "facing": "s", "kind": "field_artillery"},
    "g-hus": {"at": "2510", "facing": "s", "kind": "cavalry"},
    "g-e": {"at": "2409", "facing": "s", "stacking": 2},
}


def field(formation: str, options: dict[str, Any], tables: dict[str, Any], seed: int) -> Match:
    """The field at the start of the Action Phase of a formation, with dice of its own."""
    start = {"formation": formation, "declare": True, "seen": ["G16"]}
    case = {"name": "field", "units": UNITS, "options": options, "tables": tables, "start": start}
    book = convert({"rule": "10", "game": "volturno", "board": FIELD, "case": [case]}, CaseFile)
    found = begin(book, convert(case, Case))
    found.state.seed = seed_bytes(seed)
    return found


OPTIONS: list[dict[str, Any]] = [
    {},
    {"pass_through_marker_hexes": "false", "exhausted_move_through_ezor": True, "one_marker_per_hex": True},
    {"pass_through_marker_hexes": "true", "countercharge_range": "adjacent", "exhaustion_recovery": "recovery-step"},
]


@pytest.mark.costly
@pytest.mark.parametrize("options", OPTIONS, ids=["letter", "strict", "loose"])
@pytest.mark.parametrize("formation", ["NC", "G16"])
def test_charges_at_random(formation: str, options: dict[str, Any]) -> None:
    """No state is ever impossible; positions and views come back whole; what is listed is legal."""
    kinds: Counter[str] = Counter()
    for seed in range(GAMES):
        match, rng = field(formation, options, {}, seed), Random(seed)
        rules = match.rules
        while match.seat >= 0 and match.state.formation >= 0:
            assert rules.broken(match.state) == [], (seed, match.state.frames)
            name = match.state.frames[-1].name
            kinds[name] += 1
            if kinds[name] % 5 == 1:
                data = json.loads(json.dumps(rules.to_position(match.state)))
                assert rules.to_position(rules.from_position(data)) == data
                for seat in range(2):
                    seen = rules.view(match.state, seat)
                    assert rules.view(rules.resample(seen, rng), seat) == seen
                listed = list(match.legal())
                assert len(listed) == len(set(listed))
                for action in rng.sample(listed, min(20, len(listed))):
                    assert match.why_not(action) is None, action
                    if action.__struct_config__.tag in (match.decision.odds if match.decision else ()):
                        match.odds(action)
            match.play(match.sample(rng))
        kinds.update(f"{event.kind} {event.rules[0]}" for event in match.events)
    if formation == "NC":
        assert kinds["charges 10.1.2"] > GAMES // 2 and kinds["ride_off"]
        if not options:
            assert kinds["redirect"] and kinds["onward"] and kinds["call_off"]
    else:
        assert kinds["charges 12.2.4"] and kinds["ride_off"]


def reach_of(name: str) -> Match:
    """A field that has come to a decision of this name."""
    for seed in range(200):
        match, rng = field("NC", {}, {}, seed), Random(seed)
        while match.seat >= 0 and match.state.formation >= 0:
            if match.state.frames[-1].name == name:
                return match
            match.play(match.sample(rng))
    raise AssertionError(name)


@pytest.mark.parametrize(
    ("name", "place", "value", "why"),
    [
        ("call_off", 0, "n-foot", "cavalry alone"),
        ("call_off", 2, 7, "no such marker"),
        ("onward", 0, "g-hus", "not the unit that acts"),
        ("onward", 1, 7, "no such marker"),
        ("onward", 2, 3, "free"),
        ("redirect", 0, 7, "no such marker"),
        ("ride_off", 0, "g-a", "not exhausted"),
        ("ride_off", 1, 2, "must"),
    ],
)
def test_a_damaged_charge_is_refused(name: str, place: int, value: Any, why: str) -> None:
    match = reach_of(name)
    data = json.loads(json.dumps(match.rules.to_position(match.state)))
    assert match.rules.from_position(data)
    data["frames"][-1][2][place] = value
    with pytest.raises(PositionError, match=why):
        match.rules.from_position(data)


def test_odds_of_charges_are_those_of_play() -> None:
    """Exact odds of a charge against the same charge thrown with all 36 first throws and many checks."""
    seen: Counter[int] = Counter()
    found = None
    for seed in range(400):
        case = {"name": "odds", "units": DUEL, "start": {"formation": "NC", "markers": {"2512": "charge n n-a"}}}
        book = convert({"rule": "10", "game": "volturno", "board": {"span": "2206-2820"}, "case": [case]}, CaseFile)
        match = begin(book, convert(case, Case))
        match.state.seed = seed_bytes(seed)
        found = found or match.rules.sheet(match.state, match.read("charge n-a at 2511 by 2513-2512"), 1)
        match.play("charge n-a at 2511 by 2513-2512")
        match.play("hold")
        who = next(event.data["side"] for event in match.events if event.kind == "combat_won")
        seen[{"garibaldini": 0, "nobody": 1, "napoletani": 2}[str(who)]] += 1
    assert found is not None
    row = found.row("victory")
    assert row is not None and sum(row.counts) == found.of
    for place, count in enumerate(row.counts):
        assert abs(seen[place] / 400 - count / found.of) < 0.08


DUEL: dict[str, dict[str, Any]] = {
    "n-a": {"kind": "cavalry", "formation": "NC", "at": "2514", "facing": "n"},
    "g-x": {"at": "2511", "facing": "s"},
}


def test_a_turn_with_a_charge_is_no_turn_of_rest() -> None:
    """10.3.1: also if a counter-charge has left the cavalry in its hex."""
    match = field("NC", {}, {}, 1)
    rules, state = match.rules, match.state
    unit = rules.number["n-a"]
    exhaust(rules, state, unit, [])
    assert state.exhausted >> unit & state.moved >> unit & 1
