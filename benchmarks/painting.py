"""Measure what Chromium spends on showing a selection: a counter is chosen, another one, none.

    .venv/bin/python benchmarks/painting.py [--rounds 7] [--json]

A real `fronte serve` and the built client. Times are the processor's (`tdur` of Chromium's own trace), not the clock's,
so that other work on the machine does not count: all that the page's own thread does from the click until it rests
(script, style, layout, paint, commit), and what its raster threads do. Without a graphics processor both are software.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import urllib.request
from pathlib import Path
from random import Random
from typing import Any

from browser import FLAGS, NAMES, serving
from playwright.sync_api import Browser, Page, sync_playwright

import fronte
from fronte.engine.match import Match

TABLES = (("isonzo", "historical", 30), ("caporetto", "historical", 8), ("caporetto", "what_if", 60))
"""Games, and how many units must be able to move where the selection is measured."""
CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "cc"]


def to_the_move(game: str, scenario: str, movers: int) -> Match:
    """A match at a decision in which so many units can move."""
    match = fronte.new(game, scenario=scenario, seed=3)
    for count in range(2000):
        decision = match.decision
        assert decision is not None
        if decision.panel == "move" and sum(bool(one["reach"]) for one in match.offer["units"].values()) >= movers:
            return match
        match.play(match.sample(Random(count)))
    raise RuntimeError(f"no such decision in {game}")


def upload(address: str, match: Match) -> dict[str, Any]:
    """The match on the server."""
    place = f"{address}/api/matches/upload"
    request = urllib.request.Request(place, match.save().encode(), {"Content-Type": "text/plain"})
    with urllib.request.urlopen(request) as answer:
        opened: dict[str, Any] = json.load(answer)
    return opened


def visit(browser: Browser, address: str, opened: dict[str, Any], seat: str, size: tuple[int, int]) -> Page:
    """The table of the seat that decides."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    tokens = {opened["id"]: {seat: opened["tokens"][seat]}}
    for key, value in (("tokens", tokens), ("prefs", {"handover": False, "pace": 0})):
        context.add_init_script(f"localStorage.setItem('fronte.{key}', {json.dumps(json.dumps(value))})")
    page = context.new_page()
    page.goto(f"{address}/#match/{opened['id']}")
    page.wait_for_selector("[data-unit]")
    page.wait_for_selector("svg.ground .grid", state="attached")
    page.get_by_test_id("fit").click()  # all counters are in sight
    page.wait_for_timeout(1500)
    return page


class Traced:
    """What a browser does meanwhile, by Chromium's trace."""

    def __init__(self, browser: Browser, page: Page) -> None:
        self.browser, self.page = browser, page

    def __enter__(self) -> Traced:
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "trace.json"
        self.browser.start_tracing(page=self.page, path=self.file, categories=CATEGORIES)
        return self

    def __exit__(self, *wrong: object) -> None:
        self.browser.stop_tracing()
        self.events: list[dict[str, Any]] = json.loads(self.file.read_text())["traceEvents"]
        self.folder.cleanup()

    def spent(self) -> dict[str, float]:
        """Milliseconds of the processor on the page's own thread and on its raster threads, and the largest parts."""
        named = {
            (one["pid"], one["tid"]): one["args"]["name"] for one in self.events if one.get("name") == "thread_name"
        }
        painted = [one["pid"] for one in self.events if one.get("name") == "Commit"]
        page = max(set(painted), key=painted.count)
        main = raster = 0.0
        parts: dict[str, float] = {}
        for one in self.events:
            if one.get("ph") != "X" or one["pid"] != page:
                continue
            thread = named.get((one["pid"], one["tid"]), "")
            spent = one.get("tdur", 0) / 1000
            if thread == "CrRendererMain":
                if one["name"] == "ThreadControllerImpl::RunTask":
                    main += spent
                elif one["name"] in PARTS:
                    parts[one["name"]] = parts.get(one["name"], 0.0) + spent
            elif one["name"] == "RasterTask":
                raster += spent
        return {"main": main, "raster": raster, **parts}


PARTS = ("FunctionCall", "EventDispatch", "FireAnimationFrame", "UpdateLayoutTree", "Layout", "PrePaint", "Paint")
PARTS += ("Layerize", "Commit", "HitTest", "IntersectionObserverController::computeIntersections")


def places(page: Page, units: list[str]) -> list[tuple[str, float, float]]:
    """Units that are drawn well inside the map, with where to click."""
    found = page.evaluate(
        """(units) => {
            const map = document.querySelector('[data-testid=map]').getBoundingClientRect()
            return units.flatMap((unit) => {
                const one = document.querySelector(`.play [data-unit="${unit}"] .card`)?.getBoundingClientRect()
                if (!one) return []
                const [x, y] = [one.x + one.width / 2, one.y + one.height / 2]
                const inside = x > map.x + 80 && x < map.right - 220 && y > map.y + 60 && y < map.bottom - 180
                const top = document.elementFromPoint(x, y)?.closest('[data-unit]')?.getAttribute('data-unit')
                return inside && top === unit ? [[unit, x, y]] : []
            })
        }""",
        units,
    )
    return [(str(unit), float(x), float(y)) for unit, x, y in found]


def move(browser: Browser, page: Page, spot: tuple[str, float, float]) -> dict[str, float]:
    """Send a unit to some hex in reach: from the click until the next table has been painted."""
    page.mouse.click(spot[1], spot[2])
    page.wait_for_timeout(500)
    boxes = [box for box in (one.bounding_box() for one in page.locator("polygon.reach").all()) if box]
    if not boxes:
        return {}
    box = boxes[len(boxes) // 2]
    with Traced(browser, page) as traced:
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(1200)
    page.keyboard.press("Escape")
    return traced.spent()


def measure(browser: Browser, address: str, match: Match, rounds: int, size: tuple[int, int]) -> dict[str, Any]:
    """Choose units one after the other."""
    assert match.decision is not None
    page = visit(browser, address, upload(address, match), match.decision.seat, size)
    movers = [unit for unit, one in match.offer["units"].items() if len(one["reach"]) > 5]
    spots = places(page, movers)
    spent = []
    for unit, x, y in (spots * rounds)[: rounds + 2]:
        page.mouse.move(x, y)
        page.wait_for_timeout(400)
        with Traced(browser, page) as traced:
            page.mouse.click(x, y)
            page.wait_for_timeout(700)
        assert page.locator(f'.play [data-unit="{unit}"] .picked, .play .reach').count(), "nothing was chosen"
        spent.append(traced.spent())
        page.keyboard.press("Escape")
        page.wait_for_timeout(300)
    warm = spent[2:]  # the first ones are compiled
    moved = [one for one in (move(browser, page, spot) for spot in spots[:6]) if one][1:]
    pieces = sum(piece.at.isdigit() for piece in match.view(match.decision.seat).pieces)
    keys = sorted({key for one in warm for key in one}, key=lambda key: (key not in ("main", "raster"), key))
    figures: dict[str, Any] = {"pieces": pieces, "drawn": page.locator(".play [data-unit]").count()}
    figures |= {key: round(statistics.median(one.get(key, 0.0) for one in warm), 1) for key in keys}
    figures["main, worst"] = round(max(one["main"] for one in warm), 1)
    if moved:
        figures["main, when a unit has moved"] = round(statistics.median(one["main"] for one in moved), 1)
    page.context.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    path = next((found for found in map(shutil.which, NAMES) if found), None)
    figures = {}
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for game, scenario, movers in TABLES:
            match = to_the_move(game, scenario, movers)
            figures[f"{game} {scenario}"] = measure(browser, address, match, given.rounds, (1440, 900))
        browser.close()
    if given.json:
        print(json.dumps(figures))
        return
    for name, found in figures.items():
        print(name)
        for key, value in found.items():
            print(f"    {key:52} {value:8}")


if __name__ == "__main__":
    main()
