"""Texts: every kind of event and decision can be told in every language, and nothing hidden is told."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from every import COVERED

import fronte
from fronte.ai.reasons import Reason, tell
from fronte.cli import show
from fronte.cli.common import console as screen
from fronte.cli.show import odds_table
from fronte.cli.words import Words
from fronte.engine import panel
from fronte.engine.decision import Decision
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.pack import Pack
from fronte.engine.sheet import Fact, Row, Sheet
from fronte.engine.standing import takes
from fronte.engine.text import LANGUAGES, Names, Texts, fraction, in_language, missing, typographic
from fronte.games.inferno import sheets
from fronte.games.registry import FAMILIES, GAMES, board_folder, data_folder, open_pack
from fronte.server.cards import score_text

ROOT = Path(__file__).parents[1]
GAME_LANGUAGES = [(game, language) for game in GAMES for language in LANGUAGES]


def scenarios(game: str) -> list[str]:
    rules: Any = fronte.ruleset(game)
    return list(rules.scenarios)


def other_options(game: str) -> dict[str, str]:
    """Every option that is true or false, turned round: so that optional rules are played too."""
    book: Any = fronte.ruleset(game).rulebook  # type: ignore[attr-defined]
    turned = {"true": "false", "false": "true"}
    return {option.name: turned[option.default] for option in book.options if option.default in turned}


def random_match(game: str, scenario: str, seed: int, options: dict[str, str] | None = None) -> Iterator[Match]:
    """A random game, at every decision of it."""
    match = fronte.new(game, scenario, seed, options)
    rng = Random(seed)
    while match.decision is not None:
        yield match
        match.play(match.sample(rng))
    yield match


def texts_of(game: str, language: str) -> Texts:
    rules: Any = fronte.ruleset(game)
    return Texts.read(rules.pack, language)


@pytest.mark.parametrize(("game", "language"), GAME_LANGUAGES)
def test_every_decision_and_policy_has_a_text(game: str, language: str) -> None:
    texts, rules = texts_of(game, language), fronte.ruleset(game)
    assert missing(texts, [], list(rules.choices)) == []
    for kind, policies in rules.standing.items():
        assert set(policies) <= set(texts.tables["policy"][kind]), kind
        taken = {parameter.name for policy in policies.values() for parameter in takes(policy)}
        assert taken <= set(texts.tables.get("parameter", {}).get(kind, {})), kind
    assert set(rules.chances) <= set(texts.tables["die"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_screens_are_in_the_pack(any_game: str, language: str) -> None:
    """Every kind of decision, every action, every reading of an option; of panels what stands above them."""
    rules: Any = fronte.ruleset(any_game)
    tables = Texts.read(rules.pack, language).tables
    assert set(rules.choices) <= set(tables["question"])
    verbs = {str(verb.__struct_config__.tag) for choice in rules.choices.values() for verb in choice.verbs}
    assert verbs <= set(tables["action"])
    values = {str(value) for option in rules.rulebook.options for value in option.values}
    readings = {value for value in values if value not in ("true", "false") and not value.isdigit()}
    assert readings <= set(tables.get("reading", {}))
    for name, choice in rules.choices.items():
        if choice.panel in (panel.SUBSET, panel.ALLOCATE, panel.PATH):
            assert tables["panel"][name]["title"]


def told_kinds(folder: Path) -> set[str]:
    """The kinds of all events that the modules of a folder make."""
    found: set[str] = set()
    files = {file.name: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.py"))}
    makers = {"Event": 0} | {maker: at for tree in files.values() for maker, at in _makers(tree)}
    for name, tree in files.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers and node.args:
                kind = node.args[makers[node.func.id]]
                if isinstance(kind, ast.Name) and kind.id == "kind":
                    continue  # in a function that is told the kind
                for one in _either(kind):
                    assert isinstance(one, ast.Constant), f"{name}:{node.lineno}: which kind of event?"
                    found.add(str(one.value))
    return found


def _either(kind: ast.expr) -> list[ast.expr]:
    """What an expression can be: one of several where it depends."""
    return [*_either(kind.body), *_either(kind.orelse)] if isinstance(kind, ast.IfExp) else [kind]


def _makers(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Functions that make events of a kind that they are told, and which of their arguments it is."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args]
            if "kind" in names and any(_tells_kind(one) for one in ast.walk(node)):
                yield node.name, names.index("kind")


def _tells_kind(node: ast.AST) -> bool:
    """Is an event made here whose kind is that which the function was told? Other things have kinds too."""
    made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Event" and node.args
    return bool(made) and isinstance(node.args[0], ast.Name) and node.args[0].id == "kind"


@pytest.mark.parametrize(("game", "language"), GAME_LANGUAGES)
def test_every_seat_is_told_what_it_is_after(game: str, language: str) -> None:
    aims = texts_of(game, language).tables["aim"]
    for scenario in scenarios(game):
        for seat in fronte.ruleset(game, scenario).seats:
            entry = aims[seat]
            assert isinstance(entry, str) or scenario in entry or "other" in entry, (scenario, seat)


@pytest.mark.costly(each=True)
@pytest.mark.parametrize(("game", "language"), GAME_LANGUAGES)
def test_every_event_has_a_text(game: str, language: str) -> None:
    own = board_folder(game).parent
    kinds = told_kinds(own) | (told_kinds(own.parent / FAMILIES[game]) if game in FAMILIES else set())
    assert len(kinds) > 20
    assert missing(texts_of(game, language), sorted(kinds), []) == []


@pytest.mark.parametrize(("game", "language"), [pair for pair in GAME_LANGUAGES if FAMILIES.get(pair[0]) == "inferno"])
def test_everything_printed_has_a_word(game: str, language: str) -> None:
    tables, rules = texts_of(game, language).tables, fronte.ruleset(game)
    known: Any = rules
    assert {name for name, _ in rules.setting.levels} <= set(tables["level"])
    assert set(known.scenarios) <= set(tables["scenario"])
    assert set(known.board.terrains) <= set(tables["terrain"])
    assert {counter.type for counter in known.counters} <= set(tables["type"])
    assert {counter.size for counter in known.counters} <= set(tables["size"])
    assert set(rules.seats) <= set(tables["side"]) & set(tables["player"])
    assert {"vp", "score", "status", "legend_1", "legend_2"} == set(tables["screen"])


@pytest.mark.parametrize(
    ("game", "language"), [pair for pair in GAME_LANGUAGES if FAMILIES.get(pair[0], pair[0]) != pair[0]]
)
def test_what_games_share_is_said_once(game: str, language: str) -> None:
    """A game's own texts repeat nothing that its family says already."""
    *_, family = open_pack(game).folders
    shared, own = (Pack([folder]).toml(f"text.{language}.toml") for folder in (family, data_folder(game)))
    assert _flat(own).items().isdisjoint(_flat(shared).items())


def _flat(table: dict[str, Any], path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{path}{key}.")
        elif key != "by":
            found[f"{path}{key}"] = value
    return found


def test_texts_of_several_folders_add_up(tmp_path: Path) -> None:
    """What an owner's folder says goes before the game's own; an entry that chooses is replaced as a whole."""
    mine = tmp_path / "text.en.toml"
    mine.write_text('event.turn = "Turn {turn}!"\nevent.phase = {by = "phase", combat = "Fire!"}\n', encoding="utf-8")
    texts = Texts.read(open_pack("isonzo", [tmp_path]))
    assert texts.event(Event("turn", (), {"turn": 3})) == "Turn 3!"
    assert texts.event(Event("phase", (), {"phase": "combat"})) == "Fire!"
    assert texts.event(Event("phase", (), {"phase": "end", "turn": 3})) == ""
    assert texts.event(Event("halted", (), {"unit": "it-forli", "hex": "2413"})).startswith("FORLI can go no further")


@pytest.mark.parametrize("game", GAMES)
def test_the_languages_tell_the_same_things(game: str) -> None:
    keys = [_keys(texts_of(game, language).tables) for language in LANGUAGES]
    keys = [{key for key in found if not key.startswith("typed")} for found in keys]  # these keys are words themselves
    assert all(other == keys[0] for other in keys)


def _keys(table: dict[str, Any], path: str = "") -> set[str]:
    found = set()
    for key, value in table.items():
        found |= _keys(value, f"{path}{key}.") if isinstance(value, dict) else {f"{path}{key}"}
    return found


@pytest.mark.costly(each=True)
@pytest.mark.parametrize(("game", "language"), GAME_LANGUAGES)
def test_random_games_can_be_told(game: str, language: str) -> None:
    texts = texts_of(game, language)
    ways = [(scenario, {}) for scenario in scenarios(game)] + [(scenarios(game)[0], other_options(game))]
    for seed, (scenario, options) in enumerate(ways):
        asked: set[str] = set()
        marks: set[str] = set()
        for match in random_match(game, scenario, seed, options):
            decision = match.decision
            if decision is not None and decision.kind not in asked:
                asked.add(decision.kind)
                _is_clean(texts.ask(decision))
                assert texts.hint(decision)
                marks |= {mark for piece in match.view(decision.seat).pieces for mark in piece.marks}
        assert marks <= set(texts.tables["mark"])
        for event in match.events:
            for told in (event, *(event.to(seat) for seat in range(len(match.rules.seats)))):
                if told is not None:
                    _is_clean(texts.event(told, cite=False))


def _is_clean(sentence: str) -> None:
    """A sentence: something is said, nothing is left of the template, no gap where a name should be."""
    assert re.match(r"\S.*[.!?:]$", sentence), sentence
    assert not re.search(r"[{}\[\]|]|  |\(\)| ,| ;", sentence), sentence


@pytest.mark.parametrize("game", GAMES)
def test_veiled_events_name_no_unit(game: str) -> None:
    texts = texts_of(game, "en")
    veiled: list[Event] = []
    for seed in range(3, 20):
        *_, match = random_match(game, scenarios(game)[0], seed, COVERED.get(game))
        veiled = [event for event in match.events if event.veiled is not None and event.veiled.get("unit") == ""]
        if veiled:
            break
    assert veiled
    for event in veiled:
        other = Event(event.kind, event.rules, event.veiled or {})
        assert "a unit" in texts.event(other).lower()
        assert texts.unit(event.data["unit"]) not in texts.event(other)


def test_templates() -> None:
    texts = texts_of("isonzo", "en")
    assert texts.fill("{n:#hex|hexes}", {"n": 1}) == "1 hex"
    assert texts.fill("{n:#hex|hexes}", {"n": 2}) == "2 hexes"
    assert texts.fill("{n:#none|hex|hexes}", {"n": 0}) == "none"
    assert texts.fill("{who:side}", {"who": ["italian", "ah"]}) == " and ".join(
        texts.word("side", s) for s in ("italian", "ah")
    )
    assert texts.fill("{u:=goes|go}", {"u": ["a", "b"]}) == "go"
    assert texts.fill("a[ b {x}][{x:!} c]", {"x": ""}) == "a c"
    assert texts.fill("a[ b {x}][{x:!} c]", {"x": 1}) == "a b 1"
    assert texts.fill("{a.b:signed}", {"a": {"b": 3}}) == "+3"
    assert texts.fill("{n}, {n:#point|points}, {n:signed}", {"n": -2}) == "−2, −2 points, −2"  # a minus, no hyphen
    assert texts.fill("{n:signed}", {"n": 0}) == "0"
    assert texts.fill("{corps:roman} Corps", {"corps": "24"}) == "XXIV Corps"
    lead = "{n:<they lead|nobody leads|we lead}[ by {n:unsigned}]"
    assert [texts.fill(lead, {"n": n}) for n in (-3, 0, 2)] == ["they lead by 3", "nobody leads", "we lead by 2"]


def test_garibaldini_who_have_not_seen_the_enemy_are_named_until_they_have() -> None:
    """15.3: nobody would ask them, nor tell them why."""
    match = fronte.new("volturno", scenario="full", seed=5)
    rules: Any = match.rules
    texts = rules.texts("en")
    said = [texts.fill(texts.tables["stage"]["waits"], match.view(seat).family) for seat in rules.seats]
    assert said[0] == said[1] and "Not yet: the 16th Division, the 17th Division" in said[0] and "15.3" in said[0]
    match.state.seen = ~0
    assert texts.fill(texts.tables["stage"]["waits"], match.view("garibaldini").family) == ""


def test_a_rule_is_read_in_one_language() -> None:
    """What a book leaves open is told in English only; in Italian the ruling says how it is read."""
    for game in ("isonzo", "altipiani", "volturno", "caporetto"):
        book = fronte.ruleset(game).rulebook
        unclear = [name for name, rule in book.rules.items() if rule.issue]
        assert unclear
        for name in unclear:
            told = book.rule(name, "it")
            assert told.issue == book.translations["it"].get(name, {}).get("issue", "") and told.title and told.must
            assert book.rule(name).issue == book.rules[name].issue


def test_a_lead_is_said_to_be_somebodys_and_never_below_nothing() -> None:
    """A score is one side's number; where it is a lead, words say whose, and no minus sign is left to the reader."""
    for game, scenario, whose in (("volturno", "short", "aribaldi"), ("caporetto", "historical", "destra")):
        rules = fronte.ruleset(game, scenario)
        for language in LANGUAGES:
            texts = rules.texts(language)
            told = [score_text(rules, -3, language), show.points(rules, texts, -3)]
            told.append(texts.tally("score_end", {"n": -3, "scenario": scenario}))
            told.append(texts.line("score", {"score": -3, "scenario": scenario}))
            end = Event({"volturno": "over"}.get(game, "result"), (), {"level": "draw", "score": -3, "lead": -3})
            told.append(texts.event(end))
            for one in told:
                assert "3" in one and "−" not in one and "-3" not in one, one
                assert whose in one or (language == "en" and ("Garibaldi" in one or "ight wing" in one)), one


def test_texts_are_set_as_printers_have_them() -> None:
    assert typographic("l'HQ dell'ala, e un po' di tutto") == "l’HQ dell’ala, e un po’ di tutto"
    assert typographic("di' chi la subisce: 'di'") == "di’ chi la subisce: 'di'"
    assert typographic("no match 'x'") == "no match 'x'"  # what is quoted stays so
    assert typographic("37a Divisione, 2o gruppo, 2a Armata") == "37ª Divisione, 2º gruppo, 2ª Armata"
    assert in_language({"it": "L'Isonzo"}, "it") == "L’Isonzo"
    assert [fraction(n, 6) for n in (0, 2, 6, 21)] == ["0", "1/3", "1", "3 1/2"]


def test_names() -> None:
    texts = texts_of("isonzo", "en")
    assert texts.unit("") == "a unit"
    assert texts.unit("?2312") == "a unit"
    assert texts.unit("it-forli") == "FORLI"
    assert texts.unit("ah-art-24-1") != texts.unit("it-art-24-1")
    assert texts.hex("2215") == "2215 (Plava)"
    assert texts.where("box") == "in the reserve box"
    assert texts.units([]) == "some units"


def test_only_guns_limber() -> None:
    texts = texts_of("volturno", "en")
    guns = next(unit for unit, kind in texts.names.kind.items() if kind == "field_artillery")
    assert texts.action({"do": "form", "unit": "g-lanza", "into": "column"}) == "LANZA forms column"
    assert texts.action({"do": "form", "unit": guns, "into": "column"}) == f"{texts.unit(guns)} limbers"


def test_a_sentence_cites_its_rules() -> None:
    texts = texts_of("isonzo", "en")
    event = Event("taken", ("15.b",), {"hex": "2215", "side": "ah", "name": "Plava"})
    assert texts.event(event) == "The Austro-Hungarians take 2215 (Plava). [15.b]"
    assert texts_of("isonzo", "it").event(event) == "Gli austro-ungarici prendono 2215 (Plava). [15.b]"


def test_what_is_missing_is_named() -> None:
    texts = texts_of("isonzo", "en")
    found = missing(texts, ["moved", "landslide"], ["movement", "parley"])
    assert found == [
        "no text for the event landslide",
        "no ask for the decision parley",
        "no hint for the decision parley",
    ]
    with pytest.raises(KeyError, match="landslide"):
        texts.event(Event("landslide", (), {}))
    with pytest.raises(ValueError, match="no language 'de'"):
        Texts.read(fronte.ruleset("isonzo").pack, "de")  # type: ignore[attr-defined]


def test_names_of_a_board() -> None:
    rules: Any = fronte.ruleset("isonzo")
    names = Names(rules.pack)
    assert names.side["it-forli"] == "italian"
    assert names.water["2215/2314"] == names.water["2314/2215"] == "Isonzo"


@pytest.mark.parametrize(
    ("strength", "en", "it"),
    [
        (4, "on a die of 4 or less", "con un dado di 4 o meno"),
        (6, "on any die", "con qualsiasi dado"),
        (7, "on any die", "con qualsiasi dado"),
        (0, "on no die", "con nessun dado"),
    ],
)
def test_a_die_that_always_or_never_will_do_is_called_that(strength: int, en: str, it: str) -> None:
    about = {"target": "1209", "retreat": 1, "strength": strength}
    asked = Decision("ah", "refusal", ("12.5.1.a",), about)
    for language, words in (("en", en), ("it", it)):
        assert words in texts_of("isonzo", language).ask(asked)


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "1609 is empty: does ROMA advance?", "1609 is empty: who of ROMA and FIRENZE advances?"),
        ("it", "1609 è vuoto: avanza ROMA?", "1609 è vuoto: chi avanza, fra ROMA e FIRENZE?"),
    ],
)
def test_one_unit_is_not_asked_about_as_some_of_many(language: str, one: str, two: str) -> None:
    texts = texts_of("isonzo", language)
    for units, words in ((["it-roma"], one), (["it-roma", "it-firenze"], two)):
        assert texts.ask(Decision("italian", "advance", (), {"target": "1609", "may_advance": units})) == words


@pytest.mark.parametrize("language", ["en", "it"])
def test_prisoners_of_two_wings_are_told_beside_each_other(language: str) -> None:
    """24.7: each wing of the 14th Army has its own; the screen gives both numbers at once."""
    texts = texts_of("caporetto", language)
    assert "135 / 161" in texts.fill(texts.tables["account"]["captures"], {"n": "135 / 161"})


def test_no_losses_are_none_in_both_languages() -> None:
    none, one = (Event("losses", (), {"side": "ah", "reductions": n, "drm": 1}) for n in (0, 1))
    assert texts_of("isonzo", "it").event(none).startswith("Gli austro-ungarici non subiscono perdite (")
    assert texts_of("isonzo", "it").event(one).startswith("Gli austro-ungarici subiscono 1 riduzione (")
    assert texts_of("isonzo", "en").event(none).startswith("The Austro-Hungarians take no losses (")


def test_odds_have_a_decimal_comma_in_italian() -> None:
    """In reasons and in the terminal as on the chart: 1,5:1, never 1.5:1."""
    texts = texts_of("isonzo", "it")
    data = {"hex": "1208", "odds": "1:1.5", "win": 10, "vp": 0, "own": 1.5, "enemy": 0.5}
    told = tell(Reason("attack", data), texts, "isonzo")
    assert "1:1,5" in told and "1.5" not in told
    rows = tuple(Row(what, (53, 163), who) for who in ("italian", "ah") for what in ("loss", "retreat"))
    sheet = Sheet("attack", 216, facts=(Fact("strength", {"attack": 6, "defence": 4}, "1.5:1"),), rows=rows)
    with screen.capture() as shown:
        screen.print(odds_table(sheet, texts, Words("it")))
    assault = {"hex": "2406", "wave": [], "group": [], "attack": 9, "defence": 2, "ratio": "4.5:1", "column": "4.5:1"}
    event = Event("assault", (), assault | {"net": -1, "counter": False})
    assert "4,5:1, −1, colonna 4,5:1" in texts_of("caporetto", "it").event(event)
    assert "1,5:1" in shown.get() and "24,5" in shown.get() and not re.search(r"\d\.\d", shown.get())


def test_columns_beyond_the_table_are_told_in_words() -> None:
    rules: Any = fronte.ruleset("isonzo")
    odds = {"attack": 27, "defence": 3, "column": "9:1", "over": 5, "attack_av": 0, "defence_av": 0, "steps": 4}
    none = {f"{who}_{what}": [216] for who, what in sheets.ROWS}
    sheet = sheets.attack_sheet(rules, odds | none | {"of": 216, "flanked": False, "trench": False})
    ratio, beyond = sheet.facts[:2]
    assert (ratio.key, ratio.effect, beyond.key, beyond.effect) == ("strength", "9:1", "over", "-5")
    assert texts_of("isonzo", "en").odds("over", beyond.data) == "5 columns beyond 4:1, the last one: to the dice"


@pytest.mark.costly(each=True)
@pytest.mark.parametrize(("game", "language"), GAME_LANGUAGES)
def test_no_two_options_have_the_same_words(game: str, language: str) -> None:
    book: Any = fronte.ruleset(game).rulebook  # type: ignore[attr-defined]
    told = [texts_of(game, language).option(option, book) for option in book.options]
    assert len(set(told)) == len(told)


ITALIAN = [path for folder in ("src/fronte", "web/src/words") for path in (ROOT / folder).rglob("*it.t*")]


def test_italian_has_one_word_for_a_thing() -> None:
    """ZdC as in the book, never ZOC; and none of the turns that only a translator would use."""
    stiff = r"\bZOC\b|Costante|A che cosa miri|Da dove viene che cosa|Reclama|al mio posto|La tua parte:"
    assert len(ITALIAN) > 8
    for path in ITALIAN:
        assert re.findall(stiff, path.read_text(encoding="utf-8")) == [], path
