"""2.2: the counters of Caporetto: how many, what they are worth, to whom they belong."""

from __future__ import annotations

from collections import Counter

import pytest
from caporetto_packs import PACK, SCENARIOS, printed

from fronte.engine.rulebook import Rulebook
from fronte.engine.text import Names, Texts
from fronte.games.caporetto import counters, stacking
from fronte.games.caporetto.counters import COLUMNS, Face
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

ROWS = PACK.csv("units.csv", COLUMNS)
CLASSES = {
    **{"gA": 9, "gJ": 9, "gL": 27, "gM": 9, "gN": 9, "gW": 6, "gX": 3, "gP": 1, "gF": 4},
    **{"aE": 16, "aS": 6, "aB": 9, "aG": 22, "aR": 9, "aT": 6, "aP": 2},
    **{
        "iL": 71,
        "iW": 51,
        "iR": 30,
        "iA": 19,
        "iB": 9,
        "iK": 12,
        "iC": 2,
        "iH": 2,
        "iM": 17,
        "iE": 7,
        "iP": 3,
        "iF": 1,
    },
    **{"light": 28, "medium": 41, "heavy": 26, "bombarda": 11, "hq": 71},
}
"""All counters: 371 combat units, 106 guns, 71 headquarters."""
VALUES = {
    **{"gA": ("4 3", "8 6", 7, 6, 4), "gJ": ("4 3", "8 6", 6, 6, 4), "gL": ("4 3", "8 6", 6, 6, 4)},
    **{"gM": ("3 2", "6 4", 6, 6, 3), "gN": ("3 2", "6 4", 6, 6, 3)},
    **{"gW": ("1", "2", 7, 6, 1), "gX": ("1", "3", 7, 6, 1), "gP": ("2", "0", 6, 6, 1)},
    **{"aE": ("4 2", "4 2", 6, 6, 2), "aS": ("4 2", "4 2", 6, 6, 2), "aB": ("4 2", "3 1", 6, 6, 2)},
    **{
        "aG": ("3 2", "3 1", 5, 6, 2),
        "aR": ("3 2", "3 1", 5, 6, 2),
        "aT": ("1", "2", 6, 6, 1),
        "aP": ("1", "0", 5, 6, 1),
    },
    **{"iL": ("3 1", "2 1", 5, 6, 2), "iW": ("2 1", "1 0", 4, 6, 2), "iR": ("3 1", "1 0", 4, 6, 2)},
    **{"iA": ("4 2", "3 1", 6, 6, 2), "iB": ("3 2", "2 1", 5, 7, 2), "iK": ("3 2", "2 1", 6, 7, 2)},
    **{"iC": ("3 1", "2 1", 5, 8, 2), "iH": ("2", "1", 5, 9, 1), "iM": ("1", "3", 5, 6, 1)},
    **{"iE": ("1", "0", 4, 6, 1), "iP": ("1", "0", 4, 6, 1), "iF": ("2 1", "0 0", 4, 6, 2)},
}
"""Strength and machine guns on both faces, morale, movement, steps."""
UNITS_OF = {
    **{"it-friuli": 7, "it-alp-rombon": 4, "it-genova": 7, "it-etna": 7, "it-alp-v": 3, "it-caltanissetta": 7},
    **{"it-alessandria": 7, "it-2-bers": 3, "it-foggia": 9, "it-potenza": 9, "it-vicenza": 9, "it-spezia": 7},
    **{"it-taro": 6, "it-napoli": 7, "it-alp-x": 4, "it-puglie": 7, "it-belluno": 6, "it-arno": 6, "it-firenze": 6},
    **{
        "it-elba": 6,
        "it-salerno": 6,
        "it-4-bers": 6,
        "it-5-bers": 6,
        "it-1-bers": 6,
        "it-ferrara": 6,
        "it-avellino": 6,
    },
    **{"it-alp-vii": 4, "it-alp-viii": 5, "it-jonio": 6, "it-milano": 6, "it-massa-carrara": 6},
    **{"ah-216": 5, "ah-217": 6, "ah-sch3": 4, "ah-sch26": 3, "ah-ksch1": 4, "ah-ksch2": 3, "ah-26gb": 4, "ah-38": 6},
    **{"de-jr11": 3, "de-jr12": 3, "de-jr13": 3, "ah-15gb": 5, "ah-3gb": 6, "de-ir23": 3, "de-ir62": 3, "de-ir63": 4},
    **{"de-rir11": 3, "de-rir22": 3, "de-ir157": 3, "de-jr1": 3, "de-leib": 4, "de-jr2": 3, "de-wgb": 9, "de-jr3": 4},
    **{"de-jr4": 3, "de-jr5": 3, "de-gr119": 3, "de-ir121": 3, "de-ir125": 3, "ah-7gb": 7, "ah-22gb": 6, "de-lgr8": 3},
    **{"de-gr12": 3, "de-ir52": 3, "ah-sch1": 3, "ah-sch14": 3, "ah-sch24": 3, "de-rommel": 0},
}
"""24.8: the formations of the historical campaign, reinforcements among them."""


def test_so_many_counters_of_each_class() -> None:
    assert Counter(row["class"] for row in ROWS) == CLASSES
    assert len(ROWS) == 548
    assert len({row["name"] for row in ROWS}) == len(ROWS)


def test_every_counter_of_a_class_has_its_values() -> None:
    for row in ROWS:
        if row["class"] in VALUES:
            faces = [" ".join(filter(None, (row[one], row[f"{one}2"]))) for one in ("cf", "mg")]
            told = (*faces, int(row["morale"]), int(row["ma"]), int(row["steps"]))
            assert told == VALUES[row["class"]], row["id"]


@pytest.mark.parametrize(
    ("name", "morale", "ma", "factor", "far"),
    [("light", 5, 5, 2, 4), ("medium", 5, 5, 3, 8), ("heavy", 5, 4, 6, 12), ("bombarda", 5, 4, 5, 2)],
)
def test_guns_by_class(name: str, morale: int, ma: int, factor: int, far: int) -> None:
    guns = [row for row in ROWS if row["class"] == name]
    assert {row["morale"] for row in guns} == {str(morale)}
    assert {row["range"] for row in guns} == {str(far)}
    assert {(row["ma"], row["factor"]) for row in guns if not row["traits"]} == {(str(ma), str(factor))}


def test_the_guns_are_three_to_one_and_one_is_motorised() -> None:
    """Notes of the designer; 21.8."""
    campaign = printed("historical")
    factors = [sum(campaign.factor[u] for u in bits(campaign.guns & campaign.of_side[side])) for side in (AHG, ITALIAN)]
    assert factors == [571, 208]
    motorised = [c for c in campaign.counters if counters.MOTORISED in c.traits]
    assert [(c.id, c.ma) for c in motorised] == [("it-2-army-mot", 8 * 4)]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_formation_has_a_headquarters_and_units_of_its_own(scenario: str) -> None:
    here = printed(scenario)
    for formation in here.formations:
        hq = here.counters[formation.hq]
        assert hq.is_hq and hq.formation == formation.id
        own = [u for u in formation.members if not here.generic >> u & 1]
        assert bool(own) == (formation.id != "de-rommel")
        assert {here.side[u] for u in own} <= {formation.side}
        assert {here.force[u] for u in own} <= {formation.force}
    assert len({f.id for f in here.formations}) == len(here.formations)


def test_formations_of_the_historical_campaign() -> None:
    here = printed("historical")
    assert {f.id: len([u for u in f.members if not here.generic >> u & 1]) for f in here.formations} == UNITS_OF
    found = printed("what_if")
    assert {f.id for f in found.formations} - set(UNITS_OF) == {"it-treviso", "it-roma"}


@pytest.mark.parametrize(
    ("formation", "initiative", "reach"),
    [
        ("de-ir23", 5, 6), ("de-wgb", 5, 6), ("de-rommel", 5, 3), ("ah-216", 4, 5), ("ah-ksch2", 4, 5), ("ah-38", 4, 5),
        ("ah-15gb", 3, 5), ("ah-22gb", 3, 5), ("ah-sch14", 3, 5), ("it-caltanissetta", 3, 4), ("it-puglie", 3, 4),
        ("it-2-bers", 3, 4), ("it-1-bers", 3, 4), ("it-4-bers", 3, 4), ("it-5-bers", 3, 4), ("it-alp-x", 3, 4),
        ("it-friuli", 2, 4), ("it-foggia", 2, 4), ("it-massa-carrara", 2, 4),
    ],
)  # fmt: skip
def test_headquarters(formation: str, initiative: int, reach: int) -> None:
    here = printed("historical")
    found = here.formations[here.formation_number(formation)]
    assert (found.initiative, found.command) == (initiative, reach)


def test_wings_have_their_corps() -> None:
    """24.1."""
    here = printed("historical")
    wings: dict[str, set[str]] = {}
    for u, c in enumerate(here.counters):
        if c.corps:
            wings.setdefault(here.scene.forces[here.force[u]], set()).add(c.corps)
    assert wings == {
        "ahg-left": {"LI", "XV"},
        "ahg-right": {"I", "III"},
        "italian-left": {"IV", "2A"},
        "italian-right": {"XXVII", "VII", "2A"},
    }
    assert here.scene.seats == ("left", "right")
    assert [here.scene.seats[seat] for seat in here.scene.seat_of] == ["left", "left", "right", "right"]


def test_movement_is_in_quarters_of_a_point() -> None:
    here = printed("historical")
    assert here.points[here.number["it-87-1"]] == 24
    assert here.pack.toml("pack.toml")["scale"]["fraction"] == counters.QUARTERS
    assert min(min(line) for line in here.tables.route_cost.values() if min(line) > 0) == 2  # and half of it is 1


class TestGermanBattalions:
    """21.10."""

    def test_each_step_is_a_company(self) -> None:
        here = printed("historical")
        of = lambda name: here.counters[here.number[name]].faces  # noqa: E731
        assert of("de-23-1") == (Face(4, 8), Face(3, 6), Face(2, 4), Face(1, 2))
        assert of("de-r11-1") == (Face(3, 6), Face(2, 4), Face(1, 2))
        assert of("ah-59-1") == (Face(4, 4), Face(2, 2))

    def test_companies_wait_to_be_detached(self) -> None:
        here = printed("historical")
        battalion = here.number["de-leib-2"]
        companies = here.companies_of[battalion]
        assert here.unit_ids(companies) == ("de-leib-2-co1", "de-leib-2-co2", "de-leib-2-co3")
        for u in companies:
            c = here.counters[u]
            assert (c.faces, c.morale, c.ma, c.size) == ((Face(1, 2),), 7, 24, "co")
            assert c.kind.mountain and c.kind.infiltration and c.is_generic
            assert here.formation_of[u] == here.formation_of[battalion] and here.begins[u] == -1
        assert len(here.companies_of[here.number["de-r11-1"]]) == 2
        assert here.generic.bit_count() == 45 * 3 + 18 * 2
        assert not any(here.counters[here.parent[u]].nation != counters.GERMAN for u in bits(here.generic))

    @pytest.mark.parametrize(("language", "told"), [("en", "company 2 of I/23"), ("it", "compagnia 2 di I/23")])
    def test_they_are_told_by_their_battalion(self, language: str, told: str) -> None:
        words = Texts(PACK.toml(f"text.{language}.toml"), Names(PACK), language, Rulebook.read(PACK))
        assert words.unit("de-23-1-co2") == told

    def test_rommel_takes_companies_of_the_wuerttembergers_machine_guns_too(self) -> None:
        """21.6."""
        here = printed("historical")
        rifles, guns = [f"de-wgb-{n}" for n in range(1, 7)], [f"de-wgb-mg-{n}" for n in range(1, 4)]
        assert here.unit_ids(bits(here.rommel_companies)) == (*rifles, *guns)
        assert here.formations[here.rommel].members == ()


class TestKinds:
    def test_who_infiltrates_climbs_and_assaults(self) -> None:
        """21.1, 21.3, 21.5, 10.0.9."""
        here = printed("historical")
        names = lambda mask: {here.counters[u].kind.name for u in bits(mask)}  # noqa: E731
        assert names(here.infiltration) == {"gA", "gJ", "gL", "gM", "gN", "gW", "aT"}
        assert names(here.superior) == {"gA", "gJ", "gL", "gM", "gN", "gW"}
        assert names(here.mountain) == {"gA", "gJ", "gM", "gW", "gX", "aE", "aS", "aB", "aG", "iA"}
        assert names(here.combat & ~here.assaulting) == {"gX", "gF", "aP", "iM", "iE", "iP"}
        assert names(here.pontoons) == {"gP", "iP"}
        assert names(here.combat & ~here.zoc_makers) == {"gF"}
        assert here.assaulting & here.guns == 0 == here.assaulting & here.hqs

    def test_sets_cover_all_counters_once(self) -> None:
        here = printed("historical")
        everything = (1 << len(here.counters)) - 1
        for parts in (here.of_side, here.of_force, here.of_nation, here.of_branch, tuple(here.of_class.values())):
            assert sum(parts) == everything
            assert sum(part.bit_count() for part in parts) == len(here.counters)
        assert here.combat | here.guns | here.hqs == everything

    def test_what_surrender_is_worth(self) -> None:
        """23.1; I/CIII is a battalion by its name."""
        here = printed("historical")
        values = {name: here.surrender_value[here.number[name]] for name in ("it-87-1", "it-mg-friuli", "it-cav-iv")}
        assert values == {"it-87-1": 2, "it-mg-friuli": 1, "it-cav-iv": 1}
        assert here.surrender_value[here.number["de-ciii-1"]] == 2
        assert here.surrender_value[here.number["it-50-mt-a"]] == 5
        assert here.surrender_value[here.number["de-23-1-co1"]] == 1
        assert here.surrender_value[here.number["de-flame-12"]] == 0


class TestAssignment:
    """18.8, 18.9.2, 24.9.2."""

    def test_a_formation_has_the_guns_of_its_division_and_corps(self) -> None:
        here = printed("historical")
        friuli = set(here.unit_ids(bits(here.guns_for(here.formation_number("it-friuli")))))
        assert {"it-50-mt-a", "it-50-bmb", "it-iv-hv-a"} <= friuli
        assert not friuli & {"it-43-mt-a", "it-xxvii-hv-a", "ah-3-div-mt"}
        twelfth = set(here.unit_ids(bits(here.guns_for(here.formation_number("de-ir23")))))
        assert {"de-12-div-fld", "de-12-div-mw", "de-geb-12", "de-iii-corps-hv-1"} <= twelfth
        assert not twelfth & {"ah-i-corps-hv-1", "de-117-div-fld", "de-li-corps-hv-1"}

    def test_puglie_has_corps_guns_only_and_salerno_none(self) -> None:
        here = printed("historical")
        puglie = here.unit_ids(bits(here.guns_for(here.formation_number("it-puglie"))))
        assert puglie and all(name.startswith(("it-xxvii-", "it-2-army")) for name in puglie)
        assert here.guns_for(here.formation_number("it-salerno")) == 0

    def test_divisions_in_order(self) -> None:
        """7.9."""
        here = printed("historical")
        divisions = [name for side, name in here.divisions if side == AHG]
        assert divisions == ["3", "22", "55", "Jg", "50", "12", "117", "AK", "200", "26", "1", "5", "13"]
        fifty = here.divisions.index((AHG, "50"))
        names = [here.formations[f].id for f in here.formations_of_division[fifty]]
        assert names == ["ah-15gb", "ah-3gb"]
        assert here.formations[here.formation_number("it-puglie")].division == NO_ONE


class TestStacking:
    """11.1 with the counters of the pack."""

    @pytest.mark.parametrize(
        ("hex_id", "units", "rule"),
        [
            ("1516", "it-87-1 it-88-1", ""),
            ("1516", "it-87-1 it-88-1 it-mg-friuli", ""),  # 11.5
            ("1516", "it-87-1 it-88-1 it-97-1", "11.1"),
            ("1516", "it-87-1 it-87-2 it-87-3", ""),  # 11.1.e1
            ("1516", "it-87-1 it-87-2 it-87-3 it-mg-friuli", ""),
            ("1516", "it-87-1 it-87-2 it-87-3 it-mg-friuli it-mg-etna", "11.1"),
            ("1516", "it-87-1 it-87-2 it-88-1", "11.1"),
            ("1516", "it-87-1 it-88-1 it-eng-50", "11.1"),
            ("1516", "it-87-1 it-eng-50 it-eng-43 it-eng-46 it-eng-19", ""),  # 11.1.2
            ("1516", "it-87-1 it-eng-50 it-eng-43 it-eng-46 it-eng-19 it-eng-xxvii", "11.1"),
            ("1516", "de-23-1 de-62-1 de-flame-12 de-wgb-1", ""),
            ("1516", "de-23-1 de-flame-12 de-flame-ak", "21.4"),
            ("1516", "it-50-mt-a it-50-mt-b it-87-1 it-88-1", ""),  # 11.1.e3
            ("1516", "it-50-mt-a it-50-mt-b it-50-bmb", "11.1.e3"),
            ("1516", "de-12-div-fld de-geb-12", "18.9.1"),
            ("4330", "it-87-1", ""),
            ("4330", "it-87-1 it-88-1", "11.1.e4"),
            ("4330", "it-87-1 it-87-2 it-87-3", ""),
            ("4330", "it-87-1 it-mg-friuli", ""),
            ("1516", "ah-7gb-1 ah-7gb-2 ah-7gb-3", "11.1"),
        ],
    )
    def test_who_may_be_together(self, hex_id: str, units: str, rule: str) -> None:
        here = printed("historical")
        together = [here.number[name] for name in units.split()]
        assert stacking.why_not(here, here.grid.index[hex_id], together) == rule

    def test_the_first_division_sets_up_by_threes(self) -> None:
        """24.8."""
        here = printed("historical")
        at = here.grid.index["1516"]
        three = [here.number[f"ah-7gb-{n}"] for n in (1, 2, 3)]
        assert stacking.why_not(here, at, three, set_up=True) == ""
        assert stacking.why_not(here, at, [*three, here.number["ah-st-7"]], set_up=True) == ""
        assert stacking.why_not(here, at, [*three, here.number["ah-7gb-4"]], set_up=True) == "11.1"
        others = [here.number[f"ah-15gb-{n}"] for n in (1, 2, 3)]
        assert stacking.why_not(here, at, others, set_up=True) == "11.1"

    def test_limbered_guns_are_battalions_and_battalions_of_one_step_companies(self) -> None:
        """11.1, 21.10."""
        here = printed("historical")
        gun, one, two, three = (here.number[name] for name in ("it-50-mt-a", "de-23-1", "de-62-1", "de-63-1"))
        assert stacking.quarters(here, [gun, one]) == 4
        assert stacking.quarters(here, [gun, one], limbered=1 << gun) == 8
        assert stacking.quarters(here, [one, two, three], single=1 << one | 1 << two) == 4 + 2 - 1

    def test_the_last_company_of_a_battalion_joins_another_regiment(self) -> None:
        """11.1.e1, 11.5, 21.10: it stacks free like any company, one of them and no more."""
        here = printed("historical")
        at = here.grid.index["1516"]
        regiment = [here.number[f"de-23-{n}"] for n in (1, 2, 3)]
        last, other = here.number["de-62-1"], here.number["de-63-1"]
        assert stacking.why_not(here, at, [*regiment, last]) == "11.1"
        assert stacking.why_not(here, at, [*regiment, last], single=1 << last) == ""
        assert stacking.why_not(here, at, [*regiment, last, other], single=1 << last | 1 << other) == "11.1"

    @pytest.mark.parametrize(
        ("option", "value", "hex_id", "units", "rule"),
        [
            ("mg_stacking", "all-free", "1516", "it-87-1 it-88-1 it-mg-friuli it-mg-etna", ""),
            ("mg_stacking", "one-free", "1516", "it-87-1 it-88-1 it-mg-friuli it-mg-etna", "11.1"),
            ("free_companies", "one-per-type", "1516", "de-23-1 de-62-1 de-wgb-1 de-wgb-mg-1 ah-st-50", ""),
            ("free_companies", "one-total", "1516", "de-23-1 de-62-1 de-wgb-1 ah-st-50", "11.1"),
            ("high_mountain_regiment_stack", "false", "4330", "it-87-1 it-87-2", "11.1.e4"),
            ("placed_guns_high_mountain", "1", "4330", "it-50-mt-a it-50-mt-b", "11.1.e3"),
            ("placed_guns_high_mountain", "2", "4330", "it-50-mt-a it-50-mt-b", ""),
        ],
    )
    def test_options(self, option: str, value: str, hex_id: str, units: str, rule: str) -> None:
        here = printed("historical", **{option: value})
        together = [here.number[name] for name in units.split()]
        assert stacking.why_not(here, here.grid.index[hex_id], together) == rule
