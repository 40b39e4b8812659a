"""A puzzle on the screen: begun from the first page, judged by exact odds, and its best line shown."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from table import findings, go_home, part
from visitors import DESKTOP, PHONE, Opener, Shots

from fronte.ai.puzzles import collection

NAME = next(iter(collection.names("isonzo")))
PUZZLE = collection.read("isonzo", NAME)
PLAY = """
async ([actions]) => {
  const match = location.hash.split('/')[1]
  const [token] = Object.values(JSON.parse(localStorage['fronte.tokens'])[match])
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const answers = []
  for (const action of actions) {
    const { line } = await (await fetch(`/api/matches/${match}/state`, { headers })).json()
    const body = JSON.stringify({ action, line })
    answers.push((await fetch(`/api/matches/${match}/actions`, { method: 'POST', headers, body })).status)
  }
  return answers
}
"""


def begin(page: Page) -> None:
    part(page, "puzzles").locator("summary").click(timeout=60_000)  # the first visitor waits for all games to be read
    part(page, f"puzzle-isonzo-{NAME}").click()
    expect(part(page, "puzzle")).to_be_visible(timeout=60_000)


def test_a_plan_is_judged_and_the_stars_are_kept(open_page: Opener, shots: Shots) -> None:
    page = open_page(DESKTOP)
    begin(page)
    part(page, "puzzle-scouts").locator("summary").click()
    expect(part(page, "puzzle-scouts")).to_contain_text(PUZZLE.goal.hex)
    part(page, "puzzle-judge").click()
    expect(part(page, "puzzle-not-yet")).to_be_visible(timeout=30_000)
    shots(page, "puzzle.png")
    assert page.evaluate(PLAY, [list(PUZZLE.best)]) == [200] * len(PUZZLE.best)
    told = f"Yours: {100 * float(PUZZLE.best_chance):.1f}%"
    expect(part(page, "puzzle-judge")).to_be_enabled()
    for _ in range(20):  # the machine may have to answer before dice fall
        part(page, "puzzle-judge").click()
        expect(part(page, "puzzle-judge")).to_be_enabled(timeout=30_000)
        if part(page, "puzzle-verdict").count():
            break
        page.wait_for_timeout(500)
    expect(part(page, "puzzle-verdict")).to_contain_text(told)
    assert not findings(page, "[data-testid=puzzle]")
    shots(page, "puzzle-judged.png")
    go_home(page)
    part(page, "puzzles").locator("summary").click()
    expect(part(page, "puzzles").get_by_role("img", name="3 of 3 stars")).to_be_visible()
    shots(page, "puzzle-list.png", full_page=True)


def test_the_best_is_shown_on_a_phone(open_page: Opener, shots: Shots) -> None:
    page = open_page(PHONE, language="it")
    begin(page)
    shots(page, "puzzle-phone.png")
    part(page, "puzzle-show").click()
    expect(part(page, "puzzle-line").locator("li")).to_have_count(len(PUZZLE.best), timeout=30_000)
    shots(page, "puzzle-phone-best.png")
    part(page, "puzzle-fold").click()
    expect(part(page, "puzzle-line")).to_have_count(0)


def test_the_scenario_for_a_first_evening_is_begun_from_the_first_page(open_page: Opener, shots: Shots) -> None:
    page = open_page(PHONE, language="it")
    expect(part(page, "evenings").get_by_role("button")).to_have_count(4, timeout=60_000)
    shots(page, "evening-phone.png", full_page=True)
    part(page, "evening-altipiani").click()
    expect(page.locator(".mapbox")).to_be_visible(timeout=60_000)
    expect(part(page, "state")).to_contain_text("Tu: Austro-ungarico")  # the side that begins
    expect(page.locator(".now.mine")).to_be_visible()
    shots(page, "evening-table.png")


def test_on_a_phone_the_place_lies_in_sight_and_beside_the_note(open_page: Opener) -> None:
    page = open_page(PHONE)
    part(page, "puzzles").locator("summary").click(timeout=60_000)
    part(page, "puzzle-caporetto-clap").click()
    expect(part(page, "puzzle")).to_contain_text("Take Clap with this action", timeout=60_000)
    page.wait_for_selector("polygon.hint", state="attached")
    page.wait_for_timeout(900)  # the note looks again when the map has come to rest
    hint, note = page.locator("polygon.hint").bounding_box(), part(page, "puzzle").bounding_box()
    assert hint is not None
    assert note is not None
    assert 0 < hint["x"] < PHONE["width"] / 2
    assert hint["y"] > 0
    assert hint["y"] + hint["height"] <= note["y"] or hint["y"] >= note["y"] + note["height"]
