"""The odds of an Inferno game as a sheet that every screen can show; the words are in `[odds]` of the texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fronte.engine.sheet import Fact, Row, Sheet
from fronte.games.inferno import cites

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

ROWS = (("defence", "retreat"), ("defence", "loss"), ("attack", "retreat"), ("attack", "loss"))
"""Who something happens to, and what."""
KEPT = ("attack", "defence", "column", "over", "attack_av", "defence_av", "steps", "terrain", "flanked", "trench")


def attack_sheet(rules: Inferno, odds: Mapping[str, Any], active: int | None = None) -> Sheet:
    """8.1 to 9.4: what an attack of the active side can bring; of some attacker if no side is named."""
    unknown = tuple(odds.get("unknown", ()))
    fire = {"enemy_guns": odds["enemy_guns"]} if "enemy_guns" in odds else {}
    why = next((key for key in ("hidden", "collapse", "void") if odds.get(key)), "")
    if why:
        rule = {"hidden": cites.HIDDEN, "collapse": cites.NO_DEFENCE, "void": cites.LEAST_ODDS}[why]
        data = {"column": odds.get("column") or "0"} if why == "void" else {}
        return Sheet("attack", 0, data | fire, (Fact(why, data, "", rules.cite(rule)),), (), unknown)
    data = {name: odds[name] for name in KEPT if name in odds} | fire
    who = ("attacker", "defender") if active is None else (rules.seats[active], rules.seats[1 - active])
    sides = dict(zip(("attack", "defence"), who, strict=True))
    rows = [
        Row(
            what,
            tuple(odds[f"{who}_{what}"]),
            sides[who],
            rules.cite(cites.RETREAT if what == "retreat" else cites.LOSSES),
        )
        for who, what in ROWS
    ]
    return Sheet("attack", odds["of"], data, tuple(_facts(rules, odds)), tuple(rows), unknown)


def _facts(rules: Inferno, odds: Mapping[str, Any]) -> list[Fact]:
    """7.8, 7.9, 8.1, 8.2, 8.4, 9.4.1: what counts, and what it does."""
    cite = rules.cite
    strength = {"attack": odds["attack"], "defence": odds["defence"]}
    found = [Fact("strength", strength, str(odds["column"]), cite(cites.RATIO))]
    if odds.get("over"):
        beyond = {"n": odds["over"], "last": rules.tables.column_name(rules.tables.last)}
        found.append(Fact("over", beyond, f"{rules.tables.over_drm * odds['over']:+d}", cite(cites.COLUMN)))
    if rules.chooses_terrain and odds.get("terrain"):  # elsewhere hex and hexside count together, and nothing is chosen
        found.append(Fact("terrain", {"use": odds["terrain"]}, "", cite(cites.TERRAIN)))
    if odds["flanked"]:
        why, rule = odds.get("flanked_by") or ("flanked", cite(cites.FLANKS))  # of bare totals nobody knows more
        found.append(Fact(why, {}, f"{rules.flank_shift:+d}", rule))
    if odds["trench"]:
        found.append(Fact("trench", {}, f"{rules.trench_shift:+d}", cite(cites.TRENCHES)))
    for who, other in (("attack", "defence"), ("defence", "attack")):
        if odds[f"{who}_av"]:
            drm = rules.tables.av_drm(odds[f"{who}_av"])
            found.append(
                Fact(
                    f"{who}_guns", {"av": odds[f"{who}_av"], "against": other}, f"{drm:+d}", cite(cites.LOSSES_BY_GUNS)
                )
            )
    found.append(Fact("steps", {"steps": odds["steps"]}, "", cite(cites.MAGNITUDE)))
    if odds.get("each") and (odds["flanked"] or odds["trench"]):
        found.append(Fact("base", strength | {"column": odds["base"]}, "", cite(cites.COLUMN)))
    return [*found, *odds.get("each", ())]


def as_fields(rules: Inferno, sheet: Sheet) -> dict[str, Any]:
    """A sheet field by field, as a case of the casebook asks for it."""
    found: dict[str, Any] = dict(sheet.data) | {"of": sheet.of, "unknown": list(sheet.unknown)}
    found |= {fact.key: True for fact in sheet.facts if fact.key in ("hidden", "collapse", "void")}
    found.setdefault("void", False)
    if sheet.heading == "bridge":
        return found | {"destroyed": sheet.rows[0].counts[1]}
    for (who, what), row in zip(ROWS, sheet.rows, strict=False):
        found[f"{who}_{what}"] = list(row.counts)
    return found
