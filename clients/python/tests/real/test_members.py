"""Every member that the protocol has in an object is read; a new one is named here until the client has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pytest

from watchword import Response
from watchword._challenges import read_challenge
from watchword._credential_operations import import_credentials, list_credentials
from watchword._identities import read_identity, read_token_certificate
from watchword._json import Reader
from watchword._operations import initialize, open_session
from watchword._redirects import read_redirect_proposal
from watchword._tasks import read_task_event
from watchword._trust import read_trust_decision

PREFIX = "#/components/schemas/"
DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[4] / "protocol" / "openrpc.json").read_text("utf-8"))
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
#: Notifications with parameters of their own, each as an object.
SCHEMAS.update(
    {
        entry["name"]: {"type": "object", "properties": {item["name"]: item["schema"] for item in entry["params"]}}
        for entry in DOCUMENT["x-notifications"]
        if "params" in entry
    }
)


def read_response(value: dict[str, Any]) -> None:
    value["body"] = {"text": "x"}  # of exactly this type
    response = Response(value)
    names = ("headers", "redirects", "metrics", "url", "task", "session", "size", "truncated", "verified")
    for name in (*names, "login_page", "unusable_offers", "unusable_offer_count"):
        getattr(response, name)


READERS: dict[str, Callable[[Any], Any]] = {
    "Challenge": read_challenge,
    "FetchResult": read_response,
    "Greeting": lambda value: initialize("test").decode(value, []),
    "Identity": lambda value: read_identity(Reader(value, "identity")),
    "ImportReport": lambda value: import_credentials(0, "").decode(value, []),
    "OpenedSession": lambda value: open_session(None, None, (), ()).decode(value, []),
    "StoredCredential": lambda value: list_credentials(None).decode({"credentials": [value]}, []),
    "TokenCertificate": lambda value: read_token_certificate(Reader(value, "identity")),
    "task/didReceiveData": lambda value: read_task_event("task/didReceiveData", value),
    "task/didReceiveHead": lambda value: read_task_event("task/didReceiveHead", value),
    "task/didReceiveResponse": lambda value: read_task_event("task/didReceiveResponse", value),
    "task/didRedirect": lambda value: read_task_event("task/didRedirect", value),
    "task/didSendBodyData": lambda value: read_task_event("task/didSendBodyData", value),
    "task/willRedirect": read_redirect_proposal,
    "TrustDecision": lambda value: read_trust_decision(Reader(value, "trust")),
}


#: The session of an event is that of its task, which the program has started.
EVENTS = ("ReceiveData", "ReceiveHead", "ReceiveResponse", "Redirect", "SendBodyData")
NOT_READ = {f"task/did{event}.session" for event in EVENTS}


class Recorded(dict[str, Any]):
    """An object that knows which of its members were read."""

    def __init__(self, name: str, members: dict[str, Any]) -> None:
        super().__init__(members)
        self.name = name
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.read.add(name)
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self.read.add(str(name))
        return super().__contains__(name)


def sample(schema: dict[str, Any], name: str, made: list[Recorded]) -> Any:
    """A value with all members; of several types the first."""
    if len(schema.get("allOf", ())) == 1:
        schema = schema["allOf"][0]
    if "$ref" in schema:
        name = schema["$ref"][len(PREFIX) :]
        return "2026-11-21T12:05:00Z" if name == "Timestamp" else sample(SCHEMAS[name], name, made)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return sample(schema[union][0], name, made)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "array":
        items = schema["items"]
        return [sample(item, name, made) for item in (items if isinstance(items, list) else [items])]
    if schema.get("type") == "object":
        members = schema.get("properties", {})
        value = Recorded(name, {key: sample(inner, f"{name}.{key}", made) for key, inner in members.items()})
        made.append(value)
        return value
    values = {"string": "text", "integer": 1, "number": 1.5, "boolean": True, "null": None}
    return values[schema.get("type", "null")]


def unread(made: list[Recorded]) -> Iterator[str]:
    for value in made:
        # One that is handed on whole shows a new member by itself.
        if value.read:
            yield from {f"{value.name}.{key}" for key in value if key not in value.read} - NOT_READ


# Read warnings are given.
@pytest.mark.filterwarnings("ignore:text:UserWarning")
@pytest.mark.parametrize("name", READERS)
def test_every_member_is_read(name: str) -> None:
    made: list[Recorded] = []
    READERS[name](sample(SCHEMAS[name], name, made))
    assert list(unread(made)) == []


def test_a_member_that_nothing_reads_is_found() -> None:
    value = Recorded("Waiter", {"task": "t", "mood": 1})
    Reader(value, "waiter").string("task")
    assert list(unread([value])) == ["Waiter.mood"]
