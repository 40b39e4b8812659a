"""Positions, set-ups and saves of Volturno that cannot be: refused with the place of the fault, nothing changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import fronte
from fronte.engine import luck
from fronte.engine.decision import IllegalAction
from fronte.engine.dice import seed_bytes
from fronte.engine.given import PositionError
from fronte.engine.match import Match
from fronte.engine.record import SaveError
from fronte.engine.save import load
from fronte.games.registry import for_header, ruleset
from fronte.games.volturno.game import Volturno

Change = Callable[[dict[str, Any]], Any]


def rules_of(scenario: str) -> Volturno:
    found = ruleset("volturno", scenario)
    assert isinstance(found, Volturno)
    return found


@pytest.fixture(scope="module")
def acting() -> dict[str, Any]:
    """A position in an Action Phase with a marker laid and a unit under way."""
    rules = rules_of("short")
    for seed in range(60):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        while match.seat >= 0:
            state = match.state
            if state.frames[-1].name == "act" and state.markers and state.mover >= 0 and state.left:
                return rules.to_position(state)
            match.play(match.sample(rng))
    raise AssertionError("no such position was met")


def alone(data: dict[str, Any], side: str) -> list[str]:
    """The units of a side on the map that share their hexes with nobody."""
    ats = [unit["at"] for unit in data["units"].values()]
    return [
        name
        for name, unit in data["units"].items()
        if name.startswith(side) and "facing" in unit and ats.count(unit["at"]) == 1
    ]


def unit_of(data: dict[str, Any], side: str) -> str:
    return alone(data, side)[0]


def mine(data: dict[str, Any]) -> str:
    return data["active"][0] + "-"


def both(data: dict[str, Any]) -> None:
    ours, theirs = unit_of(data, "g-"), unit_of(data, "n-")
    data["units"][ours].update(at=data["units"][theirs]["at"], height=1)


def pile(data: dict[str, Any]) -> None:
    for height, name in enumerate(alone(data, "n-")[:4]):
        data["units"][name].update(at="1111", height=height)


KIND_BUT = {"assault": "charge", "charge": "assault"}
FAULTS: dict[str, tuple[Change, str]] = {
    "two sides in a hex": (both, "units: both sides are in"),
    "overstacked": (pile, "units: more than 5 points are in 1111 (6.3.1)"),
    "no facing": (lambda d: d["units"][unit_of(d, "g-")].update(facing="up"), "facing: 'up' is none of n, ne"),
    "facing missing": (lambda d: d["units"][unit_of(d, "g-")].pop("facing"), "facing: "),
    "facing of a commander": (lambda d: d["units"]["g-medici"].update(facing="n"), "units.g-medici: it has no facing"),
    "level": (lambda d: d["units"][unit_of(d, "g-")].update(level="routed"), "level: 'routed' is none of"),
    "height": (lambda d: d["units"][unit_of(d, "g-")].update(height=1), "leave gaps"),
    "mark": (lambda d: d["units"][unit_of(d, "g-")].update(marks=["tired"]), "marks: 'tired' is none of"),
    "a unit rides": (lambda d: d["units"][unit_of(d, "g-")].update(marks=["led"]), "commanders alone ride (8.5)"),
    "a unit turned up": (lambda d: d["units"][unit_of(d, "g-")].update(marks=["shown"]), "8.6.p3"),
    "markers off the map": (
        lambda d: d["units"].update({unit_of(d, "g-"): {"at": "routed", "marks": ["column"]}}),
        "it is off the map and has markers",
    ),
    "formation": (lambda d: d.update(formation="G99"), "formation: 'G99' is none of"),
    "a formation that is not there": (lambda d: d["formations"].update(GS={"morale": 0, "orders": 0}), "formations"),
    "morale": (lambda d: next(iter(d["formations"].values())).update(morale=5), "morale: 5 is not a whole number"),
    "marker without unit": (lambda d: d["markers"][0].pop(), "markers[0]: a marker is its kind, its hex"),
    "marker of nobody": (lambda d: d["markers"][0].__setitem__(3, "g-nobody"), "markers[0]: "),
    "marker of the other side": (
        lambda d: d["markers"][0].__setitem__(3, unit_of(d, "n-" if mine(d) == "g-" else "g-")),
        "markers[0]: ",
    ),
    "a unit named twice": (
        lambda d: d["markers"].append([d["markers"][0][0], "1111", *d["markers"][0][2:]]),
        "is named for another marker already (7.1.3)",
    ),
    "two markers in one": (
        lambda d: d["markers"].append([*d["markers"][0][:3], unit_of(d, mine(d))]),
        "that bars it (7.1.2)",
    ),
    "two kinds in a hex": (
        lambda d: d["markers"].append(
            ["charge" if d["markers"][0][0] == "assault" else "assault", *d["markers"][0][1:]]
        ),
        "that bars it (7.1.2)",
    ),
    "too many markers": (
        lambda d: d["markers"].extend(
            ["assault", f"11{n}", "n", name] for n, name in enumerate(alone(d, mine(d))[:5], 10)
        ),
        "markers: a formation lays 4 at most (7.1.1)",
    ),
    "direction": (lambda d: d["markers"][0].__setitem__(2, "north"), "markers[0]: 'north' is none of"),
    "mover of the other side": (
        lambda d: d.update(
            mover=(other := unit_of(d, "n-" if mine(d) == "g-" else "g-")), origin=d["units"][other]["at"]
        ),
        "mover: it is not of the side that acts (7.2)",
    ),
    "mover who commands": (lambda d: d.update(mover="g-medici"), "mover: it is no unit on the map"),
    "left": (lambda d: d.update(left=40), "left: more than the allowance of the unit (8.p3)"),
    "active": (
        lambda d: d.update(active="napoletani" if d["active"] == "garibaldini" else "garibaldini"),
        "active: it is not the side whose formation acts (7)",
    ),
    "another formation acts": (
        lambda d: d["frames"][-1][2].__setitem__(0, (d["frames"][-1][2][0] + 1) % 10),
        "frames[1] (act): it is not the formation that acts",
    ),
    "another seat acts": (lambda d: d["frames"][-1].__setitem__(1, 1 - d["frames"][-1][1]), "frames[1] (act)"),
    "frame on nothing": (lambda d: d["frames"].pop(0), "frames[0] (act)"),
    "frame twice": (lambda d: d["frames"].append(copy.deepcopy(d["frames"][-1])), "frames[2] (act)"),
    "march of another": (
        lambda d: d["frames"].append(["march", -2, [unit_of(d, mine(d)), ["1111"], 0, 0]]),
        "frames[2] (march)",
    ),
    "turn": (lambda d: d.update(turn=9), "turn: the last is 8"),
    "hex held twice": (lambda d: d["control"]["garibaldini"].extend(d["control"]["napoletani"]), "1.3.p1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_is_refused_with_its_place(acting: dict[str, Any], fault: str) -> None:
    rules = rules_of("short")
    assert rules.from_position(copy.deepcopy(acting))
    data = copy.deepcopy(acting)
    spoil, why = FAULTS[fault]
    spoil(data)
    before = copy.deepcopy(data)
    with pytest.raises(PositionError) as wrong:
        rules.from_position(data)
    assert why in str(wrong.value)
    assert data == before


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("place g-lanza at 2324 facing up", "3.1"),
        ("place g-lanza at 2324 in square", "16.1.4.p2"),
        ("place g-lanza at 3030", "16.1.4.g1"),
        ("place g-lanza at 9999", "1.3"),
        ("place g-nobody at 2324", "2"),
        ("place n-gren-1 at 1520", "1"),
        ("ready", "1.4"),
    ],
)
def test_a_wrong_set_up_is_refused_and_nothing_changes(line: str, rule: str) -> None:
    match = Match.begin(rules_of("short"), seed_bytes(1))
    before = match.rules.to_position(match.state)
    with pytest.raises(IllegalAction) as refused:
        match.play(line)
    assert refused.value.rule == rule
    assert len(refused.value.why) > 10
    assert match.rules.to_position(match.state) == before
    assert match.entries == []


def test_a_full_hex_takes_nobody_at_set_up() -> None:
    match = Match.begin(rules_of("short"), seed_bytes(1))
    match.play("place g-lanza at 2424")
    before = match.rules.to_position(match.state)
    with pytest.raises(IllegalAction) as refused:
        match.play("place g-corrao at 2424" if "g-corrao" in before["units"] else "place g-laporta-16 at 2424")
    assert refused.value.rule == "6.3.1"
    assert match.rules.to_position(match.state) == before


def played() -> Match:
    match, rng = fronte.new("volturno", "short", seed=4), Random(4)
    while match.seat >= 0 and len(match.entries) < 120:
        match.play(match.sample(rng))
    return match


def test_a_damaged_save_names_its_line() -> None:
    """A save is read whole or refused with the line of the fault, whatever was done to one of its lines."""
    text = played().save()
    lines, rng = text.splitlines(), Random(9)
    assert load(text, for_header).entries
    refused = 0
    for _ in range(60):
        spoilt = list(lines)
        at = rng.randrange(len(spoilt))
        kind = rng.randrange(4)
        if kind == 0:
            del spoilt[at]
        elif kind == 1:
            spoilt[at] = spoilt[at][: rng.randrange(len(spoilt[at]))]
        elif kind == 2:
            data = json.loads(spoilt[at])
            data[rng.choice(sorted(data))] = rng.choice((-1, "x", [], {}, None, 7))
            spoilt[at] = json.dumps(data)
        else:
            spoilt.insert(at, rng.choice(lines))
        try:
            load("\n".join(spoilt) + "\n", for_header)
        except SaveError as wrong:
            assert str(wrong).startswith("line "), str(wrong)
            refused += 1
    assert refused > 30


def test_the_luck_of_a_damaged_save_names_its_line() -> None:
    """What is counted from a record is refused with the line and the rule like what is played from it."""
    lines = played().save().splitlines()
    at = next(n for n, line in enumerate(lines) if '"do":"move"' in line)
    entry = json.loads(lines[at])
    entry["action"]["facing"] = "up"
    lines[at] = json.dumps(entry)
    with pytest.raises(SaveError, match=rf"line {at + 1}: 'up' is no hexside to face \(rule 3.1\)"):
        luck.of_save("\n".join(lines) + "\n", for_header)


def test_an_unknown_formation_is_answered_with_the_known_ones() -> None:
    match = played()
    while match.decision is None or match.decision.kind != "activate":
        match.play(match.sample(Random(1)))
    before = match.rules.to_position(match.state)
    own = "G16, G17" if match.decision.seat == "garibaldini" else "NG, N2"
    with pytest.raises(IllegalAction, match=f"there is no formation 'G99'; yours are {own}"):
        match.play("attempt G99")
    assert match.rules.to_position(match.state) == before
