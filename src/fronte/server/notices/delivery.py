"""Notices that it is one's turn: by mail, web push or webhook.

That one is owed is written in the transaction that passes the decision on, so none is lost. They are sent from
here, outside of all transactions and of the event loop, when the seat has not answered for a while and nobody of it is
here; what fails is tried again. A notice names the match and says whose turn it is: nothing that anybody may not know.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.notices import web_push
from fronte.server.notices.outbound import Gone, Refused, post, send_mail
from fronte.server.settings import Settings
from fronte.server.store.database import Damaged, Store, decoded, kept_secret, transaction
from fronte.server.store.schema import match_table, notice_table

log = logging.getLogger("fronte.server.notices")

EVERY = 5.0
LEASE = 300
RETRY = (60, 300, 1800, 7200, 43_200)
AT_ONCE = 50
MAIL, PUSH, WEBHOOK = "mail", "push", "webhook"
WORDS = {
    "en": {
        "subject": "Your turn: {name}",
        "text": "It is your turn ({seat}) in the match {name}.\n\n{url}\n",
        "code_subject": "Code for notices from Fronte",
        "code": "Somebody (you, it is hoped) wants notices of the match {name} to be sent to this address.\n\n"
        "The code is {code}. Without it nothing more will be sent.\n",
    },
    "it": {
        "subject": "Tocca a te: {name}",
        "text": "Tocca a te ({seat}) nella partita {name}.\n\n{url}\n",
        "code_subject": "Codice per gli avvisi di Fronte",
        "code": "Qualcuno (speriamo tu) vuole che gli avvisi della partita {name} arrivino a questo indirizzo.\n\n"
        "Il codice è {code}. Senza di esso non verrà inviato altro.\n",
    },
}


class Due(msgspec.Struct, frozen=True):
    """A notice that is to be sent."""

    id: str
    match: str
    seat: str
    kind: str
    target: dict[str, Any]
    language: str
    tries: int
    name: str


class Notices:
    """Sends what is due, as long as the server runs."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.counted: Counter[tuple[str, str]] = Counter()
        self.present: Callable[[str, str], bool] = lambda match, seat: False
        """Is somebody of this seat here?"""
        self.key = ""
        """The private key of the server, where web push is on."""
        self.threads = ThreadPoolExecutor(4, "notice")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of notices that this server sends."""
        settings = self.settings
        able = {MAIL: settings.smtp and settings.mail_from, PUSH: settings.push, WEBHOOK: settings.webhooks}
        return tuple(kind for kind, on in able.items() if on)

    async def open(self) -> None:
        """Find or make the key of the server."""
        if self.settings.push:
            self.key = await kept_secret(self.store, "push key", web_push.new_key())

    def public_key(self) -> str | None:
        """What a browser must know to ask for web push."""
        if not self.key:
            return None
        return web_push.to_text(web_push.public_bytes(web_push.private_key(self.key)))

    async def run(self) -> None:
        """Send what is due, for ever."""
        while True:
            try:
                await self.send_due()
            except Exception:
                log.exception("notices cannot be sent now")
            await asyncio.sleep(EVERY)

    def close(self) -> None:
        """What is being sent is not waited for; it is due again when the server comes back."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    async def send_due(self) -> None:
        """Send all that is due now."""
        if not self.kinds:
            return
        now = int(time.time())
        due = await claim_due(self.store, now, self.settings.notice_after, self.kinds)
        here = [notice for notice in due if self.present(notice.match, notice.seat)]
        for notice in here:
            await put_off(self.store, notice.id, now + max(30, self.settings.notice_after), notice.tries - 1)
        await asyncio.gather(*(self._send(notice) for notice in due if notice not in here))

    async def _send(self, notice: Due) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self.threads, self.deliver, notice)
        except (Gone, Refused) as wrong:
            log.warning("a notice by %s in match %s is given up: %s", notice.kind, notice.match, wrong)
            self.counted[notice.kind, "gone"] += 1
            await forget(self.store, notice.id)
        except Exception as wrong:
            self.counted[notice.kind, "failed"] += 1
            again = notice.tries <= len(RETRY)
            told = type(wrong).__name__ if not isinstance(wrong, OSError) else str(wrong)
            log.warning("a notice by %s in match %s fails: %s", notice.kind, notice.match, told)
            due = int(time.time()) + RETRY[notice.tries - 1] if again else None
            await put_off(self.store, notice.id, due, notice.tries)
        else:
            self.counted[notice.kind, "sent"] += 1
            await put_off(self.store, notice.id, None, 0)

    def deliver(self, notice: Due) -> None:
        """Send one notice; in a thread."""
        words = WORDS[notice.language]
        url = f"{self.settings.public_url.rstrip('/')}/#match/{notice.match}"
        data = {"name": notice.name or notice.match, "seat": notice.seat, "url": url}
        if notice.kind == MAIL:
            self.mail(notice.target["address"], words["subject"].format(**data), words["text"].format(**data))
            return
        told = {"notice": "turn", "match": notice.match, **data, "text": words["subject"].format(**data)}
        body = msgspec.json.encode(told)
        if notice.kind == WEBHOOK:
            post(notice.target["url"], body, {"content-type": "application/json"}, self.settings.webhooks)
            return
        self._push(notice.target, body)

    def mail(self, address: str, subject: str, text: str) -> None:
        """Send a mail."""
        send_mail(self.settings.smtp, self.settings.mail_from, address, " ".join(subject.split()), text)

    def _push(self, target: dict[str, Any], body: bytes) -> None:
        contact = self.settings.public_url if self.settings.public_url.startswith("https://") else ""
        contact = contact or f"mailto:{self.settings.mail_from or 'nobody@localhost'}"
        headers = {
            "authorization": web_push.authorization(web_push.private_key(self.key), target["endpoint"], contact),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": "86400",
        }
        sealed = web_push.encrypt(body, target["p256dh"], target["auth"])
        post(target["endpoint"], sealed, headers, self.settings.push_targets)


# The database


@transaction
async def claim_due(connection: AsyncConnection, now: int, silence: int, kinds: tuple[str, ...]) -> list[Due]:
    """What is due, each claimed for a while, so that no other process sends it too.

    A match in which something happened within the last seconds waits: somebody is at it.
    """
    notice = notice_table.c
    joined = notice_table.join(match_table, match_table.c.id == notice.match)
    wanted = sa.select(notice_table, match_table.c.name).select_from(joined)
    wanted = wanted.where(notice.due <= now, notice.code.is_(None), notice.kind.in_(kinds))
    wanted = wanted.where(match_table.c.changed <= now - silence).order_by(notice.due)
    found = []
    for row in list(await connection.execute(wanted.limit(AT_ONCE))):
        ours = (notice.id == row.id) & (notice.due == row.due)
        claim = notice_table.update().where(ours).values(due=now + LEASE, tries=row.tries + 1)
        if (await connection.execute(claim)).rowcount == 1:
            try:
                target = decoded(row.target, dict[str, Any])
            except Damaged:
                await connection.execute(notice_table.delete().where(notice.id == row.id))
                continue
            found.append(Due(row.id, row.match, row.seat, row.kind, target, row.language, row.tries + 1, row.name))
    return found


@transaction
async def put_off(connection: AsyncConnection, name: str, due: int | None, tries: int) -> None:
    """A notice that is due again later, or not until the next turn. One that was called off meanwhile stays so."""
    notice = notice_table.c
    which = (notice.id == name) & notice.due.is_not(None)
    await connection.execute(notice_table.update().where(which).values(due=due, tries=tries))


@transaction
async def forget(connection: AsyncConnection, name: str) -> None:
    """Nobody wants this notice any more."""
    await connection.execute(notice_table.delete().where(notice_table.c.id == name))
