"""Whole random games of Volturno 1860 with what chapters 1, 4, 5, 6 and 15 to 17 never let happen."""

from __future__ import annotations

import os
from random import Random

import pytest

from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.games.registry import open_pack, ruleset
from fronte.games.volturno.counters import FORMATIONS, GARIBALDINI, NAPOLETANI, SIDES
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.state import LOST, ROUTED, State

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
PLAYED = {"short": 25, "full": 6}
"""So many games by day; a thousand of each by night."""
OPTIONS = [
    {"cic_move_timing": "phase-d"},
    {"cic_move_timing": "start-of-phase-b"},
    {"ruiz_march": "closer", "ruiz_arrival_test": "any-unit"},
    {"ruiz_march": "not-farther", "reserve_requires_command_range": "true"},
    {"ruiz_march": "off", "river_geometry": "in-hex"},
    {"night_reaction_combat": "forbid", "gt15_light": "night", "stay_on_six_turns": "night-and-fog"},
    {"cacciatori_light": "true", "brigade_stacking": "4", "cavalry_ma": "10", "field_artillery_ma": "8"},
    {"la_porta": "16th-only", "cic_in_full_scenario": "absent", "coordination_ignores_barred": "true"},
    {
        "sighting_range_day": "5",
        "eliminated_counts_as_routed_for_vp": "true",
        "phase_c_scope": "all-units-of-formation",
    },
]


def rules_of(scenario: str, options: dict[str, str] | None = None) -> Volturno:
    found = ruleset("volturno", scenario, options or {})
    assert isinstance(found, Volturno)
    return found


def between(rules: Volturno, was: State, now: State) -> list[str]:
    """What cannot have happened between two positions of a game."""
    found = []
    if now.turn < was.turn:
        found.append("a turn came back (1.2)")
    for unit, at in enumerate(was.at):
        if at in (ROUTED, LOST) and now.at[unit] != at:
            found.append(f"{rules.ids[unit]} came back (13.2)")
    if was.seen & ~now.seen:
        found.append("a formation forgot the enemy (15.3)")
    if (was.railed and not now.railed) or (was.stopped and not now.stopped):
        found.append("the train came back, or Ruiz had not arrived (15.5.p2, 15.8.1.p1)")
    if was.turn == now.turn and was.phase == now.phase == "activation":
        if was.activated & ~now.activated:
            found.append("a formation is no longer activated (6.1.p2)")
        if was.ooc & ~now.ooc & ~sum(1 << u for u, at in enumerate(now.at) if at < 0):
            found.append("a unit came into command within a turn (4.B1)")
        if was.called & ~now.called:
            found.append("a unit of the reserve was not called after all (15.5)")
    for f, orders in enumerate(was.orders):
        if now.orders[f] < orders and was.turn == now.turn and not now.activated >> f & 1:
            found.append(f"{FORMATIONS[f]} lost an Orders marker without being activated (6.1.2)")
    for f, morale in enumerate(was.morale):
        if was.phase == "setup" and morale:
            found.append(f"{FORMATIONS[f]} does not begin with a morale of nought (6.2.1.p3)")
    return found


def play(rules: Volturno, seed: int) -> Match:
    """A random game, watched all the way."""
    match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
    count = 0
    while match.seat >= 0:
        assert rules.broken(match.state) == [], match.state.frames
        was = match.state.copy()
        match.play(match.sample(rng))
        assert between(rules, was, match.state) == []
        count += 1
        assert count < 20_000
    return match


def judged(rules: Volturno, scenario: str, seed: int) -> int:
    """A random game, watched all the way, whose end is counted again; how many actions it had."""
    match = play(rules, seed)
    state, result = match.state, match.result
    assert result is not None
    assert state.turn == rules.last_turn
    told = rules.account(state)
    held = [{h for h, side in told["held"].items() if side == name} for name in SIDES]
    if scenario == "short":
        winner = next((SIDES[side] for side in range(2) if len(held[side]) >= 4), None)
        assert result.score == len(held[NAPOLETANI]) - len(held[GARIBALDINI])
    else:
        points = sum(rules.setting.objectives[h] for h in held[NAPOLETANI])
        points += told["routed"]["garibaldini"] - told["routed"]["napoletani"]
        assert result.score == points
        winner = "napoletani" if points >= 20 else "garibaldini" if points <= 4 else None
    assert result.winner == winner
    trains = [event for event in match.events if event.kind == "by_train"]
    assert len(trains) == state.railed
    return len(match.entries)


@pytest.mark.costly
@pytest.mark.parametrize("scenario", ["short", "full"])
def test_random_games_keep_the_rules_from_set_up_to_victory(scenario: str) -> None:
    rules = rules_of(scenario)
    for seed in range(1000 if NIGHTLY else PLAYED[scenario]):
        judged(rules, scenario, seed)


@pytest.mark.costly
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: ",".join(options.values()))
def test_random_games_end_under_the_options_of_these_chapters(options: dict[str, str]) -> None:
    for seed in range(20 if NIGHTLY else 1):
        assert play(rules_of("full", options), seed).result is not None


def test_set_up_by_hand_reaches_the_battle() -> None:
    """16.1.4: whatever hexes are chosen, all can be placed, within their zones and the limit of five."""
    rules = rules_of("short")
    for seed in range(10):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        while match.state.phase == "setup":
            listed = [action for action in match.legal() if action.__struct_config__.tag != "historical"]
            assert listed, "nobody can be placed any more"
            ready = [action for action in listed if action.__struct_config__.tag == "ready"]
            match.play(ready[0] if ready else rng.choice(listed))
        assert rules.broken(match.state) == []


def test_no_printed_set_up_makes_contact() -> None:
    """16.1.4.p3: the zones of the two sides are nowhere nearer than two hexes."""
    for scenario in ("short", "full"):
        rules = rules_of(scenario)
        zones: list[set[int]] = [set(), set()]
        for unit, zone in rules.zone_of_unit.items():
            if unit not in rules.leader_set:
                zones[rules.side[unit]] |= {h for h in range(rules.grid.size) if zone.hexes >> h & 1}
        assert min(rules.grid.distance(a, b) for a in zones[0] for b in zones[1]) == 2


def test_zones_that_touch_leave_a_hex_between() -> None:
    """16.1.4.p3: in a scenario whose zones touch the second side does not set up in an enemy zone."""
    text = open_pack("volturno").text("scenarios.toml")
    old = 'NG = { rule = "16.1.4.n1", centre = "1318", within = 4, rows = [19, 99] }'
    assert old in text
    wide = text.replace(old, old.replace("within = 4", "within = 12"))
    match = Match.begin(Volturno(open_pack("volturno", inline={"scenarios.toml": wide}), "short", {}), seed_bytes(1))
    match.play("historical")
    match.play("ready")
    for hexes, why in (("2223", "16.1.4.p3"), ("2123", "16.1.4.p3"), ("2021", "")):
        refusal = match.why_not(f"place n-gren-1 at {hexes}", "napoletani")
        assert (refusal.rule if refusal else "") == why, hexes


def test_a_commander_in_chief_is_not_left_alone_at_the_set_up() -> None:
    """gap.cic-setup: with a unit of his, not where one was before it was set up elsewhere; nobody begins in 2822."""
    match = Match.begin(rules_of("full"), seed_bytes(1))
    for action in ("place g-lanza at 2822", "place g-garibaldi at 2822", "place g-lanza at 2722", "historical"):
        match.play(action)
    refusal = match.why_not("ready", "garibaldini")
    assert refusal is not None
    assert refusal.rule == "gap.cic-setup"
    assert {action.__struct_config__.tag for action in match.legal()} == {"place"}
    match.play("place g-garibaldi at 4426")
    assert match.why_not("ready", "garibaldini") is None
