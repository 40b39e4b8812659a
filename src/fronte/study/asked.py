"""What a designer asks for, and the study that it makes: begun in a folder, or gone on with."""

from __future__ import annotations

from pathlib import Path

import msgspec

import fronte
from fronte.ai import usual_player
from fronte.study.plan import (
    FORMAT,
    Asked,
    Plan,
    Setting,
    Variant,
    check_plan,
    load_plan,
    read_settings,
    save_plan,
    variants_of,
)

GAMES, SEED = 100, 1
"""What is played where nothing else is asked for."""


def planned(asked: Asked) -> Plan:
    """The study that is asked for; ValueError if it cannot be played."""
    players = asked.players or usual_players(asked.game)
    games, seed = asked.games or GAMES, SEED if asked.seed is None else asked.seed
    names = tuple(name.strip() for name in players.split(","))
    base = Variant("", asked.scenario or "", asked.options or {}, names, {})
    variants = variants_of(asked.game, base, [_fixed(text) for text in asked.settings or []], asked.compare or [])
    whole = msgspec.structs.replace(asked, players=players, games=games, seed=seed)
    return Plan(FORMAT, fronte.__version__, asked.game, seed, games, variants, whole)


def usual_players(game: str) -> str:
    """Who plays where nobody is named: the usual player in every seat."""
    return ",".join([usual_player(game)] * len(fronte.ruleset(game).seats))


def _fixed(text: str) -> Setting:
    settings = read_settings(text)
    if len(settings) > 1:
        raise ValueError(f"{text!r} sets more than one value; comparing does that")
    return settings[0]


def begin(folder: Path, asked: Asked) -> Plan:
    """Begin a study in a folder of its own."""
    if (folder / "study.json").exists():
        raise ValueError(f"{folder} holds a study already: go on with it (--resume) or name another folder (--out)")
    plan = planned(asked)
    folder.mkdir(parents=True, exist_ok=True)
    save_plan(plan, folder)
    return plan


def go_on(folder: Path, asked: Asked) -> Plan:
    """Go on with a study as it began. What is said again must be the same; only games may be more."""
    plan = load_plan(folder)
    check_plan(plan)
    for name in ("game", "players", "seed", "compare", "settings", "scenario", "options"):
        said, before = getattr(asked, name), getattr(plan.asked, name)
        if said is not None and said != before:
            raise ValueError(f"{folder} was begun with another {name}: {before or 'none'}")
    games = asked.games or plan.games
    if games < plan.games:
        raise ValueError(f"{folder} was begun with {plan.games} games; there can be more, but not fewer")
    plan = msgspec.structs.replace(plan, games=games, asked=msgspec.structs.replace(plan.asked, games=games))
    save_plan(plan, folder)
    return plan


def command(asked: Asked) -> list[str]:
    """The command that asks for the same again."""
    words = ["fronte", "study", asked.game, "--players", str(asked.players)]
    words += ["--games", str(asked.games), "--seed", str(asked.seed)]
    words += ["--scenario", asked.scenario] if asked.scenario else []
    for name, value in sorted((asked.options or {}).items()):
        words += ["--option", f"{name}={value}"]
    for text in asked.settings or []:
        words += ["--set", text]
    for text in asked.compare or []:
        words += ["--compare", text]
    return words
