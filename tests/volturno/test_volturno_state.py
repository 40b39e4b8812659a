"""Volturno 1860: whole random games, what each side sees, and how quick it is."""

from __future__ import annotations

import re
from random import Random
from time import perf_counter
from typing import Any

import pytest

from fronte.engine.dice import seed_bytes
from fronte.engine.given import PositionError
from fronte.engine.match import Match
from fronte.engine.pack import PackError
from fronte.games.registry import open_pack, ruleset
from fronte.games.volturno.fog import knows
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.state import MASKS, State

SCENARIOS = ("short", "full")


def rules_of(scenario: str) -> Volturno:
    found = ruleset("volturno", scenario)
    assert isinstance(found, Volturno)
    return found


def begun(scenario: str, seed: int, actions: int) -> Match:
    """A random match after so many actions."""
    match, rng = Match.begin(rules_of(scenario), seed_bytes(seed)), Random(seed)
    for _ in range(actions):
        if match.seat < 0:
            break
        match.play(match.sample(rng))
    return match


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_pack_has_all_counters(scenario: str) -> None:
    """16.1.4, 17.1.4: 17 and 20 units in the short scenario, 39 and 39 in the full one, with their strength."""
    rules = rules_of(scenario)
    units = [len(of_side) for of_side in rules.units_of_side]
    strength = [sum(rules.counters[u].strength for u in of_side) for of_side in rules.units_of_side]
    assert units == ([17, 20] if scenario == "short" else [39, 39])
    assert strength == ([33, 74] if scenario == "short" else [82, 125])
    assert sum(leader >= 0 for leader in rules.leader_of) == (4 if scenario == "short" else 10)
    assert [chief >= 0 for chief in rules.chief] == [scenario == "full"] * 2


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_masks_are_what_the_columns_say(scenario: str) -> None:
    """Stacks, occupied hexes and kept zones are never anything but what follows from where units are."""
    rules = rules_of(scenario)
    for seed in range(4):
        state = begun(scenario, seed, 150 * (seed + 1)).state
        for side, units in enumerate(rules.units_of_side):
            there = [u for u in units if state.at[u] >= 0]
            assert state.occ[side] == sum({1 << state.at[u] for u in there})
            zones = 0
            for unit in there:
                if not state.column >> unit & 1:
                    zones |= rules.ground.zone[state.at[unit]]
            assert state.zor[side] in (-1, zones)
        assert {u for stack in state.stacks.values() for u in stack} == {
            u for units in rules.units_of_side for u in units if state.at[u] >= 0
        }


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data["units"]["g-lanza"].update(facing="up"), "facing"),
        (lambda data: data["units"]["g-lanza"].update(at="9999"), "9999"),
        (lambda data: data["units"]["g-lanza"].update(at=data["units"]["n-gren-1"]["at"], height=9), "gaps"),
        (lambda data: data["units"].pop("g-lanza"), "g-lanza is missing"),
        (lambda data: data["units"]["g-medici"].update(at="routed"), "2.2.p4"),
        (lambda data: data["units"]["g-lanza"].update(marks=["exhausted"]), "10.3"),
        (lambda data: data["units"]["g-lanza"].update(level="dizzy"), "level"),
        (lambda data: data["formations"]["G16"].update(morale=9), "morale"),
        (lambda data: data.update(formation="G99"), "G99"),
        (lambda data: data.update(formation="G16"), "formation"),
        (lambda data: data.update(turn=9), "last is 8"),
        (lambda data: data["control"]["napoletani"].append(data["control"]["garibaldini"][0]), "1.3.p1"),
        (lambda data: data["frames"].append(["act", 0, [0]]), "act"),
        (lambda data: data["control"]["garibaldini"].remove(data["units"]["g-lanza"]["at"]), "1.3.p1"),
        (lambda data: data["formations"]["G16"].update(activated=True), "15.3"),
        (lambda data: data["formations"]["NG"].update(seen=True), "15.3"),
        (lambda data: data["formations"]["NG"].update(stayed=True), "15.2.p5"),
        (lambda data: data["formations"]["NG"].update(activated=True, orders=1), "6.1.2"),
        (lambda data: data["units"]["g-lanza"].update(marks=["called"]), "15.5"),
        (lambda data: data.update(markers=[["assault", "2324", "n", "g-lanza"]]), "15.2.p3"),
        (lambda data: data.update(mover="g-lanza"), "origin"),
    ],
)
def test_a_damaged_position_is_refused(change: Any, why: str) -> None:
    rules = rules_of("short")
    match = Match.begin(rules, seed_bytes(1))
    for _ in range(2):
        match.play("historical")
        match.play("ready")
    data = rules.to_position(match.state)
    assert rules.from_position(data)
    change(data)
    with pytest.raises(PositionError, match=re.escape(why)):
        rules.from_position(data)


# 8.6: what each side sees


def test_an_enemy_shows_his_back_until_he_is_next_to_one() -> None:
    """8.6, 8.6.p2: type, stacking value and formation, and the markers; nothing else."""
    rules = rules_of("short")
    match = Match.begin(rules, seed_bytes(1))
    for _ in range(2):
        match.play("historical")
        match.play("ready")
    theirs = [piece for piece in rules.view(match.state, 1).pieces if piece.force == "garibaldini"]
    assert theirs
    assert all(piece.id == "" for piece in theirs)
    assert {key for piece in theirs for key in piece.values} == {"branch", "formation", "stacking"}
    events = [event.to(1) for event in match.events]
    assert not any("g-" in str(event.data.get("unit", "")) for event in events if event is not None)
    assert not any(knows(rules, match.state, 1, rules.number[name]) for name in ("g-lanza", "g-medici"))


# Bad data, and speed


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("G16,3,8,5,3,,2224,nw", "G16,3,8,5,3,,2224,up", "facing"),
        ("G16,3,8,5,3,,2224,nw", "NG,3,8,5,3,,2224,nw", "not of garibaldini"),
        ("G16,3,8,5,3,,2224,nw", "G16,3,8,5,3,,3030,nw", "16.1.4.g1"),
        ("G16,2,8,5,3,,2424,n", "G16,2,8,5,3,,2425,n", "6.3.1"),
    ],
)
def test_a_wrong_counter_is_named(old: str, new: str, why: str) -> None:
    text = open_pack("volturno").text("units.csv")
    assert old in text
    with pytest.raises(PackError, match=re.escape(why)):
        Volturno(open_pack("volturno", inline={"units.csv": text.replace(old, new, 1)}), "short", {})


def test_a_copy_is_cheap_and_of_its_own() -> None:
    state = begun("full", 1, 300).state
    twin = state.copy()
    names = [*State.__slots__]
    assert set(MASKS) <= set(names)
    assert all(getattr(twin, name) == getattr(state, name) for name in names)
    twin.at[0], twin.stacks[0], twin.column = 5, (0,), -1
    assert state.at[0] != 5
    assert 0 not in state.stacks
    assert state.column != -1
    best = min(_time(state) for _ in range(50))
    assert best < 40e-6  # measured 5 to 6 microseconds; the bound is for machines under load


def _time(state: State) -> float:
    begin = perf_counter()
    for _ in range(20):
        state.copy()
    return (perf_counter() - begin) / 20


def test_standing_orders_answer_reactions() -> None:
    """12.1.2: a side that never reacts is not asked."""
    rules = rules_of("short")
    asked = 0
    for seed in range(3):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        for seat in rules.seats:
            match.order(seat, "react", "hold")
        while match.seat >= 0:
            asked += match.state.frames[-1].name == "react"
            match.play(match.sample(rng))
    assert asked == 0
