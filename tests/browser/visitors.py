"""Servers in processes of their own, and visitors who come to them with a browser."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, ViewportSize

TESTS = Path(__file__).parents[1]
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 844, "height": 390}
Opener = Callable[..., Page]


class Served:
    """`fronte serve` in a process of its own: at a local table, or open to people elsewhere with these settings."""

    program: tuple[str, ...] = ("-m", "fronte")

    def __init__(self, folder: Path, **settings: str) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = int(found.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self.settings = settings
        self.begun: dict[str, str] = {}
        """Matches that tests have begun, and a token of each."""
        self.start()

    def start(self) -> None:
        command = [sys.executable, *self.program, "serve", "--port", str(self.port)]
        command += ["--database", str(self.folder / "matches.sqlite")]
        if self.settings:
            command.append("--no-local")
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | self.settings)
        end = time.monotonic() + 60
        while True:
            try:
                self.get("/api/health")
                return
            except (urllib.error.URLError, ConnectionError):
                if self.process.poll() is not None or time.monotonic() > end:
                    raise AssertionError((self.folder / "server.log").read_text()) from None
                time.sleep(0.05)

    def get(self, path: str, token: str = "") -> Any:
        request = urllib.request.Request(
            self.address + path, headers={"Authorization": f"Bearer {token}"} if token else {}
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def post(self, path: str, body: Any, token: str = "") -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            found = json.load(answer)
        if isinstance(found, dict) and found.get("tokens"):
            self.begun[found["id"]] = next(iter(found["tokens"].values()))
        return found

    def table(self, match: dict[str, Any], seat: str) -> Any:
        """What a seat has before it."""
        return self.get(f"/api/matches/{match['id']}/state", match["tokens"][seat])

    def create(self, seed: int = 2, game: str = "isonzo", more: Any = None, **seats: str) -> dict[str, Any]:
        """A new match; seats that are not named are held by people. `more` may hold options or a position."""
        wanted = {"italian": "human", "ah": "human"} | seats
        heading = {"game": game, "scenario": "historical", "seats": wanted, "seed": seed}
        opened: dict[str, Any] = self.post("/api/matches", heading | (more or {}))
        return opened

    def clear(self) -> None:
        """Delete the matches that were begun here: at a local table the next visitor's first page would show them."""
        for name, token in self.begun.items():
            headers = {"Authorization": f"Bearer {token}"}
            request = urllib.request.Request(f"{self.address}/api/matches/{name}", headers=headers, method="DELETE")
            with contextlib.suppress(urllib.error.HTTPError):  # a test may have deleted it
                urllib.request.urlopen(request).close()
        self.begun.clear()

    def link(self, match: dict[str, Any], token: str) -> str:
        """What is passed on to somebody."""
        return f"{self.address}/#join/{match['id']}/{token}"

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


class ProbeServed(Served):
    """The same, with the small game of the tests registered beside the others."""

    program = ("-c", "import probe.game; from fronte.cli import app; app(prog_name='fronte')")


class Shots:
    """Pictures of pages, to be looked at afterwards: taken where a folder is named for them (FRONTE_SHOTS).

    Nothing is proven by them, and each takes half a second of the processor.
    """

    def __init__(self) -> None:
        named = os.environ.get("FRONTE_SHOTS")
        self.folder = Path(named) if named else None
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, page: Page, name: str, full_page: bool = False) -> None:
        if self.folder:
            page.screenshot(path=self.folder / name, full_page=full_page)


def visitors(browser: Browser, served: Served) -> Iterator[Opener]:
    contexts = []
    wrong: list[str] = []

    def open_one(
        size: ViewportSize = DESKTOP,
        match: dict[str, Any] | None = None,
        at: str = "",
        word: str = "",
        motion: Literal["reduce", "no-preference"] = "reduce",
        touch: bool = False,
        **prefs: Any,
    ) -> Page:
        # nothing glides, so that a click finds the map at rest
        context = browser.new_context(
            viewport=size,
            has_touch=touch or size is PHONE,
            locale="en-GB",
            accept_downloads=True,
            reduced_motion=motion,
        )
        contexts.append(context)
        kept = {"language": "en", "pace": 0} | prefs
        held = {match["id"]: match["tokens"]} if match else {}
        words = {f"{match['id']}:{match['house']}:{seat}": word for seat in match["tokens"]} if match and word else {}
        for key, value in (("fronte.prefs", kept), ("fronte.tokens", held), ("fronte.words", words)):
            text = json.dumps(json.dumps(value))
            context.add_init_script(f"localStorage.getItem('{key}') ?? localStorage.setItem('{key}', {text})")
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(at or served.address + (f"/#match/{match['id']}" if match else "/"))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not wrong, wrong
