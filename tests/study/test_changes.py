"""Changes that a study makes to a pack."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import fronte
from fronte.games.registry import open_pack
from fronte.study.asked import planned
from fronte.study.changes import change, folder_files
from fronte.study.plan import Asked, game_seed, jobs, read_settings, ruleset_of

RANDOM = "random,random"


def variants(*compared: str, game: str = "isonzo", **more: object):
    return planned(Asked(game, RANDOM, games=1, compare=list(compared), **more)).variants  # type: ignore[arg-type]


def test_one_value_of_one_counter() -> None:
    first, second = variants("counters.it-livorno.attack=7,9")
    before, after = (ruleset_of("isonzo", one) for one in (first, second))
    changed = [(a.id, b.faces) for a, b in zip(before.counters, after.counters, strict=True) if a != b]
    assert [name for name, _ in changed] == ["it-livorno"]
    assert changed[0][1][-1].attack == 9
    assert first.pack == fronte.ruleset("isonzo").header.pack or first.files
    assert first.pack != second.pack


def test_many_counters_are_added_to() -> None:
    _, second = variants("counters.ah-*geb.defence+=0,1")
    plain, changed = fronte.ruleset("isonzo").counters, ruleset_of("isonzo", second).counters
    for a, b in zip(plain, changed, strict=True):
        more = 1 if a.id.startswith("ah-") and a.id.endswith("geb") else 0
        assert b.faces[-1].defence == a.faces[-1].defence + more
        assert b.faces[-1].attack == a.faces[-1].attack


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
@pytest.mark.parametrize("file", ["tables", "scenarios"])
def test_a_tree_keeps_all_else(game: str, file: str) -> None:
    pack = open_pack(game)
    before = pack.toml(f"{file}.toml")
    place = {"tables": "lrt.small_max_steps", "scenarios": "historical.first_gt"}[file]
    text = change(pack, f"{file}.{place}", "1", add=True)[f"{file}.toml"]
    after = open_pack(game, (), {f"{file}.toml": text}).toml(f"{file}.toml")
    table, key = place.split(".")
    expected = before | {table: before[table] | {key: before[table][key] + 1}}
    assert after == expected
    assert list(after) == list(before)


def test_an_entry_of_a_list() -> None:
    text = change(open_pack("isonzo"), "tables.crt.row_7.3.2", "0")["tables.toml"]
    assert open_pack("isonzo", (), {"tables.toml": text}).toml("tables.toml")["crt"]["row_7"][3] == [1, 0, 0, 0]


def test_options_scenarios_players_and_combinations() -> None:
    made = variants("options.high_odds_lrt=true,false", "scenario=historical,surprise")
    assert [(one.options["high_odds_lrt"], one.scenario) for one in made] == [
        ("true", "historical"),
        ("true", "surprise"),
        ("false", "historical"),
        ("false", "surprise"),
    ]
    made = variants("players.ah=random,steady")
    assert [one.players for one in made] == [("random", "random"), ("random", "steady")]


def test_a_folder_is_read_once(tmp_path: Path) -> None:
    text = (open_pack("isonzo").text("units.csv")).replace("LIVORNO", "LEGHORN")
    (tmp_path / "units.csv").write_text(text, encoding="utf-8")
    (base,) = variants(settings=[f"pack={tmp_path}"])
    (tmp_path / "units.csv").unlink()
    rules = ruleset_of("isonzo", base)
    assert rules.counters[rules.number["it-livorno"]].name == "LEGHORN"
    with pytest.raises(ValueError, match="no file of a pack"):
        folder_files(tmp_path)


@pytest.mark.parametrize(
    ("compared", "why"),
    [
        ("counters.it-livorna.attack=1,2", "near to it: it-livorno"),
        ("counters.it-livorno.atack=1,2", "no column 'atack'"),
        ("counters.it-livorno.attack=1,x", "attack is 'x'"),
        ("tables.tec.trench=1,2", "there is no 'trench'"),
        ("tables.tec=1,2", "cannot replace"),
        ("options.fog=true,false", "no option 'fog'"),
        ("scenario=historical,winter", "no scenario 'winter'"),
        ("players.german=random,random", "no seat 'german'"),
        ("weather=fair,foul", "'weather' cannot be set"),
        ("scenario+=historical", r"\+= is for values"),
        ("scenario=historical,historical", "are the same"),
        ("scenario", "not written PLACE=VALUE"),
    ],
)
def test_what_cannot_be_compared(compared: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        variants(compared)


def test_seeds_and_jobs() -> None:
    assert game_seed(1, 2) == game_seed(1, 2)
    assert len({game_seed(seed, game) for seed in range(20) for game in range(50)}) == 1000
    plan = planned(Asked("isonzo", RANDOM, games=2, compare=["scenario=historical,surprise"]))
    assert [tuple(job) for job in jobs(plan)] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert [str(one) for one in read_settings("a.b+=1, 2")] == ["a.b+=1", "a.b+=2"]
    assert msgspec.json.decode(msgspec.json.encode(plan), type=type(plan)) == plan
