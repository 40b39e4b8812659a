"""Before one decides, at the terminal: why a unit cannot go somewhere, and what is to be foreseen."""

from __future__ import annotations

from fronte.cli.common import plain
from fronte.cli.session import Session
from fronte.cli.shorthand import Misread
from fronte.engine.decision import Refusal
from fronte.engine.whynot import Obstacle, Part


def asks_there(session: Session, rest: str) -> bool:
    """`why UNIT HEX`: what stands between them; False if this is no such question."""
    words = rest.rsplit(" ", 1)
    verb = session.words.commands.get(words[0].split()[0].lower(), words[0].split()[0].lower())
    if len(words) != 2 or verb in session.reader.verbs() or not session.rules.capabilities.reasons:
        return False
    tell_there(session, session.reader.own_unit(words[0]), session.reader.hex(words[1]))
    return True


def tell_there(session: Session, unit: str, goal: str) -> None:
    """The best way, what bars it, and what would help."""
    found = session.match.why_not_there(session.seat, unit, goal)
    if isinstance(found, Refusal):
        session.terminal.say(session.refused(found))
        return
    texts, words = session.texts, session.words
    free = not found.own.obstacles and not found.way.obstacles
    names = {"unit": plain(texts.unit(unit)), "hex": plain(texts.hex(goal))}
    session.terminal.say(f"[bold]{words('why_free' if free else 'why_there', **names)}[/]")
    told: set[str] = set()
    for part in (found.own, found.way):
        _tell(session, part, told)
    if found.path and not free:
        way = plain(texts.way([session.where(unit), *found.path]))
        session.terminal.say(words("why_way", way=way, gone=found.gone, hexes=len(found.path)))
    if found.attack is not None:
        barred = [one for one in found.attack.obstacles if _told(session, one) not in told]
        word = "why_attack" if barred else "why_attack_same" if found.attack.obstacles else "why_attacks"
        session.terminal.say(f"[bold]{words(word, **names)}[/]")
        _tell(session, found.attack, told)


def _told(session: Session, obstacle: Obstacle) -> str:
    """An obstacle in words, with its rule."""
    rule = session.rules.cite(obstacle.refusal.rule)
    label = plain(f"[{session.rules.rulebook.label(rule)}]") if rule else ""
    return f"{plain(session.texts.refusal(obstacle.refusal))} {label}"


def _tell(session: Session, part: Part, told: set[str]) -> None:
    """Obstacles, then what would help; each once, however many parts it bars."""
    for obstacle in dict.fromkeys(_told(session, one) for one in part.obstacles):
        if obstacle not in told:
            session.terminal.say(f"  - {obstacle}")
    helps = [session.texts.said("help", line) for line in part.helps]
    helps = [one for one in helps if one and one not in told]
    told.update(helps, (_told(session, one) for one in part.obstacles))
    if helps:
        word = "help_one" if len(helps) == 1 else "help_any" if part.single else "help_all"
        session.terminal.say(f"  {session.words(word)} {plain('; '.join(dict.fromkeys(helps)))}")


def foresee(session: Session, rest: str) -> None:
    """What can be foreseen of the next turn."""
    if not session.rules.capabilities.outlook:
        raise Misread(session.words("no_outlook"))
    for line in session.match.outlook(session.seat).lines:
        session.terminal.say(f"  - {plain(session.texts.said('outlook', line))}")
