"""The raider: legal, fair and the same for a seed as steady is, and it goes for what steady leaves alone."""

from __future__ import annotations

import os
from math import log
from random import Random
from typing import Any

import msgspec
import pytest
from test_steady import at_decision, rules_of

import fronte
from fronte.ai import Seat, check_player, player, players_of
from fronte.ai.inferno.raider import Raider
from fronte.ai.inferno.raids import ALONE, CUT, HUNGER, OPENED, SPAN, SPOIL, Plunder, Raid, worths
from fronte.ai.inferno.steady import policy
from fronte.ai.inferno.steady.attack import Assault
from fronte.ai.inferno.steady.ground import supplied
from fronte.ai.inferno.steady.weights import FIRST, weights_of
from fronte.ai.reasons import Reason, tell
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES, texts_of
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.movement import Move
from fronte.games.inferno.state import AS_BRIDGE, WAITING, State, place

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
GAMES = ("isonzo", "altipiani")
RAIDS = {"raid_end", "raid_goal", "raid_guns", "raid_span", "raid_supply"}


def hungry(match: Match, side: int) -> int:
    """Units of a side by how short of supply they are."""
    rules, state = rules_of(match), match.state
    found = supplied(rules, state, side)
    units = [u for u in rules.of_side[side] if rules.zoccer[u] and state.at[u] >= 0]
    return sum(0 if found.well >> state.at[u] & 1 else 1 if found.low >> state.at[u] & 1 else 2 for u in units)


class Told:
    """A game of the raider, on the side that defends, against the stubborn: its reasons, and what each raid did."""

    def __init__(self, game: str, turns: int) -> None:
        self.match = match = fronte.new(game, seed=9)
        raids = match.rules.seat_index("ah" if game == "isonzo" else "italian")
        names = ["raider" if seat == raids else "stubborn" for seat in (0, 1)]
        players = [player(name, f"{name}", game=game) for name in names]
        self.whys: list[Reason] = []
        self.starved: list[int] = []
        """By how much each cut made the enemy hungrier."""
        while match.seat >= 0 and match.state.turn <= turns:
            seat = match.seat
            before = match.state if seat != raids else hungry(match, 1 - raids)
            action = players[seat](Seat(match, match.rules.seats[seat]))
            match.play(action)
            if seat == raids:
                why = players[seat].why  # type: ignore[attr-defined]
                self.whys.append(why)
                if why.key == "raid_supply" and match.seat >= 0:
                    self.starved.append(hungry(match, 1 - raids) - before)  # type: ignore[operator]


@pytest.fixture(scope="module", params=GAMES)
def told(request: pytest.FixtureRequest) -> Told:
    return Told(request.param, 20 if NIGHTLY else 4)


def test_every_game_has_one_and_the_probe_game_has_not() -> None:
    for game, family in fronte.games.registry.FAMILIES.items():
        assert ("raider" in players_of(game)) == (not family.startswith("probe")), game
    with pytest.raises(ValueError, match="planner-1 does not play volturno"):
        check_player("planner-1", "volturno")


def test_it_plays_by_the_rules_and_says_why(told: Told) -> None:
    match = told.match
    assert match.rules.broken(match.state) == []
    assert match.result is not None or not NIGHTLY
    keys = {why.key for why in told.whys}
    assert len(keys & RAIDS) >= 2, keys
    for language in LANGUAGES:
        texts = texts_of(match.rules.pack, language)  # type: ignore[attr-defined]
        for why in told.whys:
            sentence = tell(why, texts, match.rules.header.game)
            assert sentence[-1] == "." and not set("{}[]") & set(sentence), sentence


def test_a_cut_starves_the_enemy(told: Told) -> None:
    if told.match.rules.header.game == "altipiani":
        assert told.starved and sum(more >= 2 for more in told.starved) >= len(told.starved) / 2, told.starved


def test_the_same_seed_plays_the_same_game(told: Told) -> None:
    first = 2 if told.match.rules.header.game == "isonzo" else 1
    again = Told(told.match.rules.header.game, first)
    assert again.whys and told.whys[: len(again.whys)] == again.whys


# What it goes for


@pytest.fixture(scope="module")
def base() -> Match:
    """Isonzo, before a Movement Phase of the Austro-Hungarians."""
    return at_decision("isonzo", "movement", "ah", 2)


def only(base: Match, where: dict[str, str], spans: dict[str, str] | None = None) -> Match:
    """The same moment with these units alone, in these hexes; no objective has fallen, and these pontoons lie."""
    rules = rules_of(base)
    state: Any = base.state.copy()
    for unit in range(len(rules.ids)):
        if state.at[unit] >= 0 or state.at[unit] == AS_BRIDGE:
            place(rules, state, unit, WAITING)
    state.pontoons = {rules.number[name]: rules.board.hexside(side) for name, side in (spans or {}).items()}
    for unit in state.pontoons:
        place(rules, state, unit, AS_BRIDGE)
    for name, h in where.items():
        place(rules, state, rules.number[name], rules.grid_index[h])
    for h in rules.objectives:  # type: ignore[attr-defined]
        state.held &= ~(1 << h)
    return Match.resume(base.rules, state)


def moved(match: Match) -> list[str]:
    """Let the raider move for the Austro-Hungarians and steady answer; why each move was made."""
    raider, steady = Raider(Random("r")), player("steady", "s", game="isonzo")
    whys = []
    while match.seat >= 0 and not (match.seat == AH and match.state.phase == "combat"):
        if match.seat == ITALIAN:
            match.play(steady(Seat(match, "italian")))
            continue
        action = raider(Seat(match, "ah"))
        match.play(action)
        if isinstance(action, Move):
            whys.append(raider.why.key)
    return whys


def test_it_enters_what_ends_the_game(base: Match) -> None:
    match = only(base, {"ah-3geb": "2812", "it-alessandria": "2816"})
    assert moved(match) == ["raid_end"]
    assert match.result is not None and match.result.winner == "ah" and match.result.rules == ("15.e",)


def test_one_unit_overruns_all_guns_that_stand_alone_in_its_way(base: Match) -> None:
    guns = {"it-art-4-1": "2813", "it-art-27-1": "2912", "it-art-24-1": "2711"}
    match = only(base, {"ah-3geb": "2811", "it-alessandria": "3014", **guns})
    assert moved(match).count("raid_guns") == 3
    assert all(match.state.at[rules_of(match).number[gun]] < 0 for gun in guns)


def test_guns_with_an_escort_are_left_alone(base: Match) -> None:
    match = only(base, {"ah-3geb": "2811", "it-alessandria": "2813", "it-art-4-1": "2813"})
    assert "raid_guns" not in moved(match)


def test_one_regiment_breaks_three_pontoons_from_their_ends(base: Match) -> None:
    spans = {"it-pont-2": "1711/1812", "it-pont-4": "1610/1710", "it-pont-5": "1611/1710"}
    where = {"ah-3geb": "1709", "it-alessandria": "1911", "it-spezia": "3014"}
    match = only(base, where, spans)
    assert match.state.pontoons  # type: ignore[attr-defined]
    assert moved(match).count("raid_span") >= 2
    assert not match.state.pontoons  # type: ignore[attr-defined]


def test_it_walks_into_an_objective_that_nobody_holds(base: Match) -> None:
    match = only(base, {"ah-3geb": "2812", "it-alessandria": "3014"})
    rules, state = rules_of(match), match.state
    goal = rules.grid_index["2612"]
    state.held |= 1 << goal
    assert "raid_goal" in moved(match)
    assert not match.state.held >> goal & 1


def test_an_attack_is_worth_more_where_guns_and_pontoons_fall_with_the_hex(base: Match) -> None:
    where = {"ah-3geb": "2811", "it-alessandria": "2813", "it-art-4-1": "2813", "it-spezia": "1710"}
    match = only(base, where, {"it-pont-4": "1610/1710"})
    rules: Any = rules_of(match)
    picture = policy.prepare(rules, match.state.copy(), AH)
    steady, raider = (kind(picture, weights_of("isonzo", file=FIRST)[AH]) for kind in (Assault, Plunder))
    more = [raider.prize(rules.grid_index[h]) - steady.prize(rules.grid_index[h]) for h in ("2813", "1710", "2811")]
    assert more == [pytest.approx(5.0), pytest.approx(5.0), 0.0]
    assert Raid.judging is Plunder


def test_what_a_raid_is_worth_is_a_weight(base: Match) -> None:
    """The logarithm of a factor; without any it is worth what the raider makes of it."""
    weights = weights_of("isonzo", file=FIRST)[AH]
    assert worths(weights) == (SPOIL, SPAN, CUT, OPENED, ALONE, HUNGER)
    twice = msgspec.structs.replace(weights, raid_spoil=log(2), raid_hunger=-log(4))
    assert worths(twice) == pytest.approx((2 * SPOIL, SPAN, CUT, OPENED, ALONE, HUNGER / 4))
    match = only(base, {"ah-3geb": "2811", "it-alessandria": "3014", "it-art-4-1": "2813"})
    rules: Any = rules_of(match)
    lures = [
        Raid(policy.prepare(rules, match.state.copy(), AH), one)._lures()[rules.grid_index["2813"]].value
        for one in (weights, twice)
    ]
    assert lures[1] == pytest.approx(2 * lures[0])


def test_who_minds_the_answer_leaves_a_raid_that_would_be_his_end(base: Match) -> None:
    """A lone regiment beside two brigades: guns are worth it to who does not ask what comes after."""
    match = only(base, {"ah-3geb": "1709", "it-alessandria": "1512", "it-spezia": "1513", "it-art-4-1": "1611"})
    rules: Any = rules_of(match)
    went = []
    for peril in (0.0, 5.0):
        weights = msgspec.structs.replace(weights_of("isonzo", file=FIRST)[AH], peril=peril)
        raid = Raid(policy.prepare(rules, match.state.copy(), AH).for_planning(), weights)
        raid.ready = raid.at_the_front()
        raid.forestall()
        went.append([answer.why.key for answer in raid.actions])
    assert went[0] == ["raid_guns"] and went[1] == []


# Fairness


@pytest.mark.parametrize(("game", "seat", "turn"), [("isonzo", "ah", 2), ("altipiani", "italian", 2)])
def test_what_the_seat_cannot_know_changes_nothing(game: str, seat: str, turn: int) -> None:
    match = at_decision(game, "movement", seat, turn)
    view = match.view(seat)
    answers, hidden = set(), set()
    for draw in range(2):
        state: State = match.rules.resample(view, Random(draw))
        hidden.add(tuple(state.at))
        twin = Match.resume(match.rules, state)
        raider = Raider(Random("the same"))
        answers.add((raider(Seat(twin, seat)), str(raider.why), str(raider.moves)))
    assert len(answers) == 1 and len(hidden) > 1
