"""Refusals: rules give a key and what fills it; every language says each, whole, and tells nothing that is hidden."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from every import PROBE, PROBE_DATA, every_game

import fronte
from fronte.casebook import read_file, run_case
from fronte.engine.decision import Action, Refusal
from fronte.engine.pack import Pack
from fronte.engine.rules import Rules
from fronte.engine.text import LANGUAGES, Texts
from fronte.games.registry import FAMILIES, GAMES, board_folder, data_folder

ENGINE = Path(fronte.__file__).parent / "engine"
COMMON = Path(fronte.__file__).parent / "games" / "common"
NOWHERE = ("9999", "it-nobody", "2413/9999", "?2413", "a [b] {c}")
"""Names of nothing."""


# What rule code says


@cache
def refusals_in(folder: Path) -> tuple[tuple[str, frozenset[str] | None], ...]:
    """The refusals that the modules of a folder make: the key, and the names of what fills it where written out."""
    return tuple(_refusals_in(folder))


def _refusals_in(folder: Path) -> Iterator[tuple[str, frozenset[str] | None]]:
    for file in sorted(folder.rglob("*.py")):
        functions = list(_functions(ast.parse(file.read_text(encoding="utf-8"))))
        made = {function.name: found for function in functions if (found := _returned(function)) is not None}
        for function in functions:
            tables = {
                target.id: value
                for node in ast.walk(function)
                if isinstance(node, ast.Assign)
                for target, value in _assigned(node)
                if isinstance(target, ast.Name) and isinstance(value, ast.Dict)
            }
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                    where = f"{file.name}:{node.lineno}"
                    assert len(node.args) in (2, 3) and isinstance(node.args[1], ast.Constant), where
                    yield str(node.args[1].value), _names(node.args[2:], tables | made, where)


def _assigned(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is given to which name, also where several are given at once."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def _returned(function: ast.FunctionDef) -> ast.Dict | None:
    """What a function gives back that does nothing but fill refusals."""
    last = function.body[-1]
    return last.value if isinstance(last, ast.Return) and isinstance(last.value, ast.Dict) else None


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions and methods of a module, without those inside others."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            yield from (part for part in node.body if isinstance(part, ast.FunctionDef))


def _names(given: list[ast.expr], tables: dict[str, ast.Dict], where: str) -> frozenset[str]:
    if not given:
        return frozenset()
    data = given[0].func if isinstance(given[0], ast.Call) else given[0]
    if isinstance(data, ast.BinOp) and isinstance(data.op, ast.BitOr):
        return _names([data.left], tables, where) | _names([data.right], tables, where)
    data = tables[data.id] if isinstance(data, ast.Name) else data
    assert isinstance(data, ast.Dict), f"{where}: what fills the refusal is to be written out"
    whole = [value for key, value in zip(data.keys, data.values, strict=True) if key is None]
    named = [str(key.value) for key in data.keys if isinstance(key, ast.Constant)]
    return frozenset(named).union(*(_names([value], tables, where) for value in whole))


def fields(entry: Any) -> frozenset[str]:
    """The fields of a template, or of all templates of an entry that chooses."""
    if isinstance(entry, str):
        return frozenset(match.split(".")[0] for match in re.findall(r"\{([\w.]+)", entry))
    return frozenset({entry["by"]}).union(*(fields(part) for key, part in entry.items() if key != "by"))


def table_in(folder: Path, language: str) -> dict[str, Any]:
    return dict(Pack([folder]).toml(f"text.{language}.toml")["refusal"])


def places() -> list[tuple[str, Path, list[Path]]]:
    """Each folder with texts, and the folders of code that may use them."""
    games = {game: board_folder(game).parent for game in GAMES}
    found = [("engine", ENGINE, [ENGINE, COMMON, *games.values()])]
    for family in sorted(set(FAMILIES.values())):
        root = board_folder(GAMES_OF[family][0]).parent.parent / family
        found.append((family, root / "data", [root, *(games[game] for game in GAMES_OF[family])]))
    return found + [(game, data_folder(game), [folder]) for game, folder in games.items()]


GAMES_OF = {family: [game for game in GAMES if FAMILIES.get(game) == family] for family in FAMILIES.values()}


@every_game
def test_every_refusal_has_a_text_with_the_fields_it_gives(game: str) -> None:
    own = data_folder(game).parent
    folders = [ENGINE, COMMON, own, *([own.parent / FAMILIES[game]] if FAMILIES[game] != game else [])]
    used = [refusal for folder in folders for refusal in refusals_in(folder)]
    assert len({key for key, _ in used}) > (30 if game == PROBE else 70)
    for language in LANGUAGES:
        table = fronte.ruleset(game).texts(language).tables["refusal"]
        for key, names in used:
            assert key in table, f"text.{language}.toml: no refusal {key}"
            assert fields(table[key]) <= names, f"text.{language}.toml: {key}"


@pytest.mark.parametrize(("name", "texts", "code"), places(), ids=lambda value: value if isinstance(value, str) else "")
def test_no_text_is_unused(name: str, texts: Path, code: list[Path]) -> None:
    server = Path(fronte.__file__).parent / "server"
    used = {key for folder in [*code, server] for key, _ in refusals_in(folder)}
    for language in LANGUAGES:
        assert set(table_in(texts, language)) - used == set(), f"{name}: text.{language}.toml"


@every_game
def test_every_action_has_a_name(game: str) -> None:
    rules = fronte.ruleset(game)
    verbs = {str(verb.__struct_config__.tag) for choice in rules.choices.values() for verb in choice.verbs}
    for language in LANGUAGES:
        assert verbs <= set(rules.texts(language).tables["verb"])


# What is refused in play


UNIT_FIELDS = ("unit", "units", "gun", "guns", "join", "keep", "engineer", "hits")
HEX_FIELDS = ("hex", "to", "at", "target", "path")


class Guess:
    """Draws actions of any kind with any names: most are illegal."""

    def __init__(self, rules: Rules[Any], rng: Random) -> None:
        self.rng = rng
        verbs = (verb for choice in rules.choices.values() for verb in choice.verbs)
        self.verbs: list[type[Action]] = list(dict.fromkeys(verbs))
        self.units = [*rules.texts("en").names.unit]
        self.hexes = [*rules.grid.ids]
        self.rules = rules
        self.sides = [side for h in range(rules.grid.size) for side in self._sides(h)]
        self.words = (*rules.setting.forces, "hex", "hexside", "line", "column", "house", "n", "se", "1", "G16", "NG")

    def _sides(self, h: int) -> list[str]:
        grid = self.rules.grid
        return [self.rules.hexside_name(grid.ids[h], grid.ids[other]) for other in grid.adjacent[h]]

    def action(self, match: fronte.Match) -> Action:
        owed = match.rules.choices[match.state.frames[-1].name].verbs
        verb = self.rng.choice(owed if self.rng.random() < 0.9 else self.verbs)
        near = self._near(match)
        return verb(**{field.name: self._value(field, near) for field in msgspec.structs.fields(verb)})

    def _near(self, match: fronte.Match) -> dict[str, list[str]]:
        """The unit in hand, its hex and those around: with them a guess comes near to what is legal."""
        grid = self.rules.grid
        units = self.rules.to_position(match.state)["units"]
        placed = [name for name, unit in units.items() if unit["at"] in grid.index]
        unit = self.rng.choice(placed or list(units))
        here = grid.index.get(units[unit]["at"], 0)
        hexes = [grid.ids[h] for h in (*grid.adjacent[here], here)]
        stack = [name for name in placed if units[name]["at"] in hexes]
        return {"unit": [unit, *stack], "hex": hexes, "side": self._sides(here)}

    def _name(self, kind: str, near: dict[str, list[str]]) -> str:
        luck = self.rng.random()
        if luck < 0.03:
            return self.rng.choice(NOWHERE)
        far = {"unit": self.units, "hex": self.hexes, "side": self.sides}[kind]
        return self.rng.choice(far if luck < 0.3 else near[kind])

    def _value(self, field: Any, near: dict[str, list[str]]) -> Any:
        if field.default == "" and self.rng.random() < 0.2:
            return ""
        if str(field.type) in ("int", "<class 'int'>"):
            return self.rng.randrange(-1, 8)
        if field.name == "hits":
            return tuple((self._name("unit", near), self.rng.randrange(-1, 4)) for _ in range(self.rng.randrange(4)))
        if "tuple[tuple[" in str(field.type):
            counts = "int" in str(field.type)
            return tuple(
                (self._name("unit", near), self.rng.randrange(-1, 16) if counts else self._name("hex", near))
                for _ in range(self.rng.randrange(4))
            )
        kind = "unit" if field.name in UNIT_FIELDS else "hex" if field.name in HEX_FIELDS else "side"
        if kind == "side" and field.name != "bridge":
            word = self.rng.choice(self.words)
            return (word,) if str(field.type).startswith("tuple") else word
        if str(field.type).startswith("tuple"):
            first = [near[kind][0]] if kind == "unit" and self.rng.random() < 0.7 else []
            return tuple(first + [self._name(kind, near) for _ in range(self.rng.randrange(4))])
        return near["unit"][0] if kind == "unit" and self.rng.random() < 0.8 else self._name(kind, near)


def refused(game: str, scenario: str, seed: int, options: dict[str, str] | None = None) -> Iterator[tuple[Any, ...]]:
    """A random game with illegal actions at each decision: the match, the action, and why it is refused."""
    match = fronte.new(game, scenario, seed, options)
    rng = Random(seed)
    guess = Guess(match.rules, rng)
    while match.decision is not None:
        for _ in range(3):
            action = guess.action(match)
            refusal = match.why_not(action)
            if refusal is not None:
                yield match, action, refusal
        match.play(match.sample(rng))


def whole(sentence: str) -> bool:
    """Is something said, with nothing left of the template and no gap where a name should be?"""
    sentence = sentence.replace(NOWHERE[-1], "x")
    return bool(re.match(r"\S.*\S$", sentence)) and not re.search(r"[{}\[\]|]|  |\(\)| ,| ;", sentence)


@pytest.mark.costly
def test_random_refusals_are_said_whole_in_every_language(game: str, scenario: str) -> None:
    texts = [Texts.read(fronte.ruleset(game).pack, language) for language in LANGUAGES]
    book = fronte.ruleset(game).rulebook.rules
    met: set[str] = set()
    for seed in range(1 if (game, scenario) == ("volturno", "full") else 3):  # that one is long
        for _, action, refusal in refused(game, scenario, seed):
            met.add(refusal.key)
            assert not refusal.rule or refusal.rule in book, refusal
            told = [text.refusal(refusal) for text in texts]
            assert refusal.why == told[0]
            assert all(map(whole, told)), (action, told)
            assert told[0] != told[1]
    assert len(met) > (10 if game == PROBE else 30 if game in ("volturno", "caporetto") else 40), sorted(met)


@every_game
def test_a_refusal_tells_nothing_that_is_hidden(game: str) -> None:
    """States that differ only in what the seat may not know refuse the same actions, for the same reasons."""
    rng = Random(5)
    asked = 0
    share = 1.0 if game in (PROBE, "caporetto") else 0.1  # their games are short
    for match, action, refusal in refused(game, "", 11):
        if rng.random() < share:
            twin = fronte.Match(match.rules, match.rules.shuffle_hidden(match.state, match.seat, rng), [])
            assert twin.why_not(action) == refusal, action
            asked += 1
    assert asked > 50


CASES = Path(__file__).parent / "cases"
ELSEWHERE = {
    *("no_paths", "no_overlay", "no_odds", "no_seed", "no_action", "no_dice"),
    *("malformed", "unknown_field", "unreadable", "only_in_movement", "out_of_reach", "no_window"),
    *("no_reasons", "attacks_on_own_turn", "only_in_combat", "no_enemy_next_to", "nothing_in_range"),
    *("nobody_to_support", "outside"),
}
"""Refusals of what is no action of a game; other tests meet them."""
NO_CASE = {"empty_path", "gun_named_twice", "guns_turn_in_movement"}
"""Refusals of forms that only a program sends; the random games meet them."""


@pytest.mark.parametrize("games", [[game for game in GAMES if FAMILIES[game] == "inferno"], [PROBE]], ids="-".join)
def test_every_refusal_is_met_in_the_casebook_and_said_whole(
    games: list[str], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if PROBE in games:
        request.getfixturevalue(PROBE)
    met: set[str] = set()
    told = Rules.told

    def hear(rules: Rules[Any], refusal: Refusal) -> Refusal:
        met.add(refusal.key)
        assert all(whole(rules.texts(language).refusal(refusal)) for language in LANGUAGES), refusal
        return told(rules, refusal)

    monkeypatch.setattr(Rules, "told", hear)
    for game in games:
        for file in sorted((CASES / game).rglob("*.toml")):
            book = read_file(file)
            for case in book.case:
                if any(step.refuse for step in case.steps):
                    assert run_case(book, case) == "", (file, case.name)
    if PROBE in games:  # what the engine refuses in any game is met in the others
        assert set(table_in(PROBE_DATA, "en")) - met == {"no_dice", "no_path"}
        return
    known = {key for game in games for key in fronte.ruleset(game).texts("en").tables["refusal"]}
    assert known - met == ELSEWHERE | NO_CASE


# What Python users get


def test_a_refusal_is_plain_data() -> None:
    match = fronte.new("isonzo", seed=1)
    refusal = match.why_not("move it-livorno 2413")
    assert refusal is not None
    assert msgspec.to_builtins(refusal) == {
        "rule": "12.2.b",
        "key": "not_now",
        "data": {"do": "move", "allowed": ["build", "repair", "end"]},
        "why": "move is not possible now; possible are: build, repair, end",
    }
    with pytest.raises(fronte.IllegalAction) as raised:
        match.play("move it-livorno 2413")
    assert (raised.value.rule, raised.value.why) == (refusal.rule, refusal.why)
    assert str(raised.value) == f"{refusal.why} (rule 12.2.b)"
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    italian = match.rules.texts("it").refusal(refusal)
    assert italian == "ora non è possibile «muovi»; le azioni possibili sono: getta, ripara, fine"


@pytest.mark.parametrize(
    ("action", "english", "italian"),
    [
        ("to Trieste!", "'to Trieste!' cannot be read", "«to Trieste!» non si capisce"),
        ({"do": "conquer"}, "no action 'conquer' is possible", "nessuna azione «conquer»"),
        ({"do": "build"}, "build cannot be read", "«getta» non si può leggere"),
        ({}, "no action 'None'", "nessuna azione «None»"),
    ],
)
def test_what_cannot_be_read_is_refused(action: Any, english: str, italian: str) -> None:
    match = fronte.new("isonzo", seed=1)
    refusal = match.why_not(action)
    assert refusal is not None and english in refusal.why
    assert italian in match.rules.texts("it").refusal(refusal)


def test_an_unknown_refusal_is_named() -> None:
    with pytest.raises(KeyError, match="landslide"):
        fronte.ruleset("isonzo").texts("it").refusal(Refusal("4", "landslide"))
