"""Lies about what both sides see: each is refused at once, with the reason, and the desk stays as it was."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from correspondents import fiercely, pair, play_turn, posted, replace

from fronte.mail.desk import Post
from fronte.mail.letter import Letter, MailError, signed

Content = dict[str, Any]
Lie = Callable[[Content, Post], bool]
"""Changes the body of a letter; False where this lie cannot be told in it."""


def view(body: Content) -> Content:
    found: Content = body["told"]["view"]
    return found


def event(body: Content, kind: str) -> Content | None:
    return next((found for found in body["events"] if found["kind"] == kind), None)


def unit_elsewhere(body: Content, reader: Post) -> bool:
    """A unit that nobody has moved stands in another hex."""
    rules: Any = reader.rules
    moved = json.dumps(body["events"])
    taken = reader.table.state.occ[0] | reader.table.state.occ[1]
    still = [unit for unit in view(body)["enemy"] if unit["id"] not in moved and unit["hex"] not in moved]
    free = [name for name, h in rules.grid_index.items() if not taken >> h & 1 and name not in moved]
    if not still:
        return False
    still[0]["hex"] = free[len(free) // 2]
    return True


def unit_far_away(body: Content, reader: Post) -> bool:
    """A unit is told to have gone across half the board."""
    rules: Any = reader.rules
    found = event(body, "moved")
    if found is None or not found["data"]["unit"]:
        return False
    path, here = found["data"]["path"], rules.grid_index[found["data"]["path"][-1]]
    state = reader.table.state
    for _ in range(15):
        steps = [edge.to for edge in rules.board.edges[here] if not (state.occ[0] | state.occ[1]) >> edge.to & 1]
        if not steps:
            return False
        here = steps[0] if rules.hex_id(steps[0]) not in path else steps[-1]
        path.append(rules.hex_id(here))
    for unit in view(body)["enemy"]:
        if unit["id"] == found["data"]["unit"]:
            unit["hex"] = path[-1]
    return True


def hex_taken(body: Content, reader: Post) -> bool:
    """A hex that nobody has come into has changed hands."""
    held = view(body)["held"]
    names = list(reader.rules.grid_index)  # type: ignore[attr-defined]
    more = next(name for name in names if name not in held)
    view(body)["held"] = sorted([*held, more], key=names.index)
    return True


def hex_taken_and_told(body: Content, reader: Post) -> bool:
    rules: Any = reader.rules
    writer = rules.seats[1 - reader.table.mine]
    held = set(view(body)["held"])
    mine = (lambda name: name not in held) if writer == "italian" else (lambda name: name in held)
    h = next(h for name, h in rules.grid_index.items() if mine(name))
    name = rules.hex_id(h)
    view(body)["held"] = sorted(held ^ {name}, key=list(rules.grid_index).index)
    data = {"hex": name, "side": writer, "name": rules.board.name[h]}
    body["events"].append({"kind": "taken", "rules": ["15.b"], "data": data})
    return True


def bridge_gone(body: Content, reader: Post) -> bool:
    rules: Any = reader.rules
    if "destroyed" not in view(body):
        return False
    names = [rules.board.hexside_name(number) for number in rules.board.bridges]
    lost = view(body)["destroyed"]
    view(body)["destroyed"] = [name for name in names if name in lost or name == names[-1]]
    return names[-1] not in lost


def turn_later(body: Content, reader: Post) -> bool:
    view(body)["turn"] += 1
    return True


def phase_later(body: Content, reader: Post) -> bool:
    view(body)["phase"] = "combat" if view(body)["phase"] != "combat" else "movement"
    return True


def phase_left_out(body: Content, reader: Post) -> bool:
    """The reader's Movement Phase never comes."""
    frames = body["told"]["frames"]
    body["told"]["frames"] = [frame for frame in frames if frame[0] != "movement_phase"]
    return body["told"]["frames"] != frames


def stronger(body: Content, reader: Post) -> bool:
    """A unit that was seen with one step has two again."""
    rules: Any = reader.rules
    for unit in view(body)["enemy"]:
        number = rules.number[unit["id"]]
        seen = rules.shows(reader.table.state, number)
        if seen and unit["steps"] < rules.counters[number].steps and reader.table.state.steps[number] == unit["steps"]:
            unit["steps"] += 1
            return True
    return False


def murder(body: Content, reader: Post) -> bool:
    """A unit on top of a stack of the reader's is lost, and nobody came."""
    rules: Any = reader.rules
    state, side = reader.table.state, reader.table.mine
    unit = next(unit for unit in rules.of_side[side] if state.at[unit] >= 0 and rules.shows(state, unit))
    body["told"]["yours"][rules.ids[unit]] = {"hex": "eliminated"}
    return True


def murder_told(body: Content, reader: Post) -> bool:
    murder(body, reader)
    name = next(name for name, change in body["told"]["yours"].items() if "hex" in change)
    where = reader.rules.where(reader.table.state, reader.rules.number[name])  # type: ignore[attr-defined]
    body["events"].append({"kind": "eliminated", "rules": ["12.3.f"], "data": {"unit": name, "hex": where}})
    return True


def worn_out(body: Content, reader: Post) -> bool:
    murder(body, reader)
    name = next(name for name, change in body["told"]["yours"].items() if "hex" in change)
    body["told"]["yours"][name] = {"ce": 2}
    return True


def fewer_losses(body: Content, reader: Post) -> bool:
    found = event(body, "losses")
    if found is None or not found["data"]["reductions"]:
        return False
    found["data"]["reductions"] -= 1
    return True


def losses_not_borne(body: Content, reader: Post) -> bool:
    found = event(body, "reduced")
    if found is None or event(body, "losses") is None:
        return False
    body["events"].remove(found)
    return True


def no_losses_at_all(body: Content, reader: Post) -> bool:
    owed = reader.table.state.frames
    if not any(frame.name.endswith("_losses") for frame in owed) or event(body, "reduced") is None:
        return False
    body["events"] = [found for found in body["events"] if found["kind"] not in ("losses", "reduced")]
    return True


def no_retreat(body: Content, reader: Post) -> bool:
    """The writer's stack stays where it was beaten."""
    found = event(body, "retreated")
    if found is None or not found["data"]["units"] or event(body, "eliminated") is not None:
        return False
    for unit in view(body)["enemy"]:
        if unit["id"] in found["data"]["units"]:
            unit["hex"] = found["data"]["path"][0]
    body["events"].remove(found)
    return True


def another_throw(body: Content, reader: Post) -> bool:
    body["events"].append({"kind": "rolled", "rules": ["8.3.a"], "data": {"what": "combat_dice", "dice": [6, 6, 1]}})
    return True


def more_dice(body: Content, reader: Post) -> bool:
    found = event(body, "rolled")
    if found is None:
        return False
    found["data"]["dice"] = (found["data"]["dice"] * 5000)[:5000]
    return True


def no_throw(body: Content, reader: Post) -> bool:
    found = event(body, "rolled")
    if found is None:
        return False
    body["events"].remove(found)
    return True


def other_result(body: Content, reader: Post) -> bool:
    found = event(body, "result")
    if found is None:
        return False
    found["data"]["attacker"]["retreat"] = 0
    found["data"]["defender"]["retreat"] = 4
    return True


def other_odds(body: Content, reader: Post) -> bool:
    if event(body, "ratio") is None or "battle" not in view(body):
        return False
    view(body)["battle"]["column"] += 1
    return True


def other_flank(body: Content, reader: Post) -> bool:
    """Another reason why the defender counts as flanked, or one where he does not."""
    found = event(body, "ratio")
    if found is None or "battle" not in view(body):
        return False
    found["data"]["flanked_by"] = "infiltrated" if found["data"]["flanked_by"] != "infiltrated" else "flanked"
    return True


def the_end(body: Content, reader: Post) -> bool:
    """The match is over, and won."""
    view(body).update(outcome="time", phase="end", decides=None, decision=None)
    view(body).pop("battle", None)
    body["told"].update(keep=0, frames=[])
    body["opening"] = {"secret": "00" * 32, "actions": {}}
    return True


def the_end_told(body: Content, reader: Post) -> bool:
    the_end(body, reader)
    data = {"level": "draw", "score": view(body)["score"], "winner": None}
    body["events"].append({"kind": "over", "rules": ["14.0"], "data": data})
    return True


def _asked(body: Content, reader: Post, name: str, args: list[Any]) -> bool:
    mine = reader.table.mine
    body["told"]["frames"].append([name, mine, args])
    view(body).update(decides=reader.rules.seats[mine], decision=name)
    return True


def endless_retreat(body: Content, reader: Post) -> bool:
    """All ways of 30 hexes would have to be found: nobody would live to see it."""
    rules: Any = reader.rules
    unit = next(unit for unit in rules.of_side[reader.table.mine] if reader.table.state.at[unit] >= 0)
    return _asked(body, reader, "retreat", [[rules.ids[unit]], 30, [], []])


def endless_losses(body: Content, reader: Post) -> bool:
    rules: Any = reader.rules
    units = [rules.ids[unit] for unit in rules.of_side[reader.table.mine] if reader.table.state.at[unit] >= 0]
    return _asked(body, reader, "losses", [units, 99, []])


def steps_of_the_reader(body: Content, reader: Post) -> bool:
    rules: Any = reader.rules
    unit = next(unit for unit in rules.of_side[reader.table.mine] if reader.table.state.at[unit] >= 0)
    body["told"]["frames"].append(["attackers_back", -2, [[rules.ids[unit]], 40]])
    view(body).update(decides=rules.seats[-2], decision="attackers_back")
    return True


def attack_from_afar(body: Content, reader: Post) -> bool:
    """A unit attacks a hex that it is not next to."""
    if body["told"]["frames"][-1:] != [["ask_withhold", -2, []]]:
        return False
    rules: Any = reader.rules
    battle = view(body)["battle"]
    near = set(rules.hex_ids(rules.board.grid.adjacent[rules.grid_index[battle["origins"][0]]]))
    own = [rules.where(reader.table.state, unit) for unit in rules.of_side[reader.table.mine] if rules.combat[unit]]
    battle["target"] = next(name for name in own if name in rules.grid_index and name not in near)
    return True


def my_answer_left_out(body: Content, reader: Post) -> bool:
    """What was the reader's to decide is done with."""
    kept = [n for n, frame in enumerate(reader.table.state.frames) if frame.seat == reader.table.mine]
    if not kept or body["told"]["keep"] <= kept[0]:
        return False
    body["told"]["keep"] = kept[0]
    return True


LIES: dict[Lie, str] = {
    unit_elsewhere: "nothing tells (how|who)",
    unit_far_away: "no unit goes so far|is no way|comes into",
    hex_taken: "taken|score: ",
    hex_taken_and_told: "nobody came into it|score: ",
    bridge_gone: "nothing tells what happened to the bridge",
    turn_later: "turn .* has not come|does not go with|is not between",
    phase_later: "has not come|does not go with|is not there in",
    phase_left_out: "phases that are to come|cannot lie on",
    stronger: "nothing tells why|not as it was shown|more steps",
    murder: "units were lost that are not told",
    murder_told: "cannot have been lost|units were lost that are not told",
    worn_out: "unknown field `ce`",
    fewer_losses: "reductions, and has|follows from the dice",
    losses_not_borne: "reductions are not told|is lost, or not|does not bear|not as it was shown",
    no_losses_at_all: "losses that the dice gave|nothing tells|is lost, or not|not as it was shown|follows from",
    no_retreat: "retreat from|follows from|nothing tells|does not go with|not free to advance",
    another_throw: "nobody had to throw|have no other|has had no share",
    more_dice: "no dice that can fall|the shares of both sides",
    no_throw: "must begin with the throw",
    other_result: "what follows from the dice",
    other_odds: "column is told|totals are wrong",
    other_flank: "why it is flanked is told both ways",
    the_end: "is over|does not go with",
    the_end_told: "cannot be over yet|does not go with|left out|is not the one that follows",
    endless_retreat: "not for the other side to ask|cannot lie on|battle: it is missing",
    endless_losses: "not for the other side to ask|cannot lie on|battle: it is missing",
    steps_of_the_reader: "not for the other side to ask|cannot lie on|battle: it is missing",
    attack_from_afar: "cannot attack|cannot be attacked from",
    my_answer_left_out: "left out|does not go with|are not told|cannot lie on|no Movement Phase",
}


def forged(writer: Post, letter: Letter, body: Content) -> Letter:
    return posted(signed(replace(letter, body=body), bytes.fromhex(writer.desk.private)))


def as_it_is(post: Post) -> tuple[Any, ...]:
    """All of a desk that could be changed."""
    table = post.table
    events = [event.kind for event in table.events]
    return (
        post.desk.write(),
        post.rules.to_position(table.state),
        events,
        list(post.links),
        post.thrown,
        list(table.marks),
    )


def tell_lies(game: str, scenario: str, seed: int, told: dict[Any, int]) -> None:
    posts = pair(game, scenario, seed)
    rng = Random(seed)
    for turn in range(160):
        writer, reader = posts[turn % 2], posts[1 - turn % 2]
        play_turn(writer, rng, fiercely)
        letter = posted(writer.write())
        if letter.body["opening"] is not None:
            break
        for lie, says in LIES.items():
            body = json.loads(json.dumps(letter.body))
            if told[lie] > turn // 40 or not lie(body, reader):
                continue
            told[lie] += 1
            before, begun = as_it_is(reader), time.process_time()
            with pytest.raises(MailError, match=says) as refusal:
                reader.receive(forged(writer, letter, body))
            assert "Error(" not in str(refusal.value), (lie.__name__, refusal.value)
            assert as_it_is(reader) == before and time.process_time() - begun < 5, lie.__name__
        reader.receive(letter)


@pytest.mark.costly(each=True)
@pytest.mark.needs("by_file")
def test_lies_about_what_shows_are_refused(game: str, scenario: str) -> None:
    """Every lie, wherever it can be told first in a hard-fought match, and some letters later again."""
    told = dict.fromkeys(LIES, 0)
    allowed = {"bridge_gone", "phase_left_out"} if game == "altipiani" else set()
    for seed in range(31, 40):  # a match that is soon over leaves no occasion for some
        tell_lies(game, scenario, seed, told)
        missing = {lie.__name__ for lie, times in told.items() if not times}
        if missing <= allowed:
            break
    assert missing <= allowed, missing
