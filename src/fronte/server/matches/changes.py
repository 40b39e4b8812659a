"""What has changed from one message to the next: the second form of tables on a websocket (docs/server.md).

A browser that has a table needs only what is different in the next one. What is different is told against the very
bytes that this browser was sent for this seat, and never against anything else: whoever has the first and the change
can know no more than whoever has both whole.

A change is one of three things:

    ["=", value]                          this instead of what was there
    ["{", {field: change ...}, [field]]   an object: these fields are other, those are gone
    ["[", [at, n] | [-1, value ...] ...]  a list: n elements of the one before from `at` on, or new ones
"""

from __future__ import annotations

from typing import Any

import msgspec

Change = list[Any]
NEW = -1
SHORT = 64
"""Bytes of what is told anew, whatever has changed in it."""
FINE = 16
"""Bytes of an element, on the average, below which a list is told anew: the places would be as long as it."""

_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
_elements = msgspec.json.Decoder(list[msgspec.Raw])


def changed(old: bytes, new: bytes) -> bytes:
    """What leads from one JSON text to another, as JSON."""
    return msgspec.json.encode(_change(old, new))


def _change(old: bytes, new: bytes) -> Change:
    anew: Change = ["=", msgspec.Raw(new)]
    if len(new) <= SHORT or old[:1] != new[:1]:
        return anew
    if new[:1] == b"{":
        return _object(old, new)
    found = _list(old, new) if new[:1] == b"[" else None
    return anew if found is None else found


def _object(old: bytes, new: bytes) -> Change:
    before, now = _parts(old), _parts(new)
    other = {
        name: _change(before[name], value) if name in before else ["=", msgspec.Raw(value)]
        for name, value in now.items()
        if before.get(name) != value
    }
    gone = [name for name in before if name not in now]
    return ["{", other, gone] if gone else ["{", other]


def _parts(text: bytes) -> dict[str, bytes]:
    return {name: bytes(value) for name, value in _fields.decode(text).items()}


def _list(old: bytes, new: bytes) -> Change | None:
    """A list by stretches of the one before; None where it is shorter told anew."""
    before, now = [list(map(bytes, _elements.decode(text))) for text in (old, new)]
    if len(new) < FINE * len(now):
        return None
    places: dict[bytes, int] = {}
    for place, value in enumerate(before):
        places.setdefault(value, place)
    found: list[list[Any]] = []
    follows = len(before)  # the place after the stretch that is being told
    for value in now:
        if follows < len(before) and before[follows] == value:
            found[-1][1] += 1  # also where the same comes more than once
            follows += 1
        elif value in places:
            found.append([places[value], 1])
            follows = places[value] + 1
        else:
            if not found or found[-1][0] != NEW:
                found.append([NEW])
            found[-1].append(msgspec.Raw(value))
            follows = len(before)
    return ["[", *found]


def applied(old: Any, change: Change) -> Any:
    """The value after a change, as a browser makes it."""
    kind, *rest = change
    if kind == "=":
        return rest[0]
    if kind == "{":
        other, gone = rest[0], rest[1] if len(rest) > 1 else ()
        kept = {name: value for name, value in old.items() if name not in gone}
        return kept | {name: applied(old.get(name), one) for name, one in other.items()}
    found: list[Any] = []
    for at, *more in rest:
        found += more if at == NEW else old[at : at + more[0]]
    return found
