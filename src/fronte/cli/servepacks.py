"""`fronte serve --pack FOLDER`: for which game is a folder of one's own data, and is everything in it right?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fronte.cli.packcheck import check_pack
from fronte.engine.pack import Pack, PackError
from fronte.games.registry import GAMES, data_folder


def read_packs(given: Sequence[str]) -> dict[str, tuple[Path, ...]]:
    """The folders by game; ValueError says in a sentence what is wrong with one."""
    found: dict[str, tuple[Path, ...]] = {}
    for text in given:
        game, folder = _written(text)
        if not folder.is_dir():
            raise ValueError(f"--pack {text}: there is no folder {folder}")
        game = game or _game_of(folder)
        found[game] = (*found.get(game, ()), folder)
    for game, folders in found.items():
        _check(game, folders)
    return found


def _written(text: str) -> tuple[str, Path]:
    """A folder, and the game if one is named."""
    game, equals, folder = text.partition("=")
    if not equals or Path(text).expanduser().is_dir():
        return "", Path(text).expanduser().resolve()
    if game not in GAMES:
        raise ValueError(f"--pack {text}: no game {game!r}; the games are {', '.join(GAMES)}")
    return game, Path(folder).expanduser().resolve()


def _game_of(folder: Path) -> str:
    """The game that a folder is for: the one its pack.toml names, or the only one that its files fit."""
    known = {game: {path.name for path in data_folder(game).iterdir()} for game in GAMES}
    files = {path.name for path in folder.iterdir()}
    if not any(files & names for names in known.values()):
        raise ValueError(f"--pack {folder}: there is no file of a data pack in it, such as units.csv")
    named = _named(folder)
    if named:
        return named
    wrong = {game: check_pack(game, [folder]) for game in GAMES}
    fitting = [game for game, errors in wrong.items() if not errors]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise ValueError(f"--pack {folder}: it fits {' and '.join(fitting)}; write --pack {fitting[0]}={folder}")
    first = "; ".join(f"for {game}: {errors[0]}" for game, errors in wrong.items())
    raise ValueError(f"--pack {folder}: it fits no game ({first}); write --pack {next(iter(GAMES))}={folder}")


def _named(folder: Path) -> str:
    if not (folder / "pack.toml").is_file():
        return ""
    try:
        name = str(Pack([folder]).toml("pack.toml").get("id", ""))
    except PackError:
        return ""
    return name if name in GAMES else ""


def _check(game: str, folders: Sequence[Path]) -> None:
    errors = check_pack(game, folders)
    if errors:
        where = " ".join(map(str, folders))
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise ValueError(
            f"the data in {where} cannot be played: {errors[0]}{more}; see fronte pack check {game} {where}"
        )
