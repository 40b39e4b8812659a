"""The information endpoints: what the server offers, and the luck of a match."""

from __future__ import annotations

import msgspec
from hosts import Host, hosted

import fronte
from fronte.engine import luck
from fronte.games.registry import for_header
from fronte.server import Settings


def test_a_page_learns_what_is_offered(settings: Settings) -> None:
    chosen = msgspec.structs.replace(settings, local=False, open_matches=True, accounts=False)
    for host in hosted(chosen):
        assert host.client.get("/api/house").json() == {
            "local": False,
            "accounts": False,
            "open_matches": True,
            "public_url": "",
            "packs": [],
        }


def test_luck_is_the_same_for_both_and_spectators_wait_for_theirs(host: Host) -> None:
    match = fronte.new("isonzo", seed=7)
    match.play("end")
    match.play("end")
    target, offer = next(iter(match.offer["targets"].items()))
    match.play({"do": "attack", "target": target, "units": offer["units"][:1]})
    while match.decision is not None and match.decision.kind != "combat":
        match.play(next(iter(match.legal())))
    opened = host.client.post("/api/matches/upload", content=match.save(with_seed=True)).json()
    path, bearer = (
        f"/api/matches/{opened['id']}",
        {s: {"authorization": f"Bearer {t}"} for s, t in opened["tokens"].items()},
    )
    told = [host.client.get(f"{path}/luck", headers=headers).json() for headers in bearer.values()]
    assert told[0] == told[1] and told[0]["line"] == len(match.entries)
    assert len(told[0]["combats"]) == 1
    expected = luck.of_save(match.save(with_seed=True), for_header)
    assert told[0]["seats"] == msgspec.json.decode(msgspec.json.encode(expected["seats"]))

    late = {"spectators": {"see": "ah", "lines": len(match.entries)}}
    for headers in bearer.values():
        assert host.client.post(f"{path}/seat", json=late, headers=headers).status_code == 200
    looking = {"authorization": f"Bearer {opened['spectators']}"}
    seen = host.client.get(f"{path}/luck", headers=looking).json()
    assert seen["line"] == 0 and seen["combats"] == []


def test_a_handicap_is_told_and_a_wrong_one_is_refused(host: Host) -> None:
    ah = host.begin(options={"handicap": "ah:5"})["ah"]
    assert ah.get()["options"]["handicap"] == "ah:5"
    tracks = {track["name"]: track["value"] for track in ah.get("/state")["view"]["tracks"]}
    assert tracks["score"] == -5, "the Italians score"
    assert "handicap" not in host.begin()["ah"].get()["options"]
    wrong = (("ah:0", "nessun vantaggio 'ah:0'"), ("wing:5", "nessun posto 'wing'"), (True, "nessun vantaggio"))
    for given, why in wrong:
        wanted = {"game": "isonzo", "seed": 7, "options": {"handicap": given}}
        refused = host.client.post("/api/matches?language=it", json=wanted)
        assert refused.status_code == 422 and refused.json()["error"]["why"].startswith(why)
