"""Steady, the quick player: fair, legal, the same for a seed, and better than chance, in every game it knows."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import fronte
from fronte.ai import PLAYERS, Player, Seat, player, players_of
from fronte.ai.inferno.steady import Steady, policy
from fronte.ai.inferno.steady.attack import Assault, best_from_contact, targets
from fronte.ai.inferno.steady.games import TERMS, chart
from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.marches import Marches
from fronte.ai.inferno.steady.weights import weights_of
from fronte.engine import flow
from fronte.engine.match import Match
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.movement import End, reach
from fronte.games.inferno.rules import Inferno
from fronte.games.registry import FAMILIES, GAMES, ruleset

SEATS = ("italian", "ah")
NEEDS_A_PACK = {("altipiani", "table_source")}
"""Options of which a value asks for an owner's own data."""


def play(
    game: str, names: tuple[str, str], seed: int, scenario: str = "", options: dict[str, str] | None = None
) -> Match:
    """A whole game between two players."""
    match = fronte.new(game, scenario, seed, options)
    players: list[Player] = [player(name, f"{seed}/{seat}") for name, seat in zip(names, SEATS, strict=True)]
    seats = [Seat(match, seat) for seat in SEATS]
    while match.seat >= 0:
        match.play(players[match.seat](seats[match.seat]))
    return match


@pytest.fixture(scope="module", params=sorted(TERMS))
def whole(request: pytest.FixtureRequest) -> Match:
    """A whole game of steady against itself."""
    return play(request.param, ("steady", "steady"), 11)


def at_decision(game: str, kind: str, seat: str, turn: int = 2, seed: int = 5) -> Match:
    """A game of steady against itself, stopped at the first decision of a kind."""
    match = fronte.new(game, seed=seed)
    players: list[Player] = [Steady(Random(f"{seed}/{name}")) for name in SEATS]
    seats = [Seat(match, name) for name in SEATS]
    while match.seat >= 0:
        kinds = match.state.frames[-1].name, SEATS[match.seat]
        if match.state.turn >= turn and kinds == (kind, seat):
            return match
        match.play(players[match.seat](seats[match.seat]))
    raise AssertionError(f"no decision {kind} of {seat} came")


def rules_of(match: Match) -> Inferno:
    assert isinstance(match.rules, Inferno)
    return match.rules


# Whole games


def test_it_is_registered_by_name_and_knows_every_game() -> None:
    assert "steady" in PLAYERS
    assert set(TERMS) == {game for game, family in FAMILIES.items() if family == "inferno"}
    assert all("steady" in players_of(game) for game in GAMES)


def test_it_plays_to_the_end_by_the_rules(whole: Match) -> None:
    assert whole.result is not None
    assert whole.rules.broken(whole.state) == []


@pytest.mark.costly(each=True)
@pytest.mark.family("inferno")
def test_it_plays_every_scenario(game: str, scenario: str) -> None:
    assert play(game, ("steady", "steady"), 4, scenario).result is not None


def test_the_same_seed_plays_the_same_game(whole: Match) -> None:
    assert play(whole.rules.header.game, ("steady", "steady"), 11).save() == whole.save()


def test_it_attacks_and_takes_ground(whole: Match) -> None:
    kinds = [event.kind for event in whole.events]
    assert kinds.count("attacked") >= 20
    attacker = SEATS[chart(rules_of(whole)).terms.attacker]
    assert any(event.kind == "taken" and event.data["side"] == attacker for event in whole.events)


@pytest.mark.costly
@pytest.mark.parametrize("game", sorted(TERMS))
@pytest.mark.parametrize("seed", range(3))
def test_it_answers_whatever_the_options_bring(game: str, seed: int) -> None:
    """Whole games against chance, which brings about what sensible play would not, with all options drawn at random."""
    rng = Random(f"{game} {seed}")
    options = {
        option.name: rng.choice(option.values)
        for option in ruleset(game).rulebook.options  # type: ignore[attr-defined]
        if (game, option.name) not in NEEDS_A_PACK
    }
    names = ("steady", "random") if seed % 2 else ("random", "steady")
    match = play(game, names, seed, options=options)
    assert match.result is not None, options


@pytest.mark.costly
@pytest.mark.parametrize("game", sorted(TERMS))
def test_it_beats_chance_from_either_side(game: str) -> None:
    gains = 1 if chart(ruleset(game)).terms.attacker == ITALIAN else -1  # type: ignore[arg-type]
    for seed in range(2):
        one = play(game, ("steady", "random"), seed).result
        other = play(game, ("random", "steady"), seed).result
        assert one is not None and other is not None
        assert gains * (one.score - other.score) > 10


# Fairness


@pytest.mark.parametrize(
    ("game", "kind", "seat", "turn"),
    [
        ("isonzo", "movement", "italian", 2),
        ("isonzo", "movement", "ah", 5),
        ("isonzo", "combat", "italian", 3),
        ("isonzo", "combat", "ah", 3),
        ("isonzo", "retreat", "ah", 2),
        ("isonzo", "losses", "italian", 2),
        ("isonzo", "reinforcement", "italian", 3),
        ("altipiani", "movement", "italian", 3),
        ("altipiani", "movement", "ah", 4),
        ("altipiani", "combat", "ah", 2),
        ("altipiani", "advance", "ah", 2),
        ("altipiani", "support", "italian", 2),
    ],
)
def test_what_the_seat_cannot_know_changes_nothing(game: str, kind: str, seat: str, turn: int) -> None:
    """Whole states drawn from one view differ only in what is hidden; steady answers all of them alike."""
    match = at_decision(game, kind, seat, turn)
    view = match.view(seat)
    answers = set()
    hidden = set()
    for draw in range(4):
        state = match.rules.resample(view, Random(draw))
        hidden.add(tuple(state.at))
        twin = Match.resume(match.rules, state)
        assert twin.view(seat) == view
        steady = Steady(Random("the same"))
        action = steady(Seat(twin, seat))
        answers.add((action, str(steady.why), str(steady.moves)))
    assert len(answers) == 1
    assert len(hidden) > 1, "nothing was hidden, so nothing was tested"


# Parts


@pytest.mark.parametrize(
    ("game", "seat", "turn"),
    [
        ("isonzo", "italian", 2),
        ("isonzo", "ah", 2),
        ("isonzo", "italian", 5),
        ("isonzo", "ah", 5),
        ("altipiani", "italian", 2),
        ("altipiani", "ah", 3),
    ],
)
def test_its_marches_are_those_of_the_rules(game: str, seat: str, turn: int) -> None:
    match = at_decision(game, "movement", seat, turn)
    rules, state = rules_of(match), match.state
    side = rules.seat_index(seat)
    marches = Marches(chart(rules), state, side)
    tried = 0
    for unit in rules.of_side[side]:
        if marches.can_move(unit):
            found = marches.reach(unit)
            expected = reach(rules, state, unit)
            here = state.at[unit]
            assert {h: found.left[h] for h in found.order if h != here} == {h: w[0] for h, w in expected.items()}
            assert all(found.hexes >> h & 1 for h in expected)
            for h in expected:
                path = found.path(h)
                assert path[-1] == h
                assert all(b in rules.board.edge_to[a] for a, b in pairwise([here, *path]))
            tried += 1
    assert tried > 10


@pytest.mark.parametrize(("game", "seat", "seed"), [("isonzo", "italian", 5), ("altipiani", "ah", 6)])
def test_its_odds_are_those_of_the_engine(game: str, seat: str, seed: int) -> None:
    """Where nothing is hidden or refused, the outlook of an attack is the exact one."""
    match = at_decision(game, "combat", seat, 3, seed=seed)
    rules, state = rules_of(match), match.state
    side = rules.seat_index(seat)
    assault = Assault(Picture(chart(rules), state, side), weights_of(game)[side])
    compared = 0
    for target in targets(assault):
        plan = best_from_contact(assault, target, rules.supporters_of[side])
        held = assault.garrison(target)
        if plan is None or held.support or not held.units:
            continue
        odds = rules.case_odds(match.odds(policy.as_action(rules, plan), SEATS[1 - side]))
        loss = sum(n * ways for n, ways in enumerate(odds["attack_loss"])) / odds["of"]
        back = sum(odds["attack_retreat"][1:]) / odds["of"]
        assert rules.tables.column_name(plan.column) == odds["column"]
        assert plan.outlook.attack_loss == pytest.approx(loss, abs=0.35)
        assert plan.outlook.repulse == pytest.approx(back)
        compared += 1
    assert compared >= 2


@pytest.mark.parametrize(("game", "seat"), [("isonzo", "ah"), ("altipiani", "italian")])
def test_supply_of_the_enemy_is_worked_out_from_where_he_stands(game: str, seat: str) -> None:
    match = at_decision(game, "movement", seat, 4)
    rules = rules_of(match)
    side = rules.seat_index(seat)
    state = rules.imagine(match.state, side, Random(1))
    policy.infer_supply(rules, state, 1 - side)
    seen = [unit for unit in rules.of_side[1 - side] if state.at[unit] >= 0 and rules.zoccer[unit]]
    right = [
        unit
        for unit in seen
        if state.at[unit] != match.state.at[unit] or state.supply[unit] == match.state.supply[unit]
    ]
    assert len(right) >= 0.8 * len(seen)


def test_gorizia_is_never_left_empty_by_choice() -> None:
    match = at_decision("isonzo", "combat", "italian", 4)
    assert match.state.fight[ITALIAN] & match.rules.board.gorizia  # type: ignore[attr-defined]


def test_an_austro_hungarian_line_stays_in_its_trenches() -> None:
    match = at_decision("isonzo", "combat", "ah", 2)
    manned = match.state.zocs[AH] & rules_of(match).board.trench[AH]
    assert manned.bit_count() >= 8


def test_guns_of_altipiani_stand_behind_the_front() -> None:
    match = at_decision("altipiani", "combat", "ah", 4)
    rules, state = rules_of(match), match.state
    front = rules.board.around(state.fight[ITALIAN]) & state.zocs[AH]
    guns = [unit for unit in rules.guns_of[AH] if state.at[unit] >= 0]
    in_range = [unit for unit in guns if rules.board.grid.within(state.at[unit], rules.heavy_reach) & front]
    assert len(in_range) >= len(guns) // 2


@pytest.mark.parametrize("game", sorted(TERMS))
def test_it_plays_on_without_a_match(game: str) -> None:
    """What looks ahead plays whole phases in an imagined state: moves by the plan, then one decision at a time."""
    attacker = SEATS[chart(ruleset(game)).terms.attacker]  # type: ignore[arg-type]
    match = at_decision(game, "movement", attacker, 3)
    rules, side, rng = rules_of(match), match.seat, Random(2)
    state = rules.imagine(match.state, side, rng)
    before = state.copy()
    plan = policy.movement(rules, state, side)
    assert plan and [state.at, state.ce, state.flags] == [before.at, before.ce, before.flags]
    for answer in plan:
        if state.frames[-1].name == "movement" and policy.is_legal(rules, state, answer.action):
            flow.act(rules, state, answer.action, [])
            flow.roll_on(rules, state, [])
    while state.frames and state.frames[-1].name != "combat":
        kind, mover = state.frames[-1].name, state.frames[-1].seat
        action = End() if kind == "movement" else policy.decide(rules, state, mover, rng)
        flow.act(rules, state, action, [])
        flow.roll_on(rules, state, [])
    found = policy.attacks(rules, state, side)
    assert found and [plan.gain for plan in found] == sorted((plan.gain for plan in found), reverse=True)
    fought = 0
    while state.frames and state.frames[-1].name != "movement":
        fought += state.frames[-1].name == "combat"
        flow.act(rules, state, policy.decide(rules, state, state.frames[-1].seat, rng), [])
        flow.roll_on(rules, state, [])
    assert fought > 1
    assert rules.broken(state) == []
