"""Against the machine: it plays its turn, the page shows it, and the game comes back."""

from __future__ import annotations

import json
import re
import time

import positions
from playwright.sync_api import WebSocketRoute, expect
from table import end_phase, go_home, log_of, part, play_on_until, wait_asked
from visitors import DESKTOP, Opener, Served, Shots


def test_what_the_machine_did_before_one_came_can_be_watched(open_page: Opener, served: Served, shots: Shots) -> None:
    match = served.create(italian="random")
    while served.table(match, "ah")["decision"]["seat"] != "ah":  # until the machine has something to ask
        time.sleep(0.05)
    page = open_page(DESKTOP, match, pace=3000)
    part(page, "missed").click()
    expect(page.locator(".banner")).to_be_visible()
    shots(page, "missed.png")
    part(page, "replay-leave").click()
    expect(page.locator(".now.mine")).to_be_visible()
    page.reload()
    expect(page.locator(".now.mine")).to_be_visible()
    expect(part(page, "missed")).to_have_count(0)


def test_the_machine_says_why(open_page: Opener, served: Served, shots: Shots) -> None:
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
    expect(log.get_by_text("nothing more to do: The bridge is worth more than the bank.").first).to_be_visible()
    shots(other, "why.png")
    part(other, "tab-settings").click()
    part(other, "lang-it").click()
    expect(log_of(other).get_by_text("Il ponte vale più della riva.").first).to_be_visible()


def test_its_reasons_are_in_the_log_of_whoever_comes_later(open_page: Opener, served: Served) -> None:
    match = served.create(ah="steady", seed=4)
    page = open_page(DESKTOP, match)
    play_on_until(page, "Turn 3")
    said = log_of(page).locator(".why")
    expect(said.filter(has_text="Why: ").first).to_be_visible()
    told = set(said.all_inner_texts())
    later = open_page(DESKTOP, match, language="it")  # another browser, and another language
    again = log_of(later).locator(".why")
    expect(again.filter(has_text="Perché: ").first).to_be_visible()
    assert len(set(again.all_inner_texts())) == len(told)


def test_a_planner_is_told_how_long_to_think(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP)
    part(page, "seat-ah").select_option("planner")
    part(page, "time-ah").select_option("5s")
    part(page, "begin").click()
    wait_asked(page, "bridge engineers")
    [match] = [one for one in served.get("/api/matches")["matches"] if page.url.endswith(one["id"])]
    assert match["seats"]["ah"] == "planner:5s"
    go_home(page)
    expect(page.get_by_text("Staff, 5 s").first).to_be_visible()


def test_its_moves_can_be_halted_and_hurried(open_page: Opener, served: Served, shots: Shots) -> None:
    match = served.create(ah="random", seed=4)
    hold = {"kind": "demolition", "policy": "hold"}  # or its first move may end in a question about a bridge
    served.post(f"/api/matches/{match['id']}/orders", hold, match["tokens"]["italian"])
    page = open_page(DESKTOP, match, pace=3000)
    wait_asked(page, "bridge engineers")
    for words in ("Move your units", "Attack enemies"):
        end_phase(page)
        wait_asked(page, words)
    end_phase(page)
    part(page, "pause").click()
    expect(part(page, "pause")).to_have_text("Go on")
    line = part(page, "what-now")
    page.wait_for_timeout(300)
    shown = page.locator(".acting .last").all_inner_texts()
    shots(page, "halted.png")
    page.wait_for_timeout(700)
    assert page.locator(".acting .last").all_inner_texts() == shown  # more has come in, and is not shown
    part(page, "skip").click()
    expect(line).not_to_contain_text("to show")


def test_a_finished_match_says_how_it_ended_and_is_seen_again(open_page: Opener, served: Served, shots: Shots) -> None:
    units = {"it-spezia": "3016", "ah-86sch": "2913"}
    start = positions.position("isonzo", units, phase="movement", active="ah")
    page = open_page(DESKTOP, served.create(more=start), handover=False)
    wait_asked(page, "Move your units")
    part(page, "next-unit").click()
    part(page, "move-to").select_option("3014")
    part(page, "move-go").click()
    wait_asked(page, "The game is over")
    expect(part(page, "over")).to_contain_text("Gorizia")
    shots(page, "over.png")
    part(page, "over").get_by_role("button", name="See the whole match again").click()
    part(page, "timeline").fill("0")
    expect(page.locator(".banner")).to_be_visible()
    expect(page.get_by_text("After action 0 of 1")).to_be_visible()


def test_machines_among_themselves_are_watched_from_either_side(open_page: Opener, shots: Shots) -> None:
    page = open_page(DESKTOP, pace=400)
    part(page, "seat-italian").select_option("random")
    part(page, "seat-ah").select_option("random")
    part(page, "begin").click()
    expect(page.locator(".acting .last")).to_be_visible()  # something has happened
    expect(part(page, "handover")).to_have_count(0)
    side = part(page, "seen-from")
    expect(side).to_have_value("*")  # nothing is hidden from whoever only watches machines
    expect(page.locator("[data-unit^=ah-]").first).to_be_visible()
    expect(page.locator("[data-unit^=it-]").first).to_be_visible()
    part(page, "pause").click()
    expect(part(page, "pause")).to_have_text("Go on")
    shown = page.locator(".acting .last").all_inner_texts()
    page.wait_for_timeout(700)
    assert page.locator(".acting .last").all_inner_texts() == shown
    turn = part(page, "state").inner_text().split("\n")[0]
    side.select_option("italian")
    expect(page.locator("[data-unit^=it-]").first).to_be_visible()
    expect(part(page, "pause")).to_have_text("Go on")  # another sight of the same moment
    expect(part(page, "state")).to_contain_text(turn)
    part(page, "pause").click()
    shots(page, "machines.png")
    side.select_option("ah")
    expect(side).to_have_value("ah")
    expect(page.locator("[data-unit^=ah-]").first).to_be_visible()
    for _ in range(6):  # whoever has to decide, nobody is asked for
        page.wait_for_timeout(400)
        assert part(page, "handover").count() == 0 and page.locator(".now.mine").count() == 0
    side.select_option(label="what both sides know")
    expect(page.locator("[data-unit]").first).to_be_visible()
