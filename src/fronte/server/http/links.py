"""Links given out by hand: for another device, for somebody else, for spectators; listing, renewing and ending them."""

from __future__ import annotations

import time
from typing import Literal

import msgspec

from fronte.server.api_types import Word
from fronte.server.http.endpoint import Call, of_match
from fronte.server.http.seats import told
from fronte.server.people import links, seating
from fronte.server.problem import Problem
from fronte.server.store.rows import HELD, Place


class NewLink(msgspec.Struct, forbid_unknown_fields=True):
    """A link to be made: for another device (`seat`), to look over one's shoulder, for spectators, or an invitation."""

    kind: Literal["seat", "watch", "spectator", "invite"]
    seat: Word = ""


class MadeLink(msgspec.Struct):
    """A new link: its token is told only now."""

    id: str
    kind: str
    seat: str
    token: str


class LinkShown(msgspec.Struct):
    """A link without its token."""

    id: str
    kind: str
    seat: str
    created: int
    yours: bool


class LinkList(msgspec.Struct):
    """The good links that one may know of."""

    links: list[LinkShown]


async def _known(call: Call) -> list[links.Link]:
    """The links that whoever asks may know of, and end: of one's seat; for the owner, of seats that nobody holds."""
    people = await call.server.store.people(call.id)

    def may_know(link: Place) -> bool:
        if link.kind == "spectator":
            return True
        if call.place.kind == "seat":
            return link.seat == call.place.seat
        return link.kind == "owner" or (link.kind == "invite" and people[link.seat].state != HELD)

    return [link for link in await links.of_match(call.server.store, call.id) if may_know(link.place)]


@of_match(
    "GET",
    "/links",
    "The links that lead to one's seat, and to spectators' places",
    answer=LinkList,
    kinds=("seat", "owner"),
)
async def list_links(call: Call) -> LinkList:
    """Without their tokens, which nobody is told again."""
    found = await _known(call)
    return LinkList(
        [
            LinkShown(
                link.place.link, link.place.kind, link.place.seat, link.created, link.place.link == call.place.link
            )
            for link in found
        ]
    )


@of_match(
    "POST",
    "/links",
    "A new link: for another device, for somebody else, for spectators",
    body=NewLink,
    answer=MadeLink,
    kinds=("seat", "owner"),
    rate="link",
    status=201,
)
async def make_link(call: Call) -> MadeLink:
    """The owner invites to seats that nobody holds; whoever holds a seat gives links to that seat."""
    wanted: NewLink = call.body
    place = call.place
    if wanted.kind == "spectator":
        made = await links.add(call.server.store, Place(call.id, "", "spectator"), int(time.time()), place.link)
    elif place.kind == "seat":
        if wanted.seat not in ("", place.seat):
            raise Problem(403, "whoever holds a seat gives links to that seat only")
        made = await _link_of_seat(call, wanted.kind, place.seat)
    else:
        people = await call.server.store.people(call.id)
        if wanted.kind != "invite" or wanted.seat not in people:
            raise Problem(422, f"the owner can invite to a seat: {', '.join(people)}")
        found = await seating.invite(call.server.store, call.id, wanted.seat, int(time.time()))
        if found is None:
            raise Problem(403, f"{wanted.seat} is held; only its holder can hand it on")
        made, gone = found[:2], found[2]
        await told(call, call.id, gone, "replaced")
    token, fresh = made
    return MadeLink(fresh.link, fresh.kind, fresh.seat, token)


async def _link_of_seat(call: Call, kind: str, seat: str) -> tuple[str, Place]:
    """A link to a seat; of invitations only the newest is good."""
    place, now = Place(call.id, seat, kind), int(time.time())
    if kind != "invite":
        return await links.add(call.server.store, place, now, call.place.link)
    token, fresh, gone = await links.renew(call.server.store, place, now, parent=call.place.link)
    call.matches.drop(call.id, gone, Problem(401, links.ENDED["replaced"]))
    return token, fresh


@of_match(
    "POST",
    "/renew",
    "A fresh link in the place of all others to the same place",
    answer=MadeLink,
    kinds=("seat", "owner"),
    rate="link",
    status=201,
)
async def renew(call: Call) -> MadeLink:
    """For whoever fears that a link got into other hands: the one used for this, too, is no longer good."""
    account = await call.account()
    asks = account.id if account else None
    token, fresh, gone = await links.renew(call.server.store, call.place, int(time.time()), asks)
    await told(call, call.id, gone, "replaced")
    return MadeLink(fresh.link, fresh.kind, fresh.seat, token)


@of_match("DELETE", "/links/{link}", "End a link", answer=LinkList, kinds=("seat", "owner"), rate="link")
async def end_link(call: Call) -> LinkList:
    """With all that came of it: links made from it, and the seat's place in an account that claimed it by it."""
    name = call.request.path_params["link"]
    account = await call.account()
    known = [link.place.link for link in await _known(call)]
    asks = account.id if account else None
    gone = await links.revoke(call.server.store, call.id, name, asks) if name in known else []
    if not gone:
        raise Problem(404, "there is no such link of yours")
    await told(call, call.id, gone, "revoked")
    found: LinkList = await list_links(call)
    return found
