"""Beginning a match, going on with a saved one, opening one again; and the tokens that this gives."""

from __future__ import annotations

import asyncio
import secrets
import time
import unicodedata
from collections.abc import Mapping
from typing import Any

import msgspec

import fronte
from fronte.ai import players_of
from fronte.engine.dice import commitment, seed_bytes
from fronte.engine.match import Match
from fronte.engine.record import FORMAT, Entry, Heading, SaveError
from fronte.engine.record import read as read_save
from fronte.engine.rules import Rules
from fronte.games.registry import GAMES, ruleset
from fronte.server.bodies import NewMatch, Opened, Problem
from fronte.server.http import Call, endpoint, find_match
from fronte.server.matches import HUMAN
from fronte.server.store import Kept, Place

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


@endpoint("POST", "/api/matches", "Begin a match", body=NewMatch, answer=Opened, status=201)
async def begin(call: Call) -> Opened:
    """A new match, and a token for each seat that a person holds."""
    wanted: NewMatch = call.body
    if wanted.game not in GAMES:
        raise Problem(422, f"no game {wanted.game!r}; the games are {', '.join(GAMES)}")
    seed = secrets.token_bytes(32) if wanted.seed is None else seed_bytes(wanted.seed)
    try:
        rules = await asyncio.to_thread(ruleset, wanted.game, wanted.scenario, wanted.options)
        match = await asyncio.to_thread(Match.begin, rules, seed)
    except ValueError as wrong:
        raise Problem(422, str(wrong)) from None
    heading = Heading(FORMAT, rules.header, commitment(seed), "", tuple(match.opening))
    seats = _seats(rules, wanted.seats)
    return await _open(call, _kept(heading, seed, seats, wanted.name, wanted.seed is not None, match), [], wanted.watch)


@endpoint(
    "POST",
    "/api/matches/upload",
    "Go on with a saved match",
    body=str,
    answer=Opened,
    query=("seats", "name"),
    status=201,
)
async def upload(call: Call) -> Opened:
    """A match from the text of a save; `seats=ah:steady` seats machine players."""
    try:
        heading, entries = read_save(call.body)
        match = await asyncio.to_thread(fronte.load, call.body)
    except SaveError as wrong:
        raise Problem(422, f"the save cannot be read: {wrong}") from None
    if not heading.seed and match.result is None:
        raise Problem(422, "the save has no seed, so its dice cannot go on; save it with its seed")
    asked = [part.partition(":") for part in call.request.query_params.get("seats", "").split(",") if part]
    seats = _seats(match.rules, {seat: player for seat, _, player in asked})
    kept = _kept(
        msgspec.structs.replace(heading, seed=""),
        match.state.seed,
        seats,
        call.request.query_params.get("name", ""),
        True,
        match,
    )
    return await _open(call, kept, entries, [])


def _seats(rules: Rules[Any], wanted: Mapping[str, str]) -> dict[str, str]:
    able = players_of(rules.header.game)
    for seat, player in wanted.items():
        if seat not in rules.seats:
            raise Problem(422, f"no seat {seat!r}; the seats are {', '.join(rules.seats)}")
        if player != HUMAN and player not in able:
            raise Problem(422, f"no player {player!r}; the players are {HUMAN}, {', '.join(able)}")
    return {seat: wanted.get(seat, HUMAN) for seat in rules.seats}


def _kept(heading: Heading, seed: bytes, seats: dict[str, str], name: str, seed_known: bool, match: Match) -> Kept:
    now = int(time.time())
    result = match.result
    return Kept(
        id="".join(secrets.choice(ALPHABET) for _ in range(12)),
        name="".join(c for c in name if unicodedata.category(c)[0] != "C").strip()[:200],
        heading=heading,
        seed=seed,
        seed_known=seed_known,
        seats=seats,
        created=now,
        changed=now,
        line=len(match.entries),
        revision=0,
        result=None if result is None else msgspec.to_builtins(result),
    )


async def _open(call: Call, kept: Kept, entries: list[Entry], watch: list[str]) -> Opened:
    for seat in watch:
        if seat not in kept.seats:
            raise Problem(422, f"no seat {seat!r}; the seats are {', '.join(kept.seats)}")
    opened, tokens = _tokens(kept, watch)
    await call.server.store.add(kept, entries, tokens)
    return opened


def _tokens(kept: Kept, watch: list[str]) -> tuple[Opened, list[tuple[str, Place]]]:
    """A token for each person; where only machines play, one to watch each seat."""
    people = [seat for seat, player in kept.seats.items() if player == HUMAN]
    opened = Opened(kept.id, {}, {})
    tokens = []
    for seats, found, watches in (
        (people, opened.tokens, False),
        (watch if people else kept.seats, opened.watch, True),
    ):
        for seat in seats:
            found[seat] = secrets.token_urlsafe(24)
            tokens.append((found[seat], Place(kept.id, seat, watches)))
    return opened, tokens


@endpoint(
    "POST", "/api/matches/{id}/join", "Open a match of this machine again (local mode)", answer=Opened, status=201
)
async def join(call: Call) -> Opened:
    """New tokens for a match of the list: only where everybody at the server sits at one table."""
    if not call.server.settings.local:
        raise Problem(403, "only a local server gives out the tokens of a match again")
    kept = await find_match(call.server, call.request.path_params["id"])
    opened, tokens = _tokens(kept, [])
    await call.server.store.add_tokens(tokens)
    return opened
