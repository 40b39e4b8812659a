"""24.8, 25.8, 26.4, 27.4: who begins where in the four scenarios, and what each scenario is."""

from __future__ import annotations

from collections import Counter

import pytest
from caporetto_packs import SCENARIOS, printed

from fronte.games.caporetto import stacking
from fronte.games.caporetto.printed import CaporettoPrinted
from fronte.games.caporetto.scenarios import FirstTurn, Logistics
from fronte.games.caporetto.terrain import AHG, COMMON, ITALIAN, LEFT, RIGHT
from fronte.hexes import bits, mask_of

PLACED = {"maggiore": (58, 5), "cividale": (85, 8), "historical": (353, 96), "what_if": (366, 101)}
"""Combat units and guns, reinforcements and all."""


def at(here: CaporettoPrinted, side: int, among: int) -> int:
    """The hexes in which units of a side begin."""
    return mask_of(here.begins[u] for u in bits(here.of_side[side] & among) if here.begins[u] >= 0)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_unit_is_placed_once_or_comes_in(scenario: str) -> None:
    here = printed(scenario)
    units, guns = here.combat & ~here.generic, here.guns
    assert (units.bit_count(), guns.bit_count()) == PLACED[scenario]
    for u in bits(units | guns):
        assert (here.begins[u] >= 0) != (here.entry[u] >= 0), here.ids[u]
    for u in bits(here.hqs | here.generic):
        assert here.begins[u] == here.entry[u] == -1


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_hex_is_too_full_and_none_holds_both_sides(scenario: str) -> None:
    here = printed(scenario)
    everybody = here.combat | here.guns
    assert at(here, AHG, everybody) & at(here, ITALIAN, everybody) == 0
    together: dict[int, list[int]] = {}
    for u, h in enumerate(here.begins):
        if h >= 0:
            together.setdefault(h, []).append(u)
    assert {h: stacking.why_not(here, h, units, set_up=True) for h, units in together.items()} == dict.fromkeys(
        together, ""
    )


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_begin_in_play_on_their_side_of_the_front(scenario: str) -> None:
    here = printed(scenario)
    for side in (AHG, ITALIAN):
        hexes = at(here, side, here.combat | here.guns)
        assert hexes & ~here.ground.extent == 0
        assert here.hex_ids(bits(hexes & ~here.ground.held[side])) == ()


def test_sectors_of_the_historical_campaign() -> None:
    """24.1, 24.3: the Italian left wing stands in the right sector; the Vicenza brigade across the line."""
    here = printed("historical")
    ground = here.ground
    homes = {"ahg-left": LEFT, "ahg-right": RIGHT, "italian-left": RIGHT, "italian-right": LEFT}
    across = []
    for u, h in enumerate(here.begins):
        wanted = homes[here.scene.forces[here.force[u]]]
        if h >= 0 and not (ground.sector[wanted] | ground.sector[COMMON]) >> h & 1:
            across.append(here.formations[here.formation_of[u]].id)
    assert Counter(across) == {"it-vicenza": 9}
    shared = [here.ids[u] for u, h in enumerate(here.begins) if h >= 0 and ground.sector[COMMON] >> h & 1]
    assert shared == ["it-208-1", "it-208-2", "it-90-1"]  # these may neither move nor assault (24.3)


def test_both_fronts_are_manned_and_touch() -> None:
    here = printed("historical")
    fronts = [at(here, side, here.combat) for side in (AHG, ITALIAN)]
    next_to = [here.ground.around(front) for front in fronts]
    assert (fronts[ITALIAN] & next_to[AHG]).bit_count() >= 30
    assert (fronts[AHG] & next_to[ITALIAN]).bit_count() >= 30
    for name in ("0821", "1924", "3528", "4730", "4931", "5031", "5132"):  # held by outposts of other commands
        h = here.grid.index[name]
        assert here.ground.trench[ITALIAN] >> h & 1 and not fronts[ITALIAN] >> h & 1


def test_reinforcements() -> None:
    """5.1: turn, hex and number of units by formation, or by name where there is none."""
    here = printed("historical")
    found: Counter[tuple[int, str, str]] = Counter()
    for turn, units in enumerate(here.reinforcements):
        for u in units:
            formation = here.formation_of[u]
            name = here.formations[formation].id if formation >= 0 else here.ids[u]
            found[turn, here.hex_id(here.entry[u]), name] += 1
    assert found == {
        (2, "1111", "it-1-bers"): 6, (3, "2501", "it-ferrara"): 6, (3, "3701", "it-avellino"): 6,
        (4, "4901", "it-alp-vii"): 4, (5, "5201", "it-alp-viii"): 5, (5, "4501", "it-jonio"): 6,
        (5, "3701", "it-milano"): 6,
        (5, "2601", "it-massa-carrara"): 6, (6, "4901", "it-v-cicl"): 1, (6, "3701", "it-i-cav"): 1,
        (7, "2501", "it-iv-cicl"): 1, (7, "1625", "ah-sch1"): 3, (7, "1625", "ah-sch14"): 3, (7, "1625", "ah-sch24"): 3,
    }  # fmt: skip
    assert here.ground.left_bank >> here.grid.index["1111"] & 1  # 21.7
    other = printed("what_if")
    assert other.reinforcements[2] == ()
    assert other.reinforcements[3:7] and not any(printed("cividale").reinforcements)


@pytest.mark.parametrize(
    ("scenario", "unit", "hex_id", "worn", "formation"),
    [
        ("historical", "it-87-1", "3928", False, "it-friuli"), ("historical", "de-23-1", "1524", False, "de-ir23"),
        ("historical", "de-ciii-1", "1525", False, ""), ("what_if", "de-ciii-1", "1524", False, ""),
        ("what_if", "de-23-1", "1725", False, "de-ir23"), ("what_if", "de-r22-2", "1825", False, "de-rir22"),
        ("what_if", "de-r11-3", "1826", False, "de-rir11"), ("cividale", "it-277-1", "2606", False, "it-vicenza"),
        ("cividale", "it-221-2", "3303", False, "it-jonio"), ("maggiore", "it-88-1", "4809", True, "it-friuli"),
        ("maggiore", "it-ceva", "5115", True, ""), ("maggiore", "it-mg-4", "3906", False, ""),
        ("maggiore", "ah-kj3-1", "4418", False, "ah-ksch1"), ("maggiore", "ah-kj3-2", "4918", False, "ah-217"),
    ],
)  # fmt: skip
def test_some_units(scenario: str, unit: str, hex_id: str, worn: bool, formation: str) -> None:
    here = printed(scenario)
    u = here.number[unit]
    assert here.hex_id(here.begins[u]) == hex_id
    assert bool(here.reduced >> u & 1) == worn
    assert (here.formations[here.formation_of[u]].id if here.formation_of[u] >= 0 else "") == formation


class TestWhatIf:
    """25.8: zones."""

    def test_every_italian_unit_and_gun_has_a_zone(self) -> None:
        here = printed("what_if")
        italians = here.of_side[ITALIAN] & (here.combat | here.guns)
        begun = [u for u in bits(italians) if here.begins[u] >= 0]
        assert all(u in here.zone_of_unit for u in begun)
        assert sum(len(zone.units) for zone in here.zones) == len(here.zone_of_unit)

    def test_zones_are_on_the_italian_side(self) -> None:
        here = printed("what_if")
        for one in here.zones:
            side = here.side[one.units[0]]
            assert one.hexes and one.hexes & ~here.ground.held[side] == 0, one.name

    @pytest.mark.parametrize(
        ("unit", "inside", "outside"),
        [
            ("it-87-1", "5132 2024 4221 4321 3925 2225 2524 3128", "1924 1720 3022 4027"),
            ("it-125-1", "1924 1321 1517 2419 1820", "2024 1220 1120"),
            ("it-274-1", "1220 0621 1020", "1321 0920"),
            ("it-280-1", "3022 2922 1516 2602", "2925 2723 1622 2024"),
            ("it-50-bmb", "4027 4128", "4126 3022"),
        ],
    )
    def test_what_lies_in_a_zone(self, unit: str, inside: str, outside: str) -> None:
        here = printed("what_if")
        hexes = here.zone_of_unit[here.number[unit]].hexes
        assert [name for name in inside.split() if not hexes >> here.grid.index[name] & 1] == []
        assert [name for name in outside.split() if hexes >> here.grid.index[name] & 1] == []

    def test_more_units_than_in_history(self) -> None:
        """24.8, 25.0: the orange dot."""
        more = set(printed("what_if").ids) - set(printed("historical").ids)
        guns = {"it-22-fld-a", "it-22-fld-b", "it-xxvii-hv-l", "it-xxvii-hv-m", "it-iv-bmb"}
        assert guns < more and len(more) == 12 + 2 + 1 + len(guns)
        assert set(printed("historical").ids) < set(printed("what_if").ids)

    def test_the_bridge_of_the_pioneers(self) -> None:
        here = printed("what_if")
        scene = here.scene
        assert (scene.builder, scene.building, here.hex_id(scene.building_empty)) == ("de-ciii-1", "1524/1624", "1624")
        assert not at(here, ITALIAN, here.combat) >> scene.building_empty & 1


class TestScenarios:
    @pytest.mark.parametrize(
        ("scenario", "seats", "turns", "victory"),
        [
            ("historical", ("left", "right"), (1, 8), "wings"), ("what_if", ("ahg", "italian"), (1, 8), "points"),
            ("cividale", ("ahg", "italian"), (7, 8), "majority"), ("maggiore", ("ahg", "italian"), (7, 8), "majority"),
        ],
    )  # fmt: skip
    def test_who_plays_how_long_for_what(
        self, scenario: str, seats: tuple[str, ...], turns: tuple[int, int], victory: str
    ) -> None:
        scene = printed(scenario).scene
        assert (scene.seats, (scene.first_turn, scene.last_turn), scene.victory) == (seats, turns, victory)

    def test_objectives(self) -> None:
        """23.1, 26.3, 27.3."""
        campaign, third, fourth = (printed(name) for name in ("historical", "cividale", "maggiore"))
        assert sum(campaign.scene.objectives.values()) == 105 and len(campaign.scene.objectives) == 35
        names = {campaign.hex_id(h): vp for h, vp in campaign.scene.objectives.items()}
        assert names["2602"] == 8 and names["4716"] == 1 and names["4028"] == 2 and "4330" not in names
        sectors = campaign.ground.sector
        split = {
            name: sum(vp for h, vp in campaign.scene.objectives.items() if sectors[name] >> h & 1) for name in sectors
        }
        assert split == {"right": 41, "left": 52, "common": 12}
        assert {third.hex_id(h): vp for h, vp in third.scene.objectives.items()} == {
            "2006": 1, "2106": 1, "2401": 1, "2405": 1, "2503": 1, "2602": 2, "3002": 1, "3303": 1,
        }  # fmt: skip
        assert sum(fourth.scene.objectives.values()) == 7
        assert (third.scene.needed, fourth.scene.needed) == (5, 4)

    def test_who_holds_them_at_the_start(self) -> None:
        """23.1, 26.3, 27.3: the Italians; in a common hex who stands there."""
        for scenario in ("what_if", "cividale", "maggiore"):
            setting = printed(scenario).setting
            assert set(setting.control["italian"]) == set(setting.objectives) and setting.control["ahg"] == ()
        setting = printed("historical").setting
        assert "2623" in setting.control["italian-left"] and "2119" in setting.control["italian-right"]
        assert "3017" in setting.control["italian-right"]  # a battalion of the Salerno
        held = {h for hexes in setting.control.values() for h in hexes}
        assert set(setting.objectives) - held == {"2602"}

    def test_what_is_fixed_for_everybody(self) -> None:
        setting = printed("historical").setting
        assert setting.forces == {
            "ahg-left": "left",
            "italian-left": "left",
            "ahg-right": "right",
            "italian-right": "right",
        }
        assert (setting.levels, setting.fraction) == ((), 4)
        assert "1010" not in setting.extent and "1111" not in setting.extent and "1211" in setting.extent  # 21.7
        assert printed("what_if").setting.levels == (("italian_wins", 90), ("draw", 120), ("ahg_wins", None))
        assert printed("what_if", vp_90="draw").setting.levels[0] == ("italian_wins", 89)
        assert {h[:2] for h in printed("maggiore").setting.extent} == {f"{n}" for n in range(33, 64)}

    def test_logistics(self) -> None:
        """24.14, 25.14, 26.5, 27.5."""
        told = {
            name: {printed(name).scene.forces[f]: log for f, log in printed(name).scene.logistics.items()}
            for name in SCENARIOS
        }
        assert told == {
            "historical": {"italian-left": Logistics(20, 2, 2), "italian-right": Logistics(20, 2, 2)},
            "what_if": {"italian": Logistics(50, 5, 2)},
            "cividale": {"italian": Logistics(5, 0, 0)},
            "maggiore": {"italian": Logistics(5, 0, 0)},
        }

    def test_depots(self) -> None:
        here = printed("historical")
        told = {here.hex_id(h): here.scene.forces[force] for h, force in here.scene.depots.items()}
        assert told == {
            "2623": "italian-left",
            "3519": "italian-left",
            "2119": "italian-right",
            "1516": "italian-right",
        }
        assert set(printed("what_if").scene.depots.values()) == {printed("what_if").scene.forces.index("italian")}
        assert printed("cividale").scene.depots == {}

    def test_breakthrough(self) -> None:
        """24.16, 25.15."""
        here, other = printed("historical"), printed("what_if")
        told = {here.scene.forces[f]: set(here.hex_ids(bits(mask))) for f, mask in here.scene.breakthrough.items()}
        assert told == {
            "ahg-left": {"1105", "1801", "1312", "2401", "2602"},
            "ahg-right": {"2602", "3702", "4503", "5101", "6217"},
        }
        assert set(here.scene.breakthrough_needed.values()) == {5}
        [mask] = other.scene.breakthrough.values()
        assert set(other.hex_ids(bits(mask))) == told["ahg-left"] | told["ahg-right"]
        assert list(other.scene.breakthrough_needed.values()) == [6]
        assert other.scene.levels == {"italian": 90, "draw": 120}

    def test_the_first_turn(self) -> None:
        """24.9 to 24.13 and 25.9 to 25.13."""
        assert printed("historical").scene.opening == FirstTurn(
            "artillery", True, False, True, True, False, False, False, False, True
        )
        assert printed("what_if").scene.opening == FirstTurn(
            "reinforcement", True, False, False, False, False, True, False, False, False
        )
        assert printed("maggiore").scene.opening == FirstTurn()

    def test_brigades_with_rules_of_their_own(self) -> None:
        """24.3, 24.9.2."""
        scene = printed("historical").scene
        assert set(scene.frozen) == {"it-salerno", "it-arno", "it-4-bers"} and scene.frozen_until == 5
        assert set(scene.without_guns) == {"it-salerno", "it-elba", "it-firenze", "it-arno", "it-foggia", "it-4-bers"}
        assert scene.crosses_over == ("it-vicenza",)
        assert printed("what_if").scene.frozen == printed("what_if").scene.without_guns == ()
        assert printed("historical").hex_id(scene.matajur) == "3017" and printed("what_if").scene.matajur == -1

    def test_blown_and_charged_bridges(self) -> None:
        """24.8, 25.8, 19.2.1."""
        for scenario, down in (
            ("historical", {"3926/3927"}),
            ("what_if", {"1524/1624", "3926/3927"}),
            ("maggiore", set()),
        ):
            here = printed(scenario)
            named = {n: "/".join(here.hex_ids((b.a, b.b))) for n, b in enumerate(here.ground.bridges)}
            assert {named[n] for n in bits(here.ground.blown)} == down
        charged = {named[n] for n, bridge in enumerate(here.ground.bridges) if bridge.charged}
        assert charged == {"2923/3022", "3523/3524", "4122/4221", "1111/1211", "1213/1313", "1105/1106"}

    @pytest.mark.parametrize("scenario", SCENARIOS)
    def test_titles_in_both_languages(self, scenario: str) -> None:
        data = printed(scenario).scenario
        assert all(data[word][language] for word in ("title", "description") for language in ("en", "it"))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("weather.1.1624", "fog"), ("formation.it-friuli.initiative", 2), ("force.it-87-1", "italian-left"),
        ("objective.2602", 8), ("sector.3017", "common"), ("sector.2623", "right"), ("unit.it-87-1.morale", 5),
        ("tables.fire.again", 3), ("units.ahg", 147),
    ],
)  # fmt: skip
def test_what_the_casebook_asks(path: str, value: object) -> None:
    assert printed("historical").printed(path) == value
