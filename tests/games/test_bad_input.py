"""Illegal, malformed and foreign input: a clear error that names the rule or the line, and nothing changes."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fronte

QUIET = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))

PLAYED = fronte.new("isonzo", seed=21)
_RNG = Random(21)
while PLAYED.result is None and len(PLAYED.entries) < 160:
    PLAYED.play(PLAYED.sample(_RNG))
TEXT = PLAYED.save()
POSITION = PLAYED.rules.to_position(PLAYED.state)

words = st.sampled_from(
    [
        "move",
        "attack",
        "end",
        "with",
        "guns",
        "it-livorno",
        "ah-7geb",
        "2413",
        "9999",
        "-",
        ",",
        "retreat",
        "\n",
        "",
        "é",
    ]
)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["2413", "it-livorno"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["unit", "path", "x"]), inner),
    max_leaves=8,
)


def unchanged(match: fronte.Match, before: str) -> bool:
    return json.dumps(match.rules.to_position(match.state)) == before


@QUIET
@given(st.lists(words, max_size=6).map(" ".join))
def test_any_line_of_text_is_played_or_refused_with_a_reason(line: str) -> None:
    match = fronte.new("isonzo", seed=1)
    before = json.dumps(match.rules.to_position(match.state))
    try:
        match.play(line)
    except fronte.IllegalAction as refused:
        assert refused.why
        assert unchanged(match, before)


@QUIET
@given(st.dictionaries(st.sampled_from(["do", "unit", "path", "hex", "units", "target"]), json_values))
def test_any_json_is_played_or_refused_with_a_reason(data: dict[str, Any]) -> None:
    match = fronte.new("isonzo", seed=1)
    before = json.dumps(match.rules.to_position(match.state))
    try:
        match.play({"do": "move"} | data)
    except fronte.IllegalAction as refused:
        assert refused.why
        assert unchanged(match, before)


@pytest.mark.parametrize("data", [[], [["do", "end"]], ["end"], None, 7, True, 1.5, b"end", {}, [{}]])
def test_what_is_neither_a_table_nor_a_line_is_refused_and_changes_nothing(data: Any) -> None:
    match = fronte.new("isonzo", seed=1)
    before = json.dumps(match.rules.to_position(match.state))
    for tried in (match.play, match.seated(match.rules.seats[match.seat]).play):
        with pytest.raises(fronte.IllegalAction, match="no action"):
            tried(data)
    assert match.why_not(data) is not None
    assert unchanged(match, before) and not match.entries


def test_a_field_that_an_action_does_not_have_is_named_and_nothing_is_done() -> None:
    """What a script meant by it would be lost without a word."""
    match = fronte.new("volturno", "short", seed=1)
    before = json.dumps(match.rules.to_position(match.state))
    with pytest.raises(fronte.IllegalAction) as refused:
        match.play({"do": "place", "unit": "g-lanza", "at": "2424", "facing": "n", "column": True})
    why = refused.value.refusal
    assert why.key == "unknown_field" and why.data["field"] == "column"
    assert "column" in why.why and "facing" in why.why
    assert "column" in match.rules.texts("it").refusal(why)
    assert unchanged(match, before)


def test_every_action_says_which_fields_it_has(game: str, scenario: str) -> None:
    """Of every verb of every game: what a match records of it can be read, and with anything more it cannot."""
    rules = fronte.ruleset(game, scenario)
    for verb in {verb for choice in rules.choices.values() for verb in choice.verbs}:
        assert verb.__struct_config__.forbid_unknown_fields, verb


def test_the_other_seat_may_not_act() -> None:
    match = fronte.new("isonzo", seed=1)
    assert match.decision is not None
    with pytest.raises(fronte.IllegalAction, match="it is for the Italian player to decide"):
        match.play("end", seat="ah")


def test_an_action_of_another_decision_is_refused_with_what_is_owed() -> None:
    match = fronte.new("isonzo", seed=1)
    while match.decision is not None and match.decision.kind != "movement":
        match.play("end")
    refusal = match.why_not({"do": "attack", "target": "2312", "units": ["it-livorno"]})
    assert refusal is not None
    assert "move" in refusal.why


@QUIET
@given(st.integers(0, len(TEXT) - 1), st.characters(codec="utf-8"))
def test_a_save_with_one_character_changed_loads_or_names_its_line(place: int, character: str) -> None:
    damaged = TEXT[:place] + character + TEXT[place + 1 :]
    try:
        fronte.load(damaged)
    except fronte.SaveError as wrong:
        assert str(wrong).startswith("line ")


@QUIET
@given(st.integers(0, len(TEXT) - 1))
def test_a_truncated_save_loads_or_names_its_line(place: int) -> None:
    try:
        fronte.load(TEXT[:place])
    except fronte.SaveError as wrong:
        assert str(wrong).startswith("line ")


@QUIET
@given(st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_no_save(text: str) -> None:
    with pytest.raises(fronte.SaveError, match="line 1"):
        fronte.load(text)


def test_a_save_with_forged_dice_is_refused() -> None:
    lines = TEXT.splitlines()
    number = next(n for n, line in enumerate(lines) if n and '"rolls":[[' in line)
    entry = json.loads(lines[number])
    entry["rolls"][0][0] = entry["rolls"][0][0] % 6 + 1
    lines[number] = json.dumps(entry)
    with pytest.raises(fronte.SaveError, match=f"line {number + 1}"):
        fronte.load("\n".join(lines))


def test_a_save_of_another_pack_is_refused() -> None:
    heading, *rest = TEXT.splitlines()
    data = json.loads(heading)
    data["header"]["pack"] = "0" * 16
    with pytest.raises(fronte.SaveError, match="another data pack"):
        fronte.load("\n".join([json.dumps(data), *rest]))


@QUIET
@given(st.data())
def test_a_position_with_one_value_changed_is_read_or_refused_with_the_place(data: st.DataObject) -> None:
    position = json.loads(json.dumps(POSITION))
    where: Any = position
    key = data.draw(st.sampled_from(sorted(where)))
    while isinstance(where[key], dict) and where[key] and data.draw(st.booleans()):
        where = where[key]
        key = data.draw(st.sampled_from(sorted(where)))
    where[key] = data.draw(json_values)
    try:
        match = fronte.position("isonzo", position)
    except fronte.PositionError as wrong:
        assert str(wrong)
    else:
        assert match.rules.broken(match.state) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"at": "9901"}, "there is no hex '9901'"),
        ({"ce": 3}, "ce must be 0, 1 or 2"),
        ({"steps": 5}, "steps must be 0 to 2"),
        ({"supply": "plenty"}, "supply 'plenty' is none of"),
        ({"marks": ["brave"]}, "mark 'brave' is none of"),
        ({"colour": "red"}, "unknown fields colour"),
    ],
)
def test_an_impossible_unit_is_named_with_its_fault(change: dict[str, Any], words: str) -> None:
    position = json.loads(json.dumps(POSITION))
    position["units"]["it-livorno"] = {"at": "2118"} | change
    with pytest.raises(fronte.PositionError, match=words):
        fronte.position("isonzo", position)


def test_both_sides_in_one_hex_is_an_impossible_position() -> None:
    position = json.loads(json.dumps(POSITION))
    enemy = next(name for name, unit in position["units"].items() if name.startswith("ah-") and unit["at"].isdigit())
    position["units"]["it-livorno"] = {"at": position["units"][enemy]["at"]}
    with pytest.raises(fronte.PositionError, match="enemy unit is already in"):
        fronte.position("isonzo", position)


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="the games are isonzo"):
        fronte.new("waterloo")
    with pytest.raises(ValueError, match="the scenarios are historical, surprise"):
        fronte.new("isonzo", "winter")
    with pytest.raises(ValueError, match="no option 'cheat'"):
        fronte.new("isonzo", options={"cheat": True})
    with pytest.raises(ValueError, match="it can be true, false"):
        fronte.new("isonzo", options={"free_battalion": "maybe"})
    with pytest.raises(ValueError, match="the seats are italian, ah"):
        fronte.new("isonzo").view("french")
