"""The stubborn defender: legal and the same for a seed; it holds on, escorts guns and spares itself poor attacks."""

from __future__ import annotations

from random import Random

import pytest
from test_raider import only
from test_steady import at_decision, rules_of

import fronte
from fronte.ai import Seat, player, players_of
from fronte.ai.inferno.steady import Steady, policy
from fronte.ai.inferno.steady.attack import NEVER, Assault
from fronte.ai.inferno.steady.dice import Outlook
from fronte.ai.inferno.steady.weights import FIRST, weights_of
from fronte.ai.inferno.stubborn import FAIR, Bulwark, Stubborn, Wary
from fronte.ai.reasons import tell
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES, texts_of
from fronte.games.inferno.counters import AH
from fronte.games.inferno.state import DONE
from fronte.hexes import bits


def played(game: str, decisions: int) -> tuple[Match, list[str]]:
    """The first decisions of the stubborn on both sides, and what they say."""
    match = fronte.new(game, seed=5)
    players = [player("stubborn", seat, game=game) for seat in match.rules.seats]
    texts = [texts_of(match.rules.pack, language) for language in LANGUAGES]  # type: ignore[attr-defined]
    told = []
    while match.seat >= 0 and len(match.entries) < decisions:
        hand = players[match.seat]
        match.play(hand(Seat(match, match.rules.seats[match.seat])))
        told += [tell(hand.why, text, game) for text in texts]  # type: ignore[attr-defined]
    return match, told


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_it_plays_by_the_rules_and_the_same_for_a_seed(game: str) -> None:
    assert "stubborn" in players_of(game)
    match, told = played(game, 120)
    assert match.rules.broken(match.state) == []
    assert all(sentence.endswith(".") for sentence in told)
    _, same = played(game, 40)
    assert len(same) == 80 and told[:80] == same


@pytest.fixture(scope="module")
def base() -> Match:
    return at_decision("isonzo", "movement", "ah", 2)


def test_guns_that_cannot_get_away_get_an_escort(base: Match) -> None:
    match = only(base, {"ah-3geb": "3011", "ah-art-15-1": "2711", "it-alessandria": "2714"})
    rules, seat = rules_of(match), Seat(match, "ah")
    stubborn, steady = Stubborn(Random(1)), Steady(Random(1))
    stubborn(seat)
    assert stubborn.why.key != "escort", "they can go themselves"
    gun = rules.number["ah-art-15-1"]
    match.state.flags[gun] |= DONE
    stubborn = Stubborn(Random(1))
    action = stubborn(seat)
    assert stubborn.why.key == "escort" and stubborn.why.secret
    assert (action.unit, action.path[-1]) == ("ah-3geb", "2711")  # type: ignore[attr-defined]
    steady(seat)
    assert steady.why.key != "escort"


@pytest.mark.parametrize(("where", "stays"), [("2612", True), ("2711", False)])
def test_somebody_stays_in_an_objective_while_the_enemy_is_near(base: Match, where: str, stays: bool) -> None:
    match = only(base, {"ah-3geb": where, "ah-15geb": where, "it-alessandria": "2611"})
    rules = rules_of(match)
    picture = policy.prepare(rules, match.state.copy(), AH).for_planning()  # type: ignore[arg-type]
    campaign = Bulwark(picture, weights_of("isonzo", file=FIRST)[AH])
    campaign.plan()
    assert len(campaign.pinned) == stays
    assert campaign.pinned <= {rules.number[name] for name in ("ah-3geb", "ah-15geb")}


def test_a_trench_is_attacked_at_good_odds_only(base: Match) -> None:
    rules = rules_of(base)
    picture = policy.prepare(rules, base.state.copy(), 0)  # type: ignore[arg-type]
    weights = weights_of("isonzo", file=FIRST)[0]
    wary, steady = Wary(picture, weights), Assault(picture, weights)
    trench = next(bits(rules.board.trench[AH]))
    plain = next(bits(~rules.board.trench[AH] & rules.board.grid.everything))
    poor, good = Outlook(FAIR - 0.01, 1.0, 1.0, 0.3), Outlook(FAIR + 0.01, 1.0, 1.0, 0.3)
    assert wary.gain(trench, poor) == NEVER != steady.gain(trench, poor)
    assert wary.gain(trench, good) == steady.gain(trench, good)
    assert wary.gain(plain, poor) == steady.gain(plain, poor)
