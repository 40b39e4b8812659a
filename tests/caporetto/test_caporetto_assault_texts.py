"""What assaults ask, refuse and tell, in words, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from caporetto_assaults import Table
from caporetto_packs import PACK

import fronte.games
from fronte.engine.decision import Choice, Decision
from fronte.engine.frames import Chance
from fronte.engine.notation import from_text, to_text
from fronte.engine.text import texts_of
from fronte.games.caporetto import assaulting, countering, falling_back, on_the_move
from fronte.games.caporetto.assaulting import Stand, Wave
from fronte.games.caporetto.countering import Counter
from fronte.games.caporetto.falling_back import Farther, Retreat

MODULES = (assaulting, falling_back, on_the_move, countering)
LANGUAGES = ("en", "it")
FOLDER = Path(fronte.games.__file__).parent / "caporetto"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_answer_and_die_has_its_words(language: str) -> None:
    tables = texts_of(PACK, language).tables
    for module in MODULES:
        for told in module.CHAPTER.declared:
            if isinstance(told.run, Chance):
                assert told.name in tables["die"], told.name
            if isinstance(told.run, Choice):
                assert told.name in tables["question"], told.name
                assert tables["decision"][told.name]["ask"] and tables["decision"][told.name]["hint"]
                for verb in told.run.verbs:
                    tag = str(verb.__struct_config__.tag)
                    assert tag in tables["verb"] and tag in tables["action"], tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_and_refusal_of_these_chapters_has_its_words(language: str) -> None:
    tables = texts_of(PACK, language).tables
    own = ("assaulting", "falling_back", "on_the_move", "countering", "retreats", "counter_assault")
    for name in own:
        source = (FOLDER / f"{name}.py").read_text()
        for kind in re.findall(r'Event\(\s*"(\w+)"', source):
            assert kind in tables["event"] or kind == "support_declared", kind
        for key in re.findall(r'Refusal\(\s*"[\w.]+",\s*"(\w+)"', source):
            assert key in tables["refusal"] or key in OTHERS, key


OTHERS = {
    *("does_not_act", "assaults_already", "bound_to_hex", "does_not_move", "supports_already", "cannot_enter"),
    *("road_is_full", "stops_there", "too_full", "one_supports_from_here"),
}
"""Told with the movement of an action."""


def test_a_whole_assault_is_told_without_gaps() -> None:
    table = Table()
    wave, men = table.put(1, "ah-sch1-1", "ah-sch1-2"), table.put(0, "it-87-1", "it-87-2")
    table.assaults(*wave)
    table.step("assault_step", 0)
    asked = []
    answers = [
        (Wave(table.names(wave), "ah-sch1-1"), []),
        (Stand(table.names(men), "it-87-2"), [6]),
        (Retreat(("it-87-1", "it-87-2"), table.rules.grid.ids[table.hexes[4]]), []),
        (Farther((table.rules.grid.ids[table.hexes[4]],)), [6, 1]),
    ]
    for action, dice in answers:
        asked.append((table.asked, table.choice.about(table.rules, table.state, table.top)))
        assert from_text(to_text(action), table.choice.verbs) == action
        table.play(action, dice)
    for language in LANGUAGES:
        texts = texts_of(PACK, language)
        for event in table.out:
            if event.kind in ("assault", "assault_result", "advanced", "retreated", "rout_die", "routed"):
                said = texts.event(event, cite=False)
                assert said and not set("{}[]") & set(said), said
        for name, about in asked:
            said = texts.ask(Decision("ahg", name, (), about))
            assert said and not set("{}[]") & set(said), said
        for action, _ in answers:
            said = texts.action(msgspec.to_builtins(action))
            assert said and not set("{}[]") & set(said), said
    english = [texts_of(PACK, "en").event(event, cite=False) for event in table.out if event.kind == "assault"]
    assert english[0].endswith("(6) against II/87 and I/87 (6): 1:1, column 1:1.")


def test_an_order_to_counter_assault_is_written_on_one_line() -> None:
    for action in (
        Counter(("it-87-1", "it-87-2"), "2102"),
        Counter(("it-87-1",), "2102", ("2103", "2203"), "hard", "road"),
        Counter(("it-87-1",), "2102", (), "", "road"),
    ):
        assert from_text(to_text(action), (Counter,)) == action
