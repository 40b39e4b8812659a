"""The first visit: a lesson on a corner of the board, in a real match under the real rules."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from table import click_hex, end_phase, part, play_on_until, wait_asked
from visitors import DESKTOP, PHONE, Opener, Shots


def told(page: Page, words: str) -> None:
    """The lesson says this now."""
    expect(part(page, "lesson")).to_contain_text(words)


def test_the_lesson_is_offered_and_can_be_put_off(open_page: Opener) -> None:
    page = open_page(DESKTOP)
    expect(page.locator(".first.large")).to_be_visible()
    part(page, "lesson-skip").click()
    expect(page.locator(".first.large")).to_have_count(0)
    page.reload()
    expect(part(page, "lesson-begin")).to_be_enabled()  # it stays to be had, but no longer calls
    expect(part(page, "lesson-skip")).to_have_count(0)


def test_a_whole_turn_is_learnt(open_page: Opener, shots: Shots) -> None:
    page = open_page(DESKTOP)
    part(page, "lesson-begin").click()
    told(page, "Throw it back")
    expect(page.locator("[data-unit]")).to_have_count(5)
    part(page, "lesson-next").click()
    told(page, "Click the ALESSANDRIA brigade")
    expect(part(page, "lesson-next")).to_have_count(0)  # it waits for the learner
    click_hex(page, "0812")
    told(page, "dashed green line is its supply path")
    expect(page.locator("path.lane")).to_have_count(1)
    part(page, "lesson-next").click()
    shots(page, "lesson-move.png")
    click_hex(page, "0911")
    told(page, "it counts 4")
    expect(page.get_by_text("the path counts 4")).to_be_visible()
    page.reload()  # the lesson goes on where it was
    told(page, "it counts 4")
    part(page, "lesson-next").click()
    end_phase(page)
    told(page, "Click the enemy in 0910")
    click_hex(page, "0910")
    told(page, "the column 2.5:1")
    expect(part(page, "odds")).to_contain_text("2.5:1")
    page.locator(".acting .chip", has_text="ART. IV").click()
    told(page, "question mark")
    shots(page, "lesson-attack.png")
    part(page, "attack").click()
    told(page, "Who advances")
    page.locator(".acting .chip", has_text="ALESSANDRIA").click()
    part(page, "confirm").click()
    told(page, "An attack costs blood")
    part(page, "confirm").click()
    told(page, "Press “End Combat Phase”")
    end_phase(page)
    play_on_until(page, "Turn 3")
    told(page, "That was a whole turn")
    expect(part(page, "state")).to_contain_text("Turn 3")
    part(page, "lesson-home").click()
    expect(part(page, "begin")).to_be_visible()
    expect(part(page, "evening-isonzo")).to_have_class(re.compile("main"))  # what one has learnt for comes next
    part(page, "group-learning").locator("summary").click()  # lessons stand apart
    expect(page.get_by_text("Lesson", exact=True).first).to_be_visible()  # named in the language of the screen
    part(page, "lang-it").click()
    expect(page.get_by_text("Lezione", exact=True).first).to_be_visible()


def test_who_goes_ahead_is_not_held_back_and_may_leave(open_page: Opener, shots: Shots) -> None:
    page = open_page(PHONE, language="it")
    part(page, "lesson-begin").click()
    told(page, "Questo è un angolo della mappa")
    part(page, "lesson-next").click()
    shots(page, "lesson-phone.png")
    end_phase(page)  # without moving at all
    told(page, "Ciò che puoi attaccare")
    part(page, "lesson-leave").click()
    expect(part(page, "lesson")).to_have_count(0)
    page.reload()
    wait_asked(page, "Attacca i nemici")
    expect(part(page, "lesson")).to_have_count(0)
