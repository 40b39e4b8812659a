"""What a first visit loads: little, and the board that was chosen only when it was."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from visitors import Served

MOST = 150_000
"""Bytes over the wire of a first visit, packed as they come, without the heads of answers; the chosen board comes
besides."""
BOARD = re.compile(r"/api/games/\w+/(board|map|picture$)")


def loading(page: Page) -> Callable[[], dict[str, int]]:
    """By address what has come over the wire since."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    places: dict[str, str] = {}
    heads: dict[str, int] = {}
    sizes: dict[str, int] = {}

    def asked(event: dict[str, Any]) -> None:
        places[event["requestId"]] = event["request"]["url"]

    def begun(event: dict[str, Any]) -> None:
        heads[event["requestId"]] = int(event["response"]["encodedDataLength"])

    def loaded(event: dict[str, Any]) -> None:
        place = places.get(event["requestId"], "")
        sizes[place] = sizes.get(place, 0) + int(event["encodedDataLength"]) - heads.get(event["requestId"], 0)

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.responseReceived", begun)
    session.on("Network.loadingFinished", loaded)
    return lambda: {place: size for place, size in sizes.items() if place.startswith("http")}


def test_the_first_page_is_light(served: Served, browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        sizes = loading(page)
        with page.expect_response(lambda found: found.url.endswith(".woff2"), timeout=60_000):
            page.goto(served.address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        found = sizes()
    assert any(place.endswith(".js") for place in found), found
    assert any(place.endswith(".woff2") for place in found), "the font comes too, when the page is at rest"
    assert not [place for place in found if BOARD.search(place)], "a board that nobody has chosen"
    assert sum(found.values()) < MOST, found


@pytest.mark.parametrize("game", ["isonzo", "altipiani", "volturno", "caporetto"])
def test_who_comes_straight_to_a_match_loads_little_but_its_board(served: Served, browser: Browser, game: str) -> None:
    games = {one["id"]: one for one in served.get("/api/games")["games"]}
    scenario = games[game]["scenarios"][0]
    seats = dict.fromkeys(scenario["seats"], "human")
    opened = served.post("/api/matches", {"game": game, "scenario": scenario["id"], "seats": seats, "seed": 2})
    with browser.new_context() as context:
        context.add_init_script("localStorage.setItem('fronte.prefs', '{\"handover\": false}')")
        page = context.new_page()
        sizes = loading(page)
        page.goto(f"{served.address}/#match/{opened['id']}")
        expect(page.get_by_test_id("map")).to_be_visible(timeout=30_000)
        page.wait_for_selector("svg.ground .grid", state="attached", timeout=30_000)
        page.wait_for_load_state("networkidle")
        found = sizes()
    boards = {place for place in found if BOARD.search(place)}
    assert len(boards) >= 2 and all(f"/games/{game}/" in place for place in boards), boards
    rest = {place: size for place, size in found.items() if place not in boards}
    assert sum(rest.values()) < MOST, rest
