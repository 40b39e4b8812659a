"""Steady, the quick player: fair, legal, the same for a seed, and better than chance."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import fronte
from fronte.ai import PLAYERS, Player, Seat, player
from fronte.ai.steady import Steady, infer_supply
from fronte.ai.steady.attack import Assault, best_from_contact, targets
from fronte.ai.steady.ground import Picture, chart
from fronte.ai.steady.marches import Marches
from fronte.ai.steady.weights import WEIGHTS
from fronte.engine.match import Match
from fronte.games.inferno.combat import Attack
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.movement import reach
from fronte.games.isonzo.game import Isonzo

SEATS = ("italian", "ah")


def play(names: tuple[str, str], seed: int, scenario: str = "", until: int = 99) -> Match:
    """A game between two players, up to the end or the beginning of a turn."""
    match = fronte.new("isonzo", scenario, seed=seed)
    players: list[Player] = [player(name, f"{seed}/{seat}") for name, seat in zip(names, SEATS, strict=True)]
    seats = [Seat(match, seat) for seat in SEATS]
    while match.decision is not None and match.state.turn < until:
        match.play(players[match.seat](seats[match.seat]))
    return match


@pytest.fixture(scope="module")
def game() -> Match:
    """A whole game of steady against itself."""
    return play(("steady", "steady"), 11)


def at_decision(kind: str, seat: str, turn: int = 2, seed: int = 5) -> Match:
    """A game of steady against itself, stopped at the first decision of a kind."""
    match = fronte.new("isonzo", seed=seed)
    players: list[Player] = [Steady(Random(f"{seed}/{name}")) for name in SEATS]
    seats = [Seat(match, name) for name in SEATS]
    while True:
        decision = match.decision
        assert decision is not None, f"no decision {kind} of {seat} came"
        if match.state.turn >= turn and (decision.kind, decision.seat) == (kind, seat):
            return match
        match.play(players[match.seat](seats[match.seat]))


def test_it_plays_to_the_end_by_the_rules(game: Match) -> None:
    assert game.result is not None
    assert game.rules.broken(game.state) == []


def test_it_plays_the_surprise_scenario_too() -> None:
    match = play(("steady", "steady"), 4, "surprise")
    assert match.result is not None


def test_the_same_seed_plays_the_same_game(game: Match) -> None:
    assert play(("steady", "steady"), 11).save() == game.save()


def test_it_attacks_and_takes_ground(game: Match) -> None:
    kinds = [event.kind for event in game.events]
    assert kinds.count("attacked") >= 20
    assert any(event.kind == "taken" and event.data["side"] == "italian" for event in game.events)


@pytest.mark.parametrize(
    ("kind", "seat", "turn"),
    [
        ("movement", "italian", 2),
        ("movement", "ah", 2),
        ("movement", "italian", 4),
        ("movement", "ah", 5),
        ("combat", "italian", 3),
        ("combat", "ah", 3),
        ("retreat", "ah", 2),
        ("losses", "italian", 2),
        ("reinforcement", "italian", 3),
    ],
)
def test_what_the_seat_cannot_know_changes_nothing(kind: str, seat: str, turn: int) -> None:
    """Whole states drawn from one view differ only in what is hidden; steady answers all of them alike."""
    match = at_decision(kind, seat, turn)
    view = match.view(seat)
    answers = set()
    hidden = set()
    for draw in range(4):
        state = match.rules.resample(view, Random(draw))
        hidden.add(tuple(state.at))
        twin = Match.resume(match.rules, state)
        assert twin.view(seat) == view
        steady = Steady(Random("the same"))
        answers.add((steady(Seat(twin, seat)), tuple(steady.moves or ())))
    assert len(answers) == 1
    assert len(hidden) > 1, "nothing was hidden, so nothing was tested"


def test_it_beats_chance_from_either_side() -> None:
    for seed in range(3):
        attack = play(("steady", "random"), seed).result
        defence = play(("random", "steady"), seed).result
        assert attack is not None and defence is not None
        assert attack.score > defence.score + 10


def rules_of(match: Match) -> Isonzo:
    assert isinstance(match.rules, Isonzo)
    return match.rules


@pytest.mark.parametrize(("seat", "turn"), [("italian", 2), ("ah", 2), ("italian", 5), ("ah", 5)])
def test_its_marches_are_those_of_the_rules(seat: str, turn: int) -> None:
    match = at_decision("movement", seat, turn)
    rules, state = rules_of(match), match.state
    side = rules.seat_index(seat)
    marches = Marches(rules, state, side)
    tried = 0
    for unit in rules.of_side[side]:
        if marches.can_move(unit):
            found = marches.reach(unit)
            expected = reach(rules, state, unit)
            here = state.at[unit]
            assert {h: left for h, left in found.left.items() if h != here} == {h: w[0] for h, w in expected.items()}
            for h in expected:
                path = found.path(h)
                assert path[-1] == h
                assert all(b in rules.board.edge_to[a] for a, b in pairwise([here, *path]))
            tried += 1
    assert tried > 10


def test_its_odds_are_those_of_the_engine() -> None:
    """Where nothing is hidden or refused, the outlook of an attack is the exact one."""
    match = at_decision("combat", "italian")
    rules, state = rules_of(match), match.state
    assault = Assault(Picture(rules, state, ITALIAN), WEIGHTS[ITALIAN])
    compared = 0
    for target in targets(assault):
        plan = best_from_contact(assault, target, rules.guns_of[ITALIAN], set())
        held = assault.garrison(target)
        if plan is None or held.support or not held.units:
            continue
        action = Attack(rules.hex_id(target), rules.unit_ids(sorted(plan.units)), rules.unit_ids(sorted(plan.guns)))
        odds = match.odds(action, "ah")
        loss = sum(n * ways for n, ways in enumerate(odds["attack_loss"])) / odds["of"]
        back = sum(odds["attack_retreat"][1:]) / odds["of"]
        assert plan.outlook.attack_loss == pytest.approx(loss, abs=0.35)
        assert plan.outlook.repulse == pytest.approx(back)
        compared += 1
    assert compared >= 2


def test_gorizia_is_never_left_empty_by_choice() -> None:
    match = at_decision("combat", "italian", 4)
    assert match.state.fight[ITALIAN] >> chart(rules_of(match)).gorizia & 1


def test_supply_of_the_enemy_is_worked_out_from_where_he_stands() -> None:
    match = at_decision("movement", "ah", 4)
    rules = rules_of(match)
    state = rules.resample(match.view("ah"), Random(1))
    infer_supply(rules, state, ITALIAN)  # type: ignore[arg-type]
    seen = [unit for unit in rules.of_side[ITALIAN] if state.at[unit] >= 0 and rules.zoccer[unit]]
    right = [
        unit
        for unit in seen
        if state.at[unit] != match.state.at[unit] or state.supply[unit] == match.state.supply[unit]
    ]
    assert len(right) >= 0.8 * len(seen)


def test_an_austro_hungarian_line_stays_in_its_trenches() -> None:
    match = at_decision("combat", "ah", 2)
    rules, state = rules_of(match), match.state
    manned = state.zocs[AH] & rules.board.trench[AH]
    assert manned.bit_count() >= 8


def test_it_is_registered_by_name_and_declines_other_games() -> None:
    assert "steady" in PLAYERS
    other = fronte.new("altipiani")
    decision = other.decision
    assert decision is not None
    with pytest.raises(ValueError, match="steady plays isonzo"):
        player("steady", "1")(Seat(other, decision.seat))
