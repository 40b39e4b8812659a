"""What whoever writes a game is told: a slip is named where it lies, and rooms speak the words of the game."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from every import PROBE_DATA
from typer.testing import CliRunner

import fronte
from fronte.cli import app, charmap
from fronte.cli.packcheck import check_pack
from fronte.cli.shorthand import usage
from fronte.draw.board import board_svg
from fronte.draw.check import wrong_looks
from fronte.draw.sheet import read_sheet
from fronte.engine.decision import AUTO, Action, Frame
from fronte.engine.flow import settle
from fronte.engine.frames import faults
from fronte.engine.pack import Pack, PackError, reading
from fronte.engine.sketch import SideSketch
from fronte.engine.text import Names
from fronte.games.common.boards import read_counters
from fronte.games.registry import open_pack

runner = CliRunner()


def play(*lines: str, game: str, language: str = "en") -> str:
    """What the terminal says to these lines, spaces and line ends as one space."""
    words = ["text", game, "--open", "--seed", "7", "--language", language]
    done = runner.invoke(app, words, input="\n".join([*lines, "quit"]) + "\n")
    assert done.exit_code == 0, done.output
    return re.sub(r"\s+", " ", done.output)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# Frames


def test_a_frame_that_nobody_declared_is_named(probe: str) -> None:
    match = fronte.new(probe, seed=1)
    rules, state = match.rules, match.state
    state.frames.append(Frame("nope", AUTO))
    with pytest.raises(KeyError) as wrong:
        settle(rules, state, [])
    assert str(wrong.value).startswith("no chapter of the rules declares a step 'nope'; those declared are ")
    state.frames.append(Frame("nope", AUTO))  # a step is taken off before it runs
    assert "frames[3] (nope): no chapter of the rules declares it" in list(faults(rules.frames, rules, state))


def test_a_decision_laid_as_a_step_is_named(probe: str) -> None:
    match = fronte.new(probe, seed=1)
    match.state.frames.append(Frame("plan", AUTO))
    with pytest.raises(KeyError, match="declares a step 'plan'"):
        settle(match.rules, match.state, [])


# Packs


def test_pack_check_finds_italian_rules_that_nobody_reads(probe: str, tmp_path: Path) -> None:
    (tmp_path / "rules.it.toml").write_text('["1"]\ntitle = "I piani"\n[["rule"]]\nid = "2"\n', encoding="utf-8")
    told = [str(wrong) for wrong in check_pack(probe, [tmp_path])]
    assert len(told) == 1 and told[0].startswith("rules.it.toml") and "rule is no rule of rules.toml" in told[0]
    assert not check_pack(probe, [])


def test_pack_check_finds_what_the_painter_does_not_know(probe: str) -> None:
    look = (PROBE_DATA / "look.toml").read_text(encoding="utf-8")
    told = 'terrain = { wood = "woods" }'
    assert told in look
    files = {file: (PROBE_DATA / file).read_text(encoding="utf-8") for file in ("hexes.csv", "units.csv")}
    water = {"hexsides.csv": "a,b,water\n0101,0102,brook\n"}
    wrong = wrong_looks(Pack((), files | water | {"look.toml": look.replace(told, "")}))
    assert [(one.file, one.line and one.line > 1) for one in wrong] == [("hexes.csv", True), ("hexsides.csv", True)]
    assert "terrain 'wood' is not drawn" in wrong[0].why and "water 'brook' is not drawn" in wrong[1].why
    assert not wrong_looks(Pack((), files | {"look.toml": look}))


def test_water_needs_no_name(probe: str) -> None:
    lines = (PROBE_DATA / "hexsides.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "a,b,water,ford,name"
    pack = open_pack(probe, inline={"hexsides.csv": "\n".join(line.rpartition(",")[0] for line in lines) + "\n"})
    assert set(Names(pack).water.values()) == {""}
    assert "<svg" in board_svg(read_sheet(pack))


def test_a_board_needs_no_more_than_its_hexes(probe: str) -> None:
    hexes = [line.partition(",")[0] for line in (PROBE_DATA / "hexes.csv").read_text(encoding="utf-8").splitlines()]
    pack = open_pack(probe, inline={"hexes.csv": "\n".join(hexes) + "\n", "hexsides.csv": "a,b\n"})
    assert set(Names(pack).hex) == set(hexes[1:])
    assert "<svg" in board_svg(read_sheet(pack))


def test_a_bad_hex_of_a_counter_is_told_with_file_and_line(probe: str) -> None:
    match = fronte.new(probe, seed=1)
    pack = Pack((), {"units.csv": "id,at\nred-1,9999\n"})
    with pytest.raises(PackError, match=r"units\.csv:2: unit red-1: there is no hex '9999' on the board"):
        read_counters(pack, ("id", "at"), lambda row: match.rules.read_hex(row["at"]))
    told = r"^scenarios\.toml: there is no hex '9999' on the board"
    with pytest.raises(PackError, match=told), reading("scenarios.toml"):
        match.rules.read_hex("9999")


# What people read


def test_pieces_made_in_play_have_names(probe: str) -> None:
    rules = fronte.new(probe).rules
    assert rules.texts("en").unit("gold-p1") == "Gold patrol 1"
    assert rules.texts("it").unit("gold-p2") == "pattuglia 2 (Oro)"
    assert rules.texts("en").unit("gold-x1") == "gold-x1", "a word that the texts have not"


def test_a_hexside_that_cannot_be_drawn_is_refused_when_it_is_made() -> None:
    with pytest.raises(ValueError, match="stream, river, cliff or not at all, not as 'brook'"):
        SideSketch("brook")


class Go(Action, frozen=True):
    """A move whose way is written with commas."""

    form = "go {unit} {path}"
    unit: str
    path: tuple[str, ...]


class Went(Go, frozen=True):
    """The same with dashes."""

    form = "went {unit} {path:-}"


def test_how_an_action_is_written_follows_its_form() -> None:
    assert usage(Go) == "go UNIT HEX,HEX"
    assert usage(Went) == "went UNIT HEX-HEX"


def test_help_speaks_the_verbs_of_the_game(probe: str) -> None:
    told = play("help", "odds", game=probe)
    assert "march UNIT HEX" in told and "odds ACTION" in told and "whole" in told
    assert "move UNIT" not in told and "guns UNIT" not in told and "corps" not in told
    told = play("help", game=probe, language="it")
    assert "march UNITÀ ESAGONO" in told and "rapporto AZIONE" in told and "cannoni" not in told


def test_help_of_a_game_with_corps_and_guns() -> None:
    told = play("2", "help", "odds", game="isonzo")
    assert "move UNIT HEX" in told and "guns UNIT" in told and "a corps number" in told
    assert "muovi UNITÀ ESAGONO" in play("2", "help", game="isonzo", language="it")


def test_the_map_leaves_out_what_is_not_in_play(probe: str) -> None:
    rules = fronte.new(probe, "farm").rules
    view = fronte.new(probe, "farm").view("north")
    outside = [name for name in rules.grid.ids if name not in rules.setting.extent]
    drawn = charmap.draw(rules, view, {}, list(rules.grid.ids)).plain
    assert outside and not any(name in drawn for name in outside)
    assert all(name in drawn for name in rules.setting.extent)


def test_forces_that_begin_alike_have_two_letters(probe: str) -> None:
    told = play("map all", game=probe)
    assert "GO" in told and "GR" in told and "RC" in told.replace(" ", "")


def test_luck_is_told_in_what_the_game_counts(probe: str, tmp_path: Path) -> None:
    match, rng = fronte.new(probe, seed=3), Random(3)
    while match.result is None:
        match.play(match.sample(rng))
    file = tmp_path / "game.fronte"
    file.write_text(match.save(), encoding="utf-8")
    english = runner.invoke(app, ["luck", str(file)]).output
    assert "losses inflicted" in english and "throws" in english
    assert "combats" not in english and "reductions" not in english
    assert "perdite subite" in runner.invoke(app, ["luck", str(file), "--language", "it"]).output


def test_a_path_is_no_answer_to_whether_the_seed_is_kept() -> None:
    with pytest.raises(TypeError):
        fronte.new("isonzo", seed=1).save("/tmp/x")  # type: ignore[misc]


@pytest.mark.parametrize("language", ["en", "it"])
def test_luck_has_words_for_every_screen_in_any_game(probe: str, language: str) -> None:
    plain, own = (fronte.new(game).rules.texts(language) for game in (probe, "isonzo"))
    assert plain.tables["luck"].keys() == own.tables["luck"].keys()
    assert plain.luck("told", n=1, luck="+2", share=90) != own.luck("told", n=1, luck="+2", share=90)
