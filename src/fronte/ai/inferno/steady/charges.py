"""What somebody has to stand by: guns, ends of pontoons and objectives that an enemy could walk into if nobody did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.posts import Posts
from fronte.hexes import bits, mask_of

STAKE = 5.0
"""A gun, or an end of a pontoon, as objectives are in victory points."""


def span_ends(picture: Picture, side: int, trodden: int = 0) -> list[int]:
    """12.2.c of Isonzo: the end hexes of a side's pontoons, each as often as one ends there.

    Those with an end in a hex that has been trodden are broken.
    """
    sides = picture.rules.board.sides
    ends = [(sides[number].a, sides[number].b) for number in picture.terms.spans(picture.state, side)]
    return [h for two in ends if not mask_of(two) & trodden for h in two]


def charges(picture: Picture, posts: Posts) -> Mapping[int, float]:
    """Such places with somebody in them, near which an enemy could come, and what each is worth in victory points."""
    rules, state, side, chart = picture.rules, picture.state, picture.side, picture.chart
    posts.watch()
    guns = [state.at[gun] for gun in rules.guns_of[side] if state.at[gun] >= 0]
    found = {h: STAKE * times for h, times in Counter([*span_ends(picture, side), *guns]).items()}
    for goal in bits(chart.goals & picture.ours):
        found[goal] = found.get(goal, 0.0) + chart.worth(goal)
    near = (rules.board.around(posts.threat) | picture.belt) & state.zocs[side]
    return {h: worth for h, worth in found.items() if near >> h & 1}
