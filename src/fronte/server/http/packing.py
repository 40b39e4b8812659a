"""Packing: what is sent is small. Whatever never changes is packed once and as well as can be, the rest as it goes."""

from __future__ import annotations

import gzip
import os
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

LEAST = 1000
"""Bytes below which packing gains nothing."""
TEXTS = frozenset((".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest"))
"""Files that are not packed already."""
FOR_EVER = "public, max-age=31536000, immutable"


@lru_cache(maxsize=64)
def packed(body: bytes) -> bytes:
    """A body that does not change, packed once."""
    return gzip.compress(body, 9, mtime=0)


@lru_cache(maxsize=64)
def ready(path: Path) -> bytes:
    """The same file as the build has packed it, better than can be done here; empty where it has not."""
    beside = path.with_name(f"{path.name}.br")
    return beside.read_bytes() if path.parent.name == "assets" and beside.is_file() else b""


def encodings(headers: Headers) -> list[str]:
    """How whoever asks takes packed answers."""
    return [one.partition(";")[0].strip() for one in headers.get("accept-encoding", "").split(",")]


def accepts(headers: Headers) -> bool:
    """Does whoever asks take packed answers?"""
    return "gzip" in encodings(headers)


def answer(body: bytes, headers: dict[str, str], media: str, wanted: bool) -> Response:
    """A body that does not change, packed for whoever takes that; pictures are packed already."""
    text = media.startswith("text/") or media in ("application/json", "image/svg+xml")
    if wanted and text and len(body) >= LEAST:
        return Response(packed(body), 200, {**headers, "content-encoding": "gzip", "vary": "Accept-Encoding"}, media)
    return Response(body, 200, headers, media)


class ClientFiles(StaticFiles):
    """The files of the browser client. What has its fingerprint in its name is kept by browsers for ever."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """A file, packed if it is a text."""
        found = super().file_response(full_path, stat_result, scope, status_code)
        path = Path(full_path)
        found.headers["cache-control"] = FOR_EVER if path.parent.name == "assets" else "no-cache"
        unpacked = path.suffix not in TEXTS or stat_result.st_size < LEAST
        if found.status_code != 200 or unpacked or scope["method"] != "GET" or not accepts(Headers(scope=scope)):
            return found
        kept = ("etag", "last-modified", "cache-control", "content-type")
        headers = {name: found.headers[name] for name in kept} | {"vary": "Accept-Encoding"}
        best = ready(path) if "br" in encodings(Headers(scope=scope)) else b""
        headers["content-encoding"] = "br" if best else "gzip"
        return Response(best or packed(path.read_bytes()), 200, headers)
