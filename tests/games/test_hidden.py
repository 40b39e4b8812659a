"""For every registered game: at no decision can the other side count what is hidden, or learn its names."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest
from mutants import NIGHTLY

import fronte
from fronte.engine.decision import Frame
from fronte.engine.view import View
from fronte.games.inferno import fog
from fronte.games.inferno.stacking import overstacked, top_unit
from fronte.games.inferno.state import WAITING, place
from fronte.games.registry import FAMILIES


def told(rules: Any, state: Any, seat: int) -> tuple[bytes, bytes]:
    """What a seat and those who look on may know."""
    return msgspec.json.encode(rules.view(state, seat)), msgspec.json.encode(rules.public_view(state))


@pytest.mark.costly(each=True)
def test_what_is_hidden_changes_nothing_for_either_seat(game: str, scenario: str) -> None:
    """Also for the seat that does not decide, in the middle of everything; stacks change their sizes in it."""
    rng = Random(3)
    compared = differing = sizes = 0
    for seed in (31, 32):
        match = fronte.new(game, scenario, seed)
        while match.state.frames:
            rules: Any = match.rules
            for seat in range(2):
                twin = rules.shuffle_hidden(match.state, seat, rng)
                assert told(rules, twin, seat) == told(rules, match.state, seat), match.decision
                differing += rules.to_position(twin) != rules.to_position(match.state)
                sizes += crowds(rules, twin) != crowds(rules, match.state)
                compared += 1
            for _ in range(3 if NIGHTLY else 8):
                if match.state.frames:
                    match.play(match.sample(rng))
    assert differing > compared // 2
    if FAMILIES[game] == "inferno":  # there not even how many lie in a hex is told
        assert sizes > compared // 4


def crowds(rules: Any, state: Any) -> Counter[str]:
    """How many pieces are where."""
    return Counter(unit["at"] for unit in rules.to_position(state)["units"].values())


def crowded(rules: Any, state: Any, seat: int, rng: Random) -> Any | None:
    """A twin in which the enemy of a seat has too many in a hex, hidden ones among them, and must take out some."""
    twin = state.copy()
    enemy = 1 - seat
    hidden = [unit for unit in rules.of_side[enemy] if twin.at[unit] >= 0 and not fog.visible(rules, twin, unit)]
    for h in range(len(twin.stacks)):
        if not twin.occ[enemy] >> h & 1:
            continue
        for unit in rng.sample(hidden, min(3, len(hidden))):
            there = twin.at[unit]
            top = top_unit(rules, twin, h)
            place(rules, twin, unit, h)
            if top_unit(rules, twin, h) != top:
                place(rules, twin, unit, there)
        if h in overstacked(rules, twin, enemy):
            twin.frames.append(Frame("overstack", enemy, (h, twin.stacks[h])))
            return twin
    return None


@pytest.mark.family("inferno")
def test_an_overstacked_hex_does_not_tell_how_many_lie_in_it(game: str, scenario: str) -> None:
    """5.2, 5.4: the owner takes out units; the other side is told the hex, and sees what it sees."""
    rng = Random(8)
    compared = 0
    match: Any = fronte.new(game, scenario, 7)
    while match.state.frames and compared < 60:
        rules = match.rules
        for seat in range(2):
            full = None if match.state.battle else crowded(rules, match.state, seat, rng)
            if full is None:
                continue
            h = full.frames[-1].args[0]
            top = top_unit(rules, full, h)
            extra = [unit for unit in full.stacks[h] if unit != top]
            fewer = full.copy()
            place(rules, fewer, rng.choice(extra), WAITING)
            fewer.frames[-1] = Frame("overstack", 1 - seat, (h, fewer.stacks[h]))
            if (fewer.fight, fewer.zocs) != (full.fight, full.zocs):
                continue
            for one, two in zip(told(rules, full, seat), told(rules, fewer, seat), strict=True):
                assert one == two
            drawn = rules.resample(msgspec.json.decode(told(rules, full, seat)[0], type=View), Random(1))
            imagined = rules.imagine(full, seat, Random(1))
            assert drawn.frames == imagined.frames
            assert imagined.frames[-1].args == (h, imagined.stacks[h])
            twin = fronte.Match(rules, imagined, [])
            assert next(twin.legal(), None) is not None
            compared += 1
        match.play(match.sample(rng))
    assert compared > 20


def test_of_those_who_were_roused_only_the_ones_that_are_seen_are_named() -> None:
    """Altipiani 12.4.c: who lay hidden in an attacked hex and took no part stays hidden."""
    match: Any = fronte.new("altipiani", seed=1)
    rules, state = match.rules, match.state
    frozen = [unit for unit in rules.of_side[0] if rules.counters[unit].frozen and state.at[unit] >= 0]
    for unit in frozen[1:]:
        place(rules, state, unit, state.at[frozen[0]])
    for unit in frozen:
        rules.attacked(state, state.at[unit])
    hidden = {rules.ids[unit] for unit in frozen if not fog.visible(rules, state, unit)}
    assert hidden
    names = {rules.ids[unit] for unit in frozen}
    assert set(rules.view(state, 0).family["roused"]) == names, "the owner knows"
    assert set(rules.view(state, 1).family["roused"]) == names - hidden
    assert set(rules.public_view(state).family["roused"]) == names - hidden
    assert set(rules.to_position(state)["roused"]) == names
    imagined = rules.imagine(state, 1, Random(1))
    assert set(rules.view(imagined, 1).family["roused"]) == names - hidden
