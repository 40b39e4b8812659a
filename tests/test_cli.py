"""The commands of `fronte`, as people and programs call them."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from every import every_game, inferno_games
from typer.testing import CliRunner, Result

import fronte
from fronte.ai import Seat, player
from fronte.cli import app
from fronte.cli.simulate import Job, play_out
from fronte.engine.notation import to_text
from fronte.engine.rules import Result as Ended
from fronte.engine.sheet import Sheet
from fronte.games.registry import GAMES, data_folder

runner = CliRunner()


def run(*words: str, typed: str = "") -> Result:
    return runner.invoke(app, list(words), input=typed)


def played(game: str, seed: int = 3) -> fronte.Match:
    match = fronte.new(game, seed=seed)
    rng = Random(seed)
    while match.decision is not None:
        match.play(match.sample(rng))
    return match


def at_combat(game: str) -> fronte.Match:
    """A match in its first Combat Phase."""
    match = fronte.new(game, seed=1)
    while match.decision is not None and match.decision.kind != "combat":
        match.play("end")
    return match


def attacks(match: fronte.Match) -> list[str]:
    """For every target in turn, an attack by all that can reach it from one hex, with the first gun."""
    where = {piece.id: piece.at for piece in match.view(match.rules.seats[match.seat]).own()}
    found = []
    for target, offer in match.offer["targets"].items():
        units = [unit for unit in offer["units"] if where[unit] == where[offer["units"][0]]]
        line = f"attack {target} with {','.join(units)}" + (f" guns {offer['guns'][0]}" if offer["guns"] else "")
        found += [line] if match.why_not(line) is None else []
    return found


@pytest.fixture(params=GAMES)
def save_file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A game played to its end."""
    file = tmp_path / "game.fronte"
    file.write_text(played(request.param).save(), encoding="utf-8")
    return file


def test_version() -> None:
    assert run("--version").output == f"fronte {fronte.__version__}\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["rules", "chess"], "no game 'chess'; the games are isonzo, altipiani"),
        (["text", "chess"], "no game 'chess'; the games are isonzo, altipiani"),
        (["text", "altipiani", "--option", "free_battalion=true"], "no option 'free_battalion'; the options are "),
        (["odds", "altipiani", "--attack", "3", "--defence", "1", "--trench"], "altipiani has no trenches"),
        (["odds", "altipiani", "--attack", "3", "--defence", "1", "--infiltration"], "altipiani has no assault troops"),
        (["rules", "options", "isonzo", "--language", "de"], "no language 'de'"),
        (["rules", "isonzo", "99"], "no rule '99'"),
        (["rules", "isonzo", "7", "--language", "de"], "no language 'de'"),
        (["rules", "coverage", "isonzo", "--cases", "nowhere"], "nowhere: there is no such folder"),
        (["replay", "nowhere"], "nowhere: No such file or directory"),
        (["text", "--load", "nowhere"], "nowhere: No such file or directory"),
        (["text", "altipiani", "--scenario", "x"], "no scenario 'x' (1.1); the scenarios are historical"),
        (["text", "--pack", "nowhere"], "nowhere: there is no such folder"),
        (["text", "altipiani", "--seat", "ah", "--opponent", "ready"], "no player 'ready'"),
        (["simulate", "altipiani", "--players", "ready,random"], "no player 'ready'"),
        (["text", "--scenario", "x"], "no scenario 'x' (1.3); the scenarios are historical, surprise"),
        (["text", "--option", "fog"], "option 'fog' is not written name=value"),
        (["text", "--option", "fog=1"], "no option 'fog'"),
        (["text", "--seat", "french"], "no seat 'french'; the seats are italian, ah, both"),
        (["text", "--seat", "ah", "--opponent", "x"], "no player 'x'; the players are "),
        (["simulate", "isonzo", "--players", "random"], "isonzo has 2 seats"),
        (["simulate", "isonzo", "--players", "random,x"], "no player 'x'"),
        (["odds", "isonzo"], "give --attack and --defence"),
        (["case", "run", "nowhere"], "nowhere: no such file or folder"),
        (["pack", "check", "isonzo", "nowhere"], "nowhere: there is no such folder"),
        (["board", "render", "isonzo", "--out", "board.jpg"], "must be an .svg or a .png file"),
        (["migrate", "nowhere"], "nowhere: No such file or directory"),
    ],
)
def test_bad_input_is_one_line(words: list[str], why: str) -> None:
    result = run(*words)
    assert result.exit_code == 1
    assert why in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_damaged_save_is_refused_with_its_line(save_file: Path) -> None:
    text = save_file.read_text(encoding="utf-8")
    half = text.index("\n", len(text) // 2) - 3  # in the middle of a line
    save_file.write_text(text[:half], encoding="utf-8")
    for command in (["replay"], ["text", "--load"]):
        result = run(*command, str(save_file))
        assert result.exit_code == 1
        assert f"{save_file}: line " in result.stderr.replace("\n", "")


def test_rules() -> None:
    assert "Flank attack" in run("rules", "isonzo", "7.9").output
    assert "Attacco sul fianco" in run("rules", "isonzo", "7.9", "--language", "it").output
    assert "I dirupi in combattimento" in run("rules", "altipiani", "7.8.e", "--language", "it").output


@every_game
def test_every_rule_can_be_read(game: str) -> None:
    book = fronte.ruleset(game).rulebook
    one = list(book.rules)[len(book.rules) // 2]
    assert json.loads(run("rules", game, one, "--json").output)["id"] == one
    listed = json.loads(run("rules", game, "--json").output)
    assert [rule["id"] for rule in listed] == list(book.rules)
    lines = run("rules", game).output.splitlines()
    assert [line.split()[0] for line in lines][: len(book.rules)] == [book.label(name) for name in book.rules]
    stars = [line for line in lines[len(book.rules) :] if line.startswith("* the letter is ours")]
    assert len(stars) == any("*" in book.label(name) for name in book.rules)
    if game == "altipiani":
        assert "9.4.1(2)  Enemy artillery" in run("rules", game, "9.4.1.b").output
        assert json.loads(run("rules", game, "9.4.1(2)", "--json").output)["id"] == "9.4.1.b"


@every_game
def test_options_are_listed(game: str) -> None:
    book = fronte.ruleset(game).rulebook  # type: ignore[attr-defined]
    lines = run("rules", "options", game, "--language", "it").output.splitlines()
    assert [line.split()[0] for line in lines] == [option.name for option in book.options]
    assert all(f"{option.default}*" in line for option, line in zip(book.options, lines, strict=True))
    assert json.loads(run("rules", "options", game, "--json").output)[0]["name"] == book.options[0].name


def test_altipiani_has_its_seventeen_options() -> None:
    assert len(run("rules", "options", "altipiani").output.splitlines()) == 17


def test_coverage_lists_what_is_missing(tmp_path: Path) -> None:
    enforced = len(fronte.ruleset("isonzo").rulebook.enforced())  # type: ignore[attr-defined]
    cases = Path(__file__).parent / "cases" / "isonzo"
    shutil.copy(cases / "6.3.1.toml", tmp_path)
    result = run("rules", "coverage", "isonzo", "--cases", str(tmp_path))
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[-1] == f"1 of {enforced} enforced rules have a case"
    assert len(lines) == enforced
    found = json.loads(run("rules", "coverage", "isonzo", "--cases", str(tmp_path), "--json").output)
    assert found["shown"] == 1 and "6.3.1" not in found["missing"] and len(found["missing"]) == enforced - 1


@pytest.mark.costly
def test_simulate_is_the_same_with_more_workers(any_game: str, tmp_path: Path) -> None:
    game, files = any_game, []
    scenario = list(fronte.ruleset(game).scenarios)[-1]  # type: ignore[attr-defined]
    seats = fronte.ruleset(game).seats
    for workers in ("1", "2"):
        files.append(tmp_path / f"{workers}.jsonl")
        result = run(
            *("simulate", game, "--players", "random,random", "--games", "3", "--seed", "11", "--json"),
            *("--workers", workers, "--out", str(files[-1]), "--scenario", scenario),
        )
        assert result.exit_code == 0
        assert json.loads(result.stdout)["games"] == 3
    assert files[0].read_bytes() == files[1].read_bytes()
    rows = [json.loads(line) for line in files[0].read_text(encoding="utf-8").splitlines()]
    assert [row["seed"] for row in rows] == [11, 12, 13]
    assert all(row["game"] == game and row["scenario"] == scenario for row in rows)
    assert all(row["players"] == dict.fromkeys(seats, "random") for row in rows)
    for row in rows:
        result = Ended(row["level"], row["score"], row["winner"], ())
        assert row["merits"] == {seat: fronte.ruleset(game).merit(result, k) for k, seat in enumerate(seats)}
    assert all({"level", "score", "turns", "actions", "losses", "options"} <= set(row) for row in rows)


def read_sheet(text: str) -> Sheet:
    return msgspec.json.decode(text, type=Sheet)


def bare(game: str, *words: str) -> dict[str, Any]:
    """The odds of bare numbers, field by field."""
    return fronte.ruleset(game).case_odds(read_sheet(run("odds", game, *words, "--json").output))


@inferno_games
def test_odds_from_numbers(game: str) -> None:
    plain = bare(game, "--attack", "12", "--defence", "5")
    assert plain["column"] == "2:1" and sum(plain["attack_loss"]) == sum(plain["defence_retreat"]) == 216
    assert bare(game, "--attack", "12", "--defence", "5", "--flank")["flanked"]
    assert bare(game, "--attack", "1", "--defence", "9")["void"] is True
    table = run("odds", game, "--attack", "12", "--defence", "5", "--attack-av", "3", "--steps", "8").output
    assert "Strength 12 against 5 (2:1)" in table and "attacker:" in table and "reductions" in table


def test_odds_from_numbers_follow_the_game() -> None:
    assert bare("isonzo", "--attack", "12", "--defence", "5", "--flank", "--trench")["column"] == "2.5:1"
    high = {game: bare(game, "--attack", "12", "--defence", "2", "--steps", "4") for game in ("isonzo", "altipiani")}
    assert {odds["column"] for odds in high.values()} == {"6:1"}
    assert high["isonzo"]["defence_retreat"] != high["altipiani"]["defence_retreat"], "there the dice are modified"
    assert "[8.2]" in run("odds", "altipiani", "--attack", "1", "--defence", "9").output


@inferno_games
def test_odds_of_numbers_are_those_of_the_game(game: str) -> None:
    """The same totals in a real position give the same distribution; of losses only where the retreat is free."""
    match = at_combat(game)
    same = 0
    for line in attacks(match)[:8]:
        found = match.rules.case_odds(match.odds(line))
        if found["void"]:
            continue
        numbers = [
            part
            for name in ("attack", "defence", "attack-av", "defence-av", "steps")
            for part in (f"--{name}", str(found[name.replace("-", "_")]))
        ]
        flags = [f"--{name}" for name, key in (("flank", "flanked"), ("trench", "trench")) if found[key]]
        plain = bare(game, *numbers, *flags)
        for key in ("column", "attack_retreat", "defence_retreat"):
            assert plain[key] == found[key], (line, key)
        same += plain["defence_loss"] == found["defence_loss"]
    assert same


def test_odds_of_fire_in_the_probe_game(probe: str, tmp_path: Path) -> None:
    match, rng, save = fronte.new(probe, seed=2), Random(2), tmp_path / "game.fronte"
    shots: list[str] = []
    while not shots:
        match.play(match.sample(rng))
        shots = [to_text(action) for action in match.legal() if action.__struct_config__.tag == "fire"]
    save.write_text(match.save(), encoding="utf-8")
    told = run("odds", probe, *shots[0].split(), "--save", str(save))
    assert told.exit_code == 0, told.output
    assert read_sheet(run("odds", probe, *shots[0].split(), "--save", str(save), "--json").output) == match.odds(
        shots[0]
    )
    bare_words = run("odds", probe, "--attack", "3", "--defence", "2")
    assert bare_words.exit_code == 1 and bare_words.stderr.startswith("error: ") and "probe" in bare_words.stderr


@inferno_games
def test_odds_from_a_save_and_a_position(game: str, tmp_path: Path) -> None:
    match = at_combat(game)
    save, position, late = tmp_path / "game.fronte", tmp_path / "position.json", tmp_path / "late.fronte"
    save.write_text(match.save(), encoding="utf-8")
    position.write_text(json.dumps(match.rules.to_position(match.state)), encoding="utf-8")
    line = attacks(match)[0]
    words = line.replace("it-", "").replace("ah-", "").split()
    answers = [read_sheet(run("odds", game, *words, "--save", str(f), "--json").output) for f in (save, position)]
    assert answers[0] == answers[1] == match.odds(line)
    late.write_text(played(game).save(), encoding="utf-8")
    over = run("odds", game, *words, "--save", str(late))
    assert over.exit_code == 1 and "the game is over at this point" in over.stderr
    early = run("odds", game, *words, "--save", str(save), "--at", "0")
    assert (early.exit_code == 1) == (len(match.entries) > 0)


@pytest.mark.costly
def test_simulate_counts_what_was_lost_on_the_way(any_game: str) -> None:
    """A piece that was out of play from the start, or waits off the map, is no loss."""
    out = ("gone",) if any_game == "probe" else ("eliminated", "routed", "surrendered")

    def fallen(match: fronte.Match, seat: str) -> set[str]:
        return {piece.id for piece in match.view(seat).own() if piece.at in out}

    lost = steps = 0
    for seed in range(3, 40 if any_game == "probe" else 13 if any_game == "caporetto" else 6):  # there few fall
        row = play_out(Job(any_game, "", (), ("random", "random"), seed))
        match = fronte.new(any_game, seed=seed)
        before = {seat: fallen(match, seat) for seat in match.rules.seats}
        hands = [(player("random", f"{seed} {seat}"), Seat(match, seat)) for seat in match.rules.seats]
        turns = set()
        while match.seat >= 0:
            turns.add(match.state.turn)
            decide, seat = hands[match.seat]
            match.play(decide(seat))
        assert row["turns"] == len(turns)
        for name, told in row["losses"].items():
            assert told["units"] == len(fallen(match, name) - before[name])
            assert told["steps"] == sum(match.rules.lost_steps(piece) for piece in match.view(name).own())
            lost, steps = lost + told["units"], steps + told["steps"]
    assert lost and bool(steps) == (any_game not in ("volturno", "probe"))  # there units have no steps
    assert "loses" in run("simulate", any_game, "--players", "random,random", "--games", "2").output


@pytest.mark.costly
def test_replay_tells_the_story_of_any_game(any_game: str, tmp_path: Path) -> None:
    match = fronte.new(any_game, seed=4)
    rng = Random(4)
    while match.result is None:
        match.play(match.sample(rng))
    file = tmp_path / "game.fronte"
    file.write_text(match.save(), encoding="utf-8")
    for language in ("en", "it"):
        told = run("replay", str(file), "--language", language)
        assert told.exit_code == 0 and len(told.output.splitlines()) > 20
    for seat in match.rules.seats:
        events = json.loads(run("replay", str(file), "--seat", seat, "--json").output)
        assert [event["kind"] for event in events] == [event.kind for event in match.events_for(seat)]
    assert f"all {len(match.entries)} actions can be replayed" in run("migrate", str(file)).output


def test_replay_tells_the_story(save_file: Path) -> None:
    told = run("replay", str(save_file)).output
    match = fronte.load(save_file.read_text(encoding="utf-8"))
    last = match.state.turn
    assert (f"Turn {last}, the Italian player turn." if match.rules.seats[0] == "italian" else f"Turn {last}, ") in told
    assert "The game is over: " in told
    assert "La partita è finita" in run("replay", str(save_file), "--language", "it").output
    short = run("replay", str(save_file), "--at", "3").output
    assert told.startswith(short[: short.rfind("\n", 0, -1)])
    seat = match.rules.seats[1]
    events = json.loads(run("replay", str(save_file), "--seat", seat, "--json").output)
    assert len(events) == len(match.events_for(seat))


def test_migrate(save_file: Path, tmp_path: Path) -> None:
    result = run("migrate", str(save_file))
    assert result.exit_code == 0 and "can be replayed" in result.output
    text = save_file.read_text(encoding="utf-8")
    old = tmp_path / "old.fronte"
    head, _, record = text.partition("\n")
    heading: dict[str, Any] = json.loads(head)
    heading["header"] |= {"pack": "0000000000000000", "rules": "0"}
    heading["header"]["options"]["long_gone"] = "true"
    old.write_text(json.dumps(heading) + "\n" + record, encoding="utf-8")
    assert run("replay", str(old)).exit_code == 1
    out = tmp_path / "new.fronte"
    report = json.loads(run("migrate", str(old), "--out", str(out), "--json").output)
    assert report["error"] == "" and report["options_dropped"] == ["long_gone=true"]
    assert out.read_text(encoding="utf-8") == text
    lines = old.read_text(encoding="utf-8").splitlines()
    old.write_text("\n".join([lines[0], *lines[2:]]) + "\n", encoding="utf-8")
    broken = run("migrate", str(old))
    assert broken.exit_code == 1 and "cannot be replayed: line " in broken.output


@every_game
def test_pack_check_is_silent_on_good_data(game: str) -> None:
    result = run("pack", "check", game)
    assert (result.exit_code, result.output) == (0, "no errors\n")


@inferno_games
def test_pack_check_reports_every_error(game: str, tmp_path: Path) -> None:
    own = data_folder(game)
    units = (own / "units.csv").read_text(encoding="utf-8").splitlines()
    units[3] = units[3].replace("infantry", "cavalry").replace("brigade", "army")
    setup = next(csv.DictReader([units[0], units[5]]))["setup"]
    units[5] = units[5].replace(f",{setup},", ",9999,")
    units[8] += ",more"
    units[10] = units[9]
    (tmp_path / "units.csv").write_text("\n".join(units), encoding="utf-8")
    hexes = (own / "hexes.csv").read_text(encoding="utf-8").splitlines()
    hexes[4] = hexes[4].replace("low_mountain", "bog")
    hexes[7] = hexes[7].replace(",ah,", ",fr,")
    (tmp_path / "hexes.csv").write_text("\n".join(hexes), encoding="utf-8")
    tables = (own / "tables.toml").read_text(encoding="utf-8")
    tables = tables.replace("flanked_defender = 2", 'flanked_defender = "two"').replace("recover_ce = 24\n", "")
    (tmp_path / "tables.toml").write_text(tables, encoding="utf-8")
    (tmp_path / "scenarios.toml").write_text("x = \n", encoding="utf-8")
    (tmp_path / "unit.csv").write_text("", encoding="utf-8")
    (tmp_path / "text.it.toml").write_text("[word]\nand = e\n", encoding="utf-8")
    result = run("pack", "check", game, str(tmp_path), "--json")
    assert result.exit_code == 1
    found = {(error["file"], error["line"]) for error in json.loads(result.output)}
    line = tables.splitlines().index('flanked_defender = "two"') + 1
    mp = next(n for n, text in enumerate(tables.splitlines(), 1) if text.startswith("[mp]"))
    assert found == {
        ("unit.csv", None),
        ("scenarios.toml", 1),
        ("text.it.toml", 2),
        ("tables.toml", line),
        ("tables.toml", mp),
        ("hexes.csv", 5),
        ("hexes.csv", 8),
        ("units.csv", 4),
        ("units.csv", 6),
        ("units.csv", 9),
        ("units.csv", 11),
    }
    assert sum(error["line"] == 4 for error in json.loads(result.output)) == 2
    assert run("pack", "check", game, str(tmp_path)).output.splitlines()[-1] == "12 errors"


def test_a_line_of_a_hex_that_cannot_be_read_gives_way_to_the_games_own(any_game: str, tmp_path: Path) -> None:
    lines = (data_folder(any_game) / "hexes.csv").read_text(encoding="utf-8").splitlines()
    lines[4] += ",more"
    lines[9] += ",more"
    (tmp_path / "hexes.csv").write_text("\n".join(lines), encoding="utf-8")
    result = run("pack", "check", any_game, str(tmp_path), "--json")
    assert [(error["file"], error["line"]) for error in json.loads(result.output)] == [
        ("hexes.csv", 5),
        ("hexes.csv", 10),
    ]


def test_case_run(tmp_path: Path) -> None:
    good = Path(__file__).parent / "cases" / "isonzo" / "6.3.1.toml"
    assert run("case", "run", str(good)).exit_code == 0
    bad = tmp_path / "bad.toml"
    bad.write_text(good.read_text(encoding="utf-8").replace('rule = "6.3.1" }', 'rule = "4.1" }'), encoding="utf-8")
    result = run("case", "run", str(bad), "--json")
    assert result.exit_code == 1
    assert any(not outcome["passed"] and outcome["why"] for outcome in json.loads(result.output))


def test_a_case_file_of_the_wrong_form_is_told_where(tmp_path: Path) -> None:
    good = Path(__file__).parent / "cases" / "isonzo" / "6.3.1.toml"
    bad = tmp_path / "bad.toml"
    head, *cases = good.read_text(encoding="utf-8").split("[[case]]")
    cases[1] = cases[1].replace("refuse =", "refuses =", 1)
    bad.write_text("[[case]]".join([head, *cases]), encoding="utf-8")
    told = run("case", "run", str(bad)).output.replace("\n", "")
    assert "bad.toml: case 2 step 1: Object contains unknown field `refuses`" in told


def test_odds_are_of_the_game_that_is_named(tmp_path: Path) -> None:
    save_file = tmp_path / "game.fronte"
    save_file.write_text(fronte.new("isonzo").save(), encoding="utf-8")
    result = run("odds", "altipiani", "--save", str(save_file), "attack", "2412")
    assert result.exit_code == 1
    assert "a game of isonzo, not of altipiani" in result.stderr


def test_a_wrong_player_leaves_the_output_alone(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    out.write_text("kept", encoding="utf-8")
    assert run("simulate", "altipiani", "--players", "ready,random", "--out", str(out)).exit_code == 1
    assert out.read_text(encoding="utf-8") == "kept"


def test_the_same_error_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_bytes(b"\xff")
    assert run("pack", "check", "isonzo", str(tmp_path)).output.splitlines()[-1] == "1 error"


@every_game
def test_board_render(game: str, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    assert run("board", "render", game, "--out", str(out)).exit_code == 0
    assert out.read_text(encoding="utf-8").startswith("<svg")
