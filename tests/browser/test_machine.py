"""Against the machine: it plays its turn, the page shows it, and the game comes back."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import positions
from conftest import DESKTOP, Opener, Served
from playwright.sync_api import Browser, WebSocketRoute, expect
from table import answer, end_phase, log_of, part, wait_asked

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


def test_the_machine_says_why(open_page: Opener, served: Served, shots: Path) -> None:
    match = served.create(ah="random")
    page = open_page(DESKTOP, match)
    wait_asked(page, "bridge engineers")
    page.close()

    # a reason comes right after the table of its action, in one language or in both
    said = {"en": "The bridge is worth more than the bank.", "it": "Il ponte vale più della riva."}
    other = page.context.new_page()

    def hear(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(frame: str | bytes) -> None:
            line.send(frame)
            if "view" in json.loads(frame):
                line.send(json.dumps({"why": said}))

        server.on_message(pass_on)

    other.route_web_socket(re.compile("/live"), hear)
    other.goto(f"{served.address}/#match/{match['id']}")
    wait_asked(other, "bridge engineers")
    end_phase(other)
    wait_asked(other, "Move your units")
    log = log_of(other)
    expect(log.get_by_text("Why: The bridge is worth more than the bank.").first).to_be_visible()
    other.screenshot(path=shots / "why.png")
    part(other, "tab-settings").click()
    part(other, "lang-it").click()
    expect(log_of(other).get_by_text("Il ponte vale più della riva.").first).to_be_visible()


def test_its_moves_can_be_halted_and_hurried(open_page: Opener, served: Served, shots: Path) -> None:
    page = open_page(DESKTOP, served.create(ah="random", seed=4), pace=3000)
    wait_asked(page, "bridge engineers")
    for words in ("Move your units", "Attack enemies"):
        end_phase(page)
        wait_asked(page, words)
    end_phase(page)
    part(page, "pause").click()
    expect(part(page, "pause")).to_have_text("Go on")
    line = part(page, "what-now")
    page.wait_for_timeout(300)
    shown = page.locator(".acting .last").inner_text()
    page.screenshot(path=shots / "halted.png")
    page.wait_for_timeout(700)
    assert page.locator(".acting .last").inner_text() == shown  # more has come in, and is not shown
    part(page, "skip").click()
    expect(line).not_to_contain_text("to show")


def test_a_finished_match_says_how_it_ended_and_is_seen_again(open_page: Opener, served: Served, shots: Path) -> None:
    units = {"it-spezia": "3016", "ah-86sch": "2913"}
    start = positions.position("isonzo", units, phase="movement", active="ah")
    page = open_page(DESKTOP, served.create(more=start), handover=False)
    wait_asked(page, "Move your units")
    part(page, "next-unit").click()
    part(page, "move-to").select_option("3014")
    part(page, "move-go").click()
    wait_asked(page, "The game is over")
    expect(part(page, "over")).to_contain_text("Gorizia")
    page.screenshot(path=shots / "over.png")
    part(page, "over").get_by_role("button", name="See the whole match again").click()
    part(page, "timeline").fill("0")
    expect(page.locator(".banner")).to_be_visible()
    expect(page.get_by_text("After action 0 of 1")).to_be_visible()
