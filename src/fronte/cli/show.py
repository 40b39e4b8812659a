"""What the terminal shows of a match: status, units, hexes, odds, rules. Everything comes from a seat's view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fronte.cli.charmap import stacks_of, standing_forts
from fronte.cli.common import plain
from fronte.cli.words import Words
from fronte.engine.rulebook import Rulebook
from fronte.engine.text import Texts, sixths
from fronte.games.inferno.counters import Counter, Face
from fronte.games.inferno.ground import WATERS
from fronte.games.inferno.stacking import counted_steps, overstacked
from fronte.games.inferno.supply import supply_path
from fronte.games.inferno.zoc import zoc


def date(rules: Any, words: Words, turn: int) -> str:
    """The day or the days of a turn: 19 August 1917, 15-16 May 1916, 31 May-1 June 1916."""
    length = rules.scenario.get("days_per_turn", 1)
    first = rules.scenario["gt1_date"] + timedelta(days=length * (turn - 1))
    last = first + timedelta(days=length - 1)
    end = f"{last.day} {words.months[last.month - 1]} {last.year}"
    if first == last:
        return end
    month = "" if first.month == last.month else f" {words.months[first.month - 1]}"
    return f"{first.day}{month}-{end}"


def status(rules: Any, view: Mapping[str, Any], texts: Texts, words: Words) -> str:
    """Turn, phase, score and what that score would mean."""
    line = words(
        "status",
        turn=view["turn"],
        date=date(rules, words, view["turn"]),
        phase=texts.word("phase", view["phase"]),
        side=texts.word("side", view["active"]),
        score=view["score"],
        vp=texts.line("vp", view),
        level=texts.word("level", rules.level(view["score"])),
    )
    return line + texts.line("status", view)


def levels(rules: Any, texts: Texts) -> str:
    """Which scores mean what, for each level the lowest and highest."""
    parts, low = [], ""
    for name, most in rules.levels():
        scores = f"≥ {low}" if most is None else f"{low}-{most}" if low else f"≤ {most}"
        parts.append(f"{scores} {texts.word('level', name)}")
        low = "" if most is None else str(most + 1)
    return "; ".join(parts)


def objectives(rules: Any, view: Mapping[str, Any]) -> dict[str, int]:
    """The victory points of the objectives that each side holds, and of all."""
    worth = rules.objective_hexes()
    first = sum(vp for name, vp in worth.items() if name in view["held"])
    every = sum(worth.values())
    return {rules.seats[0]: first, rules.seats[1]: every - first, "all": every}


def face(values: Face) -> str:
    """2.1: attack-defence-movement(artillery)."""
    return f"{values.attack}-{values.defence}-{values.ma}" + (f"({values.av})" if values.av else "")


def own_faces(rules: Any, view: Mapping[str, Any]) -> dict[str, Face]:
    """The face that is up of each unit of a seat."""
    counters = {unit["id"]: rules.counters[rules.number[unit["id"]]] for unit in view["own"]}
    return {unit["id"]: counters[unit["id"]].faces[max(unit["steps"], 1) - 1] for unit in view["own"]}


def condition(unit: Mapping[str, Any], texts: Texts) -> str:
    """What burdens a unit, and the marks on it."""
    parts = []
    if unit.get("ce"):
        parts.append(f"{texts.word('word', 'ce')} -{unit['ce']}")
    if unit.get("supply", "in") != "in":
        parts.append(texts.word("supply", unit["supply"]))
    marks = list(unit.get("marks", ())) + (["mov"] if unit.get("mov") else [])
    quiet = ("moved",) if "done" in marks else ()
    return ", ".join([*parts, *(texts.word("mark", mark) for mark in marks if mark not in (*quiet, "escorted"))])


# Units


def units_table(rules: Any, units: Sequence[Mapping[str, Any]], texts: Texts, words: Words) -> RenderableType:
    """Units with where they are and how they fare."""
    table = Table(box=None, pad_edge=False, collapse_padding=True, header_style="bold")
    for column in ("unit", "name", "hex", "values", "steps", "corps", "state"):
        table.add_column(words(f"col_{column}"), no_wrap=column not in ("hex", "state"))
    for unit in units:
        counter: Counter = rules.counters[rules.number[unit["id"]]]
        where = unit["hex"] if unit["hex"] in rules.grid_index else texts.where(unit["hex"])
        table.add_row(
            unit["id"],
            counter.name,
            plain(texts.hex(where)),
            face(counter.faces[max(unit["steps"], 1) - 1]),
            f"{unit['steps']}/{counter.steps}",
            counter.corps,
            condition(unit, texts) or _arrival(unit, counter, words),
        )
    return table


def fitting_units(rules: Any, view: Mapping[str, Any], word: str) -> list[Mapping[str, Any]]:
    """The units that a word asks for: a hex, a corps, part of a name, `enemy`, `off` (the map) or `hurt`."""
    if word == "enemy":
        return sorted(view["enemy"], key=lambda unit: str(unit["hex"]))
    on_map = [unit for unit in view["own"] if unit["hex"] in rules.grid_index]
    if word == "off":
        return [unit for unit in view["own"] if unit not in on_map]
    if word == "hurt":
        full = {counter.id: counter.steps for counter in rules.counters}
        return [u for u in on_map if u["ce"] or u["supply"] != "in" or u["steps"] < full[u["id"]]]
    if word in rules.grid_index:
        return [unit for unit in [*on_map, *view["enemy"]] if unit["hex"] == word]
    if word.isdigit():
        return [unit for unit in on_map if rules.counters[rules.number[unit["id"]]].corps == word]
    named = [unit for unit in view["own"] if word.casefold() in unit["id"]] if word else on_map
    return sorted(named, key=lambda unit: str(unit["hex"]))


def unit_card(match: Any, view: Mapping[str, Any], name: str, texts: Texts, words: Words) -> RenderableType:
    """All that a seat knows of a unit."""
    rules: Any = match.rules
    counter: Counter = rules.counters[rules.number[name]]
    known = next((unit for unit in [*view["own"], *view["enemy"]] if unit["id"] == name), None)
    size, kind = texts.word("size", counter.size), texts.word("type", counter.type)
    corps = words("corps", corps=counter.corps) if counter.corps else words("independent")
    faces = face(counter.faces[-1])
    if len(counter.faces) > 1:
        faces += f"; {words('reduced_face', face=face(counter.faces[0]))}"
    lines = [
        f"[bold]{name}[/]  {counter.name}: {plain(counter.full_name)}",
        f"{size}, {kind}, {corps}",
        words("printed_values", faces=faces),
    ]
    if known is None:
        lines.append(words("unit_hidden"))
        return "\n".join(lines)
    state = f"{texts.where(known['hex'])}, {known['steps']}/{counter.steps} {words('col_steps')}"
    lines.append(", ".join(part for part in (plain(state), condition(known, texts)) if part))
    if arrival := _arrival(known, counter, words):
        lines.append(arrival)
    moving = view.get("moving", {})
    if moving.get("unit") == name:
        lines.append(words("mp_left", left=sixths(moving["left"])))
    if known in view["own"] and known["hex"] in rules.grid_index:
        held = rules.frozen(match.state, rules.number[name])
        lines += [f"{plain(texts.refusal(held))} \\[{rules.rulebook.label(rules.cite(held.rule))}]"] if held else []
        path = supply_path(rules, match.state, rules.number[name])
        way = "-".join(rules.hex_ids(path)) if path else texts.word("supply", "out")
        lines.append(words("supply_source", path=way))
    return "\n".join(lines)


def _arrival(unit: Mapping[str, Any], counter: Counter, words: Words) -> str:
    """When and where a unit off the map is due."""
    if not counter.entry or unit["hex"] != "waiting":
        return ""
    where = words("entry_hexes", hexes=", ".join(counter.entry_hexes)) if counter.entry_hexes else ""
    return words("entry_turn", turn=counter.entry) + where


# Hexes


def hex_card(match: Any, view: Mapping[str, Any], name: str, texts: Texts, words: Words) -> RenderableType:
    """All that a seat knows of a hex and its sides."""
    rules: Any = match.rules
    board, h = rules.board, rules.grid_index[name]
    about = [texts.word("terrain", board.terrain[h])]
    if board.level[h]:
        about.append(words("level", level=board.level[h]))
    about += [words(mark) for mark, mask in (("peak", board.peaks), ("settlement", board.settlements)) if mask >> h & 1]
    about += [words("fort")] if name in standing_forts(rules, view) else []
    for column, attribute in board.owners.items():
        owners = [side for side, mask in zip(rules.seats, getattr(board, attribute), strict=True) if mask >> h & 1]
        about += [words(f"{column}_of", side=texts.word("side", side)) for side in owners]
    holder = rules.seats[0 if name in view["held"] else 1]
    about.append(words("held_by", side=texts.word("side", holder)))
    if name in (worth := rules.objective_hexes()):
        about.append(words("worth", vp=worth[name]))
    seat = rules.seat_index(view["seat"])
    if zoc(rules, match.state, 1 - seat) >> h & 1:
        about.append(words("in_zoc"))
    own = [rules.number[u["id"]] for u in view["own"] if u["hex"] == name]
    used = counted_steps(rules, match.state, own) if own else 0
    about.append(words("stack", used=used, limit=board.stacking[h]))
    parts: list[RenderableType] = [f"[bold]{plain(texts.hex(name))}[/]: {', '.join(about)}"]
    here = fitting_units(rules, view, name)
    if here:
        parts.append(units_table(rules, here, texts, words))
    parts.append(f"[bold]{words('neighbours')}[/]: " + plain("; ".join(_sides(rules, view, h, texts, words))))
    return Group(*parts)


def _sides(rules: Any, view: Mapping[str, Any], h: int, texts: Texts, words: Words) -> list[str]:
    found = []
    top = {hex_: stack[0]["id"] for stacks in stacks_of(rules, view).values() for hex_, stack in stacks.items()}
    for other in rules.board.grid.adjacent[h]:
        name = rules.hex_id(other)
        parts = []
        number = rules.board.side_at.get((h, other), -1)
        if number >= 0:
            side = rules.board.sides[number]
            if side.water:
                parts.append(side.name or texts.word("water", WATERS[side.water]))
            hexside = rules.board.hexside_name(number)
            if number in rules.board.bridge_at:
                parts.append(words("bridge_down" if hexside in view.get("destroyed", ()) else "bridge"))
            if hexside in view.get("pontoons", {}).values():
                parts.append(words("pontoon"))
            for crossed, owner, size in view.get("crossed", ()):
                if crossed == hexside:  # 14.2.e
                    parts.append(
                        words("crossed", side=texts.word("side", rules.seats[owner]), size=texts.word("size", size))
                    )
            parts += [words(sign) for sign in ("crag", "road", "trail", "railway") if getattr(side, sign)]
        if name in top:
            parts.append(texts.unit(top[name]))
        found.append(texts.hex(name) + (f": {', '.join(parts)}" if parts else ""))
    return found


def about_game(rules: Any, language: str, words: Words) -> RenderableType:
    """1.a, 1.2, 17: the scale, who made the game, and the abbreviations."""
    pack = rules.pack.toml("pack.toml")
    scale = ", ".join(pack["scale"][part][language] for part in ("hex", "turn"))
    lines = [f"[bold]{plain(pack['title'])}[/]: {plain(scale)}"]
    lines.append(plain(words("made_by", designer=pack["credits"]["designer"])))
    glossary = rules.pack.toml("glossary.toml")
    label, meaning = ("label_it", "italian") if language == "it" else ("abbreviation", "english")
    lines += [plain(f"{term[label]}: {term[meaning]}") for term in (*glossary["term"], *glossary["unit_name"])]
    return Columns(lines, padding=(0, 3))


def overstacked_hexes(match: Any, seat: str) -> list[str]:
    """5.1.b: the hexes where a side's own units are too many."""
    rules: Any = match.rules
    return list(rules.hex_ids(overstacked(rules, match.state, rules.seat_index(seat))))


# Odds


def odds_table(rules: Any, odds: Mapping[str, Any], texts: Texts, words: Words) -> RenderableType:
    """The exact distribution of losses and retreats."""
    if "destroyed" in odds:
        return words("odds_bridge", **odds)
    if odds.get("hidden"):
        return words("odds_hidden")
    if odds.get("collapse"):
        return plain(words("odds_collapse", rule=rules.rulebook.label(rules.cite("7.5.b"))))
    if odds["void"]:
        column = texts.word("ratio", odds["column"] or "0")
        return plain(words("odds_void", column=column, rule=rules.rulebook.label(rules.cite("8.2.b"))))
    head = words(
        "odds_head",
        flank=words("odds_flank") if odds["flanked"] else "",
        trench=words("odds_trench") if odds["trench"] else "",
        **{key: odds[key] for key in ("attack", "defence", "attack_av", "defence_av", "steps")},
        column=texts.word("ratio", odds["column"]),
    )
    table = Table(box=None, pad_edge=False, header_style="bold", title=words("odds_title"), title_justify="left")
    table.add_column(words("odds_number"))
    columns = ("attack_loss", "defence_loss", "attack_retreat", "defence_retreat")
    for column in columns:
        table.add_column(words(f"odds_{column}"), justify="right")
    rows = max(len(odds[column]) for column in columns)
    while rows > 1 and not any(rows <= len(odds[column]) and odds[column][rows - 1] for column in columns):
        rows -= 1
    for number in range(rows):
        table.add_row(str(number), *(_percent(odds, column, number, words) for column in columns))
    parts: list[RenderableType] = [head, table]
    if odds.get("unknown"):
        unknown = ", ".join(texts.word("unknown", what) for what in odds["unknown"])
        parts.append(f"[dim]{words('odds_unknown', unknown=unknown)}[/]")
    return Group(*parts)


def _percent(odds: Mapping[str, Any], column: str, number: int, words: Words) -> str:
    chances = odds[column][number] if number < len(odds[column]) else 0
    return words.number(100 * chances / odds["of"]) if chances else "-"


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


def orders_table(rules: Any, given: Mapping[str, str], texts: Texts, words: Words) -> RenderableType:
    """The standing orders there are; those given are marked."""
    table = Table(box=None, pad_edge=False, title=words("orders_title"), title_justify="left", show_header=False)
    for kind, policies in rules.standing.items():
        for policy in policies:
            mark = "*" if given.get(kind) == policy else " "
            table.add_row(mark, kind, policy, texts.word(f"policy.{kind}", policy))
    return Group(table, plain(words("order_how")))
