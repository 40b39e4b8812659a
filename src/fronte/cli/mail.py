"""`fronte mail`: a match by file, without a server. Each side has a desk, which is private, and sends letters."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

import fronte
from fronte.cli.commands import COMMANDS
from fronte.cli.common import (
    AsJson,
    Game,
    GameOptions,
    Language,
    Packs,
    Scenario,
    check_game,
    check_language,
    console,
    fail,
    one_line_errors,
    plain,
    print_json,
    read_options,
)
from fronte.cli.session import Session
from fronte.cli.terminal import Terminal
from fronte.cli.verify import EXIT, say_checks
from fronte.engine.rules import Rules
from fronte.files import read_file, write_text
from fronte.games.registry import for_header
from fronte.mail import desk as desks
from fronte.mail import letter as letters
from fronte.mail import referee
from fronte.mail.desk import Post

app = typer.Typer(no_args_is_help=True, help="Play by file, without a server: new, join, import, play, export, verify.")

DeskFile = Annotated[Path, typer.Argument(help="Your desk: private, never send it.")]
NOT_BY_FILE = ("load", "save", "order")


def open_desk(file: Path, packs: list[Path] | None) -> Post:
    """The desk in a file, at work."""
    with one_line_errors():
        text = read_file(file, desks.LARGEST)
    try:
        found = desks.read(text)
        return Post(found, for_header(found.header, packs or []))
    except ValueError as wrong:
        fail(f"{file}: {wrong}")


def open_letter(file: Path) -> letters.Letter:
    """The letter in a file."""
    with one_line_errors():
        text = read_file(file, letters.LARGEST)
    try:
        return letters.read(text)
    except ValueError as wrong:
        fail(f"{file}: {wrong}")


def letter_file(file: Path, letter: letters.Letter) -> Path:
    """Where a letter is written by default: beside the desk."""
    return file.with_name(f"{letter.match[:6]}-{letter.number:03}-{letter.seat}.letter")


def send(post: Post, file: Path, out: Path | None) -> None:
    """Write the letter of a finished turn, and keep the desk."""
    with one_line_errors():
        letter = post.write()
        target = out or letter_file(file, letter)
        keep_desk(file, target)
        write_text(file, post.desk.write(), private=True)
        write_text(target, letters.write(letter))
    console.print(f"Send this file to the other side: [bold]{plain(str(target))}[/]", soft_wrap=True)


def keep_desk(desk: Path, target: Path) -> None:
    """Nothing is written over the desk."""
    if target.resolve() == desk.resolve():
        fail(f"{target}: this is your desk; name another file")


@app.command()
def new(
    game: Game,
    scenario: Scenario = "",
    seat: Annotated[str, typer.Option(help="The side you play; the one that begins if none is named.")] = "",
    option: GameOptions = None,
    pack: Packs = None,
    desk: Annotated[Path | None, typer.Option(help="The file of your desk.")] = None,
    out: Annotated[Path | None, typer.Option(help="The file of the letter.")] = None,
) -> None:
    """Begin a match: makes your desk and an invitation to send."""
    check_game(game)
    with one_line_errors():
        rules = fronte.ruleset(game, scenario, read_options(option or []), pack or [])
        chosen = seat or beginner(rules)
        made = desks.invite(rules, chosen, secrets.token_bytes)
    file = free_desk(desk, game, chosen)
    post = Post(made, rules)
    send(post, file, out)
    console.print(f"Your desk is {plain(str(file))}: keep it, and keep it to yourself.", soft_wrap=True)
    console.print(f"When the answer comes: fronte mail import {plain(str(file))} LETTER", soft_wrap=True)


def beginner(rules: Rules[Any]) -> str:
    """The side that decides first, to whom it saves a letter to invite."""
    first = fronte.Match.begin(rules, bytes(32)).decision
    return first.seat if first else rules.seats[0]


def free_desk(desk: Path | None, game: str, seat: str) -> Path:
    """A file for a desk that does not exist yet."""
    if desk is not None:
        if desk.exists():
            fail(f"{desk}: there is a file of this name already")
        return desk
    number, file = 1, Path(f"{game}-{seat}.desk")
    while file.exists():
        number += 1
        file = Path(f"{game}-{seat}-{number}.desk")
    return file


@app.command()
def join(
    letter: Annotated[Path, typer.Argument(help="The invitation you received.")],
    pack: Packs = None,
    desk: Annotated[Path | None, typer.Option(help="The file of your desk.")] = None,
    out: Annotated[Path | None, typer.Option(help="The file of the letter.")] = None,
) -> None:
    """Take up an invitation: makes your desk and an answer to send."""
    invitation = open_letter(letter)
    with one_line_errors():
        made = desks.answer(invitation, lambda header: for_header(header, pack or []), secrets.token_bytes)
        rules = for_header(made.header, pack or [])
    file = free_desk(desk, made.header.game, made.seat)
    console.print(f"{made.header.game}, {made.header.scenario}: you play [bold]{made.seat}[/].")
    send(Post(made, rules), file, out)
    say_safety(made)
    console.print(f"Your desk is {plain(str(file))}: keep it, and keep it to yourself.", soft_wrap=True)


def say_safety(desk: desks.Desk) -> None:
    """The digits that both players can compare."""
    digits = desks.safety_number(desk.letters)
    console.print(f"Safety number: [bold]{digits}[/]. If both of you see the same, nobody sits between you.")


@app.command("import")
def import_letter(
    desk: DeskFile,
    letter: Annotated[Path, typer.Argument(help="The letter you received.")],
    pack: Packs = None,
    out: Annotated[Path | None, typer.Option(help="The file for the answer, if it needs no decision.")] = None,
) -> None:
    """Read a letter. If it asks nothing of you, the answer is written at once."""
    post = open_desk(desk, pack)
    read = open_letter(letter)
    try:
        post.receive(read)
    except ValueError as wrong:
        fail(f"{letter}: {wrong}")
    with one_line_errors():
        write_text(desk, post.desk.write(), private=True)
    if len(post.desk.letters) == 2:
        say_safety(post.desk)
    while (formality := post.table.formality()) is not None:  # a letter does not tell whether somebody had a choice
        post.table.play(formality)
    if post.can_write:
        console.print("The letter asks nothing of you; your answer was written.")
        send(post, desk, out)
    say_state(post, desk)


def say_state(post: Post, file: Path) -> None:
    """Whose turn it is, and what to do next."""
    if post.complete:
        console.print(f"The match is over and both secrets are open: fronte mail verify {plain(str(file))}")
    elif post.over:
        console.print("The match is over; the other side has still to open its secrets.")
    elif post.table.decision is not None:
        console.print(f"It is for you to decide: fronte mail play {plain(str(file))}", soft_wrap=True)
    else:
        console.print("It is for the other side to write.")


@app.command()
def play(
    desk: DeskFile,
    language: Language = "en",
    pack: Packs = None,
    undo: Annotated[bool, typer.Option("--undo", help="First take back your last action.")] = False,
    out: Annotated[Path | None, typer.Option(help="The file of the letter.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write the letter without asking.")] = False,
) -> None:
    """Play your turn at the terminal; when it is finished, write the letter."""
    check_language(language)
    post = open_desk(desk, pack)
    if undo and not post.table.undo():
        fail("nothing can be taken back: your turn has just begun, was sent, or dice have fallen")
    if post.table.decision is not None:
        at_desk = AtDesk(post.table, Terminal(console), language, None, True, desk)
        at_desk.run({name: command for name, command in COMMANDS.items() if name not in NOT_BY_FILE})
    if post.can_write and (yes or typer.confirm("Your turn is finished. Write the letter?", default=True)):
        send(post, desk, out)
    say_state(post, desk)


class AtDesk(Session):
    """An evening at one's own desk."""

    def save(self, file: Path | None) -> None:
        """Keep the desk."""
        if self.written(file, private=True):
            self.terminal.say(self.words("saved_short", file=file))


@app.command()
def export(
    desk: DeskFile,
    pack: Packs = None,
    out: Annotated[Path | None, typer.Option(help="The file of the letter.")] = None,
) -> None:
    """Write the letter of a finished turn, or the last one once more."""
    post = open_desk(desk, pack)
    send(post, desk, out)


@app.command()
def status(desk: DeskFile, pack: Packs = None) -> None:
    """Where a match stands."""
    post = open_desk(desk, pack)
    header = post.desk.header
    console.print(
        f"{header.game}, {header.scenario}: you play [bold]{post.desk.seat}[/]; {len(post.desk.letters)} letters so far"
    )
    if len(post.desk.letters) >= 2:
        say_safety(post.desk)
    say_state(post, desk)


@app.command()
def verify(
    desk: DeskFile,
    pack: Packs = None,
    save: Annotated[Path | None, typer.Option(help="Write the match as a saved game, for replay and luck.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a match once both secrets are open. Exit status as of `fronte verify`: 0 true, 1 false, 3 open."""
    post = open_desk(desk, pack)
    found, record = referee.judge(post.rules, post.desk.letters)
    if as_json:
        print_json({"file": str(desk)} | msgspec.to_builtins(found))
    else:
        console.print(f"{plain(str(desk))}: {found.lines} letters")
        say_checks(found)
    if save is not None and record:
        keep_desk(desk, save)
        with one_line_errors():
            write_text(save, record)
    raise typer.Exit(EXIT[found.verdict])
