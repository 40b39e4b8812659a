"""Volturno 1860: whole random games, what each side sees, and how quick it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest
from msgspec import json as msgjson

from fronte.engine.dice import seed_bytes
from fronte.engine.given import PositionError
from fronte.engine.match import Match
from fronte.engine.pack import PackError
from fronte.engine.panel import checked
from fronte.engine.text import Texts
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


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_positions_come_back_whole(scenario: str) -> None:
    rules, rng = rules_of(scenario), Random(2)
    match = Match.begin(rules, seed_bytes(2))
    for number in range(500):
        if match.seat < 0:
            break
        if number % 20 == 0:
            data = json.loads(json.dumps(rules.to_position(match.state)))
            twin = rules.from_position(data)
            assert rules.to_position(twin) == data
            assert rules.view(twin, 0) == rules.view(match.state, 0)
        match.play(match.sample(rng))


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


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_hidden_changes_what_a_seat_sees(scenario: str) -> None:
    """Counters with the same back change places: views, offers and the events of what follows stay the same."""
    rules, rng = rules_of(scenario), Random(7)
    changed = 0
    for seed in range(3):
        match = Match.begin(rules, seed_bytes(seed))
        for number in range(400):
            if match.seat < 0:
                break
            if number % 8 == 0:
                seat = match.seat
                twin = rules.shuffle_hidden(match.state, seat, rng)
                assert rules.broken(twin) == []
                changed += twin.at != match.state.at
                assert msgjson.encode(rules.view(twin, seat)) == msgjson.encode(rules.view(match.state, seat))
                frame = match.state.frames[-1]
                choice = rules.choices[frame.name]
                assert choice.offer(rules, twin, twin.frames[-1]) == choice.offer(rules, match.state, frame)
                assert choice.about(rules, twin, twin.frames[-1]) == choice.about(rules, match.state, frame)
            match.play(match.sample(rng))
    assert changed > 20


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_state_made_from_a_view_gives_that_view(scenario: str) -> None:
    rules, rng = rules_of(scenario), Random(5)
    for seed in range(3):
        match = Match.begin(rules, seed_bytes(seed))
        for number in range(300):
            if match.seat < 0:
                break
            if number % 10 == 0:
                for seat in range(2):
                    seen = rules.view(match.state, seat)
                    twin = rules.resample(seen, rng)
                    assert rules.view(twin, seat) == seen
            match.play(match.sample(rng))


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


# Words


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_whole_games_can_be_told(scenario: str, language: str) -> None:
    rules = rules_of(scenario)
    texts = Texts.read(rules.pack, language)
    assert set(rules.chances) <= set(texts.tables["die"])
    assert set(rules.choices) <= set(texts.tables["question"])
    match, rng, marks = Match.begin(rules, seed_bytes(4)), Random(4), set()
    while match.decision is not None:
        decision = match.decision
        sentence = texts.ask(decision)
        assert re.match(r"\S.*[.!?:]$", sentence), sentence
        marks |= {mark for piece in match.view(decision.seat).pieces for mark in piece.marks}
        match.play(match.sample(rng))
    assert marks <= set(texts.tables["mark"])
    for event in match.events:
        for told in (event, event.to(0), event.to(1)):
            if told is not None:
                sentence = texts.event(told, cite=False)
                assert re.match(r"\S.*[.!?:]$", sentence), sentence
                assert not re.search(r"[{}\[\]|]|  |\(\)| ,| ;", sentence), sentence


def test_every_refusal_has_words() -> None:
    """All keys of refusals in the chapters are in the texts of both languages."""
    folder = Path(open_pack("volturno").folders[0]).parent
    keys = set()
    for file in folder.glob("*.py"):
        keys |= set(re.findall(r"Refusal\(\s*[^()]*?\"(\w+)\",\s*(?:\{|data|told)", file.read_text(encoding="utf-8")))
    assert len(keys) > 30
    for language in ("en", "it"):
        assert keys <= set(Texts.read(rules_of("short").pack, language).tables["refusal"]), language


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_offers_have_the_shape_of_their_panels(scenario: str) -> None:
    match, rng = Match.begin(rules_of(scenario), seed_bytes(3)), Random(3)
    for number in range(300):
        if match.decision is None:
            break
        if number % 7 == 0:
            checked(match.rules.panels, match.decision.panel, match.offer)
        match.play(match.sample(rng))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_listed_is_legal(scenario: str) -> None:
    match, rng = Match.begin(rules_of(scenario), seed_bytes(6)), Random(6)
    seen: set[str] = set()
    for number in range(400):
        if match.seat < 0:
            break
        if number % 10 == 0 or match.state.frames[-1].name not in seen:
            seen.add(match.state.frames[-1].name)
            listed = list(match.legal())
            assert len(listed) == len(set(listed))
            for action in rng.sample(listed, min(40, len(listed))):
                assert match.why_not(action) is None, action
        match.play(match.sample(rng))


# Bad data, and speed


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("G16,3,8,5,3,,2224,nw", "G16,3,8,5,3,,2224,up", "facing"),
        ("G16,3,8,5,3,,2224,nw", "NG,3,8,5,3,,2224,nw", "not of garibaldini"),
        ("G16,3,8,5,3,,2224,nw", "G16,3,8,5,3,,3030,nw", "16.1.4.g1"),
        ("G16,2,8,5,3,,2323,n", "G16,2,8,5,3,,2424,n", "6.3.1"),
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


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_odds_tell_nothing_that_is_hidden(scenario: str) -> None:
    """8.6: states that a seat cannot tell apart give it the same odds."""
    compared = differing = 0
    for seed in range(3):
        match, rng = Match.begin(rules_of(scenario), seed_bytes(seed)), Random(seed)
        while match.decision is not None and len(match.entries) < 500:
            seat, rules = match.seat, match.rules
            thrown = [one for one in match.legal() if one.__struct_config__.tag in match.decision.odds]
            if thrown:
                twin = Match(rules, rules.shuffle_hidden(match.state, seat, rng), [])
                differing += rules.to_position(twin.state) != rules.to_position(match.state)
                for action in thrown:
                    assert twin.odds(action) == match.odds(action), action
                    compared += 1
            match.play(match.sample(rng))
    assert compared > 20 and differing > 5
