"""What the Inferno games tell at the table is true: causes of a shift, guns left out of odds, results, warnings."""

from __future__ import annotations

from typing import Any

import pytest

import fronte
from fronte.engine.event import Event
from fronte.engine.sheet import Sheet
from fronte.engine.text import LANGUAGES


def case(game: str, units: dict[str, str], **start: Any) -> fronte.Match:
    """A few units on the real board, all others gone."""
    rules: Any = fronte.ruleset(game, "historical")
    placed: dict[str, Any] = {name: {"at": "eliminated"} for name in rules.ids}
    state = rules.case_state(placed | {name: {"at": where} for name, where in units.items()}, start)
    return fronte.position(game, rules.to_position(state), seed=1)


def shift(sheet: Sheet) -> tuple[str, str, str]:
    """What moves the column of an attack: its key, by how much, and by which rule."""
    return next((fact.key, fact.effect, fact.rule) for fact in sheet.facts if fact.effect == "+2")


BARRAGE = {"ah-6geb": "1211", "ah-art-8-1": "1211", "it-mantova": "1212"}


def test_the_initial_bombardment_is_told_as_such_and_not_as_a_flank() -> None:
    """12.4.b: in the odds and in the event, with the rule that says so."""
    match = case("altipiani", BARRAGE, turn=1, active="ah", phase="combat")
    attack = {"do": "attack", "target": "1212", "units": ["ah-6geb"], "guns": ["ah-art-8-1"]}
    assert shift(match.odds(attack)) == ("barrage", "+2", "12.4.b")
    match.play(attack)
    while not any(event.kind == "ratio" for event in match.events):
        match.play(next(match.legal()))
    told = next(event for event in match.events if event.kind == "ratio")
    assert "12.4.b" in told.rules and "7.9" not in told.rules
    assert "bombardment" in match.rules.texts("en").event(told)
    assert "bombardamento" in match.rules.texts("it").event(told)


def test_a_flank_by_position_is_told_as_a_flank() -> None:
    around = {"ah-6geb": "1211", "ah-9geb": "1213", "it-mantova": "1212"}
    match = case("altipiani", around, turn=3, active="ah", phase="combat")
    assert shift(match.odds({"do": "attack", "target": "1212", "units": ["ah-6geb", "ah-9geb"], "guns": []})) == (
        "flanked",
        "+2",
        "7.9",
    )


def test_assault_troops_are_told_as_the_cause_of_their_shift() -> None:
    """12.4.d of Isonzo."""
    rules: Any = fronte.ruleset("isonzo", "historical")
    arditi = next(name for name in rules.ids if rules.infiltrates[rules.number[name]])
    match = case("isonzo", {arditi: "2412", "ah-15geb": "2411"}, turn=3, active="italian", phase="combat")
    found = match.odds({"do": "attack", "target": "2411", "units": [arditi], "guns": []})
    assert shift(found) == ("infiltrated", "+2", "12.4.d")


def test_guns_of_the_enemy_in_sight_are_named_among_what_is_left_out() -> None:
    """12.3.b: a gun and a fort beside the defender; not one that is covered, too far or heavy."""
    attack = {"do": "attack", "target": "1212", "units": ["ah-6geb"], "guns": []}

    def told(guns: dict[str, str], language: str) -> str:
        units = {"ah-6geb": "1211", "it-mantova": "1212"} | guns
        match = case("altipiani", units, turn=3, active="ah", phase="combat")
        return "; ".join(match.rules.texts(language).unknown(match.odds(attack)))

    assert "AV up to 3" in told({"it-art-37": "1213", "it-fort-enna": "1312"}, "en")
    assert "VA fino a 3" in told({"it-art-37": "1213", "it-fort-enna": "1312"}, "it")
    assert "AV" not in told({"it-art-37": "1213", "it-taro": "1213"}, "en")  # it lies under the brigade
    assert "AV" not in told({"it-art-37": "1216", "it-heavy-v": "1213"}, "en")
    assert "AV" not in told({}, "en")


@pytest.mark.parametrize(
    ("which", "scenario", "wrong", "right"),
    [
        ("isonzo", "canale", {"15", "15.f", "1.4"}, {"15.b"}),
        ("altipiani", "vallarsa", {"14.0", "14.0.a"}, {"14.0.b", "14.0.c"}),
        ("isonzo", "historical", set(), {"15", "15.f", "1.4"}),
        ("altipiani", "historical", set(), {"14.0", "14.0.a"}),
    ],
)
def test_a_result_cites_only_rules_that_give_it(which: str, scenario: str, wrong: set[str], right: set[str]) -> None:
    """15.f/14.0.a: a scenario with limits of its own is not decided by those of the book."""
    rules: Any = fronte.ruleset(which, scenario)
    state = rules.empty_state()
    state.outcome = "time"
    cited = set(rules.result(state).rules)
    assert right <= cited and not wrong & cited


@pytest.mark.parametrize("scenario", ["historical", "vallarsa"])
@pytest.mark.parametrize("seat", ["ah", "italian"])
def test_the_aim_says_that_artillery_does_not_count(scenario: str, seat: str) -> None:
    """14.0.c of Altipiani."""
    words = {"en": "artillery does not count", "it": "l'artiglieria non conta"}
    for language in LANGUAGES:
        aim = fronte.ruleset("altipiani", scenario).texts(language).tables["aim"][seat]
        assert words[language] in aim[scenario if scenario in aim else "other"]


def test_a_fort_is_a_he_and_a_gun_a_she_in_italian() -> None:
    texts = fronte.ruleset("altipiani").texts("it")
    for unit, told in (("it-fort-campomolon", "è eliminato"), ("it-art-37", "è eliminata"), ("it-taro", "è eliminata")):
        assert told in texts.event(Event("eliminated", (), {"unit": unit, "hex": "2212"}))
    supply = {"unit": "it-fort-campomolon", "hex": "2212", "supply": "out"}
    assert "non è rifornito" in texts.event(Event("supply", (), supply))


def test_a_gun_that_is_overrun_cuts_no_supply() -> None:
    """12.3.e, 11.3: it is gone when the unit stands where it was, and counts for no stack."""
    units = {"ah-10geb": "1411", "it-art-ap": "1512"}
    match = case("altipiani", units, turn=3, active="ah", phase="movement")
    move = {"do": "move", "unit": "ah-10geb", "path": ["1511", "1512"]}
    assert match.cautions("ah", move) == ()
    match.play(move)
    assert match.state.occ[0] == 0


def test_an_advance_that_leaves_an_objective_empty_is_told() -> None:
    """9.3, 15.b: as before a move, and not if somebody stays."""
    units = {"it-spezia": "2412", "it-forli": "2412", "ah-15geb": "2411", "ah-3geb": "2311"}
    match = case("isonzo", units, turn=3, active="italian", phase="combat", held={"italian": ["2412"]})
    match.play({"do": "attack", "target": "2411", "units": ["it-spezia", "it-forli"], "guns": []})
    while match.decision is not None and match.decision.kind != "advance":
        match.play(next(match.legal()))

    def told(*names: str) -> list[str]:
        return [line.key for line in match.cautions("italian", {"do": "advance", "units": list(names)})]

    assert "objective_empty" in told("it-spezia", "it-forli")
    assert "objective_empty" not in told("it-spezia")
    assert told() == []
