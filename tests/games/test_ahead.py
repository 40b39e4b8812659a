"""Looking ahead: what is foreseen holds when it comes to it, has words in both languages, and tells no secret."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from test_whynot import games, positions

import fronte
from fronte.engine import standing
from fronte.engine.decision import Frame, Refusal
from fronte.engine.outlook import SOURCE, STRIKE, THREAT, VACANT
from fronte.engine.text import LANGUAGES
from fronte.engine.whynot import WhyNot
from fronte.games.inferno.state import AS_BRIDGE, place
from fronte.games.isonzo.game import Isonzo


@games
def test_what_is_foreseen_has_words_and_tells_no_secret(game: str) -> None:
    compared = 0
    for match, _ in positions(game, 40):
        rules = match.rules
        for number, seat in enumerate(rules.seats):
            found = match.outlook(seat)
            for language in LANGUAGES:
                told = [rules.texts(language).said("outlook", line) for line in found.lines]
                assert all(told) and not any("{" in one for one in told)
            assert not {"supply_all", "supply_low"} <= {line.key for line in found.lines}
            assert all(not line.rule or rules.cite(line.rule) in rules.rulebook.rules for line in found.lines)
            twin = fronte.Match(rules, rules.shuffle_hidden(match.state, number, Random(number)), [])
            assert msgspec.json.encode(found) == msgspec.json.encode(twin.outlook(seat))
            compared += 1
    assert compared > 3


@games
def test_cautions_have_words_and_tell_no_secret(game: str) -> None:
    asked = warned = 0
    match = fronte.new(game, seed=3)
    rng = Random(1)
    for _ in range(260):
        if match.decision is None:
            break
        action, rules = match.sample(rng), match.rules
        if action.__struct_config__.tag == "move" and asked < 60:
            seat = match.decision.seat
            found = match.cautions(seat, action)
            for line in found:
                assert all(rules.texts(language).said("caution", line) for language in LANGUAGES)
                assert rules.cite(line.rule) in rules.rulebook.rules
            if asked % 4 == 0:
                twin = fronte.Match(rules, rules.shuffle_hidden(match.state, match.seat, Random(asked)), [])
                assert found == twin.cautions(seat, action)
            asked += 1
            warned += bool(found)
        match.play(action)
    assert asked > 15
    assert warned > 0


def test_an_enemy_comes_only_where_that_was_foreseen() -> None:
    """4: seen enemies with their usual points; who was hidden or comes in may surprise, and so may a minimum move."""
    match = fronte.new("isonzo", seed=11)
    rng, compared = Random(11), 0
    gun: Any = match.rules.gun  # type: ignore[attr-defined]
    for _ in range(500):
        if match.decision is None:
            break
        if match.decision.kind == "movement" and compared < 40:
            mover = match.decision.seat
            other = next(seat for seat in match.rules.seats if seat != mover)
            if match.decision.about["moving"] is None:
                layers = {layer.kind: layer for layer in match.outlook(other).layers if layer.kind == THREAT}
                seen = {piece.id for piece in match.view(other).pieces if piece.id}
                held = set(match.view(other).control[other])
                threat = set(layers[THREAT].hexes) if THREAT in layers else set()
                for unit, found in match.offer["units"].items():
                    if unit in seen and not gun[match.rules.number[unit]]:  # type: ignore[attr-defined]
                        far = {h for h, way in found["reach"].items() if way["left"] and h in held}
                        assert far <= threat, (unit, far - threat)
                        compared += 1
        match.play(match.sample(rng))
    assert compared > 5


def case(units: dict[str, str], **start: Any) -> fronte.Match:
    """A few units on the real board of Isonzo, all others gone."""
    rules: Any = fronte.ruleset("isonzo", "historical")
    placed: dict[str, Any] = {name: {"at": "eliminated"} for name in rules.ids}
    placed |= {name: {"pontoon": where} if "/" in where else {"at": where} for name, where in units.items()}
    state = rules.case_state(placed, {"turn": 3, "active": "italian", "phase": "movement"} | start)
    return fronte.position("isonzo", rules.to_position(state), seed=1)


def answer(match: fronte.Match, seat: str, unit: str, goal: str) -> WhyNot:
    found = match.why_not_there(seat, unit, goal)
    assert not isinstance(found, Refusal)
    return found


def test_the_pontoon_that_would_help_helps() -> None:
    """14.2.b, 12.2: over the Isonzo without a bridge, and with the pontoon that the answer names."""
    match = fronte.new("isonzo", seed=2)
    while match.decision is not None and match.decision.kind != "movement":
        match.play({"do": "end"})
    before = answer(match, "italian", "it-spezia", "1108")
    assert before.way.obstacles[0].refusal.key == "no_crossing"
    assert before.way.obstacles[0].at == ("1209", "1108")
    assert [line.data["side"] for line in before.way.helps if line.key == "no_crossing"] == ["1108/1209"]
    rules, state = match.rules, match.state.copy()
    assert isinstance(rules, Isonzo)
    place(rules, state, rules.number["it-pont-2"], AS_BRIDGE)
    state.pontoons[rules.number["it-pont-2"]] = rules.board.hexside("1108/1209")
    assert answer(fronte.Match(rules, state, []), "italian", "it-spezia", "1108").can_go


def test_an_enemy_on_the_way_is_named_and_whence_he_could_be_attacked() -> None:
    match = case({"it-taro": "1310", "ah-15geb": "1311"})
    found = answer(match, "italian", "it-taro", "1311")
    assert found.way.obstacles[0].refusal.key == "enemy_combat_unit"
    assert found.attack is not None
    assert [one.refusal.key for one in found.attack.obstacles] == ["only_in_combat"]
    far = answer(case({"it-taro": "1308", "ah-15geb": "1311"}), "italian", "it-taro", "1311")
    assert far.attack is not None
    whence = next(line for line in far.attack.helps if line.key == "attack_from")
    assert {"1310", "1210"} & set(whence.data["hexes"])


def test_an_objective_that_is_left_is_told_only_if_an_enemy_is_near() -> None:
    near = {"it-spezia": "2412", "ah-15geb": "2311"}
    held = {"italian": ["2412"]}
    move = {"do": "move", "unit": "it-spezia", "path": ["2413"]}
    assert "objective_empty" in [line.key for line in case(near, held=held).cautions("italian", move)]
    away = case({"it-spezia": "2412", "ah-art-24-1": "2311"}, held=held)  # guns do not walk in
    assert "objective_empty" not in [line.key for line in away.cautions("italian", move)]


def test_a_gun_that_would_be_alone_is_told() -> None:
    match = case({"it-spezia": "2412", "it-art-2-1": "2412", "ah-15geb": "2311"})
    found = match.cautions("italian", {"do": "move", "unit": "it-spezia", "path": ["2413"]})
    assert [line.data["unit"] for line in found if line.key == "gun_alone"] == ["it-art-2-1"]


def test_empty_objectives_sources_and_strikes_are_layers() -> None:
    match = case({"it-spezia": "2413", "ah-15geb": "2411"}, held={"italian": ["2412"]})
    layers = {(layer.kind, layer.force): layer for layer in match.outlook("italian").layers}
    assert layers[VACANT, ""].hexes == ("2412",)
    assert layers[STRIKE, ""].values == {"2413": 1}
    assert {force for kind, force in layers if kind == SOURCE} == {"italian", "ah"}
    assert "vacant_near" in [line.key for line in match.outlook("italian").lines]


def test_an_order_for_one_bridge_leaves_the_others_alone() -> None:
    """14.4.b: blow at one hex, hold at another; elsewhere the seat is asked."""
    rules = fronte.ruleset("isonzo", "historical")
    state = fronte.new("isonzo", seed=1).state

    def answers(text: str, at: str) -> str:
        found = standing.answered(rules, state, Frame("demolition", 1, (rules.grid.index[at],)), text)
        return "" if found is None else str(found.__struct_config__.tag)

    assert answers("blow", "1912") == "blow"
    assert answers("blow at=1912; hold at=2813", "1912") == "blow"
    assert answers("blow at=1912; hold at=2813", "2813") == "hold"
    assert answers("blow at=1912; hold at=2813", "1107") == ""
    with pytest.raises(ValueError, match="a hex of the board"):
        standing.read(rules, "demolition", "blow at=9999")


def test_where_enemies_of_volturno_could_come_is_seen_some_way_off() -> None:
    """3.1.2: next to one's units nobody comes without a marker, so that less would show next to nothing."""
    match = fronte.new("volturno", "short", seed=3)
    while match.decision is not None and match.decision.kind == "set_up":
        match.play({"do": "historical"})
        match.play({"do": "ready"})
    for seat in match.rules.seats:
        threat = [hex for layer in match.outlook(seat).layers if layer.kind == THREAT for hex in layer.hexes]
        assert len(threat) > 30, (seat, len(threat))
