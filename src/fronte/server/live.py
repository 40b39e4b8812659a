"""The websocket of a table: tables as they come, and what the player sends."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from fronte.engine.decision import IllegalAction
from fronte.server.bodies import Message, Problem
from fronte.server.http import Server, decode, find_place, language, number, refusal
from fronte.server.matches import Watcher
from fronte.server.routes import player_action, player_orders, player_undo


async def live(server: Server, socket: WebSocket) -> None:
    """Serve one browser until it goes."""
    await socket.accept()
    try:
        place = await find_place(server, socket)
        watcher = Watcher(place, language(socket))
        await server.matches.watch(place.match, watcher, number(socket, "since"), number(socket, "revision"))
    except Problem as wrong:
        await socket.send_text(msgspec.json.encode(wrong.body).decode())
        await socket.close(4000 + wrong.status, wrong.why[:100])
        return
    sending = asyncio.ensure_future(_send(server, socket, watcher))
    try:
        while True:
            await _receive(server, socket, watcher)
    except WebSocketDisconnect:
        pass
    finally:
        server.matches.unwatch(place.match, watcher)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _send(server: Server, socket: WebSocket, watcher: Watcher) -> None:
    while True:
        await socket.send_text((await watcher.queue.get()).decode())
        if watcher.behind and watcher.queue.empty():
            await server.matches.catch_up(watcher.place.match, watcher)


async def _receive(server: Server, socket: WebSocket, watcher: Watcher) -> None:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    try:
        await _obey(server, watcher, decode(message.get("text") or message.get("bytes") or b"", Message))
    except (Problem, IllegalAction) as wrong:
        watcher.send(msgspec.json.encode(refusal(wrong).body))


async def _obey(server: Server, watcher: Watcher, message: Message) -> None:
    name, seat = watcher.place.match, watcher.place.seat
    if message.language is not None:
        watcher.language = message.language
        await server.matches.catch_up(name, watcher)
        return
    if watcher.place.watches:
        raise Problem(403, "this token only watches")
    if message.action is not None:
        if message.line is None:
            raise Problem(400, "an action needs the line it is meant for")
        await server.matches.change(name, message.line, message.revision, player_action(seat, message.action))
    elif message.undo is not None:
        await server.matches.change(name, message.undo, message.revision, player_undo(seat))
    elif message.orders is not None:
        await server.matches.change(name, None, None, player_orders(seat, message.orders))
    else:
        raise Problem(400, "the message holds no action, undo, orders or language")
