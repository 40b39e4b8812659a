"""What the table does with every Inferno game, from the list, by mouse, by keyboard and on a phone."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect
from table import (
    ALL_GAMES,
    QUESTIONS,
    a_move,
    answer,
    asked,
    attack_for,
    click_hex,
    end_phase,
    go_on_to,
    log_of,
    open_tab,
    part,
    play_on_until,
    wait_asked,
)
from visitors import DESKTOP, PHONE, Opener, Served, Shots

import fronte

pytestmark = pytest.mark.parametrize("game", ALL_GAMES)

MOVE, ATTACK = "Move your units", "Attack enemies"
FOLLOWS = {
    "isonzo": {"support", "refusal", "retreat", "advance", "losses"},
    "altipiani": {"support", "retreat", "advance", "losses"},
}
"""What an attack can lead to; a game that is not named here has the same without trenches."""


@pytest.mark.costly
def test_a_unit_is_moved_on_the_map_and_taken_back(open_page: Opener, served: Served, shots: Shots, game: str) -> None:
    move = a_move(game)
    page = open_page(DESKTOP, served.create(game=game), handover=False)
    go_on_to(page, MOVE)
    click_hex(page, move["from"])
    expect(page.locator(".acting .chip").first).to_contain_text(move["name"])
    expect(page.locator("polygon.reach")).not_to_have_count(0)
    shots(page, f"reach-{game}.png")
    click_hex(page, move["to"])
    wait_asked(page, f"{move['name']} still has")
    part(page, "undo").click()
    expect(part(page, "what-now")).not_to_contain_text(move["name"])

    click_hex(page, move["from"])
    page.mouse.click(1, 1)  # a click beside the map changes nothing
    click_hex(page, move["enemy"])  # an enemy stands there: refused, with the rule
    expect(part(page, "refusal")).to_be_visible()
    part(page, "refusal").get_by_role("button", name="Open rule").first.click()
    expect(page.locator("details[data-rule][open]")).to_be_visible()


@pytest.mark.costly
def test_an_attack_with_all_that_follows(open_page: Opener, served: Served, shots: Shots, game: str) -> None:
    wanted = FOLLOWS.get(game, FOLLOWS["altipiani"])
    seed, target = attack_for(game, wanted)
    page = open_page(DESKTOP, served.create(seed, game=game))
    part(page, "handover-confirm").click()
    go_on_to(page, ATTACK)
    part(page, f"target-{target}").click()
    expect(part(page, "odds")).to_be_visible()
    before = part(page, "odds").inner_text()
    everything = page.get_by_role("button", name="all", exact=True)
    if everything.count():
        everything.click()
        expect(part(page, "odds")).not_to_have_text(before)  # the guns change the odds
    expect(part(page, "odds")).to_contain_text("Not known")
    shots(page, f"attack-{game}.png")
    part(page, "attack").click()
    expect(part(page, "handover")).to_be_visible()

    seen, reloaded = follow(page, shots, game)
    assert wanted <= set(seen), seen
    assert reloaded
    expect(part(page, "report")).to_contain_text("makes")  # ratio, dice and result beside the next question

    log = log_of(page)
    expect(log.get_by_text(f"attack {target}").or_(log.get_by_text(f"attacks {target}")).first).to_be_visible()
    expect(page.get_by_role("img", name="die").first).to_be_visible()
    page.get_by_role("button", name=re.compile(f"attacks? {target}")).first.click()  # shown on the map
    expect(page.locator("polygon.flash")).not_to_have_count(0)
    log.get_by_role("button", name="Show in the tables").first.click()
    expect(part(page, "tab-tables")).to_have_attribute("aria-selected", "true")
    expect(page.locator("td.hit")).to_have_count(1)
    expect(page.locator("table.used tr.used").first).to_be_visible()  # and the losses of each side
    shots(page, f"tables-{game}.png")
    open_tab(page, "replay")
    part(page, "timeline").fill("2")
    expect(page.get_by_text("After action 2 of")).to_be_visible()
    expect(page.locator(".banner")).to_be_visible()
    part(page, "replay-leave").click()
    wait_asked(page, ATTACK)


def follow(page: Page, shots: Shots, game: str) -> tuple[list[str], bool]:
    """Answer all that an attack asks of the two at the table; the kinds, and whether the page was loaded anew."""
    seen: list[str] = []
    reloaded = False
    for _ in range(30):
        page.wait_for_selector(f"[data-testid=handover], {QUESTIONS}")
        if part(page, "handover").is_visible():
            # nothing of the board may be seen, not even hidden in the page
            assert page.locator("svg").count() == 0 and not re.search(r"\d-\d-\d", page.inner_text("body"))
            if not seen:
                shots(page, f"hand-over-{game}.png")
            part(page, "handover-confirm").click()
            page.wait_for_selector("[data-testid=what-now]")
            continue
        text = asked(page)
        if ATTACK in text:
            break
        if "must retreat" in text and "hold it" not in text and not reloaded:
            shots(page, f"retreat-{game}.png")
            page.reload()  # in mid-combat: the same person finds the same question
            wait_asked(page, "must retreat")
            reloaded = True
        if "Spread" in text:
            shots(page, f"losses-{game}.png")
        seen.append(answer(page))
        expect(part(page, "what-now").or_(part(page, "handover")).first).not_to_have_text(text)
    return seen, reloaded


@pytest.mark.costly
def test_a_turn_is_played_from_the_list(open_page: Opener, served: Served, shots: Shots, game: str) -> None:
    move = a_move(game)
    page = open_page(DESKTOP, served.create(game=game), handover=False)
    open_tab(page, "list")
    go_on_to(page, MOVE)
    unit = move["unit"]
    part(page, f"list-open-{unit}").click()
    part(page, f"list-goal-{unit}").select_option(move["to"])
    part(page, f"list-move-{unit}").click()
    listed = page.get_by_role("tabpanel")
    expect(listed.get_by_text(f"{move['name']}, {move['to']}").first).to_be_visible()
    shots(page, f"list-{game}.png")
    end_phase(page)
    wait_asked(page, ATTACK)
    for button in listed.get_by_role("button", name=re.compile(r"^Attack \d{4}")).all():
        button.click()
        expect(part(page, "odds")).to_be_visible()
        if part(page, "odds").get_by_role("table").count():  # the odds are not so bad that nothing would be fought
            break
    part(page, "attack").click()
    expect(log_of(page).locator("li.combat").first).to_be_visible()


@pytest.mark.costly
def test_the_keyboard_is_enough_for_a_turn(open_page: Opener, served: Served, game: str) -> None:
    match = served.create(game=game)
    page = open_page(DESKTOP, match, handover=False)
    part(page, "map").focus()
    keys_until(page, MOVE)
    taken = {piece["at"] for seat in match["tokens"] for piece in served.table(match, seat)["view"]["pieces"]}
    page.keyboard.press("n")  # a unit that can move, and the cursor on its hex
    name = page.locator(".acting .chip .text .name").first.inner_text()
    page.keyboard.press("ArrowUp")
    goals = page.locator("[data-testid=move-to] option").evaluate_all("all => all.map(one => one.value).slice(1)")
    near = walk_to_one_of(page, [goal for goal in goals if goal not in taken])
    expect(page.locator(".frame [aria-live]")).to_contain_text(near)
    page.keyboard.press("Enter")
    expect(log_of(page).get_by_text(f"{name} moves").first).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("u")
    expect(page.get_by_text(f"{name} moves")).to_have_count(0)
    page.keyboard.press("Escape")
    keys_until(page, ATTACK)
    page.keyboard.press("n")  # something to attack
    expect(part(page, "attack")).to_be_enabled()
    before = asked(page)
    page.keyboard.press("c")
    expect(part(page, "what-now")).not_to_have_text(before)  # the other side is asked, at its own table
    expect(page.locator(".now.mine")).to_be_visible()
    page.keyboard.press("4")
    expect(part(page, "tab-log")).to_have_attribute("aria-selected", "true")
    expect(page.locator("li.combat").first).to_be_visible()


SURE_OR_ON = """before => document.querySelector('[data-testid=end-sure]')
    || document.querySelector('[data-testid=what-now]').innerText !== before"""


def keys_until(page: Page, words: str) -> None:
    """End phases with the keyboard, and confirm with Enter where the page warns, until this is asked."""
    now, sure = page.locator(".now.mine"), part(page, "end-sure")
    for _ in range(12):
        before = now.inner_text()  # waits until it is this table's turn; no other line is taken for the question
        if words in before:
            return
        page.keyboard.press("e")
        page.wait_for_function(SURE_OR_ON, arg=before)  # no key before the page has answered the last one
        if sure.is_visible():
            page.keyboard.press("Enter")
            expect(sure).to_have_count(0)
        expect(part(page, "what-now")).not_to_have_text(before)
    raise AssertionError(f"{words!r} is not asked")


def walk_to_one_of(page: Page, goals: list[str]) -> str:
    """Take the cursor of the map round the hex it is on, until it is on one of these; that one."""
    part(page, "map").focus()
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
        told = page.locator(".frame [aria-live]").inner_text()
        found = next((goal for goal in goals if told.startswith(goal)), None)
        if found and "Choose" in told:
            return found
    raise AssertionError(f"none of {goals[:8]} lies beside the unit")


@pytest.mark.costly
def test_a_phone_held_sideways(open_page: Opener, served: Served, shots: Shots, game: str) -> None:
    page = open_page(PHONE, served.create(game=game), handover=False)
    go_on_to(page, MOVE)
    part(page, "next-unit").tap()
    shots(page, f"phone-{game}.png")
    goal = part(page, "move-to").locator("option").nth(1).get_attribute("value")
    assert goal is not None
    part(page, "move-to").select_option(goal)
    part(page, "move-go").tap()
    expect(part(page, "undo")).to_be_enabled()
    overflow = page.evaluate(
        "document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight"
    )
    assert not overflow
    for tab in ("log", "replay", "settings"):
        open_tab(page, tab)
        box = part(page, f"tab-{tab}").bounding_box() or part(page, "tab-more").bounding_box()
        assert box is not None and box["x"] + box["width"] <= PHONE["width"]
    open_tab(page, "log")
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()


@pytest.mark.costly
def test_no_panel_shows_a_name_meant_for_programs(open_page: Opener, served: Served, game: str) -> None:
    page = open_page(DESKTOP, served.create(game=game), handover=False, language="it")
    expect(page.locator(".now.mine")).to_be_visible()
    for tab in ("list", "tables", "orders", "settings", "now"):
        open_tab(page, tab)
        text = page.locator("body").inner_text()
        assert re.findall(r"\b[a-z]+_[a-z_]+\b|undefined|\[object", text) == [], tab
    expect(page.get_by_role("heading", name="Il tuo obiettivo")).to_be_visible()
    expect(part(page, "levels").locator(".now")).to_have_count(1)  # how the match stands on the scale of victory


@pytest.mark.costly
def test_the_machine_plays_its_turn_and_hands_back(open_page: Opener, served: Served, shots: Shots, game: str) -> None:
    page = open_page(DESKTOP, served.create(game=game, ah="random"), pace=20)
    handed = "Turn 2" if game == "altipiani" else "Turn 3"
    play_on_until(page, handed)
    shots(page, f"machine-{game}.png")
    expect(log_of(page).get_by_text("the Austro-Hungarian player turn").first).to_be_visible()


@pytest.mark.costly
def test_the_browser_is_not_told_what_its_seat_may_not_know(browser: Browser, served: Served, game: str) -> None:
    view = fronte.new(game, scenario="historical", seed=2).view("italian")
    units = served.get(f"/api/games/{game}/board")["counters"]
    seen = {piece.id for piece in view.pieces if not piece.mine}
    hidden = [unit["id"] for unit in units if unit["side"] == "ah" and unit["id"] not in seen]
    assert hidden
    match = served.create(game=game)
    held = json.dumps(json.dumps({match["id"]: {"italian": match["tokens"]["italian"]}}))
    heard: list[str] = []
    context = browser.new_context()
    page = context.new_page()
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: heard.append(str(frame))))
    context.add_init_script(f"localStorage.setItem('fronte.tokens', {held})")
    page.goto(f"{served.address}/#match/{match['id']}")
    expect(part(page, "what-now")).to_be_visible()
    context.close()
    assert any(f'"{view.own()[0].id}"' in frame for frame in heard)
    assert [name for name in hidden if any(f'"{name}"' in frame for frame in heard)] == []
