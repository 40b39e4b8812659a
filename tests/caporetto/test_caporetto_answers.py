"""Odds of answers: to stay before the next wave, a second hex of retreat, support on the move, Rommel's dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

from caporetto_assaults import Table

import fronte
from fronte.engine.match import Match
from fronte.games.caporetto import odds_sheets
from fronte.games.caporetto.aftermath import Remain, line_of
from fronte.games.caporetto.assaulting import Pick, Stand, Wave
from fronte.games.caporetto.falling_back import Farther, groups
from fronte.games.caporetto.tables import Outcome
from fronte.hexes import mask_of


def asked(kind: str, most: int, scenario: str = "cividale", seeds: range = range(5)) -> Iterator[Match]:
    """Random games at questions of this kind; who can assault does."""
    found = 0
    for seed in seeds:
        match, rng = fronte.new("caporetto", scenario=scenario, seed=seed), Random(seed)
        while match.decision is not None and found < most:
            if match.decision.kind == kind:
                found += 1
                yield match
            listed = []
            if match.decision.kind == "act":
                listed = [a for a in match.offer["actions"] if a["do"] in ("assault", "storm", "support")]
            match.play(rng.choice(listed) if listed and rng.random() < 0.8 else match.sample(rng))
        if found >= most:
            return


def test_who_stays_is_told_of_the_next_wave() -> None:
    """10.2.4: the wave that then comes is the one whose odds were told."""
    table = Table()
    wave = [*table.put(1, "ah-sch1-1"), *table.put(2, "ah-sch1-2"), *table.put(3, "ah-sch1-3")]
    table.put(0, "it-87-1", "it-87-2")
    table.assaults(*wave)
    table.step("assault_step", 0)
    table.play(Wave(("ah-sch1-1", "ah-sch1-2"), "ah-sch1-1"))
    table.play(Stand(("it-87-1", "it-87-2"), "it-87-2"), [1])
    assert table.asked == "withdraw"
    told = table.rules.sheet(table.state, Remain(), table.top.seat)
    assert told.of == 6 and not told.unknown
    table.play(Remain())
    assert table.asked == "stand"
    best = min(
        (table.rules.sheet(table.state, action, table.top.seat) for action in table.legal()),
        key=lambda sheet: sheet.data["column"],
    )
    assert (told.rows, told.facts) == (best.rows, best.facts)
    table.play(table.legal()[0], [1])
    assert table.asked == "withdraw"
    nobody = table.rules.sheet(table.state, Remain(), table.top.seat)
    assert not nobody.of and nobody.facts[0].key == "no_more_waves"


def test_who_retreats_is_told_whether_he_comes_under_fire() -> None:
    """12.3.5.4, 12.3.5.5: as it turns out, whatever lies covered."""
    found = {True: 0, False: 0}
    for match in asked("retreat_to", 40, "maggiore", seeds=range(20)):
        rules: Any = match.rules
        for action in islice(match.legal(), 6):
            told = odds_sheets._sheet(rules, match.state.copy(), action, -1)
            assert all(sum(row.counts) == told.of for row in told.rows)
            after = match.copy()
            fired = [event.data["hex"] for event in after.play(action) if event.kind == "fired"]
            met = action.hex in fired or (after.decision is not None and after.decision.kind == "infiltration")
            assert met != (told.facts[-1].key == "unharmed"), action
            found[met] += 1
            assert match.odds(action).of
    assert all(found.values()), found


def test_a_second_hex_is_counted_over_all_dice() -> None:
    compared = 0
    for match in asked("second_hex", 8):
        rules: Any = match.rules
        action = next(one for one in match.legal() if isinstance(one, Farther))
        able = groups(rules, match.state, *match.state.frames[-1].args)
        units = [unit for name in action.hexes for unit in able[rules.grid.index[name]]]
        counts = [0] * (len(units) + 1)
        for dice in product(range(1, 7), repeat=len(units)):
            counts[sum(die > rules.morale[unit] for die, unit in zip(dice, units, strict=True))] += 1
        told = match.odds(action)
        assert told.of == 6 ** len(units)
        assert list(told.rows[0].counts) == counts[: len(told.rows[0].counts)]
        assert not any(counts[len(told.rows[0].counts) :])
        compared += 1
    assert compared


def test_each_of_rommels_dice_is_told_by_its_line() -> None:
    """21.6.2."""
    for die in (2, 5):
        table = Table()
        wave, _ = table.put(1, "de-wgb-1", "de-wgb-2", "de-wgb-3", "de-wgb-4"), table.put(0, "it-87-1")
        table.assaults(*wave)
        table.state.rommel = mask_of(wave)
        table.step("assault_step", 0)
        table.play(Wave(table.names(wave), "de-wgb-1"), [2, 5])
        told = table.rules.sheet(table.state, Pick(die), table.top.seat)
        table.play(Pick(die))
        result = table.told("assault_result")[0]
        lines = []
        for who in ("ahg", "italian"):
            found = [row.counts.index(1) for row in told.rows if row.who == who and row.what != "victory"]
            lines.append(line_of(Outcome(dp=found[0], steps=found[1], retreat=bool(found[2]))))
        assert lines == [result["attacker"], result["defender"]]
        assert told.rows[0].counts == (int(not result["won"]), int(result["won"]))
