"""Studies of Caporetto: what is recorded is what happened, and the report sets it beside history."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

import fronte
from fronte.ai import Seat, player
from fronte.games.caporetto import losses, victory
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import ELIMINATED, ROUTED, SURRENDERED
from fronte.games.caporetto.state import State, begin
from fronte.study.asked import begin as begin_study
from fronte.study.caporetto.measures import Sample
from fronte.study.measures import read_samples
from fronte.study.objectives import Dates
from fronte.study.plan import Asked
from fronte.study.record import Played, play_game
from fronte.study.report import write_report
from fronte.study.run import play
from fronte.study.runners import here

GONE = {ELIMINATED: "dead", SURRENDERED: "prisoner", ROUTED: "routed"}


def played(scenario: str, seed: int) -> tuple[fronte.Match, Played]:
    """A game by chance, as it was played and as it was recorded."""
    match = fronte.new("caporetto", scenario, seed=seed)
    hands = [(player("random", f"{seed} {seat}"), Seat(match, seat)) for seat in match.rules.seats]
    while match.seat >= 0:
        decide, seat = hands[match.seat]
        match.play(decide(seat))
    return match, play_game(match.rules, ("random", "random"), seed)


@pytest.mark.parametrize(("scenario", "seed"), [("maggiore", 1), ("cividale", 2), ("cividale", 3)])
def test_the_record_agrees_with_the_match(scenario: str, seed: int) -> None:
    match, recorded = played(scenario, seed)
    rules, state, tables = cast(Caporetto, match.rules), cast(State, match.state), recorded.tables
    start = begin(rules, b"")
    (whole,), result = tables["games"], match.result
    assert result is not None
    assert (whole.level, whole.winner, whole.score) == (result.level, result.winner, result.score)
    assert whole.actions == len(match.entries)
    assert len(tables["fires"]) == sum(event.kind == "fired" for event in match.events) > 0
    assert len(tables["assaults"]) == sum(event.kind == "assault_result" for event in match.events)
    assert len(tables["acts"]) == sum(event.kind == "acts" for event in match.events)
    for unit, name in enumerate(rules.ids):
        mine = [loss for loss in tables["losses"] if loss.piece == name]
        if not rules.generic >> unit & 1:  # a company may be made again
            gone = [loss.how for loss in mine if loss.gone]
            assert gone == ([GONE[state.at[unit]]] if state.at[unit] in GONE and start.at[unit] >= 0 else []), name
        if state.at[unit] >= 0 and not rules.can_detach >> unit & 1 and not rules.generic >> unit & 1:
            assert sum(loss.steps for loss in mine) == state.lost[unit] - start.lost[unit], name
    for force, name in enumerate(rules.scene.forces):
        rows = [row for row in tables["turns"] if row.force == name]
        assert [row.turn for row in rows] == list(range(whole.first_turn, whole.last_turn + 1))
        assert sum(row.prisoners for row in rows) == losses.surrendered_steps(rules, state, force)
        assert rows[-1].hexes == state.control[force].bit_count()
        assert rows[-1].points == (result.score if force in victory.attackers(rules) else None)
        held = {change.hex: change.force for change in tables["control"]}
        assert {hex for hex, holder in held.items() if holder == name} <= set(rules.hex_ids(range_of(state, force)))


def range_of(state: State, force: int) -> list[int]:
    return [h for h in range(state.control[force].bit_length()) if state.control[force] >> h & 1]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A finished study of two campaigns by chance."""
    folder = tmp_path_factory.mktemp("campaign")
    plan = begin_study(folder, Asked("caporetto", "random,random", games=2, seed=5, scenario="historical"))
    play(plan, folder, here, lambda: None)
    return plan, folder


def test_the_opening_is_told_apart_from_what_follows(campaign: tuple[Any, Path]) -> None:
    plan, folder = campaign
    (sample,) = read_samples(plan, folder)
    rows = sample._columns("fires")
    first = {kind for kind, turn in zip(rows["kind"], rows["turn"], strict=True) if turn == 1}
    assert {"gas", "mines", "preparation"} <= first
    later = {kind for kind, turn in zip(rows["kind"], rows["turn"], strict=True) if turn > 1}
    assert not {"gas", "mines", "preparation"} & later
    assert [one.kind for one in sample.fires].count("gas") == 1


def test_places_are_held_against_history(campaign: tuple[Any, Path]) -> None:
    plan, folder = campaign
    (sample,) = read_samples(plan, folder)
    assert isinstance(sample, Sample)
    named = {fit.place.hex: fit for fit in sample.fits}
    assert set(named) == set(sample.dates) <= set(sample.rules.grid.index)
    assert named["3022"].dates == Dates(by=2) and named["3022"].place.name == "Caporetto"
    last = sample.turns[-1]  # a game that has ended stays as it ended
    for fit in sample.fits:
        fallen = fit.place.fallen
        since, by = fit.dates
        agree = [
            (since is None or not fallen[min(since - 1, last) - 1, game])
            and (by is None or bool(fallen[min(by, last) - 1, game]))
            for game in range(2)
        ]
        assert fit.share == sum(agree) / 2, fit.place.name
    assert sum(sum(one.steps) for side in sample.sides for one in sample.formations_lost(side)) > 0


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_report_has_its_figures_and_tables(campaign: tuple[Any, Path], language: str) -> None:
    plan, folder = campaign
    text = write_report(plan, folder, language).read_text(encoding="utf-8")
    names = ["score", "course-ahg-left", "course-ahg-right", "places", "front", "prisoners", "dead", "assaults"]
    names += ["formations-italian-left", "assault-map", "luck"]
    places = [text.index(f'id="{name}"') for name in names]
    assert places == sorted(places)
    said = {
        "en": ("Places, beside history", "by the end of turn 2", "Gas", "dead"),
        "it": ("I luoghi, accanto alla storia", "entro la fine del turno 2", "Gas", "caduti"),
    }
    assert all(words in text for words in said[language])
    assert "{" not in text.split("<h2>")[-1]
