"""The description of the interface is true: requests made from it, good and bad, are answered as it says."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from fronte.server import Settings, create_app
from fronte.server.http.endpoint import ENDPOINTS, Endpoint
from fronte.server.http.openapi import description

EXAMPLES = 500 if os.environ.get("FRONTE_NIGHTLY") else 15
DESCRIBED = schemathesis.openapi.from_dict(json.loads(description()))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server."""
    folder: Path = tmp_path_factory.mktemp("openapi")
    made = create_app(Settings(database=str(folder / "m.sqlite"), static=folder, upload_bytes=20_000))
    with TestClient(made, base_url="http://localhost") as client:
        yield client


def sit_down(client: TestClient, kinds: tuple[str, ...]) -> tuple[str, str]:
    """A match in which the Italians are about to move, and a token of one of these kinds."""
    client.cookies.clear()
    opened = client.post("/api/matches", json={"game": "isonzo", "seed": 1, "invite": ["ah"]}).json()
    italian = opened["tokens"]["italian"]
    path, headers = f"/api/matches/{opened['id']}/actions", {"authorization": f"Bearer {italian}"}
    assert client.post(path, json={"action": "end", "line": 0}, headers=headers).status_code == 200
    return opened["id"], italian if "seat" in kinds else opened["invitations"]["ah"]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.run.__name__)
def test_requests_are_answered_as_described(table: TestClient, endpoint: Endpoint) -> None:
    operation = DESCRIBED[endpoint.path][endpoint.method]
    match, token = sit_down(table, endpoint.kinds)

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        mode = data.draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        known = data.draw(st.integers(0, 3)) > 0
        if known and "id" in (case.path_parameters or {}):
            case.path_parameters["id"] = match
        if known and "game" in (case.path_parameters or {}):
            case.path_parameters["game"] = "isonzo"
        sent = case.as_transport_kwargs(base_url="http://localhost")
        headers = {name: str(value) for name, value in sent["headers"].items()}
        if known:
            headers["Authorization"] = f"Bearer {token}"
        asked = table.build_request(
            sent["method"], sent["url"], params=sent.get("params"), json=sent.get("json"), content=_bytes(sent)
        )
        asked.headers.update({name: value for name, value in headers.items() if value.isascii()})
        case.validate_response(table.send(asked), checks=CHECKS)

    ask()


def _bytes(sent: dict[str, Any]) -> bytes | None:
    data = sent.get("data")
    return data.encode(errors="surrogatepass") if isinstance(data, str) else data if isinstance(data, bytes) else None


def test_every_endpoint_is_described(table: TestClient) -> None:
    paths = table.get("/api/openapi.json").json()["paths"]
    assert {(e.path, e.method.lower()) for e in ENDPOINTS} == {(p, m) for p, known in paths.items() for m in known}
    assert len(ENDPOINTS) > 40
