"""The strict content security policy of the server, and the client that lives with it."""

from __future__ import annotations

from playwright.sync_api import expect
from table import click_hex, end_phase, part
from visitors import Opener, Served

LISTEN = """
window.refused = []
document.addEventListener('securitypolicyviolation', (event) =>
    window.refused.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`))
"""


def test_nothing_of_the_client_is_refused(served: Served, open_page: Opener) -> None:
    match = served.create(ah="random")
    page = open_page(match=match)
    page.add_init_script(LISTEN)
    answer = page.reload()
    assert answer is not None and "unsafe" not in answer.headers["content-security-policy"]
    expect(part(page, "what-now")).to_be_visible()
    end_phase(page)
    click_hex(page, "1810")
    page.keyboard.press("?")
    page.wait_for_timeout(300)
    assert page.evaluate("window.refused") == []
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=https://elsewhere.example/x.png>')")
    page.wait_for_function("window.refused.length === 1")  # and the policy does hold
    page.goto(served.address)
    page.wait_for_timeout(300)
    assert page.evaluate("window.refused") == []
