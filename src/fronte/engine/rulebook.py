"""The rules reference inside the program: every rule of a game in our own words, its rulings and its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fronte.engine.pack import Pack, PackError


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule. `software` says what the program does with it: enforce, display or not-applicable.

    `cite` is how people are pointed to it where its id is not what the booklet prints; a star marks a letter of ours.
    """

    id: str
    title: str
    chapter: str
    kind: str
    software: str
    must: str
    refs: tuple[str, ...] = ()
    issue: str = ""
    ruling: str = ""
    note: str = ""
    cite: str = ""


class Option(msgspec.Struct, frozen=True):
    """A choice between readings of an unclear rule."""

    name: str
    default: str
    values: tuple[str, ...]
    rule: str
    why: str


class Rulebook(msgspec.Struct, frozen=True):
    """All rules and options of a game, with translations."""

    rules: dict[str, Rule]
    options: tuple[Option, ...]
    translations: dict[str, dict[str, Any]]

    @classmethod
    def read(cls, pack: Pack) -> Rulebook:
        """The rulebook of a pack."""
        found = _CACHE.get(text := (pack.text("rules.toml"), pack.text("rules.it.toml")))
        if found is not None:
            return found
        data = pack.toml("rules.toml")
        try:
            rules = msgspec.convert(data["rule"], list[Rule])
            options = msgspec.convert(data["option"], tuple[Option, ...])
        except (KeyError, msgspec.ValidationError) as wrong:
            raise PackError("rules.toml", None, str(wrong)) from None
        found = cls({rule.id: rule for rule in rules}, options, {"it": pack.toml("rules.it.toml")})
        _CACHE[text] = found
        return found

    def rule(self, name: str, language: str = "en") -> Rule:
        """A rule in a language, without what nobody has translated; KeyError if there is none with this id."""
        rule = self.rules[name]
        words: Mapping[str, str] = self.translations.get(language, {}).get(name, {})
        known = {field: text for field, text in words.items() if field in ("title", "must", "ruling", "issue")}
        if language in self.translations:
            known = {
                "issue": ""
            } | known  # what is unclear in the book is told by the ruling; nobody reads it in two languages
        return msgspec.structs.replace(rule, **known)

    def label(self, name: str) -> str:
        """A rule as people are pointed to it."""
        rule = self.rules.get(name)
        return rule.cite or rule.id if rule else name

    def cites(self) -> dict[str, str]:
        """By rule, how people are pointed to it where that is not by its id."""
        return {rule.id: rule.cite for rule in self.rules.values() if rule.cite}

    def find(self, word: str) -> str:
        """The id of the rule with this id or this label; empty if there is none."""
        if word in self.rules:
            return word
        return next((rule.id for rule in self.rules.values() if word and rule.cite == word), "")

    def enforced(self) -> list[str]:
        """The rules that the program enforces; each needs a case in the casebook."""
        return [rule.id for rule in self.rules.values() if rule.software == "enforce"]


_CACHE: dict[tuple[str, str], Rulebook] = {}
