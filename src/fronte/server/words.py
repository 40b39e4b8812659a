"""What the server itself says, in the language of the player. What a game says is in its pack.

In the code stands the English sentence; `words.it.toml` gives each in Italian. `{}` stands for whatever a sentence
names.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from fronte.engine.text import LANGUAGES, typographic


@cache
def sentences(language: str) -> dict[str, str]:
    """The English sentences and what they are in another language."""
    if language == LANGUAGES[0]:
        return {}
    text = files("fronte.server").joinpath(f"words.{language}.toml").read_text(encoding="utf-8")
    return {str(english): typographic(str(other)) for english, other in tomllib.loads(text).items()}


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Sentences that name something, the longest first, so that none hides a more exact one."""
    open_ones = sorted((key for key in sentences(language) if "{}" in key), key=lambda key: (-len(key), key))
    return [
        (re.compile("(.*)".join(map(re.escape, key.split("{}"))), re.DOTALL), sentences(language)[key])
        for key in open_ones
    ]


def said(sentence: str, language: str) -> str:
    """An English sentence in a language, and the sentences inside it; as it is where it has no other form."""
    found = sentences(language).get(sentence)
    if found is not None:
        return found
    for pattern, other in _patterns(language):
        match = pattern.fullmatch(sentence)
        if match:
            return other.format(*(said(part, language) for part in match.groups()))
    return sentence
