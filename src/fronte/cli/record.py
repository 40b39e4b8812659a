"""`fronte replay` and `fronte migrate`: the story of a saved game, and its fate under the present rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

import fronte
from fronte.cli.common import (
    AsJson,
    Language,
    Packs,
    SavedGame,
    check_game,
    check_language,
    console,
    fail,
    load_match,
    one_line_errors,
    plain,
    print_json,
    read_text,
)
from fronte.engine import record, save
from fronte.engine.handicap import OPTION as HANDICAP
from fronte.engine.rules import Header, Rules
from fronte.engine.text import Texts
from fronte.files import write_text

PHASES = ("phase", "player_turn", "turn")
QUIET = ("rolled",)


def replay(
    file: SavedGame,
    at: Annotated[int | None, typer.Option(help="Only the first so many lines of the record.")] = None,
    seat: Annotated[str, typer.Option(help="As this seat saw it; all by default.")] = "",
    language: Language = "en",
    pack: Packs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the events as JSON.")] = False,
) -> None:
    """Tell the story of a saved game, turn by turn."""
    check_language(language)
    match = load_match(file, at, pack or ())
    with one_line_errors():
        events = match.events_for(seat) if seat else match.events
        texts = Texts.read(match.rules.pack, language)
    if as_json:
        told = [{"kind": e.kind, "rules": e.rules, "data": e.data, "text": texts.event(e, False)} for e in events]
        print_json(told)
        return
    for event in events:
        if event.kind in QUIET:
            continue
        if event.kind in PHASES:
            gap = "\n" if event.kind == "turn" else ""
            console.print(f"{gap}[bold]{plain(texts.event(event, cite=False))}[/]", soft_wrap=True)
        else:
            console.print(f"  {plain(texts.event(event))}", soft_wrap=True)


def migrate(
    file: SavedGame,
    out: Annotated[Path | None, typer.Option(help="Write the game as one of the present rules to this file.")] = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """Replay a saved game under the present rules and report. Exit status 1 if it cannot be replayed."""
    text = read_text(file)
    try:
        heading, entries = record.read(text)
    except ValueError as wrong:
        fail(f"{file}: {wrong}")
    check_game(heading.header.game)
    with one_line_errors():
        rules, dropped = present_rules(heading.header, pack or ())
    report: dict[str, Any] = {
        "file": str(file),
        "actions": len(entries),
        "from": {"rules": heading.header.rules, "pack": heading.header.pack},
        "to": {"rules": rules.header.rules, "pack": rules.header.pack},
        "options_dropped": dropped,
        "error": "",
        "result": None,
    }
    try:
        match = save.load(text, lambda header: rules)
    except ValueError as wrong:
        report["error"] = str(wrong)
    else:
        result = match.result
        report["result"] = {"level": result.level, "score": result.score} if result else None
        if out is not None:
            with one_line_errors():
                write_text(out, match.save(with_seed=bool(heading.seed)))
    if as_json:
        print_json(report)
    else:
        print_report(report, out)
    if report["error"]:
        raise typer.Exit(1)


def present_rules(header: Header, packs: Sequence[Path]) -> tuple[Rules[Any], list[str]]:
    """The rules of today for a saved game, with these packs, and its options that no longer exist."""
    known = {*fronte.ruleset(header.game, header.scenario, folders=packs).header.options, HANDICAP}
    kept = {name: value for name, value in header.options.items() if name in known}
    dropped = [f"{name}={value}" for name, value in header.options.items() if name not in known]
    return fronte.ruleset(header.game, header.scenario, kept, packs), dropped


def print_report(report: dict[str, Any], out: Path | None) -> None:
    """The report for people."""
    old, new = report["from"], report["to"]
    if old == new:
        console.print(f"{report['file']}: of the present rules (version {new['rules']}, data {new['pack']})")
    else:
        console.print(
            f"{report['file']}: rules version {old['rules']}, data {old['pack']}; "
            f"now rules version {new['rules']}, data {new['pack']}"
        )
    for name in report["options_dropped"]:
        console.print(f"option {name} no longer exists and was left out")
    if report["error"]:
        console.print(f"[bold red]cannot be replayed:[/] {plain(report['error'])}", soft_wrap=True)
        return
    result = report["result"]
    end = f"it ends in {result['level']} with {result['score']} VP" if result else "it is not over yet"
    console.print(f"all {report['actions']} actions can be replayed; {end}")
    if out is not None:
        console.print(f"written to {out}")
