"""The course: a lesson after the first is taken on the screen, and its end leads to the next."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from table import click_hex, end_phase, part, wait_asked
from visitors import DESKTOP, PHONE, Opener, Shots


def begin(page: Page, lesson: str) -> None:
    part(page, "course").locator("summary").click(timeout=60_000)  # the first visitor waits for all games to be read
    part(page, f"lesson-{lesson}").click()


def told(page: Page, words: str) -> None:
    expect(part(page, "lesson")).to_contain_text(words)


def test_the_isonzo_is_crossed_and_the_next_lesson_begins(open_page: Opener, shots: Shots) -> None:
    page = open_page(DESKTOP)
    begin(page, "isonzo-crossing")
    told(page, "Nobody wades through this river")
    part(page, "lesson").get_by_role("button", name="14.2.b").click()
    expect(page.get_by_text("Means of crossing").first).to_be_visible()
    part(page, "tab-now").click()
    part(page, "lesson-next").click()
    page.get_by_role("button", name="2 PONT. lays a pontoon on 1711/1811").click()
    told(page, "The engineers are the bridge now")
    shots(page, "course-crossing.png")
    end_phase(page)
    told(page, "Move the ELBA brigade")
    for start, goal, then in (
        ("1711", "1811", "One brigade and one battalion"),  # ELBA, on top of its stack
        ("1711", "1811", "In 1712 there is no bridge"),  # then the Arditi
        ("1712", "1812", "from the other bank"),
    ):
        wait_asked(page, "Move your units")  # the machine may be asked in between
        click_hex(page, start)
        part(page, "move-to").select_option(goal)  # the counters of a stack are spread over the hexes beside it
        part(page, "move-go").click()
        told(page, then)
    end_phase(page)
    told(page, "Attack Vrh")
    click_hex(page, "1911")
    shots(page, "course-attack.png")
    part(page, "attack").click()
    told(page, "Let V BERS. advance")
    page.locator(".acting .chip", has_text="V BERS.").click()
    part(page, "confirm").click()
    told(page, "One reduction is yours")
    part(page, "confirm").click()
    told(page, "The bridgehead stands")
    shots(page, "course-end.png")
    part(page, "lesson-go-on").click()
    told(page, "The bridgehead of Tolmino")


def test_who_goes_another_way_is_told_and_taken_back(open_page: Opener, shots: Shots) -> None:
    page = open_page(DESKTOP)
    begin(page, "isonzo-reserves")
    told(page, "21 August")
    part(page, "lesson-next").click()
    told(page, "release RE")
    expect(page.get_by_text("Nothing to do here?")).to_have_count(0)  # the lesson says what to do
    end_phase(page)  # before any reserve is released
    told(page, "Bring SASSARI from 2518")
    told(page, "cannot be done now")
    shots(page, "course-another-way.png")
    part(page, "lesson-back").click()
    told(page, "release RE")
    expect(part(page, "lesson-cannot")).to_have_count(0)
    end_phase(page)
    told(page, "cannot be done now")
    part(page, "lesson-anew").click()
    told(page, "21 August")


def test_a_lesson_of_altipiani_on_a_phone(open_page: Opener, shots: Shots) -> None:
    page = open_page(PHONE, language="it")
    begin(page, "altipiani-first")
    told(page, "davanti a Folgaria")
    shots(page, "course-phone.png")
    part(page, "lesson-next").click()
    click_hex(page, "1811")
    told(page, "è preso di fianco")
    shots(page, "course-phone-attack.png")
