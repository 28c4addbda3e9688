"""The places of a credential that a session has, and how it comes to have it."""

from __future__ import annotations

from typing import Any

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, password
from Support.exchange import Exchange, Script
from Support.guards import BasicGuard, DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin

KEY = "sentinel7f3aQ-key"
PLACES = ["reply", "set", "preemptive", "digest", "key", "netrc"]


def script_of(place: str) -> Script:
    """What lets the credential of this place in."""
    if place == "key":
        return wants_key
    return guarded((DigestGuard if place == "digest" else BasicGuard)("staff", USER, PASSWORD))


def space_of(origin: ScriptedOrigin, method: str, **members: Json) -> Json:
    space = {"protocol": "http", "host": origin.host, "port": origin.port, "authenticationMethod": method}
    return {**space, **members}


async def wants_key(exchange: Exchange) -> None:
    await exchange.respond(200 if exchange.request.header("X-Api-Key") == KEY else 403)


class Place:
    """One place of a credential: how a session comes to have it."""

    def __init__(self, peer: Peer, origin: ScriptedOrigin) -> None:
        self.peer, self.origin = peer, origin

    def reply(self) -> str:
        session: str = self.peer.open(name="places", tasks=["basic"])
        fetch = self.peer.start_fetch(session, self.origin.url + "/x")
        self.peer.answer(self.peer.challenge(), password(USER, PASSWORD))
        assert self.peer.result(fetch)["status"] == 200
        # Nobody answers any longer.
        return self.peer.open(name=session, tasks=[])

    def set(self, method: str = "basic", **members: Any) -> str:
        session: str = self.peer.open()
        credential = {**password(USER, PASSWORD), **members}
        self.give(session, method, credential)
        return session

    def preemptive(self) -> str:
        return self.set(preemptive=True)

    def digest(self) -> str:
        return self.set("digest")

    def key(self) -> str:
        session: str = self.peer.open()
        self.give(session, "key", {"token": KEY, "persistence": "forSession"}, field="X-Api-Key")
        return session

    def netrc(self) -> str:
        text = f"machine {self.origin.host} login {USER} password {PASSWORD}\n"
        session: str = self.peer.open(configuration={"netrc": {"text": text}})
        return session

    def give(self, session: str, method: str, credential: Json, **members: Json) -> None:
        params = {"session": session, "protectionSpace": space_of(self.origin, method, **members)}
        self.peer.call("credential/set", {**params, "credential": credential})
