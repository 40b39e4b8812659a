"""The map and its panel: the legend, weather, who was seen last, a panel that folds, light and dark."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, ViewportSize, expect
from table import click_hex, findings, open_tab, part, place
from visitors import DESKTOP, Opener, Served, Shots

TABLET: ViewportSize = {"width": 820, "height": 1180}
PHONE: ViewportSize = {"width": 390, "height": 844}
SCENARIOS = {"isonzo": "historical", "altipiani": "historical", "volturno": "full", "caporetto": "historical"}
DRAWINGS = "document.querySelectorAll('svg[aria-hidden]').forEach((drawing) => drawing.replaceChildren())"


def begin(served: Served, game: str) -> dict[str, Any]:
    """A new match of any game, with people in all seats."""
    games = {one["id"]: one for one in served.get("/api/games")["games"]}
    seats = next(one["seats"] for one in games[game]["scenarios"] if one["id"] == SCENARIOS[game])
    heading = {"game": game, "scenario": SCENARIOS[game], "seats": dict.fromkeys(seats, "human"), "seed": 2}
    opened: dict[str, Any] = served.post("/api/matches", heading)
    return opened


def width(page: Page, where: str) -> float:
    box = page.locator(where).bounding_box()
    assert box is not None
    return box["width"]


@pytest.mark.costly
@pytest.mark.parametrize(("game", "language"), [*zip(SCENARIOS, ["en", "it"] * 2, strict=True)])
def test_the_whole_legend_lies_over_the_table(open_page: Opener, served: Served, game: str, language: str) -> None:
    page = open_page(DESKTOP, begin(served, game), handover=False, language=language)
    part(page, "menu").click()
    part(page, "menu-legend").click()
    sheet = part(page, "legend-sheet")
    expect(sheet).to_be_visible()
    page.wait_for_selector("symbol[id^=legend-]", state="attached")
    drawn = page.locator("symbol[id^=legend-]").evaluate_all("all => all.map((one) => one.id.slice(7))")
    told = sheet.locator("li[data-kind]").evaluate_all(
        "all => all.map((one) => [one.dataset.kind, one.innerText.trim()])"
    )
    assert set(drawn) <= {kind for kind, _ in told}
    assert all(text and "_" not in text and "{" not in text for _, text in told), told
    assert findings(page, "[data-testid=legend-sheet]") == []
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.press("l")
    expect(sheet).to_be_visible()
    part(page, "legend-close").click()
    expect(sheet).to_have_count(0)


def test_what_lies_under_the_pointer_is_told_at_the_foot_of_the_map(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(game="altipiani"), handover=False, layers={"units": False})
    page.mouse.move(*place(page, "1105"))
    expect(part(page, "pointed")).to_contain_text("crag, falling with the strokes")
    expect(part(page, "pointed")).to_contain_text("1105")
    page.mouse.move(*place(page, "1504"))
    expect(part(page, "pointed")).to_contain_text("railway")
    expect(part(page, "pointed").locator("[data-kind=crag]")).to_have_count(0)
    click_hex(page, "1105")
    expect(part(page, "hex-legend").locator("[data-kind=crag]")).to_be_visible()
    card = part(page, "hex-card").locator("p", has_text="crag").first
    expect(card.locator("button, a").first).to_have_text("4.5")  # 4.5: nobody crosses it


def test_weather_and_who_may_not_move_at_caporetto(open_page: Opener, served: Served) -> None:
    """8.1, 24.9.2."""
    page = open_page(DESKTOP, begin(served, "caporetto"), handover=False, overlays={"weather": True})
    expect(part(page, "weather")).to_contain_text("fog below, light rain on the slopes, blizzard in High Mountain")
    expect(part(page, "weather").locator("svg")).to_have_count(3)
    for symbol in ("fog", "rain", "snow"):
        expect(page.locator(f"use.sky[href='#sign-{symbol}']").first).to_be_attached()
    expect(page.locator(".unit .frozen").first).to_be_attached()


def box_of(one: Locator) -> FloatRect:
    """Where it lies in the window."""
    found = one.bounding_box()
    assert found is not None
    return found


def test_the_panel_is_dragged_to_size_and_stays_so(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    before = width(page, "aside.panel")
    box = part(page, "splitter").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 4, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(DESKTOP["width"] * 0.5, box["y"] + 200, steps=4)
    page.mouse.up()
    assert width(page, "aside.panel") == pytest.approx(DESKTOP["width"] / 2, abs=6) != before
    page.reload()
    expect(part(page, "what-now")).to_be_visible()
    wide = width(page, "aside.panel")
    assert wide == pytest.approx(DESKTOP["width"] / 2, abs=6)
    part(page, "splitter").focus()
    page.keyboard.press("ArrowRight")
    assert width(page, "aside.panel") < wide
    page.keyboard.press("Home")
    assert width(page, "aside.panel") == before
    page.mouse.move(box["x"] + 4, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(DESKTOP["width"] * 0.8, box["y"] + 200, steps=4)
    page.mouse.up()
    panel = page.locator("aside.panel").bounding_box()
    assert panel is not None
    ends = [(tab["x"], tab["x"] + tab["width"]) for tab in map(box_of, page.locator(".tabs button:visible").all())]
    assert all(panel["x"] <= left and right <= DESKTOP["width"] + 1 for left, right in ends)  # no tab is cut off
    part(page, "tab-tables").click()


@pytest.mark.costly
@pytest.mark.parametrize("size", [DESKTOP, TABLET, PHONE], ids=["desktop", "tablet", "phone"])
def test_the_panel_folds_away_and_says_what_is_asked(open_page: Opener, served: Served, size: ViewportSize) -> None:
    page = open_page(size, served.create(), handover=False)
    asks = part(page, "what-now").inner_text()
    map_before = page.locator(".mapbox").bounding_box()
    part(page, "fold").click()
    expect(part(page, "what-now")).to_be_hidden()
    expect(part(page, "unfold")).to_contain_text(asks.split(".")[0])
    map_after = page.locator(".mapbox").bounding_box()
    assert map_before is not None and map_after is not None
    assert map_after["width"] * map_after["height"] > map_before["width"] * map_before["height"]
    assert map_after["y"] + map_after["height"] <= size["height"] + 1
    page.reload()
    expect(part(page, "unfold")).to_be_visible()
    page.evaluate(DRAWINGS)
    assert findings(page) == []
    part(page, "unfold").click()
    expect(part(page, "what-now")).to_be_visible()
    page.keyboard.press("p")
    expect(part(page, "what-now")).to_be_hidden()
    page.keyboard.press("1")  # who asks for a panel gets it
    expect(part(page, "what-now")).to_be_visible()


@pytest.mark.costly
@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_held_upright_the_panel_lies_below_and_is_dragged_higher(
    open_page: Opener, served: Served, size: ViewportSize
) -> None:
    page = open_page(size, served.create(), handover=False)
    edge, panel = part(page, "splitter").bounding_box(), page.locator("aside.panel").bounding_box()
    assert edge is not None and panel is not None
    assert panel["width"] == size["width"]
    page.mouse.move(60, edge["y"] + 6)
    page.mouse.down()
    page.mouse.move(60, size["height"] * 0.4, steps=4)
    page.mouse.up()
    higher = box_of(page.locator("aside.panel"))
    assert higher["y"] < panel["y"]
    handle = box_of(part(page, "fold"))  # it can be dragged as well as pressed
    for goal in (size["height"] * 0.7, size["height"] - 5):
        page.mouse.move(handle["x"] + 30, box_of(part(page, "fold"))["y"] + 12)
        page.mouse.down()
        page.mouse.move(handle["x"] + 30, goal, steps=4)
        page.mouse.up()
        if goal < size["height"] * 0.8:
            lower = box_of(page.locator("aside.panel"))
            assert lower["y"] > higher["y"]
    part(page, "unfold").click()
    assert box_of(page.locator("aside.panel"))["y"] == lower["y"]  # as large as it was before it was pushed away


def ground_of(page: Page) -> str:
    return str(page.locator("aside.panel").evaluate("(one) => getComputedStyle(one).backgroundColor"))


def test_dark_by_setting_and_as_the_system_has_it(open_page: Opener, served: Served) -> None:
    match = served.create()
    page = open_page(DESKTOP, match, handover=False)
    light = ground_of(page)
    page.emulate_media(color_scheme="dark")
    dark = ground_of(page)
    assert dark != light
    assert page.locator("svg.ground .dusk").evaluate("(one) => getComputedStyle(one).fill") != "rgba(0, 0, 0, 0)"
    open_tab(page, "settings")
    part(page, "theme").select_option("light")
    assert ground_of(page) == light
    page.emulate_media(color_scheme="light")
    part(page, "theme").select_option("dark")
    assert ground_of(page) == dark
    page.reload()
    expect(part(page, "what-now")).to_be_visible()
    assert ground_of(page) == dark


@pytest.mark.costly
@pytest.mark.parametrize("game", list(SCENARIOS))
def test_everything_is_read_in_the_dark(open_page: Opener, served: Served, game: str, shots: Shots) -> None:
    """Contrast, as axe measures it, of every panel."""
    page = open_page(DESKTOP, begin(served, game), handover=False, theme="dark")
    expect(part(page, "what-now")).to_be_visible()
    shots(page, f"dark-{game}.png")
    page.evaluate(DRAWINGS)
    wrong = {}
    for tab in ("now", "hex", "list", "log", "rules", "tables", "orders", "settings"):
        open_tab(page, tab)
        page.wait_for_timeout(300)
        if found := findings(page):
            wrong[tab] = found
    assert wrong == {}


def test_the_start_page_is_read_in_the_dark(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, theme="dark")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert findings(page) == []


def test_an_enemy_out_of_sight_is_pale_where_it_was_seen_last(open_page: Opener, served: Served) -> None:
    """Also after the page was loaded again; a unit that is seen is no ghost."""
    match = served.create()
    view = served.table(match, "italian")["view"]
    foes = [piece for piece in view["pieces"] if not piece.get("mine") and "id" in piece and piece["at"].isdigit()]
    board = served.get("/api/games/isonzo/board")
    seen = {piece.get("id") for piece in view["pieces"]}
    hidden = next(row["id"] for row in board["counters"] if row["side"] == "ah" and row["id"] not in seen)
    at = foes[0]["at"]
    known = {hidden: {"turn": 1, "seen": {"force": "ah", "at": at, "id": hidden}}}
    page = open_page(DESKTOP, match, handover=False)
    expect(page.locator(".unit").first).to_be_visible()
    expect(page.locator("[data-ghost]")).to_have_count(0)
    kept = json.loads(page.evaluate(f"localStorage.getItem('fronte.lastseen.{match['id']}.italian')"))["known"]
    assert set(kept) == {piece["id"] for piece in foes}  # what this seat sees, and no more
    text = json.dumps({"when": 1, "known": kept | known})
    page.evaluate(f"localStorage.setItem('fronte.lastseen.{match['id']}.italian', {json.dumps(text)})")
    page.reload()
    expect(page.locator(f"[data-ghost='{hidden}']")).to_have_count(1)
    expect(page.locator("[data-ghost]")).to_contain_text("T1")
    click_hex(page, at)
    expect(part(page, "last-seen")).to_contain_text("Last seen here on turn 1")
    part(page, "layers").click()
    part(page, "layer-lastSeen").uncheck()
    expect(page.locator("[data-ghost]")).to_have_count(0)
