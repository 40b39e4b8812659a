"""What owners and newcomers meet: packs in every command, plain sentences, the usual opponent, hints that are right."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
from every import every_game
from typer.testing import CliRunner, Result

import fronte
from fronte.ai import players_of, usual_player
from fronte.ai.levels import called
from fronte.cli import app, play
from fronte.cli.serve import try_database
from fronte.engine.sheet import Sheet
from fronte.games.registry import data_folder
from fronte.server import Settings

ROOT = Path(__file__).parents[1]
runner = CliRunner()


def run(*words: str, typed: str = "") -> Result:
    return runner.invoke(app, list(words), input=typed)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack in which the Livorno brigade is stronger than in the game's own."""
    printed = (data_folder("isonzo") / "units.csv").read_text(encoding="utf-8")
    row = next(line for line in printed.splitlines() if line.startswith("it-livorno,"))
    (tmp_path / "mine").mkdir()
    stronger = printed.replace(row, row.replace(",2,7,5,", ",2,9,5,"))
    assert stronger != printed
    (tmp_path / "mine" / "units.csv").write_text(stronger, encoding="utf-8")
    return tmp_path / "mine"


@pytest.fixture
def saved(tmp_path: Path, pack: Path) -> Path:
    """A save of a game with that pack, in its first Combat Phase."""
    match = fronte.new("isonzo", seed=1, packs=[pack])
    while match.decision is not None and match.decision.kind != "combat":
        match.play("end")
    file = tmp_path / "game.fronte"
    file.write_text(match.save(), encoding="utf-8")
    return file


def test_a_game_with_a_pack_is_replayed_with_it(pack: Path, saved: Path) -> None:
    assert "another data pack" in run("replay", str(saved)).stderr
    told = run("replay", str(saved), "--pack", str(pack))
    assert told.exit_code == 0 and "The game begins on turn" in told.output


def test_a_game_with_a_pack_is_migrated_with_it(pack: Path, saved: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.fronte"
    report = json.loads(run("migrate", str(saved), "--pack", str(pack), "--out", str(out), "--json").output)
    assert report["from"] == report["to"] and report["error"] == ""
    assert out.read_text(encoding="utf-8") == saved.read_text(encoding="utf-8")
    without = json.loads(run("migrate", str(saved), "--json").output)
    assert without["to"]["pack"] == fronte.ruleset("isonzo").header.pack != without["from"]["pack"]


def test_odds_are_those_of_the_pack(pack: Path, saved: Path) -> None:
    match = fronte.load(saved.read_text(encoding="utf-8"), packs=[pack])
    line = next(
        f"attack {target} with it-livorno"
        for target, on in match.offer["targets"].items()
        if "it-livorno" in on["units"]
    )
    answer = run("odds", "isonzo", *line.split(), "--save", str(saved), "--pack", str(pack), "--json")
    assert msgspec.json.decode(answer.output, type=Sheet) == match.odds(line)
    assert "another data pack" in run("odds", "isonzo", *line.split(), "--save", str(saved)).stderr
    place = saved.with_suffix(".json")
    place.write_text(json.dumps(match.rules.to_position(match.state)), encoding="utf-8")
    with_pack, without = (
        msgspec.json.decode(
            run("odds", "isonzo", *line.split(), "--save", str(place), *more, "--json").output, type=Sheet
        )
        for more in (("--pack", str(pack)), ())
    )
    assert with_pack == match.odds(line) != without


def test_games_are_simulated_with_a_pack(tmp_path: Path, pack: Path) -> None:
    words = ["simulate", "isonzo", "--players", "steady,random", "--games", "2", "--seed", "40"]
    rows = []
    for more in ((), ("--pack", str(pack)), ("--pack", str(pack), "--workers", "2")):
        out = tmp_path / "rows.jsonl"
        assert run(*words, *more, "--out", str(out)).exit_code == 0
        rows.append(out.read_text(encoding="utf-8"))
    assert rows[1] == rows[2] != rows[0]
    assert run(*words, "--pack", "nowhere").stderr.strip().endswith("nowhere: there is no such folder")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        ("folder", "unable to open database file"),
        ("text", "file is not a database"),
        ("inside a file", "m.sqlite: File exists"),
        ("no such database", "Could not parse SQLAlchemy URL"),
        ("no server", "Connect call failed"),
    ],
)
def test_a_database_that_cannot_be_opened_is_named_in_a_sentence(tmp_path: Path, make: str, why: str) -> None:
    file = tmp_path / "m.sqlite"
    where = str(file)
    if make == "folder":
        file.mkdir()
    elif make in ("text", "inside a file"):
        file.write_text("this is no database, and never was one\n" * 40, encoding="utf-8")
        where += "/m.sqlite" if make == "inside a file" else ""
    elif make == "no such database":
        where = "://"
    else:
        where = "postgresql://nobody:secret@127.0.0.1:1/matches"
    result = run("serve", "--port", "0", "--database", where)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: the database") and "cannot be opened" in result.stderr
    assert why in result.stderr
    assert "Traceback" not in result.output and "secret" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_good_database_is_left_as_it_is(tmp_path: Path) -> None:
    for _ in range(2):
        try_database(Settings(database=str(tmp_path / "new" / "m.sqlite")))
    assert (tmp_path / "new" / "m.sqlite").is_file()


@every_game
def test_the_usual_opponent_is_the_best_quick_player(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    usual = usual_player(game)
    assert usual == ("steady" if "steady" in players_of(game) else "random")
    seat = fronte.ruleset(game).seats[0]
    told = run("text", game, "--seed", "7", "--seat", seat, typed="quit\n")
    assert told.exit_code == 0 and called(usual, "en").name in told.output
    assert "--opponent" not in told.output
    other = run("text", game, "--seed", "7", "--seat", seat, "--opponent", "random", typed="quit\n").output
    assert ("--opponent random" in " ".join(other.split())) == (usual != "random")


@pytest.mark.parametrize(
    ("started", "argv", "hint"),
    [
        ("./play --text", "/somewhere/fronte/__main__.py", "./play --text --load isonzo-7.fronte"),
        ("", "/somewhere/fronte/__main__.py", "python -m fronte text --load isonzo-7.fronte"),
        ("", "/somewhere/bin/fronte", "fronte text --load isonzo-7.fronte"),
    ],
)
def test_the_hint_how_to_go_on_is_right_for_how_it_was_started(
    started: str, argv: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [argv])
    if started:
        monkeypatch.setenv(play.STARTED, started)
    else:
        monkeypatch.delenv(play.STARTED, raising=False)
    for language, before in (("en", "Go on with: "), ("it", "Per continuare: ")):
        told = run("text", "isonzo", "--seed", "7", "--language", language, "--open", typed="quit\n").output
        assert before + hint in " ".join(told.split())
        (tmp_path / "isonzo-7.fronte").unlink()


def test_the_script_says_how_it_was_started() -> None:
    script = (ROOT / "play").read_text(encoding="utf-8")
    assert f"export {play.STARTED}=" in script


def script(name: str) -> ModuleType:
    """A script of the project, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_one_figure_says_which_node_the_client_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    client = script("client")
    figure = ".".join(map(str, client.OLDEST_NODE))
    assert figure in client.NEEDS
    assert "OLDEST_NODE" in (ROOT / "hatch_build.py").read_text(encoding="utf-8")
    for name in ("hatch_build.py", "scripts/bootstrap.py"):
        assert figure not in (ROOT / name).read_text(encoding="utf-8")
    monkeypatch.setattr(client, "system_npm", lambda: None)
    monkeypatch.setattr(client, "packaged_npm", lambda: None)
    for work in (client.build, client.check):
        with pytest.raises(RuntimeError, match=figure):
            work()
    vite = ROOT / "web" / "node_modules" / "vite" / "package.json"
    if vite.is_file():
        assert f">={figure}" in json.loads(vite.read_text(encoding="utf-8"))["engines"]["node"]
