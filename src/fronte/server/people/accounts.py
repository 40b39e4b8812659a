"""Accounts: a name and a password, nothing more. They keep the seats of one person together across devices."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.store.database import hashed, transaction
from fronte.server.store.notify import Changed, tell
from fronte.server.store.schema import account_table, notice_table, seat_table, session_table

if TYPE_CHECKING:
    from argon2 import PasswordHasher

HASHING = ThreadPoolExecutor(2, "password")
"""Hashing a password takes much memory on purpose: no more than this many at once."""


class Account(msgspec.Struct, frozen=True):
    """Whoever has logged in."""

    id: str
    name: str


def clean(name: str, most: int = 40) -> str:
    """A name without what cannot be seen, in one form."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c)[0] != "C")
    return " ".join(seen.split())[:most]


def key_of(name: str) -> str:
    """Names that read alike are one name."""
    return clean(name).casefold()[:80]


def csrf_of(token: str) -> str:
    """What a page must send along to prove that it may read our answers."""
    return hashlib.sha256(b"fronte csrf" + token.encode()).hexdigest()[:40]


# Browsers in which somebody has logged in before


def new_device(secret: str, name: str) -> str:
    """What a browser keeps to show that the owner of this name has logged in there."""
    once = secrets.token_hex(8)
    return f"{once}.{_proof(secret, name, once)}"


def is_device(secret: str, name: str, given: str) -> bool:
    """Has the owner of this name logged in there?"""
    once, _, proof = given.partition(".")
    return bool(proof) and hmac.compare_digest(proof.encode(), _proof(secret, name, once).encode())


def _proof(secret: str, name: str, once: str) -> str:
    return hmac.new(secret.encode(), f"{once} {name}".encode(), "sha256").hexdigest()


# Passwords


@lru_cache(maxsize=1)
def hasher() -> PasswordHasher:
    """argon2id with the library's present defaults."""
    from argon2 import PasswordHasher

    return PasswordHasher()


@lru_cache(maxsize=1)
def _nobody() -> str:
    return hasher().hash(secrets.token_hex())


async def hash_password(password: str) -> str:
    """What is kept of a password."""
    return await asyncio.get_running_loop().run_in_executor(HASHING, hasher().hash, password)


async def fits(kept: str | None, password: str) -> bool:
    """Is it the password? Where there is no account it takes as long to say no."""
    from argon2.exceptions import Argon2Error, InvalidHashError

    def verify() -> bool:
        try:
            return hasher().verify(_nobody() if kept is None else kept, password) and kept is not None
        except (Argon2Error, InvalidHashError):
            return False

    return await asyncio.get_running_loop().run_in_executor(HASHING, verify)


# The database


@transaction
async def create(connection: AsyncConnection, name: str, password: str, now: int) -> Account | None:
    """A new account; None if the name is taken. `password` is what is kept of it."""
    made = Account(secrets.token_hex(12), clean(name))
    row = {"id": made.id, "key": key_of(name), "name": made.name, "password": password, "created": now}
    known = sa.select(account_table.c.id).where(account_table.c.key == row["key"])
    if (await connection.execute(known)).first() is not None:
        return None
    try:
        async with connection.begin_nested():
            await connection.execute(account_table.insert(), row)
    except sa.exc.IntegrityError:
        return None
    return made


@transaction
async def by_name(connection: AsyncConnection, name: str) -> tuple[Account, str] | None:
    """An account and what is kept of its password."""
    wanted = sa.select(account_table).where(account_table.c.key == key_of(name))
    row = (await connection.execute(wanted)).one_or_none()
    return None if row is None else (Account(row.id, row.name), row.password)


@transaction
async def log_in(connection: AsyncConnection, account: Account, days: int) -> str:
    """The token of a new session; old ones that are over are forgotten."""
    token, now = secrets.token_urlsafe(24), int(time.time())
    await connection.execute(session_table.delete().where(session_table.c.expires < now))
    row = {"hash": hashed(token), "account": account.id, "expires": now + days * 86_400}
    await connection.execute(session_table.insert(), row)
    return token


@transaction
async def of_session(connection: AsyncConnection, token: str, now: int) -> Account | None:
    """Who has logged in with this session."""
    joined = session_table.join(account_table, account_table.c.id == session_table.c.account)
    wanted = sa.select(account_table.c.id, account_table.c.name).select_from(joined)
    wanted = wanted.where(session_table.c.hash == hashed(token), session_table.c.expires >= now)
    row = (await connection.execute(wanted)).one_or_none()
    return None if row is None else Account(row.id, row.name)


@transaction
async def log_out(connection: AsyncConnection, token: str) -> None:
    """End a session."""
    await connection.execute(session_table.delete().where(session_table.c.hash == hashed(token)))


@transaction
async def change_password(connection: AsyncConnection, account: Account, password: str, token: str) -> None:
    """A new password; all other sessions end."""
    await connection.execute(account_table.update().where(account_table.c.id == account.id).values(password=password))
    others = (session_table.c.account == account.id) & (session_table.c.hash != hashed(token))
    await connection.execute(session_table.delete().where(others))


@transaction
async def forget(connection: AsyncConnection, account: Account) -> list[str]:
    """Delete an account and all that names it. Its seats go on by their links; the matches of them."""
    mine = seat_table.c.account == account.id
    matches = list((await connection.execute(sa.select(seat_table.c.match).where(mine).distinct())).scalars())
    await connection.execute(seat_table.update().where(mine).values(account=None, name=""))
    await connection.execute(notice_table.delete().where(notice_table.c.account == account.id))
    await connection.execute(session_table.delete().where(session_table.c.account == account.id))
    await connection.execute(account_table.delete().where(account_table.c.id == account.id))
    for match in matches:
        await tell(connection, Changed(match))
    return matches
