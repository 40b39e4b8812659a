"""What a puzzle asks for: a goal that a position reaches or not, in any game, read from what the seats see."""

from __future__ import annotations

from typing import Any

import msgspec

from fronte.engine.rules import Rules

TAKE, CLEAR, DESTROY = "take", "clear", "destroy"
KINDS = (TAKE, CLEAR, DESTROY)


class Goal(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`take`: a piece of one's own stands in the hex at the end. `clear`: no enemy does. `destroy`: the piece is lost.

    The hex is where it is about, in any case: there the others look for what could be done.
    """

    kind: str
    hex: str
    piece: str = ""

    def wrong(self, rules: Rules[Any]) -> str:
        """What is wrong with it, in words; empty if nothing is."""
        if self.kind not in KINDS:
            return f"goal: {self.kind!r} is none of {', '.join(KINDS)}"
        if self.hex not in rules.grid.index:
            return f"goal: there is no hex {self.hex!r} on the board"
        if (self.kind == DESTROY) != bool(self.piece):
            return "goal: a piece is named where it is to be destroyed, and nowhere else"
        return ""

    def reached(self, rules: Rules[Any], state: Any, seat: int) -> bool:
        """Is it reached, for this seat?"""
        if self.kind == TAKE:
            return any(piece.mine and piece.at == self.hex for piece in rules.view(state, seat).pieces)
        foes = [piece for piece in rules.view(state, 1 - seat).pieces if piece.mine]
        if self.kind == CLEAR:
            return all(piece.at != self.hex for piece in foes)
        return all(rules.is_lost(piece) for piece in foes if piece.id == self.piece)
