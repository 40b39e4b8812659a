"""Files of Caporetto with something wrong in them are refused: with file and line, or the table it is in."""

from __future__ import annotations

import pytest
from caporetto_packs import FOLDER, PACK, SCENARIOS, changed, line_of, with_field

from fronte.engine.pack import Pack, PackError
from fronte.games.caporetto.printed import CaporettoPrinted

TWO_DISAGREE = ("it-97", "it-etna", "it-87-2", "4126")
"""Where two counters do not agree the line of the second is told."""


def refusal(pack: Pack, scenario: str = "historical") -> PackError:
    with pytest.raises(PackError) as found:
        CaporettoPrinted(pack, scenario, {})
    return found.value


@pytest.mark.parametrize(
    ("unit", "column", "value", "why"),
    [
        ("it-87-1", "side", "italy", "side is 'italy'"),
        ("it-87-1", "nation", "german", "does not fight for italian"),
        ("it-87-1", "class", "iX", "class is 'iX'"),
        ("it-87-1", "wing", "centre", "wing is 'centre'"),
        ("it-87-1", "wing", "right", "corps IV is not of the right wing (24.1)"),
        ("it-87-1", "corps", "III", "corps is 'III'"),
        ("it-87-1", "division", "99", "division is '99'"),
        ("it-mg-friuli", "formation", "it-frulli", "it-frulli has no headquarters here (2.2.3)"),
        ("it-mg-friuli", "formation", "de-ir23", "de-ir23 has no headquarters here (2.2.3)"),
        ("it-87-1", "regiment", "it-97", "regiment it-97"),
        ("it-87-1", "cf", "", "cf is missing"),
        ("it-87-1", "cf", "x", "cf is 'x'"),
        ("it-87-1", "cf2", "5", "cf2 is 5, not between 0 and 3"),
        ("it-87-1", "cf2", "", "steps is 2, and cf2 is '' (16.1)"),
        ("it-87-1", "steps", "3", "only German battalions have more than two (16.1)"),
        ("it-87-1", "morale", "0", "morale is 0"),
        ("it-87-1", "ma", "40", "ma is 40"),
        ("it-87-1", "size", "army", "size is 'army'"),
        ("it-87-1", "traits", "group", "traits has 'group'"),
        ("it-87-1", "source", "hearsay", "source is 'hearsay'"),
        ("it-87-1", "historical", "3928 x", "historical is '3928 x'"),
        ("it-87-1", "historical", "9999", "9999 is no hex of the board"),
        ("it-87-1", "historical", "3928 GT1", "turn 1 is none of its arrivals (5.1)"),
        ("it-87-1", "historical", "1625 GT2", "it cannot come in at 1625"),
        ("it-87-1", "historical", "3929", "3929 is beyond the front"),
        ("it-87-1", "historical", "1516", "1516 is not in its sector (24.3)"),
        ("it-87-1", "historical", "1010", "1010 is not in play (21.7"),
        ("it-87-1", "historical", "3928 as=it-nowhere", "it-nowhere has no headquarters here (2.2.3)"),
        ("it-87-1", "maggiore", "nowhere", "maggiore is 'nowhere'"),
        ("it-mg-friuli", "historical", "3928 r", "it has no reduced side (16.1)"),
        ("it-88-2", "historical", "4028", "4028 is too full (11.1)"),
        ("it-50-mt-a", "historical", "4126", "4126 is too full (11.1.e3)"),
        ("it-50-mt-a", "formation", "it-friuli", "guns have no formation (18.8)"),
        ("it-50-mt-a", "factor", "", "factor is missing"),
        ("it-50-mt-a", "ma", "0", "groups, and they alone, do not move (18.9.1)"),
        ("it-50-mt-a", "regiment", "it-87", "only combat units have a regiment"),
        ("ah-3-div-mt", "ma", "5", "groups, and they alone, do not move (18.9.1)"),
        ("de-23-1", "steps", "3", "one for each point of strength (21.10)"),
        ("it-friuli-hq", "initiative", "7", "initiative is 7"),
        ("it-friuli-hq", "command", "", "command is missing"),
        ("it-friuli-hq", "formation", "", "formation is missing"),
        ("it-friuli-hq", "formation", "it-etna", "has"),
        ("it-friuli-hq", "historical", "3928", "historical is '3928'"),
        ("it-87-1", "id", "it-87-2", "the id it-87-2 is used twice"),
        ("it-87-1", "id", "it 87", "must be one word"),
    ],
)
def test_a_damaged_counter_is_refused_with_its_line(unit: str, column: str, value: str, why: str) -> None:
    pack, line = with_field(unit, column, value)
    found = refusal(pack)
    assert found.file == "units.csv" and why in found.why, found
    assert found.line == line or (value in TWO_DISAGREE and found.line is not None)


@pytest.mark.parametrize(
    ("unit", "value", "zone"),
    [
        ("it-87-1", "3819", "iv"), ("it-274-1", "1412", "belluno"), ("it-280-1", "2925", "reserve"),
        ("it-50-bmb", "3022", "italian_guns"), ("de-flame-ak", "3330", "alpenkorps"),
    ],
)  # fmt: skip
def test_who_begins_outside_his_zone_is_refused_with_his_line(unit: str, value: str, zone: str) -> None:
    """25.8."""
    pack, line = with_field(unit, "what_if", value)
    found = refusal(pack, "what_if")
    assert (found.file, found.line) == ("units.csv", line)
    assert f"is not in its zone {zone} (25.8)" in found.why


def test_missing_and_unknown_columns() -> None:
    assert refusal(changed("units.csv", "regiment", "regt")).line == 1


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[march] #", "[marches] #", "table [march] is missing"),
        ('again = 3', 'again = "x"', "[fire] again is 'x'"),
        ("from = [1, 2, 4", "from = [1, 4, 2", "the columns must rise"),
        ('"D1/1 S", "D1/1 S", "D1/1 T"', '"D1/1 S", "D1/1 S", "E9"', "'E9' is no result of a chart"),
        ("ratio = [[1, 2], [4, 7]", "ratio = [[4, 7], [1, 2]", "the columns must rise"),
        ("clear = [4, 4, 4, 6, 6, 8, 12, -1]", "clear = [4, 4, 4, 6, 6, 8, 12]", "[terrain] clear"),
        ("clear = [4, 4, 4, 6, 6, 8, 12, -1]", "clear = [4, 4, 4, 6, 6, 8, 12, -2]", "[terrain] clear"),
        ("low_levels = [1, 2]", "low_levels = [1, 12]", "names a level or a terrain"),
        ('[["fog", "rain", "blizzard"]', '[["fog", "hail", "blizzard"]', "is not the weather of three bands"),
        ("off_road = 5", "off = 5", "off_road is missing"),
        ("forced = [3, 2]", "forced = [3, 0]", "not a part and a whole"),
        ('gA = { branch = "infantry"', 'gA = { branch = "fairies"', "another kind than is expected"),
        ('gA = { branch = "infantry",', 'gA = { branch = "infantry", flies = true,', "unknown flies"),
        ("battalion = 4", "battalion = 5", "a battalion is 4 companies"),
        ('source = "printed"\nlast = 8', 'source = "hearsay"\nlast = 8', "must say source"),
        ("boxes = [0, 5, 10, 15]", "boxes = [0, 5]", "another kind than is expected"),
    ],
)  # fmt: skip
def test_damaged_tables_are_refused_with_their_table(old: str, new: str, why: str) -> None:
    found = refusal(changed("tables.toml", old, new))
    assert found.file == "tables.toml" and why in found.why, found


@pytest.mark.parametrize(
    ("old", "new", "scenario", "why"),
    [
        ("number = 1", "numbers = 1", "historical", "number is missing"),
        ("turns = [1, 8]", "turns = [1, 9]", "historical", "not within 1 to 8"),
        ('victory = "wings"', 'victory = "glory"', "historical", "victory is 'glory'"),
        ('italian-left = "left"', 'italian-left = "centre"', "historical", "another kind"),
        ("sectors = true", "sectors = false", "historical", "forces have wings"),
        ('["2528", "2628"', '["9928", "2628"', "historical", "9928 is no hex of the board"),
        ('["2528", "2628"', '["2628", "2602"', "historical", "2602 has no Italian trench"),
        ('column = "13-17"', 'column = "13-18"', "historical", "another kind"),
        ('"it-salerno", "it-arno", "it-4-bers"', '"it-palermo"', "historical", "there is no formation it-palermo"),
        ("bottlenecks = true", "bottles = true", "historical", "first_turn says something that no rule knows"),
        ("2006 = 1", "2099 = 1", "cividale", "2099 is no hex of the board"),
        ("start = 20", "start = -1", "historical", "logistics"),
        ('unit = "de-ciii-1"', 'unit = "de-ciii-9"', "what_if", "there is no unit de-ciii-9"),
        ('kind = "reserve"', 'kind = "hotel"', "what_if", "reserve is of no kind or side"),
    ],
)  # fmt: skip
def test_damaged_scenarios_are_refused(old: str, new: str, scenario: str, why: str) -> None:
    found = refusal(changed("scenarios.toml", old, new), scenario)
    assert found.file == "scenarios.toml" and why in found.why, found


def test_a_scenario_that_there_is_not() -> None:
    with pytest.raises(ValueError, match=r"no scenario 'vittorio_veneto' \(2.2.6\)"):
        CaporettoPrinted(PACK, "vittorio_veneto", {})


def test_an_option_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="no option 'gas_masks'"):
        CaporettoPrinted(PACK, "historical", {"gas_masks": "true"})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_line_of_the_counters_is_checked_in_every_scenario(scenario: str) -> None:
    pack, line = with_field("it-roma-hq", "initiative", "0")
    assert refusal(pack, scenario).line == line == line_of("units.csv", "it-roma-hq,")


def test_a_file_that_is_empty() -> None:
    bare = Pack([FOLDER], {"units.csv": ""})
    assert refusal(bare).file == "units.csv"
