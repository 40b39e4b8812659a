"""12.1: who may react is told what the attack comes to as it is, and what fire would make of it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from eager import eager

from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.engine.sheet import Sheet
from fronte.games.registry import ruleset
from fronte.games.volturno import cohesion, fire, odds, threats
from fronte.games.volturno.breaking_off import GoOn
from fronte.games.volturno.counters import COMPASS
from fronte.games.volturno.reaction_zones import look
from fronte.games.volturno.reactions import Face, Hold, Shoot


def windows(kind: str, most: int, **options: Any) -> Iterator[Match]:
    """Matches that are played to fight, at questions of this kind in which an attack is under way."""
    found = 0
    for seed in range(6):
        match, rng = Match.begin(ruleset("volturno", "short", options), seed_bytes(seed)), Random(seed)
        while match.decision is not None and found < most:
            rules: Any = match.rules
            frame = match.state.frames[-1]
            unit = frame.args[0] if match.decision.kind == kind else -1
            if unit >= 0 and threats.of_unit(rules, match.state, unit):
                found += 1
                yield match
            match.play(eager(match, rng))


def shares(sheet: Sheet, what: str = "victory") -> list[Fraction]:
    row = sheet.row(what)
    assert row is not None
    return [Fraction(n, sheet.of) for n in row.counts]


def test_nobody_reacts_and_the_attack_is_what_the_attacker_is_told() -> None:
    """With open counters both sides know the same, so they are told the same odds."""
    compared = 0
    for match in windows("react", 25, open_counters="true"):
        rules: Any = match.rules
        frame = match.state.frames[-1]
        threat = threats.of_window(rules, match.state, frame)
        told = match.odds(Hold())
        if threat is None:
            assert not told.of and not told.facts
            continue
        twin = rules.imagine(match.state, rules.side[threat.unit], None)
        mine = rules._assault_sheet(twin, *threat)
        assert (told.rows, told.facts, told.of) == (mine.rows, mine.facts, mine.of)
        compared += 1
    assert compared > 8


def test_what_fire_makes_of_it_is_counted_over_all_dice() -> None:
    compared = 0
    for match in windows("react", 30):
        rules: Any = match.rules
        threat = threats.of_window(rules, match.state, match.state.frames[-1])
        shot = next((one for one in match.legal() if isinstance(one, Shoot)), None)
        if shot is None or threat is None:
            continue
        told = match.odds(shot)
        assert all(sum(row.counts) == told.of for row in told.rows)
        state = rules.imagine(match.state, match.seat, None)
        unit = rules.number[shot.unit]
        if told.row("victory") is None or state.low >> unit & 1:
            continue
        drm = sum(modifier.amount for modifier in fire.modifiers(rules, state, unit, threat.unit))
        wanted = [Fraction(0)] * 3
        for total, ways in odds.TWO_DICE.items():
            twin = state.copy()
            twin.level[threat.unit] += fire.levels_of(rules, total + drm)
            if twin.level[threat.unit] >= cohesion.ROUT:
                wanted[odds.DEFENDER] += Fraction(ways, odds.WAYS)
                continue
            for who, share in enumerate(shares(rules._assault_sheet(twin, *threat))):
                wanted[who] += share * Fraction(ways, odds.WAYS)
        assert shares(told) == wanted
        held = shares(match.odds(Hold()))
        assert shares(told)[odds.DEFENDER] >= held[odds.DEFENDER]  # fire never helps the attacker
        compared += 1
    assert compared > 5


def test_who_turns_is_told_what_the_attack_comes_to_then() -> None:
    """12.2.1: over all dice of the check, as whoever then is attacked would be told."""
    compared, helped = 0, 0
    for match in windows("react", 30):
        rules: Any = match.rules
        threat = threats.of_window(rules, match.state, match.state.frames[-1])
        state = rules.imagine(match.state, match.seat, None)
        for turn in [one for one in match.legal() if isinstance(one, Face)]:
            reactor, told = rules.number[turn.unit], match.odds(turn)
            alone = state.stacks[state.at[reactor]] == (reactor,)
            if threat is None or threat.hex != state.at[reactor]:
                assert told.row("victory") is None
            elif alone and not rules.counters[reactor].is_artillery:
                wanted = [Fraction(0)] * 3
                for lost, share in enumerate(shares(told, "levels")):
                    twin = state.copy()
                    look(rules, twin, reactor, COMPASS.index(turn.facing))
                    twin.level[reactor] += lost
                    gone = twin.level[reactor] >= cohesion.ROUT
                    fought = (
                        [Fraction(0), Fraction(0), Fraction(1)] if gone else shares(rules._assault_sheet(twin, *threat))
                    )
                    wanted = [had + share * more for had, more in zip(wanted, fought, strict=True)]
                assert shares(told) == wanted
                compared += 1
                helped += wanted[odds.DEFENDER] > shares(match.odds(Hold()))[odds.DEFENDER]
    assert compared > 20 and helped > 0


def test_who_has_lost_cohesion_is_told_what_going_on_comes_to() -> None:
    asked = 0
    for match in windows("break_off", 6):
        rules: Any = match.rules
        state = rules.imagine(match.state, match.seat, None)
        threat = threats.of_unit(rules, state, state.frames[-1].args[0])
        assert threat is not None
        told = match.odds(GoOn())
        assert told.of > 0 and told == rules._assault_sheet(state, *threat)
        asked += 1
    assert asked == 6


def test_who_is_shot_at_on_his_way_is_told_what_still_awaits_him_on_it() -> None:
    """13.1.3: no attack is under way yet, but the rest of the march is: every question has odds over all dice."""
    told = []
    for seed in range(8):
        match, rng = Match.begin(ruleset("volturno", "short"), seed_bytes(seed)), Random(seed)
        while match.decision is not None:
            frames = match.state.frames
            if match.decision.kind == "break_off" and any(frame.name == "march" for frame in frames):
                hidden: Any = match.rules
                told.append(match.odds(GoOn()))
                twin = hidden.shuffle_hidden(match.state, match.seat, Random(seed))
                assert hidden.sheet(twin, GoOn(), match.seat) == told[-1]
            match.play(match.sample(rng))
    assert len(told) > 1
    for sheet in told:
        assert sheet.row("arrival") and all(sum(row.counts) == sheet.of for row in sheet.rows)
        assert any(fact.key == "shots_on_the_way" for fact in sheet.facts)


def test_what_is_hidden_changes_nothing_of_it() -> None:
    rng = Random(4)
    for match in windows("react", 20):
        rules: Any = match.rules
        twin = rules.shuffle_hidden(match.state, match.seat, rng)
        assert rules.sheet(twin, Hold(), match.seat) == rules.sheet(match.state, Hold(), match.seat)
