"""The list of matches and the menu of one; giving up, a draw, and what the ending tells."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, ViewportSize, expect
from table import findings, go_home, open_tab, part, wait_asked
from visitors import DESKTOP, Opener, Served, Shots

import fronte

RECORDED = Path(__file__).parents[1] / "recorded"
UPRIGHT: ViewportSize = {"width": 390, "height": 844}


def uploaded(served: Served, name: str, seats: str = "") -> dict[str, Any]:
    text = (RECORDED / f"{name}.jsonl").read_bytes()
    address = f"{served.address}/api/matches/upload" + (f"?seats={seats}" if seats else "")
    request = urllib.request.Request(address, text, {"Content-Type": "text/plain"})
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def test_the_list_waits_for_the_names_of_sides_and_scenarios(open_page: Opener, served: Served) -> None:
    mine = served.create()
    page = open_page(DESKTOP, met=True)
    waiting: list[Route] = []
    page.route("**/api/games*", lambda route: waiting.append(route))
    with page.expect_response("**/api/matches*"):
        page.reload(wait_until="commit")
    page.wait_for_timeout(300)
    assert waiting
    expect(part(page, f"card-{mine['id']}")).to_have_count(0)
    for route in waiting:
        route.continue_()
    expect(part(page, f"card-{mine['id']}")).to_contain_text("Your move: Italian")


def test_matches_are_cards_with_ones_own_move_first(open_page: Opener, served: Served, shots: Shots) -> None:
    mine, over = served.create(ah="random", seed=11), uploaded(served, "isonzo-historical-steady")
    page = open_page(DESKTOP, met=True)
    card = part(page, f"card-{mine['id']}")
    expect(part(page, "group-yours").locator(card)).to_contain_text("Your move: Italian")
    expect(card).to_contain_text("Turn 2, 19 Aug 1917")
    expect(card).to_contain_text("0 victory points")
    expect(card).to_contain_text("Italian: person")
    expect(card).to_contain_text("Austro-Hungarian: At random")
    assert card.get_by_test_id("thumb").evaluate(
        "(canvas) => new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size > 20"
    )
    ended = part(page, "group-ended").get_by_test_id(f"card-{over['id']}")
    expect(ended).to_contain_text("Winner: Italian")
    score = json.loads((RECORDED / "isonzo-historical-steady.result.json").read_bytes())["score"]
    expect(ended).to_contain_text(f"{score} victory points")
    assert re.match(r"\(\d+\) Fronte", page.title())
    assert not findings(page, "main")
    shots(page, "home.png")

    part(page, f"more-{mine['id']}").click()
    card.get_by_test_id("rename").click()
    part(page, "new-name").fill("Plava, once more")
    part(page, "rename-go").click()
    expect(card).to_contain_text("Plava, once more")

    part(page, f"more-{mine['id']}").click()
    card.get_by_test_id("archive").click()
    expect(part(page, "group-archived").locator("summary")).to_contain_text("Put away")
    expect(card).to_be_hidden()
    part(page, "group-archived").locator("summary").click()
    part(page, f"more-{mine['id']}").click()
    card.get_by_test_id("archive").click()
    expect(part(page, "group-yours").locator(card)).to_be_visible()

    part(page, f"more-{mine['id']}").click()
    card.get_by_test_id("delete").click()
    expect(card).to_contain_text("nobody can bring it back")
    card.get_by_test_id("delete-go").click()
    expect(card).to_have_count(0)
    page.reload()
    expect(part(page, f"card-{over['id']}")).to_be_visible()
    expect(card).to_have_count(0)


def test_the_menu_leads_away_and_gives_up_only_when_asked_twice(
    open_page: Opener, served: Served, shots: Shots
) -> None:
    match = served.create(ah="random", seed=11)
    page = open_page(UPRIGHT, match, language="it")
    wait_asked(page, "ponti di barche")
    expect(page).to_have_title(re.compile("Tocca a te"))
    part(page, "menu").click()
    expect(part(page, "menu-box")).to_contain_text("Tutte le partite")
    assert not findings(page, "[data-testid=menu-box]")
    shots(page, "menu.png")
    page.keyboard.press("Escape")
    expect(part(page, "menu-box")).to_have_count(0)
    part(page, "menu").click()
    part(page, "resign").click()
    expect(part(page, "menu-box")).to_contain_text("non si torna indietro")
    part(page, "resign-go").click()
    wait_asked(page, "una parte si è arresa")
    expect(part(page, "over")).to_contain_text("Hai perso")
    go_home(page)
    expect(part(page, f"card-{match['id']}")).to_contain_text("l’altro si è arreso")


def test_two_at_one_screen_agree_on_a_draw(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(seed=11), handover=False)
    wait_asked(page, "bridge engineers")
    part(page, "menu").click()
    part(page, "draw").click()
    part(page, "draw-go").click()
    wait_asked(page, "agreed on a draw")


def test_a_draw_is_offered_declined_and_agreed_on_elsewhere(come: Opener, hosted: Served) -> None:
    match = hosted.create(seed=11)
    italian = come(DESKTOP, match | {"tokens": {"italian": match["tokens"]["italian"]}})
    ah = come(DESKTOP, match | {"tokens": {"ah": match["tokens"]["ah"]}})
    wait_asked(italian, "bridge engineers")
    part(italian, "menu").click()
    part(italian, "draw").click()
    part(italian, "draw-go").click()
    expect(part(italian, "draw-waits")).to_be_visible()
    expect(part(ah, "draw-offer")).to_contain_text("The Italian player offers a draw")
    expect(ah).to_have_title(re.compile("Offer of a draw"))
    part(ah, "draw-decline").click()
    expect(part(italian, "draw-waits")).to_have_count(0)
    expect(part(italian, "draw-declined")).to_be_visible()  # who has offered is told
    expect(part(ah, "draw-offer")).to_have_count(0)
    part(italian, "menu").click()
    part(italian, "draw").click()
    part(italian, "draw-go").click()
    part(ah, "draw-accept").click()
    for page in (italian, ah):
        wait_asked(page, "agreed on a draw")
        expect(part(page, "over")).to_contain_text("A draw")

    # whoever wants another one sends the link by the chat of this one
    part(italian, "rematch").click()
    wait_asked(italian, "")
    expect(part(italian, "state")).to_contain_text("You: Austro-Hungarian")
    part(ah, "invited").click()
    part(ah, "join-accept").click()
    expect(part(ah, "state")).to_contain_text("You: Italian")


@pytest.mark.costly
@pytest.mark.parametrize(
    ("game", "file"),
    [
        ("isonzo", "isonzo-historical-steady"),
        ("altipiani", "altipiani-historical-random"),
        ("volturno", "volturno-short-steady"),
    ],
)
def test_the_ending_tells_how_it_came(open_page: Opener, served: Served, shots: Shots, game: str, file: str) -> None:
    match = uploaded(served, file)
    seat = next(iter(match["tokens"]))
    page = open_page(DESKTOP, match | {"tokens": {seat: match["tokens"][seat]}})
    expect(part(page, "score-chart")).to_be_visible(timeout=60_000)
    expect(part(page, "point").first).to_contain_text("Turn")
    expect(part(page, "ending")).to_contain_text("Losses by formation")
    expect(part(page, "ending").get_by_test_id("thumb")).to_have_count(2)
    assert not findings(page, "[data-testid=ending]")
    shots(page, f"ending-{game}.png")
    part(page, "point-show").first.click()
    expect(page.locator(".banner")).to_be_visible()
    expect(page.get_by_text(re.compile(r"After action \d+ of \d+"))).to_be_visible()
    shots(page, f"turning-{game}.png")


def test_the_end_is_seen_without_fog_and_shared(open_page: Opener, served: Served, shots: Shots) -> None:
    match = uploaded(served, "isonzo-historical-steady")
    page = open_page(DESKTOP, match | {"tokens": {"ah": match["tokens"]["ah"]}})
    expect(part(page, "score-chart")).to_be_visible(timeout=60_000)
    whole = fronte.load((RECORDED / "isonzo-historical-steady.jsonl").read_text())
    hidden = {piece.id for piece in whole.view("italian").own() if piece.at.isdigit()}
    hidden -= {piece.id for piece in whole.view("ah").pieces}
    assert hidden
    expect(page.locator("#panel-other")).to_be_hidden()  # what one was after is over
    expect(part(page, "course-of-it")).to_have_js_property("open", False)  # a long list does not push the rest away
    expect(part(page, "ending")).to_contain_text("The higher, the better for: Italian")
    one = page.locator(f"[data-unit={min(hidden)}]")
    expect(one.first).to_be_attached()
    part(page, "lifted").uncheck()
    expect(one).to_have_count(0)
    part(page, "share").click()
    link = part(page, "share-link").input_value()
    assert "#replay/" in link
    other = open_page(DESKTOP, at=link, pace=3000)
    expect(other.locator(".banner")).to_be_visible()
    expect(part(other, "timeline")).to_be_visible()
    assert "#replay/" not in other.url  # the token leaves the address
    shots(other, "shared.png")


def test_whoever_plays_on_in_a_game_of_machines_takes_a_side(open_page: Opener, served: Served) -> None:
    match = uploaded(served, "volturno-short-steady", "garibaldini:steady,napoletani:steady")
    page = open_page(DESKTOP, met=True)
    part(page, f"open-{match['id']}").click()
    open_tab(page, "replay")
    page.get_by_role("slider").fill("100")
    part(page, "analysis-seat").select_option("napoletani")
    expect(part(page, "branch")).to_contain_text("as Neapolitans")
    part(page, "branch").click()
    expect(part(page, "state")).to_contain_text("You: Neapolitans", timeout=30_000)


def test_a_rematch_changes_sides(open_page: Opener, served: Served) -> None:
    match = served.create(ah="random", seed=11, more={"routine": True})
    page = open_page(DESKTOP, match)
    wait_asked(page, "bridge engineers")
    served.post(f"/api/matches/{match['id']}/resign", {}, match["tokens"]["italian"])
    part(page, "rematch").click()
    expect(part(page, "state")).to_contain_text("You: Austro-Hungarian")
    fresh = page.url.rpartition("/")[2]
    assert fresh != match["id"]
    [about] = [one for one in served.get("/api/matches")["matches"] if one["id"] == fresh]
    assert about["seats"] == {"italian": "random", "ah": "human"} and about["scenario"] == "historical"
    tokens = json.loads(page.evaluate("localStorage['fronte.tokens']"))
    assert served.table({"id": fresh, "tokens": tokens[fresh]}, "ah")["orders"]  # those of the first page


NOTICES = """
    window.noted = []
    window.Notification = class {
        static permission = 'default'
        static async requestPermission() { return (this.permission = 'granted') }
        constructor(title, more) { window.noted.push([title, more.body]) }
        close() {}
    }
"""


def test_whoever_refuses_notices_sees_that_there_are_none(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(seed=11, ah="random"))
    wait_asked(page, "bridge engineers")
    page.add_init_script(NOTICES.replace("'granted'", "'denied'"))
    page.reload()
    part(page, "menu").click()
    part(page, "notify").click()
    expect(part(page, "menu-box")).to_contain_text("does not allow notices")
    expect(part(page, "notify")).not_to_be_checked()


def test_whoever_allows_it_is_called_when_it_is_his_move(open_page: Opener, served: Served) -> None:
    match = served.create(seed=11, ah="random")
    page = open_page(DESKTOP, match)
    wait_asked(page, "bridge engineers")
    page.add_init_script(NOTICES)
    page.reload()
    wait_asked(page, "bridge engineers")
    assert page.evaluate("Notification.permission") == "default"  # nobody asks unasked
    part(page, "menu").click()
    part(page, "notify").check()
    page.keyboard.press("Escape")
    assert page.evaluate("window.noted.length") == 0  # the page is being looked at
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    for _ in range(3):
        line = served.table(match, "italian")["line"]
        served.post(f"/api/matches/{match['id']}/actions", {"action": "end", "line": line}, match["tokens"]["italian"])
    page.wait_for_function("window.noted.length > 0", timeout=60_000)
    assert "It is your move" in page.evaluate("window.noted[0][1]")
