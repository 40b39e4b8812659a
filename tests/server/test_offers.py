"""Offers have the shape of their panel, and those made from parts of earlier ones are the same as those made anew."""

from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

import fronte
from fronte.engine import panel, ways
from fronte.engine.decision import IllegalAction
from fronte.engine.text import LANGUAGES


def test_an_offer_of_ways_that_are_remembered_is_the_same_as_a_fresh_one(any_game: str) -> None:
    rng = Random(6)
    for seed in (6, 7):  # both with the same ruleset, which remembers ways
        match = fronte.new(any_game, seed=seed)
        for _ in range(150):
            if match.decision is None:
                break
            told = match.offer_json()
            if len(match.entries) % 3 == 0:
                fresh = json.loads(msgspec.json.encode(match.offer))
                assert ways.unpacked(json.loads(told)) == fresh, match.decision
            if rng.random() < 0.1 and match.undo():
                continue
            match.play(match.sample(rng))


def test_an_offer_has_the_shape_of_its_panel_and_only_legal_answers(any_game: str) -> None:
    match = fronte.new(any_game, seed=8)
    rng = Random(8)
    texts = [match.rules.texts(language) for language in LANGUAGES]
    seen = set()
    for count in range(1500):
        decision = match.decision
        if decision is None:
            break
        if decision.kind not in seen or count % 25 == 0:
            seen.add(decision.kind)
            offer = panel.checked(match.rules.panels, decision.panel, match.offer)
            for action in offer.actions[:40]:
                assert match.why_not(action) is None, action
                for told in (one.action(action) for one in texts):
                    assert told and action["do"] != told and "{" not in told, action
            for action in {action["do"]: action for action in offer.actions}.values():
                if action["do"] in decision.odds:
                    assert match.odds(action).heading
                else:
                    with pytest.raises(IllegalAction):
                        match.odds(action)
            if isinstance(offer, panel.Allocate):
                for action in offer.actions:
                    given = dict(action[offer.field])
                    assert sum(given.values()) == offer.total
                    assert all(offer.shares[name][0] <= n <= offer.shares[name][1] for name, n in given.items())
            if isinstance(offer, panel.Subset):
                assert offer.verb in {action["do"] for action in offer.actions}
                assert {name for one in offer.actions for name in one.get(offer.field, ())} == set(offer.pieces)
        match.play(match.sample(rng))
    assert len(seen) > 3


def test_a_good_first_attack_is_on_offer() -> None:
    match = fronte.new("isonzo", scenario="historical", seed=2)
    while match.decision is not None and match.decision.kind != "combat":
        match.play("end")
    targets = match.offer["targets"]
    assert len(targets) > 5
    strength = {piece.id: piece.values for piece in match.view("italian").own()}
    for target, one in targets.items():
        assert match.why_not({"do": "attack", "target": target, "units": one["first"]}) is None
        left = [unit for unit in one["units"] if unit not in one["first"]]
        assert all(match.why_not({"do": "attack", "target": target, "units": [*one["first"], unit]}) for unit in left)
        assert set(one["first"]) <= set(strength)


@pytest.mark.parametrize(
    ("name", "offer", "why"),
    [
        ("choose", {"actions": []}, "without an answer"),
        ("choose", {"actions": [{"do": "end"}], "extra": 1}, "unknown field"),
        ("move", {"actions": [{"do": "end"}]}, "units"),
        ("allocate", {"actions": [{"do": "x"}], "verb": "x", "field": "f", "total": "2", "shares": {}}, "int"),
        ("dance", {"actions": [{"do": "end"}]}, "no panel"),
    ],
)
def test_an_offer_of_another_shape_is_refused(name: str, offer: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        panel.checked(panel.PANELS, name, offer)
