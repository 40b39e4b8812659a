"""What people type, made into actions: short names of units and places, other words, the cheapest way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, get_origin

import msgspec

from fronte.cli.words import Words
from fronte.engine.decision import Action
from fronte.engine.match import Match
from fronte.engine.notation import from_text
from fronte.engine.text import Names

UNIT_FIELDS = ("unit", "units", "gun", "guns", "join", "keep", "along", "companies", "lead", "works")
HEX_FIELDS = ("target", "hex", "hexes", "marker", "to", "path")
FORMATION_FIELDS = ("formation", "formations", "front", "rear")
ALL = "all"


class Misread(ValueError):
    """A line that cannot be understood; the message says what is wrong with it."""


def squash(name: str) -> str:
    """A name without capitals, spaces and stops."""
    return re.sub(r"[^\w/-]", "", name.casefold())


def pick(word: str, names: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """The ids that a word may mean: those that it spells, else those that it begins, else those that it is part of."""
    wanted = squash(word)
    known = [(name, [squash(spelling) for spelling in spellings]) for name, spellings in names]
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [name for name, spellings in known if any(fits(spelling, wanted) for spelling in spellings)]
        if found and wanted:
            return found
    return []


class Reader:
    """Reads lines for one match in one language."""

    def __init__(self, match: Match, names: Names, words: Words) -> None:
        self.match = match
        self.names = names
        self.words = words

    # Names

    def unit(self, word: str, among: Iterable[str]) -> str:
        """The unit that a word means; Misread if there is none or more than one."""
        units = list(among)
        if word in units:
            return word
        texts = self.match.rules.texts(self.words.language)
        called = {name: self.names.unit.get(name) or texts.unit(name) for name in units}  # `[made]` has the others
        found = pick(word, [(name, (name, _short(name), called[name])) for name in units])
        found = found or pick(word, [(name, (self.names.full.get(name, ""),)) for name in units])
        return self._only(word, found, "no_unit")

    def own_unit(self, word: str) -> str:
        """A unit of the seat that decides."""
        return self.unit(word, self._own())

    def _own(self) -> list[str]:
        seat = self.match.rules.seats[self.match.seat]
        return [piece.id for piece in self.match.view(seat).own()]

    def closed_up(self, rest: str) -> str:
        """A line in which names of one's own units that have blanks (`I/KJ 3`) are single words."""
        called = {self.names.unit.get(name, "") for name in self._own()}
        for name in sorted((name for name in called if " " in name), key=len, reverse=True):
            printed = rf"(?<![\w/-]){re.escape(name)}(?![\w/-])"
            rest = re.sub(printed, name.replace(" ", ""), rest, flags=re.IGNORECASE)
        return rest

    def hex(self, word: str) -> str:
        """The hex that a number or a place name means."""
        if word in self.names.hex:
            return word
        return self._only(word, pick(word, [(h, (name,)) for h, name in self.names.hex.items() if name]), "no_hex")

    def formation(self, word: str) -> str:
        """The formation that a word means; as it is where none or more than one is meant, for the rules to refuse."""
        table = self.match.rules.texts(self.words.language).tables.get("formation", {})
        if word in table:
            return word
        found = pick(
            word, [(name, (name, _short(name), told)) for name, told in table.items() if isinstance(told, str)]
        )
        return found[0] if len(found) == 1 else word

    def aim(self, pair: tuple[str, str]) -> tuple[str, str]:
        """Somebody of one's own and his target; what stands behind the hex of it is the game's."""
        return self.own_unit(pair[0]), pair[1]

    def hexside(self, word: str) -> str:
        """A hexside written as two hexes with a stroke between them, in the order of the board."""
        ends = word.split("/")
        if len(ends) != 2:
            raise Misread(self.words("usage", forms="HEX/HEX"))
        a, b = (self.hex(end) for end in ends)
        return self.match.rules.hexside_name(a, b)

    def _only(self, word: str, found: list[str], error: str) -> str:
        if not found:
            raise Misread(self.words(error, name=word))
        if len(found) > 1:
            some = ", ".join(found[:8]) + (", ..." if len(found) > 8 else "")
            raise Misread(self.words("ambiguous", name=word, names=some))
        return found[0]

    # Lines

    def verbs(self) -> dict[str, type[Action]]:
        """The actions of the decision that is owed, by their first word."""
        if not self.match.state.frames:
            return {}
        choice = self.match.rules.choices[self.match.state.frames[-1].name]
        return {str(verb.__struct_config__.tag): verb for verb in choice.verbs}

    def word(self, word: str, known: Iterable[str]) -> str:
        """The command or action that a first word means: in full, by another word for it, or by its beginning."""
        low = word.lower()
        choices = list(known)
        if low in choices:
            return low
        if self.words.commands.get(low) in choices:
            return self.words.commands[low]
        local = {other: name for other, name in self.words.commands.items() if name in choices}
        found = {name for name in choices if name.startswith(low)}
        found |= {name for other, name in local.items() if other.startswith(low)}
        if len(found) == 1:
            return found.pop()
        if found:
            raise Misread(self.words("ambiguous", name=word, names=", ".join(sorted(found))))
        raise Misread(self.words("unknown", word=word, hint=self.words("unknown_hint")))

    def action(self, line: str) -> Action:
        """The action that a line describes, its names written out and its way found."""
        first, _, rest = line.strip().partition(" ")
        verbs = self.verbs()
        verb = verbs[self.word(first, verbs)]
        try:
            inner = self._inner(self.closed_up(rest), verb.form)
            raw = from_text(f"{verb.__struct_config__.tag} {inner}", (verb,))
        except ValueError:
            raise Misread(self.words("usage", forms=usage(verb))) from None
        named = {field: self._field(raw, field) for field in raw.__struct_fields__}
        return self._way(msgspec.structs.replace(raw, **named))

    def _inner(self, rest: str, form: str) -> str:
        """The words inside an action as the notation has them; no spaces inside lists."""
        spoken = re.sub(r"\s*([,=/])\s*", r"\1", rest)
        inside = re.sub(r"\{[^}]*\}", " ", form).replace("[", " ").replace("]", " ").split()[1:]
        out = []
        for word in spoken.split():
            other = [name for name in self.words.inner.get(word.lower(), "").split() if name in (*inside, ALL)]
            out.append(other[0] if other else word)
        return " ".join(out)

    def _field(self, action: Action, field: str) -> Any:
        value = getattr(action, field)
        if field == "hits":
            return tuple((self.own_unit(name), number) for name, number in value)
        if field == "bridge":
            return self.hexside(value)
        if field == "aims":
            return self._each(value, self.aim)
        if field == "boxes":
            return tuple((self.formation(name), number) for name, number in value)
        if field in FORMATION_FIELDS:
            return self._each(value, self.formation)
        if field in UNIT_FIELDS and isinstance(value, str | tuple):
            if value == (ALL,):
                return self._all(action, field)
            return self._each(value, self.own_unit)
        if field == "to" and action.__struct_config__.tag == "hand":  # it is a unit that takes over
            return self._each(value, self.own_unit)
        return self._each(value, self.hex) if field in HEX_FIELDS else value

    def _each(self, value: Any, find: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(find(part) for part in value)
        return find(value) if value else value

    def _all(self, action: Action, field: str) -> tuple[str, ...]:
        """`all`: everything on offer for this part of the action."""
        offer = self.match.offer
        if "targets" in offer and "target" in action.__struct_fields__:
            offer = offer["targets"].get(self.hex(getattr(action, "target", "")), {})
        return tuple(offer["pieces"] if offer.get("field") == field else offer.get(field, ()))

    def _way(self, action: Action) -> Action:
        """A move of which only the goal is given goes the cheapest way that is offered."""
        if action.__struct_config__.tag != self.match.offer.get("move", "move"):
            return action
        path: tuple[str, ...] = getattr(action, "path", ())
        unit: str = getattr(action, "unit", "")
        offered = self.match.offer["units"].get(unit)
        if len(path) != 1 or offered is None:
            return action
        goal = path[0]
        if goal == self._where(unit):
            raise Misread(self.words("there_already", unit=unit))
        way = offered["reach"][goal]["path"] if goal in offered["reach"] else self._vain(unit, goal, offered["reach"])
        return msgspec.structs.replace(action, path=tuple(way))

    def _where(self, unit: str) -> str:
        """Where a unit of the seat that decides is."""
        found = self.match.view(self.match.rules.seats[self.match.seat]).piece(unit)
        return found.at if found else ""

    def _vain(self, unit: str, goal: str, reach: dict[str, Any]) -> list[str]:
        """A way to a goal out of reach, so that the refusal names what stops the unit: as near as it gets, then on."""
        grid = self.match.rules.grid
        end = grid.index[goal]
        start = self._where(unit)
        best = min(
            [(start, {"left": 0, "path": []}), *reach.items()],
            key=lambda item: (grid.distance(grid.index[item[0]], end), -item[1]["left"]),
        )
        way, here = list(best[1]["path"]), grid.index[best[0]]
        while here != end:
            here = min(grid.adjacent[here], key=lambda h: grid.distance(h, end))
            way.append(grid.ids[here])
        return way


def _short(name: str) -> str:
    return name.partition("-")[2] or name


def usage(verb: type[Action]) -> str:
    """The form of an action as people read it: move UNIT HEX-HEX."""

    def field(match: re.Match[str]) -> str:
        name = match[1]
        if name in verb.words:
            return verb.words[name]
        if name == "hits":
            return "UNIT=1,UNIT=1"
        if name == "bridge":
            return "HEX/HEX"
        if name == "aims":
            return "UNIT=HEX,UNIT=HEX"
        if name == "boxes":
            return "FORMATION=5,FORMATION=0"
        if name in numbers:
            return "N"
        if name in FORMATION_FIELDS:
            return "FORMATION,FORMATION" if name in lists else "FORMATION"
        if name in UNIT_FIELDS:
            return "UNIT,UNIT" if name in lists else "UNIT"
        if name in lists:
            return f"HEX{match[2] or ','}HEX"
        return {"use": "hex or hexside"}.get(name, "HEX")

    numbers = {one.name for one in msgspec.structs.fields(verb) if one.type is int}
    lists = {one.name for one in msgspec.structs.fields(verb) if get_origin(one.type) is tuple}
    return re.sub(r"\{(\w+)(?::(.))?\}", field, verb.form).replace("[ ", " [")
