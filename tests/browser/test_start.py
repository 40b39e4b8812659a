"""The first page: a new match, the list, a saved one, language and text size."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect
from table import click_hex, end_phase, go_home, open_tab, part, wait_asked
from visitors import DESKTOP, PHONE, Opener, Served, Shots

import fronte


def test_a_new_match_is_set_up_listed_and_opened_again(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(DESKTOP)
    part(page, "scenario").select_option(label="Surprise attack")
    expect(page.get_by_text("What if the Italians had attacked a day earlier")).to_be_visible()
    part(page, "seat-ah").select_option("random")
    shots(page, "start.png")
    part(page, "more-choices").locator("summary").click()
    part(page, "match-name").fill("An evening at Plava")
    part(page, "handicap-side").select_option("italian")
    part(page, "handicap-points").fill("7")
    part(page, "begin").click()
    wait_asked(page, "bridge engineers")
    expect(part(page, "state")).to_contain_text("Turn 1")
    expect(part(page, "handicap")).to_have_text("handicap: Italian +7")
    expect(part(page, "track-score")).to_contain_text("7 victory points")
    expect(page.get_by_test_id("handover")).to_have_count(0)  # one person against the machine
    identity = re.search(r"#match/(\w+)", page.url)
    assert identity is not None
    go_home(page)
    expect(page.get_by_text("An evening at Plava")).to_be_visible()

    another = open_page(DESKTOP)  # another window of this machine: the server lets it in
    part(another, f"open-{identity[1]}").click()
    wait_asked(another, "bridge engineers")


def test_a_match_is_downloaded_and_uploaded(open_page: Opener, served: Served, tmp_path: Path) -> None:
    page = open_page(DESKTOP, served.create(ah="random"))
    wait_asked(page, "bridge engineers")
    part(page, "end").click()
    wait_asked(page, "Move your units")
    part(page, "tab-replay").click()
    with page.expect_download() as download:
        part(page, "download").click()
    file = tmp_path / "match.txt"
    download.value.save_as(file)
    assert "isonzo" in file.read_text()

    other = open_page(DESKTOP)
    part(other, "upload").set_input_files(file)
    expect(part(other, "reopen-italian")).to_have_value("human")  # those who played are chosen already
    expect(part(other, "reopen-ah")).to_have_value("random")
    part(other, "reopen-go").click()
    wait_asked(other, "Move your units")  # the machine goes on playing: there is nobody to hand over to
    expect(part(other, "handover")).to_have_count(0)
    go_home(other)
    expect(other.get_by_text("Austro-Hungarian: At random").first).to_be_visible()


def test_a_save_that_does_not_say_who_played_is_asked_about(open_page: Opener, tmp_path: Path) -> None:
    match = fronte.new("isonzo", scenario="historical", seed=3)
    match.play("end")
    file = tmp_path / "old.txt"
    file.write_text(match.save())
    page = open_page(DESKTOP)
    part(page, "upload").set_input_files(file)
    expect(part(page, "reopen")).to_contain_text("does not say who played")
    part(page, "reopen-ah").select_option("steady")
    part(page, "reopen-go").click()
    wait_asked(page, "Move your units")
    expect(part(page, "handover")).to_have_count(0)


def test_everything_speaks_italian_when_asked(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(DESKTOP, served.create(ah="random"))
    wait_asked(page, "bridge engineers")
    part(page, "tab-settings").click()
    part(page, "lang-it").click()
    expect(page.locator("html")).to_have_attribute("lang", "it")
    expect(part(page, "tab-tables")).to_have_text("Tabelle")
    wait_asked(page, "ponti di barche")  # what the server asks is asked in Italian too
    part(page, "tab-log").click()
    expect(page.get_by_role("heading", name="Che cosa è successo")).to_be_visible()
    shots(page, "italiano.png")
    page.reload()
    expect(part(page, "tab-tables")).to_have_text("Tabelle")  # and it is remembered
    end_phase(page)
    wait_asked(page, "Muovi le tue unità")
    click_hex(page, "1209")
    click_hex(page, "1208")
    expect(part(page, "refusal")).to_contain_text("nemic")  # a refusal too


def test_a_newcomer_meets_the_machine(open_page: Opener) -> None:
    page = open_page(DESKTOP)
    expect(part(page, "seat-italian")).to_have_value("human")
    expect(part(page, "seat-ah")).to_have_value("steady")
    expect(page.get_by_text("attacks where the odds are good")).to_be_visible()
    part(page, "more-choices").locator("summary").click()
    options = page.locator("details option").all_inner_texts()
    assert options and not [text for text in options if "_" in text]


def test_the_person_puts_a_word_into_the_dice_against_the_machine(open_page: Opener) -> None:
    page = open_page(DESKTOP)
    part(page, "begin").click()
    wait_asked(page, "bridge engineers")
    open_tab(page, "dice")
    expect(part(page, "commitment")).to_be_visible()
    expect(part(page, "word-italian")).to_have_text(re.compile(r"^[0-9a-f]{32}$"))


def test_text_can_be_made_larger(open_page: Opener) -> None:
    page = open_page(PHONE)
    before = page.evaluate("getComputedStyle(document.documentElement).fontSize")
    page.get_by_label("Text size").fill("150")
    after = page.evaluate("getComputedStyle(document.documentElement).fontSize")
    assert float(after[:-2]) == 1.5 * float(before[:-2])


def test_an_address_with_something_behind_the_match_opens_it_all_the_same(open_page: Opener, served: Served) -> None:
    match = served.create()
    page = open_page(DESKTOP, match, at=f"{served.address}/#match/{match['id']}/more", handover=False)
    expect(part(page, "what-now")).to_be_visible()
