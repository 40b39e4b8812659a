"""What the terminal shows of a match: status, units, hexes, odds, rules. Everything comes from a seat's view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fronte.cli.common import plain
from fronte.cli.words import Words
from fronte.engine import standing
from fronte.engine.card import TOWARDS
from fronte.engine.match import Match
from fronte.engine.rulebook import Rulebook
from fronte.engine.rules import Rules
from fronte.engine.sheet import Fact, Row, Sheet
from fronte.engine.text import Texts, in_language, sentence
from fronte.engine.view import Piece, View


def date(rules: Rules[Any], words: Words, turn: int) -> str:
    """The day or the days of a turn: 19 August 1917, 15-16 May 1916, 31 May-1 June 1916."""
    span = rules.span(turn)
    if span is None:
        return ""
    first, last = span
    end = f"{last.day} {words.months[last.month - 1]} {last.year}"
    if first == last:
        return end
    month = "" if first.month == last.month else f" {words.months[first.month - 1]}"
    return f"{first.day}{month}-{end}"


def status(rules: Rules[Any], view: View, texts: Texts, words: Words) -> str:
    """Turn, phase, score and what that score would mean."""
    facts, stage = view.facts(), view.stage
    day = date(rules, words, stage.turn)
    parts = [words("turn", turn=stage.turn) + (f" ({day})" if day else "")]
    phase = texts.word("phase", stage.phase)
    side = texts.word("side", stage.active) if stage.active else ""
    parts.append(words("phase_of", phase=phase, side=side) if side else phase)
    if "score" in facts:
        level = rules.level(facts["score"])
        told = points(rules, texts, facts["score"])
        parts.append(f"{told} ({texts.word('level', level)})" if level else told)
    return " · ".join(parts + handicap(rules, texts, words, "handicap")) + texts.line("status", facts)


def points(rules: Rules[Any], texts: Texts, score: int) -> str:
    """A score in words: the number and what it counts, or whose lead it is and how large, where a game says it so."""
    told = texts.line("points", {"score": score, "scenario": rules.header.scenario})
    return told or f"{score} {texts.line('vp', {})}".strip()


def handicap(rules: Rules[Any], texts: Texts, words: Words, how: str = "handicap_told") -> list[str]:
    """Who was given points before the match, and how many; nothing if nobody was."""
    given = rules.handicap
    return [] if given is None else [words(how, side=texts.word("side", given.seat), points=given.points)]


def levels(rules: Rules[Any], texts: Texts) -> str:
    """Which scores mean what, for each level the lowest and highest."""
    parts, low = [], ""
    for name, most in rules.setting.levels:
        scores = f"≥ {low}" if most is None else f"{low}-{most}" if low else f"≤ {most}"
        parts.append(f"{scores} {texts.word('level', name)}")
        low = "" if most is None else str(most + 1)
    return "; ".join(parts)


def objectives(rules: Rules[Any], view: View) -> dict[str, int]:
    """The victory points of the objectives that each force holds, and of all."""
    worth = rules.setting.objectives
    found = {force: sum(worth.get(name, 0) for name in hexes) for force, hexes in view.control.items()}
    return found | {"all": sum(worth.values())}


# Units


def units_table(rules: Rules[Any], pieces: Sequence[Piece], texts: Texts, words: Words) -> RenderableType:
    """Pieces with where they are, what stands on them and how they fare."""
    table = Table(box=None, pad_edge=False, collapse_padding=True, header_style="bold")
    for column in ("unit", "name", "hex", "values", "state"):
        table.add_column(words(f"col_{column}"), no_wrap=column not in ("hex", "state"))
    for piece in pieces:
        where = texts.hex(piece.at) if piece.at in rules.grid.index else texts.where(piece.at)
        state = ", ".join(texts.told(line) for line in rules.condition(piece))
        table.add_row(piece.id, texts.unit(piece.id), plain(where), rules.face_text(piece), plain(state))
    return table


def fitting_units(rules: Rules[Any], view: View, word: str) -> list[Piece]:
    """The pieces that a word asks for: a hex, a formation, part of a name, `enemy`, `off` (the map) or `hurt`."""
    there = [piece for piece in view.pieces if piece.at in rules.grid.index]
    if word == "enemy":
        return sorted((piece for piece in there if not piece.mine), key=lambda piece: piece.at)
    if word in rules.grid.index:
        return [piece for piece in there if piece.at == word]
    own = view.own()
    if word == "off":
        return [piece for piece in own if piece.at not in rules.grid.index]
    on_map = [piece for piece in there if piece.mine]
    if word == "hurt":
        return [piece for piece in on_map if rules.is_hurt(piece)]
    if word.isdigit():
        return [piece for piece in on_map if rules.formation(piece.id) == word]
    named = [piece for piece in own if word.casefold() in piece.id] if word else on_map
    return sorted(named, key=lambda piece: piece.at)


def piece_card(match: Match, seat: str, name: str, texts: Texts) -> RenderableType:
    """All that a seat knows of a piece."""
    rules = match.rules
    groups = texts.card(rules.piece_card(match.state, rules.seat_index(seat), name))
    told = [plain(sentence(", ".join(group))) for group in groups]
    return "\n".join([f"[bold]{name}[/]  {told[0]}", *told[1:]])


# Hexes


def hex_card(match: Match, view: View, name: str, texts: Texts, words: Words) -> RenderableType:
    """All that a seat knows of a hex and what is around it."""
    rules = match.rules
    card = rules.hex_card(match.state, rules.seat_index(view.seat), name)
    here_told: list[list[str]] = []
    around_told: list[list[str]] = []
    for lines, told in zip(card.groups, texts.card(card), strict=True):
        (around_told if lines[0].key == TOWARDS else here_told).append(told)
    first, *rest = [one for told in here_told for one in told]
    parts: list[RenderableType] = [f"[bold]{plain(first)}[/]: {plain(', '.join(rest))}" if rest else plain(first)]
    here = fitting_units(rules, view, name)
    if here:
        parts.append(units_table(rules, here, texts, words))
    around = [f"{there}: {', '.join(told)}" if told else there for there, *told in around_told]
    if around:
        parts.append(f"[bold]{words('neighbours')}[/]: " + plain("; ".join(around)))
    return Group(*parts)


def about_game(rules: Rules[Any], language: str, words: Words) -> RenderableType:
    """1.a, 1.2, 17: the scale, who made the game, and the abbreviations."""
    pack = rules.pack.toml("pack.toml")
    scales = (pack.get("scale", {}).get(part, "") for part in ("hex", "turn"))
    scale = ", ".join(filter(None, (in_language(one, language) for one in scales)))
    lines = [": ".join(filter(None, [f"[bold]{plain(in_language(pack['title'], language))}[/]", plain(scale)]))]
    if "credits" in pack:
        lines.append(plain(words("made_by", designer=pack["credits"]["designer"])))
    glossary = rules.pack.toml("glossary.toml")
    label, meaning = ("label_it", "italian") if language == "it" else ("abbreviation", "english")
    lines += [plain(f"{term[label]}: {term[meaning]}") for term in (*glossary["term"], *glossary["unit_name"])]
    return Columns(lines, padding=(0, 3))


# Odds


def odds_table(sheet: Sheet, texts: Texts, words: Words) -> RenderableType:
    """What counts, and the exact distribution of what can happen."""
    facts = sentence("; ".join(_fact(fact, texts) for fact in sheet.facts))
    parts: list[RenderableType] = [plain(facts)] if facts else []
    worded = [row for row in sheet.rows if texts.outcomes(row.what)]
    if sheet.of:
        parts += [_outcome(row, sheet.of, texts, words) for row in worded]
        counted = [row for row in sheet.rows if row not in worded]
        parts += [_chances(counted, sheet.of, texts, words)] if counted else []
    parts += [plain(sentence(told)) for told in texts.recalled(sheet)]
    if sheet.unknown:
        unknown = ", ".join(texts.unknown(sheet))
        parts.append(f"[dim]{texts.guessed(unknown) or words('odds_unknown', unknown=unknown)}[/]")
    return Group(*parts)


def _fact(fact: Fact, texts: Texts) -> str:
    told = texts.odds(fact.key, fact.data)
    effect = f" ({texts.ratio(fact.effect)})" if fact.effect else ""
    return told + effect + (f" [{texts.book.label(fact.rule)}]" if fact.rule else "")


def _outcome(row: Row, of: int, texts: Texts, words: Words) -> str:
    """A row whose numbers mean something: who wins, and not how many."""
    told = texts.outcomes(row.what)
    title = told.get("title") or texts.odds(row.what, {})
    shares = [(told.get(str(n), str(n)), ways) for n, ways in enumerate(row.counts) if ways]
    each = [words("odds_outcome", outcome=plain(name), share=words.number(100 * ways / of)) for name, ways in shares]
    who = texts.who(row.who)
    return f"{plain(f'{who}, {title}' if who else title)}: {', '.join(each)}."


def _chances(rows: Sequence[Row], of: int, texts: Texts, words: Words) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", title=words("odds_title"), title_justify="left")
    table.add_column(words("odds_number"))
    for row in rows:
        table.add_column(f"{texts.who(row.who)}: {texts.odds(row.what, {})}".removeprefix(": "), justify="right")
    most = max((k + 1 for row in rows for k, ways in enumerate(row.counts) if ways), default=0)
    for number in range(most):
        shares = [row.counts[number] if number < len(row.counts) else 0 for row in rows]
        table.add_row(str(number), *(words.number(100 * ways / of) if ways else "-" for ways in shares))
    return table


# Rules


def rule_card(book: Rulebook, name: str, language: str) -> RenderableType:
    """A rule with its ruling."""
    rule = book.rule(name, language)
    parts = [f"[bold]{book.label(name)}  {plain(rule.title)}[/]", plain(rule.must)]
    if rule.ruling:
        parts.append(f"[italic]{plain(rule.ruling)}[/]")
    if rule.refs:
        parts.append(f"[dim]→ {', '.join(map(book.label, rule.refs))}[/]")
    return "\n".join(parts)


def refusal_card(book: Rulebook, name: str, why: str, language: str, words: Words) -> RenderableType:
    """Why something is refused: the reason, the rule and its first sentence."""
    told = Text.assemble((words("refused"), "bold red"), f" {why}")
    if name not in book.rules:
        return told
    told.append(f" [{book.label(name)}]")
    rule = book.rule(name, language)
    first = rule.must.split(". ")[0].rstrip(".") + "."
    more = words("rule_more", rule=rule.id)
    return Group(told, f"   [bold]{book.label(name)} {plain(rule.title)}:[/] {plain(first)} {more}")


def _taken(parameter: standing.Parameter) -> str:
    """How a parameter of a standing order is typed."""
    if parameter.kind == standing.NUMBER:
        return f"{parameter.name}={parameter.low}-{parameter.high}"
    return f"{parameter.name}={'|'.join(parameter.words) or 'UNIT'}"


def orders_table(rules: Rules[Any], given: Mapping[str, str], texts: Texts, words: Words) -> RenderableType:
    """The standing orders there are; those given are marked."""
    table = Table(box=None, pad_edge=False, title=words("orders_title"), title_justify="left", show_header=False)
    chosen = {kind: [one.policy for one in standing.read(rules, kind, text)] for kind, text in given.items()}
    for kind, policies in rules.standing.items():
        for policy, named in policies.items():
            mark = "*" if policy in chosen.get(kind, ()) else " "
            table.add_row(mark, kind, policy, texts.word(f"policy.{kind}", policy))
            for parameter in standing.takes(named):
                table.add_row("", "", plain(f"  {_taken(parameter)}"), texts.word(f"parameter.{kind}", parameter.name))
    for kind, text in given.items():
        if "=" in text or ";" in text:
            table.add_row("*", kind, plain(text), "")
    return Group(table, plain(words("order_how")))
