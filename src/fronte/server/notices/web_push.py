"""Web push: messages that only the browser they are for can read (RFC 8291), from a server that signs (RFC 8292)."""

from __future__ import annotations

import base64
import os
import time
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CURVE = ec.SECP256R1()
RECORD = 4096
VALID = 12 * 3600


def to_text(data: bytes) -> str:
    """Base64 as addresses write it, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def to_bytes(text: str) -> bytes:
    """And back; ValueError if it is none."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def new_key() -> str:
    """A new private key of a server, as text."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return to_text(number.to_bytes(32, "big"))


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """The private key that a text stands for."""
    return ec.derive_private_key(int.from_bytes(to_bytes(text), "big"), CURVE)


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half of a key."""
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_key().public_bytes(serialization.Encoding.X962, form)


def check(p256dh: str, auth: str) -> None:
    """ValueError if these are not the keys of a browser."""
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to_bytes(p256dh))
    if len(to_bytes(auth)) != 16:
        raise ValueError("auth has not 16 bytes")


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def encrypt(
    text: bytes, p256dh: str, auth: str, key: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """RFC 8291: a message for the browser with these keys, by a key and a salt that are used once."""
    key = ec.generate_private_key(CURVE) if key is None else key
    salt = os.urandom(16) if salt is None else salt
    theirs, ours = to_bytes(p256dh), public_bytes(key)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    secret = _derive(shared, to_bytes(auth), b"WebPush: info\0" + theirs + ours, 32)
    cipher = AESGCM(_derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + cipher.encrypt(nonce, text + b"\x02", None)


def authorization(key: ec.EllipticCurvePrivateKey, endpoint: str, contact: str) -> str:
    """RFC 8292: the header with which a server says who it is."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + VALID, "sub": contact}
    signed = ".".join(to_text(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = utils.decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = to_text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={to_text(public_bytes(key))}"
