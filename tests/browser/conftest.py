"""A real browser against the real server: Chromium without a window, `fronte serve`, and a database in a file."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from visitors import TESTS, Opener, ProbeServed, Served, Shots, visitors

STATIC = Path(__file__).parents[2] / "src" / "fronte" / "server" / "static"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
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


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A local table at which the small game of the tests can be played."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
        running = ProbeServed(tmp_path_factory.mktemp("probed"))
        yield running
        running.stop()


@pytest.fixture
def open_page(browser: Browser, served: Served) -> Iterator[Opener]:
    """Opens pages at the local table, each as a new visitor; an error in one's console fails the test."""
    yield from visitors(browser, served)
    served.clear()


@pytest.fixture
def come(browser: Browser, hosted: Served) -> Iterator[Opener]:
    """The same at the server for people elsewhere."""
    yield from visitors(browser, hosted)


@pytest.fixture
def open_probe(browser: Browser, probed: Served) -> Iterator[Opener]:
    """The same at a table with the small game of the tests."""
    yield from visitors(browser, probed)
    probed.clear()


@pytest.fixture
def shots() -> Shots:
    """Takes pictures of pages that can be looked at afterwards."""
    return Shots()
