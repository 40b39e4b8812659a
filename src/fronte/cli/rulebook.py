"""`fronte rules`: the rules reference of a game, and which rules the casebook shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from typer.core import TyperGroup

from fronte import casebook
from fronte.cli import show
from fronte.cli.common import (
    AsJson,
    Game,
    Language,
    check_game,
    check_language,
    console,
    fail,
    one_line_errors,
    plain,
    print_json,
)
from fronte.engine.rulebook import Rule, Rulebook
from fronte.engine.text import Texts
from fronte.games.registry import open_pack


class GameFirst(TyperGroup):
    """`rules isonzo` is short for `rules show isonzo`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Put `show` before the name of a game."""
        if args and args[0] not in self.commands:
            args = ["show", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=GameFirst,
    no_args_is_help=True,
    help="The rules of a game in our own words: rules GAME [RULE]. rules options GAME: what can be chosen. "
    "rules coverage GAME: which have a case.",
)


@app.command("show")
def show_rules(
    game: Game,
    rule: Annotated[str, typer.Argument(help="A rule by its number, or a word of its title.")] = "",
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """The rules of a game, or one of them with our reading of it."""
    book = read_book(game, language)
    found = find_rules(book, rule, language)
    if not found:
        fail(f"{game} has no rule {rule!r}, and none has it in its title")
    if as_json:
        data = [msgspec.to_builtins(one) for one in found]
        print_json(data[0] if book.find(rule) else data)
    elif len(found) == 1:
        console.print(show.rule_card(book, found[0].id, language))
    else:
        for one in found:
            console.print(f"[bold]{one.cite or one.id:12}[/] {plain(one.title)}", soft_wrap=True)
        if any(one.cite.endswith("*") for one in found):
            console.print("[dim]* the letter is ours: the booklet gives this paragraph neither number nor letter[/]")


def read_book(game: str, language: str) -> Rulebook:
    """The rules of a game that there is, to be told in a language that there is."""
    check_game(game)
    check_language(language)
    with one_line_errors():
        return Rulebook.read(open_pack(game))


def find_rules(book: Rulebook, word: str, language: str) -> list[Rule]:
    """The rule with this number, else those with the word in their title, else all."""
    if name := book.find(word):
        return [book.rule(name, language)]
    every = [book.rule(name, language) for name in book.rules]
    return [rule for rule in every if word.casefold() in rule.title.casefold()]


@app.command("options")
def list_options(
    game: Game,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """The options of a game, given as --option name=value; a star marks what holds if none is given."""
    book = read_book(game, language)
    with one_line_errors():
        texts = Texts.read(open_pack(game), language)
    if as_json:
        print_json([msgspec.to_builtins(option) for option in book.options])
        return
    for option in book.options:
        values = ", ".join(f"{value}*" if value == option.default else value for value in option.values)
        title = texts.option(option, book)
        console.print(f"[bold]{option.name:26}[/] {values} ({option.rule} {plain(title)})", soft_wrap=True)


@app.command("coverage")
def coverage(
    game: Game,
    cases: Annotated[Path | None, typer.Option(help="The folder of case files; tests/cases by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Which enforced rules have a case in the casebook. Exit status 1 if one has none."""
    check_game(game)
    folder = cases or case_folder()
    if not folder.is_dir():
        fail(f"{folder}: there is no such folder; name the case files' with --cases")
    with one_line_errors():
        shown, missing = casebook.coverage(game, folder)
        book = Rulebook.read(open_pack(game))
    total = len(shown) + len(missing)
    if as_json:
        print_json({"game": game, "enforced": total, "shown": len(shown), "missing": missing})
    else:
        for name in missing:
            console.print(f"no case: [bold]{name:12}[/] {plain(book.rules[name].title)}", soft_wrap=True)
        console.print(f"{len(shown)} of {total} enforced rules have a case")
    if missing:
        raise typer.Exit(1)


def case_folder() -> Path:
    """The case files: below the present folder, or where the program's own source lies."""
    here = Path("tests/cases")
    return here if here.is_dir() else Path(__file__).parents[3] / "tests" / "cases"
