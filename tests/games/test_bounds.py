"""What could be enumerated without end is bounded by how it is looked for, and finds what looking everywhere finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from random import Random
from typing import Any

from mutants import limited

import fronte
from fronte.games.inferno.combat import defence_command, defending_sets
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.results import spreads, why_unfair
from fronte.games.inferno.stacking import is_legal_stack, least_removals
from fronte.games.inferno.state import place

GAMES = ("isonzo", "altipiani")


def crammed(game: str, number: int, rng: Random) -> tuple[Any, Any, int, tuple[int, ...]]:
    """A state with many units of one side in one hex, some of them worn."""
    match: Any = fronte.new(game, seed=rng.randrange(99))
    rules, state = match.rules, match.state
    side = rng.randrange(2)
    mine = [unit for unit in rules.of_side[side] if state.at[unit] >= 0]
    h = state.at[rng.choice(mine)]
    for unit in rng.sample(mine, min(number, len(mine))):
        place(rules, state, unit, h)
        state.steps[unit] = rng.randrange(1, rules.counters[unit].steps + 1)
        state.ce[unit] = rng.randrange(2) if rules.face(state, unit).defence > 1 and rules.combat[unit] else 0
    return rules, state, h, state.stacks[h]


def every_removal(rules: Any, state: Any, h: int, removable: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """5.2 by trying everything."""
    found: list[set[int]] = []
    for size in range(1, len(removable) + 1):
        for group in combinations(removable, size):
            rest = [unit for unit in state.stacks[h] if unit not in group]
            if not any(smaller <= set(group) for smaller in found) and is_legal_stack(rules, state, h, rest):
                found.append(set(group))
                yield group


def test_who_has_to_leave_a_crowded_hex_is_found_without_trying_everything() -> None:
    rng = Random(1)
    crowds = 0
    for _ in range(60):
        rules, state, h, stack = crammed(rng.choice(GAMES), rng.randrange(3, 11), rng)
        if is_legal_stack(rules, state, h, stack):
            continue
        removable = stack if rng.random() < 0.7 else tuple(rng.sample(stack, rng.randrange(1, len(stack))))
        assert list(least_removals(rules, state, h, removable)) == list(every_removal(rules, state, h, removable))
        crowds += 1
    assert crowds > 30


def test_who_defends_is_found_without_trying_everything() -> None:
    rng = Random(2)
    for _ in range(60):
        rules, _, _, stack = crammed(rng.choice(GAMES), rng.randrange(2, 10), rng)
        units = [unit for unit in stack if rules.combat[unit]]
        found: list[set[int]] = []
        wanted = []
        for size in range(len(units), -1, -1):
            for group in combinations(units, size):
                if not any(set(group) <= larger for larger in found) and defence_command(rules, group):
                    found.append(set(group))
                    wanted.append(group)
        assert list(defending_sets(rules, units)) == wanted


def test_losses_are_spread_without_trying_everything() -> None:
    rng = Random(3)
    for _ in range(60):
        rules, state, _, stack = crammed(rng.choice(GAMES), rng.randrange(1, 5), rng)
        units = tuple(unit for unit in stack if rules.combat[unit])[:5]
        first = tuple(unit for unit in units if rules.infiltrates[unit])
        deaths = [endurance(rules, state, unit) for unit in units]
        number = rng.randrange(1, 9)
        due = min(number, sum(deaths))
        wanted = [
            hits
            for hits in product(*(range(death, -1, -1) for death in deaths))
            if sum(hits) == due
            and why_unfair(deaths, hits) is None
            and sum(1 for unit, taken in zip(units, hits, strict=True) if taken and unit in first)
            >= min(len(first), sum(hits))
        ]
        assert spreads(rules, state, units, number, first) == wanted


def test_a_hex_with_forty_units_is_asked_about_at_once() -> None:
    """Nothing forbids them to meet while they move; when the phase ends their owner is asked what is to go."""
    for game in GAMES:
        rules, state, h, stack = crammed(game, 40, Random(5))
        assert len(stack) > 30
        with limited():
            for removable in (stack, stack[:10]):
                some = list(islice(least_removals(rules, state, h, removable), 5000))
                for group in some[::500]:
                    assert is_legal_stack(rules, state, h, [unit for unit in stack if unit not in group])
            units = tuple(unit for unit in stack if rules.combat[unit])
            assert list(defending_sets(rules, units))
            assert spreads(rules, state, units, 12, ())


def test_an_offer_lists_only_so_many_answers() -> None:
    match: Any = fronte.new("isonzo", seed=1)
    while match.decision.kind != "movement":
        match.play("end")
    rules, state = match.rules, match.state
    mine = [unit for unit in rules.of_side[state.active] if state.at[unit] >= 0]
    for unit in mine:
        place(rules, state, unit, state.at[mine[0]])
    with limited():
        match.play("end")
        assert match.decision.kind == "overstack"
        assert match.offer["more"] and len(match.offer["actions"]) == 3000
        fewest = rules.standing["overstack"]["fewest_steps"]
        assert match.why_not(fewest(rules, state, state.frames[-1])) is None
        match.play(match.sample(Random(1)))
