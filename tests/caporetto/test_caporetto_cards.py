"""What Caporetto tells of a piece and a hex, what it lays over the map, and the board in characters."""

from __future__ import annotations

import pytest
from caporetto_packs import SCENARIOS, game
from test_caporetto_fog import stand
from test_caporetto_position import busy, waiting

from fronte.engine.card import Card, Line
from fronte.engine.decision import Refusal
from fronte.engine.overlay import Asked, Overlay
from fronte.games.caporetto import command, movement, observation, overlays
from fronte.games.caporetto.state import begin, put, zone_of
from fronte.hexes import bits, mask_of


def lines(card: Card) -> dict[str, Line]:
    return {line.key: line for group in card.groups for line in group}


def laid(found: Overlay | Refusal) -> Overlay:
    assert isinstance(found, Overlay)
    return found


# Cards


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_piece_has_a_card_in_both_languages(scenario: str) -> None:
    rules, state = waiting(scenario)
    for piece in [piece for piece in rules.view(state, 0).pieces if piece.id][::7]:
        card = rules.piece_card(state, 0, piece.id)
        assert lines(card)["unit"].data == {"unit": piece.id}
        for language in ("en", "it"):
            for group in card.groups:
                for line in group:
                    assert line.key in rules.texts(language).tables["card"], line


def test_a_worn_unit_says_so() -> None:
    rules, state = busy()
    unit = next(u for u, dp in enumerate(state.dp) if dp)
    seat = rules.scene.seat_of[rules.force[unit]]
    told = lines(rules.piece_card(state, seat, rules.ids[unit]))
    assert told["dp"].data == {"dp": 2}
    assert told["steps"].data == {"steps": 4, "of": 4}
    piece = rules.view(state, seat).piece(rules.ids[unit])
    assert piece is not None and rules.is_hurt(piece)


def test_a_gun_says_in_which_mode_it_is() -> None:
    rules, state = waiting("what_if")
    gun = next(u for u in bits(rules.guns & ~rules.groups & rules.sighted.of_seat[0]) if state.at[u] >= 0)
    assert lines(rules.piece_card(state, 0, rules.ids[gun]))["mode"].data == {"mode": "fire"}
    state.emplaced &= ~(1 << gun)
    assert lines(rules.piece_card(state, 0, rules.ids[gun]))["mode"].data == {"mode": "move"}


def test_reinforcements_say_when_and_where_they_come() -> None:
    rules, state = waiting("what_if")
    unit = next(u for u, turn in enumerate(rules.arrives) if turn)
    told = lines(rules.piece_card(state, 0, rules.ids[unit]))["arrives"].data
    assert told == {"turn": rules.arrives[unit], "hex": rules.grid.ids[rules.entry[unit]]}


@pytest.mark.parametrize(("fog", "rule"), [("off", "22.0"), ("on", "22.3")])
def test_a_covered_unit_has_a_card_that_tells_nothing(fog: str, rule: str) -> None:
    rules = game("what_if", fog_of_war=fog)
    state = begin(rules, b"s")
    _, _, strong, _ = stand(rules, state)
    told = lines(rules.piece_card(state, 0, rules.ids[strong]))
    assert list(told) == ["unit", "unseen"]
    assert told["unseen"].rule == rule
    assert "cf" in lines(rules.piece_card(state, 1, rules.ids[strong]))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_hex_has_a_card_in_both_languages(scenario: str) -> None:
    rules, state = waiting(scenario)
    known = {language: rules.texts(language).tables["card"] for language in ("en", "it")}
    for name in rules.grid.ids[::5]:
        for group in rules.hex_card(state, 0, name).groups:
            for line in group:
                assert line.key in known["en"] and line.key in known["it"], line
                assert not line.rule or line.rule in rules.rulebook.rules, line


def test_a_hex_tells_what_has_become_of_it() -> None:
    """17.8, 19: the level of a trench now, a bridge that is down."""
    rules, state = waiting("what_if")
    deep = next(h for h, level in enumerate(rules.ground.trench_level) if level == 2)
    name = rules.grid.ids[deep]
    assert lines(rules.hex_card(state, 0, name))["trench"].data["trench"] == 2
    state.lowered |= 1 << deep
    assert lines(rules.hex_card(state, 0, name))["trench"].data["trench"] == 1
    number = next(n for n in bits(state.standing) if not rules.ground.bridges[n].foot)
    at = rules.grid.ids[rules.ground.bridges[number].a]
    keys = [line.key for group in rules.hex_card(state, 0, at).groups for line in group]
    assert "bridge" in keys
    state.standing &= ~(1 << number)
    assert "bridge_down" in [line.key for group in rules.hex_card(state, 0, at).groups for line in group]


# Overlays


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_overlay_is_made_or_refused_with_a_rule(scenario: str) -> None:
    rules, state = waiting(scenario)
    unit = next(u for u in bits(rules.formations[0].mask) if state.at[u] >= 0)
    about = Asked(rules.ids[unit], rules.grid.ids[state.at[unit]])
    seat = rules.scene.seat_of[rules.force[unit]]
    assert rules.capabilities.overlays == overlays.OVERLAYS
    for name in overlays.OVERLAYS:
        found = rules.overlay(state, seat, name, about)
        if isinstance(found, Refusal):
            assert found.rule in rules.rulebook.rules, found
            assert all(found.key in rules.texts(language).tables["refusal"] for language in ("en", "it")), found
        else:
            assert found.name == name and found.layers
        for language in ("en", "it"):
            assert name in rules.texts(language).tables["overlay"]


def test_overlays_of_a_piece_are_for_its_owner() -> None:
    rules, state = waiting("what_if")
    unit = next(u for u in bits(rules.formations[0].mask) if state.at[u] >= 0)
    for name in overlays.OF_PIECES:
        for seat in (-1, 1 - rules.scene.seat_of[rules.force[unit]]):
            found = rules.overlay(state, seat, name, Asked(rules.ids[unit]))
            assert isinstance(found, Refusal) and found.key == "not_yours"
            assert rules.told(found).why
    gone = rules.overlay(state, 0, "moon", Asked())
    assert isinstance(gone, Refusal) and gone.key == "no_overlay"


def test_they_show_what_the_rules_reckon_with() -> None:
    rules, state = waiting("what_if")
    state.turn = 5
    names = rules.hex_ids
    zones = laid(rules.overlay(state, 0, "zones", Asked()))
    assert [layer.hexes for layer in zones.layers] == [names(bits(zone_of(rules, state, side))) for side in (0, 1)]
    seen = laid(rules.overlay(state, 0, "observation", Asked()))
    inside = rules.ground.extent
    assert seen.layers[1].hexes == names(bits(observation.in_defence(rules, state, 1) & inside))
    formation = 0
    unit = next(u for u in bits(rules.formations[formation].mask) if state.at[u] >= 0)
    about = Asked(rules.ids[unit], rules.grid.ids[state.at[unit]])
    seat = rules.scene.seat_of[rules.force[unit]]
    places = laid(rules.overlay(state, seat, "command", about))
    assert places.layers[0].hexes == names(bits(command.hq_hexes(rules, state, formation)))
    state.formations, state.kind, state.reach, state.commanded = (formation,), "action", 1 << 7, 1 << unit
    acts = laid(rules.overlay(state, seat, "command", about))
    assert acts.layers[0].hexes == (rules.grid.ids[7],) and acts.data["inside"] == "in"
    went = laid(rules.overlay(state, seat, "reach", about))
    points = movement.allowance(rules, state, (unit,), movement.Manner())
    reached = movement.spread(rules, state, (unit,), points, movement.Manner()).left
    assert set(went.layers[0].hexes) == set(names(reached))
    line = laid(rules.overlay(state, seat, "supply", about))
    assert line.data == {"supplied": "yes"}
    path = line.layers[1].path
    assert path[0] == about.hex and rules.ground.sources[rules.side[unit]] >> rules.grid.index[path[-1]] & 1


def test_weather_and_sectors_cover_the_map_once() -> None:
    rules, state = waiting("historical")
    for name in ("weather", "sectors"):
        found = laid(rules.overlay(state, 0, name, Asked()))
        hexes = [h for layer in found.layers for h in layer.hexes]
        assert len(hexes) == len(set(hexes))
        assert mask_of(rules.grid.index[h] for h in hexes) == rules.ground.extent
    other, begun = waiting("what_if")
    none = other.overlay(begun, 0, "sectors", Asked())
    assert isinstance(none, Refusal) and none.rule == "24.3"


def test_with_fog_only_ones_own_observation_is_shown() -> None:
    rules = game("what_if", fog_of_war="on")
    state = begin(rules, b"s")
    state.turn = 5
    ahg = laid(rules.overlay(state, 0, "observation", Asked()))
    assert ahg.layers[0].hexes and not ahg.layers[1].hexes
    assert not any(layer.hexes for layer in laid(rules.overlay(state, -1, "observation", Asked())).layers)


def test_a_gun_shows_its_range() -> None:
    rules, state = waiting("what_if")
    gun = next(u for u in bits(rules.guns) if state.at[u] >= 0)
    seat = rules.scene.seat_of[rules.force[gun]]
    found = laid(rules.overlay(state, seat, "range", Asked(rules.ids[gun])))
    far = [rules.grid.distance(state.at[gun], rules.grid.index[h]) for layer in found.layers for h in layer.hexes]
    assert 0 < max(far) <= rules.range[gun]
    unit = next(u for u in bits(rules.combat & rules.of_force[rules.force[gun]]) if state.at[u] >= 0)
    none = rules.overlay(state, seat, "range", Asked(rules.ids[unit]))
    assert isinstance(none, Refusal) and none.rule == "2.2.2"


# The rest


def test_the_board_in_characters() -> None:
    rules, state = waiting("what_if")
    board = rules.sketch(rules.view(state, 0))
    assert len(board.hexes) == rules.grid.size
    number = next(bits(state.standing))
    bridge = rules.ground.bridges[number]
    ends = rules.grid.ids[bridge.a], rules.grid.ids[bridge.b]
    assert (board.side(*ends).line, board.side(*ends).crossing) == ("river", "=")
    state.standing &= ~(1 << number)
    assert rules.sketch(rules.view(state, 0)).side(*ends).crossing == "x"


def test_faces_and_formations() -> None:
    rules, state = waiting("what_if")
    company = rules.companies_of[next(bits(rules.can_detach))][0]
    put(rules, state, company, state.at[rules.parent[company]])
    view = rules.view(state, 0)
    piece = view.piece(rules.ids[company])
    assert piece is not None
    assert rules.face_text(piece) == f"{piece.values['cf']}-{piece.values['mg']}-{piece.values['ma']}"
    assert rules.formation(rules.ids[company]) == rules.formation(rules.ids[rules.parent[company]])
    gun = next(rules.ids[u] for u in bits(rules.guns))
    assert rules.formation(gun) == ""


def test_what_a_result_is_worth_to_each() -> None:
    rules, state = waiting("what_if")
    state.outcome = "last_turn"
    found = rules.result(state)
    assert found is not None and found.score == rules.score(state) == rules.account(state)["ahg"]["total"]
    assert rules.merit(found, 0) == -rules.merit(found, 1) == found.score
