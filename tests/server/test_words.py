"""What the server says, in the language of whoever asks: refusals of the rules, and its own."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from hosts import Host

import fronte
import fronte.server
from fronte.engine import standing
from fronte.server.http import endpoint
from fronte.server.people import links
from fronte.server.words import said, sentences

OF_PROGRAMS = (400, 408, 413)
"""What is said to a program that asks in a wrong form; no player reads it."""


OF_SAVES = (
    "the match was played with another data pack ({}, here {})",
    "the match was played under rules version {}, here {}",
    "line {}: {}",
    "the words in it are not one for each seat",
    "what is kept of it is damaged",
    "it takes more memory than a match can",
    "it takes longer than a match can",
)
"""What is said below the server of a match that cannot be opened; the test of such matches holds them to it."""


OF_ORDERS = (
    "no policy {} for {}; the policies are {}",
    "an order has {} characters at the most",
    "{} takes {}, not {}",
    "{}= is a number from {} to {}, not {}",
    "{}= is one of {}, not {}",
    "{}= is a hex of the board, not {}",
    "{}= names nothing",
)
"""What is said below the server of a standing order that cannot be given; `engine.standing` has them."""


OF_HANDICAPS = (
    "no handicap {}; write a seat and 1 to {} points, as {}:10",
    "{} counts no points that a side could be given",
)
"""What is said below the server of a handicap that cannot be given; `engine.handicap` and `engine.rules` have them."""


def literals(node: ast.expr) -> Iterator[str]:
    """The sentences that an expression writes out, `{}` for what they name."""
    if isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def spoken() -> set[str]:
    """All that the server says to players."""
    found = {*links.ENDED.values(), *endpoint.NOT_FOR.values(), "nothing is at {}"}
    found |= {*OF_SAVES, *OF_ORDERS, *OF_HANDICAPS}
    for file in sorted(Path(fronte.server.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem":
                status = node.args[0] if node.args else None
                if not isinstance(status, ast.Constant) or status.value not in OF_PROGRAMS:
                    found.update(sentence for part in node.args[1:2] for sentence in literals(part))
    return found


def test_all_that_the_server_says_to_players_has_italian_words() -> None:
    italian = sentences("it")
    assert len(italian) > 40
    assert spoken() - set(italian) == set(), "to be added to server/words.it.toml"
    assert set(italian) - spoken() == set(), "said by nobody"
    assert all(english.count("{}") == other.count("{}") for english, other in italian.items())


def test_sentences_that_name_something() -> None:
    assert said("there is no match 'x'", "it") == "non c’è nessuna partita 'x'"
    assert said("there is no match 'x'", "en") == "there is no match 'x'"
    assert said("there is no such notice", "it") == "non c’è un avviso così"
    assert said("Bainsizza", "it") == "Bainsizza"
    assert said("no policy 'a' for b; the policies are {}, {x}", "it") == (
        "nessun ordine 'a' per b; gli ordini sono {}, {x}"
    )


def test_a_save_of_other_data_is_refused_in_both_languages(host: Host) -> None:
    heading, *rest = fronte.new("isonzo", seed=1).save().splitlines()
    data = json.loads(heading)
    data["header"]["pack"] = "0" * 16
    text = "\n".join([json.dumps(data), *rest])
    told = [
        host.client.post(f"/api/matches/upload?language={language}", content=text).json()["error"]["why"]
        for language in ("en", "it")
    ]
    assert told[0].startswith("the save cannot be read: line 1: the match was played with another data pack (0000")
    assert told[1].startswith("il salvataggio non si può leggere: riga 1: la partita è stata giocata con altri dati (0")


def test_refusals_come_in_the_language_asked_for(host: Host) -> None:
    seats = host.begin()
    italian, ah = seats["italian"], seats["ah"]
    assert italian.play("end")["decision"]["kind"] == "movement"
    far = {"do": "move", "unit": "it-udine", "path": ["0801"]}
    foreign = "deve decidere il giocatore italiano, non il giocatore austro-ungarico"
    asked = italian.post("/why?language=it", {"action": far})["refusal"]
    assert asked["rule"] == "4.2" and "0801 non è adiacente a " in asked["why"]
    assert "0801 is not adjacent to " in italian.post("/why", {"action": far})["refusal"]["why"]
    played = italian.post("/actions?language=it", {"action": far, "line": 1}, 422)["error"]
    assert played == asked | {"line": None, "retry": None}
    assert ah.post("/why?language=it", {"action": "end"})["refusal"]["why"] == foreign
    assert ah.post("/actions?language=it", {"action": "end", "line": 1}, 403)["error"]["why"] == foreign
    way = italian.post("/path?language=it", {"unit": "it-udine", "via": ["0801"]})["refusal"]
    assert way["rule"] == "4.1" and "non si arriva a 0801" in way["why"]
    assert ah.get("/overlays/supply?piece=it-udine&language=it", 422)["error"] == {
        "rule": "11.3",
        "why": "UDINE non è una tua unità in mappa",
        "line": None,
        "retry": None,
    }
    odds = italian.post("/odds?language=it", {"action": "end"}, 422)["error"]
    assert odds["why"] == "per «fine» non si tirano dadi"


def test_a_socket_refuses_in_its_language(host: Host) -> None:
    italian = host.begin()["italian"]
    with italian.live(language="it") as mine:
        assert mine.receive_json()["line"] == 0
        for message, why in (
            ({"action": "attack 2412 with it-udine", "line": 0}, "ora non è possibile «attacca»"),
            ({"action": "end", "line": 7}, "nel frattempo la partita è andata avanti"),
            ({"undo": 0}, "non si può annullare nulla"),
        ):
            mine.send_json(message)
            assert mine.receive_json()["error"]["why"].startswith(why)
        mine.send_json({"language": "en"})
        assert mine.receive_json()["line"] == 0
        mine.send_json({"action": "attack 2412 with it-udine", "line": 0})
        assert mine.receive_json()["error"]["why"].startswith("attack is not possible now")


def test_the_rules_of_a_refused_path_have_the_numbers_of_the_games_book(host: Host) -> None:
    """What the shared chapters call 4 is 4.0 in Altipiani's book."""
    seats = host.begin(game="altipiani")
    decision = seats["ah"].get("/state")["decision"]
    while decision["kind"] != "movement":
        decision = seats[decision["seat"]].play("end")["decision"]
    mover = seats[decision["seat"]]
    unit = next(p for p in mover.get("/state")["view"]["pieces"] if p["at"] == "waiting" and p.get("mine"))
    refusal = mover.post("/path?language=it", {"unit": unit["id"], "via": ["2704"]})["refusal"]
    assert refusal["rule"] == "4.0" and refusal["why"].endswith("non è in mappa")


def test_what_the_server_refuses_itself_comes_in_italian_too(host: Host) -> None:
    client = host.client
    assert client.get("/api/matches/nowhere?language=it").json()["error"]["why"] == "non c’è nessuna partita 'nowhere'"
    assert client.get("/nothing?language=it").json()["error"]["why"] == "non c’è nulla in /nothing"
    italian = host.begin()["italian"]
    missing = client.get(f"{italian.path}/state?language=it")
    assert missing.status_code == 401 and missing.json()["error"]["why"] == "serve un link a questa partita"
    wrong = client.get(f"{italian.path}/state?language=de&token=x").json()["error"]["why"]
    assert wrong == "the token is not known"


def test_what_is_said_of_orders_is_what_the_engine_says() -> None:
    source = ast.parse(Path(standing.__file__).read_text(encoding="utf-8"))
    raised = [node.exc for node in ast.walk(source) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    told = {sentence for call in raised for sentence in literals(call.args[0])}
    assert {sentence for sentence in told if not sentence.startswith("no standing order")} == set(OF_ORDERS)
