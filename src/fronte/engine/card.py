"""Cards: what a seat is told about a piece or a hex, line by line, for every screen.

The rules say what is worth telling and the pack has the words (`[card]`), so that terminal and browser tell the same
and know no rule.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to tell: the key of its words, what fills them, and the rule behind it."""

    key: str
    data: dict[str, Any] = {}
    rule: str = ""


TOWARDS = "towards"
"""The key of the first line of a group that tells of a hexside, on the card of a hex."""


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a seat is told about one thing. Lines of a group belong together and are joined by commas.

    The first line names the thing. On the card of a hex, what is told of a hexside is a group that begins with TOWARDS.
    """

    groups: tuple[tuple[Line, ...], ...]
