"""A real browser against the real server: Chromium without a window, `fronte serve`, and a database in a file."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

TESTS = Path(__file__).parents[1]
STATIC = Path(__file__).parents[2] / "src" / "fronte" / "server" / "static"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 844, "height": 390}
expect.set_options(timeout=15_000)  # a busy machine is no fault of the page


def installed() -> str | None:
    """A browser that is there."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def fetched() -> str | None:
    """A browser from the distribution's packages, or Playwright's own; None if neither can be had."""
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "-qq", "update"], check=False, capture_output=True, timeout=600)
        for name in NAMES[:2]:  # the first has no window to draw and takes half the time
            command = ["apt-get", "-qq", "install", "-y", "--no-install-recommends", name]
            subprocess.run(command, check=False, capture_output=True, timeout=600)
            if installed():
                return installed()
    done = subprocess.run(
        [sys.executable, "-m", "playwright", "install", "chromium"], check=False, capture_output=True, timeout=600
    )
    return "" if done.returncode == 0 else None


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser, empty for Playwright's own."""
    with (Path(tempfile.gettempdir()) / "fronte-browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two workers must not install it at the same time
        found = installed()
        if found is None:
            found = fetched()
    if found is None:
        pytest.skip("no Chromium: none is installed, and neither the distribution nor Playwright could bring one")
    return found


_shared = ExitStack()
_browsers: list[Browser] = []


@pytest.fixture
def browser(chromium: str) -> Browser:
    """One browser for all tests here that come one after the other; each of its pages is a visitor of its own."""
    if not _browsers or not _browsers[0].is_connected():
        close_browser()
        playwright = _shared.enter_context(sync_playwright())
        _browsers.append(playwright.chromium.launch(executable_path=chromium or None, args=FLAGS))
        _shared.callback(_browsers[0].close)
    return _browsers[0]


def close_browser() -> None:
    _browsers.clear()
    _shared.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Playwright's event loop must be gone before tests with loops of their own."""
    yield
    if nextitem is None or not nextitem.path.is_relative_to(TESTS / "browser"):
        close_browser()


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
            return json.load(answer)

    def table(self, match: dict[str, Any], seat: str) -> Any:
        """What a seat has before it."""
        return self.get(f"/api/matches/{match['id']}/state", match["tokens"][seat])

    def create(self, seed: int = 2, game: str = "isonzo", more: Any = None, **seats: str) -> dict[str, Any]:
        """A new match; seats that are not named are held by people. `more` may hold options or a position."""
        wanted = {"italian": "human", "ah": "human"} | seats
        heading = {"game": game, "scenario": "historical", "seats": wanted, "seed": seed}
        opened: dict[str, Any] = self.post("/api/matches", heading | (more or {}))
        return opened

    def link(self, match: dict[str, Any], token: str) -> str:
        """What is passed on to somebody."""
        return f"{self.address}/#join/{match['id']}/{token}"

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    if not (STATIC / "index.html").is_file():
        pytest.fail("the browser client is not built: run scripts/client.py")
    running = Served(tmp_path_factory.mktemp("served"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for people elsewhere, with everything that a host may offer."""
    offers = {"FRONTE_OPEN_MATCHES": "true", "FRONTE_WEBHOOKS": "*", "FRONTE_PUSH": "true"}
    running = Served(tmp_path_factory.mktemp("hosted"), **offers)
    yield running
    running.stop()


class ProbeServed(Served):
    """The same, with the small game of the tests registered beside the others."""

    program = ("-c", "import probe.game; from fronte.cli import app; app(prog_name='fronte')")


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A local table at which the small game of the tests can be played."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
        running = ProbeServed(tmp_path_factory.mktemp("probed"))
        yield running
        running.stop()


Opener = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, served: Served) -> Iterator[Opener]:
    """Opens pages at the local table, each as a new visitor; an error in one's console fails the test."""
    yield from visitors(browser, served)


@pytest.fixture
def come(browser: Browser, hosted: Served) -> Iterator[Opener]:
    """The same at the server for people elsewhere."""
    yield from visitors(browser, hosted)


@pytest.fixture
def open_probe(browser: Browser, probed: Served) -> Iterator[Opener]:
    """The same at a table with the small game of the tests."""
    yield from visitors(browser, probed)


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
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(at or served.address + (f"/#match/{match['id']}" if match else "/"))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not wrong, wrong


@pytest.fixture
def shots() -> Path:
    """Where screenshots go: a folder that can be looked at afterwards."""
    folder = Path(os.environ.get("FRONTE_SHOTS", tempfile.gettempdir())) / "fronte-shots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
