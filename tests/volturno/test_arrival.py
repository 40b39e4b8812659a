"""7.1, 12.1: the odds of a declared attack: whether it arrives, against shots that fall if everybody fires."""

from __future__ import annotations

from itertools import islice
from random import Random

import msgspec

import fronte
from fronte.games.volturno import arrival
from fronte.games.volturno.declarations import Declare


def declarations(most: int, by: str = "") -> list[tuple[fronte.Match, Declare]]:
    """Declarations that random games could make: some of all, or all of a kind that is rare."""
    found: list[tuple[fronte.Match, Declare]] = []
    for seed in range(40 if by else 12):
        match, rng = fronte.new("volturno", "short", seed), Random(seed)
        while match.result is None and len(found) < most:
            if match.decision is not None and match.decision.kind == "declare":
                listed = [one for one in islice(match.legal(), None if by else 40) if isinstance(one, Declare)]
                chosen = [one for one in listed if one.by == by] if by else listed[::7]
                found += [(match.copy(), one) for one in chosen]
            match.play(match.sample(rng))
    return found


def test_the_ways_add_up_and_who_does_not_arrive_has_not_won() -> None:
    shot_at = 0
    for match, action in declarations(60):
        sheet = match.odds(action)
        assert all(sum(row.counts) == sheet.of for row in sheet.rows)
        victory, lost = sheet.rows[0].counts, sheet.row("arrival", match.decision.seat).counts[0]
        assert victory[0] >= lost
        shot_at += any(fact.key == "shots_on_the_way" and fact.data["n"] for fact in sheet.facts)
    assert shot_at > 5


def test_a_charge_tells_whether_it_arrives() -> None:
    found = declarations(12, "charge")
    assert len(found) > 5
    for match, action in found:
        sheet = match.odds(action)
        assert sheet.heading == "declare" and all(sum(row.counts) == sheet.of for row in sheet.rows)


def test_what_is_hidden_changes_nothing() -> None:
    rng, changed = Random(3), 0
    for match, action in declarations(40):
        twin = fronte.Match(match.rules, match.rules.shuffle_hidden(match.state, match.seat, rng), [])
        changed += match.rules.to_position(twin.state) != match.rules.to_position(match.state)
        assert msgspec.json.encode(twin.odds(action)) == msgspec.json.encode(match.odds(action))
    assert changed > 20


def test_a_unit_that_is_nearly_routed_may_not_arrive() -> None:
    """The more levels it has lost before, the less often it arrives; nobody who is not shot at fails to."""
    compared = 0
    for match, action in declarations(60):
        rules, unit = match.rules, match.rules.number[action.unit]
        at = rules.grid.index[action.at]
        found = []
        for level in range(4):
            state = rules.imagine(match.state, match.seat, None)
            state.level[unit] = level
            way = arrival.journey(rules, state, unit, arrival.way_to(rules, state, unit, at))
            found.append((way.of - way.levels.get(4, 0)) / way.of)
            assert way.shots or found[-1] == 1
        assert found == sorted(found, reverse=True)
        compared += found[3] < found[0]
    assert compared > 5
