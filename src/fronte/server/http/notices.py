"""Endpoints of notices: what the server offers, asking for one, confirming an address, ending it."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.api_types import Language
from fronte.server.http.endpoint import Call, endpoint, find_match, seated
from fronte.server.notices import web_push
from fronte.server.notices.delivery import MAIL, PUSH, WEBHOOK, WORDS, forget
from fronte.server.notices.outbound import Gone, Refused, checked_target
from fronte.server.problem import Problem
from fronte.server.store.database import decoded, hashed, transaction
from fronte.server.store.rows import Place
from fronte.server.store.schema import notice_table

MOST = 8
GUESSES = 5
ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
Address = Annotated[str, msgspec.Meta(max_length=1000)]


class Offered(msgspec.Struct):
    """The ways in which this server sends notices; `push` is its public key."""

    mail: bool
    webhook: bool
    push: str | None


class NewNotice(msgspec.Struct, forbid_unknown_fields=True):
    """A notice to be asked for: `address` is a mail address, the address of a webhook, or the endpoint of web push."""

    kind: Literal["mail", "push", "webhook"]
    address: Address
    p256dh: Annotated[str, msgspec.Meta(max_length=200)] = ""
    auth: Annotated[str, msgspec.Meta(max_length=60)] = ""
    language: Language = "en"


class NoticeShown(msgspec.Struct):
    """A notice that the seat gets; a mail address counts only once it is confirmed."""

    id: str
    kind: str
    address: str
    confirmed: bool


class NoticeList(msgspec.Struct):
    """The notices of a seat."""

    notices: list[NoticeShown]


class Code(msgspec.Struct, forbid_unknown_fields=True):
    """The code that came by mail."""

    code: Annotated[str, msgspec.Meta(max_length=20)]


@endpoint("GET", "/api/notices", "The kinds of notices that this server sends", answer=Offered)
async def offered(call: Call) -> Offered:
    """What a page can offer."""
    notices = call.server.notices
    return Offered(MAIL in notices.kinds, WEBHOOK in notices.kinds, notices.public_key())


@seated("GET", "/notices", "The notices of one's seat", answer=NoticeList)
async def list_notices(call: Call) -> NoticeList:
    """Only of the seat that asks."""
    return NoticeList(await _of_seat(call.server.store, call.place))


@seated(
    "POST",
    "/notices",
    "Ask for notices when it is one's turn",
    body=NewNotice,
    answer=NoticeList,
    rate="notice",
    status=201,
)
async def ask_notice(call: Call) -> NoticeList:
    """A mail address is sent a code first, so that nobody is written to who does not want it."""
    wanted: NewNotice = call.body
    target = _target(call, wanted)
    code = f"{secrets.randbelow(10**8):08}" if wanted.kind == MAIL else None
    account = await call.account()
    row = {
        "id": secrets.token_hex(8),
        "match": call.id,
        "seat": call.place.seat,
        "account": account.id if account else None,
        "kind": wanted.kind,
        "target": msgspec.json.encode(target).decode(),
        "language": wanted.language,
        "guesses": 0,
        "tries": 0,
        "code": None if code is None else hashed(code),
        "due": await _due(call),
    }
    if not await _add(call.server.store, row):
        raise Problem(422, f"a seat can have {MOST} notices")
    if code is not None:
        await _send_code(call, wanted, str(row["id"]), code)
    return NoticeList(await _of_seat(call.server.store, call.place))


async def _due(call: Call) -> int | None:
    """When a seat that asks for notices gets the first, if it owes a decision already."""
    async with call.matches.at(call.id) as live:
        waits = live.owes == call.place.seat
    return int(time.time()) + call.server.settings.notice_after if waits else None


def _target(call: Call, wanted: NewNotice) -> dict[str, Any]:
    """Where a notice goes to, if this server sends there."""
    settings = call.server.settings
    if wanted.kind not in call.server.notices.kinds:
        raise Problem(403, f"this server sends no notices by {wanted.kind}")
    if wanted.kind == MAIL:
        if not ADDRESS.fullmatch(wanted.address) or len(wanted.address) > 254:
            raise Problem(422, "that is not a mail address")
        return {"address": wanted.address}
    try:
        checked_target(wanted.address, settings.webhooks if wanted.kind == WEBHOOK else settings.push_targets)
        if wanted.kind == WEBHOOK:
            return {"url": wanted.address}
        web_push.check(wanted.p256dh, wanted.auth)
    except Refused as wrong:
        raise Problem(422, str(wrong)) from None
    except ValueError:
        raise Problem(422, "these are not the keys of a browser") from None
    assert wanted.kind == PUSH
    return {"endpoint": wanted.address, "p256dh": wanted.p256dh, "auth": wanted.auth}


async def _send_code(call: Call, wanted: NewNotice, name: str, code: str) -> None:
    words = WORDS[wanted.language]
    match = await find_match(call.server, call.id)
    text = words["code"].format(name=match.name or match.id, code=code)
    notices = call.server.notices
    try:
        await asyncio.get_running_loop().run_in_executor(
            notices.threads, notices.mail, wanted.address, words["code_subject"], text
        )
    except (OSError, Gone):
        await forget(call.server.store, name)
        raise Problem(422, "the mail with the code could not be sent") from None


@seated(
    "POST",
    "/notices/{notice}/confirm",
    "Confirm a mail address by the code that was sent there",
    body=Code,
    answer=NoticeList,
    rate="confirm",
)
async def confirm(call: Call) -> NoticeList:
    """After a few wrong codes the address must be given anew."""
    name, code = call.request.path_params["notice"], call.body.code.strip()
    good = await _confirm(call.server.store, call.place, name, code, await _due(call))
    if good is None:
        raise Problem(404, "there is no such notice to confirm")
    if not good:
        raise Problem(403, "that is not the code")
    return NoticeList(await _of_seat(call.server.store, call.place))


@seated("DELETE", "/notices/{notice}", "End a notice", answer=NoticeList)
async def end_notice(call: Call) -> NoticeList:
    """The address is forgotten."""
    name = call.request.path_params["notice"]
    if name not in [notice.id for notice in await _of_seat(call.server.store, call.place)]:
        raise Problem(404, "there is no such notice")
    await forget(call.server.store, name)
    return NoticeList(await _of_seat(call.server.store, call.place))


# The database


def _of(place: Place) -> sa.ColumnElement[bool]:
    return (notice_table.c.match == place.match) & (notice_table.c.seat == place.seat)


@transaction
async def _of_seat(connection: AsyncConnection, place: Place) -> list[NoticeShown]:
    found = []
    for row in await connection.execute(sa.select(notice_table).where(_of(place)).order_by(notice_table.c.id)):
        target = decoded(row.target, dict[str, Any])
        shown = target.get("address") or target.get("url") or target.get("endpoint")
        found.append(NoticeShown(row.id, row.kind, shown, row.code is None))
    return found


@transaction
async def _add(connection: AsyncConnection, row: dict[str, Any]) -> bool:
    notice = notice_table.c
    same = _of(Place(row["match"], row["seat"]))
    await connection.execute(
        notice_table.delete().where(same, notice.kind == row["kind"], notice.target == row["target"])
    )
    number = (await connection.execute(sa.select(sa.func.count()).select_from(notice_table).where(same))).scalar_one()
    if number >= MOST:
        return False
    await connection.execute(notice_table.insert(), row)
    return True


@transaction
async def _confirm(connection: AsyncConnection, place: Place, name: str, code: str, due: int | None) -> bool | None:
    notice = notice_table.c
    which = _of(place) & (notice.id == name) & notice.code.is_not(None) & (notice.guesses < GUESSES)
    counted = await connection.execute(notice_table.update().where(which).values(guesses=notice.guesses + 1))
    if counted.rowcount != 1:
        return None
    right = _of(place) & (notice.id == name) & (notice.code == hashed(code))
    done = await connection.execute(notice_table.update().where(right).values(code=None, due=due))
    return done.rowcount == 1
