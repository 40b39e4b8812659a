"""`fronte verify` and `fronte luck`: can the dice of a match be believed, and to whom were they kind?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

from fronte.cli.common import (
    AsJson,
    Language,
    Packs,
    SavedGame,
    check_language,
    console,
    fail,
    one_line_errors,
    plain,
    print_json,
    read_pairs,
    read_text,
)
from fronte.cli.words import Words
from fronte.engine import luck as luck_of
from fronte.engine import record
from fronte.engine.text import Texts
from fronte.engine.verify import FALSE, LARGEST, OPEN, TRUE, Noted, Report
from fronte.engine.verify import verify as check
from fronte.files import read_file
from fronte.games.registry import for_header

EXIT = {TRUE: 0, FALSE: 1, OPEN: 3}
SIGNS = {TRUE: "[green]yes[/]", FALSE: "[bold red]NO [/]", OPEN: "[yellow]?  [/]"}
VERDICTS = {
    TRUE: "[bold green]True:[/] everything was checked and holds.",
    FALSE: "[bold red]False:[/] this file is not the match as it was played.",
    OPEN: "[bold yellow]Nothing wrong was found,[/] but not everything could be checked (see the lines with ?).",
}
ON_TIME = "[bold green]True:[/] everything was checked and holds. {} won on time, by the clocks of the house."
"""What can be checked is true; that time was up no file can prove."""
QUESTIONS = {
    "file": "the file",
    "house": "the house's secret",
    "anew": "begun anew",
    "words": "the words of both sides",
    "seed": "the seed",
    "rules": "the rules",
    "dice": "every die",
    "actions": "every action",
    "score": "the final score",
    "record": "the record",
    "letters": "the letters",
    "secrets": "the secrets",
}


def verify(
    file: SavedGame,
    house: Annotated[str, typer.Option(help="The commitment of the house, as you noted it at the start.")] = "",
    word: Annotated[list[str] | None, typer.Option(help="A word that was given, as seat=word.")] = None,
    noted: Annotated[
        list[str] | None, typer.Option(help="A fingerprint you noted during play, as actions:fingerprint.")
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """Check a match: where its dice came from, every die, every action, the score.

    Exit status 0: all was checked and is true; 1: something is false; 3: nothing is false, but not all can be checked.
    """
    with one_line_errors():
        found = check(
            read_file(file, LARGEST),
            lambda header: for_header(header, tuple(pack or ())),
            Noted(house.strip(), read_pairs(word or [], "--word", "seat=word"), _fingerprints(noted or [])),
        )
    if as_json:
        print_json({"file": str(file)} | msgspec.to_builtins(found))
    else:
        console.print(f"{plain(str(file))}: {found.lines} actions", soft_wrap=True)
        say_checks(found)
    raise typer.Exit(EXIT[found.verdict])


def _fingerprints(given: list[str]) -> dict[int, str]:
    marks = {}
    for text in given:
        line, colon, mark = text.partition(":")
        if not colon or not line.isdecimal() or len(line) > 9:
            fail(f"--noted {text!r} is not written actions:fingerprint")
        marks[int(line)] = mark.strip()
    return marks


def say_checks(found: Report) -> None:
    """What was checked, line by line, and the verdict."""
    wide = max(len(QUESTIONS[line.name]) for line in found.checks)
    for line in found.checks:
        question = f"{QUESTIONS[line.name]}:".ljust(wide + 1)
        console.print(f"  {SIGNS[line.status]} {question} {plain(line.text)}", soft_wrap=True)
    verdict = VERDICTS[found.verdict]
    if found.ended is not None and found.verdict == TRUE:
        verdict = ON_TIME.format(plain(str(found.ended["winner"])))
    console.print(verdict, soft_wrap=True)


def luck(
    file: Annotated[Path, typer.Argument(help="A saved game, finished or not.")],
    seat: Annotated[str, typer.Option(help="Only for this seat.")] = "",
    pack: Packs = None,
    combats: Annotated[bool, typer.Option("--combats", help="Also list every combat.")] = False,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """What the dice gave each side against what could be expected, in what the game counts, with bands."""
    check_language(language)
    with one_line_errors():
        save = read_text(file)
        data = luck_of.of_save(save, lambda header: for_header(header, tuple(pack or ())), seat or None)
    if as_json:
        print_json(data)
        return
    words, texts = Words(language), for_header(record.read(save)[0].header, tuple(pack or ())).texts(language)
    for name, sums in data["seats"].items():
        _say_sums(name, sums, words, texts)
    if combats:
        console.print(_combats(data["combats"], words))
    for what, fell in data["dice"].items():
        faces = " ".join(f"{pips}:{count}" for pips, count in enumerate(fell["faces"], 1))
        mean, fair = words.number(fell["mean"], 2), words.number(3.5, 2)
        console.print(words("luck_dice", what=what, dice=fell["dice"], mean=mean, fair=fair, faces=faces))


def _say_sums(name: str, sums: dict[str, Any], words: Words, texts: Texts) -> None:
    """The sums of a seat; what a game counts and on which occasions is told by its texts (`[luck]`)."""
    expected, rolled = sums["expected"], sums["rolled"]
    console.print(f"[bold]{name}[/]: {texts.luck('throws', n=sums['combats'])}")
    called = {key: texts.luck(key) for key in ("inflicted", "suffered")} | {"net": words("luck_net")}
    for key, what in called.items():
        told = words("luck_sum", what=what, rolled=rolled[key], expected=words.number(expected[key]))
        console.print(f"  {told}")
    bands = (words("luck_band", band=band, low=low, high=high) for band, (low, high) in sums["bands"].items())
    console.print(f"  {words('luck_bands', bands=', '.join(bands))}")
    luck, share = words.number(sums["luck"], sign=True), words.number(100 * sums["share"], 0)
    console.print(f"  {texts.luck('verdict', luck=luck, share=share)}")


def _combats(rows: list[dict[str, Any]], words: Words) -> Table:
    heads = ("line", "turn", "hex", "attacker", "dice", "net", "expected", "share")
    table = Table(*(words(f"luck_col_{head}") for head in heads))
    for row in rows:
        dice = " ".join(map(str, row["dice"]))
        share = f"{100 * row['share']:.0f} %"
        cells = (row["line"], row["turn"], row["where"], row["attacker"], dice, row["net_rolled"])
        table.add_row(*map(str, cells), words.number(row["net_expected"], 2), share)
    return table
