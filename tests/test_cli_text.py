"""A game at the terminal: what is typed, what is shown, and what must not be shown."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from every import every_game, inferno_games
from typer.testing import CliRunner

import fronte
from fronte.casebook import Case, CaseFile, begin
from fronte.cli import app, charmap, show
from fronte.cli.commands import COMMANDS
from fronte.cli.shorthand import Misread, Reader, pick, usage
from fronte.cli.words import Words
from fronte.engine.notation import to_text
from fronte.engine.text import LANGUAGES, Texts
from fronte.engine.view import Piece
from fronte.games.registry import GAMES, data_folder

runner = CliRunner()


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(*lines: str, options: tuple[str, ...] = ("--open",), game: str = "isonzo") -> str:
    """Type these lines into a new game and read the screen."""
    result = runner.invoke(app, ["text", game, "--seed", "7", *options], input="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.output
    return result.output


def unwrapped(screen: str) -> str:
    """What stands on the screen, wherever its lines end."""
    return " ".join(screen.split())


def reader(language: str = "en") -> Reader:
    match = fronte.new("isonzo", seed=7)
    while match.decision is not None and match.decision.kind != "movement":
        match.play("end")
    rules: Any = match.rules
    return Reader(match, Texts.read(rules.pack, language).names, Words(language))


def test_quitting_saves_and_the_game_goes_on() -> None:
    told = play("end", "move livorno 2513", "quit")
    assert "LIVORNO moves 2314-2414-2513." in told
    assert "Saved to isonzo-7.fronte." in told
    again = runner.invoke(app, ["text", "--open", "--load", "isonzo-7.fronte"], input="undo\nlog 1\nquit\n").output
    assert "LIVORNO moves" in again
    assert (match := fronte.load(Path("isonzo-7.fronte").read_text(encoding="utf-8"))).decision is not None
    assert match.decision.kind == "movement"


def test_a_game_with_an_owners_pack_is_saved_and_goes_on() -> None:
    """The folder's values are those of the game; without the folder its save is refused."""
    printed = (data_folder("isonzo") / "units.csv").read_text(encoding="utf-8")
    row = next(line for line in printed.splitlines() if line.startswith("it-livorno,"))
    Path("my own").mkdir()
    Path("my own", "units.csv").write_text(printed.replace(row, row.replace(",2,7,5,", ",2,9,5,")), encoding="utf-8")
    told = play("unit livorno", "quit", options=("--pack", "my own", "--seat", "italian", "--opponent", "random"))
    assert "9-5-6" in told
    assert "--load isonzo-7.fronte --seat italian --opponent random --pack 'my own'" in unwrapped(told)
    load = ["text", "--load", "isonzo-7.fronte", "--seat", "italian"]
    again = runner.invoke(app, [*load, "--pack", "my own"], input="unit livorno\nload isonzo-7.fronte\nquit\n")
    assert "9-5-6" in again.output and "Loaded isonzo-7.fronte" in again.output
    refused = runner.invoke(app, load)
    assert refused.exit_code == 1 and "another data pack" in refused.stderr
    text = Path("isonzo-7.fronte").read_text(encoding="utf-8")
    assert fronte.load(text, packs=["my own"]).save() == text


def test_why_alone_says_how_it_is_written() -> None:
    assert "It is written: why ACTION" in play("why", "quit")


def test_why_of_an_action_of_another_decision_says_what_is_asked_now() -> None:
    """Its verb is no unit, and the word after it no hex."""
    told = unwrapped(play("why activate it-friuli", "quit", game="caporetto"))
    assert "activate is not possible now" in told and "no unit" not in told


def test_names_with_blanks_are_read_and_moves_and_assaults_told() -> None:
    """A counter of Caporetto is typed as it is printed; `legal` with a verb tells what can be done besides moving; who
    wins an assault is said in words."""
    match = fronte.new("caporetto", "maggiore", seed=1)
    for line in ("prepare", "plan ah-217", "keep", "keep", "hold", "hold", "activate ah-217", "hq 4719"):
        match.play(line)
    Path("turn.fronte").write_text(match.save(), encoding="utf-8")
    lines = [
        "odds assault I/14 4716",
        "move III/14 4717",
        "legal assault",
        "odds assault iii/14 4716",
        "move I/KJ 3 4517",
        "legal a",
    ]
    again = runner.invoke(app, ["text", "--load", "turn.fronte", "--open"], input="\n".join([*lines, "quit"]))
    told = unwrapped(again.output)
    assert "I/14 is not next to 4716" in told
    assert "assault ah-14-3 4716" in told
    assert "14th Army, outcome: defender 100.0 %." in told
    assert "I/KJ 3 does not act now" in told


@every_game
def test_the_end_of_the_input_saves_too(game: str) -> None:
    assert f"Saved to {game}-7.fronte." in play("end", game=game)
    assert f"Saved to {game}-7-2.fronte." in play("end", game=game), "an older game is not overwritten"


@pytest.mark.costly
@pytest.mark.parametrize(
    ("game", "first", "unit"),
    [
        ("isonzo", ("2", "end", "end", "attack 2512 with avellino,gaeta guns all"), "AVELLINO"),
        ("altipiani", ("", "attack 1811 with 5inf guns all"), "ANCONA"),
    ],
)
def test_a_whole_game_with_two_people(game: str, first: tuple[str, ...], unit: str) -> None:
    """An attack in the first turn, then both sides only pass, reinforcements too: the game ends by the rules."""
    pass_all = ("--option", "hold_back=true")
    told = play(*first, *["1"] * 12, *["end", "1", "y"] * 600, options=pass_all, game=game)
    assert unit in told
    saved = fronte.load(Path(f"{game}-7.fronte").read_text(encoding="utf-8"))
    assert saved.result is not None and any(event.kind == "attacked" for event in saved.events)
    texts = Texts.read(saved.rules.pack)  # type: ignore[attr-defined]
    level = texts.word("level", saved.result.level)
    assert f"The game is over: {level}, {saved.result.score} {texts.line('vp', {})}." in unwrapped(told)
    assert f"Saved to {game}-7.fronte." in told


@inferno_games
def test_one_person_against_the_program(game: str) -> None:
    told = play(*["end", "y"] * 4, *["1"] * 5, "quit", options=("--seat", "italian", "--opponent", "random"), game=game)
    assert "Pass the keyboard" not in told
    assert "You play the Italians" in told
    assert "Turn 2, the Austro-Hungarian player turn." in told


def test_one_person_against_the_program_in_a_game_of_another_family(probe: str) -> None:
    told = play(*["1", "pass", "done", "hold"] * 40, options=("--seat", "north", "--opponent", "random"), game=probe)
    assert "Pass the keyboard" not in told
    assert "You play the North" in told
    assert "The game is over: " in told


def test_names_and_ways_are_understood_in_any_game(probe: str) -> None:
    told = play(
        "plan red", "plan blue", "activate red", "reach r1", "march r1 0304", "march b1 0305", "quit", game=probe
    )
    assert "R1 has 3 movement points" in told and "It can also: R1 forms column." in told
    assert "R1 marches 0302-0303. [3] R1 marches 0303-0304 (Oak). [3]" in unwrapped(told)
    assert "There is no unit 'b1' among those you can name here." in unwrapped(told)


@pytest.mark.costly
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_can_be_shown(game: str, language: str) -> None:
    """Every command of every seat in the first phases, in every language."""
    match = fronte.new(game, seed=7)
    rules: Any = match.rules
    hexes = list(rules.setting.objectives)[:2]
    ask = [*(f"hex {name}" for name in hexes), "units", "units off", "units enemy", "legal", "score", "order", "log"]
    ask += [f"unit {piece.id}" for piece in match.view(rules.seats[0]).own()[:3]]
    turn = ["now", *ask, "help", "rules", "1" if game == "probe" else "end"]
    told = play(*turn * 4, "map all", "quit", game=game, options=("--open", "--language", language))
    for name in hexes:
        assert told.count(f"{name} (") > 4
    before, board = told.rsplit("map all", 1)
    assert not re.search(r"[{}]", before), "nothing is left of a template"
    assert all(name in board for name in rules.setting.extent or rules.grid.ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scenario_has_its_screens(game: str, scenario: str, language: str) -> None:
    """Help and lists at the first decision, which in some is a set-up and in others lacks some of the formations."""
    match = fronte.new(game, scenario, seed=7)
    assert match.decision is not None
    mine = match.view(match.decision.seat).own()[0].id
    ask = ("now", "help", "units", "legal", f"legal {mine}", f"reach {mine}", f"unit {mine}", "score", "quit")
    told = play(*ask, game=game, options=("--open", "--scenario", scenario, "--language", language))
    assert "help" in told and not re.search(r"[{}]", told), "nothing is left of a template"


def test_a_turn_of_altipiani() -> None:
    """The barrage of the first Combat Phase, and the Italian turn after it."""
    told = unwrapped(
        play(
            "odds 1811 with 5inf guns all",
            "odds 1811 with 5inf,15inf guns all",
            "bombard 1709/1610 with art-20-1",
            "end",
            "unit lambro",
            "move lambro 2411",
            "move fort-enna 2218",
            "unit sicilia",
            "move jonio 2604",
            "move campania 3516",
            "attack 2410 with jonio",
            "quit",
            game="altipiani",
        )
    )
    assert "Turn 1 (15-16 May 1916) · Combat Phase of the Austro-Hungarians · 10 A-H VP (Italian strategic" in told
    assert "Strength 6 against 4 (2.5:1)" in told, "the barrage flanks (12.4.b)"
    assert "Refused: 4 steps attack from 1810; 1811 allows 2 [7.8.a*]" in told
    assert "bridges are not bombarded in this game [12.3]" in told
    assert "LAMBRO may not move on turn 1 unless it has been attacked [12.4.c*]" in told
    assert "FORTE M. ENNA is a fortress and does not move [12.2.d*]" in told
    assert "enters on turn 2 at 1018-1020" in told
    assert "Refused: a crag parts 2704 and 2604 [4.5]" in told
    assert "CAMPANIA moves 3718-3618-3517-3516." in told
    assert "Refused: attack is not possible now. Move your units one at a time; CAMPANIA still has 5 MP. [7.0]" in told


def test_the_hand_over_leaks_nothing() -> None:
    """After the line that clears the screen nothing stands that only the first player knew."""
    told = play("", "end", "units", "end", "end", "", "log 100", "units", "quit", options=())
    before, after = told.split("Pass the keyboard to the Austro-Hungarian player.")
    hidden = "it-girgenti"  # it lies under FORLI
    assert hidden in before and hidden not in after
    assert "low supply" in before, "the Italian knows the supply of his units"
    assert "FORLI in 2413 (Vodice) is in low supply" not in after
    assert "ah-pion" in after


def test_hidden_units_cannot_be_asked_for() -> None:
    told = play("end", "unit ah-110lst", "unit ah-111lst", "hex 2312", "units enemy", "map 2312", "quit")
    card = told.split("111. Landsturmbrigade")[1].splitlines()
    assert any("You do not see it on the map." in line for line in card[:5])
    assert told.count("ah-111lst") == 2, "typed once, and on its card"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("move livorno 2214", "Refused: 2214 (Descla) holds an enemy combat unit [4.1.b]"),
        ("move napoli 1410", "Refused: NAPOLI is in reserve and does not move [13.1.a]"),
        ("move rgf 2213", "'rgf' could be it-rgf-1, it-rgf-2."),
        ("move nobody 2213", "There is no unit 'nobody'"),
        ("move livorno 9999", "There is no hex or place '9999'"),
        ("move livorno", "It is written: move UNIT HEX-HEX"),
        ("move livorno 2314", "it-livorno is there already."),
        ("attack 2412 with forli", "Refused: attack is not possible now."),
        ("why move livorno 2513", "That is allowed now."),
        ("why move livorno 2214", "4.1.b No entry into enemy combat units: "),
        ("recover livorno", "Refused: LIVORNO has no reduction"),
        ("dance", "There is no command 'dance' now."),
        ("undo", "Taken back."),
        ("99", "There is no command '99' now."),
        ("rules 7.9", "7.9 Flank attack"),
        ("rules flank", "7.9.1"),
        ("rules xyzzy", "There is no rule 'xyzzy'"),
        ("hex plava", "2215 (Plava): hill, level 1"),
        ("unit forli", "Brigata Forlì"),
        ("units 8", "it-lambro"),
        ("units off", "in the reserve box"),
        ("reach udine", "UDINE has 6 movement points"),
        ("legal", "Units that can still move: "),
        ("score", "15-24 draw"),
        ("order", "order KIND POLICY gives one"),
        ("order support all", "From now on: every gun in range fires for the defence."),
        ("order support some", "no policy 'some' for support"),
        ("odds 2412 with forli", "Odds are asked for an action that throws dice now"),
        ("load nowhere", "nowhere: No such file or directory"),
        ("save here.fronte", "Saved to here.fronte."),
        ("now", "What now: Move your units one at a time."),
        ("help", "take back, until dice fall or something hidden shows"),
        ("map", "I/A Italian/A-H stack"),
    ],
)
def test_answers_in_the_movement_phase(line: str, answer: str) -> None:
    told = unwrapped(play("end", line, "quit")).split("end when done", 2)[-1]
    assert answer in told


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("attack 2412", "Can attack 2412 (Kobilek), with their printed strength: it-forli (6-5), it-girgenti (6-5)."),
        ("attack 2313", "Refused: there is no enemy in 2313 (Kuk 611) [7]"),
        (
            "odds 2412 with forli,girgenti guns all",
            "Strength 10 against 6 (1:1) [8.1]; terrain of the hex [7.8]; trench (−1)",
        ),
        ("odds 2412 with forli,avellino", "Refused: AVELLINO is not adjacent to 2412 (Kobilek) [7]"),
        ("legal", "Guns in range, with their artillery value: it-art-4-1"),
        ("legal bombard", "bombard 1107/1108 with it-art-4-1"),
        ("move livorno 2513", "Refused: move is not possible now."),
        (
            "attack 2412 with forli,girgenti",
            "What now: 2412 (Kobilek), held by 47 INF, is attacked by FORLI and GIRGENTI",
        ),
    ],
)
def test_answers_in_the_combat_phase(line: str, answer: str) -> None:
    assert answer in unwrapped(play("end", "end", line, "quit"))


def test_the_end_of_a_phase_warns_of_overstacking() -> None:
    told = play("end", "move udine 2413", "end", "n", "end", "y", "quit")
    assert told.count("Overstacked, so that units there will be eliminated: 2413 (Vodice).") == 2
    assert "What now: 2413 (Vodice) is overstacked" in told


def test_only_ones_own_action_can_be_taken_back() -> None:
    told = play("end", "end", "end", "undo", "quit", options=("--open", "--option", "fog_stack_size=true"))
    assert "There is nothing to take back" in told


def test_italian() -> None:
    lines = (
        "fine",
        "muovi livorno 2513",
        "perché muovi livorno 2412",
        "raggio udine",
        "annulla",
        "fine",
        "attacca 2412",
        "esci",
    )
    told = unwrapped(play(*lines, options=("--open", "--language", "it")))
    assert "LIVORNO muove 2314-2414-2513." in told
    assert "Rifiutato: in 2412 (Kobilek) c’è un’unità da combattimento nemica [4.1.b]" in told
    assert "Possono attaccare 2412 (Kobilek)" in told
    assert "Salvata in isonzo-7.fronte." in told


def test_answers_are_listed_in_the_words_of_the_language() -> None:
    words = Words("it", fronte.ruleset("isonzo").texts("it"))
    assert words.spoken("build 2215/2314 by it-pont-8") == "getta 2215/2314 di it-pont-8"
    assert words.spoken("recall it-pont-8 to 2215") == "richiama it-pont-8 a 2215"
    assert Words("en").spoken("recall it-pont-8 to 2215") == "recall it-pont-8 to 2215"
    assert "getta 2215/2314 di it-pont-8" in play("esci", options=("--open", "--language", "it"))
    told = play("getta plava/2314 di pont-8", "richiama pont-8 a plava", "esci", options=("--open", "--language", "it"))
    assert "8 PONT. ritira il ponte di barche" in told


def test_both_languages_have_the_same_words() -> None:
    folder = Path(charmap.__file__).parent
    screens = [tomllib.loads((folder / f"screen.{name}.toml").read_text(encoding="utf-8")) for name in LANGUAGES]
    assert set(screens[0]["message"]) == set(screens[1]["message"])
    assert list(screens[0]["help"]) == list(screens[1]["help"])
    verbs = {verb for game in GAMES for choice in fronte.ruleset(game).choices.values() for verb in choice.verbs}
    actions = {str(verb.__struct_config__.tag) for verb in verbs}
    assert not actions & set(COMMANDS), "a word that is a command cannot be typed as an action"
    for screen in screens:
        assert set(screen["commands"].values()) <= set(COMMANDS) | {"end"}, "the words of games are in their packs"
    assert set(COMMANDS) <= set(screens[1]["commands"].values())
    for game in GAMES:
        typed = fronte.ruleset(game).texts("it").tables["typed"]
        choices = fronte.ruleset(game).choices.values()
        own = {str(verb.__struct_config__.tag) for choice in choices for verb in choice.verbs}
        assert own <= set(typed.values()) | {"end"} and set(typed.values()) <= actions


def test_names_may_be_short() -> None:
    names = [("it-forli", ("forli", "FORLI")), ("it-firenze", ("firenze", "FIRENZE")), ("it-re", ("re", "RE"))]
    assert pick("re", names) == ["it-re"], "a name spelt in full wins"
    assert pick("f", names) == ["it-forli", "it-firenze"]
    assert pick("enz", names) == ["it-firenze"]
    assert pick("x", names) == pick("", names) == []


def test_lines_are_read_as_people_write_them() -> None:
    spoken = reader()
    action: Any = spoken.action("m livorno 2414-2513")
    assert (action.unit, action.path) == ("it-livorno", ("2414", "2513"))
    far: Any = spoken.action("move livorno 2513")
    assert far.path == ("2414", "2513")
    assert usage(spoken.verbs()["end"]) == "end [keep UNIT,UNIT]"
    for form in (
        "move UNIT HEX-HEX [with UNIT,UNIT] [by country]",
        "assault UNIT HEX [with UNIT,UNIT] [by road]",
        "storm UNIT HEX [with UNIT,UNIT] [by road]",
        "counter UNIT,UNIT at HEX [by HEX-HEX] [marching hard] [along road]",
        "division DIVISION",
        "hand UNIT UNIT",
    ):
        found = {usage(verb) for choice in fronte.ruleset("caporetto").choices.values() for verb in choice.verbs}
        assert form in found
    with pytest.raises(Misread, match="It is written"):
        spoken.hexside("2215")
    assert spoken.hexside("2314/plava") == "2215/2314"


def test_hexsides_are_read_in_any_game(probe: str) -> None:
    match = fronte.new(probe, seed=7)
    spoken = Reader(match, Texts.read(match.rules.pack, "en").names, Words("en"))
    assert spoken.hexside("0303/0302") == spoken.hexside("0302/0303") == "0302/0303"


LETTERS = {"italian": "I", "ah": "A"}


def test_the_map_shows_stacks_and_water() -> None:
    match = fronte.new("isonzo", seed=7)
    rules: Any = match.rules
    drawn = charmap.draw(rules, match.view("italian"), LETTERS, charmap.section(rules.grid, "2413", 5, 3)).plain
    assert "FORLI" in drawn and "I 6-5+1#" in drawn
    assert "47 INF" in drawn and "A 4-6#" in drawn
    assert "≈≈≈≈≈≈" in drawn and "2413T5" in drawn
    whole = charmap.draw(rules, match.view("ah"), LETTERS, list(rules.grid.ids)).plain
    assert "GIRGENTI" not in whole
    assert all(name in whole for name in rules.board.grid.ids)


def test_the_map_shows_crags_mountains_and_forts() -> None:
    match = fronte.new("altipiani", seed=7)
    rules: Any = match.rules
    view = match.view("ah")
    drawn = charmap.draw(rules, view, LETTERS, charmap.section(rules.grid, "2612", 5, 5)).plain
    assert "^" in drawn and "2611M5" in drawn and "2513m1" in drawn
    assert "FCAMPOLO" in drawn and "I 0-3F" in drawn, "a fortress that stands alone"
    assert "I 0-3#F" in charmap.draw(rules, view, LETTERS, ["2708"]).plain
    gone = Piece("italian", "eliminated", "it-fort-campolongo")
    fallen = msgspec.structs.replace(view, pieces=(*(p for p in view.pieces if p.id != gone.id), gone))
    assert rules.sketch(view).hexes["2611"].mark == "F" and rules.sketch(fallen).hexes["2611"].mark == ""
    isonzo: Any = fronte.new("isonzo", seed=7)
    plain = charmap.draw(isonzo.rules, isonzo.view("ah"), LETTERS, list(isonzo.rules.grid.ids)).plain
    assert "^" not in plain


@pytest.mark.parametrize("odd_columns_lower", [True, False])
def test_columns_of_the_map_lie_as_on_the_board(odd_columns_lower: bool) -> None:
    water = "2412/2511" if odd_columns_lower else "2412/2513"
    board = {"span": "2310-2514", "odd_columns_lower": odd_columns_lower, "side": {water: {"water": "river"}}}
    match = begin(CaseFile("4", "isonzo", ()), Case("a river at the right of 2412", board=board))
    rules: Any = match.rules
    lines = charmap.draw(rules, match.view("italian"), LETTERS, list(rules.board.grid.ids)).plain.splitlines()
    place = {
        name: (n, line.index(name)) for n, line in enumerate(lines) for name in rules.board.grid.ids if name in line
    }
    down, right = place["2412"]
    lower = 2 if odd_columns_lower else -2
    assert place["2312"] == (down + lower, right - charmap.WIDE)
    assert place["2512"] == (down + lower, right + charmap.WIDE)
    # the two strokes of the hexside above on the right, or below
    strokes = [(0, 6, "}"), (1, 7, "}")] if odd_columns_lower else [(2, 7, "{"), (3, 6, "{")]
    found = [(n - down, k - right, char) for n, line in enumerate(lines) for k, char in enumerate(line) if char in "{}"]
    assert found == strokes


@every_game
def test_the_map_shows_some_of_the_ground_at_any_time(game: str) -> None:
    """Also before anybody is on the map, and before the sides have met."""
    ways = ([], ["historical"], ["historical", "ready", "historical", "ready"]) if game == "volturno" else ([],)
    for way in ways:
        assert re.search(r"[/{]\d{4}", play(*way, "map", "quit", game=game, options=("--open",)))


@every_game
def test_the_whole_map_names_every_hex(game: str) -> None:
    match = fronte.new(game, seed=7)
    rules: Any = match.rules
    for seat in rules.seats:
        whole = charmap.draw(rules, match.view(seat), LETTERS, list(rules.grid.ids)).plain
        assert all(name in whole for name in rules.setting.extent or rules.grid.ids)


@pytest.mark.parametrize(
    ("game", "turn", "day"),
    [
        ("isonzo", 2, "19 August 1917"),
        ("altipiani", 1, "15-16 May 1916"),
        ("altipiani", 9, "31 May-1 June 1916"),
        ("altipiani", 14, "10-11 June 1916"),
    ],
)
def test_dates(game: str, turn: int, day: str) -> None:
    assert show.date(fronte.ruleset(game), Words("en"), turn) == day


@inferno_games
def test_the_levels_of_victory(game: str) -> None:
    rules: Any = fronte.ruleset(game)
    told = show.levels(rules, Texts.read(rules.pack))
    assert told.startswith("≤ ") and told.count(";") == len(rules.setting.levels) - 1 and "; ≥ " in told
    limits = [most for _, most in rules.setting.levels]
    assert limits[-1] is None and limits[:-1] == sorted(limits[:-1])
    for name, most in rules.setting.levels[:-1]:
        assert rules.level(most) == name != rules.level(most + 1)


def test_orders_with_conditions_at_the_keyboard(probe: str) -> None:
    order = "order react shoot odds=50 when=after; hold"
    told = unwrapped(play(order, "order", "order react shoot odds=many", "whole", "quit", game=probe))
    said = "From now on: shoot at passers-by (chance at least (%): 50, when: when it has come)"
    assert f"{said}; do not shoot at passers-by." in told
    assert "shoot odds=50 when=after; hold" in told and "odds=0-100" in told
    assert "odds= is a number from 0 to 100, not 'many'" in told
    assert "There is no move now to which one could react." in told


def test_the_screen_is_wiped_only_where_something_is_hidden(probe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wiped = "The screen was cleared"
    assert wiped in play("", "plan red", "", "quit", options=(), game=probe)
    kind: Any = type(fronte.ruleset(probe))
    monkeypatch.setattr(kind, "capabilities", msgspec.structs.replace(kind.capabilities, hidden=False))
    assert wiped not in play("plan red", "quit", options=(), game=probe)


def test_formations_are_known_by_part_of_their_name() -> None:
    """Whoever types need not know how a formation is written; what is no formation is for the rules to refuse."""
    match = fronte.new("caporetto", "maggiore", seed=3)
    reader = Reader(match, match.rules.texts("en").names, Words("en", match.rules.texts("en")))
    typed = reader.action("prepare friuli=5, potenza=0")
    assert to_text(typed) == "prepare it-friuli=5,it-potenza=0"
    match.play(typed)
    assert to_text(reader.action("plan 217,ksch1")) == "plan ah-217,ah-ksch1"
    assert to_text(reader.action("plan nowhere")) == "plan nowhere"


def test_pieces_made_in_play_are_known_by_the_words_for_them() -> None:
    """`[made]`: a company that has just been detached has no line of its own among the counters."""
    match = fronte.new("caporetto", "cividale", seed=3)
    for language, typed in (("en", "company2"), ("it", "compagnia2")):
        texts = match.rules.texts(language)
        reader = Reader(match, texts.names, Words(language, texts))
        battalions = sorted(name for name in texts.names.unit if name.startswith("de-23-"))[:1]
        companies = [f"{battalions[0]}-co{n}" for n in (1, 2)]
        assert reader.unit(typed, [*battalions, *companies]) == companies[1]
        with pytest.raises(Misread):
            reader.unit("company9", [*battalions, *companies])


def test_a_verb_with_a_hex_alone_is_a_question_in_every_game(tmp_path: Path) -> None:
    """`assault HEX` lists who could, and `legal` lists what the game offers, whatever its offer is made of."""
    save, rng, seen = tmp_path / "game.fronte", Random(5), set[str]()
    match = fronte.new("caporetto", "maggiore", seed=5)
    while match.decision is not None and seen != {"assault", "bombard"}:
        kind = match.decision.kind
        found = [one for one in match.legal() if one.__struct_config__.tag == "assault"] if kind == "act" else []
        if found and "assault" not in seen:
            seen.add("assault")
            save.write_text(match.save(), encoding="utf-8")
            lines = f"assault {found[0].target}\nassault 4001\nquit\n"
            told = runner.invoke(app, ["text", "--open", "--load", str(save)], input=lines)
            assert told.exit_code == 0, told.output
            assert to_text(found[0]) in unwrapped(told.output)
            assert "Nobody can attack 4001" in unwrapped(told.output)
        if kind == "bombard" and "bombard" not in seen:
            seen.add("bombard")
            save.write_text(match.save(), encoding="utf-8")
            told = runner.invoke(app, ["text", "--open", "--load", str(save)], input="legal\nquit\n")
            assert told.exit_code == 0, told.output
            assert to_text(next(one for one in match.legal() if getattr(one, "aims", ()))) in unwrapped(told.output)
        match.play(match.sample(rng))
    assert seen == {"assault", "bombard"}
