"""Beginning a match, and going on with a saved one."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import msgspec

import fronte
from fronte.ai import BUDGETED, players_of, read_spec
from fronte.ai.levels import meant
from fronte.engine.dice import commitment, seed_bytes
from fronte.engine.pack import PackError
from fronte.engine.record import FORMAT, Entry, Heading, SaveError
from fronte.engine.record import read as read_save
from fronte.engine.rules import Header
from fronte.engine.verify import EARLY
from fronte.games.registry import GAMES, for_header, seats_of
from fronte.server import clocks, printed
from fronte.server.api_types import NewMatch, Opened
from fronte.server.dice import pledges
from fronte.server.http.endpoint import Call, address, endpoint
from fronte.server.http.keeping import clean_name
from fronte.server.http.seats import Seating, seat_people
from fronte.server.problem import Problem
from fronte.server.processes.sandbox import Rejected, refused
from fronte.server.processes.sandbox_main import Begun, Handed, begun_of
from fronte.server.processes.sandbox_main import read as read_handed
from fronte.server.processes.threads import TooLong
from fronte.server.store.quota import Quota
from fronte.server.store.rows import HELD, HUMAN, End, Kept, Person
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
    if wanted.words and wanted.seal is not None:
        raise Problem(422, "a word is put in under seal now, or after the answer, not both")
    known = wanted.seed is not None
    seed = seed_bytes(wanted.seed) if wanted.seed is not None else bytes(32)
    begun = await _begun(call, wanted, seed)
    heading = Heading(FORMAT, begun.header, commitment(seed), "", begun.opening, begun.origin)
    seats = _seats(call, begun.header, wanted.seats)
    kept = _kept(heading, seed, seats, wanted.name, known, begun, wanted.practice)
    given = None
    if not known:
        secret = pledges.new_secret()
        given = None if wanted.words else pledges.contribution(None, wanted.seal)
        kept = msgspec.structs.replace(kept, seed=b"", secret=secret, heading=pledges.waiting(heading, secret))
        if begun.opening:  # dice fall before anybody can put in a word
            kept = pledges.bound(kept, dict.fromkeys(seats, Person(word="")))
            begun = await _begun(call, wanted, kept.seed)
            thrown = msgspec.structs.replace(kept.heading, opening=begun.opening)
            kept, given = msgspec.structs.replace(kept, heading=thrown), pledges.NOTHING
    seating = Seating(wanted.watch, wanted.invite, wanted.open, wanted.holder, wanted.clock, given)
    first = _routine(begun.header, seats, call.server.settings.folders(wanted.game)) if wanted.routine else []
    kept = msgspec.structs.replace(kept, line=len(first))
    return await _open(call, kept, first, begun, seating, handed_in=wanted.position is not None)


def _routine(header: Header, seats: Mapping[str, str], packs: Sequence[Path | str]) -> list[Entry]:
    """The standing orders that people begin with."""
    given = for_header(header, packs).routine
    people = [seat for seat, player in seats.items() if player == HUMAN]
    return [Entry(seat, {"order": kind, "policy": policy}) for seat in people for kind, policy in given.items()]


async def _begun(call: Call, wanted: NewMatch, seed: bytes) -> Begun:
    """The match that is asked for, with the scenario's own beginning, or from a position once that has been tried."""
    packs = call.server.settings.folders(wanted.game)
    handed = Handed([str(folder) for folder in packs], None, wanted.game, wanted.scenario, wanted.options, seed=seed)
    handed.position = wanted.position
    if wanted.position is not None and "forced" in wanted.position:
        raise Problem(422, "forced: at a table nobody says how the dice fall")
    try:
        if wanted.position is None or await asyncio.to_thread(printed.is_ours, wanted.game, packs, wanted.position):
            return await call.matches.threads.do(call.server.settings.work_seconds, _ours, handed)
        return await call.server.sandbox.attempt(handed, address(call.request))
    except (PackError, Rejected) as wrong:
        if isinstance(wrong, PackError):
            raise
        raise refused(wrong, save=False) from None
    except ValueError as wrong:
        raise Problem(422, str(wrong)) from None
    except TooLong:
        raise call.server.load.full("trial") from None


def _ours(handed: Handed) -> Begun:
    """A match that begins as the scenario says, or as a lesson or a puzzle does: nothing of it comes from strangers."""
    if handed.position is not None:
        return begun_of(read_handed(handed))
    packs = [Path(folder) for folder in handed.packs]
    return begun_of(fronte.new(handed.game, handed.scenario, handed.seed, handed.options, packs))


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
    most, query = call.server.settings.most_lines, call.request.query_params
    if call.body.count("\n") > most + 1:
        raise Problem(422, f"the save has more lines than a record can have, which is {most}")
    try:
        heading, entries = await call.matches.threads.do(call.server.settings.work_seconds, read_save, call.body)
        packs = [str(folder) for folder in call.server.settings.folders(heading.header.game)]
        begun = await call.server.sandbox.attempt(Handed(packs, call.body), address(call.request))
        rules = await asyncio.to_thread(for_header, begun.header, packs)
        words = heading.pledge.words if heading.pledge is not None else rules.seats
        if words and len(words) != len(rules.seats):
            raise SaveError("line 1: the words in it are not one for each seat")
    except (SaveError, Rejected) as wrong:
        raise Problem(422, f"the save cannot be read: {wrong}") from None
    except TooLong:
        raise call.server.load.full("trial") from None
    early = _ended_early(heading, rules.seats)
    over = begun.result is not None or early is not None
    waits = not over and _lacks_words(heading, entries)
    if not heading.seed and not over and not waits:
        raise Problem(422, "the save has no seed, so its dice cannot go on; save it with its seed")
    asked = [part.partition(":") for part in query.get("seats", "").split(",") if part]
    known = {seat: player for seat, player in recorded(call, heading).items() if player is not None}
    seats = _seats(call, begun.header, known | {seat: player for seat, _, player in asked})
    seed = bytes.fromhex(heading.seed) if heading.seed else bytes(32)
    kept = _kept(_uploaded(heading, over), seed, seats, query.get("name", ""), True, begun)
    kept = msgspec.structs.replace(kept, ended=early)
    invite = [part for part in query.get("invite", "").split(",") if part]
    if not waits:
        return await _open(call, kept, entries, begun, Seating(invite=invite), handed_in=True)
    secret = pledges.new_secret()
    fresh = pledges.waiting(kept.heading, secret)
    kept = msgspec.structs.replace(kept, seed=b"", seed_known=False, secret=secret, heading=fresh)
    return await _open(call, kept, entries, begun, Seating(invite=invite, given=pledges.NOTHING), handed_in=True)


def _lacks_words(heading: Heading, entries: Sequence[Entry]) -> bool:
    """Was the match saved while the word of a seat was missing, so that it never had a seed and no die has fallen?

    Its dice are begun anew here, with another secret of the house: nothing of them had been settled.
    """
    pledged = heading.pledge is not None and not heading.pledge.words and not heading.commitment and not heading.seed
    return pledged and not any(heading.opening) and not any(entry.rolls for entry in entries)


def _ended_early(heading: Heading, seats: Collection[str]) -> End | None:
    """How a saved match ended, where no rule ended it: it is not gone on with, but seen again."""
    end = heading.end
    if end is None or not end.by:
        return None
    if end.by not in EARLY or (end.winner is not None and end.winner not in seats):
        raise Problem(422, f"the save cannot be read: line 1: nobody knows how it ended ({end.by})")
    return End(end.by, end.winner, int(time.time()))


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
    seats = recorded(call, heading)
    return Looked(header.game, header.scenario, header.options, seats, lines, heading.end is not None, error)


def recorded(call: Call, heading: Heading) -> dict[str, str | None]:
    """Who played each seat, as the save says and as it can go on here; None: nobody knows."""
    seats = _sitting(call, heading.header)
    able = players_of(heading.header.game)
    return {seat: player if _plays(player := heading.players.get(seat), able) else None for seat in seats}


def _plays(player: str | None, able: Collection[str]) -> bool:
    return player is not None and (player == HUMAN or meant(player) in able or _timed(player, able))


def _uploaded(heading: Heading, over: bool) -> Heading:
    """The heading of a save to go on with: what is shown at the end of a match is not to be shown before."""
    bare = msgspec.structs.replace(heading, seed="", end=heading.end if over else None, players={})
    if over or heading.pledge is None:
        return bare
    return msgspec.structs.replace(bare, pledge=msgspec.structs.replace(heading.pledge, secret=""))


def _sitting(call: Call, header: Header) -> tuple[str, ...]:
    """The seats of a scenario, with the data that the house has for its game."""
    return seats_of(header.game, header.scenario, tuple(map(Path, call.server.settings.folders(header.game))))


def _seats(call: Call, header: Header, wanted: Mapping[str, str]) -> dict[str, str]:
    able, seats = players_of(header.game), _sitting(call, header)
    for seat, player in wanted.items():
        if seat not in seats:
            raise Problem(422, f"no seat {seat!r}; the seats are {', '.join(seats)}")
        if not _plays(player, able):
            raise Problem(422, f"no player {player!r}; the players are {HUMAN}, {', '.join(able)}")
    return {seat: meant(wanted.get(seat, HUMAN)) for seat in seats}


def _timed(player: str, able: Collection[str]) -> bool:
    """Is this one of them with seconds to think in, no more than one decision may take?"""
    try:
        name, budget = read_spec(player)
        seconds = getattr(BUDGETED[name](budget), "seconds", None) if budget else None
    except ValueError:
        return False
    return name in able and seconds is not None and seconds <= MOST_SECONDS


def _kept(
    heading: Heading,
    seed: bytes,
    seats: dict[str, str],
    name: str,
    seed_known: bool,
    begun: Begun,
    practice: bool = False,
) -> Kept:
    now = int(time.time())
    return Kept(
        id="".join(secrets.choice(ALPHABET) for _ in range(12)),
        name=clean_name(name),
        heading=heading,
        seed=seed,
        seed_known=seed_known,
        seats=seats,
        created=now,
        changed=now,
        line=begun.lines,
        revision=0,
        result=begun.result,
        card=begun.card,
        practice=practice,
    )


async def _open(
    call: Call, kept: Kept, entries: list[Entry], begun: Begun, seating: Seating, handed_in: bool
) -> Opened:
    """Keep a new match; the links that lead to it."""
    people, opened, places = await seat_people(call, kept, seating)
    kept = pledges.bound(kept, people)
    opened.house = kept.heading.pledge.house if kept.heading.pledge else None
    if seating.clock is not None:
        clock = clocks.begin(seating.clock, people)
        if not kept.waits and all(person.state == HELD for person in people.values()):
            clock = clocks.pass_to(clock, begun.owes, kept.created * 1000)
        kept = msgspec.structs.replace(kept, clock=clock)
    quota = await _quota(call) if handed_in and not call.server.settings.local else None
    call.matches.gone(await call.server.store.add(kept, entries, people, places, quota))
    return opened


async def _quota(call: Call) -> Quota:
    """How much may be kept of what this visitor hands in. His address is not kept: what stands for it tells nothing."""
    account, settings = await call.account(), call.server.settings
    keyed = hmac.new(call.server.secret.encode(), f"upload {address(call.request)}".encode(), "sha256").hexdigest()
    source = f"account {account.id}" if account else keyed
    return Quota(source, account is None, settings.uploads_bytes, settings.all_uploads_bytes, call.matches.in_use())
