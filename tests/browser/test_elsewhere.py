"""People elsewhere: links, live play, spectators, chat, notes, accounts, open matches, clocks, dice and luck."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect
from positions import last_phase
from table import click_hex, end_phase, findings, kinds_of_attack, open_tab, part, wait_asked
from visitors import DESKTOP, PHONE, Opener, Served, Shots

import fronte
from fronte.engine import luck, trust
from fronte.engine.verify import Noted, verify
from fronte.games.registry import for_header


def two(hosted: Served, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A match of Anna and Marta, as each of their browsers holds it."""
    anna = hosted.create(more={"invite": ["ah"], "holder": "Anna"} | more)
    path = f"/api/matches/{anna['id']}/accept"
    return anna, hosted.post(path, {"name": "Marta"}, anna["invitations"]["ah"])


def shown(page: Page) -> set[str]:
    """The units on the map."""
    return set(page.locator("[data-unit]").evaluate_all("all => all.map(one => one.dataset.unit)"))


def test_two_people_play_through_links(come: Opener, shots: Shots) -> None:
    anna = come(DESKTOP)
    part(anna, "seat-ah").select_option("invite")
    part(anna, "holder").fill("Anna")
    part(anna, "begin").click()
    link = part(anna, "invite-ah").input_value()
    expect(part(anna, "person-ah")).to_contain_text("invited")
    shots(anna, "invitation.png")

    marta = come(PHONE, at=link)
    expect(marta.get_by_text("You are invited: Inferno sull’Isonzo")).to_be_visible()
    part(marta, "join-name").fill("Marta")
    shots(marta, "join.png")
    part(marta, "join-accept").click()
    wait_asked(marta, "Waiting for the Italian player")
    assert "#match/" in marta.url and link.rsplit("/", 1)[1] not in marta.url
    expect(part(anna, "person-ah")).to_contain_text("Marta, online")
    expect(part(marta, "opponent-italian")).to_contain_text("Anna")

    part(anna, "tab-now").click()
    end_phase(anna)
    expect(part(marta, "state")).to_contain_text("Movement Phase")  # at once, without asking
    wait_asked(anna, "Move your units")
    click_hex(anna, "1209")
    click_hex(anna, "1110")
    wait_asked(anna, "SPEZIA still has")
    open_tab(marta, "log")
    log = marta.locator("#panel-other")
    expect(log.get_by_text("SPEZIA moves 1209").first).to_be_visible()
    shots(marta, "live-phone.png")
    part(anna, "undo").click()
    expect(log.get_by_text("SPEZIA moves 1209")).to_have_count(0)

    late = come(DESKTOP, at=link)  # an invitation is good for one
    expect(part(late, "join-refused")).to_contain_text("this invitation has been used already")
    marta.context.close()
    expect(part(anna, "opponent-ah").locator(".minor")).to_have_text(", away")


def test_a_link_is_revoked_and_a_seat_handed_on(come: Opener, hosted: Served, shots: Shots) -> None:
    match, _ = two(hosted)
    anna = come(DESKTOP, match)
    open_tab(anna, "people")
    part(anna, "links").locator("summary").click()
    expect(part(anna, "link-seat").first).to_be_visible()
    known = part(anna, "link-seat").count()
    part(anna, "link-device").click()
    link = part(anna, "made-link").input_value()
    expect(part(anna, "link-seat")).to_have_count(known + 1)  # the list of links comes after the link
    other = come(PHONE, at=link, language="it")
    expect(part(other, "what-now")).to_contain_text("ponti di barche")  # the same seat on another device
    part(anna, "link-seat").locator("[data-testid=end-link]").click()  # one's own has no such button
    expect(part(other, "gone")).to_contain_text("questo link è stato revocato")
    shots(other, "revoked.png")
    again = come(DESKTOP, at=link)
    expect(part(again, "join-refused")).to_contain_text("this link has been revoked")

    part(anna, "link-hand").click()
    bruno = come(DESKTOP, at=part(anna, "made-link").input_value())
    part(bruno, "join-name").fill("Bruno")
    part(bruno, "join-accept").click()
    wait_asked(bruno, "bridge engineers")
    expect(part(anna, "gone")).to_contain_text("handed to somebody else")
    anna.reload()
    expect(part(anna, "error")).to_contain_text("This browser has no link to this match")


def test_a_spectator_sees_nothing_hidden(come: Opener, hosted: Served, shots: Shots) -> None:
    anna, marta = two(hosted)
    page = come(DESKTOP, at=hosted.link(anna, anna["spectators"]))
    wait_asked(page, "Waiting for the Italian player")
    expect(part(page, "state")).to_contain_text("You are a spectator")
    common = hosted.get(f"/api/matches/{anna['id']}/state", anna["spectators"])["view"]["pieces"]
    on_map = {piece["id"] for piece in common if re.fullmatch(r"\d{4}", piece["at"])}
    expect(page.locator("[data-unit]").first).to_be_visible()
    assert shown(page) <= on_map
    views = [hosted.table(match, seat)["view"] for match, seat in ((anna, "italian"), (marta, "ah"))]
    known = [{piece["id"] for piece in view["pieces"] if "id" in piece} for view in views]
    assert shown(page) <= known[0] & known[1]
    assert {piece["id"] for piece in views[0]["pieces"] if piece.get("mine")} - shown(
        page
    )  # there is something to hide
    assert page.get_by_test_id("end").count() == 0 and page.get_by_test_id("tab-orders").count() == 0
    open_tab(page, "people")
    expect(part(page, "person-italian")).to_contain_text("Anna")
    assert part(page, "my-seat").count() == 0 and part(page, "links").count() == 0
    shots(page, "spectator.png")


def test_chat_arrives_and_notes_stay_private(come: Opener, hosted: Served, shots: Shots) -> None:
    match, friend = two(hosted)
    anna, marta = come(DESKTOP, match), come(PHONE, friend)
    looker = come(DESKTOP, at=hosted.link(match, match["spectators"]))
    for page in (anna, marta, looker):
        expect(part(page, "what-now")).to_be_visible()
    open_tab(marta, "people")
    part(marta, "chat-text").fill("Good luck!")
    part(marta, "chat-send").click()
    expect(part(anna, "unread")).to_have_text("1")
    open_tab(anna, "people")
    expect(part(anna, "chat")).to_contain_text("Good luck!")
    expect(part(anna, "unread")).to_have_count(0)
    part(anna, "chat-text").fill("<b>The same</b> to you")
    part(anna, "chat-text").press("Enter")
    expect(part(marta, "chat")).to_contain_text("<b>The same</b> to you")
    open_tab(looker, "people")
    expect(part(looker, "chat")).to_contain_text("only spectators read this")

    open_tab(anna, "hex")
    click_hex(anna, "1512")
    part(anna, "note").fill("Cross here on turn 3")
    part(anna, "note").blur()
    expect(anna.locator("[data-note='1512']")).to_have_count(1)
    shots(anna, "note.png")
    anna.reload()
    expect(anna.locator("[data-note='1512']")).to_have_count(1)
    for page in (marta, looker):
        page.reload()
        expect(part(page, "what-now")).to_be_visible()
        assert page.locator("[data-note]").count() == 0 and "Cross here" not in page.content()
    open_tab(marta, "people")
    expect(part(marta, "chat")).to_contain_text("Good luck!")  # what was said is kept


def test_an_account_keeps_matches_together(come: Opener) -> None:
    anna = come(DESKTOP)
    part(anna, "account-user").fill("Anna of Plava")
    part(anna, "account-password").fill("a long password")
    part(anna, "sign-up").click()
    expect(part(anna, "account-name")).to_contain_text("Anna of Plava")
    part(anna, "more-choices").locator("summary").click()
    part(anna, "match-name").fill("An evening at Plava")
    part(anna, "seat-ah").select_option("open")
    part(anna, "begin").click()
    wait_asked(anna, "bridge engineers")

    phone = come(PHONE)
    part(phone, "account-user").fill("Anna of Plava")
    part(phone, "account-password").fill("not the password")
    part(phone, "sign-in").click()
    expect(part(phone, "account-error")).to_contain_text("name or password is not right")
    part(phone, "account-password").fill("a long password")
    part(phone, "sign-in").click()
    mine = phone.get_by_role("button", name=re.compile("Open: An evening at Plava"))
    mine.click()
    wait_asked(phone, "bridge engineers")  # the same seat

    bruno = come(DESKTOP)  # from the list of open matches
    part(bruno, "open-match").filter(has_text="An evening at Plava").get_by_test_id("sit-ah").click()
    wait_asked(bruno, "Waiting for the Italian player")
    expect(part(bruno, "opponent-italian")).to_contain_text("Anna of Plava")
    phone.goto(phone.url.split("#")[0])
    part(phone, "sign-out").click()
    expect(part(phone, "account-user")).to_be_visible()


def test_a_clock_runs_out(come: Opener, hosted: Served) -> None:
    _, friend = two(hosted, clock={"total": 1, "delay": 0})
    marta = come(PHONE, friend)
    expect(part(marta, "clock-italian")).to_have_text("▶ 0:00")
    part(marta, "claim-time").click()
    wait_asked(marta, "The game is over")


def test_the_dice_are_bound_and_shown_at_the_end(come: Opener, hosted: Served, shots: Shots, tmp_path: Path) -> None:
    word = trust.word("plava", bytes(16))
    more = last_phase() | {"seed": None, "invite": ["ah"], "holder": "Anna", "seal": trust.seal(word)}
    match = hosted.create(more=more)
    anna = come(DESKTOP, match, word=word)
    noted = part(anna, "bound-text").input_value()
    shots(anna, "bound.png")
    open_tab(anna, "dice")
    expect(part(anna, "no-seed")).to_be_visible()
    expect(part(anna, "word-italian")).to_have_text(f"{word} (under seal for the others)")

    marta = come(PHONE, at=hosted.link(match, match["invitations"]["ah"]))
    part(marta, "join-accept").click()
    expect(part(anna, "word-italian")).to_have_text(word)  # opened by itself, once Marta had put in hers
    part(anna, "fingerprint-now").click()
    lines, fingerprint = part(anna, "fingerprint").input_value().split(":")
    for page in (marta, anna, marta):
        expect(part(page, "end")).to_be_visible()
        end_phase(page)
    wait_asked(marta, "The game is over")
    expect(part(anna, "secret")).to_be_visible()
    shots(anna, "revealed.png")
    with anna.expect_download() as download:
        part(anna, "download").last.click()
    file = tmp_path / "match.fronte"
    download.value.save_as(file)
    command = part(anna, "verify-command").input_value()
    assert f"--house {noted}" in command and f"--word italian={word}" in command
    report = verify(file.read_text(), for_header, Noted(noted, {"italian": word}, {int(lines): fingerprint}))
    assert report.verdict == "true", report


def test_a_lost_word_begins_the_dice_anew(come: Opener, hosted: Served, shots: Shots) -> None:
    word = trust.word("plava", bytes(16))
    match = hosted.create(more={"seed": None, "invite": ["ah"], "holder": "Anna", "seal": trust.seal(word)})
    anna = come(DESKTOP, match)  # in a browser that does not have the word
    expect(part(anna, "what-now")).to_be_visible()
    marta = come(DESKTOP, at=hosted.link(match, match["invitations"]["ah"]))
    part(marta, "join-accept").click()
    expect(part(anna, "word-lost")).to_be_visible()
    first = part(anna, "bound-text").input_value()
    part(anna, "bound-close").click()
    shots(anna, "word-lost.png")
    part(anna, "anew").click()
    expect(part(anna, "anew-waits")).to_be_visible()
    part(marta, "anew-agree").click()
    for page in (anna, marta):
        open_tab(page, "dice")
        expect(part(page, "commitment")).to_be_visible()  # both have put in fresh words by themselves
        expect(part(page, "anew-times")).to_contain_text("1 time")
    open_tab(anna, "now")
    expect(part(anna, "bound-text")).not_to_have_value(first)  # to be noted again
    assert hosted.get(f"/api/matches/{match['id']}", match["tokens"]["italian"])["pledge"]["words"].keys() == {
        "italian",
        "ah",
    }


def test_a_busy_server_is_asked_again(come: Opener, hosted: Served) -> None:
    match, _ = two(hosted)
    sent_away = {"error": {"rule": "", "why": "the server has too much to do", "line": None, "retry": 1}}
    page = come(DESKTOP, match)
    expect(part(page, "what-now")).to_be_visible()
    refused: list[str] = []

    def away(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503, json=sent_away)

    page.route("**/luck*", away)
    open_tab(page, "dice")
    expect(part(page, "busy")).to_be_visible()
    expect(part(page, "luck-none")).to_be_visible()  # without being asked
    assert len(refused) == 1


def test_spectators_may_see_a_side_later(come: Opener, hosted: Served) -> None:
    match, friend = two(hosted)
    page = come(DESKTOP, match)
    open_tab(page, "people")
    part(page, "my-seat").locator("summary").click()
    part(page, "spectators-see").select_option("ah")
    part(page, "spectators-delay").select_option("hour")
    expect(part(page, "my-seat")).to_contain_text("Now: what both sides know")  # Marta has not agreed
    hosted.post(
        f"/api/matches/{match['id']}/seat", {"spectators": {"see": "ah", "minutes": 60}}, friend["tokens"]["ah"]
    )
    page.reload()
    open_tab(page, "people")
    part(page, "my-seat").locator("summary").click()
    expect(part(page, "my-seat")).to_contain_text("Now: the Austro-Hungarian side, 60 minutes late")
    expect(part(page, "spectators-delay")).to_have_value("hour")


def test_luck_is_shown_with_its_bands(come: Opener, hosted: Served, shots: Shots) -> None:
    match = fronte.new("isonzo", scenario="historical", seed=5)
    match.play("end")
    match.play("end")
    for target in ("2312", "1208"):
        if target in match.offer["targets"]:
            kinds_of_attack(match, target)
    save = match.save(with_seed=True)
    request = urllib.request.Request(hosted.address + "/api/matches/upload", save.encode())
    with urllib.request.urlopen(request) as answer:
        opened: dict[str, Any] = json.load(answer)
    page = come(DESKTOP, opened, handover=False)
    open_tab(page, "dice")
    told = luck.of_save(save, for_header)["seats"]["italian"]
    expect(part(page, "luck-verdict")).to_contain_text(f"{told['combats']} combat")
    expect(part(page, "luck-verdict")).to_contain_text(f"{told['share'] * 100:.1f}".removesuffix(".0") + "%")
    expect(part(page, "luck-chart")).to_be_visible()
    expect(page.get_by_text("Whoever began this match chose its seed")).to_be_visible()
    shots(page, "luck.png")


def english() -> list[str]:
    """The sentences of the screen in English, without blanks."""
    words = Path(__file__).parents[2] / "web" / "src" / "words"
    text = "".join((words / name).read_text() for name in ("en.ts", "online.en.ts"))
    found = re.findall(r"'[\w.]+':\s*'([^'{]+)'", text)
    return [sentence for sentence in found if sentence.count(" ") > 1]


def test_nothing_is_left_in_english(come: Opener, hosted: Served, shots: Shots) -> None:
    match = hosted.create(more={"invite": ["ah"], "holder": "Anna", "clock": {"total": 90_000}})
    anna = come(PHONE, match, language="it", met=True)
    expect(part(anna, "what-now")).to_be_visible()
    friend = come(PHONE, at=hosted.link(match, match["invitations"]["ah"]), language="it")
    expect(part(friend, "join-accept")).to_be_visible()
    pages = [(anna, tab) for tab in ("now", "people", "dice")] + [(friend, "join"), (come(PHONE, language="it"), "")]
    for page, tab in pages:
        if page is anna:
            open_tab(page, tab)
        page.wait_for_load_state("networkidle")
        page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
        text = page.locator("body").inner_text()
        assert [sentence for sentence in english() if sentence in text] == [], tab
        assert re.findall(r"\b[a-z]+_[a-z_]+\b|undefined|\[object|net\.|dice\.|luck\.", text) == [], tab
        assert tab in ("", "now") or findings(page) == []
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (tab, wide)
        shots(page, f"italian-{tab or 'start'}.png")
