"""Against the machine: it plays its turn, the page shows it, and the game comes back."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

from conftest import DESKTOP, Opener, Served
from playwright.sync_api import Browser, expect
from table import answer, end_phase, part, wait_asked

import fronte


def test_the_machine_plays_its_turn_and_hands_back(open_page: Opener, served: Served, shots: Path) -> None:
    page = open_page(DESKTOP, served.create(ah="random"), pace=20)
    wait_asked(page, "bridge engineers")
    for words in ("Move your units", "Attack enemies"):
        end_phase(page)
        wait_asked(page, words)
    end_phase(page)
    expect(part(page, "what-now")).to_contain_text(re.compile("thinking|to show"))
    for _ in range(200):  # what the machine does asks things of the Italians now and then
        page.wait_for_selector(", ".join(f"[data-testid{name}]" for name in ("=end", "=confirm", "^=do-")))
        if part(page, "end").is_visible():
            break
        answer(page)
        page.wait_for_timeout(100)
    expect(part(page, "state")).to_contain_text("Turn 2")
    expect(part(page, "end")).to_be_visible()
    page.screenshot(path=shots / "machine.png")
    part(page, "tab-log").click()
    expect(page.get_by_text("the Austro-Hungarian player turn").first).to_be_visible()


def test_what_the_machine_did_before_one_came_can_be_watched(open_page: Opener, served: Served, shots: Path) -> None:
    match = served.create(italian="random")
    while served.table(match, "ah")["decision"]["seat"] != "ah":  # until the machine has something to ask
        time.sleep(0.05)
    page = open_page(DESKTOP, match)
    part(page, "missed").click()
    expect(page.locator(".banner")).to_be_visible()
    page.screenshot(path=shots / "missed.png")
    part(page, "replay-leave").click()
    expect(page.locator(".now.mine")).to_be_visible()
    page.reload()
    expect(page.locator(".now.mine")).to_be_visible()
    expect(part(page, "missed")).to_have_count(0)


def test_the_browser_is_not_told_what_its_seat_may_not_know(browser: Browser, served: Served) -> None:
    view = fronte.new("isonzo", scenario="historical", seed=2).view("italian")
    units = served.get("/api/games/isonzo/board")["counters"]
    seen = {unit["id"] for unit in view["enemy"]}
    hidden = [unit["id"] for unit in units if unit["side"] == "ah" and unit["id"] not in seen]
    assert hidden
    match = served.create(ah="random")
    heard: list[str] = []
    context = browser.new_context()
    page = context.new_page()
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: heard.append(str(frame))))
    held = json.dumps(json.dumps({match["id"]: match["tokens"]}))
    context.add_init_script(f"localStorage.setItem('fronte.tokens', {held})")
    page.goto(f"{served.address}/#match/{match['id']}")
    wait_asked(page, "bridge engineers")
    context.close()
    assert any("it-spezia" in frame for frame in heard)
    assert [name for name in hidden if any(f'"{name}"' in frame for frame in heard)] == []


def test_altipiani_is_played_at_the_same_table(open_page: Opener, served: Served, shots: Path) -> None:
    page = open_page(DESKTOP, served.create(game="altipiani"), handover=False)
    wait_asked(page, "Attack enemies")  # the game begins with the Austro-Hungarian guns
    target = page.locator("[data-testid^=target-]").first
    target.click()
    expect(part(page, "odds")).to_be_visible()
    page.screenshot(path=shots / "altipiani.png")
    part(page, "attack").click()
    expect(part(page, "what-now")).not_to_have_text("Attack enemies")
    part(page, "tab-log").click()
    expect(page.locator("li.combat").first).to_be_visible()


def test_a_guided_first_turn(open_page: Opener, shots: Path) -> None:
    page = open_page(DESKTOP)
    part(page, "guided").click()
    guide = part(page, "guide")
    expect(guide).to_contain_text("1/8")
    page.screenshot(path=shots / "guide.png")
    wait_asked(page, "bridge engineers")
    end_phase(page)
    expect(guide).to_contain_text("3/8")  # it follows what the player does
    part(page, "next-unit").click()
    goal = part(page, "move-to").locator("option").nth(1).get_attribute("value")
    part(page, "move-to").select_option(goal)
    part(page, "move-go").click()
    expect(guide).to_contain_text("4/8")
    end_phase(page)
    expect(guide).to_contain_text("6/8")
    guide.get_by_role("button", name="No more hints").click()
    expect(guide).to_have_count(0)
