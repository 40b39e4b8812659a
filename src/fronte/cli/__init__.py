"""The `fronte` command."""

from __future__ import annotations

from typing import Annotated

import typer

import fronte
from fronte.cli import advice, arena, mail, odds, play, puzzles, record, rulebook, serve, simulate, study, tools, verify

app = typer.Typer(
    name="fronte",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Andrea Brusati's battle games with every rule kept.",
)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fronte {fronte.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Andrea Brusati's battle games with every rule kept."""


app.command()(play.text)
app.command("play")(serve.open_table)
app.command()(serve.serve)
app.command()(simulate.simulate)
app.command()(arena.arena)
app.add_typer(arena.app, name="tune")
app.command(cls=study.StudyCommand)(study.study)
app.command()(odds.odds)
app.add_typer(puzzles.app, name="puzzles")
app.add_typer(rulebook.app, name="rules")
app.command()(record.replay)
app.command("advise")(advice.advise_command)
app.command()(advice.judge)
app.command()(record.migrate)
app.command()(verify.verify)
app.command()(verify.luck)
app.add_typer(mail.app, name="mail")
app.add_typer(tools.game, name="game")
app.add_typer(tools.pack, name="pack")
app.add_typer(tools.board, name="board")
app.add_typer(tools.case, name="case")
