"""Endpoints of accounts: making one, logging in and out, a new password, deleting it."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec
from starlette.responses import Response

from fronte.server.api_types import Name
from fronte.server.http.endpoint import Call, address, cookie_name, endpoint, json_response
from fronte.server.people import accounts
from fronte.server.people.accounts import Account
from fronte.server.problem import Problem
from fronte.server.store.database import hashed

DEVICE, DEVICE_DAYS = "fronte-device", 400
"""The cookie by which a browser shows that somebody has logged in there before. It opens nothing."""
Password = Annotated[str, msgspec.Meta(min_length=8, max_length=200)]


class Credentials(msgspec.Struct, forbid_unknown_fields=True):
    """A name and a password."""

    name: Name
    password: Annotated[str, msgspec.Meta(max_length=200)]


class NewAccount(msgspec.Struct, forbid_unknown_fields=True):
    """An account to be made."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    password: Password


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """The present password and a new one."""

    old: Annotated[str, msgspec.Meta(max_length=200)]
    new: Password


class Farewell(msgspec.Struct, forbid_unknown_fields=True):
    """The password, to show that it is meant."""

    password: Annotated[str, msgspec.Meta(max_length=200)]


class AccountShown(msgspec.Struct):
    """Who has logged in; null where nobody has. `csrf` goes into the header X-Fronte-CSRF of what changes things."""

    name: str | None
    csrf: str | None


def _cookie(call: Call, response: Response, token: str, seconds: int, name: str = "") -> Response:
    response.set_cookie(
        name or cookie_name(call.secure),
        token,
        max_age=seconds,
        path="/",
        secure=call.secure,
        httponly=True,
        samesite="strict",
    )
    return response


async def _logged_in(call: Call, account: Account, status: int) -> Response:
    days = call.server.settings.session_days
    token = await accounts.log_in(call.server.store, account, days)
    answer = json_response(AccountShown(account.name, accounts.csrf_of(token)), status)
    proof = accounts.new_device(call.server.secret, accounts.key_of(account.name))
    return _cookie(call, _cookie(call, answer, token, days * 86_400), proof, DEVICE_DAYS * 86_400, DEVICE)


async def _present(call: Call) -> Account:
    account = await call.account()
    if account is None:
        raise Problem(401, "nobody has logged in")
    return account


async def _prove(call: Call, account: Account, password: str) -> None:
    """The password once more, for what cannot be taken back. Only whoever has logged in can use up these tries."""
    call.server.limits.take("login", f"account {account.id}")
    found = await accounts.by_name(call.server.store, account.name)
    if not await accounts.fits(found[1] if found else None, password):
        raise Problem(403, "the password is not right")


@endpoint("POST", "/api/accounts", "Make an account", body=NewAccount, answer=AccountShown, rate="account", status=201)
async def make_account(call: Call) -> Response:
    """Logs in at once."""
    if not call.server.settings.accounts:
        raise Problem(403, "this server makes no accounts")
    wanted: NewAccount = call.body
    if not accounts.clean(wanted.name):
        raise Problem(422, "the name is empty")
    password = await accounts.hash_password(wanted.password)
    account = await accounts.create(call.server.store, wanted.name, password, int(time.time()))
    if account is None:
        raise Problem(409, "this name is taken")
    return await _logged_in(call, account, 201)


@endpoint("POST", "/api/session", "Log in", body=Credentials, answer=AccountShown, rate="login")
async def log_in(call: Call) -> Response:
    """Gives the cookie of a session."""
    given: Credentials = call.body
    tried = _tries(call, accounts.key_of(given.name))
    for kind, key in tried:
        call.server.limits.take(kind, key)
    found = await accounts.by_name(call.server.store, given.name)
    if not await accounts.fits(found[1] if found else None, given.password) or found is None:
        raise Problem(401, "name or password is not right")
    for kind, key in tried:
        call.server.limits.give_back(kind, key)
    return await _logged_in(call, found[0], 200)


def _tries(call: Call, name: str) -> list[tuple[str, str]]:
    """What a try to log in is counted under, until it turns out to be right.

    Strangers who try a name use up what strangers have, each of them little; a browser from which its owner has logged
    in before has tries of its own, so that nobody can lock him out.
    """
    proof = call.request.cookies.get(DEVICE, "")
    if accounts.is_device(call.server.secret, name, proof):
        return [("device", hashed(proof))]
    return [("stranger", f"{address(call.request)} {name}"), ("name", name)]


@endpoint("DELETE", "/api/session", "Log out", answer=AccountShown)
async def log_out(call: Call) -> Response:
    """Ends the session and takes back the cookie."""
    if await call.account() is not None:
        await accounts.log_out(call.server.store, call.session)
    return _cookie(call, json_response(AccountShown(None, None)), "", 0)


@endpoint("GET", "/api/account", "Who has logged in?", answer=AccountShown)
async def show_account(call: Call) -> AccountShown:
    """Nobody is an answer too."""
    account = await call.account()
    if account is None:
        return AccountShown(None, None)
    return AccountShown(account.name, accounts.csrf_of(call.session))


@endpoint("POST", "/api/account/password", "A new password", body=NewPassword, answer=AccountShown, rate="login")
async def new_password(call: Call) -> AccountShown:
    """All other sessions of the account end."""
    account = await _present(call)
    await _prove(call, account, call.body.old)
    kept = await accounts.hash_password(call.body.new)
    await accounts.change_password(call.server.store, account, kept, call.session)
    return AccountShown(account.name, accounts.csrf_of(call.session))


@endpoint("POST", "/api/account/delete", "Delete the account", body=Farewell, answer=AccountShown, rate="login")
async def delete_account(call: Call) -> Response:
    """Its seats stay with whoever has their links; nothing names the account any more."""
    account = await _present(call)
    await _prove(call, account, call.body.password)
    for match in await accounts.forget(call.server.store, account):
        await call.matches.people_changed(match)
    return _cookie(call, json_response(AccountShown(None, None)), "", 0)
