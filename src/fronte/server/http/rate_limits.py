"""Rate limits: so many of a kind at once, and so many more as time passes, for each address, link or name.

They are kept in memory, so each process of a server counts for itself.
"""

from __future__ import annotations

import re
import time
from collections import Counter, OrderedDict

import msgspec

from fronte.server.problem import Problem

MOST_KEYS = 20_000
RATES = {
    "request": "600/60",
    "login": "10/300",
    "name": "200/3600",
    "stranger": "5/3600",
    "device": "10/300",
    "account": "5/3600",
    "create": "30/3600",
    "upload": "20/3600",
    "look": "60/3600",
    "show": "240/60",
    "ask": "240/60",
    "link": "40/3600",
    "action": "120/20",
    "socket": "60/60",
    "chat": "20/60",
    "note": "60/60",
    "notice": "12/3600",
    "confirm": "20/3600",
}
"""`request` counts all of an address, `show` and `ask` what it is shown and asks of matches, and `login` its tries to
log in; `stranger` the wrong ones for one name from one address, `name` those from everywhere, and `device` those from a
browser that its owner has logged in with before, which count for none of these. `N/S`: N at once, and N more in S
seconds."""
_RATE = re.compile(r"(\w+)=(\d{1,7})/(\d{1,7})")


class Rate(msgspec.Struct, frozen=True):
    """So many in so many seconds."""

    number: int
    seconds: int


def rates(given: str) -> dict[str, Rate]:
    """The rates, some of them changed: `login=20/60,create=100/3600`."""
    found = {name: _rate(f"{name}={text}")[1] for name, text in RATES.items()}
    for part in filter(None, given.split(",")):
        name, rate = _rate(part.strip())
        if name not in found:
            raise ValueError(f"rates: no rate {name!r}; the rates are {', '.join(found)}")
        found[name] = rate
    return found


def _rate(text: str) -> tuple[str, Rate]:
    read = _RATE.fullmatch(text)
    if read is None or not int(read[2]) or not int(read[3]):
        raise ValueError(f"rates: {text!r} cannot be read; a rate is written login=10/300")
    return read[1], Rate(int(read[2]), int(read[3]))


class Limits:
    """What has been used up, by kind and key."""

    def __init__(self, known: dict[str, Rate]) -> None:
        self.rates = known
        self.used: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        """For each kind and key how much was used, and when that was worked out."""
        self.refused: Counter[str] = Counter()

    def take(self, kind: str, key: str) -> None:
        """Use one; 429 if there is none left. Kinds without a rate are free."""
        rate = self.rates.get(kind)
        if rate is None:
            return
        now = time.monotonic()
        used, then = self.used.pop((kind, key), (0.0, now))
        used = max(0.0, used - (now - then) * rate.number / rate.seconds)
        refused = used + 1 > rate.number
        self.used[kind, key] = used if refused else used + 1, now
        while len(self.used) > MOST_KEYS:
            self.used.popitem(last=False)
        if refused:
            self.refused[kind] += 1
            wait = (used + 1 - rate.number) * rate.seconds / rate.number
            raise Problem(429, f"too many requests ({kind}); try again in a while", retry=int(wait) + 1)

    def give_back(self, kind: str, key: str) -> None:
        """What was used does not count after all."""
        used, then = self.used.get((kind, key), (0.0, 0.0))
        if used:
            self.used[kind, key] = max(0.0, used - 1), then
