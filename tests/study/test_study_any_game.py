"""Studies of any game: the core alone, for a game it has never heard of and for games whose family it does not ask."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest
from small_studies import RANDOM, command, finished, tables

import fronte
from fronte.engine import flow, luck, record
from fronte.engine.dice import outcomes
from fronte.games.registry import FAMILIES
from fronte.study.asked import begin, usual_players
from fronte.study.compare import compared
from fronte.study.measures import Sample, read_samples
from fronte.study.plan import Asked, game_seed
from fronte.study.record import Recorder, play_game, recorder_of
from fronte.study.report import write_report
from fronte.study.rows import Throw
from fronte.study.run import play
from fronte.study.runners import here, processes
from fronte.study.throws import Fallen, fallen, rows_of
from fronte.study.words import Words


@pytest.fixture
def plain_game(any_game: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each game in turn, as if nothing were known of its family."""
    monkeypatch.setitem(FAMILIES, any_game, "nobodys")
    return any_game


@pytest.mark.costly
def test_the_core_records_what_happened(plain_game: str) -> None:
    rules = fronte.ruleset(plain_game)
    assert recorder_of(plain_game) is Recorder
    lost = 0
    for seed in range(40 if plain_game == "probe" else 8 if plain_game == "volturno" else 2):  # there few fall
        match = finished(plain_game, seed)
        result = match.result
        assert result is not None
        rows = play_game(rules, ("random", "random"), seed).tables
        (whole,) = rows["games"]
        assert (whole.level, whole.winner, whole.score) == (result.level, result.winner, result.score)
        assert whole.merits == [rules.merit(result, seat) for seat in range(len(rules.seats))]
        assert whole.actions == len(match.entries)
        first, last = fronte.new(plain_game, seed=seed), match
        for seat in rules.seats:
            begun = {piece.id: piece for piece in first.view(seat).own()}
            for piece in last.view(seat).own():
                was_out = piece.id in begun and rules.is_lost(begun[piece.id])
                if rules.is_lost(piece) and not was_out:
                    assert any(loss.piece == piece.id and loss.seat == seat for loss in rows["losses"]), piece
                    lost += 1
        end = last.rules.public_view(last.state)
        for force in rules.setting.forces:
            mine = [row for row in rows["turns"] if row.force == force]
            assert [row.turn for row in mine] == list(range(whole.first_turn, whole.last_turn + 1))
            assert sum(row.lost for row in mine) == sum(loss.force == force for loss in rows["losses"])
            assert mine[-1].hexes == (len(end.control[force]) if end.control else None)
            on_map = [
                p for s in rules.seats for p in last.view(s).own() if p.force == force and p.at in rules.grid.index
            ]
            assert mine[-1].pieces == len(on_map)
        held = {name: force for force, hexes in first.rules.public_view(first.state).control.items() for name in hexes}
        for change in rows["control"]:
            assert held.get(change.hex) != change.force
            held[change.hex] = change.force
        assert held == {name: force for force, hexes in end.control.items() for name in hexes}
        last_of = {(row.track, row.force): row.value for row in rows["tracks"]}
        assert last_of == {(track.name, track.force or None): track.value for track in end.tracks}
    assert lost


def throws_of(game: str, seed: int, most: int) -> list[tuple[fronte.Match, Fallen]]:
    """Throws of a random game that can be weighed, each with the match before it falls."""
    match = fronte.new(game, seed=seed)
    rng = Random(seed)
    found: list[tuple[fronte.Match, Fallen]] = []
    while match.result is None and len(found) < most:
        before = match.copy()
        action = match.sample(rng)
        match.play(action)
        rolls = match.entries[-1].rolls
        flow.act(before.rules, before.state, action, [])
        for dice in rolls:
            now = before.copy()
            (one,) = fallen(before.rules, before.state, [dice])
            if one.weighed is not None:
                found.append((now, one))
    return found


def test_what_is_expected_is_the_mean_of_what_falls(any_game: str) -> None:
    """Over all ways the dice can fall, what is told to fall has the mean that is told to be expected."""
    seen = 0
    for seed in range(12):
        for match, one in throws_of(any_game, seed, 3):
            dice = len(one.dice)
            told: dict[tuple[object, ...], list[Throw]] = {}
            for fell in outcomes(dice):
                for row in rows_of(match.rules, one._replace(dice=fell), 0, 0):
                    told.setdefault((row.what, row.loser, row.force), []).append(row)
            for rows in told.values():
                assert len(rows) == 6**dice == rows[0].of
                if rows[0].fell is not None:
                    mean = sum(row.fell or 0 for row in rows) / len(rows)
                    assert mean == pytest.approx(rows[0].expected, abs=1e-6)
                    assert rows[0].loser is not None
                    seen += 1
    assert seen > 5


def test_a_throw_names_force_and_thing_where_the_sheet_does(probe: str) -> None:
    rows = [
        row
        for seed in range(40)
        for row in play_game(fronte.ruleset(probe), ("random", "random"), seed).tables["throws"]
    ]
    kinds = {(row.kind, row.what, row.of, row.force is None) for row in rows}
    assert kinds == {("fire_dice", "hits", 36, False), ("snap_die", "loss", 6, True)}
    owner = fronte.ruleset(probe).setting.forces
    assert all(row.loser != row.seat and row.force in (None, *owner) for row in rows)
    assert all(owner[row.force] == row.loser for row in rows if row.force)
    gap = sum(row.fell - row.expected for row in rows) / len(rows)
    assert abs(gap) < 0.2


def test_a_study_of_a_game_outside_the_program(probe: str, tmp_path: Path) -> None:
    """With worker processes, compared, with a report in both languages; and no table of who holds what."""
    asked = Asked(probe, games=12, seed=3, compare=["scenario=ford,farm"])
    plan = begin(tmp_path / "two", asked)
    assert plan.asked.players == RANDOM == usual_players(probe)
    play(plan, tmp_path / "two", processes(2), lambda: None)
    play(begin(tmp_path / "one", asked), tmp_path / "one", here, lambda: None)
    assert tables(tmp_path / "two") == tables(tmp_path / "one")
    names = {"games", "turns", "tracks", "losses", "throws", "hexes"}
    assert {path.stem for path in (tmp_path / "one").glob("*.parquet")} == names
    games = pq.read_table(tmp_path / "one" / "games.parquet").to_pylist()
    assert [row["seed"] for row in games[::2]] == [game_seed(3, game) for game in range(12)]
    hexes = pq.read_table(tmp_path / "one" / "hexes.parquet").to_pylist()
    assert {row["hex"][:2] for row in hexes if row["variant"] == "scenario=farm"} == {"01", "02", "03", "04", "05"}
    first, second = read_samples(plan, tmp_path / "one")
    assert type(first) is Sample and first.sides == ("red", "gold", "blue", "green")
    lines = compared(first, second, Words(first.rules, "en"))
    assert lines[0].name == "Result in points (North)"
    assert lines[0].first == pytest.approx(first.merits["north"].mean()) == -first.merits["south"].mean()
    for language, word in (("en", "pieces lost a game"), ("it", "pedine perse a partita")):
        text = write_report(plan, tmp_path / "one", language).read_text(encoding="utf-8")
        assert word in text and 'id="luck-1"' in text and 'id="ground-1"' not in text
    for figure in (tmp_path / "one" / "figures").glob("*.svg"):
        assert ElementTree.parse(figure).getroot().find("{http://www.w3.org/2000/svg}title").text


@pytest.mark.costly
def test_the_core_alone_reports_on_every_game(plain_game: str, tmp_path: Path) -> None:
    plan = begin(tmp_path, Asked(plain_game, RANDOM, games=2, seed=2))
    play(plan, tmp_path, here, lambda: None)
    text = write_report(plan, tmp_path, "en").read_text(encoding="utf-8")
    (sample,) = read_samples(plan, tmp_path)
    held = bool(fronte.ruleset(plain_game).setting.control)
    assert ('id="ground"' in text) == held == (tmp_path / "control.parquet").is_file()
    assert ("which is: " in text) == bool(fronte.ruleset(plain_game).setting.levels)
    for side in sample.sides:
        assert sum(sample.loss_map(side).values()) == pytest.approx(sample.lost("lost", side).mean())
    due = sum(one.expected.sum() for one in sample.dice)
    assert due == pytest.approx(sum(row["expected"] for row in sample._told))


def test_luck_is_what_was_taken_and_what_was_spared(probe: str, tmp_path: Path) -> None:
    plan = begin(tmp_path, Asked(probe, games=20, seed=5))
    play(plan, tmp_path, here, lambda: None)
    (sample,) = read_samples(plan, tmp_path)
    for game in range(20):
        match = finished(probe, game_seed(5, game))
        heading, entries = record.read(match.save())
        throws = luck.of_record(match.rules, heading, entries).throws
        gain = sum(
            t.net_rolled - t.net_expected if t.attacker == "north" else t.net_expected - t.net_rolled for t in throws
        )
        assert sample.luck[game] == pytest.approx(gain, abs=1e-5)


def test_the_command_studies_a_game_outside_the_program(probe: str, tmp_path: Path) -> None:
    words = command(probe, "--games", "4", "--workers", "2", "--out", str(tmp_path / "probe"))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "probe" / "report.html").is_file()
    assert f"4 games in {tmp_path / 'probe'}" in done.stdout
