"""A game at one terminal: whose turn it is, the hand-over between the two, what is asked, and what is typed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from fronte.ai import Player, Seat
from fronte.cli import show
from fronte.cli.common import plain
from fronte.cli.shorthand import Misread, Reader
from fronte.cli.terminal import Terminal
from fronte.cli.words import Words
from fronte.engine import panel
from fronte.engine.decision import Action, Decision, Refusal
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.notation import to_text
from fronte.engine.text import Texts
from fronte.engine.view import View
from fronte.files import write_text

NUMBERED = 12
"""Decisions with at most so many answers list them all with numbers."""
NEWS = 40
"""How many lines of news are shown after a hand-over."""
QUIET = ("rolled",)
"""Events that the next event tells again, and better."""
PHASES = ("phase", "player_turn", "turn")
TARGET = "target"
"""The field of an action with the hex at which it is aimed."""
ANSWERS = 24
"""Of so many answers that aim at a hex it is told how they are typed."""


class Session:
    """One evening at the table."""

    def __init__(
        self,
        match: Match,
        terminal: Terminal,
        language: str = "en",
        players: Mapping[str, Player] | None = None,
        open_table: bool = False,
        file: Path | None = None,
        packs: Sequence[Path] = (),
        again: str = "",
        command: str = "fronte text",
    ) -> None:
        self.terminal = terminal
        self.words = Words(language)
        self.language = language
        self.players = dict(players or {})
        """The seats that the program plays."""
        self.open_table = open_table
        self.file = file
        self.packs = packs
        """Folders of an owner's own data."""
        self.again = again
        """How to go on with the game as it is played now: what follows the file."""
        self.command = command
        """How the program was started."""
        self.at_keyboard = ""
        self.seen: dict[str, int] = {}
        self.answers: list[Action] = []
        """The numbered answers on the screen."""
        self.asked = ("", "")
        """The seat and the kind of decision that was asked last."""
        self.leaving = False
        self.take(match)

    def take(self, match: Match) -> None:
        """Sit down to a match."""
        self.match = match
        self.rules = match.rules
        self.texts = Texts.read(self.rules.pack, self.language)
        self.words = Words(self.language, self.texts)
        self.reader = Reader(match, self.texts.names, self.words)
        self.at_keyboard = ""
        self.seen = {}

    # The loop

    def run(self, commands: Mapping[str, Callable[[Session, str], None]]) -> None:
        """Play until the game is over or somebody leaves; either way the game is saved."""
        try:
            while not self.leaving and self.match.decision is not None:
                self._turn(self.match.decision, commands)
            if self.match.result is not None:
                self._end()
        except KeyboardInterrupt:
            self.leaving = True
            self.terminal.say()
        finally:
            self.save(self.file)

    def _turn(self, decision: Decision, commands: Mapping[str, Callable[[Session, str], None]]) -> None:
        if decision.seat in self.players:
            self.match.play(self.players[decision.seat](Seat(self.match, decision.seat)), decision.seat)
            return
        formality = self.match.formality() if self.players or self.open_table else None
        if formality is not None:  # nobody is there who could learn from an answer given at once
            self.match.play(formality, decision.seat)
            return
        if not self.hand_over(decision.seat):
            return
        self.news(decision.seat)
        self.what_now(briefly=(decision.seat, decision.kind) == self.asked)
        self.asked = (decision.seat, decision.kind)
        match, before = self.match, len(self.match.entries)
        while not self.leaving and self.match is match and len(match.entries) == before:
            line = self.terminal.ask(self.prompt())
            if line is None:
                self.leaving = True
            elif line.strip():
                self.obey(line.strip(), commands)

    def obey(self, line: str, commands: Mapping[str, Callable[[Session, str], None]]) -> None:
        """Carry out a line: a command, a number, or an action."""
        first, _, rest = line.partition(" ")
        try:
            if first.isdigit() and not rest:
                self.answer(int(first))
                return
            if self.is_for_later(first, commands):
                return
            word = self.reader.word(first, [*self.reader.verbs(), *commands])
            if word in commands:
                commands[word](self, rest.strip())
            else:
                self.act(line)
        except Misread as wrong:
            self.terminal.say(plain(str(wrong)))

    def is_for_later(self, first: str, commands: Collection[str] = ()) -> bool:
        """An action of another decision is refused with its rule and what is asked now."""
        word = self.words.commands.get(first.lower(), first.lower())
        decision = self.match.decision
        if word in self.reader.verbs() or word in commands or decision is None:
            return False
        others = [
            self.rules.cite(choice.rules[0])
            for choice in self.rules.choices.values()
            if word in [verb.__struct_config__.tag for verb in choice.verbs]
        ]
        if others:
            why = self.words("not_now", word=self.texts.word("verb", word), ask=self.texts.ask(decision))
            rule = others[0] if len(others) == 1 else decision.rules[0]
            self.terminal.say(show.refusal_card(self.rules.rulebook, rule, why, self.language, self.words))
        return bool(others)

    # Actions

    def answer(self, number: int) -> None:
        """Play one of the numbered answers."""
        if not 1 <= number <= len(self.answers):
            raise Misread(self.words("unknown", word=str(number), hint=self.words("unknown_hint")))
        self.play(self.answers[number - 1])

    def act(self, line: str) -> None:
        """Play what a line says, or say why not."""
        if self._asks_who_can(line):
            return
        self.play(self.reader.action(line))

    def _asks_who_can(self, line: str) -> bool:
        """`attack HEX` alone is a question, and so is any verb that aims at a hex and needs more than that."""
        first, *rest = line.split()
        verbs = self.reader.verbs()
        word = self.reader.word(first, verbs)
        needed = [one.name for one in msgspec.structs.fields(verbs[word]) if one.required]
        if len(rest) != 1 or TARGET not in needed or len(needed) < 2:
            return False
        name = self.reader.hex(rest[0])
        if word != "attack":
            self._tell_who_can(word, name)
            return True
        return self._tell_attackers(name)

    def _tell_who_can(self, word: str, name: str) -> None:
        """The answers of a verb that aim at a hex, as they are typed."""
        found = (one for one in self.match.legal() if one.__struct_config__.tag == word)
        lines = [to_text(one) for one in islice((one for one in found if getattr(one, TARGET) == name), ANSWERS)]
        for line in lines:
            self.terminal.say(f"  {plain(self.words.spoken(line))}")
        if not lines:
            self.terminal.say(self.words("nobody_attacks", hex=plain(self.texts.hex(name))))

    def _tell_attackers(self, name: str) -> bool:
        """The units and guns for an attack on a hex, as the offer has them."""
        targets = self.match.offer.get("targets")
        if targets is None:
            return False
        if name not in targets:
            refusal = self.match.why_not({"do": "attack", "target": name, "units": []})
            self.terminal.say(self.refused(refusal) if refusal else self.words("nobody_attacks", hex=name))
            return True
        self.terminal.say(self.who_can_attack(name, targets[name]))
        return True

    def who_can_attack(self, name: str, offer: Mapping[str, Any]) -> str:
        """The units and guns that an attack on a hex could have."""
        faces = {piece.id: self.rules.face_text(piece, brief=True) for piece in self.view().own()}
        units = ", ".join(f"{unit} ({faces[unit]})" for unit in offer["units"])
        guns = ", ".join(f"{gun} ({faces[gun]})" for gun in offer["guns"])
        if not units:
            return self.words("nobody_attacks", hex=plain(self.texts.hex(name)))
        who = self.words("can_attack", hex=plain(self.texts.hex(name)), units=units, steps=offer["steps_per_hex"])
        return f"{who}\n{self.words('can_fire', guns=guns) if guns else self.words('no_guns')}"

    def play(self, action: Action) -> None:
        """Play an action of the seat at the keyboard and tell what came of it."""
        refusal = self.match.why_not(action)
        if refusal is not None:
            self.terminal.say(self.refused(refusal))
            return
        if not self._sure(action):
            return
        self.match.play(action)

    def _sure(self, action: Action) -> bool:
        """Before a phase ends: say what comes of it, and ask where something would be lost."""
        if action.__struct_config__.tag != "end":
            return True
        offer = self.match.offer
        for field, pieces in offer.get("named", {}).items():
            left = [piece for piece in pieces if piece not in getattr(action, field, ())]
            if left:
                self.terminal.say(plain(self.texts.ending(field, left)))
        warned = {key: names for key, names in offer.get("warnings", {}).items() if names}
        for key, names in warned.items():
            self.terminal.say(f"[bold yellow]{plain(self.texts.warning(key, names))}[/]")
        return not warned or self.words.yes(self.terminal.ask(self.words("confirm")) or "")

    def refused(self, refusal: Refusal) -> Any:
        """A refusal with its rule."""
        why = self.texts.refusal(refusal)
        return show.refusal_card(self.rules.rulebook, refusal.rule, why, self.language, self.words)

    # What is on the screen

    def prompt(self) -> str:
        """Whose move it is, in short."""
        stage = self.match.view(self.seat).stage
        side = self.texts.word("side_short", self.seat)
        return self.words("prompt", side=side, turn=stage.turn, phase=self.texts.word("phase", stage.phase))

    @property
    def letters(self) -> dict[str, str]:
        """A letter for each force on the map, as `[side_short]` of the game's texts begins: two where one is shared."""
        names = [self.texts.word("side_short", force).upper() for force in self.rules.setting.forces]
        first = [name[:1] for name in names]
        short = [name[: 1 + (first.count(name[:1]) > 1)] for name in names]
        return dict(zip(self.rules.setting.forces, short, strict=True))

    def where(self, piece: str) -> str:
        """Where a piece of the seat at the keyboard is."""
        found = self.view().piece(piece)
        return found.at if found else ""

    @property
    def seat(self) -> str:
        """The seat at the keyboard."""
        return self.at_keyboard or self.rules.seats[0]

    def view(self) -> View:
        """What that seat sees."""
        return self.match.view(self.seat)

    def hand_over(self, seat: str) -> bool:
        """Let the other player come to the keyboard, with nothing of the first one's left on the screen."""
        if seat == self.at_keyboard:
            return True
        first = not self.at_keyboard
        self.at_keyboard = seat
        self.answers = []
        if self.players or self.open_table or not self.rules.capabilities.hidden:
            return True
        if not first:
            self.terminal.clear()
            self.terminal.forget()
        player = self.texts.word("player", seat)
        self.terminal.say(f"[bold]{self.words('pass_on', player=player)}[/]")
        if not first:
            self.terminal.say(self.words("not_yet"))
            if self._is_guest(seat):
                self.terminal.say(f"[dim]{self.words('fewer')}[/]")
        if self.terminal.ask(self.words("press")) is None:
            self.leaving = True
            return False
        return True

    def _is_guest(self, seat: str) -> bool:
        return self.match.view(seat).stage.active not in ("", seat)

    def news(self, seat: str) -> None:
        """What has happened since this seat last looked."""
        since = self.seen.get(seat, 0)
        self.seen[seat] = len(self.match.events)
        events = [event for event in self.match.events_for(seat, since) if event.kind not in QUIET]
        if not events:
            return
        self.terminal.say()
        if len(events) > NEWS:
            hidden = len(events) - NEWS
            self.terminal.say(f"[dim]{self.words('more_news', count=hidden, all=len(events))}[/]")
        self.tell(events[-NEWS:])

    def tell(self, events: list[Event]) -> None:
        """Events as sentences, the phases as headings."""
        for event in events:
            if event.kind in PHASES:
                self.terminal.say(f"[bold]{plain(self.texts.event(event, cite=False))}[/]")
            else:
                self.terminal.say(f"  {plain(self.texts.event(event))}")

    def what_now(self, briefly: bool = False) -> None:
        """The status, what is asked, and the answers with their numbers where they are few."""
        decision = self.match.decision
        if decision is None:
            return
        self.answers = self._few_answers(decision)
        if not briefly:
            self.terminal.say()
            self.terminal.say(f"[bold]{plain(show.status(self.rules, self.view(), self.texts, self.words))}[/]")
        self.terminal.say(f"[bold cyan]{self.words('now')}[/] {plain(self.texts.ask(decision))}")
        if briefly and not self.answers:
            return
        hint = plain(self.texts.hint(decision))
        if not self.answers:
            self.terminal.say(f"[cyan]{self.words('answer')}[/] {hint}")
            return
        self.terminal.say(f"[cyan]{self.words('answer')}[/] {hint}; {self.words('choose')}")
        for number, action in enumerate(self.answers, 1):
            self.terminal.say(f"  [bold]{number:2}[/] {plain(self.words.spoken(to_text(action)))}")
        if decision.whole is not None:
            self.terminal.say(self.words("whole"))

    def _few_answers(self, decision: Decision) -> list[Action]:
        if decision.panel == panel.MOVE or "attack" in self.reader.verbs():
            return []  # far too many even to count
        found = list(islice(self.match.legal(), NUMBERED + 1))
        return found if len(found) <= NUMBERED else []

    def _end(self) -> None:
        for seat in self.rules.seats:
            if seat not in self.players:
                self.at_keyboard = seat
                self.news(seat)
                break
        result = self.match.result
        assert result is not None
        level, points = self.texts.word("level", result.level), show.points(self.rules, self.texts, result.score)
        self.terminal.say(f"\n[bold]{self.words('over', level=level, points=points)}[/]")
        for line in show.handicap(self.rules, self.texts, self.words):
            self.terminal.say(line)

    # Files

    def written(self, file: Path | None, private: bool = False) -> bool:
        """Is the match written to a file now? If that fails the reason is said."""
        if file is None:
            return False
        try:
            write_text(file, self.match.save(), private=private)
        except OSError as wrong:
            self.terminal.say(self.words("not_saved", why=f"{file}: {wrong.strerror}"))
            return False
        return True

    def save(self, file: Path | None) -> None:
        """Write the game to a file and say so."""
        if not self.written(file):
            return
        kind, command = "saved" if self.leaving else "saved_short", plain(self.command)
        self.terminal.say(self.words(kind, file=file, command=command, again=plain(self.again)))
