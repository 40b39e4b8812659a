"""Small positions on the real boards that lead straight to decisions which a match seldom brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fronte

Start = dict[str, Any]


def position(game: str, units: dict[str, str], **start: Any) -> Start:
    """A few units, all others gone, at the beginning of a phase: the body that begins such a match."""
    rules: Any = fronte.ruleset(game, "historical")
    placed: dict[str, Any] = {name: {"at": "eliminated"} for name in rules.ids}
    for name, where in units.items():
        placed[name] = {"pontoon": where} if "/" in where else {"at": where}
    state = rules.case_state(placed, {"turn": 3, "active": "italian", "phase": "movement"} | start)
    return {"game": game, "position": rules.to_position(state)}


def seeded(start: Start, leads: Callable[[fronte.Match], bool]) -> Start:
    """The same with a seed under which the dice lead where they shall."""
    for seed in range(300):
        match = fronte.position(start["game"], start["position"], seed=seed)
        if leads(match):
            return start | {"seed": seed}
    raise AssertionError("no seed leads there")


def too_many_defenders() -> Start:
    """7.4: three battalions without a corps in one hex, of which two may defend."""
    units = dict.fromkeys(("ah-lst-a", "ah-lst-b", "ah-lst-c"), "0910")
    return position("isonzo", units | {"it-caltanissetta": "0811", "it-alessandria": "0911"}, phase="combat")


def pontoon_under_fire() -> Start:
    """14.4.d: guns that break a pontoon; its engineer may go ashore on either bank (12.2.c)."""
    units = {"it-pont-2": "1711/1811", "it-milano": "1711", "ah-art-24-1": "1910", "ah-lst-a": "1909"}

    def broken(match: fronte.Match) -> bool:
        match.play({"do": "bombard", "bridge": "1711/1811", "gun": "ah-art-24-1"})
        return match.decision is not None and match.decision.kind == "landing"

    return seeded(position("isonzo", units, phase="combat", active="ah"), broken)


def setting_up() -> Start:
    """1.1: two brigades that wait for their hexes."""
    start = position("isonzo", {"it-spezia": "waiting", "it-taro": "waiting", "ah-15geb": "1208"})
    start["position"]["frames"] = [["player_turn", -2, [0]], ["setup", 0, []]]
    start["position"]["phase"] = "setup"
    return start


def overstacked() -> Start:
    """5.2: three brigades in a hex that holds two."""
    units = dict.fromkeys(("it-spezia", "it-taro", "it-pescara"), "1310")
    return position("isonzo", units | {"ah-15geb": "1208"})


def reserves() -> Start:
    """13.1: points to release brigades, on the map and in the box."""
    units = {"it-napoli": "1310", "it-sassari": "box", "ah-15geb": "1208", "it-spezia": "1209"}
    return position("isonzo", units, phase="reinforcement", points=3)


def engineers() -> Start:
    """12.2.b, 12.2.d: a bridge engineer at the river, with both banks in hand."""
    units = {"it-pont-2": "1711", "it-milano": "1811", "ah-lst-a": "2010"}
    return position("isonzo", units, phase="works", held={"italian": ["1811"]})


def far_retreat() -> Start:
    """9.2: a battalion that must go back three hexes over open hills, by very many ways."""
    units = {"it-bers-1": "1710", "it-brescia": "1710", "ah-lst-a": "1810"}
    attack = {"do": "attack", "target": "1810", "units": ["it-bers-1", "it-brescia"]}

    def leads(match: fronte.Match) -> bool:
        match.play(attack)
        return match.decision is not None and match.decision.kind == "retreat" and len(list(match.legal())) > 16

    return seeded(position("isonzo", units, phase="combat"), leads)


def hex_or_river() -> Start:
    """7.8.b: an attack across a river up a hill."""
    return position("isonzo", {"it-milano": "1512", "ah-lst-a": "1413"}, phase="combat")


def too_many_on_the_plateau() -> Start:
    """Altipiani 7.4: three regiments without a corps in one hex, attacked by the Austro-Hungarians."""
    units = dict.fromkeys(("it-rgf", "it-mt-1", "it-vlmb"), "2110")
    return position("altipiani", units | {"ah-1kj": "2109", "ah-2kj": "2109"}, phase="combat", active="ah")


def crowded_retreat(game: str) -> Start:
    """9.2.1.a: two units must go back into a hex that has no room for both, or for either."""
    if game == "isonzo":
        units = {"it-udine": "2313", "it-firenze": "2313", "ah-110lst": "2312", "ah-111lst": "2312", "ah-9geb": "2311"}
        start, target = position(game, units, phase="combat"), "2312"
    else:
        units = {"it-rgf": "2110", "it-ivrea": "2110", "it-lambro": "2111", "ah-1kj": "2109", "ah-2kj": "2109"}
        start, target = position(game, units, phase="combat", active="ah"), "2110"

    def crowded(match: fronte.Match) -> bool:
        match.play({"do": "attack", "target": target, "units": match.offer["targets"][target]["units"]})
        if match.decision is not None and match.decision.kind == "refusal":
            match.play({"do": "accept"})
        if match.decision is None or match.decision.kind != "retreat":
            return False
        way = next((way for way in match.offer["actions"] if way["path"][-1] in units.values()), None)
        if way is not None:
            match.play(way)
        return match.decision is not None and match.decision.kind == "goon"

    return seeded(start, crowded)


def last_phase() -> Start:
    """15: the last combat phase of the last turn, with nothing left to fight for."""
    return position("isonzo", {"it-milano": "1711", "ah-lst-a": "1910"}, phase="combat", active="ah", turn=14)
