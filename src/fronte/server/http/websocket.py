"""The websocket of a table: tables as they come, and what the player sends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from fronte.server.api_types import Message
from fronte.server.http.actions import player_action, player_orders, player_undo
from fronte.server.http.endpoint import (
    PROTOCOLS,
    Server,
    address,
    bearers,
    decode,
    find_place,
    language,
    number,
    spoken,
)
from fronte.server.matches.chat import say
from fronte.server.matches.matches import WHOLE, Watcher
from fronte.server.problem import Problem
from fronte.server.store.outage import FAULTS, fault
from fronte.server.store.rows import Place


async def live(server: Server, socket: WebSocket) -> None:
    """Serve one browser until it goes."""
    offered = [part.strip() for part in socket.headers.get("sec-websocket-protocol", "").split(",")]
    protocol = next((name for name in PROTOCOLS if name in offered), None)
    await socket.accept(protocol)
    with contextlib.ExitStack() as staying:
        try:
            staying.enter_context(server.load.enter("socket"))
            with server.load.enter("opening"):
                watchers = await _sat_down(server, socket, PROTOCOLS.get(protocol or "", WHOLE), staying)
        except (Problem, *FAULTS) as wrong:
            told = wrong if isinstance(wrong, Problem) else fault(wrong)
            with contextlib.suppress(WebSocketDisconnect):  # it may have gone meanwhile
                await socket.send_text(msgspec.json.encode(told.told(spoken(socket))).decode())
                await socket.close(4000 + told.status, told.why[:100])
            return
        await _stay(server, socket, watchers)


MOST_SEATS = 8
"""More seats than a match has."""


async def _sat_down(server: Server, socket: WebSocket, form: int, staying: contextlib.ExitStack) -> list[Watcher]:
    """Look who it is, and give him the table of each seat that he holds; `staying` ends when he goes."""
    server.limits.take("socket", address(socket))
    tokens = bearers(socket)
    if len(tokens) > MOST_SEATS:
        raise Problem(400, "more tokens than a match has seats")
    kinds = ("seat",) if len(tokens) > 1 else ("seat", "watch", "spectator")
    places = [await find_place(server, socket, kinds, token) for token in tokens]
    for place in places:
        staying.enter_context(_window(server, place))
    watchers = [Watcher(place, language(socket), form) for place in places]
    since, revision = number(socket, "since"), number(socket, "revision")
    sat: list[Watcher] = []
    try:
        for watcher in watchers:
            await server.matches.watch(watcher.place.match, watcher, since, revision)
            sat.append(watcher)
    except BaseException:
        for watcher in sat:
            server.matches.unwatch(watcher.place.match, watcher)
        raise
    return watchers


async def _stay(server: Server, socket: WebSocket, watchers: list[Watcher]) -> None:
    """Tell what happens and take what comes, until the browser goes."""
    turns = asyncio.Lock()
    apart = len(watchers) > 1
    sending = [asyncio.ensure_future(_send(server, socket, watcher, turns, apart)) for watcher in watchers]
    try:
        while True:
            await _receive(server, socket, watchers)
    except WebSocketDisconnect:
        pass
    finally:
        for watcher, task in zip(watchers, sending, strict=True):
            server.matches.unwatch(watcher.place.match, watcher)
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)


@contextlib.contextmanager
def _window(server: Server, place: Place) -> Iterator[None]:
    """A window of a link while it is open, from the moment it is let in, so that several at once cannot be too many."""
    most = server.settings.sockets_per_link * (10 if place.kind == "spectator" else 1)
    key = place.match, place.link
    if server.windows[key] >= most:
        raise Problem(429, f"{most} windows are open with this link; close one first")
    server.windows[key] += 1
    try:
        yield
    finally:
        server.windows[key] -= 1
        if not server.windows[key]:
            del server.windows[key]


async def _send(server: Server, socket: WebSocket, watcher: Watcher, turns: asyncio.Lock, apart: bool) -> None:
    """Send what waits for one seat; where the socket carries several (`apart`), each message says for which it is."""
    while True:
        message = await watcher.next()
        if message is None:
            gone = watcher.refused
            await socket.close(4000 + gone.status if gone else 1000, gone.why[:100] if gone else None)
            return
        if apart:
            message = msgspec.json.encode({"for": watcher.place.seat, "said": msgspec.Raw(message)})
        async with turns:
            await socket.send_text(message.decode())
        if watcher.behind and watcher.queue.empty():
            await server.matches.catch_up(watcher.place.match, watcher)


async def _receive(server: Server, socket: WebSocket, watchers: list[Watcher]) -> None:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    watcher = watchers[0]
    try:
        server.limits.take("action", watcher.place.link)
        wanted = decode(message.get("text") or message.get("bytes") or b"", Message)
        if wanted.seat is not None:
            watcher = _of_seat(watchers, wanted.seat)
        await _obey(server, watcher, wanted)
    except Problem as wrong:
        watcher.send(msgspec.json.encode(wrong.told(watcher.language)))
    except FAULTS as wrong:
        watcher.send(msgspec.json.encode(fault(wrong).told(watcher.language)))


def _of_seat(watchers: list[Watcher], seat: str) -> Watcher:
    found = next((watcher for watcher in watchers if watcher.place.seat == seat), None)
    if found is None:
        raise Problem(403, "this connection does not hold that seat")
    return found


async def _obey(server: Server, watcher: Watcher, message: Message) -> None:
    name, seat = watcher.place.match, watcher.place.seat
    if message.language is not None:
        watcher.language = message.language
        await server.matches.catch_up(name, watcher)
        return
    if message.chat is not None:
        server.limits.take("chat", watcher.place.link)
        await say(server.matches, watcher.place, message.chat)
        return
    if watcher.place.watches:
        raise Problem(403, "this token only watches")
    line, revision, do = _wanted(seat, message)
    with server.load.act(name):
        await server.matches.change(name, line, revision, do)


def _wanted(seat: str, message: Message) -> tuple[int | None, int | None, Any]:
    """What a player wants done to the match, and for which line of it."""
    if message.action is not None:
        if message.line is None:
            raise Problem(400, "an action needs the line it is meant for")
        return message.line, message.revision, player_action(seat, message.action, message.whole)
    if message.undo is not None:
        return message.undo, message.revision, player_undo(seat)
    if message.orders is not None:
        return None, None, player_orders(seat, message.orders)
    raise Problem(400, "the message holds no action, undo, orders, chat or language")
