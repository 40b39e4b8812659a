"""Measure the screen in Chromium without a window: first paint of the board, and frames a second while panning.

    .venv/bin/python benchmarks/browser.py [--json]

A real `fronte serve`, the built client, a match of Isonzo with all its counters on the map. Paint times are those that
the browser itself reports for a first visit; panning drags the map in circles for some seconds at two scales.
"""

from __future__ import annotations

import argparse
import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
ROUNDS = 5

PAN = """async (seconds) => {
    const frame = document.querySelector('.frame')
    frame.setPointerCapture = () => {}
    const fire = (kind, x, y) => frame.dispatchEvent(
        new PointerEvent(kind, { pointerId: 1, clientX: x, clientY: y, bubbles: true, button: 0 }))
    fire('pointerdown', 500, 450)
    const start = performance.now()
    const gaps = []
    let last = start
    for (let n = 0; last - start < seconds * 1000; n += 1) {
        await new Promise(requestAnimationFrame)
        const now = performance.now()
        gaps.push(now - last)
        last = now
        fire('pointermove', 500 + 200 * Math.sin(n / 12), 450 + 120 * Math.cos(n / 12))
    }
    fire('pointerup', 500, 450)
    return gaps
}"""


@contextmanager
def serving() -> Iterator[str]:
    """A server with a database of its own; its address."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "fronte", "serve", "--port", str(port)]
        process = subprocess.Popen(
            [*command, "--database", str(Path(folder) / "matches.sqlite")], stdout=subprocess.DEVNULL
        )
        try:
            for _ in range(600):
                try:
                    urllib.request.urlopen(f"{address}/api/health").close()
                    break
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.05)
            yield address
        finally:
            process.terminate()
            process.wait()


def new_match(address: str) -> dict[str, Any]:
    """A match of two people."""
    request = urllib.request.Request(
        f"{address}/api/matches",
        json.dumps({"game": "isonzo", "seed": 1}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        opened: dict[str, Any] = json.load(answer)
    return opened


def visit(browser: Browser, address: str, match: dict[str, Any]) -> tuple[Page, float]:
    """A first visit to the table; the milliseconds until the board with its counters had been painted."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    for key, value in (("tokens", {match["id"]: match["tokens"]}), ("prefs", {"handover": False, "pace": 0})):
        context.add_init_script(f"localStorage.setItem('fronte.{key}', {json.dumps(json.dumps(value))})")
    page = context.new_page()
    page.goto(f"{address}/#match/{match['id']}")
    page.wait_for_selector("[data-unit]")
    page.wait_for_selector("svg.ground .grid", state="attached")
    painted = page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"
    )
    return page, float(painted)


MORE = """(most) => {
    const here = [...document.querySelectorAll('[data-unit]')]
    for (let k = 0; here.length + k < most; k++) {
        const one = here[k % here.length]
        one.parentNode.appendChild(one.cloneNode(true))
    }
}"""
MOST = 140
"""Counters while the map is panned; Isonzo begins with fewer, so some are drawn twice."""


def measure() -> dict[str, float]:
    """All figures."""
    path = next((found for found in map(shutil.which, NAMES) if found), None)
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        match = new_match(address)
        paints = []
        for _ in range(ROUNDS):
            page, painted = visit(browser, address, match)
            paints.append(painted)
        figures = {
            "board painted, ms": statistics.median(paints),
            "counters": float(page.locator("[data-unit]").count()),
        }
        page.evaluate(MORE, MOST)
        for scale, presses in (("whole map", 0), ("close", 5)):
            page.get_by_test_id("map").focus()
            for _ in range(presses):
                page.keyboard.press("+")
            page.wait_for_timeout(800)
            gaps = sorted(page.evaluate(PAN, 4))
            figures[f"counters, {scale}"] = float(page.locator("[data-unit]").count())
            figures[f"panning, {scale}, frames a second"] = 1000 * len(gaps) / sum(gaps)
            figures[f"panning, {scale}, slowest of a hundred frames, ms"] = gaps[int(len(gaps) * 0.99)]
        browser.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true")
    figures = measure()
    if parser.parse_args().json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:48} {value:8.1f}")


if __name__ == "__main__":
    main()
