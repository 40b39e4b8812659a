"""The OpenAPI description of the HTTP part, made from the endpoints and the types of their bodies."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

import fronte
from fronte.server.http.endpoint import ENDPOINTS, Endpoint
from fronte.server.problem import Failure

QUERY: dict[str, dict[str, Any]] = {
    "language": {"schema": {"enum": ["en", "it"], "type": "string", "default": "en"}},
    "token": {"schema": {"type": "string"}, "description": "In place of the header Authorization"},
    "at": {"schema": {"type": "integer", "minimum": 0, "maximum": 1000000}},
    "seat": {
        "schema": {"type": "string", "maxLength": 100},
        "description": "As this seat could know it; without it as one's own",
    },
    "piece": {"schema": {"type": "string", "maxLength": 100}},
    "hex": {"schema": {"type": "string", "maxLength": 100}},
    "along": {"schema": {"type": "string"}, "description": "Units that go along, separated by commas"},
    "force": {"schema": {"type": "string", "maxLength": 100}},
    "facing": {"schema": {"type": "integer", "minimum": 0, "maximum": 5}},
    "scenario": {"schema": {"type": "string", "maxLength": 100}},
    "since": {"schema": {"type": "integer", "minimum": -1, "maximum": 1000000}},
    "until": {"schema": {"type": "integer", "minimum": -1, "maximum": 1000000}},
    "revision": {"schema": {"type": "integer", "minimum": 0, "maximum": 1000000}},
    "open": {"schema": {"type": "integer", "minimum": 0, "maximum": 1}, "description": "1: without fog"},
    "seats": {"schema": {"type": "string"}, "description": "Machine players: ah:steady"},
    "name": {"schema": {"type": "string", "maxLength": 200}},
    "step": {"schema": {"type": "integer", "minimum": 0, "maximum": 100}, "description": "From 0 on"},
    "show": {
        "schema": {"type": "integer", "minimum": 0, "maximum": 1},
        "description": "1: the best line is told in any case",
    },
    "invite": {"schema": {"type": "string"}, "description": "Seats for others, separated by commas"},
}
ERRORS = {
    "400": "It cannot be read",
    "401": "No token, or an unknown one",
    "403": "For another seat, or another match",
    "404": "There is no such thing",
    "409": "The match has gone on meanwhile",
    "413": "Too long",
    "422": "Illegal; `rule` says by what",
    "429": "Too many; `Retry-After` says when to try again",
    "507": "No room for what is handed in",
}


@lru_cache(maxsize=1)
def description() -> bytes:
    """The description as JSON."""
    kinds = [kind for e in ENDPOINTS for kind in (e.body, e.answer) if kind not in (None, str)]
    _, parts = msgspec.json.schema_components([*kinds, Failure], ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Fronte",
                "version": fronte.__version__,
                "description": "Matches of battle games. Live play goes over a websocket, /api/matches/{id}/live.",
            },
            "paths": paths,
            "components": {
                "schemas": parts,
                "securitySchemes": {"seat": {"type": "http", "scheme": "bearer", "description": "The token of a link"}},
            },
        }
    )


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    parameters += [{"name": name, "in": "query", "required": False} | QUERY[name] for name in endpoint.query]
    good: dict[str, Any] = {"description": endpoint.summary}
    if endpoint.media == "application/json":
        good["content"] = {"application/json": {"schema": _reference(endpoint.answer)}}
    else:
        good["content"] = {endpoint.media: {"schema": {"type": "string"}}}
    failure = {"application/json": {"schema": _reference(Failure)}}
    answers: dict[str, Any] = {str(endpoint.status): good}
    answers |= {status: {"description": why, "content": failure} for status, why in ERRORS.items()}
    found: dict[str, Any] = {
        "operationId": endpoint.run.__name__,
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": answers,
    }
    if endpoint.seat:
        found["security"] = [{"seat": []}]
    if endpoint.body is not None:
        media = "text/plain" if endpoint.body is str else "application/json"
        schema = {"type": "string"} if endpoint.body is str else _reference(endpoint.body)
        found["requestBody"] = {"required": True, "content": {media: {"schema": schema}}}
    return found


def _reference(kind: Any) -> dict[str, Any]:
    return {"type": "object"} if kind is None else {"$ref": f"#/components/schemas/{kind.__name__}"}
