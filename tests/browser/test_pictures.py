"""The pictures of the pages for players (docs/pictures): each game's table in the middle of a match, in both languages.

With FRONTE_PICTURES=1 they are made anew and kept; else it is seen that what they show can still be shown.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from table import part
from visitors import Opener, Served

import fronte
from fronte.ai import Seat, player

MADE = bool(os.environ.get("FRONTE_PICTURES"))
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SIZE: ViewportSize = {"width": 1280, "height": 800}
AS_WEBP = """async (png) => {
    const picture = new Image()
    picture.src = 'data:image/png;base64,' + png
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d').drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 0.82).split(',')[1]
}"""
"""Chromium takes no pictures as WebP, but a canvas writes them."""
OWN_FONT = """async () => {
    const come = () => [...document.fonts].some((face) => face.family.includes('Noto Sans') && face.status === 'loaded')
    while (!come()) await new Promise((done) => setTimeout(done, 100))
}"""
"""The page brings its own font when it is at rest, and a picture shows it."""


def attack(page: Page, target: str) -> None:
    """All who can and all guns attack."""
    part(page, f"target-{target}").click()
    everything = page.get_by_role("button", name=re.compile("^(all|tutte)$"))
    if everything.count():
        everything.first.click()
    part(page, "odds").evaluate("(odds) => odds.scrollIntoView({ block: 'center' })")


def declare(page: Page, target: str) -> None:
    """An assault that is being declared, on the first hex that can be assaulted."""
    page.locator("[data-testid^=target-]").first.click()
    page.locator("h5 + .chips .chip").first.click()
    expect(part(page, "odds")).to_be_visible()


def wave(page: Page, target: str) -> None:
    """A wave of an assault, with its chances."""
    expect(part(page, "wave-sum")).to_be_visible()


SCENES: dict[str, tuple[str, str, int, int, Callable[[Page, str], None]]] = {
    "isonzo": ("historical", "combat", 2, 1, attack),
    "altipiani": ("historical", "combat", 3, 1, attack),
    "volturno": ("short", "declare", 2, 1, declare),
    "caporetto": ("maggiore", "wave", 7, 3, wave),
}
"""By game: the scenario, what is asked, from which turn on, with how many answers at least, and what is done then."""


@cache
def start(game: str) -> tuple[dict[str, Any], str]:
    """The first position of a game of steady against itself in which that is asked, and the target of most."""
    scenario, kind, turn, least, _ = SCENES[game]
    match = fronte.new(game, scenario, 7)
    hands = [(player("steady", f"picture/{seat}", game=game), Seat(match, seat)) for seat in match.rules.seats]
    while match.result is None:
        asked = match.decision
        if asked is not None and asked.kind == kind and match.state.turn >= turn:
            targets = match.offer.get("targets", {})
            if len(targets or match.offer["actions"]) >= least:
                body = {"game": game, "scenario": scenario, "seats": dict.fromkeys(match.rules.seats, "human")}
                body["position"] = match.rules.to_position(match.state)
                return body, max(targets, key=lambda one: (len(str(targets[one])), one), default="")
        decide, seat = hands[match.seat]
        match.play(decide(seat))
    raise AssertionError(f"{kind} is never asked")


@pytest.mark.parametrize("language", ["en", "it"] if MADE else ["it"])
@pytest.mark.parametrize("game", [pytest.param(game, marks=[] if MADE else pytest.mark.costly) for game in SCENES])
def test_a_picture_of_the_table(open_page: Opener, served: Served, browser: Browser, game: str, language: str) -> None:
    body, target = start(game)
    opened: dict[str, Any] = served.post("/api/matches", body)
    page = open_page(SIZE, opened, handover=False, language=language)
    expect(page.locator(".now.mine")).to_be_visible()
    SCENES[game][-1](page, target)
    page.evaluate(OWN_FONT)
    page.wait_for_timeout(500)  # the map has gone to where it happens
    taken = page.screenshot()
    if MADE:
        blank = browser.new_page()
        packed = base64.b64decode(blank.evaluate(AS_WEBP, base64.b64encode(taken).decode()))
        blank.close()
        (PICTURES / f"{game}.{language}.webp").write_bytes(packed)
