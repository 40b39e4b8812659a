"""Dice one can trust, at the table: the house is bound, both put in words, and what is downloaded can be verified."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hosts import Guest, Host, hosted, play_inside, play_randomly, play_to_the_end, play_with_machines
from pledging import OTHER, RATES, WORD, accept, begin, checked, near_the_end, saved, secret_of
from typer.testing import CliRunner

import fronte
from fronte.cli import app
from fronte.engine import flow, trust
from fronte.engine.dice import commitment
from fronte.engine.record import read, write
from fronte.engine.verify import Noted
from fronte.server import Settings
from fronte.server.dice import pledges
from fronte.server.people import seating
from fronte.server.store.database import Store, link_name
from fronte.server.store.rows import Kept, Person, Place
from fronte.server.store.schema import match_table

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to friends."""
    yield from hosted(msgspec.structs.replace(settings, local=False, rates=RATES))


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that the server answers from now on."""
    found: list[str] = []
    plain = Guest.__init__

    def listening(self: Guest, host: Host, match: str, token: str) -> None:
        plain(self, host, match, token)
        hooks = host.client.event_hooks
        if not hooks["response"]:
            host.client.event_hooks = {
                "response": [lambda answer: found.append(answer.read().decode() + str(answer.headers))]
            }

    monkeypatch.setattr(Guest, "__init__", listening)
    return found


# A whole match


def test_a_whole_match_downloaded_verifies(
    database: str,
    settings: Settings,
    heard: list[str],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    game = "isonzo" if "://" in database else "altipiani"
    for host in hosted(msgspec.structs.replace(settings, database=database, local=False, rates=RATES)):
        opened, italian, invitation = begin(host, "italian", "ah", game=game)
        secret = secret_of(host, opened["id"])
        pledge = invitation.get()["pledge"]
        assert opened["house"] == pledge["house"] == trust.house_commitment(secret)
        assert pledge == {"house": opened["house"], "seals": {"italian": trust.seal(WORD)}} | EMPTY
        assert italian.post("/word", {"word": WORD})["words"] == {}, "the other side could choose its word by it"
        assert WORD not in "".join(heard), "the word is shown before the other side has put in its own"
        ah = accept(invitation, "ah", word=OTHER)
        bound = ah.get()
        assert bound["pledge"]["words"] == {"italian": WORD, "ah": OTHER}
        seed = trust.match_seed(secret, [WORD, OTHER])
        assert bound["commitment"] == commitment(seed) and not bound["seed_known"]
        rng, marks = Random(3), {}
        with italian.live(since=-1) as socket:
            heard.append(socket.receive_text())
            while ah.get()["result"] is None:
                play_randomly(host, {"italian": italian, "ah": ah}, rng, 50 if NIGHTLY else 5)
                play_inside(host, ah.match, rng, 0 if NIGHTLY else 45)
                mark = ah.get("/fingerprint")
                marks[mark["line"]] = mark["fingerprint"]
                assert saved(ah, 403 if ah.get()["result"] is None else 200)
        before_the_end = "".join(heard[:-4]) + caplog.text
        assert seed.hex() not in before_the_end and secret.hex() not in before_the_end
        shown = ah.get()["pledge"]
        assert (shown["secret"], shown["seed"]) == (secret.hex(), seed.hex())
        text = saved(italian)
        noted = Noted(opened["house"], {"italian": WORD, "ah": OTHER}, marks)
        found = checked(text, noted)
        assert found.verdict == "true" and len(marks) > 5, found
        assert found.lines == len(host.match(opened["id"]).entries) > 300
        assert secret.hex() not in caplog.text and WORD not in caplog.text
        file = tmp_path / "match.fronte"
        file.write_text(text, encoding="utf-8")
        told = CliRunner().invoke(app, ["verify", str(file), "--house", opened["house"], "--word", f"ah={OTHER}"])
        assert told.exit_code == 0 and "True" in told.output, told.output


EMPTY: dict[str, Any] = {"words": {}, "secret": None, "seed": None, "anew": [], "asked": None}


def test_the_house_cannot_change_its_secret_afterwards(host: Host) -> None:
    """Another secret, with the seed made of it, or another word: each is found, from the file or by one's notes."""
    opened, italian, invitation = begin(host, "italian", "ah", position=near_the_end())
    italian.post("/word", {"word": WORD})
    ah = accept(invitation, "ah", word=OTHER)
    seats = {"italian": italian, "ah": ah}
    play_randomly(host, seats, Random(1), 3000)
    assert ah.get()["result"] is not None
    true = saved(ah)
    noted = Noted(opened["house"], {"ah": OTHER})
    assert checked(true, noted).verdict == "true"
    forged = bytes(32)

    async def change() -> None:
        async with host.server.store.engine.begin() as connection:
            await connection.execute(match_table.update().values(secret=forged.hex()))

    host.client.portal.call(change)  # type: ignore[union-attr]
    host.server.matches.live.clear()
    failed = {check.name for check in checked(saved(ah)).checks if check.status == "false"}
    assert failed == {"house", "words"}
    heading, entries = read(true)
    assert heading.pledge is not None
    other = msgspec.structs.replace(heading, pledge=trust.pledge(forged, heading.pledge.words), end=None)
    seed = trust.match_seed(forged, heading.pledge.words)
    other = msgspec.structs.replace(other, commitment=commitment(seed), seed=seed.hex())
    result = fronte.load(true).result
    assert result is not None
    whole = trust.closed(other, entries, seed, result, forged)
    assert "house" in {c.name for c in checked(write(whole, entries), noted).checks if c.status == "false"}


# Before all words are there


def test_a_match_goes_on_without_the_other_until_dice_are_needed(host: Host) -> None:
    _, ah, invitation = begin(host, "ah", "italian", game="altipiani")
    assert ah.get("/state")["decision"]["kind"] == "combat" and ah.get()["commitment"] == ""
    attack = next(a for a in map(msgspec.to_builtins, host.match(ah.match).legal()) if a["do"] == "attack")
    assert ah.play(attack, 0)["decision"]["seat"] == "italian"
    assert ah.get("/fingerprint") == {"line": 1, "fingerprint": None}
    italian = accept(invitation, "italian", word=OTHER)  # but the word of the other is not open yet
    seats = {"italian": italian, "ah": ah}
    rng = Random(2)
    for _ in range(200):
        match = host.match(ah.match)
        assert match.decision is not None
        seat, action, line = match.decision.seat, match.sample(rng), len(match.entries)
        before = ah.get("/state")["view"]
        body = {"action": msgspec.to_builtins(action), "line": line}
        answer = host.client.post(f"{ah.path}/actions", json=body, headers=seats[seat].headers)
        if answer.status_code != 200:
            break
    assert answer.status_code == 422 and "everybody has taken a seat" in answer.text
    assert ah.get("/state")["view"] == before and ah.get()["line"] == line
    assert not any(entry.rolls for entry in host.match(ah.match).entries)
    ah.post("/word", {"word": WORD})
    assert seats[seat].post("/actions", body)["line"] > line
    assert host.match(ah.match).entries[line].rolls
    seed = trust.match_seed(secret_of(host, ah.match), [OTHER, WORD])
    assert host.match(ah.match).state.seed == seed


def test_lines_from_before_stay_and_dice_fall_by_the_seed_after(host: Host) -> None:
    opened, italian, invitation = begin(host, "italian", "ah")
    italian.post("/word", {"word": WORD})
    rng = Random(4)
    italian.get("/state")
    for _ in range(12):
        match = host.match(italian.match)
        if match.decision is None or match.decision.seat != "italian":
            break
        italian.play(msgspec.to_builtins(match.sample(rng)))
    before = [msgspec.to_builtins(entry) for entry in host.match(italian.match).entries]
    assert before
    ah = accept(invitation, "ah", word=OTHER)
    assert [msgspec.to_builtins(entry) for entry in host.match(italian.match).entries] == before
    play_randomly(host, {"italian": italian, "ah": ah}, rng, 20)
    play_to_the_end(host, ah.match, rng)
    assert checked(saved(ah), Noted(opened["house"])).verdict == "true"


def test_a_word_can_stay_with_its_owner_until_the_other_has_sealed_his(host: Host) -> None:
    opened, italian, invitation = begin(host, "italian", "ah")
    ah = accept(invitation, "ah", seal=trust.seal(OTHER))
    seals = {"italian": trust.seal(WORD), "ah": trust.seal(OTHER)}
    assert ah.get()["pledge"] == {"house": opened["house"], "seals": seals} | EMPTY
    assert "no seat has sealed" in ah.post("/word", {"word": "another"}, 422)["error"]["why"]
    assert ah.post("/word", {"word": OTHER})["words"] == {}
    assert ah.post("/word", {"word": OTHER})["words"] == {}  # again: nothing new
    with italian.live() as socket:
        socket.receive_text()
        assert italian.post("/word", {"word": WORD})["words"] == {"italian": WORD, "ah": OTHER}
        assert socket.receive_json()["line"] == 0 and socket.receive_people()
    assert host.match(opened["id"]).state.seed == trust.match_seed(secret_of(host, opened["id"]), [WORD, OTHER])
    handed = Guest(host, ah.match, ah.post("/links", {"kind": "invite"}, 201)["token"])
    third = accept(handed, "ah", word="too late")
    assert third.get()["pledge"]["words"]["ah"] == OTHER


def test_words_that_do_not_fit_their_seal_or_are_no_words(host: Host) -> None:
    _, _, invitation = begin(host, "italian", "ah")
    assert "sealed" in invitation.post("/accept", {"word": "a", "seal": trust.seal("b")}, 422)["error"]["why"]
    for wrong in ({"seal": "x"}, {"word": "x" * 401}, {"word": 3}):
        assert "cannot be read" in invitation.post("/accept", wrong, 400)["error"]["why"]
    ah = accept(invitation, "ah", word="a", seal=trust.seal("a"))
    assert ah.get()["pledge"]["seals"]["ah"] == trust.seal("a")


def test_who_does_not_care_presses_nothing(host: Host) -> None:
    """Against the machine and at one table a match begins at once; one word, or none, is enough."""
    rng, begun = Random(1), near_the_end()
    for seats, seal in product(({"ah": "random"}, {}), (None, trust.seal(WORD))):
        opened = host.client.post(
            "/api/matches", json={"game": "isonzo", "seats": seats, "seal": seal, "position": begun}
        ).json()
        guests = {seat: Guest(host, opened["id"], token) for seat, token in opened["tokens"].items()}
        one = guests["italian"]
        if seal:
            assert one.get()["commitment"] == ""
            one.post("/word", {"word": WORD})
        assert one.get()["commitment"]
        play_with_machines(host, guests, one, rng)
        found = checked(saved(one), Noted(opened["house"], {"italian": WORD if seal else ""}))
        assert found.verdict == "true", found


@pytest.mark.parametrize("seats", [{"ah": "random"}, {}, {"ah": "random", "italian": "random"}])
def test_whoever_is_at_the_table_puts_in_a_word_after_the_house_is_bound(host: Host, seats: dict[str, str]) -> None:
    """Against the machine and for two at one table: first `house`, then one request for each person, then dice."""
    asked = {"game": "isonzo", "seats": seats, "words": True, "position": near_the_end()}
    opened = host.client.post("/api/matches", json=asked).json()
    guests = {seat: Guest(host, opened["id"], token) for seat, token in opened["tokens"].items()}
    given = {seat: f"{WORD} of {seat}" for seat in guests}
    secret = secret_of(host, opened["id"])
    assert opened["house"] == trust.house_commitment(secret)
    for seat, guest in guests.items():
        before = guest.get()
        assert before["commitment"] == "" and seat not in before["pledge"]["seals"]
        guest.post("/word", {"word": given[seat]})
    words = [given.get(seat, "") for seat in ("italian", "ah")]
    watch = next(iter(guests.values()), None) or Guest(host, opened["id"], opened["watch"]["ah"])
    assert watch.get()["commitment"] == commitment(trust.match_seed(secret, words))
    assert list(watch.get()["pledge"]["words"].values()) == words, "a machine puts in the empty word"
    play_with_machines(host, guests, watch, Random(1))
    found = checked(saved(watch), Noted(opened["house"], given))
    assert found.verdict == "true", found


def test_a_browser_that_dies_before_its_word_can_put_it_in_later(settings: Settings) -> None:
    for host in hosted(settings):
        asked = {"game": "isonzo", "seats": {"italian": "random"}, "words": True}
        opened = host.client.post("/api/matches", json=asked).json()
        again = host.client.post(f"/api/matches/{opened['id']}/join").json()["tokens"]
        ah = Guest(host, opened["id"], again["ah"])
        assert ah.get("/state")["line"] == 0 and opened["id"] not in host.server.matches.thinking
        ah.post("/word", {"word": OTHER})
        with ah.live(since=0) as socket:
            while socket.receive_json().get("line", 0) == 0:
                pass
    one = {"game": "isonzo", "words": True, "seal": trust.seal(WORD)}
    for host in hosted(settings):
        assert "not both" in host.client.post("/api/matches", json=one).text
        known = host.client.post("/api/matches", json={"game": "isonzo", "words": True, "seed": 7}).json()
        assert known["house"] is None and Guest(host, known["id"], known["tokens"]["ah"]).get()["commitment"]


def test_a_machine_waits_for_the_person_it_plays_with(host: Host) -> None:
    asked = {"game": "isonzo", "seats": {"italian": "random"}, "invite": ["ah"]}
    opened = host.client.post("/api/matches", json=asked).json()
    invitation = Guest(host, opened["id"], opened["invitations"]["ah"])
    spectator = Guest(host, opened["id"], opened["spectators"])
    assert spectator.get("/state")["line"] == 0
    assert opened["id"] not in host.server.matches.thinking
    ah = accept(invitation, "ah", word=OTHER)
    with ah.live(since=0) as socket:
        while socket.receive_json().get("line", 0) == 0:
            pass
    assert ah.get("/fingerprint")["fingerprint"]


# Ends that the rules do not make, and matches without a pledge


def test_a_win_on_time_is_reported_plainly(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.time()
    opened, italian, invitation = begin(host, "italian", "ah", clock={"total": 60, "delay": 0})
    ah = accept(invitation, "ah", word=OTHER)
    assert italian.get("/state")["clock"]["running"] is None, "no clock runs while a word is missing"
    italian.post("/word", {"word": WORD})
    assert italian.get("/state")["clock"]["running"] == "italian"
    monkeypatch.setattr("time.time", lambda: began + 1000)
    assert ah.post("/win", {})["result"]["level"] == "time"
    assert ah.get()["pledge"]["secret"] == secret_of(host, ah.match).hex()
    found = checked(saved(ah), Noted(opened["house"], {"ah": OTHER}))
    assert found.verdict == "true" and found.ended == {"by": "time", "winner": "ah"}, found
    score = next(check.text for check in found.checks if check.name == "score")
    assert "ah won on time after 0 actions: italian had to decide" in score and "house's clocks" in score
    longer = saved(ah) + json.dumps({"seat": "italian", "action": {"do": "end"}}) + "\n"
    assert checked(longer).verdict == "false"


def test_a_chosen_seed_has_no_pledge_and_no_fingerprint_before_the_end(host: Host) -> None:
    """Whoever knows the seed could try out what the other side has hidden until the fingerprint fits."""
    seats = host.begin(position=near_the_end())
    assert seats["ah"].get()["pledge"] is None and seats["ah"].get()["seed_known"]
    assert seats["ah"].get("/fingerprint")["fingerprint"] is None
    play_randomly(host, seats, Random(1), 3000)
    assert seats["ah"].get("/fingerprint")["fingerprint"] in saved(seats["ah"])
    assert "are settled" in seats["ah"].post("/word", {"word": ""}, 422)["error"]["why"]
    found = checked(saved(seats["ah"]))
    assert found.verdict == "open" and "nobody was bound" in found.checks[0].text


def test_a_position_in_which_dice_fall_at_once_is_bound_to_the_house_alone(host: Host) -> None:
    match, rng = fronte.new("isonzo", seed=3), Random(3)
    while not match.entries or not match.entries[-1].rolls:
        before = match.state.copy()
        action = match.sample(rng)
        match.play(action)
    flow.act(match.rules, before, action, [])
    assert flow.waits_for_dice(before)
    opened, italian, invitation = begin(host, "italian", "ah", position=match.rules.to_position(before))
    about = italian.get()
    assert about["commitment"] and about["pledge"]["words"] == {"italian": "", "ah": ""}
    assert opened["house"] == trust.house_commitment(secret_of(host, opened["id"]))
    ah = accept(invitation, "ah", word=OTHER)
    play_randomly(host, {"italian": italian, "ah": ah}, rng, 20)
    play_to_the_end(host, ah.match, rng)
    assert checked(saved(ah)).verdict == "true"


def test_a_save_taken_up_again_shows_no_secret_before_its_end(settings: Settings) -> None:
    """At a local table a match can be saved in the middle, with its seed; that proves nothing any more."""
    for host in hosted(settings):
        opened = host.client.post("/api/matches", json={"game": "isonzo"}).json()
        seats = {seat: Guest(host, opened["id"], token) for seat, token in opened["tokens"].items()}
        play_randomly(host, seats, Random(1), 40)
        secret = secret_of(host, opened["id"]).hex()
        half = saved(seats["ah"])
        assert secret not in half and checked(half).verdict == "open"
        heading, entries = read(half)
        assert heading.pledge is not None and heading.end is None
        told = msgspec.structs.replace(heading, pledge=msgspec.structs.replace(heading.pledge, secret=secret))
        again = host.client.post("/api/matches/upload", content=write(told, entries)).json()
        guests = {seat: Guest(host, again["id"], token) for seat, token in again["tokens"].items()}
        assert guests["ah"].get()["pledge"]["secret"] is None and secret not in saved(guests["ah"])
        play_to_the_end(host, again["id"], Random(1))
        assert guests["ah"].get()["result"] and guests["ah"].get()["seed_known"]
        assert checked(saved(guests["ah"])).verdict == "open"
        play_to_the_end(host, opened["id"], Random(1))
        whole = saved(seats["ah"])
        assert checked(whole).verdict == "true"
        third = host.client.post("/api/matches/upload", content=whole).json()
        assert saved(Guest(host, third["id"], third["tokens"]["ah"])) == whole


def test_a_save_from_before_the_last_word_goes_on_with_new_dice(settings: Settings) -> None:
    """No die has fallen yet: the house binds itself anew, and whoever was still to be invited can be again."""
    for host in hosted(settings):
        opened = host.client.post("/api/matches", json={"game": "altipiani", "seal": trust.seal(WORD)}).json()
        ah = Guest(host, opened["id"], opened["tokens"]["ah"])
        assert ah.get("/state")["decision"]["kind"] == "combat"
        attack = next(a for a in map(msgspec.to_builtins, host.match(ah.match).legal()) if a["do"] == "attack")
        ah.play(attack, 0)
        half = saved(ah)
        heading, entries = read(half)
        assert heading.pledge is not None and not heading.pledge.words and not heading.seed
        for query, waits in (("", False), ("?invite=italian", True)):
            again = host.client.post(f"/api/matches/upload{query}", content=half)
            assert again.status_code == 201, again.text
            told = again.json()
            guest = Guest(host, told["id"], told["tokens"]["ah"])
            assert told["house"] not in (None, opened["house"]) and guest.get()["line"] == 1
            assert bool(guest.get()["commitment"]) is not waits
            if waits:
                accept(Guest(host, told["id"], told["invitations"]["italian"]), "italian", word=OTHER)
            play_to_the_end(host, told["id"], Random(1))
            assert checked(saved(guest)).verdict == "true"
        forged = [msgspec.structs.replace(entries[0], rolls=((1, 2, 3),))]
        assert host.client.post("/api/matches/upload", content=write(heading, forged)).status_code == 422


def test_a_save_that_ended_before_the_last_word_can_be_looked_at(settings: Settings) -> None:
    for host in hosted(settings):
        opened = host.client.post("/api/matches", json={"game": "isonzo", "seal": trust.seal(WORD)}).json()
        seats = {seat: Guest(host, opened["id"], token) for seat, token in opened["tokens"].items()}
        seats["ah"].post("/resign", {})
        again = host.client.post("/api/matches/upload", content=saved(seats["ah"]))
        assert again.status_code == 201, again.text
        told = Guest(host, again.json()["id"], again.json()["tokens"]["ah"]).get()
        assert told["ended"] == "resigned" and told["winner"] == "italian"


def test_a_match_from_before_goes_on_and_has_no_pledge(host: Host) -> None:
    heading, _ = read(fronte.new("isonzo", seed=1).save(with_seed=False))
    seats = {"italian": "human", "ah": "human"}
    old = Kept("old", "", heading, trust.match_seed(bytes(32), []), False, seats, 5, 5, 0, 0, None)
    old = msgspec.structs.replace(old, heading=msgspec.structs.replace(heading, commitment=commitment(old.seed)))
    links = [(f"token {seat}", Place("old", seat)) for seat in old.seats] + [("asked", Place("old", "ah", "invite"))]
    people = {seat: Person() for seat in old.seats}
    host.client.portal.call(host.server.store.add, old, [], people, links)  # type: ignore[union-attr]
    italian = Guest(host, "old", "token italian")
    ah = accept(Guest(host, "old", "asked"), "ah", word=OTHER)
    assert ah.get()["pledge"] is None
    rng = Random(1)
    play_randomly(host, {"italian": italian, "ah": ah}, rng, 20)
    play_to_the_end(host, "old", rng)
    found = checked(saved(ah))
    assert found.verdict == "open" and {c.name for c in found.checks if c.status == "open"} == {"house"}


# Two who sit down at once


async def both_sit_down(url: str) -> None:
    store = Store(url)
    await store.open()
    heading, _ = read(fronte.new("isonzo", seed=1).save(with_seed=False))
    seats = {"italian": "human", "ah": "human"}
    for number in range(8):
        name, secret = f"m{number}", bytes([number]) * 32
        kept = Kept(name, "", pledges.waiting(heading, secret), b"", False, seats, 5, 5, 0, 0, None, secret=secret)
        links = [(f"{name} {seat}", Place(name, seat, "invite")) for seat in seats]
        await store.add(kept, [], {seat: Person("invited") for seat in seats}, links)
        places = {place.seat: msgspec.structs.replace(place, link=link_name(token)) for token, place in links}
        given = {"italian": pledges.contribution(WORD, None), "ah": pledges.contribution(OTHER, None)}
        await asyncio.gather(*(seating.accept(store, places[s], seating.Coming("", None, 6, given[s])) for s in seats))
        found = await store.match(name)
        assert found is not None and found.seed == trust.match_seed(secret, [WORD, OTHER])
        assert found.stream == found.seed and found.heading.pledge is not None
        assert found.heading.pledge.words == (WORD, OTHER)
    async with store.engine.connect() as connection:
        assert (await connection.execute(sa.select(sa.func.count()).where(match_table.c.seed == ""))).scalar() == 0
    await store.close()


def test_of_two_last_words_one_makes_the_seed(database: str) -> None:
    asyncio.run(both_sit_down(Settings(database=database).url))
