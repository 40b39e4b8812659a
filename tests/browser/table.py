"""What a person does at the table, in terms of the page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, TimeoutError, expect

import fronte
from fronte.games.registry import FAMILIES, GAMES

ALL_GAMES = [game for game in GAMES if FAMILIES[game] == "inferno"]
"""What is not about one game alone is played with every one of its family."""

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def part(page: Page, name: str) -> Any:
    return page.get_by_test_id(name)


def asked(page: Page) -> str:
    """What the page says is to be done now."""
    return str(part(page, "what-now").inner_text())


def wait_asked(page: Page, words: str) -> None:
    expect(part(page, "what-now")).to_contain_text(words)


SELDOM = ("orders", "replay", "settings", "dice", "people")


def open_tab(page: Page, name: str) -> None:
    """Open a panel; where there is little room some stand behind a button."""
    expect(part(page, "tab-now")).to_be_visible()
    if name in SELDOM and part(page, "tab-more").is_visible():
        part(page, "tab-more").click()
    part(page, f"tab-{name}").click()


def go_home(page: Page) -> None:
    """By the menu to the list of matches."""
    part(page, "menu").click()
    part(page, "go-home").click()


def end_phase(page: Page) -> None:
    """Press the end button, and once more if it warns."""
    part(page, "end").click()
    sure = part(page, "end-sure")
    if sure.is_visible():
        sure.click()


def go_on_to(page: Page, words: str) -> None:
    """End phases until this is asked."""
    for _ in range(12):
        expect(page.locator(".now.mine")).to_be_visible()
        before = asked(page)
        if words in before:
            return
        end_phase(page)
        expect(part(page, "what-now")).not_to_have_text(before)
    raise AssertionError(f"{words!r} is not asked, but {asked(page)!r}")


WHERE = """(hex) => {
    const number = [...document.querySelectorAll('svg.ground text.id')].find((one) => one.textContent === hex)
    const svg = document.querySelector('svg.ground'), box = svg.getBoundingClientRect()
    const scale = box.width / svg.viewBox.baseVal.width
    const at = (name) => Number(number.closest(`[${name}]`).getAttribute(name)) * scale
    return [box.left + at('x'), box.top + at('y') + (0.38 / 0.115) * at('font-size')]
}"""
"""A hex by its printed number, which stands so far above the middle."""


def place(page: Page, name: str) -> tuple[float, float]:
    """Where the middle of a hex lies in the window, once the map rests: it glides to where a question is."""
    page.wait_for_selector("svg.ground text.id", state="attached")  # the board comes after the match
    before, now = None, page.evaluate(WHERE, name)
    while now != before:
        page.wait_for_timeout(50)
        before, now = now, page.evaluate(WHERE, name)
    x, y = now
    return x, y


def click_hex(page: Page, name: str) -> None:
    """Click the middle of a hex on the map, where the board's picture has it; the whole map if it is out of sight."""
    x, y = place(page, name)
    box = part(page, "map").bounding_box()
    assert box is not None
    if not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]):
        part(page, "fit").click()
        x, y = place(page, name)
    page.mouse.click(x, y, delay=10)


def answer(page: Page) -> str:
    """Answer whatever a combat asks in the plainest way; the kind of decision that was answered."""
    if part(page, "do-accept").is_visible():
        part(page, "do-accept").click()
        return "refusal"
    if part(page, "do-terrain").first.is_visible():
        part(page, "do-terrain").first.click()
        return "terrain"
    if part(page, "do-blow").is_visible():
        part(page, "do-blow").click()
        return "demolition"
    text = asked(page)
    if "must retreat" in text:
        page.locator("input[name=way]").first.check()
        part(page, "confirm").click()
        return "retreat"
    if "is empty" in text:
        page.locator(".acting .chip").first.click()
        part(page, "confirm").click()
        return "advance"
    goal = page.get_by_role("group", name="Where to").get_by_role("button").first
    if goal.is_visible():  # who goes is chosen already where it can be one only
        goal.click()
    for chip in page.locator(".acting .chip[aria-pressed=false]").all():
        if part(page, "confirm").is_enabled():
            break
        chip.click()  # somebody must be chosen
        if goal.is_visible():
            goal.click()
    part(page, "confirm").click(timeout=10_000)
    if "take no part" in text or "that can defend do" in text:
        return "withhold"
    return "losses" if "Spread" in text else "support"


QUESTIONS = ", ".join(f"[data-testid{name}]" for name in ("=end", "=confirm", "^=do-"))


def play_on_until(page: Page, turn: str) -> None:
    """End phases, and answer what the machine's moves ask in the plainest way, until this turn has come."""
    missed = 0
    for _ in range(400):
        page.wait_for_selector(QUESTIONS, timeout=60_000)  # its process may take a while to start on a busy machine
        if turn in part(page, "state").inner_text():
            return
        try:
            if part(page, "end").is_visible():
                end_phase(page)
            else:
                answer(page)
            missed = 0
        except TimeoutError:  # the machine has gone on, and with it the question
            missed += 1
            assert missed < 4, f"{asked(page)!r} cannot be answered"
        page.wait_for_timeout(100)
    raise AssertionError(f"{turn} does not come")


def log_of(page: Page) -> Any:
    """The panel with what happened."""
    open_tab(page, "log")
    return page.locator("#panel-other")


def to_the_attack(game: str, seed: int) -> fronte.Match:
    """A new match in which nothing was done until the first Combat Phase."""
    match = fronte.new(game, scenario="historical", seed=seed)
    while match.decision is not None and match.decision.kind != "combat":
        match.play("end")
    return match


def attack_for(game: str, wanted: Iterable[str]) -> tuple[int, str]:
    """A seed and a target of the first Combat Phase: attacked by all who can and all guns, these decisions follow."""
    targets = list(to_the_attack(game, 0).offer["targets"])
    for seed in range(60):
        for target in targets:
            if set(wanted) <= set(kinds_of_attack(to_the_attack(game, seed), target)):
                return seed, target
    raise AssertionError(f"no attack leads to {wanted}")


def a_move(game: str) -> dict[str, str]:
    """The first Movement Phase: a unit that stands alone, an empty hex beside it to go to, and an enemy near it."""
    match = fronte.new(game, scenario="historical", seed=2)
    while match.decision is not None and match.decision.kind != "movement":
        match.play("end")
    assert match.decision is not None
    view = match.view(match.decision.seat)
    where = {piece.id: piece.at for piece in view.own()}
    enemies = {piece.at for piece in view.pieces if not piece.mine}
    names = match.rules.texts("en").names.unit
    for unit, offer in match.offer["units"].items():
        if list(where.values()).count(where[unit]) > 1:
            continue
        for goal, way in offer["reach"].items():
            if len(way["path"]) == 1 and goal not in {*where.values(), *enemies} and way["left"] > 0:
                enemy = min(enemies - {goal}, key=lambda hex: _apart(hex, where[unit]))
                return {"unit": unit, "name": names[unit], "from": where[unit], "to": goal, "enemy": enemy}
    raise AssertionError("nobody can move")


def _apart(a: str, b: str) -> int:
    """About how far two hexes lie apart."""
    return abs(int(a[:2]) - int(b[:2])) + abs(int(a[2:]) - int(b[2:]))


def move_to_a_bridge() -> tuple[str, str]:
    """A unit of the first Movement Phase and a hex where its coming lets the enemy blow a bridge (14.4.b)."""
    match = fronte.new("isonzo", scenario="historical", seed=2)
    match.play("end")
    for unit, offer in match.offer["units"].items():
        for goal, way in offer["reach"].items():
            twin = match.copy()
            twin.play({"do": "move", "unit": unit, "path": way["path"]})
            if twin.decision is not None and twin.decision.kind == "demolition":
                return unit, goal
    raise AssertionError("no move leads to a bridge that may be blown")


def kinds_of_attack(match: fronte.Match, target: str) -> list[str]:
    offer = match.offer["targets"][target]
    units: list[str] = []
    strength = {counter.id: counter.faces[-1].attack for counter in match.rules.counters}  # type: ignore[attr-defined]
    for unit in sorted(offer["units"], key=lambda name: -strength[name]):
        if match.why_not({"do": "attack", "target": target, "units": [*units, unit]}) is None:
            units.append(unit)
    match.play({"do": "attack", "target": target, "units": units, "guns": offer["guns"]})
    kinds = []
    while match.decision is not None and match.decision.kind != "combat":
        kind = match.decision.kind
        kinds.append(kind)
        actions = match.offer.get("actions", [])
        if kind == "refusal":
            match.play({"do": "accept"})
        elif kind == "advance":
            match.play(next(action for action in actions if len(action.get("units", ())) == 1))
        elif kind == "support":
            match.play({"do": "support"})
        else:
            match.play(actions[0])
    return kinds


def findings(page: Page, within: str = "body") -> list[str]:
    """What axe finds of serious or critical weight."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    result = page.evaluate("(where) => axe.run(where, { resultTypes: ['violations'] })", within)
    grave = [one for one in result["violations"] if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {json.dumps([node['target'] for node in one['nodes'][:4]])}" for one in grave]
