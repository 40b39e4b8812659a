"""What a person does at the table, in terms of the page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

import fronte

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def part(page: Page, name: str) -> Any:
    return page.get_by_test_id(name)


def asked(page: Page) -> str:
    """What the page says is to be done now."""
    return str(part(page, "what-now").inner_text())


def wait_asked(page: Page, words: str) -> None:
    expect(part(page, "what-now")).to_contain_text(words)


def end_phase(page: Page) -> None:
    """Press the end button, and once more if it warns."""
    part(page, "end").click()
    sure = part(page, "end-sure")
    if sure.is_visible():
        sure.click()


WHERE = """(hex) => {
    const svg = document.querySelector('svg.play'), box = svg.getBoundingClientRect()
    const column = Number(hex.slice(0, 2)), row = Number(hex.slice(2)) - 1 + (column % 2 ? 0.5 : 0)
    const scale = box.width / svg.viewBox.baseVal.width
    return [box.left + (72 + 83.138 * (column - 8)) * scale, box.top + (72 + 96 * row) * scale]
}"""


def place(page: Page, name: str) -> tuple[float, float]:
    """Where the middle of a hex lies in the window."""
    x, y = page.evaluate(WHERE, name)
    return x, y


def click_hex(page: Page, name: str) -> None:
    """Click the middle of a hex on the map, where the board's picture has it."""
    page.mouse.click(*place(page, name), delay=10)


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
    if "advances?" in text:
        page.locator(".acting .chip").first.click()
        part(page, "confirm").click()
        return "advance"
    part(page, "confirm").click()
    return "losses" if "Spread" in text else "support"


def log_of(page: Page) -> Any:
    """The panel with what happened."""
    part(page, "tab-log").click()
    return page.locator("#panel-other")


def seed_for(target: str, wanted: Iterable[str]) -> int:
    """A seed with which an attack on this hex by all who can, with all guns, leads to all these decisions."""
    for seed in range(200):
        match = fronte.new("isonzo", scenario="historical", seed=seed)
        match.play("end")
        match.play("end")
        if set(wanted) <= set(kinds_of_attack(match, target)):
            return seed
    raise AssertionError(f"no seed leads to {wanted}")


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
