"""Matches whose dice both sides have a hand in: two in different towns, their words, and what is saved at the end."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from hosts import Guest, Host

import fronte
from fronte.engine import trust
from fronte.engine.verify import Noted, Report, verify
from fronte.games.registry import for_header
from fronte.server.store.rows import Kept

WORD = "per aspera 5a5a5a5a5a5a"
OTHER = "Servus 0f0f0f0f0f0f"
RATES = "create=999/9,action=99999/9,request=99999/9,show=99999/9,link=999/9"


def begin(host: Host, mine: str, other: str, **wanted: Any) -> tuple[dict[str, Any], Guest, Guest]:
    """A match for two in different towns: what was answered, one's own seat and the invitation to the other."""
    asked = {"game": "isonzo", "invite": [other], "seal": trust.seal(WORD)} | wanted
    answer = host.client.post("/api/matches", json=asked)
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    one = Guest(host, opened["id"], opened["tokens"][mine])
    return opened, one, Guest(host, opened["id"], opened["invitations"][other])


def accept(invitation: Guest, seat: str, **given: str) -> Guest:
    told = invitation.post("/accept", given, 201)
    return Guest(invitation.host, invitation.match, told["tokens"][seat])


def saved(guest: Guest, status: int = 200) -> str:
    answer = guest.host.client.get(guest.path + "/save", headers=guest.headers)
    assert answer.status_code == status, answer.text
    return str(answer.text)


def checked(text: str, noted: Noted | None = None) -> Report:
    return verify(text, for_header, noted)


def secret_of(host: Host, match: str) -> bytes:
    kept = host.client.portal.call(host.server.store.match, match)  # type: ignore[union-attr]
    assert isinstance(kept, Kept)
    return kept.secret


@cache
def near_the_end(game: str = "isonzo", left: int = 6) -> dict[str, Any]:
    """The position of a random game a few actions before it is over; no dice fall at once in it."""
    match, rng = fronte.new(game, seed=1), Random(1)
    while match.result is None:
        match.play(match.sample(rng))
    entries = len(match.entries)
    text = match.save()
    for line in range(entries - left, 0, -1):
        then = fronte.load("\n".join(text.splitlines()[: line + 1]))
        position = then.rules.to_position(then.state)
        if not fronte.position(game, position).opening:
            return position
    raise AssertionError
