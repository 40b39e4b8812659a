"""`fronte study`: many games, what happened in them as tables, and a report; variants compared in pairs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from typer.core import TyperCommand

from fronte.cli.common import (
    Game,
    GameOptions,
    check_game,
    check_language,
    console,
    errors,
    fail,
    one_line_errors,
    read_options,
)
from fronte.engine.text import LANGUAGES
from fronte.games.registry import GAMES

if TYPE_CHECKING:
    from fronte.study.plan import Plan
    from fronte.study.runners import Runner

# What needs the packages of the extra `study` is imported where it is used: the other commands do without them.


class StudyCommand(TyperCommand):
    """The command, whose option --ray may stand with or without an address."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """An address is what follows --ray, unless that is another option or the game."""
        given = list(args)
        for at, word in enumerate(args):
            following = args[at + 1] if at + 1 < len(args) else "-"
            if word == "--ray" and (following.startswith("-") or following in GAMES):
                given[at] = "--ray=local"
        return super().parse_args(ctx, given)


def study(
    game: Game,
    players: Annotated[
        str | None, typer.Option(help="One player per seat, in their order.", show_default="the usual one in each seat")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="How many games of each variant.", show_default="100")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="From it comes the seed of every game.", show_default="1")] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE=A,B",
            help="Compare variants in pairs of the same seed. A place is scenario, options.NAME, players.SEAT, pack, "
            "counters.UNIT.COLUMN, hexes.HEX.COLUMN, tables.NAME ...; PLACE+=A,B adds to what is printed. Repeated: "
            "all combinations.",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="PLACE=A", help="Set a place in all variants. May be repeated.")
    ] = None,
    scenario: Annotated[str | None, typer.Option(help="The scenario; the game's first if none is named.")] = None,
    option: GameOptions = None,
    pack: Annotated[Path | None, typer.Option(help="A folder of data that comes before the game's own.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many play at a time.", show_default="cores")] = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="[ADDRESS]", help="Play on a Ray cluster; without an address on a Ray of this machine."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the study.", show_default="study-GAME")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a study, or add games to it (--games).")] = False,
    language: Annotated[str, typer.Option(help=f"Language of the report: {', '.join(LANGUAGES)}.")] = "en",
) -> None:
    """Play many games and report: balance, objectives, losses, front, luck; compare variants.

    The same study gives the same tables whatever the number of workers, on one machine or on a cluster. An interrupted
    study loses no finished game and goes on with --resume.
    """
    check_game(game)
    check_language(language)
    folder = out or Path(f"study-{game}")
    settings = [*([f"pack={pack}"] if pack else []), *(setting or [])]
    options = read_options(option) if option else None
    with one_line_errors():
        _check_packages()
        from fronte.study.asked import begin, go_on
        from fronte.study.plan import Asked

        asked = Asked(game, players, games, seed, compare or None, settings or None, scenario, options)
        runner = _runner(ray, workers)
        _play(go_on(folder, asked) if resume else begin(folder, asked), folder, runner, language)


def _check_packages() -> None:
    try:
        import numpy  # noqa: F401
        import pyarrow  # noqa: F401
        import resvg_py  # noqa: F401
    except ModuleNotFoundError as missing:
        raise RuntimeError(f"studies need the package {missing.name}: pip install 'fronte[study]'") from None


def _runner(ray: str | None, workers: int | None) -> Runner:
    from fronte.study.runners import on_ray, processes

    return processes(workers or os.cpu_count() or 1) if ray is None else on_ray(ray, workers)


def _play(plan: Plan, folder: Path, runner: Runner, language: str) -> None:
    """Play with a bar on the screen, then write the report."""
    from fronte.study.report import write_report
    from fronte.study.run import finished, play

    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*bar, TimeRemainingColumn(elapsed_when_finished=False), console=errors, transient=True) as progress:
        total = plan.games * len(plan.variants)
        task = progress.add_task("games", total=total, completed=finished(folder))
        try:
            play(plan, folder, runner, lambda: progress.advance(task))
        except KeyboardInterrupt:
            fail(f"interrupted; {finished(folder)} of {total} games are kept, go on with --resume --out {folder}")
        progress.update(task, description="report")
        report = write_report(plan, folder, language)
    console.print(f"{total} games in {folder}; the report is {report}", soft_wrap=True)
