"""Fights on the map: what is shown is what happened, a press or a key ends it, and who wants less motion sees none."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from positions import hex_or_river
from table import click_hex, log_of, open_tab, part, wait_asked
from visitors import DESKTOP, Opener, Served

import fronte

ATTACK = {"do": "attack", "target": "1413", "units": ["it-milano"]}
SEEN = """() => {
    window.beats = []
    new MutationObserver(() => {
        const stage = document.querySelector('[data-testid=stage]')
        if (!stage) return
        const arrows = [...document.querySelectorAll('[data-arrow]')].map((one) => one.dataset.arrow)
        const dice = [...stage.querySelectorAll('[data-die]')].map((one) => Number(one.dataset.die))
        const hit = stage.querySelector('.hit')?.textContent ?? ''
        const head = stage.querySelector('thead th.lit')?.textContent ?? ''
        window.beats.push({ kind: stage.dataset.beat, arrows, dice, hit, head })
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
}"""
"""Whatever the stage shows is kept, however short it is."""
BEGUN = """() => new Promise((done) => {
    const until = performance.now() + 10_000
    const look = setInterval(() => {
        if (!window.beats.length && performance.now() < until) return
        clearInterval(look)
        done(window.beats.length > 0)
    }, 10)
})"""
"""Waits until it has shown something."""


def declared(served: Served, **more: Any) -> dict[str, Any]:
    """A match in which an attack across the river waits for the defender's answer."""
    match = served.create(more=hex_or_river() | {"seed": 3} | more)
    act(served, match, "italian", ATTACK)
    return match


def act(served: Served, match: dict[str, Any], seat: str, action: dict[str, Any]) -> None:
    table = served.table(match, seat)
    body = {"action": action, "line": table["line"]}
    served.post(f"/api/matches/{match['id']}/actions", body, match["tokens"][seat])


def sit_alone(open_page: Opener, match: dict[str, Any], seat: str, **more: Any) -> Page:
    """One side of the match alone."""
    held = match | {"tokens": {seat: match["tokens"][seat]}}
    page: Page = open_page(DESKTOP, held, **more)
    page.wait_for_selector("svg.ground text.id", state="attached")
    page.evaluate(SEEN)
    return page


def happened(served: Served, match: dict[str, Any], kind: str) -> dict[str, Any]:
    told = served.get(f"/api/matches/{match['id']}/events", match["tokens"]["italian"])
    found: dict[str, Any] = next(event["data"] for event in told["events"] if event["kind"] == kind)
    return found


def test_the_dice_of_the_fight_fall_and_its_cell_lights_up(open_page: Opener, served: Served) -> None:
    match = declared(served)
    page = sit_alone(open_page, match, "italian", motion="no-preference")
    act(served, match, "ah", {"do": "terrain", "use": "hexside"})
    expect(part(page, "stage")).to_be_visible()
    expect(part(page, "stage")).to_have_count(0)  # it ends by itself
    beats = page.evaluate("window.beats")
    dice = happened(served, match, "rolled")["dice"]
    assert dice in [beat["dice"] for beat in beats if beat["kind"] == "dice"]
    assert any("attack" in beat["arrows"] for beat in beats)
    hit = next(beat for beat in beats if beat["hit"])
    column = happened(served, match, "ratio")["column"]
    rules: Any = fronte.ruleset("isonzo", "historical")
    cell = rules.tables.result(rules.tables.columns.index(column), dice[0] + dice[1])
    halves = [(cell.attack_drm, cell.attack_retreat), (cell.defence_drm, cell.defence_retreat)]
    shown = [f"{drm:+d}".replace("-", "−").replace("+0", "0") + (f" R{back}" if back else "") for drm, back in halves]
    assert hit["hit"] == " / ".join(shown)


@pytest.mark.parametrize("how", ["key", "press"])
def test_it_is_ended_at_once(open_page: Opener, served: Served, how: str) -> None:
    match = declared(served)
    page = sit_alone(open_page, match, "italian", motion="no-preference")
    act(served, match, "ah", {"do": "terrain", "use": "hex"})
    assert page.evaluate(BEGUN)
    if how == "key":
        page.keyboard.press("Escape")
    else:
        click_hex(page, "1413")
    expect(part(page, "stage")).to_have_count(0, timeout=600)
    assert not any(beat["kind"] == "cell" for beat in page.evaluate("window.beats"))
    expect(part(page, "what-now")).not_to_be_empty()


def test_who_gets_the_screen_sees_it_and_it_ends_by_itself(open_page: Opener, served: Served) -> None:
    """Two at one table with nobody looking away: the seat changes, and the scene goes with it."""
    match = served.create(more=hex_or_river() | {"seed": 3})
    page = open_page(DESKTOP, match, motion="no-preference", handover=False)
    part(page, "target-1413").click()
    page.evaluate(SEEN)
    part(page, "attack").click()
    wait_asked(page, "rely on")
    assert page.evaluate(BEGUN), "something was shown, though on a busy machine it may be over already"
    expect(part(page, "stage")).to_have_count(0, timeout=15_000)


@pytest.mark.parametrize("quiet", [{"motion": "reduce"}, {"motion": "no-preference", "stage": False}])
def test_who_wants_none_of_it_sees_none(open_page: Opener, served: Served, quiet: dict[str, Any]) -> None:
    match = declared(served)
    page = sit_alone(open_page, match, "italian", **quiet)
    act(served, match, "ah", {"do": "terrain", "use": "hex"})
    expect(log_of(page)).to_contain_text("Dice for combat")
    page.wait_for_timeout(300)
    assert page.evaluate("window.beats") == []


def test_it_is_switched_off_in_the_settings(open_page: Opener, served: Served) -> None:
    page = sit_alone(open_page, declared(served), "italian")
    open_tab(page, "settings")
    expect(part(page, "sound-pref")).not_to_be_checked()
    part(page, "stage-pref").uncheck()
    expect(part(page, "sound-pref")).to_be_disabled()
    assert page.evaluate("JSON.parse(localStorage.getItem('fronte.prefs')).stage") is False


def test_a_replay_shows_it_again(open_page: Opener, served: Served) -> None:
    match = declared(served)
    act(served, match, "ah", {"do": "terrain", "use": "hex"})
    page = sit_alone(open_page, match, "italian", motion="no-preference")
    open_tab(page, "replay")
    part(page, "replay-back").click()
    expect(part(page, "timeline")).not_to_have_value("2")
    page.get_by_role("button", name="One on").click()
    expect(part(page, "stage")).to_be_visible()
    expect(part(page, "stage")).to_have_count(0)
    assert happened(served, match, "rolled")["dice"] in [beat["dice"] for beat in page.evaluate("window.beats")]


def test_the_defender_sees_the_odds_of_both_answers(open_page: Opener, served: Served) -> None:
    page = sit_alone(open_page, declared(served), "ah")
    wait_asked(page, "rely on")
    match = fronte.position("isonzo", hex_or_river()["position"], seed=3)
    match.play(ATTACK)
    for number, use in enumerate(("hex", "hexside")):
        sheet = match.odds({"do": "terrain", "use": use})
        share = round(100 * sum(sheet.rows[0].counts[1:]) / sheet.of)
        button = part(page, "do-terrain").nth(number)
        expect(button).to_contain_text(f"{share}% to go back")
        chart = part(page, "odds").nth(number)
        expect(chart).to_contain_text(f"strength {sheet.data['attack']} against {sheet.data['defence']}")
        chart.locator("summary").click()
        for fact in sheet.facts:
            if fact.key in ("attack_of", "defence_of"):
                expect(chart).to_contain_text(match.rules.texts("en").odds(fact.key, fact.data))


def test_what_it_comes_to_is_not_told_beside_the_map_before_it_is_seen(open_page: Opener, served: Served) -> None:
    match = declared(served)
    page = sit_alone(open_page, match, "italian", motion="no-preference")
    act(served, match, "ah", {"do": "terrain", "use": "hexside"})
    page.wait_for_selector("[data-testid=stage]")
    expect(page.locator(".acting .veiled").first).to_be_attached()
    expect(part(page, "stage")).to_have_count(0)


def test_what_is_asked_because_of_it_waits_until_it_is_seen(open_page: Opener, served: Served) -> None:
    match = declared(served)
    page = sit_alone(open_page, match, "ah", motion="no-preference")
    act(served, match, "ah", {"do": "terrain", "use": "hexside"})
    expect(part(page, "stage")).to_be_visible()
    expect(part(page, "what-now")).to_contain_text("The fight")
    expect(page.locator("input[name=way]").first).to_be_hidden()
    part(page, "stage-on").click()
    expect(part(page, "stage")).to_have_count(0)
    wait_asked(page, "must retreat")
    expect(page.locator("input[name=way]").first).to_be_visible()
