"""Studies as a designer runs them: workers, interruption, comparison, cluster."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_studies import RANDOM, Studied, command, tables

from fronte.cli import app
from fronte.study.asked import begin, go_on
from fronte.study.compare import compared
from fronte.study.measures import read_samples
from fronte.study.plan import Asked, game_seed
from fronte.study.run import finished, play
from fronte.study.runners import here, processes
from fronte.study.tables import schemas_of, tables_of
from fronte.study.words import Words

README = Path(__file__).parents[2] / "docs" / "studies" / "README.md"


def test_rows(studied: Studied) -> None:
    plan, folder = studied
    games = pq.read_table(folder / "games.parquet").to_pylist()
    assert [row["game"] for row in games] == list(range(6))
    assert [row["seed"] for row in games] == [game_seed(3, game) for game in range(6)]
    combats = pq.read_table(folder / "combats.parquet").to_pylist()
    for row in games:
        mine = [combat for combat in combats if combat["game"] == row["game"]]
        assert [combat["combat"] for combat in mine] == list(range(row["combats"]))
    assert {row["seat"] for row in pq.read_table(folder / "hexes.parquet").to_pylist()} == {"italian", "ah"}
    for table, schema in tables_of(plan).items():
        assert pq.read_schema(folder / f"{table}.parquet").equals(schema)


@pytest.mark.costly
def test_the_number_of_workers_changes_nothing(studied: Studied, tmp_path: Path) -> None:
    plan, folder = studied
    again = begin(tmp_path, Asked(plan.game, RANDOM, games=6, seed=3))
    play(again, tmp_path, processes(2), lambda: None)
    assert tables(tmp_path) == tables(folder)


def test_every_column_is_described(any_game: str) -> None:
    """The schema is a contract: a table of docs/studies/README.md lists the columns of each file, in order."""
    text = README.read_text(encoding="utf-8")
    own = {"isonzo": "the Inferno games", "altipiani": "the Inferno games", "caporetto": "Caporetto"}
    family = f"The tables of {own.get(any_game, 'any game')}"
    both = [re.split(rf"\n## {heading}\n", text)[1].split("\n## ")[0] for heading in (family, "The tables of any game")]
    for table, schema in schemas_of(any_game).items():
        told = next(chapter for chapter in both if f"### `{table}.parquet`" in chapter)
        section = re.split(rf"### `{table}\.parquet`", told)[1].split("\n### ")[0]
        rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.MULTILINE)
        assert [name for name, _ in rows] == schema.names, table
        for name, kind in rows:
            field = schema.field(name)
            said = {"int32": "whole number", "int64": "whole number", "double": "number", "string": "text"}
            others = {"bool": "yes or no", str(pa.list_(pa.int32())): "list of whole numbers"}
            word = said.get(str(field.type), others.get(str(field.type), "list of texts"))
            assert kind.strip() == word + (" or none" if field.nullable else ""), (table, name)


def test_killed_and_resumed(tmp_path: Path) -> None:
    """A study that is killed outright goes on, loses no finished game, and ends with the same bytes."""
    folder = tmp_path / "killed"
    words = ("isonzo", "--players", RANDOM, "--games", "20", "--seed", "9", "--workers", "2", "--out", str(folder))
    victim = subprocess.Popen(command(*words), stderr=subprocess.DEVNULL)
    journal = folder / "games.journal"
    until = time.monotonic() + 120
    while not journal.exists() or journal.stat().st_size < 6_000:
        assert time.monotonic() < until and victim.poll() is None
        time.sleep(0.01)
    workers = psutil.Process(victim.pid).children(recursive=True)
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    assert workers
    assert not psutil.wait_procs(workers, timeout=30)[1], "workers end when the process that leads them is gone"
    done = finished(folder)
    assert 0 < done < 20
    assert not tables(folder)
    before = journal.read_bytes()
    played: list[int] = []
    play(go_on(folder, Asked("isonzo")), folder, here, lambda: played.append(1))
    assert len(played) == 20 - done
    assert journal.read_bytes().startswith(before)
    whole = tmp_path / "whole"
    play(begin(whole, Asked("isonzo", RANDOM, games=20, seed=9)), whole, here, lambda: None)
    assert tables(folder) == tables(whole)


def test_more_games_can_be_added(tmp_path: Path) -> None:
    play(begin(tmp_path / "few", Asked("altipiani", RANDOM, games=2)), tmp_path / "few", here, lambda: None)
    played: list[int] = []
    more = go_on(tmp_path / "few", Asked("altipiani", games=4))
    play(more, tmp_path / "few", here, lambda: played.append(1))
    assert len(played) == 2
    play(begin(tmp_path / "many", Asked("altipiani", RANDOM, games=4)), tmp_path / "many", here, lambda: None)
    assert tables(tmp_path / "few") == tables(tmp_path / "many")


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (Asked("altipiani", games=1), "not fewer"),
        (Asked("altipiani", seed=5), "another seed: 1"),
        (Asked("altipiani", scenario="x"), "another scenario"),
        (Asked("isonzo"), "another game: altipiani"),
    ],
)
def test_what_cannot_be_resumed(tmp_path: Path, asked: Asked, why: str) -> None:
    begin(tmp_path, Asked("altipiani", RANDOM, games=2))
    with pytest.raises(ValueError, match=why):
        go_on(tmp_path, asked)
    with pytest.raises(ValueError, match="holds a study already"):
        begin(tmp_path, Asked("altipiani"))
    with pytest.raises(ValueError, match="no study to resume"):
        go_on(tmp_path / "elsewhere", asked)


def test_a_worker_that_fails_ends_the_study_with_its_words(tmp_path: Path) -> None:
    plan = begin(tmp_path, Asked("isonzo", RANDOM, games=2))
    other = msgspec.structs.replace(plan.variants[0], pack="another")
    plan = msgspec.structs.replace(plan, variants=(other,))
    with pytest.raises(RuntimeError, match="other rules or data"):
        play(plan, tmp_path, processes(2), lambda: None)


def test_a_known_effect_is_found(tmp_path: Path) -> None:
    """Peaks worth five points more raise the score by five for each peak held, and change nothing else."""
    asked = Asked("isonzo", RANDOM, games=12, compare=["tables.objectives.peak+=0,5"])
    plan = begin(tmp_path, asked)
    play(plan, tmp_path, here, lambda: None)
    first, second = read_samples(plan, tmp_path)
    worth = {one.hex: one.worth for one in first.objectives}
    more = {one.hex: one.worth - worth[one.hex] for one in second.objectives}
    assert sorted(set(more.values())) == [0, 5]
    due = sum(more[one.hex] * one.fallen[-1].astype(float) for one in first.objectives)
    assert np.array_equal(second.score - first.score, due)
    lines = {line.name: line for line in compared(first, second, Words(first.rules, "en"))}
    score = lines["Score in VP (Italian)"].difference
    assert score.mean.value == pytest.approx(due.mean())
    assert score.mean.low > 0
    assert score.p < 0.05
    steps = lines["Steps lost: Italian"].difference
    assert (steps.mean, steps.p) == ((0.0, 0.0, 0.0), 1.0)
    assert steps.correlation == pytest.approx(1.0)


def test_ray_gives_the_same_tables(tmp_path: Path) -> None:
    """The whole command, on a Ray of this machine."""
    words = ("--ray", "isonzo", "--players", RANDOM, "--games", "6", "--seed", "3", "--workers", "2")
    folder = tmp_path / "ray"
    done = subprocess.run(command(*words, "--out", str(folder)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"6 games in {folder}" in done.stdout
    assert (folder / "report.html").is_file()
    plan = begin(tmp_path / "here", Asked("isonzo", RANDOM, games=6, seed=3))
    play(plan, tmp_path / "here", here, lambda: None)
    assert tables(folder) == tables(tmp_path / "here")


def test_the_command_refuses_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, why in (
        (("chess",), "no game 'chess'"),
        (("isonzo", "--language", "de"), "no language 'de'"),
        (("isonzo", "--players", "random"), "2 seats"),
        (("isonzo", "--players", "random,nobody"), "nobody"),
        (("isonzo", "--resume"), "no study to resume"),
        (("isonzo", "--set", "scenario=a,b"), "more than one value"),
    ):
        with pytest.raises(SystemExit) as ended:
            app(["study", *words, "--out", str(tmp_path / "none")])
        assert ended.value.code == 1
        told = capsys.readouterr().err
        assert told.startswith("error: ") and why in told and told.count("\n") == 1
    assert not (tmp_path / "none").exists()
