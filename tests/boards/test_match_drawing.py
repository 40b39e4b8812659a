"""The picture of a match: what a notebook shows is what both sides see, unless one seat's view is asked for."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from random import Random

import pytest
from every import COVERED, TWO_TURNS

import fronte
from fronte.draw.board import board_png
from fronte.engine.view import Piece
from fronte.games.registry import FAMILIES

SVG = "{http://www.w3.org/2000/svg}"


def in_play(game: str, scenario: str, options: dict[str, str] | None = None, actions: int = 150) -> fronte.Match:
    """A match in which some random actions have been played, outside a combat."""
    match = fronte.new(game, scenario, 3, options)
    rng = Random(3)
    while len(match.entries) < actions or getattr(match.state, "battle", None) is not None:
        twin = match.copy()
        twin.play(twin.sample(rng))
        if twin.result is not None:  # a game that is soon over is looked at before its end
            break
        match = twin
    return match


def counters_in(match: fronte.Match, pieces: Sequence[Piece]) -> list[str]:
    """The names of these pieces, as far as they are on the map; empty for those that are nameless."""
    names = match.rules.texts("en").names.unit
    return sorted(names.get(piece.id, "") for piece in pieces if piece.at in match.rules.grid.index)


def on_top(match: fronte.Match, pieces: Sequence[Piece]) -> list[Piece]:
    """The four uppermost pieces of each hex, which are drawn; a number says how many lie there."""
    stacks: dict[str, list[Piece]] = {}
    for piece in sorted(pieces, key=lambda piece: piece.order):
        stacks.setdefault(piece.at, []).append(piece)
    return [piece for stack in stacks.values() for piece in stack[-4:]]


def drawn_counters(picture: str) -> int:
    return picture.count('<g class="counter" transform')


@pytest.mark.costly(each=True)
def test_a_notebook_shows_what_both_sides_see(game: str, scenario: str) -> None:
    match = in_play(game, scenario)
    picture = match._repr_svg_()
    assert picture == match.picture()
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    common = match.rules.public_view(match.state)
    shown = counters_in(match, on_top(match, common.pieces))
    assert drawn_counters(picture) == len(shown)
    texts = [node.text or "" for node in root.iter(f"{SVG}text")]
    assert all(name in texts for name in shown if name)
    assert f"turn {match.state.turn}" in texts[-1]
    assert "as both sides see it" in texts[-1]


@pytest.mark.costly(each=True)
def test_what_either_side_hides_changes_nothing_in_it(game: str, scenario: str) -> None:
    match = in_play(game, scenario, COVERED.get(game))
    for seat in range(len(match.rules.seats)):
        other = match.rules.shuffle_hidden(match.state, seat, Random(5))
        assert match.rules.to_position(other) != match.rules.to_position(match.state)
        twin = fronte.Match(match.rules, other, [])
        assert twin.picture() == match.picture()
        assert twin.picture(match.rules.seats[seat]) == match.picture(match.rules.seats[seat])


@pytest.mark.costly(each=True)
def test_a_seat_sees_its_own_units_besides(game: str, scenario: str) -> None:
    match = in_play(game, scenario)
    for seat in match.rules.seats:
        view = match.view(seat)
        stacks: dict[str, int] = {}
        for piece in view.pieces:
            if piece.at in match.rules.grid.index:
                stacks[piece.at] = stacks.get(piece.at, 0) + 1
        picture = match.picture(seat)
        assert drawn_counters(picture) == sum(min(4, size) for size in stacks.values())
        if FAMILIES[game] == "inferno":  # there the other side sees the top of a stack alone
            seen = {piece.id for piece in match.rules.public_view(match.state).pieces}
            covered = [piece for piece in view.pieces if piece.at in stacks and piece.id not in seen]
            assert covered or scenario in TWO_TURNS
            assert (drawn_counters(picture) > drawn_counters(match.picture())) == bool(covered)
    with pytest.raises(ValueError, match="no seat"):
        match.picture("nobody")


def test_bridges_are_drawn_as_they_stand() -> None:
    match = fronte.new("isonzo", seed=1)
    data = match.rules.to_position(match.state)
    broken = match.picture().count('class="sign destroyed"')
    bridge = next(
        match.rules.board.hexside_name(number)  # type: ignore[attr-defined]
        for number in match.rules.board.bridges  # type: ignore[attr-defined]
        if match.rules.board.hexside_name(number) not in data["destroyed"]  # type: ignore[attr-defined]
    )
    later = fronte.position("isonzo", data | {"destroyed": [*data["destroyed"], bridge]})
    assert later.picture().count('class="sign destroyed"') == broken + 1


def test_it_has_no_styles_that_could_reach_the_rest_of_a_page() -> None:
    """Colours and letters are attributes; a page's policy against style sheets leaves them as they are."""
    root = ElementTree.fromstring(fronte.new("isonzo").picture())
    assert root.find(f".//{SVG}style") is None
    assert not [node.tag for node in root.iter() if "style" in node.attrib]


@pytest.mark.costly(each=True)
def test_it_tells_how_the_game_ended(game: str, scenario: str) -> None:
    match = fronte.new(game, scenario, seed=4)
    rng = Random(4)
    while match.result is None:
        match.play(match.sample(rng))
    assert "the game is over" in match.picture()


def test_it_can_be_made_a_png() -> None:
    pytest.importorskip("resvg_py")
    assert board_png(fronte.new("altipiani").picture(), 300).startswith(b"\x89PNG")


def test_the_first_turns_of_altipiani_are_marked() -> None:
    """12.4: who may not move yet, and the guns of the barrage; the same signs as in the browser."""
    match = fronte.new("altipiani", "historical", seed=3)
    frozen = [piece.id for piece in match.rules.public_view(match.state).pieces if "frozen" in piece.marks]
    assert "it-ivrea" in frozen
    assert match.picture().count('class="edge-se frozen"') == len(frozen)
    assert 'class="edge-e barrage"' in match.picture()
    match.state.turn = 3
    assert not any({"frozen", "barrage"} & set(piece.marks) for piece in match.view("ah").pieces)
    assert ' frozen"' not in match.picture() and ' barrage"' not in match.picture()
