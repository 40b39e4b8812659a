"""The commands of a game at the terminal, besides the actions of the game itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.table import Table

import fronte
from fronte.cli import ahead, charmap, show
from fronte.cli.common import plain
from fronte.cli.session import QUIET, Session
from fronte.cli.shorthand import Misread
from fronte.engine import panel, standing
from fronte.engine.decision import IllegalAction, Refusal
from fronte.engine.notation import to_text

LISTED = 60
"""How many actions `legal` prints."""


def now(session: Session, rest: str) -> None:
    """What is asked, once more."""
    session.what_now()


def show_map(session: Session, rest: str) -> None:
    """The map around a hex, or all of it."""
    words = [session.words.inner.get(word, word) for word in rest.lower().split()]
    rules = session.rules
    if "all" in words:
        hexes = list(rules.setting.extent or rules.grid.ids)
    else:
        centre = session.reader.hex(rest) if rest else _interest(session)
        hexes = charmap.section(rules.grid, centre, *_room(session))
    _print_map(session, hexes, {})


def _room(session: Session) -> tuple[int, int]:
    console = session.terminal.console
    return charmap.fitting(console.width, console.height if console.is_terminal else 40)


def _interest(session: Session) -> str:
    """Where to look: at what is decided about, else at the unit that moves, else at the middle of one's front; where
    nobody is next to an enemy at the unit nearest to one, or at the middle of what is in play."""
    decision, view, grid = session.match.decision, session.view(), session.rules.grid
    about = decision.about if decision else {}
    for key in ("target", "from", "hex"):
        if about.get(key) in grid.index:
            return str(about[key])
    moving = view.piece(view.stage.moving.piece) if view.stage.moving else None
    if moving is not None and moving.at in grid.index:
        return moving.at
    own = {piece.at for piece in view.pieces if piece.mine and piece.at in grid.index}
    enemies = {piece.at for piece in view.pieces if not piece.mine and piece.at in grid.index}
    front = sorted(h for h in own if any(grid.ids[n] in enemies for n in grid.adjacent[grid.index[h]]))
    if front:
        return front[len(front) // 2]
    apart = [(grid.distance(grid.index[h], grid.index[there]), h) for h in sorted(own) for there in sorted(enemies)]
    played = session.rules.setting.extent or grid.ids
    return min(apart)[1] if apart else min(own, default=played[len(played) // 2])


def _print_map(session: Session, hexes: list[str], reach: dict[str, str]) -> None:
    terminal = session.terminal
    for strip in charmap.strips(hexes, _room(session)[0]):
        drawn = charmap.draw(session.rules, session.view(), session.letters, strip, reach)
        terminal.console.print(drawn, no_wrap=True, overflow="crop")
    for legend in ("legend_1", "legend_2"):
        terminal.say(f"[dim]{plain(session.texts.line(legend, {}))}[/]")
    if reach:
        terminal.say(f"[dim]{session.words('reach_legend')}[/]")


def units(session: Session, rest: str) -> None:
    """Units that fit a word."""
    word = session.words.inner.get(rest.lower(), rest.lower())
    found = show.fitting_units(session.rules, session.view(), word)
    if not found and word:
        with_place = [h for h, name in session.texts.names.hex.items() if name.casefold() == word]
        found = show.fitting_units(session.rules, session.view(), with_place[0]) if with_place else []
    if not found:
        session.terminal.say(session.words("no_units"))
        return
    session.terminal.say(show.units_table(session.rules, found, session.texts, session.words))


def unit(session: Session, rest: str) -> None:
    """One unit."""
    view = session.view()
    seen = [piece.id for piece in view.pieces if piece.id]
    try:
        name = session.reader.unit(rest, seen)
    except Misread:
        name = session.reader.unit(rest, session.texts.names.unit)
    session.terminal.say(show.piece_card(session.match, session.seat, name, session.texts))


def show_hex(session: Session, rest: str) -> None:
    """One hex."""
    name = session.reader.hex(rest)
    session.terminal.say(show.hex_card(session.match, session.view(), name, session.texts, session.words))


def reach(session: Session, rest: str) -> None:
    """Where a unit can go."""
    offer = session.match.offer
    if not _moves_now(session):
        session.terminal.say(session.words("no_reach"))
        return
    name = session.reader.own_unit(rest)
    found = offer["units"].get(name)
    if found is None:
        refusal = session.match.why_not({"do": offer.get("move", "move"), "unit": name, "path": []})
        session.terminal.say(session.refused(refusal) if refusal else session.words("reach_none", unit=name))
        return
    if not found["reach"]:
        session.terminal.say(session.words("reach_none", unit=session.texts.unit(name)))
        return
    points = session.texts.points
    left = {h: points(data["left"]) for h, data in found["reach"].items()}
    hexes = charmap.section(session.rules.grid, session.where(name), *_room(session))
    _print_map(session, hexes, {h: f"*{n}" for h, n in left.items()})
    mp = points(found["left"])
    session.terminal.say(session.words("reach_head", unit=session.texts.unit(name), left=mp))
    beyond = [plain(f"{session.texts.hex(h)} {n}") for h, n in left.items() if h not in hexes]
    if beyond:
        session.terminal.say(session.words("reach_beyond"))
        session.terminal.say(Columns(beyond, padding=(0, 3)))
    for action in offer["actions"]:
        if action.get("unit") == name:
            session.terminal.say(session.words("reach_other", what=plain(session.texts.action(action))))


def odds(session: Session, rest: str) -> None:
    """The odds of an action, `attack` being understood."""
    verbs = session.reader.verbs()
    if not rest or not session.rules.capabilities.odds:
        raise Misread(_no_odds(session))
    first = rest.split()[0]
    try:
        session.reader.word(first, verbs)
        line = rest
    except Misread:
        if "attack" not in verbs:
            raise Misread(_no_odds(session)) from None
        line = f"attack {rest}"
    action = session.reader.action(line)
    refusal = session.match.why_not(action)
    if refusal is not None:
        session.terminal.say(session.refused(refusal))
        return
    try:
        found = session.match.odds(action, session.seat)
    except IllegalAction as none:
        raise Misread(session.texts.refusal(none.refusal)) from None
    session.terminal.say(show.odds_table(found, session.texts, session.words))


def _no_odds(session: Session) -> str:
    return session.words("no_odds_of_attack" if _attacks(session) else "no_odds")


def legal(session: Session, rest: str) -> None:
    """What may be done now: units in the Movement Phase, and with a verb what they do besides moving; targets in the
    Combat Phase; else every action."""
    offer = session.match.offer
    if _moves_now(session):
        if not rest:
            _legal_moves(session, offer)
        elif session.words.commands.get(rest.lower(), rest.lower()) in session.reader.verbs():
            _legal_actions(session, session.words.commands.get(rest.lower(), rest.lower()))
        else:
            reach(session, rest)
    elif "targets" in offer and "attack" in session.reader.verbs():
        _legal_attacks(session, offer, rest)
    else:
        _legal_actions(session, rest)


def _legal_moves(session: Session, offer: dict[str, Any]) -> None:
    units = offer["units"]
    if not units:
        session.terminal.say(session.words("all_moved"))
        return
    title = session.words("moves_left", count=len(units))
    table = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left")
    for column in ("unit", "name", "hex", "reach", "other"):
        table.add_column(session.words(f"col_{column}"))
    for name, data in units.items():
        place = plain(session.texts.hex(session.where(name)))
        verbs = dict.fromkeys(action["do"] for action in offer["actions"] if action.get("unit") == name)
        other = ", ".join(session.words.spoken(verb) for verb in verbs)
        table.add_row(name, session.texts.unit(name), place, str(len(data["reach"])), other)
    session.terminal.say(table)


def _legal_attacks(session: Session, offer: dict[str, Any], rest: str) -> None:
    shots = [action for action in offer["actions"] if action["do"] == "bombard"]
    if rest and session.words.commands.get(rest, rest) == "bombard":
        for shot in shots:
            session.terminal.say(f"  bombard {shot['bridge']} with {shot['gun']}")
        return
    if rest:
        session.act(f"attack {rest}")
        return
    if not offer["targets"]:
        session.terminal.say(session.words("no_targets"))
    for name, data in offer["targets"].items():
        if data["units"]:
            session.terminal.say(session.who_can_attack(name, data))
    if shots:
        session.terminal.say(session.words("bombardments", count=len({shot["bridge"] for shot in shots})))


def _legal_actions(session: Session, rest: str) -> None:
    lines = _lines(session, rest)
    shown = list(islice(lines, LISTED))
    for line in shown:
        session.terminal.say(f"  {plain(session.words.spoken(line))}")
    if not shown:
        session.terminal.say(session.words("nothing"))
    elif next(lines, None) is not None:
        session.terminal.say(session.words("legal_more"))


def _lines(session: Session, word: str) -> Iterator[str]:
    return (line for line in map(to_text, session.match.legal()) if word.lower() in line)


def why(session: Session, rest: str) -> None:
    """Why an action is refused, or what stands between a unit and a hex."""
    if not rest:
        raise Misread(session.words("usage", forms=session.words.help["why"][0]))
    if session.is_for_later(rest.split()[0]) or ahead.asks_there(session, rest):
        return
    refusal = session.match.why_not(session.reader.action(rest))
    session.terminal.say(session.words("allowed") if refusal is None else session.refused(refusal))


def rules(session: Session, rest: str) -> None:
    """A rule, or the rules with a word in their title; without a word those behind the present decision."""
    book = session.rules.rulebook
    decision = session.match.decision
    if not rest and decision is not None:
        names = list(decision.rules)
    elif name := book.find(rest):
        names = [name]
    else:
        titles = {name: book.rule(name, session.language).title for name in book.rules}
        found = [name for name, title in titles.items() if rest.casefold() in title.casefold()]
        if not found:
            raise Misread(session.words("no_rule", rule=rest))
        if len(found) > 3:
            for name in found:
                session.terminal.say(f"[bold]{book.label(name):10}[/] {plain(titles[name])}")
            return
        names = found
    for name in names:
        session.terminal.say(show.rule_card(book, name, session.language))


def about(session: Session, rest: str) -> None:
    """The scale, the credits and the abbreviations."""
    session.terminal.say(show.about_game(session.rules, session.language, session.words))


def score(session: Session, rest: str) -> None:
    """The score and who holds the objectives."""
    view, rules_ = session.view(), session.rules
    data = view.facts() | {"objectives": show.objectives(rules_, view), "scenario": rules_.header.scenario}
    session.terminal.say(session.texts.line("score", data))
    for line in show.handicap(rules_, session.texts, session.words):
        session.terminal.say(line)
    session.terminal.say(show.levels(rules_, session.texts))
    places = []
    for name, vp in sorted(rules_.setting.objectives.items(), key=lambda item: (-item[1], item[0])):
        holder = session.letters.get(view.holder(name), "-")
        places.append(plain(f"{holder} {session.texts.hex(name)} {vp}"))
    session.terminal.say(Columns(places, padding=(0, 3)))


def log(session: Session, rest: str) -> None:
    """The last things that happened, as this seat saw them."""
    count = int(rest) if rest.isdigit() else 20
    events = [event for event in session.match.events_for(session.seat) if event.kind not in QUIET]
    if not events:
        session.terminal.say(session.words("empty_log"))
    session.tell(events[-count:] if count else [])


def undo(session: Session, rest: str) -> None:
    """Take back the last action, if it was this seat's."""
    entries = session.match.entries
    mine = bool(entries) and entries[-1].seat == session.seat
    if not mine or not session.match.undo():
        session.terminal.say(session.words("undo_none"))
        return
    for seat, seen in session.seen.items():
        session.seen[seat] = min(seen, len(session.match.events))
    session.terminal.say(session.words("undone"))


def order(session: Session, rest: str) -> None:
    """Give or end a standing order, or list them."""
    index = session.rules.seat_index(session.seat)
    if not rest:
        given = {kind: policy for (seat, kind), policy in session.match.orders.items() if seat == index}
        session.terminal.say(show.orders_table(session.rules, given, session.texts, session.words))
        return
    kind, _, policy = rest.partition(" ")
    try:
        standing.must_be_answered(session.rules, kind)
        session.match.order(session.seat, kind, None if policy.strip() == "ask" else policy.strip())
    except ValueError as wrong:
        raise Misread(str(wrong)) from None
    ended = policy.strip() == "ask"
    if ended:
        session.terminal.say(session.words("order_ended"))
        return
    told = (session.texts.order(kind, one.policy, one.given) for one in standing.read(session.rules, kind, policy))
    session.terminal.say(session.words("order_given", text=plain("; ".join(told))))


def whole(session: Session, rest: str) -> None:
    """Nobody reacts to the whole move under way."""
    decision = session.match.decision
    if decision is None or decision.whole is None:
        raise Misread(session.words("no_whole"))
    session.match.play(decision.whole, session.seat, whole=True)


def save(session: Session, rest: str) -> None:
    """Save, by default to the file of the game."""
    session.save(Path(rest).expanduser() if rest else session.file)


def load(session: Session, rest: str) -> None:
    """Go on with another game; this one is saved first."""
    file = Path(rest).expanduser()
    try:
        match = fronte.load(file.read_text(encoding="utf-8"), packs=session.packs, remember=True)
    except (OSError, UnicodeDecodeError) as wrong:
        raise Misread(f"{file}: {getattr(wrong, 'strerror', None) or wrong}") from None
    except ValueError as wrong:
        raise Misread(f"{file}: {wrong}") from None
    if match.sealed and match.result is None:
        raise Misread(f"{file}: {session.texts.refusal(Refusal('', 'no_seed'))}")
    session.save(session.file)
    session.file = file
    session.take(match)
    session.terminal.say(session.words("loaded", file=file))


def show_help(session: Session, rest: str) -> None:
    """All commands."""
    decision = session.match.decision
    if decision is not None:
        session.terminal.say(f"[bold cyan]{session.words('now')}[/] {plain(session.texts.ask(decision))}")
        session.terminal.say(f"[cyan]{session.words('answer')}[/] {plain(session.texts.hint(decision))}")
    table = Table(box=None, pad_edge=False, show_header=False)
    for form, does in _help_lines(session):
        table.add_row(f"[bold]{plain(form)}[/]", plain(does))
    session.terminal.say(table)


def _help_lines(session: Session) -> Iterator[list[str]]:
    """The commands that mean something in this game, in its own verbs."""
    rules, words = session.rules, session.words
    lacks = {
        "moves": not _moving(session),
        "reach": not _moving(session),
        "odds": not rules.capabilities.odds,
        "undo": not rules.capabilities.undo,
        "order": not rules.standing,
        "whole": not rules.windows,
        "ahead": not rules.capabilities.outlook,
    }
    plainer = {
        "units": not any(map(rules.formation, session.texts.names.unit)),
        "odds": not _attacks(session),
        "why": not rules.capabilities.reasons,
    }
    for name, lines in words.help.items():
        told = words.help_else[name] if plainer.get(name) else lines
        if name == "moves":
            for verb, join in _moving(session).items():
                how = {"verb": words.spoken(verb), "path": f"2413{join}2314"}
                yield [line.format(**how) for line in told]
        elif not lacks.get(name):
            yield told


def _moves_now(session: Session) -> bool:
    """Is a move what is decided now?"""
    decision = session.match.decision
    return decision is not None and decision.panel == panel.MOVE


def _moving(session: Session) -> dict[str, str]:
    """The verbs with which pieces of this game move over the map, and what stands between the hexes of a way."""
    verbs = (verb for one in session.rules.choices.values() if one.panel == panel.MOVE for verb in one.verbs)
    ways = ((verb, re.search(r"\{path(?::(.))?\}", verb.form)) for verb in verbs)
    return {str(verb.__struct_config__.tag): way[1] or "," for verb, way in ways if way}


def _attacks(session: Session) -> bool:
    """Has this game the verb that `odds` understands by itself?"""
    return any(verb.__struct_config__.tag == "attack" for one in session.rules.choices.values() for verb in one.verbs)


def leave(session: Session, rest: str) -> None:
    """Save and go."""
    session.leaving = True


COMMANDS: dict[str, Callable[[Session, str], None]] = {
    "help": show_help,
    "now": now,
    "map": show_map,
    "units": units,
    "unit": unit,
    "hex": show_hex,
    "reach": reach,
    "odds": odds,
    "legal": legal,
    "why": why,
    "ahead": ahead.foresee,
    "rules": rules,
    "score": score,
    "about": about,
    "log": log,
    "undo": undo,
    "order": order,
    "whole": whole,
    "save": save,
    "load": load,
    "quit": leave,
}
