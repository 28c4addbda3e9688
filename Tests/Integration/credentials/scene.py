"""What the tests of credentials share."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from Integration.sentinels import (
    PASSWORD,
    USER,
)
from Integration.wire import Json, Peer, password
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin


def space(origin: ScriptedOrigin, realm: str | None = "staff", method: str = "basic") -> Json:
    return {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": origin.port,
        "realm": realm,
        "authenticationMethod": method,
    }


def put(peer: Peer, session: str, space: Json, credential: Json, **members: Json) -> None:
    params = {"session": session, "protectionSpace": space, "credential": credential, **members}
    assert peer.call("credential/set", params) == {}


def listed(peer: Peer, session: str) -> list[Json]:
    entries = peer.call("credential/list", {"session": session})["credentials"]
    assert isinstance(entries, list)
    return entries


def log_in(peer: Peer, session: str, url: str, credential: Json = None) -> None:
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), credential or password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def exchanges(result: Json) -> int:
    return len(result["metrics"]["exchanges"])


def staff(origin: ScriptedOrigin, path: str = "/staff") -> str:
    return origin.serve(path, guarded(BasicGuard("staff", USER, PASSWORD)))


def explain(peer: Peer, session: str, url: str, **members: Json) -> Json:
    return peer.call("explain", {"session": session, "url": url, **members})


class SourceScene:
    """A daemon with sources, and a connection to it."""

    def __init__(self, connect: Callable[[Json], Peer], directory: Path, daemons: list[Daemon]) -> None:
        self.connect = connect
        self.directory = directory
        self.daemons = daemons

    @property
    def daemon(self) -> Daemon:
        """The one that the first peer started."""
        return self.daemons[0]

    def file(self, text: str, name: str = "secret") -> str:
        path = self.directory / name
        path.write_text(text)
        path.chmod(0o600)
        return str(path)

    def helper(self, script: str) -> list[str]:
        """A helper in the shell's language; it finds its directory in $0."""
        path = self.directory / "helper"
        path.write_text("#!/bin/sh\n" + dedent(script))
        path.chmod(0o700)
        return [str(path)]

    def peer(self, **sources: Json) -> Peer:
        return self.connect(sources)


class Guarded:
    """A page that takes one token, or the password of `reader`; `accepted` says which."""

    def __init__(self, origin: ScriptedOrigin, accepted: str, method: str = "bearer") -> None:
        self.origin = origin
        self.accepted: tuple[str, ...] = (accepted,)
        self.method = method
        self.refused = 0
        # Whether a refusal of a credential has no challenge.
        self.is_silent = False
        self.url = origin.serve("/page", self._answer)

    async def _answer(self, exchange: Exchange) -> None:
        if exchange.request.authorization in [self._value(secret) for secret in self.accepted]:
            return await exchange.respond(200, [], b"page")
        if exchange.request.authorization:
            self.refused += 1
            if self.is_silent:
                return await exchange.respond(401, [], b"")
        scheme = 'Bearer realm="staff"' if self.method == "bearer" else 'Basic realm="staff"'
        return await exchange.respond(401, [("WWW-Authenticate", scheme)], b"")

    def _value(self, secret: str) -> str:
        if self.method == "bearer":
            return f"Bearer {secret}"
        return "Basic " + base64.b64encode(f"{USER}:{secret}".encode()).decode()


def name_source(peer: Peer, origin: ScriptedOrigin, session: str) -> None:
    put(peer, session, space(origin, method="bearer"), {"source": "pages"})
