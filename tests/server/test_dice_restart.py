"""A sealed word that was lost: the dice begin anew, if all agree, and everything from before is worth nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, hosted, play_randomly
from pledging import OTHER, RATES, WORD, accept, begin, checked, near_the_end, saved, secret_of
from typer.testing import CliRunner

import fronte
from fronte.cli import app
from fronte.engine import trust
from fronte.engine.record import read
from fronte.engine.verify import Noted
from fronte.server import Settings
from fronte.server.dice import pledges, restart
from fronte.server.people import seating
from fronte.server.problem import Problem
from fronte.server.store.database import Store, link_name
from fronte.server.store.rows import Kept, Person, Place

FRESH = ("fresh 11", "fresh 22")


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to friends."""
    yield from hosted(msgspec.structs.replace(settings, local=False, rates=RATES))


def lost(host: Host, **wanted: Any) -> tuple[str, Guest, Guest]:
    """The Italian has sealed a word that he knows no more; the other has put in his openly. The old commitment."""
    opened, italian, invitation = begin(host, "italian", "ah", **wanted)
    return opened["house"], italian, accept(invitation, "ah", word=OTHER)


def refused(guest: Guest, what: str, body: dict[str, Any]) -> str:
    return str(guest.post(what, body, 422)["error"]["why"])


def test_a_match_whose_word_was_lost_is_played_to_its_end(host: Host, tmp_path: Path) -> None:
    old, italian, ah = lost(host, position=near_the_end())
    secret = secret_of(host, italian.match)
    seals = {"italian": trust.seal(WORD), "ah": trust.seal(OTHER)}
    with ah.live() as socket:
        socket.receive_text()
        asked = italian.post("/anew", {})["asked"]
        assert asked == {"by": "italian", "agreed": [], "waits": ["ah"]} == ah.get()["pledge"]["asked"]
        assert socket.receive_json()["line"] == 0 and socket.receive_people(), "the other side is told at once"
    assert secret_of(host, italian.match) == secret and ah.get()["pledge"]["seals"] == seals, "nobody has agreed yet"
    pledge = ah.post("/anew", {})
    once = {"by": "italian", "house": old, "agreed": ["ah"], "seals": seals}
    assert pledge == italian.get()["pledge"]
    assert (pledge["anew"], pledge["asked"], pledge["seals"], pledge["words"]) == ([once], None, {}, {})
    new = secret_of(host, italian.match)
    assert new != secret and pledge["house"] == trust.house_commitment(new) != old
    for guest, word in ((ah, OTHER), (italian, WORD)):  # what was known may not come back
        assert "put in before" in refused(guest, "/word", {"word": word})
        assert "put in before" in refused(guest, "/word", {"seal": trust.seal(word)})
    italian.post("/word", {"seal": trust.seal(FRESH[0])})
    assert "already" in refused(italian, "/word", {"seal": trust.seal(FRESH[0])})
    assert ah.post("/word", {"word": FRESH[1]})["words"] == {}
    assert italian.post("/word", {"word": FRESH[0]})["words"] == {"italian": FRESH[0], "ah": FRESH[1]}
    assert host.match(ah.match).state.seed == trust.match_seed(new, FRESH)
    play_randomly(host, {"italian": italian, "ah": ah}, Random(1), 3000)
    text = saved(ah)
    found = checked(text, Noted(pledge["house"], {"ah": FRESH[1]}))
    assert found.verdict == "true", found
    told = next(check.text for check in found.checks if check.name == "anew")
    assert "begun anew once" in told and "italian asked and ah agreed" in told
    first = next(check for check in checked(text, Noted(old)).checks if check.name == "house")
    assert first.status == "open" and "put aside" in first.text
    heading, _ = read(text)
    assert heading.pledge is not None and [msgspec.to_builtins(time) for time in heading.pledge.anew] == [
        once | {"agreed": ("ah",)}
    ]
    file = tmp_path / "match.fronte"
    file.write_text(text, encoding="utf-8")
    answer = CliRunner().invoke(app, ["verify", str(file), "--house", pledge["house"]], env={"COLUMNS": "200"})
    assert answer.exit_code == 0 and "begun anew" in answer.output, answer.output


def test_nothing_that_was_played_is_lost_and_no_die_falls_meanwhile(host: Host) -> None:
    _, italian, ah = lost(host)
    italian.get("/state")
    rng = Random(4)
    while (match := host.match(italian.match)).decision is not None and len(match.entries) < 8:
        if match.decision.seat != "italian":
            break
        italian.play(msgspec.to_builtins(match.sample(rng)))
    before = list(host.match(italian.match).entries)
    assert before
    italian.post("/anew", {})
    ah.post("/anew", {})
    assert italian.get("/state")["line"] == len(before)
    italian.post("/word", {"word": FRESH[0]})
    ah.post("/word", {"word": FRESH[1]})
    italian.get("/state")
    assert host.match(italian.match).entries == before
    play_randomly(host, {"italian": italian, "ah": ah}, rng, 60)
    assert any(entry.rolls for entry in host.match(italian.match).entries)


def test_alone_it_happens_at_once(host: Host) -> None:
    """As long as nobody else has put in anything, nobody else is asked."""
    opened, italian, invitation = begin(host, "italian", "ah")
    pledge = italian.post("/anew", {})
    assert pledge["house"] != opened["house"] and pledge["anew"][0]["agreed"] == []
    assert invitation.get()["pledge"]["house"] == pledge["house"]
    italian.post("/word", {"word": FRESH[0]})
    ah = accept(invitation, "ah", word=OTHER)
    assert ah.get()["pledge"]["words"] == {"italian": FRESH[0], "ah": OTHER}
    assert "settled" in refused(italian, "/anew", {})


def test_who_may_ask_and_that_it_can_be_declined(host: Host) -> None:
    old, italian, ah = lost(host)
    assert "still under seal" in refused(ah, "/anew", {}), "his word is open: he has none to lose"
    for no in (ah, italian):
        italian.post("/anew", {})
        assert no.post("/anew", {"agree": False})["asked"] is None
        assert italian.get()["pledge"]["house"] == old and not italian.get()["pledge"]["anew"]
    italian.post("/anew", {})
    assert italian.post("/anew", {})["asked"]["waits"] == ["ah"], "to ask twice is not to agree"
    found = italian.post("/word", {"word": WORD})  # it lay in another browser
    assert found["words"] == {"italian": WORD, "ah": OTHER} and found["asked"] is None
    assert italian.post("/word", {"word": WORD})["words"] == found["words"], "once more: nothing new"
    for guest in (italian, ah):
        assert "settled" in refused(guest, "/anew", {})
        assert "settled" in refused(guest, "/word", {"word": "another"})
    chosen = host.begin()
    assert "settled" in refused(chosen["ah"], "/anew", {})


def test_both_can_have_lost_theirs(host: Host) -> None:
    _, italian, invitation = begin(host, "italian", "ah")
    ah = accept(invitation, "ah", seal=trust.seal(OTHER))
    assert ah.post("/anew", {})["asked"] == {"by": "ah", "agreed": [], "waits": ["italian"]}
    assert italian.post("/anew", {})["anew"][0]["by"] == "ah"


def test_a_seat_handed_on_can_ask_and_is_asked_itself(host: Host) -> None:
    """Whoever takes the seat does not know the word; what the one before him agreed to does not bind him."""
    _, italian, ah = lost(host)
    handed = Guest(host, italian.match, italian.post("/links", {"kind": "invite"}, 201)["token"])
    third = accept(handed, "italian", word="not his to give")
    assert third.get()["pledge"]["seals"]["italian"] == trust.seal(WORD)
    third.post("/anew", {})
    fourth = accept(Guest(host, ah.match, ah.post("/links", {"kind": "invite"}, 201)["token"]), "ah", word="x")
    assert fourth.get()["pledge"]["asked"] is None, "it was asked of somebody else"
    third.post("/anew", {})
    assert len(fourth.post("/anew", {})["anew"]) == 1


def test_not_without_end(host: Host) -> None:
    _, italian, _ = begin(host, "italian", "ah")
    for number in count(1):
        italian.post("/anew", {})
        italian.post("/word", {"seal": trust.seal(f"{WORD} {number}")})
        if number == restart.MOST:
            break
    assert f"{restart.MOST} times" in refused(italian, "/anew", {})
    assert len({once["house"] for once in italian.get()["pledge"]["anew"]}) == restart.MOST


def test_only_who_plays_is_heard(host: Host) -> None:
    opened, italian, invitation = begin(host, "italian", "ah")
    spectator = Guest(host, opened["id"], opened["spectators"])
    watch = Guest(host, opened["id"], italian.post("/links", {"kind": "watch"}, 201)["token"])
    owner = Guest(host, opened["id"], opened["owner"])
    for guest in (invitation, spectator, watch, owner):
        guest.post("/anew", {}, 403)
        guest.post("/word", {"word": FRESH[0]}, 403)
    assert "either" in italian.post("/word", {}, 400)["error"]["why"]
    assert "either" in italian.post("/word", {"word": WORD, "seal": trust.seal(WORD)}, 400)["error"]["why"]


# All at once


async def all_at_once(url: str) -> None:
    """One asks while the other agrees, opens a word, and a third takes the seat over: always one clear end."""
    store = Store(url)
    await store.open()
    heading, _ = read(fronte.new("isonzo", seed=1).save(with_seed=False))
    seats = {"italian": "human", "ah": "human"}
    people = {"italian": Person(seal=trust.seal(WORD)), "ah": Person(seal=trust.seal(OTHER), word=OTHER)}
    for number in range(10):
        name, secret = f"m{number}", bytes([number]) * 32
        kept = Kept(name, "", pledges.waiting(heading, secret), b"", False, seats, 5, 5, 0, 0, None, secret=secret)
        token = f"{name} ah"
        await store.add(kept, [], people, [(token, Place(name, "ah", "invite"))])
        invited = Place(name, "ah", "invite", link_name(token))
        found = await asyncio.gather(
            restart.say(store, name, "italian", True),
            restart.say(store, name, "ah", True),
            pledges.open_word(store, name, "italian", WORD),
            seating.accept(store, invited, seating.Coming("third", None, 6)),
            return_exceptions=True,
        )
        assert all(wrong is None or isinstance(wrong, Problem | tuple) for wrong in found), found
        now, sitting = await store.match(name), await store.people(name)
        assert now is not None and now.heading.pledge is not None
        if now.heading.pledge.anew:
            assert now.secret != secret and all(who.word != WORD for who in sitting.values())
            assert now.heading.pledge.house == trust.house_commitment(now.secret)
        else:
            assert now.secret == secret and (now.seed == trust.match_seed(secret, [WORD, OTHER])) == bool(now.seed)
    await store.close()


def test_whoever_comes_first_nothing_is_half_done(database: str) -> None:
    asyncio.run(all_at_once(Settings(database=database).url))
