"""Events: what happened, for log, screen and replay, each citing its rules and marked with who may see it."""

from __future__ import annotations

from typing import Any

import msgspec

EVERYONE = -1


class Event(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that happened.

    `seats` is a mask of the seats that see `data` (EVERYONE for all); the others see `veiled` instead, or nothing when
    it is None. Where each seat knows a part of it that another does not, `apart` has what single seats see in place of
    `veiled`.
    """

    kind: str
    rules: tuple[str, ...]
    data: dict[str, Any]
    seats: int = EVERYONE
    veiled: dict[str, Any] | None = None
    apart: dict[int, dict[str, Any]] = {}

    def to(self, seat: int) -> Event | None:
        """The event as this seat may see it, or None when it may not."""
        if self.seats != EVERYONE and self.seats >> seat & 1:
            return Event(self.kind, self.rules, self.data)
        return Event(self.kind, self.rules, self.apart[seat]) if seat in self.apart else self.public()

    def public(self) -> Event | None:
        """The event as everybody may see it, or None when somebody may not."""
        if self.seats == EVERYONE:
            return Event(self.kind, self.rules, self.data)
        return None if self.veiled is None else Event(self.kind, self.rules, self.veiled)
