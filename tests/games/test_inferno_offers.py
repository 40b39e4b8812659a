"""What the attack panel of the Inferno games begins with."""

from __future__ import annotations

import pytest

import fronte


@pytest.mark.parametrize(
    ("game", "options", "taken"),
    [("altipiani", {}, True), ("altipiani", {"artillery_once_per_phase": True}, False), ("isonzo", {}, False)],
)
def test_guns_are_taken_from_the_start_where_to_fire_costs_nothing(
    game: str, options: dict[str, bool], taken: bool
) -> None:
    """12.3: in Altipiani guns fire in every combat; where they fire once, or turn to Mov, each is a decision."""
    match = fronte.new(game, scenario="historical", seed=2, options=options)
    while match.decision is None or match.decision.kind != "combat":
        match.play("end")
    targets = match.offer["targets"]
    assert any(target["guns"] for target in targets.values())
    for hex, target in targets.items():
        assert target["first_guns"] == (target["guns"] if taken else [])
        if target["first"]:
            attack = {"do": "attack", "target": hex, "units": target["first"], "guns": target["first_guns"]}
            assert match.why_not(attack) is None
