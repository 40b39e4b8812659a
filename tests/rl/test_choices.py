"""Small choices: never none, never a way to what is illegal, and a way to everything that is legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from learners import decisions, enough, environment, random_options

from fronte.engine.decision import Action
from fronte.games.inferno.movement import Move
from fronte.rl import Environment

LISTED = 400
"""So many actions of a decision are tried; subsets can be endless."""
WALKED = 250
"""Decisions with more sequences of choices than this are not walked through."""


@pytest.mark.needs("learners")
def test_every_verb_of_every_decision_can_be_spelled(game: str, scenario: str) -> None:
    learner = environment(game, scenario)
    for choice in learner.rules.choices.values():
        for verb in choice.verbs:
            assert str(verb.__struct_config__.tag) in learner.alphabet.verb
    assert len({learner.alphabet.name(number) for number in range(learner.alphabet.size)}) >= learner.alphabet.size - 1


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.needs("learners")
def test_all_that_is_legal_can_be_chosen_and_in_one_way_only(game: str, scenario: str, seed: int) -> None:
    learner = Environment(game, scenario, random_options(game, scenario, Random(seed)))
    kinds = set()
    tried = 0
    for number, _ in enumerate(decisions(learner, seed)):
        kind = learner.match.state.frames[-1].name
        if kind in kinds and (number + seed) % 23:
            continue
        kinds.add(kind)
        listed = list(islice(learner.match.legal(), LISTED))
        spelled = [tuple(learner.spell(action)) for action in listed]
        assert len(set(spelled)) == len(listed), kind
        tried += len(listed)
    assert tried > enough(game, scenario, 1000)
    wanted = {"movement", "combat", "reinforcement"}
    assert wanted - kinds <= ({"reinforcement"} if enough(game, scenario, 10) < 10 else set())  # too short for reserves


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.needs("learners")
def test_every_sequence_of_choices_leads_to_a_legal_action(game: str, scenario: str, seed: int) -> None:
    learner = Environment(game, scenario, random_options(game, scenario, Random(100 + seed)))
    walked = 0
    for number, _ in enumerate(decisions(learner, 100 + seed)):
        kind = learner.match.state.frames[-1].name
        if number % (33 if kind == "movement" else 3):
            continue
        found = list(islice(_all_actions(learner, [], short=kind == "movement"), WALKED))
        assert all(learner.match.why_not(action) is None for action in found), kind
        if len(found) < WALKED and kind != "movement":
            assert len(set(found)) == len(found)
            assert set(found) == set(islice(learner.match.legal(), WALKED)), kind
            walked += 1
    assert walked > 20


def _all_actions(learner: Environment, answers: list[int], short: bool) -> Iterator[Action]:
    """Every action that the choices of this decision lead to; of moves only the first two hexes, if `short`. A dialogue
    is begun anew for each action, not for each choice."""
    dialogue = learner.dialogue()
    others: list[tuple[list[int], list[int]]] = []
    try:
        choices = next(dialogue)
        for answer in answers:
            choices = dialogue.send(answer)
        while True:
            assert choices
            assert len(set(choices)) == len(choices)
            first, *more = choices[-1:] if short and len(answers) == 3 else choices
            others.append((answers, more))
            answers = [*answers, first]
            choices = dialogue.send(first)
    except StopIteration as end:
        yield end.value
    for before, more in reversed(others):
        for choice in more:
            yield from _all_actions(learner, [*before, choice], short)


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.needs("learners")
def test_random_choices_end_the_game_by_legal_actions_only(
    game: str, scenario: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = Environment(game, scenario, random_options(game, scenario, Random(200 + seed)))
    plain = Environment._play
    played: list[Action] = []

    def checked(self: Environment, action: Action) -> None:
        assert self.match.why_not(action) is None
        played.append(action)
        plain(self, action)
        assert self.rules.broken(self.match.state) == []

    monkeypatch.setattr(Environment, "_play", checked)
    for _ in decisions(learner, 200 + seed):
        assert len(learner.choices) > 1
    assert learner.match.result is not None
    assert len(played) == len(learner.match.entries) > enough(game, scenario, 50)
    assert any(isinstance(action, Move) and len(action.path) > 1 for action in played)


@pytest.mark.needs("learners")
def test_what_is_kept_up_to_date_is_what_would_be_found_afresh(game: str, scenario: str) -> None:
    afresh = environment(game, scenario)
    learner = Environment(game, scenario)
    compared = 0
    for number, _ in enumerate(decisions(learner, 5)):
        if number % 4 == 0:
            afresh.reset(options={"match": learner.match})
            assert sorted(afresh.choices) == sorted(learner.choices)
            assert afresh.agent_selection == learner.agent_selection
            compared += 1
    assert compared > enough(game, scenario, 40)


def test_units_may_be_named_in_any_order() -> None:
    learner = environment("isonzo")
    reordered = 0
    for _ in decisions(learner, 3):
        if learner.match.state.frames[-1].name != "combat":
            continue
        for action in islice(learner.match.legal(), 200):
            units = getattr(action, "units", ())
            if len(units) > 1:
                turned = type(action)(action.target, units[::-1], action.guns)  # type: ignore[attr-defined,call-arg]
                assert learner.spell(turned) == learner.spell(action)
                reordered += 1
    assert reordered > 10


def test_a_choice_that_is_not_offered_is_refused_in_words() -> None:
    learner = environment("isonzo")
    learner.reset(seed=1)
    barred = next(number for number in range(learner.alphabet.size) if number not in learner.choices)
    before = learner.observe(learner.agent_selection)["action_mask"].tolist()
    with pytest.raises(ValueError, match="not among the choices"):
        learner.step(barred)
    with pytest.raises(ValueError, match="not among the choices"):
        learner.step(-1)
    assert learner.observe(learner.agent_selection)["action_mask"].tolist() == before


def test_what_is_not_legal_cannot_be_spelled() -> None:
    learner = environment("isonzo")
    for _ in decisions(learner, 2):
        if learner.match.state.frames[-1].name == "movement":
            break
    unit = learner.rules.ids[0]
    for path in (("9999",), (learner.rules.board.grid.ids[-1],), ()):
        with pytest.raises(ValueError, match="no small choices lead"):
            learner.spell(Move(unit, path))
