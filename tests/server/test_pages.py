"""Pages for players: in both languages, with links that lead somewhere and pictures that are there."""

from __future__ import annotations

import re

import pytest
from hosts import Host

from fronte.server import pages

EVERY = [(language, name) for language, names in pages.PAGES.items() for name in names]


def test_every_page_is_there_in_every_language() -> None:
    assert {tuple(names) for names in pages.PAGES.values()} == {tuple(pages.PAGES["en"])}


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_links_of_a_page_lead_to_pages_and_pictures_that_are_there(host: Host, language: str, name: str) -> None:
    shown = host.client.get(f"/pages/{language}/{name}")
    assert shown.status_code == 200
    assert f'<html lang="{language}">' in shown.text
    assert "<h1>" in shown.text
    inside = [address for address in re.findall(r'(?:href|src)="([^"]+)"', shown.text) if address.startswith("/")]
    assert f"/pages/{'it' if language == 'en' else 'en'}/{name}" in inside  # the same in the other language
    for address in inside:
        if address != "/":
            assert host.client.get(address).status_code == 200, address


def test_what_is_no_page_is_named_without_a_link() -> None:
    shown = pages.page("it", "playing")
    assert 'href="ospitare.md"' not in shown
    assert 'href="/pages/it/hosting"' in shown
    assert 'href="server.md' not in pages.page("en", "dice")


@pytest.mark.parametrize(
    "address", ["/pages/de/dice", "/pages/en/server", "/pages/en/..%2Fai", "/pages/pictures/x.webp"]
)
def test_nothing_else_is_given_out(host: Host, address: str) -> None:
    assert host.client.get(address).status_code == 404
