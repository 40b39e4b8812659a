"""The small choices of the Inferno games, each with a number.

Nought is "done"; then come the verbs of all decisions of the game, a few words, every unit and every hex. An action is
spelled as a sequence of these numbers; which of them may come next is the business of `dialogue`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import Action
from fronte.games.inferno.combat import Attack
from fronte.games.inferno.movement import Move, Recover
from fronte.rl.alphabet import DONE, Alphabet

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

WORDS = ("hex", "hexside")
"""7.8.b: what the defender can rely on."""


class InfernoAlphabet(Alphabet):
    """The numbers of all small choices of a ruleset. They depend on its board, counters and kinds of decision only."""

    def __init__(self, rules: Inferno) -> None:
        verbs = [verb for choice in rules.choices.values() for verb in choice.verbs]
        tags = list(dict.fromkeys(str(verb.__struct_config__.tag) for verb in verbs))
        self.verb = {tag: 1 + k for k, tag in enumerate(tags)}
        self.word = {word: 1 + len(tags) + k for k, word in enumerate(WORDS)}
        self.first_unit = 1 + len(tags) + len(WORDS)
        self.first_hex = self.first_unit + len(rules.ids)
        self.unordered = range(self.first_unit, self.first_hex)
        self.size = self.first_hex + rules.board.grid.size
        self.unit = {name: self.first_unit + n for name, n in rules.number.items()}
        self.hex = {name: self.first_hex + h for name, h in rules.grid_index.items()}
        self._names = ["done", *tags, *WORDS, *rules.ids, *rules.board.grid.ids]
        self._fields = {verb: self._spellers(verb) for verb in verbs}
        self.remembered = lru_cache(4096)(self.spell)

    def name(self, choice: int | None) -> str:
        """A small choice in words: `done`, a verb, a unit's id or a hex's number; whatever else was given as it is."""
        return self._names[choice] if choice is not None and 0 <= choice < self.size else repr(choice)

    def spell(self, action: Action) -> tuple[int, ...]:
        """The small choices that make up an action, in the order in which they are asked.

        A verb comes first, then the action's fields; a list is closed by "done", and so is the whole. A move begins
        with its unit and an attack with its target, since these are what a player thinks of first.
        """
        fields = [spell(getattr(action, name)) for name, spell in self._fields[type(action)]]
        verb = self.verb[str(action.__struct_config__.tag)]
        if isinstance(action, Move):
            return (*fields[0], *fields[1], DONE)
        if isinstance(action, Recover):
            return (*fields[0], verb, DONE)
        if isinstance(action, Attack):
            return (*fields[0], *fields[1], DONE, *fields[2], DONE)
        spelled = [verb]
        for field in fields:
            spelled += field
        return (*spelled, DONE)

    def _spellers(self, verb: type[Action]) -> list[tuple[str, Callable[[Any], tuple[int, ...]]]]:
        """How each field of an action is spelled, by its name; TypeError for a field that has no place here."""
        unit, hexes = self.unit, self.hex
        ways: dict[str, Callable[[Any], tuple[int, ...]]] = {
            "unit": lambda name: (unit[name],),
            "units": lambda names: tuple([unit[name] for name in names]),
            "hex": lambda name: (hexes[name],) if name else (),
            "path": lambda names: tuple([hexes[name] for name in names]),
            "bridge": lambda name: tuple([hexes[end] for end in name.split("/")]),
            "hits": lambda pairs: tuple([unit[name] for name, times in pairs for _ in range(times)]),
            "use": lambda word: (self.word[word],),
        }
        alike = {"gun": "unit", "guns": "units", "keep": "units", "join": "units", "target": "hex", "to": "hex"}
        found = []
        for field in msgspec.structs.fields(verb):
            way = alike.get(field.name, field.name)
            if way not in ways:
                raise TypeError(f"{verb.__name__}.{field.name} cannot be spelled in small choices")
            found.append((field.name, ways[way]))
        return found
