"""Checking a game to the end, of the program or of one's own: what it declares, its words, and its play at random.

What the generic tests of the program ask of every game is asked here of the one that somebody is writing. Each fault is
told once, with the scenario and the line of the game in which it was met first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from random import Random
from typing import Any

import msgspec

import fronte
from fronte.cli import charmap
from fronte.engine import panel, standing
from fronte.engine.frames import GROUND
from fronte.engine.match import Match
from fronte.engine.rules import Rules
from fronte.engine.text import LANGUAGES, Texts
from fronte.engine.view import View
from fronte.games.registry import FAMILIES, GAMES, open_pack, ruleset

LONGEST = 20_000
"""A random game that has more actions than this does not end."""
EVERY = 5
"""At every so-manieth decision all is looked at."""
MOST_TOLD = 60


class Faults:
    """What is wrong, each once."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._known: set[str] = set()

    def add(self, why: str, where: str = "") -> None:
        """Note a fault, unless it is known."""
        if why not in self._known and len(self.found) < MOST_TOLD:
            self._known.add(why)
            self.found.append(f"{where}: {why}" if where else why)

    @contextmanager
    def met(self, what: str, where: str = "") -> Iterator[None]:
        """Whatever goes wrong in here is a fault."""
        try:
            yield
        except Exception as wrong:  # this is what is looked for
            told = wrong.args[0] if isinstance(wrong, KeyError) and wrong.args else wrong
            self.add(f"{what}: {type(wrong).__name__}: {told}", where)


def check_game(game: str, games: int) -> list[str]:
    """All that is wrong with a game, after so many random games of each scenario."""
    faults = Faults()
    scenarios = [name for name, data in open_pack(game).toml("scenarios.toml").items() if isinstance(data, dict)]
    for scenario in scenarios:
        with faults.met("the ruleset cannot be made", scenario):
            rules = ruleset(game, scenario)
            _declared(rules, faults)
            _words(rules, faults)
            for seed in range(games):
                _played(rules, seed, faults)
    return faults.found


# What is declared


def _declared(rules: Rules[Any], faults: Faults) -> None:
    family = FAMILIES[rules.header.game]  # chapters that games share may name frames of any of them
    known = {GROUND, *(name for game, kind in GAMES.items() if FAMILIES[game] == family for name in kind.frames)}
    for name, told in rules.frames.items():
        for below in sorted(told.on - known):
            faults.add(f"frame {name}: it lies on {below}, which is no frame")
        for rule in told.rules:
            if rules.cite(rule) not in rules.rulebook.rules:
                faults.add(f"frame {name}: the book has no rule {rules.cite(rule)}")
    for kind, choice in rules.choices.items():
        if choice.panel not in rules.panels:
            faults.add(f"decision {kind}: there is no panel {choice.panel}")
        for verb in choice.verbs:
            if not verb.form:
                faults.add(f"action {verb.__struct_config__.tag}: it has no `form`")
    for field in ("windows", "standing"):
        for kind in getattr(rules, field):
            if kind not in rules.choices:
                faults.add(f"{field}: there is no decision {kind}")
    for kind, order in rules.routine.items():
        with faults.met(f"routine {kind}", ""):
            standing.read(rules, kind, order)
    setting = rules.setting
    for force, seat in setting.forces.items():
        if seat not in rules.seats:
            faults.add(f"setting: force {force} is commanded by {seat}, which is no seat")
    for name in (*setting.objectives, *setting.extent, *(h for held in setting.control.values() for h in held)):
        if name not in rules.grid.index:
            faults.add(f"setting: there is no hex {name}")


# Words


def _words(rules: Rules[Any], faults: Faults) -> None:
    verbs = [str(verb.__struct_config__.tag) for choice in rules.choices.values() for verb in choice.verbs]
    sides = [*rules.seats, *rules.setting.forces]
    wanted = {
        "decision": [*rules.choices],
        "verb": verbs,
        "action": verbs,
        "question": [*rules.choices],
        "side": sides,
        "side_short": sides,
        "player": [*rules.seats],
        "overlay": [name for name in rules.capabilities.overlays if name != "objectives"],
        "die": [*rules.chances],
    }
    wanted |= {f"policy.{kind}": [*policies] for kind, policies in rules.standing.items()}
    for language in LANGUAGES:
        texts = rules.texts(language)
        for table, keys in wanted.items():
            for key in dict.fromkeys(keys):
                _named(texts, table, key, faults)
        _templates(texts, texts.tables, f"text.{language}.toml", faults)


def _named(texts: Texts, table: str, key: str, faults: Faults) -> None:
    """A table of the texts has a word for this."""
    there: Any = texts.tables
    for part in table.split("."):
        there = there.get(part, {})
    if key not in there:
        faults.add(f"text.{texts.language}.toml: [{table}] has no {key}")


def _templates(texts: Texts, entry: Any, where: str, faults: Faults) -> None:
    """Braces that do not close."""
    if isinstance(entry, str) and entry.count("{") != entry.count("}") and "{ }" not in entry:
        faults.add(f"{where}: {entry!r} has a brace that is not closed")
    elif isinstance(entry, dict):
        for key, part in entry.items():
            _templates(texts, part, f"{where}, {key}", faults)


# Play


def _played(rules: Rules[Any], seed: int, faults: Faults) -> None:
    scenario, rng = rules.header.scenario, Random(seed)
    with faults.met("a game cannot be begun", scenario):
        match = fronte.new(rules.header.game, scenario, seed)
        told = 0
        for line in range(LONGEST):
            where = f"{scenario}, game {seed}, line {line}"
            told = _told(match, told, where, faults)
            if match.result is not None:
                break
            if line % EVERY == 0:
                _looked_at(match, rng, where, faults)
            with faults.met("play", where):
                match.play(match.sample(rng))
                continue
            return
        else:
            faults.add("a random game does not end", scenario)
            return
        _ended(match, f"{scenario}, game {seed}", faults)


def _told(match: Match, first: int, where: str, faults: Faults) -> int:
    for event in match.events[first:]:
        for seat in range(len(match.rules.seats)):
            seen = event.to(seat)
            if seen is None:
                continue
            for language in LANGUAGES:
                with faults.met(f"event {event.kind}", where):
                    match.rules.texts(language).event(seen)
    return len(match.events)


def _ended(match: Match, where: str, faults: Faults) -> None:
    result = match.result
    assert result is not None
    for language in LANGUAGES:
        _named(match.rules.texts(language), "level", result.level, faults)
    with faults.met("a save", where):
        if fronte.load(match.save()).result != result:
            faults.add("a save does not replay to its result", where)


def _looked_at(match: Match, rng: Random, where: str, faults: Faults) -> None:
    rules, state, decision = match.rules, match.state, match.decision
    assert decision is not None
    for why in rules.broken(state):
        faults.add(f"broken: {why}", where)
    with faults.met("position", where):
        position = json.loads(json.dumps(rules.to_position(state)))
        if rules.to_position(rules.from_position(position)) != position:
            faults.add("a position does not read back the same", where)
    with faults.met(f"offer of {decision.kind}", where):
        offer = panel.checked(rules.panels, decision.panel, match.offer)
        for given in offer.actions[:60]:
            refusal = match.why_not(given)
            if refusal is not None:
                faults.add(f"decision {decision.kind}: {given['do']} is on offer and refused ({refusal.why})", where)
    with faults.met(f"legal actions of {decision.kind}", where):
        for action in islice(match.legal(), 60):
            if match.why_not(action) is not None:
                faults.add(f"decision {decision.kind}: {action} is listed and refused", where)
    for language in LANGUAGES:
        texts = rules.texts(language)
        with faults.met(f"words of decision {decision.kind}", where):
            texts.ask(decision)
            texts.hint(decision)
            for action in islice(match.legal(), 20):
                texts.action(msgspec.to_builtins(action))
    for verb in decision.odds:
        shot = next((one for one in islice(match.legal(), 300) if one.__struct_config__.tag == verb), None)
        if shot is not None:
            with faults.met(f"odds of {verb}", where):
                sheet = match.odds(shot)
                if any(sum(row.counts) != sheet.of for row in sheet.rows):
                    faults.add(f"odds of {verb}: a row does not add up to {sheet.of}", where)
    for kind, policies in rules.standing.items():
        for policy in policies if kind == decision.kind else ():
            with faults.met(f"standing order {policy}", where):
                answer = standing.answered(rules, state, state.frames[-1], policy)
                if answer is not None and match.why_not(answer) is not None:
                    faults.add(f"standing order {policy}: its answer is refused", where)
    for seat in range(len(rules.seats)):
        _seen(match, seat, rng, where, faults)


def _seen(match: Match, seat: int, rng: Random, where: str, faults: Faults) -> None:
    """What a seat sees, and that it sees the same in states that differ only in what it may not know."""
    rules, state, name = match.rules, match.state, match.rules.seats[seat]
    with faults.met(f"view of {name}", where):
        view = rules.view(state, seat)
        again = msgspec.json.decode(msgspec.json.encode(view), type=View)
        if again != view:
            faults.add(f"the view of {name} does not read back the same", where)
        rules.public_view(state)
        _cards(match, view, seat, where, faults)
        for side in rules.sketch(view).sides.values():
            if side.line not in charmap.LINES:
                faults.add(f"sketch: {side.line!r} is none of {', '.join(filter(None, charmap.LINES))}", where)
    with faults.met(f"resample for {name}", where):
        if match.seat == seat:
            drawn = rules.resample(again, Random(1))
            if msgspec.json.encode(rules.view(drawn, seat)) != msgspec.json.encode(view):
                faults.add(f"a state drawn from the view of {name} does not give that view", where)
            rules.imagine(state, seat, Random(1))
            rules.imagine(state, seat, None)
    with faults.met(f"hidden things of {name}", where):
        twin = Match(rules, rules.shuffle_hidden(state, seat, rng), [])
        _same(f"the view of {name}", lambda one: one.view(name), match, twin, where, faults)
        if match.seat == seat:
            _same("the offer", lambda one: one.offer, match, twin, where, faults)
            _same("what is legal", lambda one: list(islice(one.legal(), 200)), match, twin, where, faults)


def _same(what: str, told: Callable[[Match], Any], match: Match, twin: Match, where: str, faults: Faults) -> None:
    if msgspec.json.encode(told(match)) != msgspec.json.encode(told(twin)):
        faults.add(f"{what} changes with what the seat may not know", where)


def _cards(match: Match, view: View, seat: int, where: str, faults: Faults) -> None:
    rules, state = match.rules, match.state
    hexes = sorted({piece.at for piece in view.pieces if piece.at in rules.grid.index})[:4]
    for language in LANGUAGES:
        texts = rules.texts(language)
        for piece in [piece for piece in view.pieces if piece.id][:12]:
            with faults.met("card of a piece", where):
                texts.card(rules.piece_card(state, seat, piece.id))
            for mark in piece.marks:
                _named(texts, "mark", mark, faults)
            if piece.at not in rules.grid.index:
                _named(texts, "place", piece.at, faults)
        for name in hexes:
            with faults.met("card of a hex", where):
                texts.card(rules.hex_card(state, seat, name))
        _named(texts, "phase", view.stage.phase, faults)
