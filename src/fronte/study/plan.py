"""What a study plays: the game, the seeds, and the variants that are compared."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import fronte
from fronte.ai import check_player
from fronte.engine.rules import Rules
from fronte.files import write_bytes
from fronte.games.registry import GAMES, open_pack
from fronte.study.changes import change, folder_files, is_change

FORMAT = 2
"""Of the journal and of the tables; docs/studies/README.md describes it."""
BASE = "base"
"""The name of the variant of a study that compares nothing."""


class Variant(msgspec.Struct, frozen=True):
    """One way to play. `files` are texts that come before the files of the game's own pack."""

    name: str
    scenario: str
    options: dict[str, str]
    players: tuple[str, ...]
    files: dict[str, str]
    pack: str = ""
    """Fingerprint of the data that decide play."""
    rules: str = ""
    """Version of the rules."""


class Asked(msgspec.Struct, frozen=True):
    """The words of whoever asks for a study; None where nothing was said."""

    game: str
    players: str | None = None
    games: int | None = None
    seed: int | None = None
    compare: list[str] | None = None
    settings: list[str] | None = None
    scenario: str | None = None
    options: dict[str, str] | None = None


class Plan(msgspec.Struct, frozen=True):
    """A whole study. Game number n of every variant has the same seed, so that variants can be compared in pairs."""

    format: int
    fronte: str
    game: str
    seed: int
    games: int
    variants: tuple[Variant, ...]
    asked: Asked


class Job(NamedTuple):
    """One game to play."""

    variant: int
    game: int


class Setting(NamedTuple):
    """One thing that is set: `place=value`, or `place+=value` for one that is added to."""

    place: str
    value: str
    add: bool = False

    def __str__(self) -> str:
        return f"{self.place}{'+=' if self.add else '='}{self.value}"


def game_seed(seed: int, game: int) -> int:
    """The seed of a game: of the study's seed and the game's number, and of nothing else."""
    raw = hashlib.blake2b(f"{seed}/{game}".encode(), digest_size=8, person=b"fronte study").digest()
    return int.from_bytes(raw, "big") >> 1


def jobs(plan: Plan) -> list[Job]:
    """Every game of a study, all variants of a seed together."""
    return [Job(variant, game) for game in range(plan.games) for variant in range(len(plan.variants))]


# From words to variants


def read_settings(text: str) -> list[Setting]:
    """What `place=a,b,c` sets, one after another; ValueError if it is not written so."""
    place, equals, values = text.partition("=")
    add = place.endswith("+")
    place = place.removesuffix("+").strip()
    if not equals or not place:
        raise ValueError(f"{text!r} is not written PLACE=VALUE")
    return [Setting(place, value.strip(), add) for value in values.split(",")]


def variants_of(game: str, base: Variant, fixed: Sequence[Setting], compared: Sequence[str]) -> tuple[Variant, ...]:
    """The variants that all combinations of what is compared make; `fixed` holds for each of them."""
    made = []
    for chosen in product(*map(read_settings, compared)):
        name = ", ".join(map(str, chosen)) or BASE
        variant = msgspec.structs.replace(base, name=name)
        try:
            for setting in (*fixed, *chosen):
                variant = _with(game, variant, setting)
            made.append(complete(game, variant))
        except ValueError as wrong:
            raise ValueError(f"{name}: {wrong}" if compared else str(wrong)) from None
    names = [variant.name for variant in made]
    if len(set(names)) < len(names):
        raise ValueError(f"two variants are the same: {', '.join(names)}")
    return tuple(made)


def _with(game: str, variant: Variant, setting: Setting) -> Variant:
    """A variant with one more thing set."""
    replace = msgspec.structs.replace
    head, _, rest = setting.place.partition(".")
    if is_change(setting.place):
        changed = change(open_pack(game, (), variant.files), setting.place, setting.value, setting.add)
        return replace(variant, files=variant.files | changed)
    if setting.add:
        raise ValueError(f"{setting.place}: += is for values of the pack only")
    if head == "options" and rest:
        return replace(variant, options=variant.options | {rest: setting.value})
    if setting.place == "scenario":
        return replace(variant, scenario=setting.value)
    if setting.place == "pack":
        return replace(variant, files=variant.files | folder_files(Path(setting.value)))
    if head == "players" and rest:
        seat = ruleset_of(game, variant).seat_index(rest)
        players = list(variant.players)
        players[seat] = setting.value
        return replace(variant, players=tuple(players))
    raise ValueError(
        f"{setting.place!r} cannot be set; what can: scenario, options.NAME, players.SEAT, pack, counters.UNIT.COLUMN, "
        "hexes.HEX.COLUMN, hexsides.A/B.COLUMN, tables.NAME, scenarios.NAME, board.NAME"
    )


def complete(game: str, variant: Variant) -> Variant:
    """The variant with its scenario named and its data's fingerprint; ValueError if it cannot be played."""
    rules = ruleset_of(game, variant)
    if len(variant.players) != len(rules.seats):
        seats = ", ".join(rules.seats)
        raise ValueError(f"{game} has {len(rules.seats)} seats ({seats}), but there are {len(variant.players)} players")
    for name in variant.players:
        check_player(name, game)
    header = rules.header
    return msgspec.structs.replace(variant, scenario=header.scenario, pack=header.pack, rules=header.rules)


# Rulesets


def ruleset_of(game: str, variant: Variant) -> Rules[Any]:
    """The ruleset that a variant is played by."""
    return _ruleset(game, msgspec.json.encode((variant.scenario, variant.options, variant.files), order="sorted"))


@lru_cache(maxsize=32)
def _ruleset(game: str, key: bytes) -> Rules[Any]:
    scenario, options, files = msgspec.json.decode(key)
    if not files:
        return fronte.ruleset(game, scenario, options)
    pack = open_pack(game, (), files)
    name = scenario or next(key for key, data in pack.toml("scenarios.toml").items() if isinstance(data, dict))
    rules: Rules[Any] = GAMES[game](pack, name, options)
    return rules


# The plan in its folder


def save_plan(plan: Plan, folder: Path) -> None:
    """Write the plan; whoever reads the folder later knows what was played."""
    text = msgspec.json.format(msgspec.json.encode(plan), indent=2)
    write_bytes(folder / "study.json", text + b"\n")


def load_plan(folder: Path) -> Plan:
    """The plan of a study that was begun; ValueError if there is none, or none that this program can go on with."""
    path = folder / "study.json"
    if not path.is_file():
        raise ValueError(f"{folder}: there is no study to resume (no study.json)")
    try:
        plan = msgspec.json.decode(path.read_bytes(), type=Plan)
    except msgspec.DecodeError as wrong:
        raise ValueError(f"{path}: {wrong}") from None
    if plan.format != FORMAT:
        raise ValueError(f"{path}: format {plan.format} is not known, only {FORMAT}")
    return plan


def check_plan(plan: Plan) -> None:
    """ValueError if a study cannot go on as it began, because rules or data are no longer those it was begun with."""
    for variant in plan.variants:
        now = complete(plan.game, variant)
        if (now.pack, now.rules) != (variant.pack, variant.rules):
            raise ValueError(f"{variant.name}: rules or data have changed since the study began; begin a new one")
