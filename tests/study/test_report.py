"""The report of a study: every figure is there, it needs nothing else, in both languages."""

from __future__ import annotations

import re
import string
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from small_studies import RANDOM, Studied

import fronte
import fronte.study
from fronte.study.asked import begin
from fronte.study.front import without_pockets
from fronte.study.history import HEADING, rows_of
from fronte.study.measures import read_samples
from fronte.study.objectives import NEVER
from fronte.study.plan import Asked
from fronte.study.plot import is_dark, mix, ticks
from fronte.study.report import write_report
from fronte.study.run import play
from fronte.study.runners import here
from fronte.study.words import Words

FIGURES = ["score", "levels", "course", "objectives", "front", "ground", "combats", "losses"]
FIGURES += ["losses-italian", "losses-ah", "luck"]


class Page(HTMLParser):
    """What a page holds: ids, links, and everything that it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(str(value))
            elif name == "href" and tag == "a":
                self.links.append(str(value))
            elif name in ("src", "href", "xlink:href", "srcset", "data", "action"):
                self.loads.append(str(value))


@pytest.mark.costly
def test_the_report_of_a_study(studied: Studied) -> None:
    plan, folder = studied
    text = write_report(plan, folder, "en").read_text(encoding="utf-8")
    page = Page(text)
    assert "Places, beside history" in text and "not at all" in text
    assert [name for name in page.ids if name in FIGURES] == FIGURES
    assert page.tags.count("svg") == len(FIGURES)
    assert set(page.links) <= {f"#{name}" for name in page.ids}
    assert page.loads == []
    assert set(re.findall(r"url\('?(data:|[^)]{0,20})", text)) == {"data:"}
    assert not re.search(r"https?://", text)
    assert not {"script", "link", "iframe", "img"} & set(page.tags)
    for name in FIGURES:
        picture = ElementTree.parse(folder / "figures" / f"{name}.svg").getroot()
        assert picture.find("{http://www.w3.org/2000/svg}title").text
        assert (folder / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert f"fronte study {plan.game} --players {RANDOM} --games 6 --seed 3" in text


def test_the_report_says_what_the_tables_say(studied: Studied) -> None:
    plan, folder = studied
    (sample,) = read_samples(plan, folder)
    assert sample.games == 6
    assert sample.held.shape[:2] == (len(sample.turns), 6)
    worth = sum(one.worth * one.fallen[-1].mean() for one in sample.objectives if one.seat != sample.seats[0])
    mine = [one for one in sample.objectives if one.seat == sample.seats[0]]
    worth += sum(one.worth * (1 - one.fallen[-1].mean()) for one in mine)
    rows = sample._columns("turns")
    last = {game: value for game, seat, value in zip(rows["game"], rows["seat"], rows["objectives"], strict=True)
            if seat == sample.seats[0]}  # fmt: skip
    assert sum(last.values()) / 6 == pytest.approx(worth)
    assert sum(sample.combat_map().values()) == pytest.approx(sample.combats.mean())
    for seat in sample.seats:
        assert sum(sample.loss_map(seat).values()) == pytest.approx(sample.lost("steps_lost", seat).mean())
    assert sample.wins("italian").sum() + sample.wins("ah").sum() + sample.wins(None).sum() == 6


def test_places_stand_beside_history(studied: Studied) -> None:
    plan, folder = studied
    (sample,) = read_samples(plan, folder)
    named = {one.hex: one for one in sample.objectives}
    assert set(sample.dates) <= set(named) and len(sample.fits) == len(sample.dates) > 15
    last = sample.turns[-1]
    for place, told in sample.dates.items():
        assert told.since is None or told.by is None or sample.turns[0] <= told.since <= told.by <= last, place
    for fit in sample.fits:
        assert fit.kept == named[fit.place.hex].fallen[-1].mean() <= fit.fell
        if fit.dates.since == NEVER:
            assert fit.share == pytest.approx(1 - fit.kept), "it agrees where the place is not lost in the end"
    rows = rows_of(sample.fits, Words(sample.rules, "it"))
    assert {"mai"} < {row[1] for row in rows} and all(len(row) == len(HEADING) for row in rows)


def test_a_comparison_in_italian(tmp_path: Path) -> None:
    plan = begin(tmp_path, Asked("isonzo", RANDOM, games=3, compare=["scenario=historical,surprise"]))
    play(plan, tmp_path, here, lambda: None)
    page = Page(text := write_report(plan, tmp_path, "it").read_text(encoding="utf-8"))
    names = ["score", "levels", "difference-2", "objectives-difference-2"]
    names += [f"{name}-{k}" for k in (1, 2) for name in FIGURES if name not in ("score", "levels")]
    assert [name for name in page.ids if name in names] == names
    assert "Il punteggio mediano (Italiano)" in text
    assert "scenario=surprise a confronto con scenario=historical" in text


DATA = sorted(Path(fronte.study.__path__[0]).glob("**/data"))


@pytest.mark.parametrize("folder", DATA, ids=lambda folder: folder.parent.name)
def test_both_languages_say_the_same(folder: Path) -> None:
    texts = [
        tomllib.loads((folder / f"report.{language}.toml").read_text(encoding="utf-8")) for language in ("en", "it")
    ]
    assert list(texts[0]) == list(texts[1])
    for key in texts[0]:
        english, italian = ({field for _, field, _, _ in string.Formatter().parse(one[key]) if field} for one in texts)
        assert english - {"seat", "side"} == italian - {"seat", "side"}, key


def test_pockets_are_no_front() -> None:
    grid = fronte.ruleset("isonzo").grid
    west = sum(1 << h for h, column in enumerate(grid.column) if column < 20)
    assert without_pockets(grid, west) == west
    assert without_pockets(grid, west | 1 << grid.index["2805"] | 1 << grid.index["2806"]) == west
    assert without_pockets(grid, west & ~(1 << grid.index["1210"])) == west


def test_round_numbers_and_colours() -> None:
    assert ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert ticks(-7, 52, 6) == [0, 10, 20, 30, 40, 50]
    assert ticks(0, 0.34, 4) == [0, 0.1, 0.2, 0.3]
    assert mix(("#000000", "#ffffff"), 0.5) == "#808080"
    assert mix(("#ff0000", "#00ff00", "#0000ff"), 1) == "#0000ff"
    assert is_dark("#08306b") and not is_dark("#ffffb2")
