"""Which games there are, and how to get their rulesets."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from fronte.engine.pack import Pack
from fronte.engine.rules import Header, Rules

HERE = Path(__file__).parent


class Shelf(MutableMapping[str, type[Rules[Any]]]):
    """Rulesets by the names of their games. One that is entered as `module:Class` is imported when it is first asked
    for, so that whoever plays one game waits for no other."""

    def __init__(self) -> None:
        self.known: dict[str, type[Rules[Any]] | str] = {}

    def __getitem__(self, game: str) -> type[Rules[Any]]:
        kind = self.known[game]
        if isinstance(kind, str):
            module, _, name = kind.partition(":")
            kind = self.known[game] = getattr(importlib.import_module(module), name)
        return kind

    def __setitem__(self, game: str, kind: type[Rules[Any]] | str) -> None:
        self.known[game] = kind

    def __delitem__(self, game: str) -> None:
        del self.known[game]

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def __contains__(self, game: object) -> bool:
        return game in self.known


GAMES = Shelf()
"""The rulesets of all games, in the order in which they are shown."""
FAMILIES: dict[str, str] = {}
"""For each game the family it belongs to: the name of the rooms that are furnished for it."""
_DATA: dict[str, tuple[Path, ...]] = {}
_ROOMS: dict[str, str] = {}
BOARDS = ("isonzo", "altipiani", "caporetto", "volturno")
"""The boards that come with the program, also of games that cannot be played yet."""
OWN_GAMES = "FRONTE_GAMES"
"""The environment variable that names modules of games of one's own, with commas between them."""


def register(
    game: str,
    kind: type[Rules[Any]] | str,
    data: Path,
    family: str = "",
    shared: Sequence[Path] = (),
    rooms: str = "",
) -> None:
    """Enter a game: its ruleset, its data pack, its family, and the folders of what the family shares.

    The ruleset is a class, or says where it is: `module:Class`. A game that is entered again takes the place of the
    first. `rooms` is for a family that is no part of the program:
    the package in which its rooms lie, `ai`, `study` and so on.
    """
    if game in GAMES:  # entered anew: nothing that was made by its older rules may stay
        for kept in (_ruleset, _header, seats_of):
            kept.cache_clear()
    GAMES[game] = kind
    FAMILIES[game] = family or game
    _DATA[game] = (data, *shared)
    if rooms:
        _ROOMS[FAMILIES[game]] = rooms


register("isonzo", "fronte.games.isonzo.game:Isonzo", HERE / "isonzo" / "data", "inferno", [HERE / "inferno" / "data"])
register(
    "altipiani",
    "fronte.games.altipiani.game:Altipiani",
    HERE / "altipiani" / "data",
    "inferno",
    [HERE / "inferno" / "data"],
)
register("volturno", "fronte.games.volturno.game:Volturno", HERE / "volturno" / "data")
register("caporetto", "fronte.games.caporetto.game:Caporetto", HERE / "caporetto" / "data")


def family_package(above: str, family: str) -> ModuleType | None:
    """What a package of the floors above holds for a family (`fronte.study` for `inferno`); None if it holds nothing.

    Whoever is above asks for it by name, so that nothing there has to know a family.
    """
    names = [f"{above}.{family}"]
    if family in _ROOMS:
        names.append(f"{_ROOMS[family]}.{above.rpartition('.')[2]}")
    for name in names if family.isidentifier() else ():
        found = find_spec(name)
        if found is not None and found.submodule_search_locations is not None:  # a module of that name is no family's
            return importlib.import_module(name)
    return None


def family_part(above: str, game: str, module: str) -> ModuleType | None:
    """A module of the package that a floor above has for a game's family; None if there is no such."""
    own = family_package(above, FAMILIES[game]) if game in FAMILIES else None
    if own is None or find_spec(f"{own.__name__}.{module}") is None:
        return None
    return importlib.import_module(f"{own.__name__}.{module}")


def package_folders(above: str, family: str) -> list[Path]:
    """Where the package of a family lies on a floor above, if there is one: a list of one, or of none."""
    own = family_package(above, family)
    return [] if own is None or own.__file__ is None else [Path(own.__file__).parent]


def data_folder(game: str) -> Path:
    """The data pack that comes with a game; ValueError if there is no such game."""
    if game not in GAMES:
        raise ValueError(f"no game {game!r}; the games are {', '.join(GAMES)}")
    return _DATA[game][0]


def board_folder(game: str) -> Path:
    """Where the board of a game lies; ValueError if there is none."""
    if game in GAMES:
        return data_folder(game)
    if game not in BOARDS:
        raise ValueError(f"no board {game!r}; the boards are {', '.join(BOARDS)}")
    return HERE / game / "data"


def open_pack(game: str, folders: Sequence[Path | str] = (), inline: Mapping[str, str] | None = None) -> Pack:
    """The data pack of a game, with an owner's own folders and files before it and what its family shares after it."""
    return Pack([*map(Path, folders), data_folder(game), *_DATA[game][1:]], inline)


def board_pack(game: str) -> Pack:
    """The pack with the board of a game, also of one that cannot be played yet."""
    return open_pack(game) if game in GAMES else Pack([board_folder(game)])


def ruleset(
    game: str, scenario: str = "", options: Mapping[str, Any] | None = None, folders: Sequence[Path | str] = ()
) -> Rules[Any]:
    """The ruleset of a game; the same object for the same request."""
    chosen = tuple(sorted((name, _word(value)) for name, value in (options or {}).items()))
    return _ruleset(game, scenario, chosen, tuple(map(Path, folders)))


@lru_cache(maxsize=24)
def _ruleset(game: str, scenario: str, options: tuple[tuple[str, str], ...], folders: tuple[Path, ...]) -> Rules[Any]:
    pack = open_pack(game, folders)
    rules = GAMES[game](pack, scenario or first_scenario(pack), dict(options))
    assert isinstance(rules.head_start, int)  # ValueError where a handicap cannot be given
    return rules


def first_scenario(pack: Pack) -> str:
    """The scenario that is played where nobody names one: the first in the pack."""
    return next((key for key, data in pack.toml("scenarios.toml").items() if isinstance(data, dict)), "")


@lru_cache(maxsize=64)
def seats_of(game: str, scenario: str = "", folders: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """The seats of a scenario: those that it names itself (`seats` in scenarios.toml), else those of the game.

    No ruleset is made for a scenario that names them.
    """
    pack = open_pack(game, folders)
    told = pack.toml("scenarios.toml").get(scenario or first_scenario(pack))
    own = told.get("seats") if isinstance(told, dict) else None
    return tuple(map(str, own)) if own else ruleset(game).seats


def for_header(header: Header, folders: Sequence[Path | str] = ()) -> Rules[Any]:
    """The ruleset of a saved match; ValueError if its data or rules are not those of this program."""
    rules = ruleset(header.game, header.scenario, header.options, folders)
    _compare(header, rules.header)
    return rules


def check_header(header: Header, folders: Sequence[Path | str] = ()) -> None:
    """ValueError if the data or the rules of a saved match are not those of this program.

    Costs nothing once a game is known: no ruleset is made for the scenario and the options of the match.
    """
    _compare(header, _header(header.game, tuple(map(Path, folders))))


@lru_cache(maxsize=16)
def _header(game: str, folders: tuple[Path, ...]) -> Header:
    return ruleset(game, folders=folders).header


def _compare(header: Header, here: Header) -> None:
    if here.pack != header.pack:
        raise ValueError(f"the match was played with another data pack ({header.pack}, here {here.pack})")
    if here.rules != header.rules:
        raise ValueError(f"the match was played under rules version {header.rules}, here {here.rules}")


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class NoSuchGame(ImportError):
    """The environment names a module in which there is no game."""


def _in_one_line(kind: type[BaseException], wrong: BaseException, trace: TracebackType | None) -> None:
    """A slip in the environment is told without the way by which it was found; all else as ever."""
    if isinstance(wrong, NoSuchGame):
        sys.stderr.write(f"error: {wrong}\n")
    else:
        sys.__excepthook__(kind, wrong, trace)


def enter_own_games() -> None:
    """Import the modules that the environment names; each enters its games with `register`.

    Processes that this one starts find the same games, as they have the same environment.
    """
    for name in filter(None, (word.strip() for word in os.environ.get(OWN_GAMES, "").split(","))):
        is_new, before = name not in sys.modules, dict(GAMES.known)
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as wrong:
            raise NoSuchGame(f"{OWN_GAMES} names {name}, but there is no module {wrong.name}") from None
        if is_new and before == GAMES.known:
            raise NoSuchGame(f"{OWN_GAMES} names {name}, but that module registered no game")


try:
    enter_own_games()
except NoSuchGame:  # this module is imported by whatever is started, so nobody above could catch it
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _in_one_line
    raise
