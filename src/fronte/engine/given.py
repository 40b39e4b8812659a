"""Data that comes from outside: every reader says what is wrong and where, in one short line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

LONGEST_SAID = 60
"""How much of a wrong value is repeated in an error."""


class PositionError(ValueError):
    """A position that no game can have; the message names its place in the data and the rule."""


def said(value: Any) -> str:
    """A value as an error repeats it: not more than a glance of it."""
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return f"a {'table' if isinstance(value, Mapping) else 'list'} of {len(value)}"
    if isinstance(value, int) and value.bit_length() > 128:
        return "a huge number"
    text = repr(value) if not isinstance(value, str) else repr(value[: LONGEST_SAID + 1])
    return text if len(text) <= LONGEST_SAID else f"{text[:LONGEST_SAID]}..."


def whole(value: Any, place: str, low: int, high: int) -> int:
    """A whole number within bounds; what is true or false is none."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise PositionError(f"{place}: {said(value)} is not a whole number between {low} and {high}")
    return value


def flag(value: Any, place: str) -> bool:
    """True or false, and nothing that only looks like it."""
    if not isinstance(value, bool):
        raise PositionError(f"{place}: {said(value)} is neither true nor false")
    return value


def word(value: Any, place: str, allowed: Collection[str]) -> str:
    """One of these words."""
    if not isinstance(value, str) or value not in allowed:
        raise PositionError(f"{place}: {said(value)} is none of {', '.join(filter(None, allowed))}")
    return value


def text(value: Any, place: str) -> str:
    """A piece of text."""
    if not isinstance(value, str):
        raise PositionError(f"{place}: {said(value)} is not text")
    return value


def listed(value: Any, place: str, most: int) -> list[Any]:
    """A list that is not too long."""
    if not isinstance(value, list | tuple):
        raise PositionError(f"{place}: {said(value)} is not a list")
    if len(value) > most:
        raise PositionError(f"{place}: {len(value)} entries, more than the {most} there can be")
    return list(value)


def mapping(
    value: Any, place: str, known: Collection[str] | None = None, required: Collection[str] = ()
) -> dict[str, Any]:
    """A mapping whose fields are all known, where the known ones are given, and which has those that are required."""
    if not isinstance(value, Mapping):
        raise PositionError(f"{place or 'the position'}: {said(value)} is not a table")
    odd = next((key for key in value if not isinstance(key, str)), None)
    if odd is not None:
        raise PositionError(f"{place or 'the position'}: {said(odd)} is no name of a field")
    unknown = [] if known is None else sorted(set(value) - set(known))
    if unknown:
        raise PositionError(
            f"{place or 'the position'}: unknown fields {', '.join(name[:LONGEST_SAID] for name in unknown[:5])}"
        )
    for name in required:
        if name not in value:
            raise PositionError(f"{f'{place}.' if place else ''}{name}: it is missing")
    return dict(value)
