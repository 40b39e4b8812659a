"""What runs in a worker process: reads questions from its input, answers on its output, ends when the input ends."""

from __future__ import annotations

import traceback
from collections import OrderedDict
from pathlib import Path
from typing import BinaryIO

import msgspec

from fronte.ai import Player, Seat, player
from fronte.ai.reasons import Reason, tell
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES
from fronte.server.matches import tables
from fronte.server.matches.analysis_main import studied
from fronte.server.matches.replay import Past, follow, load
from fronte.server.matches.worker_pool import Answer, Ask
from fronte.server.processes.child import answering, as_helper

REPLICAS = 24


class Replica:
    """A match as a worker knows it, and the players that sit at it here."""

    def __init__(self, match: Match, past: Past) -> None:
        self.match, self.past = match, past
        self.players: dict[tuple[str, str], Player] = {}

    def at(self, line: int) -> Match:
        """The match as it was after so many lines."""
        return self.past.at(self.match, line)


def answer(replicas: OrderedDict[str, Replica], ask: Ask) -> Answer:
    """Follow the record, then let the player decide."""
    if ask.heading is not None:
        known = replicas.pop(ask.match, None)
        past = Past(ask.heading, [Path(folder) for folder in ask.packs])
        replicas[ask.match] = Replica(load(ask.heading, None, ask.entries, ask.packs), past)
        if known is not None:
            replicas[ask.match].players = known.players
    replica = replicas.get(ask.match)
    if replica is None or (ask.heading is None and len(replica.match.entries) != ask.line):
        return Answer(behind=True)
    replicas.move_to_end(ask.match)
    while len(replicas) > REPLICAS:
        replicas.popitem(last=False)
    if ask.heading is None:
        follow(replica.match, ask.entries)
    if ask.study is not None:
        found = studied(replica.match, replica.at, ask.seat, ask.player, ask.study)
        return Answer(found=msgspec.Raw(msgspec.json.encode(found)))
    key = ask.seat, ask.player
    if key not in replica.players:
        replica.players[key] = player(ask.player, f"{ask.match} {ask.seat}", game=replica.match.rules.header.game)
    sits = replica.players[key]
    action = sits(Seat(replica.match, ask.seat))
    return _explained(Answer(msgspec.to_builtins(action)), replica.match, getattr(sits, "why", ""))


def _explained(answer: Answer, match: Match, why: object) -> Answer:
    """The answer with its reason put into words."""
    if isinstance(why, Reason):
        texts = {language: tables.texts(match.rules, language) for language in LANGUAGES}
        answer.why = {language: tell(why, words, match.rules.header.game) for language, words in texts.items()}
        answer.secret = why.secret
    else:
        answer.why = str(why or "")
    return answer


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until no more is asked."""
    replicas: OrderedDict[str, Replica] = OrderedDict()
    decoder = msgspec.json.Decoder(Ask)

    def told(question: bytes) -> bytes:
        try:
            found = answer(replicas, decoder.decode(question))
        except Exception as wrong:
            traceback.print_exc()
            found = Answer(error=f"{type(wrong).__name__}: {wrong}")
        return msgspec.json.encode(found)

    answering(questions, answers, told)


def main() -> None:
    """Serve this process's own input and output."""
    as_helper(serve)


if __name__ == "__main__":
    main()
