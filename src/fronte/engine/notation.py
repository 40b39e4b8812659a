"""The one-line text form of actions, which people can read, type and mail.

Each action class gives its `form`, a template such as ``attack {target} with {units}[ guns {guns}]``. A field is
one word; ``{path:-}`` joins a list with dashes, a list is joined with commas otherwise, ``{hits:=}`` writes pairs as
``unit=2``. What stands in square brackets is left out when its field is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, get_origin

import msgspec

from fronte.engine.decision import Action

_FIELD = re.compile(r"\{(\w+)(?::(.))?\}")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")


def to_text(action: Action) -> str:
    """The action in one line."""

    def field(match: re.Match[str]) -> str:
        return _write(getattr(action, match[1]), match[2])

    def optional(match: re.Match[str]) -> str:
        name = _FIELD.search(match[1])
        return _FIELD.sub(field, match[1]) if name and getattr(action, name[1]) else ""

    return _FIELD.sub(field, _OPTIONAL.sub(optional, action.form))


def _write(value: Any, style: str | None) -> str:
    if style == "=":
        return ",".join(f"{name}={number}" for name, number in value)
    if isinstance(value, tuple):
        return (style or ",").join(value)
    return str(value)


@cache
def _pattern(kind: type[Action]) -> re.Pattern[str]:
    def field(match: re.Match[str]) -> str:
        return rf"(?P<{match[1]}>\S+)"

    pieces = []
    for k, piece in enumerate(_OPTIONAL.split(kind.form)):
        body = _FIELD.sub(field, piece)
        pieces.append(f"(?:{body})?" if k % 2 else body)
    return re.compile(r"\s*" + "".join(pieces).replace(" ", r"\s+") + r"\s*")


@cache
def _lists(kind: type[Action]) -> frozenset[str]:
    return frozenset(f.name for f in msgspec.structs.fields(kind) if get_origin(f.type) is tuple)


def from_text(line: str, kinds: Iterable[type[Action]]) -> Action:
    """The action that a line describes; ValueError with the accepted forms if there is none."""
    kinds = tuple(kinds)
    for kind in kinds:
        found = _pattern(kind).fullmatch(line)
        if found:
            styles = {m[1]: m[2] for m in _FIELD.finditer(kind.form)}
            data = {
                name: _read(text, styles[name], name in _lists(kind))
                for name, text in found.groupdict().items()
                if text is not None
            }
            return msgspec.convert({"do": kind.__struct_config__.tag} | data, kind, strict=False)
    forms = "; ".join(kind.form for kind in kinds)
    raise ValueError(f"cannot read {line.strip()!r}; one of these is expected: {forms}")


def _read(text: str, style: str | None, is_list: bool) -> Any:
    if style == "=":
        return [tuple(pair.split("=", 1)) for pair in text.split(",")]
    return text.split(style or ",") if is_list else text
