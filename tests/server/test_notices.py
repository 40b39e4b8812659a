"""Notices by mail, webhook and web push, to real receivers on this machine; and where nothing is sent to."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
import pytest
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hosts import Guest, Host, hosted
from processes import free_port

from fronte.server import Settings
from fronte.server.notices import delivery, outbound, web_push
from fronte.server.notices.outbound import Refused, checked_target, is_public


class Letters:
    """A mail server that keeps what it is sent, and refuses what it is told to."""

    def __init__(self) -> None:
        self.found: list[Any] = []
        self.refuse = ""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.refuse:
            return self.refuse
        self.found.append(message_from_bytes(envelope.content, policy=default))
        return "250 OK"


class Receiver:
    """A web server that keeps what is posted to it, and answers with a status of one's choice."""

    def __init__(self) -> None:
        self.found: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 200
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.found.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(receiver.status)
                if receiver.status == 302:
                    self.send_header("location", "/elsewhere")
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]


@pytest.fixture
def letters() -> Iterator[tuple[Letters, int]]:
    kept, port = Letters(), free_port()
    controller = Controller(kept, hostname="127.0.0.1", port=port)
    controller.start()
    yield kept, port
    controller.stop()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    thread = threading.Thread(target=found.server.serve_forever, daemon=True)
    thread.start()
    yield found
    found.server.shutdown()
    found.server.server_close()


@contextmanager
def sending(settings: Settings, **more: Any) -> Iterator[Host]:
    changed = msgspec.structs.replace(
        settings, local=False, public_url="http://localhost", notice_after=0, rates="notice=99/9", **more
    )
    yield from hosted(changed)


def soon(happened: Callable[[], Any]) -> Any:
    end = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)
    return happened()


def send_due(host: Host) -> None:
    portal = host.client.portal
    assert portal is not None
    portal.call(host.server.notices.send_due)


def pass_the_decision(seats: dict[str, Guest], to: str) -> None:
    """Let the other seat end its phases until this one owes a decision."""
    for _ in range(40):
        owes = next(iter(seats.values())).get("/state")["decision"]["seat"]
        if owes == to:
            return
        seats[owes].play("end")
    raise AssertionError


def test_mail_comes_after_a_code_and_says_nothing_secret(settings: Settings, letters: tuple[Letters, int]) -> None:
    kept, port = letters
    with sending(settings, smtp=f"smtp+plain://127.0.0.1:{port}", mail_from="fronte@localhost") as host:
        assert host.client.get("/api/notices").json() == {"mail": True, "webhook": False, "push": None}
        seats = host.begin(name="Sunday\r\nBcc: all@example.org game")
        ah = seats["ah"]
        for wrong in ("anna", "a@b\r\nBcc: x@y.z", "a b@c.d", "<a@b.c>", "@x.y"):
            assert ah.post("/notices", {"kind": "mail", "address": wrong}, 422)
        asked = ah.post("/notices", {"kind": "mail", "address": "anna@example.org", "language": "it"}, 201)["notices"]
        assert [(one["address"], one["confirmed"]) for one in asked] == [("anna@example.org", False)]
        assert kept.found[0]["to"] == "anna@example.org" and kept.found[0]["auto-submitted"] == "auto-generated"
        pass_the_decision(seats, "ah")
        send_due(host)
        assert len(kept.found) == 1  # nothing before the address is confirmed
        code = re.findall(r"\d{8}", kept.found[0].get_content())[0]
        path = f"/notices/{asked[0]['id']}/confirm"
        seats["italian"].post(path, {"code": code}, 404)
        assert ah.post(path, {"code": "0000"}, 403)["error"]["why"] == "that is not the code"
        assert ah.post(path, {"code": code})["notices"][0]["confirmed"]
        assert seats["italian"].get("/notices") == {"notices": []}
        send_due(host)
        letter = soon(lambda: kept.found[1:])[0]
        assert letter["subject"].startswith("Tocca a te: Sunday") and letter["bcc"] is None
        assert f"http://localhost/#match/{ah.match}" in letter.get_content()
        whole = letter.as_string()
        assert not any(guest.token in whole for guest in seats.values())
        send_due(host)
        assert len(kept.found) == 2  # once a turn
        assert ah.host.client.delete(f"{ah.path}/notices/{asked[0]['id']}", headers=ah.headers).json() == {
            "notices": []
        }


def test_guessing_a_code_ends_it(settings: Settings, letters: tuple[Letters, int]) -> None:
    kept, port = letters
    with sending(settings, smtp=f"smtp+plain://127.0.0.1:{port}", mail_from="fronte@localhost") as host:
        ah = host.begin()["ah"]
        (asked,) = ah.post("/notices", {"kind": "mail", "address": "anna@example.org"}, 201)["notices"]
        code = re.findall(r"\d{8}", kept.found[0].get_content())[0]
        for _ in range(5):
            ah.post(f"/notices/{asked['id']}/confirm", {"code": "no"}, 403)
        ah.post(f"/notices/{asked['id']}/confirm", {"code": code}, 404)
        kept.refuse = "550 no such person"
        assert (
            "could not be sent"
            in ah.post("/notices", {"kind": "mail", "address": "b@example.org"}, 422)["error"]["why"]
        )


def test_a_webhook_is_called_once_a_turn_and_again_when_it_fails(
    settings: Settings, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sending(settings, webhooks=(f"127.0.0.1:{receiver.port}",)) as host:
        seats = host.begin(name="Sunday")
        url = f"http://127.0.0.1:{receiver.port}/hook?x=1"
        seats["ah"].post("/notices", {"kind": "webhook", "address": url}, 201)
        send_due(host)
        assert not receiver.found  # it is the other's turn
        receiver.status = 500
        pass_the_decision(seats, "ah")
        send_due(host)
        assert len(receiver.found) == 1
        send_due(host)
        assert len(receiver.found) == 1  # not again at once
        receiver.status = 302
        now = time.time()
        monkeypatch.setattr("time.time", lambda: now + 61)
        send_due(host)
        assert [path for path, _, _ in receiver.found] == ["/hook?x=1"] * 2  # nor is it followed elsewhere
        receiver.status = 200
        monkeypatch.setattr("time.time", lambda: now + 400)
        send_due(host)
        monkeypatch.setattr("time.time", lambda: now + 90_000)
        send_due(host)
        assert len(receiver.found) == 3
        told = json.loads(receiver.found[-1][2])
        assert told == {
            "notice": "turn", "match": seats["ah"].match, "name": "Sunday", "seat": "ah",
            "url": f"http://localhost/#match/{seats['ah'].match}", "text": "Your turn: Sunday",
        }  # fmt: skip
        assert host.server.notices.counted == {("webhook", "failed"): 2, ("webhook", "sent"): 1}
        receiver.status = 410
        pass_the_decision(seats, "italian")
        pass_the_decision(seats, "ah")
        send_due(host)
        assert seats["ah"].get("/notices") == {"notices": []}  # whoever is gone is not called again


def test_nobody_is_called_who_is_here_or_has_answered(settings: Settings, receiver: Receiver) -> None:
    with sending(settings, webhooks=(f"127.0.0.1:{receiver.port}",)) as host:
        seats = host.begin()
        seats["ah"].post("/notices", {"kind": "webhook", "address": f"http://127.0.0.1:{receiver.port}/"}, 201)
        with seats["ah"].live() as socket:
            socket.receive_json()
            pass_the_decision(seats, "ah")
            send_due(host)
            assert not receiver.found
        portal = host.client.portal
        assert portal is not None
        seats["ah"].play("end")  # at it: there is no need to call
        now = int(time.time())
        assert portal.call(delivery.claim_due, host.server.store, now + 90, 100, ("webhook",)) == []
        pass_the_decision(seats, "italian")  # answered: the notice is called off
        assert portal.call(delivery.claim_due, host.server.store, int(time.time()) + 9999, 0, ("webhook",)) == []


def test_notices_survive_a_restart(settings: Settings, receiver: Receiver) -> None:
    hooks = (f"127.0.0.1:{receiver.port}",)
    with sending(settings, webhooks=hooks) as host:
        seats = host.begin()
        seats["ah"].post("/notices", {"kind": "webhook", "address": f"http://127.0.0.1:{receiver.port}/"}, 201)
        receiver.status = 503
        pass_the_decision(seats, "ah")
    receiver.status = 200
    receiver.found.clear()
    with sending(settings, webhooks=hooks) as host:
        portal = host.client.portal
        assert portal is not None
        for name in ("a", "b"):  # two processes look at the same time: one sends
            found = portal.call(delivery.claim_due, host.server.store, int(time.time()) + 999, 0, ("webhook",))
            assert len(found) == (name == "a")


def test_where_nothing_is_sent_to(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for url in (
        "http://example.org/", "https://example.org:8443/", "ftp://example.org/", "https://user@example.org/", "https://",
        "//example.org/", "https://[::1/", "https://example.org:99999/", "nonsense",
    ):  # fmt: skip
        with pytest.raises(Refused):
            checked_target(url, ("*",))
    with pytest.raises(Refused, match="sends nothing"):
        checked_target("https://example.org/", ("hooks.example",))
    assert checked_target("https://example.org/x", ("*",)) == ("https", "example.org", 443, False)
    assert checked_target("http://10.0.0.5:8080/", ("10.0.0.5:8080",))[3]
    for address in (
        "127.0.0.1", "10.1.2.3", "192.168.1.1", "172.16.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "::1", "::", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ):  # fmt: skip
        assert not is_public(address), address
    assert is_public("93.184.215.14") and is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")
    # a public name that leads to this machine: refused when it is looked up, which happens once
    monkeypatch.setattr(outbound.socket, "getaddrinfo", lambda *a, **k: [(2, 1, 6, "", ("127.0.0.1", 443))])
    with pytest.raises(Refused, match="not a public address"):
        outbound.post("https://rebound.example/", b"", {}, ("*",))
    with sending(settings, webhooks=("hooks.example",)) as host:
        ah = host.begin()["ah"]
        why = ah.post("/notices", {"kind": "webhook", "address": "https://127.0.0.1/"}, 422)["error"]["why"]
        assert why == "this server sends nothing to 127.0.0.1"
        assert "no notices by mail" in ah.post("/notices", {"kind": "mail", "address": "a@b.c"}, 403)["error"]["why"]
        for number in range(8):
            ah.post("/notices", {"kind": "webhook", "address": f"https://hooks.example/{number}"}, 201)
        ah.post("/notices", {"kind": "webhook", "address": "https://hooks.example/8"}, 422)


def opened(sealed: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """What the browser does with a push message (RFC 8291), written apart from the code that seals it."""
    salt, theirs, text = sealed[:16], sealed[21:86], sealed[86:]
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    ours = web_push.public_bytes(key)

    def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

    secret = derive(key.exchange(ec.ECDH(), point), auth, b"WebPush: info\0" + ours + theirs, 32)
    cipher = AESGCM(derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
    plain = cipher.decrypt(derive(secret, salt, b"Content-Encoding: nonce\0", 12), text, None)
    assert plain[-1:] == b"\x02"
    return plain[:-1]


def test_push_messages_are_sealed_as_the_standard_says() -> None:
    """The example of RFC 8291, section 5, to the last byte."""
    sealed = web_push.encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        web_push.private_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        web_push.to_bytes("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert web_push.to_text(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95b"
        "Qpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_browser_is_pushed(settings: Settings, receiver: Receiver) -> None:
    with sending(settings, push=True, push_targets=(f"127.0.0.1:{receiver.port}",)) as host:
        key = host.client.get("/api/notices").json()["push"]
        seats = host.begin()
        browser = ec.generate_private_key(ec.SECP256R1())
        keys = {
            "p256dh": web_push.to_text(web_push.public_bytes(browser)),
            "auth": web_push.to_text(b"0123456789abcdef"),
        }
        wanted = {"kind": "push", "address": f"http://127.0.0.1:{receiver.port}/push/1"}
        assert "keys of a browser" in seats["ah"].post("/notices", wanted, 422)["error"]["why"]
        seats["ah"].post("/notices", wanted | keys, 201)
        pass_the_decision(seats, "ah")
        send_due(host)
        (path, headers, body), *_ = receiver.found
        assert path == "/push/1" and headers["content-encoding"] == "aes128gcm" and headers["ttl"]
        assert json.loads(opened(body, browser, b"0123456789abcdef"))["seat"] == "ah"
        signed, stated = re.fullmatch(r"vapid t=(\S+), k=(\S+)", headers["authorization"]).groups()  # type: ignore[union-attr]
        head, claims, signature = signed.split(".")
        assert stated == key and json.loads(web_push.to_bytes(claims))["aud"] == f"http://127.0.0.1:{receiver.port}"
        raw = web_push.to_bytes(signature)
        der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), web_push.to_bytes(key))
        point.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    with sending(settings, push=True) as host:
        assert host.client.get("/api/notices").json()["push"] == key  # the same from its first day on


def test_a_seat_that_is_handed_on_takes_no_address_along(settings: Settings, receiver: Receiver) -> None:
    with sending(settings, webhooks=(f"127.0.0.1:{receiver.port}",)) as host:
        ah = host.begin()["ah"]
        ah.post("/notices", {"kind": "webhook", "address": f"http://127.0.0.1:{receiver.port}/"}, 201)
        invitation = Guest(host, ah.match, ah.post("/links", {"kind": "invite"}, 201)["token"])
        fresh = Guest(host, ah.match, invitation.post("/accept", {}, 201)["tokens"]["ah"])
        assert fresh.get("/notices") == {"notices": []}
