"""The game that the architecture page tells from nothing is taken from the page and played in the program's rooms."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from fronte.engine.frames import Terms

PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
BLOCK = re.compile(r"^```\w+ (mill/\S+)\n(.*?)^```$", re.M | re.S)

SIGNATURE = re.compile(r"^\| `((\w+)\.(\w+)\((.*?)\))` \|", re.M)
WHERE = ("fronte.{}", "fronte.engine.{}", "fronte.games.common.{}")
"""Where the modules lie that the page names by their last word."""

PLAYED = """
from random import Random
import fronte
ends = set()
for seed in range(60):
    match, rng = fronte.new("mill", seed=seed), Random(seed)
    while match.result is None:
        assert match.rules.broken(match.state) == []
        assert all(match.why_not(action) is None for action in match.legal())
        position = match.rules.to_position(match.state)
        assert match.rules.to_position(match.rules.from_position(position)) == position
        match.play(match.sample(rng))
    assert fronte.load(match.save()).result == match.result
    ends.add(match.result.level)
assert ends == {"draw", "west_wins", "east_wins"}
match.picture()
"""


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the game, written out."""
    folder = tmp_path_factory.mktemp("mill")
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == len({name for name, _ in blocks}) > 10
    for name, text in blocks:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, *words: str, typed: str = "", status: int = 0) -> str:
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, *words],
        input=typed,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"FRONTE_GAMES": "mill.rules", "PYTHONPATH": path},
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def test_it_is_played_to_its_end_and_kept(mill: Path) -> None:
    run(mill, "-c", PLAYED)


def test_its_pack_has_nothing_wrong(mill: Path) -> None:
    assert "no errors" in run(mill, "-m", "fronte", "pack", "check", "mill")


def test_a_check_of_the_whole_game_finds_nothing(mill: Path) -> None:
    run(mill, "-m", "fronte", "game", "check", "mill")


@pytest.mark.parametrize(("file", "old"), [("units.csv", "0101"), ("scenarios.toml", "0302")])
def test_a_hex_that_is_none_is_told_with_its_file(mill: Path, tmp_path: Path, file: str, old: str) -> None:
    text = (mill / "mill" / "data" / file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(text.replace(old, "9999"), encoding="utf-8")
    told = run(mill, "-m", "fronte", "pack", "check", "mill", str(tmp_path), status=1)
    assert re.search(rf"{file}(:2)?: .*there is no hex '9999' on the board", told)


@pytest.mark.parametrize(("language", "says"), [("en", "W1 goes to 0201."), ("it", "W1 va in 0201.")])
def test_it_is_played_at_the_keyboard(mill: Path, language: str, says: str) -> None:
    lines = "map all\nhex 0302\nunit w1\nunits\nscore\nlegal\nhelp\nrules\nstep w1 0201\nlog\nquit\n"
    told = run(mill, "-m", "fronte", "text", "mill", "--open", "--seed", "3", "--language", language, typed=lines)
    assert says in told


def test_it_is_measured_and_told_again(mill: Path) -> None:
    pair = ("--players", "random,random")
    assert "6.0 turns" in run(mill, "-m", "fronte", "simulate", "mill", *pair, "--games", "5")
    assert "2 pairs of mill" in run(mill, "-m", "fronte", "arena", "mill", *pair, "--pairs", "2")
    run(mill, "-m", "fronte", "study", "mill", *pair, "--games", "4", "--out", "study")
    assert (mill / "study" / "report.html").exists() or any((mill / "study").rglob("*.html"))


# What the page says of the program


def module(name: str) -> object:
    """The module that the page means."""
    for place in WHERE:
        try:
            return import_module(place.format(name))
        except ModuleNotFoundError:
            continue
    raise AssertionError(f"there is no module {name}")


def taken(arguments: str) -> list[tuple[str, str | None]]:
    """The arguments of a signature as it is written, each with its default."""
    told = ast.parse(f"def f({arguments}): pass").body[0]
    assert isinstance(told, ast.FunctionDef)
    plain: list[str | None] = [None] * (len(told.args.args) - len(told.args.defaults))
    defaults = plain + [repr(ast.literal_eval(one)) for one in told.args.defaults]
    found = list(zip((one.arg for one in told.args.args), defaults, strict=True))
    return [*found, (f"*{told.args.vararg.arg}", None)] if told.args.vararg else found


def test_the_signatures_on_the_page_are_those_of_the_program() -> None:
    rows = SIGNATURE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(rows) > 35
    for written, place, name, arguments in rows:
        real = inspect.signature(getattr(module(place), name)).parameters.values()
        expected = [
            (f"*{one.name}" if one.kind is one.VAR_POSITIONAL else one.name)
            + ("" if one.default is one.empty else f"={one.default!r}".replace("<factory>", "{}"))
            for one in real
        ]
        assert [name if value is None else f"{name}={value}" for name, value in taken(arguments)] == expected, written


def test_the_terms_of_a_declaration_are_all_there() -> None:
    told = PAGE.read_text(encoding="utf-8").partition("### Declarations, word for word")[2].partition("###")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", told, re.M)) == {"on", "secrets", "seats", *Terms.__annotations__}


def test_the_words_besides_can_be_read() -> None:
    told = PAGE.read_text(encoding="utf-8").partition("### Words besides")[2].partition("```toml\n")[2]
    tables = tomllib.loads(told.partition("```")[0])
    assert tables.keys() == {"typed", "panel", "made", "luck", "compass", "chance", "bar", "hex"}
