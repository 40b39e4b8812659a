"""Text from events, in the language of the reader: the templates of a pack filled with the names printed in it.

`text.en.toml` and `text.it.toml` of a pack hold one template per kind of event (`[event]`), of decision (`[decision]`)
and of refusal (`[refusal]`), and tables of words. A template stands for a sentence:

- ``{field}`` is a value of the event, ``{attacker.retreat}`` one inside another;
- ``{unit:unit}``, ``{units:units}``, ``{hex:hex}``, ``{path:way}``, ``{bridge:hexside}`` ... name things,
  ``{path:goal}`` the last hex of a way;
- ``{column:ratio}`` is a ratio of forces as the language writes it (4.5:1, 4,5:1);
- ``{drm:signed}`` is a number that is added to another, ``{corps:roman}`` one as the Romans wrote it;
- ``{phase:phase}`` looks a value up in the table ``[phase]`` of the same file, or each of several;
  ``{unit:kind/halts}`` looks up the printed kind of a unit in ``[halts]``, which has ``other`` for the rest;
- ``{n:roll}`` is "a die of n or less" in the words of ``[roll]``, or what they say where that is always or never so;
- ``{n:#hex|hexes}`` counts (with three forms the first stands for none), ``{units:=goes|go}`` only picks a form;
- ``{lead:<they lead|nobody leads|we lead}`` picks a form by whether a number is below, at or above nothing, and
  ``{lead:unsigned}`` is that number without its sign;
- what stands in square brackets is left out when its first field is empty; ``{field:?}`` only asks whether it is
  there, ``{field:!}`` whether it is not.

An entry that is a table chooses a template by the value of the field named in ``by``; ``other`` stands for the rest.

Games of a family share texts: every folder of a pack that has the file adds to it, and what an earlier folder says goes
before what a later one says. What the engine itself says lies beside this module and comes last.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import gcd
from pathlib import Path
from typing import Any

from fronte.engine.card import Card, Line
from fronte.engine.decision import Decision, Refusal
from fronte.engine.dice import SIDES
from fronte.engine.event import Event
from fronte.engine.look import roman
from fronte.engine.pack import Pack, PackError
from fronte.engine.rulebook import Option, Rulebook
from fronte.engine.sheet import Sheet

LANGUAGES = ("en", "it")

_FIELD = re.compile(r"\{([\w.]+)(?::([^}]*))?\}")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=[\w{«“])|(?<=\b(?:po|di|va|fa|da))'(?= )")
_ORDINAL = re.compile(r"(?<=\d)[ao](?= (?:Armata|Divisione|gruppo))")
_MADE = re.compile(r"(?P<force>.+)-(?P<word>[a-z_]+)(?P<n>\d+)")
"""The id of a unit that was made in play: its force, a word for what it is, and a number."""


class Names:
    """What the counters and the board of a pack call things."""

    def __init__(self, pack: Pack) -> None:
        rows = list(_rows(pack, "units.csv"))
        printed = Counter(row["name"] for row in rows)
        self.side = {row["id"]: row["side"] for row in rows}
        self.unit = {row["id"]: row["name"] for row in rows}
        self.full = {row["id"]: row["full_name"] or row["name"] for row in rows}
        self.kind = {row["id"]: row.get("kind") or row.get("type", "") for row in rows}
        self.shared = frozenset(row["id"] for row in rows if printed[row["name"]] > 1)
        """Units whose printed name is not theirs alone."""
        self.hex = {row["hex"]: row.get("name", "") for row in _rows(pack, "hexes.csv")}
        self.water: dict[str, str] = {}
        """The water on each hexside, written in either order."""
        for row in _rows(pack, "hexsides.csv"):
            for name in (f"{row['a']}/{row['b']}", f"{row['b']}/{row['a']}"):
                self.water[name] = row.get("name", "")


def _rows(pack: Pack, name: str) -> Iterator[dict[str, str]]:
    return iter(csv.DictReader(io.StringIO(pack.text(name))))


def _tables(pack: Pack, file: str) -> dict[str, Any]:
    """What all folders of a pack say in this file."""
    layers = [Pack([folder]).toml(file) for folder in pack.folders if (folder / file).is_file()]
    if file in pack.inline or not layers:
        layers.insert(0, pack.toml(file))
    layers.append(Pack([Path(__file__).parent]).toml(file))
    tables: dict[str, Any] = {}
    for layer in layers:
        tables = _merged(tables, layer)
    return tables


def _merged(first: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Any]:
    """Both tables in one; the first goes before the rest. A table that chooses (`by`) is one entry and stays whole."""
    found = dict(rest)
    for key, value in first.items():
        other = rest.get(key)
        if isinstance(value, Mapping) and isinstance(other, Mapping) and "by" not in value:
            value = _merged(value, other)
        found[key] = value
    return found


class Texts:
    """The texts of a game in one language."""

    def __init__(self, tables: Mapping[str, Any], names: Names, language: str, book: Rulebook, parts: int = 1) -> None:
        self.tables = tables
        self.book = book
        self.names = names
        self.language = language
        self.parts = parts
        """How many of the smallest parts make one movement point (`scale.fraction` of pack.toml)."""

    @classmethod
    def read(cls, pack: Pack, language: str = "en") -> Texts:
        """The texts of a pack; ValueError if the language is none of LANGUAGES."""
        if language not in LANGUAGES:
            raise ValueError(f"no language {language!r}; the languages are {', '.join(LANGUAGES)}")
        file = f"text.{language}.toml"
        tables = _tables(pack, file)
        for table in ("event", "decision", "refusal", "word"):
            if not isinstance(tables.get(table), dict):
                raise PackError(file, None, f"table [{table}] is missing")
        scenarios = {name: data for name, data in pack.toml("scenarios.toml").items() if isinstance(data, Mapping)}
        titles = {name: in_language(data.get("title", name), language) for name, data in scenarios.items()}
        tables = {**tables, "scenario": titles}
        parts = int(pack.toml("pack.toml").get("scale", {}).get("fraction", 1))
        return cls(tables, Names(pack), language, Rulebook.read(pack), parts)

    # Sentences

    def event(self, event: Event, cite: bool = True) -> str:
        """An event in one sentence, with the rules behind it in square brackets."""
        entry = self.tables["event"].get(event.kind)
        if entry is None:
            raise KeyError(f"text.{self.language}.toml has no text for the event {event.kind!r}")
        told = sentence(self.fill(_chosen(entry, event.data), event.data))
        return f"{told} [{', '.join(map(self.book.label, event.rules))}]" if cite and event.rules else told

    def ask(self, decision: Decision) -> str:
        """What a decision asks, in one sentence."""
        return sentence(self.fill(self._decision(decision.kind)["ask"], decision.about))

    def brief(self, decision: Decision) -> str:
        """The same for a screen that shows beside it what can be chosen."""
        entry = self._decision(decision.kind)
        return sentence(self.fill(entry.get("brief", entry["ask"]), decision.about))

    def hint(self, decision: Decision) -> str:
        """How it is answered: the forms of its actions, with what they do."""
        return self.fill(self._decision(decision.kind)["hint"], decision.about)

    def refusal(self, refusal: Refusal) -> str:
        """Why an action is refused, as part of a sentence."""
        return self._why(refusal.key, refusal.data)

    def _why(self, key: str, data: Mapping[str, Any]) -> str:
        entry = self.tables["refusal"].get(key)
        if entry is None:
            raise KeyError(f"text.{self.language}.toml has no text for the refusal {key!r}")
        return self.fill(_chosen(entry, data), data)

    def _decision(self, kind: str) -> Mapping[str, str]:
        found = self.tables["decision"].get(kind)
        if found is None:
            raise KeyError(f"text.{self.language}.toml has no text for the decision {kind!r}")
        entry: Mapping[str, str] = found
        return entry

    def action(self, action: Mapping[str, Any]) -> str:
        """What an action does, in a few words (`[action]`); its verb and all that it names where there are none."""
        entry = self.tables.get("action", {}).get(action["do"])
        if entry is not None:
            return self.fill(_chosen(entry, action), action)
        said = [self._named(value) for field, value in action.items() if field != "do"]
        return " ".join([self.word("verb", action["do"]), *said])

    def _named(self, value: Any) -> str:
        """Whatever an action names."""
        if isinstance(value, list | tuple):
            return ", ".join(self._named(one) for one in value)
        if value in self.names.unit:
            return self.unit(value)
        return self.hex(value) if value in self.names.hex else self.word("side", value)

    def order(self, kind: str, policy: str, given: Mapping[str, Any]) -> str:
        """A standing order in words: its policy, and the conditions."""
        told = self.word(f"policy.{kind}", policy)
        conditions = [
            f"{self.word(f'parameter.{kind}', name)}: {self._condition(name, v)}" for name, v in given.items()
        ]
        return f"{told} ({', '.join(conditions)})" if conditions else told

    def _condition(self, name: str, value: Any) -> str:
        return self.unit(value) if value in self.names.unit else self.word(f"parameter_word.{name}", value)

    def warning(self, key: str, names: Sequence[str]) -> str:
        """What one should know before ending something (`[warning]`): the hexes or pieces meant fill `at`."""
        return sentence(self.fill(self.tables["warning"][key], {"at": names}))

    def ending(self, field: str, names: Sequence[str]) -> str:
        """What comes of ending without naming these pieces (`[named.FIELD]`), for whoever types."""
        return sentence(self.fill(self.tables["named"][field]["typed"], {"at": names}))

    def line(self, name: str, data: Mapping[str, Any]) -> str:
        """A line that a screen shows of this game alone (`[screen]`); empty if the game has none."""
        entry = self.tables.get("screen", {}).get(name, "")
        return self.fill(_chosen(entry, data), data)

    def tally(self, name: str, data: Mapping[str, Any]) -> str:
        """A number beside the map in words (`[tally]`); empty where the game has none for it."""
        return self.fill(_chosen(self.tables.get("tally", {}).get(name, ""), data), data)

    def word(self, table: str, key: Any) -> str:
        """A word of a table (`policy.support` for one inside another); the key itself where there is none."""
        found = _look(self.tables, table)
        if not isinstance(found, Mapping):
            return str(key)
        return typographic(str(found.get(str(key), found.get(str(key).lower(), key))))

    def option(self, option: Option, book: Rulebook) -> str:
        """What an option decides, in a few words; the title of its rule where the texts have none of its own."""
        told = self.word("option", option.name)
        if told == option.name and option.rule in book.rules:
            return book.rule(option.rule, self.language).title
        return told

    def points(self, count: int) -> str:
        """Movement points, counted in the game's smallest part, as people write them."""
        return fraction(count, self.parts)

    def card(self, card: Card) -> list[list[str]]:
        """The lines of a card in words, group by group."""
        return [[self.told(line) for line in group] for group in card.groups]

    def told(self, line: Line, cited: bool = True) -> str:
        """A line of a card; `refusal.KEY` tells why something is not possible, with its rule unless `cited` is off."""
        head, _, key = line.key.partition(".")
        if head == "refusal":
            why = self._why(key, line.data)
            return f"{why} [{self.book.label(line.rule)}]" if cited else why
        entry = self.tables.get("card", {}).get(line.key)
        if entry is None:
            raise KeyError(f"text.{self.language}.toml has no text for the card line {line.key!r}")
        return self.fill(_chosen(entry, line.data), line.data)

    def said(self, table: str, line: Line) -> str:
        """A line of what would help, what is foreseen or what one should think of (`[help]`, `[outlook]`, `[caution]`);
        empty where the game has no words for it."""
        return self.fill(_chosen(self.tables.get(table, {}).get(line.key, ""), line.data), line.data)

    def odds(self, key: str, data: Mapping[str, Any]) -> str:
        """What a sheet of odds calls something (`[odds]`); the key itself where there is no word."""
        entry = self.tables.get("odds", {}).get(key, key)
        return self.fill(_chosen(entry, data), data)

    def outcomes(self, what: str) -> Mapping[str, str]:
        """What the numbers of a row mean, by number, and its `title` (`[bar.WHAT]`); empty where they count."""
        found: Mapping[str, str] = self.tables.get("bar", {}).get(what, {})
        return found

    def recalled(self, sheet: Sheet) -> list[str]:
        """Whom a sheet of odds counts from memory, turn by turn."""
        data = [{"turn": one.turn, "units": list(one.units)} for one in sheet.recalled]
        return [self.fill(self.tables["odds"]["recalled"], one) for one in data]

    def unknown(self, sheet: Sheet) -> list[str]:
        """What a sheet of odds says is not known (`[unknown]`), filled with what is known of it."""
        return [self.fill(self.word("unknown", what), sheet.data) for what in sheet.unknown]

    def guessed(self, what: str) -> str:
        """That something is not known to whoever asks for odds, where the game counts a possibility of it instead of
        leaving it out (`unknown` in `[odds]`); empty where it leaves it out."""
        return self.fill(self.tables.get("odds", {}).get("unknown", ""), {"what": what})

    def luck(self, key: str, **data: Any) -> str:
        """What a game counts when it tells luck from skill, and on which occasions (`[luck]`)."""
        return self.fill(self.tables["luck"][key], data)

    def who(self, name: str) -> str:
        """Whom a row of a sheet is about: a force by its short name, else as `[odds]` calls it."""
        short = self.word("side_short", name)
        return self.odds(name, {}) if short == name else short

    # Names

    def unit(self, name: str) -> str:
        """A unit by its printed name; `a unit` for one that is not seen."""
        if not name or name.startswith("?"):
            return self.word("word", "a_unit")
        printed = self.names.unit[name] if name in self.names.unit else self._made(name)
        if name in self.names.shared:
            return f"{typographic(printed)} ({self.word('side_short', self.names.side[name])})"
        return typographic(printed)

    def _made(self, name: str) -> str:
        """A unit made in play, `gold-p1`: in the words that `[made]` has for `p`; its id where it has none."""
        parts = _MADE.fullmatch(name)
        entry = self.tables.get("made", {}).get(parts["word"]) if parts else None
        return name if parts is None or entry is None else self.fill(entry, parts.groupdict())

    def units(self, units: Sequence[Any]) -> str:
        """A list of units."""
        if not units:
            return self.word("word", "some_units")
        return self.join([self.unit(_unit_id(unit)) for unit in units])

    def faces(self, units: Sequence[Mapping[str, Any]]) -> str:
        """A list of units with what combat has revealed of them."""
        return self.join([f"{self.unit(unit['id'])} ({self._face(unit)})" for unit in units])

    def _face(self, unit: Mapping[str, Any]) -> str:
        parts = [f"{unit['attack']}-{unit['defence']}"]
        if unit.get("ce"):
            parts.append(f"{self.word('word', 'ce')} {number(-unit['ce'])}")
        if unit.get("supply", "in") != "in":
            parts.append(self.word("supply", unit["supply"]))
        return ", ".join(parts)

    def hex(self, name: str) -> str:
        """A hex by its number and, where it has one, its name; `[hex]` has those that are said in words."""
        place = self.tables.get("hex", {}).get(name) or self.names.hex.get(name, "")
        return f"{name} ({typographic(place)})" if place else name

    def where(self, name: str) -> str:
        """Where something is: in a hex, or in a place off the map."""
        if name in self.tables.get("place", {}):
            return self.word("place", name)
        return self.word("word", "in_hex").replace("{hex}", self.hex(name))

    def hexside(self, name: str) -> str:
        """A hexside by its two hexes and its water."""
        water = self.names.water.get(name, "")
        return f"{name} ({water})" if water else name

    def way(self, path: Sequence[str]) -> str:
        """A path: its hexes, and the name of the place where it ends."""
        return "-".join([*path[:-1], self.hex(path[-1])]) if path else ""

    def ratio(self, ratio: Any) -> str:
        """A ratio of forces, or a number that is added to a die, as the language writes them."""
        told = number(ratio)
        return told.replace(".", ",") if self.language == "it" else told

    def roll(self, most: int) -> str:
        """With which die: this or less; with any, or with none."""
        if 0 < most < SIDES:
            return self.word("roll", "some").replace("{n}", str(most))
        return self.word("roll", "any" if most > 0 else "none")

    def join(self, parts: Sequence[str]) -> str:
        """A, B and C."""
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} {self.word('word', 'and')} {parts[-1]}"

    # Templates

    def fill(self, template: str, data: Mapping[str, Any]) -> str:
        """A template with its fields filled in."""

        def optional(match: re.Match[str]) -> str:
            first = _FIELD.search(match[1])
            if first is None:
                return match[0]
            value = _look(data, first[1])
            return match[1] if bool(value) != (first[2] == "!") else ""

        def field(match: re.Match[str]) -> str:
            return self._value(_look(data, match[1]), match[2] or "")

        return typographic(_FIELD.sub(field, _OPTIONAL.sub(optional, template)))

    def _value(self, value: Any, kind: str) -> str:
        if not kind:
            return number(value) if isinstance(value, int) else str(value)
        if kind in "?!":
            return ""
        if kind[0] in "#=":
            return _count(value, kind[0] == "#", kind[1:].split("|"))
        if kind[0] == "<":
            below, none, above = kind[1:].split("|")
            return below if int(value or 0) < 0 else above if int(value or 0) else none
        if kind in _KINDS:
            return _KINDS[kind](self, value)
        if kind.startswith("kind/"):
            table = self.tables[kind.removeprefix("kind/")]
            return str(table.get(self.names.kind.get(value, ""), table["other"]))
        if isinstance(value, list | tuple):
            return self.join([self.word(kind, one) for one in value])
        return self.word(kind, value)


def in_language(given: Any, language: str) -> str:
    """What a pack says in one language: a text for all of them, or a table with one for each."""
    if isinstance(given, Mapping):
        return typographic(str(given.get(language, next(iter(given.values()), ""))))
    return typographic(str(given))


def typographic(text: str) -> str:
    """As printers have it: with their apostrophe between letters, and the Italian `2a Armata` as `2ª Armata`."""
    return _ORDINAL.sub(lambda match: "ª" if match[0] == "a" else "º", _APOSTROPHE.sub("’", text))


@lru_cache(maxsize=32)
def texts_of(pack: Pack, language: str) -> Texts:
    """The texts of a pack, read once."""
    return Texts.read(pack, language)


def fraction(count: int, parts: int) -> str:
    """A number counted in parts of one as people write it: 20 sixths are 3 1/3."""
    whole, rest = divmod(count, parts)
    shared = gcd(rest, parts)
    left = f"{rest // shared}/{parts // shared}" if rest else ""
    return f"{whole or ''} {left}".strip() or "0"


def number(n: Any) -> str:
    """A number as people write it, with a true minus sign; also one that is written out already, such as ``-1``. What
    goes from one number to another (``4-5``) is left as it is."""
    return re.sub(r"(?<!\w)-(?=\d)", "−", str(n))


def _unit_id(unit: Any) -> str:
    return str(unit["id"]) if isinstance(unit, Mapping) else str(unit)


_KINDS: dict[str, Callable[[Texts, Any], str]] = {
    "unit": Texts.unit,
    "units": Texts.units,
    "faces": Texts.faces,
    "hex": Texts.hex,
    "in": Texts.where,
    "way": Texts.way,
    "hexside": Texts.hexside,
    "hexes": lambda texts, hexes: texts.join([texts.hex(name) for name in hexes]),
    "goal": lambda texts, path: texts.hex(path[-1]) if path else "",
    "aims": lambda texts, aims: ", ".join(f"{texts.unit(name)} → {target}" for name, target in aims),
    "shares": lambda texts, shares: ", ".join(f"{texts.unit(name)} −{n}" for name, n in shares),
    "hexsides": lambda texts, sides: texts.join([texts.hexside(side) for side in sides]),
    "list": lambda texts, values: ", ".join(map(str, values)),
    "verbs": lambda texts, verbs: ", ".join(texts.word("verb", verb) for verb in verbs),
    "roll": Texts.roll,
    "points": lambda texts, count: texts.points(count),
    "ratio": Texts.ratio,
    "roman": lambda texts, n: roman(int(n)) if str(n).isdigit() else str(n),
    "signed": lambda texts, added: number(f"{added:+d}") if added else "0",
    "unsigned": lambda texts, n: str(abs(int(n or 0))),
}


def _look(data: Mapping[str, Any], path: str) -> Any:
    value: Any = data
    for part in path.split("."):
        value = value.get(part, "") if isinstance(value, Mapping) else ""
    return value


def _count(value: Any, show: bool, forms: Sequence[str]) -> str:
    many = len(value) if isinstance(value, list | tuple) else int(value or 0)
    if len(forms) == 3:
        none, *forms = forms
        if not many:
            return none
    form = forms[0] if many == 1 else forms[-1]
    return f"{number(many)} {form}" if show else form


def _chosen(entry: Any, data: Mapping[str, Any]) -> str:
    if isinstance(entry, str):
        return entry
    key = str(_look(data, entry["by"])).lower()
    return str(entry.get(key, entry.get("other", "")))


def sentence(text: str) -> str:
    """A capital at the beginning, a full stop at the end."""
    text = text.strip()
    if not text:
        return text
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?:" else ".")


def missing(texts: Texts, events: Sequence[str], decisions: Sequence[str]) -> list[str]:
    """The kinds of events and decisions that have no text, in words."""
    found = [f"no text for the event {kind}" for kind in events if kind not in texts.tables["event"]]
    for kind in decisions:
        entry = texts.tables["decision"].get(kind, {})
        found += [f"no {part} for the decision {kind}" for part in ("ask", "hint") if not entry.get(part)]
    return found
