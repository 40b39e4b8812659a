"""What goes out of the server: mail, and requests to addresses that somebody gave us, which are not believed.

All of it blocks, and runs in threads of its own.
"""

from __future__ import annotations

import http.client
import ipaddress
import smtplib
import socket
import ssl
from collections.abc import Collection
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

PATIENCE = 15.0
BEHIND = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("2002::/16"))
"""Addresses that stand for others, which may be private."""


class Gone(Exception):
    """Nobody is there any more, and nobody will be."""


class Refused(ValueError):
    """An address to which nothing is sent."""


# Requests


def checked_target(url: str, allowed: Collection[str]) -> tuple[str, str, int, bool]:
    """Scheme, host and port of an address that may be sent to, and whether the host of the server named it.

    `*` allows every public https address; a host that is named may also be private and without TLS.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    except ValueError:
        raise Refused("the address cannot be read") from None
    host = (parts.hostname or "").lower()
    if not host or not port or parts.username is not None or len(url) > 1000:
        raise Refused("an address is written https://host/path")
    named = host in allowed or f"{host}:{port}" in allowed
    if named:
        return parts.scheme, host, port, True
    if "*" not in allowed:
        raise Refused(f"this server sends nothing to {host}")
    if parts.scheme != "https" or port != 443:
        raise Refused("only https addresses are sent to")
    return parts.scheme, host, port, False


def is_public(address: str) -> bool:
    """Is this an address of the open network, and none that leads back to us?"""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif any(found in network for network in BEHIND):
            return False
    return found.is_global and not found.is_multicast


def post(url: str, body: bytes, headers: dict[str, str], allowed: Collection[str]) -> None:
    """Send a request to an address that may be sent to. What is asked for by name is looked up once, here."""
    scheme, host, port, named = checked_target(url, allowed)
    places = [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not named and not all(map(is_public, places)):
        raise Refused(f"{host} is not a public address")
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    connection.sock = socket.create_connection((places[0], port), PATIENCE)
    try:
        if scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read(1000)
    finally:
        connection.close()
    if answer.status in (404, 410):
        raise Gone(f"{host} answers {answer.status}")
    if not 200 <= answer.status < 300:  # nor is anything followed elsewhere
        raise OSError(f"{host} answers {answer.status}")


# Mail


def send_mail(server: str, sender: str, to: str, subject: str, text: str) -> None:
    """Send a mail by the server that the settings name."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2] or None)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    parts = urlsplit(server)
    host = parts.hostname or "localhost"
    try:
        if parts.scheme == "smtps":
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(
                host, parts.port or 465, timeout=PATIENCE, context=ssl.create_default_context()
            )
        else:
            smtp = smtplib.SMTP(host, parts.port or 587, timeout=PATIENCE)
        with smtp:
            if parts.scheme == "smtp":
                smtp.starttls(context=ssl.create_default_context())
            if parts.username:
                smtp.login(unquote(parts.username), unquote(parts.password or ""))
            smtp.send_message(message)
    except smtplib.SMTPRecipientsRefused as refused:
        codes = [code for code, _ in refused.recipients.values()]
        if all(code >= 500 for code in codes):
            raise Gone(f"the mail server refuses the address: {codes}") from None
        raise OSError(f"the mail server does not take the mail now: {codes}") from None
    except smtplib.SMTPException as wrong:
        raise OSError(f"the mail cannot be sent: {type(wrong).__name__}") from None
