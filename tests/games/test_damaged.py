"""Damaged saves, snapshots, packs and words: one of the documented errors with its place, never anything else."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutants import NIGHTLY, limited

import fronte
from fronte.engine import trust
from fronte.engine.match import Match
from fronte.engine.record import Snapshot
from fronte.engine.save import take_snapshots
from fronte.engine.verify import verify
from fronte.games.registry import GAMES, for_header, open_pack

QUIET = settings(deadline=None, max_examples=1000 if NIGHTLY else 80, suppress_health_check=list(HealthCheck))


def played(seed: int, actions: int) -> fronte.Match:
    match, rng = fronte.new("isonzo", seed=seed), Random(seed)
    while match.result is None and len(match.entries) < actions:
        match.play(match.sample(rng))
    return match


PLAYED = played(5, 90)
SAVES = (PLAYED.save(), PLAYED.save(with_seed=False))
SNAPSHOTS = take_snapshots(SAVES[0], for_header, 30)


def opened(text: str) -> Match | None:
    """A save is read, or refused with its line."""
    with limited():
        verify(text, for_header)
        try:
            return fronte.load(text)
        except fronte.SaveError as wrong:
            assert str(wrong).startswith("line "), str(wrong)
            assert len(str(wrong)) < 2000
            return None


ODD = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        7,
        10**30,
        1.5,
        "",
        "x",
        "\x00",
        "\ud800",
        "\u2028",
        [],
        [[]],
        {},
        {"a": {}},
        [1] * 300,
        "isonzo",
    ]
)


def anywhere(data: Any, draw: Any) -> None:
    """Change one thing somewhere in nested data."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        if isinstance(data[key], dict | list) and data[key] and draw(st.integers(0, 3)):
            data = data[key]
            continue
        if isinstance(data, dict) and draw(st.integers(0, 3)) == 0:
            del data[key]
        else:
            data[key] = copy.deepcopy(draw(ODD))  # what is drawn may be changed in its turn
        return


@QUIET
@given(st.data(), st.sampled_from(SAVES))
def test_a_save_changed_anywhere_is_read_or_names_its_line(data: st.DataObject, text: str) -> None:
    lines = [json.loads(line) for line in text.splitlines()]
    for _ in range(data.draw(st.integers(1, 2))):
        at = 0 if data.draw(st.booleans()) else data.draw(st.integers(0, len(lines) - 1))
        what = data.draw(st.integers(0, 5))
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(at, copy.deepcopy(lines[data.draw(st.integers(0, len(lines) - 1))]))
        elif isinstance(lines[at], dict):
            anywhere(lines[at], data.draw)
        if not lines:
            break
    opened("\n".join(json.dumps(line) for line in lines) + "\n")


@pytest.mark.parametrize("depth", [50, 900, 5_000, 200_000])
def test_deep_nesting_is_refused_like_anything_else(depth: int) -> None:
    heading = json.loads(SAVES[0].splitlines()[0])
    first = SAVES[0].splitlines()[0]
    for deep in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        assert opened(deep) is None
        assert opened(f'{json.dumps(heading)[:-1]},"position":{{"units":{deep}}}}}') is None
        assert opened(f'{json.dumps(heading)[:-1]},"position":{deep}}}') is None
        for field in ("do", "keep", "order"):
            assert opened(f'{first}\n{{"seat":"italian","action":{{"do":"end","{field}":{deep}}}}}') is None


def test_a_deep_position_or_action_is_refused() -> None:
    deep: Any = []
    for _ in range(800):
        deep = [deep]
    base = PLAYED.rules.to_position(PLAYED.state)
    for field in base:
        with pytest.raises(fronte.PositionError, match=rf"^{field}"):
            fronte.position("isonzo", base | {field: deep})
    match = fronte.new("isonzo", seed=1)
    for action in ({"do": deep}, {"do": "end", "keep": deep}, {"do": "build", "unit": deep}):
        assert match.why_not(action) is not None


def test_what_is_no_table_is_no_position() -> None:
    for odd in (None, 1, "x", [], [1], {1: 2}):
        with pytest.raises(fronte.PositionError, match="the position"):
            fronte.position("isonzo", odd)  # type: ignore[arg-type]


def test_a_damaged_snapshot_is_ignored() -> None:
    good = SNAPSHOTS[-1]
    for position in ({}, good.position | {"frames": []}, good.position | {"turn": 10**9}, {"a": [[]]}):
        match = fronte.load(SAVES[0], snapshots=[Snapshot(good.after, good.lines, position), *SNAPSHOTS])
        assert match.save() == SAVES[0]
        assert match.rules.to_position(match.state) == PLAYED.rules.to_position(PLAYED.state)


# A save without its seed


def test_a_save_without_its_seed_can_be_looked_at_and_does_not_go_on() -> None:
    match = fronte.load(SAVES[1])
    assert match.rules.to_position(match.state) == PLAYED.rules.to_position(PLAYED.state) | {"rolled": 0}
    before = json.dumps(match.rules.to_position(match.state))
    assert match.decision is not None and match.view("ah") and match.offer
    for refused in (
        lambda: match.play(next(match.legal())),
        lambda: match.order("ah", "support", "none"),
        lambda: match.order("italian", "support", "none"),
    ):
        with pytest.raises(fronte.IllegalAction, match="the save has no seed"):
            refused()
    assert json.dumps(match.rules.to_position(match.state)) == before
    assert not match.orders
    assert match.save() == SAVES[1], "and it is saved as it was, without a seed of its own"
    told = fronte.IllegalAction(match.rules.told(fronte.Refusal("", "no_seed")))
    assert "senza seme" in match.rules.texts("it").refusal(told.refusal)


def test_a_save_without_its_seed_with_impossible_dice_is_refused() -> None:
    lines = SAVES[1].splitlines()
    number = next(n for n, line in enumerate(lines) if n and '"rolls":[[' in line)
    entry = json.loads(lines[number])
    entry["rolls"][0][0] = 9
    lines[number] = json.dumps(entry)
    with pytest.raises(fronte.SaveError, match=f"line {number + 1}: dice fall from 1 to 6"):
        fronte.load("\n".join(lines))


# Words for the dice


@pytest.mark.parametrize("word", ["a\x00b", "a\nb", "\u2028", "\x85", "\x1b[2J", "\ud800"])
def test_a_word_that_cannot_be_kept_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="characters that can be seen"):
        trust.pledge(bytes(32), (word, ""))


def test_other_words_are_kept_and_read_back() -> None:
    match = played(6, 20)
    for word in ("", "perché no?", "日本 🎲", " tab", "a\u00a0b"):
        match.pledge = trust.pledge(bytes(32), (word, "x"))
        assert fronte.load(match.save()).pledge == match.pledge


# Packs


def written(data: dict[str, Any], prefix: str = "") -> str:
    """Data as TOML."""
    plain = [f"{json.dumps(key)} = {_value(value)}" for key, value in data.items() if not isinstance(value, dict)]
    tables = [(f"{prefix}{json.dumps(key)}", value) for key, value in data.items() if isinstance(value, dict)]
    return "\n".join([*plain, *(f"[{name}]\n{written(value, f'{name}.')}" for name, value in tables)]) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return value.isoformat() if isinstance(value, date) else json.dumps(value)


def leaves(data: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places of all values in a file."""
    for key, value in data.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key)


GONE = object()
CHANGES = (0, -1, 10**9, "x", [], True, [[1]], 1.5)


def changed(data: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """The data with another value at this place, or with none."""
    found = copy.deepcopy(data)
    where = found
    for key in path[:-1]:
        where = where[key]
    if value is GONE:
        del where[path[-1]]
    else:
        where[path[-1]] = value
    return found


@pytest.mark.costly
@pytest.mark.parametrize("name", ["tables.toml", "scenarios.toml", "board.toml"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_pack_changed_anywhere_plays_or_names_its_file(game: str, name: str) -> None:
    data = open_pack(game).toml(name)
    for number, path in enumerate(leaves(data)):
        for value in (GONE, *(CHANGES if NIGHTLY else CHANGES[number % len(CHANGES) :][:1])):
            _plays_or_names_its_file(game, name, changed(data, path, value))


def _plays_or_names_its_file(game: str, name: str, data: dict[str, Any]) -> None:
    with limited(20):
        try:
            match = Match.begin(GAMES[game](open_pack(game, inline={name: written(data)}), "historical", {}), bytes(32))
        except fronte.PackError as wrong:
            assert ".toml" in str(wrong) or ".csv" in str(wrong)
            return
        except ValueError as wrong:
            assert "no scenario" in str(wrong)
            return
        rng = Random(1)
        for _ in range(80):
            if match.result is None:
                match.play(match.sample(rng))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("tables.toml", "x = " + "[" * 5000 + "]" * 5000, "nested too deeply|tables.toml"),
        ("tables.toml", "x = \x00", "tables.toml"),
        ("units.csv", "id\n" + "9" * 200_000, "units.csv"),
    ],
)
def test_a_pack_that_no_program_reads_names_its_file(name: str, text: str, words: str) -> None:
    with pytest.raises(fronte.PackError, match=words):
        GAMES["isonzo"](open_pack("isonzo", inline={name: text}), "historical", {})


def test_a_number_of_a_pack_is_a_number(tmp_path: Path) -> None:
    units = open_pack("isonzo").text("units.csv")
    header, first, *rest = units.splitlines()
    columns = header.split(",")
    for odd in ("²", "٣", "9" * 5000, "--1", "1e3"):
        fields = first.split(",")
        fields[columns.index("attack")] = odd
        (tmp_path / "units.csv").write_text("\n".join([header, ",".join(fields), *rest]), encoding="utf-8")
        with pytest.raises(fronte.PackError, match=r"units.csv:2: .*attack is"):
            GAMES["isonzo"](open_pack("isonzo", [tmp_path]), "historical", {})
