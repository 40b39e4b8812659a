"""Beginning a match, and going on with a saved one."""

from __future__ import annotations

import asyncio
import secrets
import time
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

import fronte
from fronte.ai import players_of, read_spec
from fronte.ai.planner import read_budget
from fronte.engine.dice import commitment, seed_bytes
from fronte.engine.match import Match
from fronte.engine.pack import PackError
from fronte.engine.record import FORMAT, Entry, Heading, SaveError
from fronte.engine.record import read as read_save
from fronte.engine.rules import Rules
from fronte.games.registry import GAMES, for_header, ruleset
from fronte.server import clocks, pledges
from fronte.server.bodies import NewMatch, Opened, Problem
from fronte.server.http import Call, endpoint
from fronte.server.kept import HELD, HUMAN, Kept, Person
from fronte.server.seating import Seating, seat_people
from fronte.server.words import said

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
MOST_SECONDS = 8.0
"""The longest that a machine player may be told to think over a phase; one decision must end within `think_seconds`."""


@endpoint("POST", "/api/matches", "Begin a match", body=NewMatch, answer=Opened, rate="create", status=201)
async def begin(call: Call) -> Opened:
    """A new match, and a token for each seat that a person holds."""
    wanted: NewMatch = call.body
    if wanted.game not in GAMES:
        raise Problem(422, f"no game {wanted.game!r}; the games are {', '.join(GAMES)}")
    known, packs = wanted.seed is not None, call.server.settings.folders(wanted.game)
    seed = seed_bytes(wanted.seed) if wanted.seed is not None else bytes(32)
    try:
        match = await asyncio.to_thread(_begun, wanted, seed, packs)
    except PackError:
        raise
    except ValueError as wrong:
        raise Problem(422, str(wrong)) from None
    heading = Heading(FORMAT, match.rules.header, commitment(seed), "", tuple(match.opening), match.origin)
    seats = _seats(match.rules, wanted.seats)
    kept = _kept(heading, seed, seats, wanted.name, known, match)
    if wanted.words and wanted.seal is not None:
        raise Problem(422, "a word is put in under seal now, or after the answer, not both")
    given = None
    if not known:
        secret = pledges.new_secret()
        given = None if wanted.words else pledges.contribution(None, wanted.seal)
        kept = msgspec.structs.replace(kept, seed=b"", secret=secret, heading=pledges.waiting(heading, secret))
        if match.opening:  # dice fall before anybody can put in a word
            kept = pledges.bound(kept, dict.fromkeys(seats, Person(word="")))
            match = await asyncio.to_thread(_begun, wanted, kept.seed, packs)
            thrown = msgspec.structs.replace(kept.heading, opening=tuple(match.opening))
            kept, given = msgspec.structs.replace(kept, heading=thrown), pledges.NOTHING
    seating = Seating(wanted.watch, wanted.invite, wanted.open, wanted.holder, wanted.clock, given)
    return await _open(call, kept, [], match, seating)


def _begun(wanted: NewMatch, seed: bytes, packs: Sequence[Path]) -> Match:
    """The match that is asked for, with the scenario's own beginning or from a position."""
    if wanted.position is None:
        return fronte.new(wanted.game, wanted.scenario, seed, wanted.options, packs)
    if "forced" in wanted.position:
        raise ValueError("forced: at a table nobody says how the dice fall")
    try:
        match = fronte.position(wanted.game, wanted.position, wanted.scenario, seed, wanted.options, packs)
        match.rules.view(match.state, 0)
        _ = match.offer
    except (AssertionError, LookupError, TypeError, AttributeError) as wrong:
        raise ValueError(f"no match can go on from this position: {type(wrong).__name__} {wrong}") from None
    return match


@endpoint(
    "POST",
    "/api/matches/upload",
    "Go on with a saved match",
    body=str,
    answer=Opened,
    query=("seats", "name", "invite"),
    rate="upload",
    status=201,
)
async def upload(call: Call) -> Opened:
    """A match from the text of a save. Who played goes on playing, unless `seats=ah:steady` says who does."""
    try:
        heading, entries = read_save(call.body)
        packs = call.server.settings.folders(heading.header.game)
        match = await asyncio.to_thread(fronte.load, call.body, packs=packs)
        if heading.pledge is not None and len(heading.pledge.words) != len(match.rules.seats):
            raise SaveError("line 1: the words in it are not one for each seat")
    except SaveError as wrong:
        raise Problem(422, f"the save cannot be read: {wrong}") from None
    if not heading.seed and match.result is None:
        raise Problem(422, "the save has no seed, so its dice cannot go on; save it with its seed")
    asked = [part.partition(":") for part in call.request.query_params.get("seats", "").split(",") if part]
    known = {seat: player for seat, player in recorded(heading).items() if player is not None}
    seats = _seats(match.rules, known | {seat: player for seat, _, player in asked})
    kept = _kept(
        _uploaded(heading, match.result is not None),
        match.state.seed,
        seats,
        call.request.query_params.get("name", ""),
        True,
        match,
    )
    invite = [part for part in call.request.query_params.get("invite", "").split(",") if part]
    return await _open(call, kept, entries, match, Seating(invite=invite))


class Looked(msgspec.Struct):
    """What a save is, before anybody goes on with it."""

    game: str
    scenario: str
    options: dict[str, str]
    seats: dict[str, str | None]
    """Who played each seat: `human` or a machine player; null where the save does not say, or nobody here plays so."""
    lines: int
    over: bool
    error: str | None = None
    """Why nobody can go on with it here, as far as its first line tells: other rules, other data."""


@endpoint("POST", "/api/matches/look", "What a save is, and who played", body=str, answer=Looked, rate="look")
async def look(call: Call) -> Looked:
    """Reads the first line only, so that a page can ask who goes on."""
    first, _, rest = call.body.partition("\n")
    try:
        heading = read_save(first)[0]
    except SaveError as wrong:
        raise Problem(422, f"the save cannot be read: {wrong}") from None
    header, error = heading.header, None
    if header.game not in GAMES:
        raise Problem(422, f"no game {header.game!r}; the games are {', '.join(GAMES)}")
    try:
        await asyncio.to_thread(for_header, header, call.server.settings.folders(header.game))
    except ValueError as wrong:
        error = said(str(wrong), call.language)
    lines = sum(1 for line in rest.splitlines() if line)
    seats = recorded(heading)
    return Looked(header.game, header.scenario, header.options, seats, lines, heading.end is not None, error)


def recorded(heading: Heading) -> dict[str, str | None]:
    """Who played each seat, as the save says and as it can go on here; None: nobody knows."""
    seats = ruleset(heading.header.game).seats
    able = players_of(heading.header.game)
    return {seat: player if _plays(player := heading.players.get(seat), able) else None for seat in seats}


def _plays(player: str | None, able: Collection[str]) -> bool:
    return player is not None and (player == HUMAN or player in able or _timed(player, able))


def _uploaded(heading: Heading, over: bool) -> Heading:
    """The heading of a save to go on with: what is shown at the end of a match is not to be shown before."""
    bare = msgspec.structs.replace(heading, seed="", end=heading.end if over else None, players={})
    if over or heading.pledge is None:
        return bare
    return msgspec.structs.replace(bare, pledge=msgspec.structs.replace(heading.pledge, secret=""))


def _seats(rules: Rules[Any], wanted: Mapping[str, str]) -> dict[str, str]:
    able = players_of(rules.header.game)
    for seat, player in wanted.items():
        if seat not in rules.seats:
            raise Problem(422, f"no seat {seat!r}; the seats are {', '.join(rules.seats)}")
        if not _plays(player, able):
            raise Problem(422, f"no player {player!r}; the players are {HUMAN}, {', '.join(able)}")
    return {seat: wanted.get(seat, HUMAN) for seat in rules.seats}


def _timed(player: str, able: Collection[str]) -> bool:
    """Is this one of them with seconds to think in, no more than one decision may take?"""
    try:
        name, budget = read_spec(player)
        seconds = read_budget(budget).seconds if budget else None
    except ValueError:
        return False
    return name in able and seconds is not None and seconds <= MOST_SECONDS


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


async def _open(call: Call, kept: Kept, entries: list[Entry], match: Match, seating: Seating) -> Opened:
    """Keep a new match; the links that lead to it."""
    people, opened, places = await seat_people(call, kept, seating)
    kept = pledges.bound(kept, people)
    opened.house = kept.heading.pledge.house if kept.heading.pledge else None
    if seating.clock is not None:
        clock = clocks.begin(seating.clock, people)
        if not kept.waits and match.seat >= 0 and all(person.state == HELD for person in people.values()):
            clock = clocks.pass_to(clock, match.rules.seats[match.seat], kept.created * 1000)
        kept = msgspec.structs.replace(kept, clock=clock)
    await call.server.store.add(kept, entries, people, places)
    return opened
