"""What a learner observes: all of its seat's view and nothing else, kept up to date."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from learners import as_bytes, decisions, enough, environment, random_options

import fronte
from fronte.engine.overlay import Asked, Overlay
from fronte.engine.view import Piece
from fronte.games.inferno.state import FLAGS, SUPPLY
from fronte.rl import Environment
from fronte.rl.inferno.sight import PLACES, STANDING, UNITS

COLUMN = {name: k for k, name in enumerate(UNITS)}


@pytest.mark.costly
@pytest.mark.needs("learners")
def test_what_a_seat_may_not_know_changes_neither_observation_nor_mask(game: str, scenario: str) -> None:
    compared = 0
    for seed in range(4):
        options = random_options(game, scenario, Random(seed), telling=False)
        learner, twin = Environment(game, scenario, options), Environment(game, scenario, options)
        rng = Random(seed)
        for number, _ in enumerate(decisions(learner, seed)):
            if number % 7 or learner.match.state.battle is not None:
                continue
            other = learner.rules.shuffle_hidden(learner.match.state, learner.match.seat, rng)
            twin.reset(options={"match": fronte.Match(learner.rules, other, [])})
            agent = learner.agent_selection
            assert twin.agent_selection == agent
            assert as_bytes(twin.observe(agent)) == as_bytes(learner.observe(agent))
            compared += other.at != learner.match.state.at or other.ce != learner.match.state.ce
            if _goes_on(learner, twin, rng):
                assert as_bytes(twin.observe(agent)) == as_bytes(learner.observe(agent))
    assert compared > enough(game, scenario, 40)


def _goes_on(learner: Environment, twin: Environment, rng: Random) -> bool:
    """Take the same small choice in both; is the same action still being put together?"""
    before = len(learner.match.entries), len(twin.match.entries)
    choice = rng.choice(learner.choices)
    learner.step(choice)
    twin.step(choice)
    return (len(learner.match.entries), len(twin.match.entries)) == before


@pytest.mark.costly(each=True)
@pytest.mark.needs("learners")
def test_observations_kept_up_to_date_are_those_made_afresh(game: str, scenario: str) -> None:
    options = random_options(game, scenario, Random(9))
    learner, afresh = Environment(game, scenario, options), Environment(game, scenario, options)
    compared = 0
    for number, _ in enumerate(decisions(learner, 9)):
        if number % 5 == 0:
            afresh.reset(options={"match": learner.match})
            for agent in learner.agents:
                assert as_bytes(afresh.observe(agent)) == as_bytes(learner.observe(agent)), number
            compared += 1
    assert compared > enough(game, scenario, 40)


@pytest.mark.costly(each=True)
@pytest.mark.needs("learners")
def test_the_table_of_units_is_the_view_in_numbers(game: str, scenario: str) -> None:
    learner = Environment(game, scenario, {"fog_stack_size": True})
    for number, _ in enumerate(decisions(learner, 4)):
        if number % 9:
            continue
        for agent in learner.agents:
            view = learner.match.view(agent)
            table = learner.observe(agent)["units"]
            listed = {piece.id: piece for piece in view.pieces if piece.mine or piece.at != "eliminated"}
            gone = {piece.id for piece in view.pieces if not piece.mine and piece.at == "eliminated"}
            gone |= {sign.piece for sign in view.on("pontoon")}
            for unit, name in enumerate(learner.rules.ids):
                row = table[unit]
                if name in listed:
                    _same(learner, row, listed[name])
                elif name in gone:
                    assert row[COLUMN["seen"]] == 1
                    assert row[COLUMN["row"] : COLUMN["moving"]].tolist() == [0] * (COLUMN["moving"] - COLUMN["row"])
                else:
                    assert not row[len(STANDING) :].any()


def _same(learner: Environment, row: Any, piece: Piece) -> None:
    rules, sight, values = learner.rules, learner.sights[0], piece.values
    at = rules.read_where(piece.at)
    assert row[COLUMN["on the map"]] == (at >= 0)
    for column, place in zip(("waiting", "eliminated", "box", "bridge"), PLACES, strict=True):
        assert row[COLUMN[column]] == (at == place)
    if at >= 0:
        assert (row[COLUMN["row"]], row[COLUMN["column"]]) == sight.ground.cells[at]
    assert row[COLUMN["steps"]] == values["steps"]
    assert row[COLUMN["ce"]] == values.get("ce", 0)
    assert row[COLUMN["supply"]] == SUPPLY.index(str(values.get("supply", "in")))
    assert row[COLUMN["revealed"]] == ("ce" in values)
    assert {name for name in FLAGS if row[COLUMN[name]]} == set(piece.marks) & set(FLAGS)


@pytest.mark.costly(each=True)
@pytest.mark.needs("learners")
def test_planes_show_what_the_view_says_of_hexes(game: str, scenario: str) -> None:
    learner = Environment(game, scenario, {"fog_stack_size": True})
    for number, _ in enumerate(decisions(learner, 6)):
        if number % 11:
            continue
        for seat, agent in enumerate(learner.agents):
            sight, view = learner.sights[seat], learner.match.view(agent)
            planes = learner.observe(agent)["observation"]

            def shown(name: str, sight: Any = sight, planes: Any = planes) -> dict[str, int]:
                found = {}
                for h, cell in enumerate(sight.ground.cells):
                    value = int(planes[(sight.plane[name], *cell)])
                    if value:
                        found[learner.rules.hex_id(h)] = value
                return found

            there = [piece for piece in view.pieces if piece.at in learner.rules.grid_index]
            assert shown("enemy units") == Counter(piece.at for piece in there if not piece.mine)
            assert set(shown("enemy attacked")) == {sign.at for sign in view.on("attacked")}
            assert set(shown("own hexes")) == set(view.control[agent])
            zones = learner.rules.overlay(learner.match.state, seat, "zones", Asked())
            assert isinstance(zones, Overlay)
            assert set(shown("enemy zone")) == set(zones.layers[1 - seat].hexes)
            own: dict[str, int] = {}
            for piece in there:
                if piece.mine:
                    own[piece.at] = own.get(piece.at, 0) + int(piece.values["steps"])
            assert shown("own steps") == own
            broken = [int((planes[sight.plane[f"crossing {d}"]] == 2).sum()) for d in range(6)]
            assert sum(broken) == 2 * len(
                {sign.at for sign in view.on("destroyed")} - {sign.at for sign in view.on("pontoon")}
            )


@pytest.mark.costly(each=True)
@pytest.mark.needs("learners")
def test_scalars_hold_what_the_game_tells_both(game: str, scenario: str) -> None:
    learner = environment(game, scenario)
    for number, _ in enumerate(decisions(learner, 7)):
        if number % 13:
            continue
        for seat, agent in enumerate(learner.agents):
            scalars = dict(zip(learner.sights[seat].scalar_names, learner.observe(agent)["scalars"], strict=True))
            view = learner.match.view(agent)
            stage = view.stage
            assert (scalars["turn"], scalars["score"]) == (stage.turn, view.track("score"))
            assert scalars[f"phase {stage.phase}"] == 1
            assert scalars[f"decision {stage.decision}"] == 1
            assert scalars["deciding"] == (stage.decides == agent)
            assert scalars["points left"] == (stage.moving.left if stage.moving else 0)


def test_what_has_been_chosen_is_shown_to_the_chooser_alone() -> None:
    learner = environment("isonzo")
    rng = Random(3)
    seen = 0
    for _ in decisions(learner, 3, 300):
        if learner.match.state.frames[-1].name != "movement":
            continue
        agent = learner.agent_selection
        other = next(name for name in learner.agents if name != agent)
        before, theirs, played = learner.observe(agent), learner.observe(other), len(learner.match.entries)
        units = [choice for choice in learner.choices if choice >= learner.alphabet.first_unit]
        if not units:
            continue
        chosen = rng.choice(units)
        learner.step(chosen)
        if len(learner.match.entries) != played:
            continue
        after = learner.observe(agent)
        marked = after["units"][:, COLUMN["chosen"]].nonzero()[0].tolist()
        assert marked == [chosen - learner.alphabet.first_unit]
        assert as_bytes(after) != as_bytes(before)
        assert as_bytes(learner.observe(other)) == as_bytes(theirs)
        assert not theirs["action_mask"].any()
        seen += 1
    assert seen > 5
