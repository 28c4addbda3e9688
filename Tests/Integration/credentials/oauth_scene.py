"""What the tests of authorization servers share."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from Integration import sentinels
from Integration.credentials.scene import SourceScene
from Integration.wire import Json, Peer
from Support.exchange import Exchange, Script
from Support.oauth_server import OAuthServer

TOKEN, REFRESH = f"{sentinels.MARK}.token", f"{sentinels.MARK}.refresh"
JSON = [("Content-Type", "application/json")]


def client(scene: SourceScene, server: OAuthServer, **members: Json) -> Json:
    """A source with client credentials."""
    return {
        "kind": "oauth",
        "tokenEndpoint": server.url + "/token",
        "grant": "clientCredentials",
        "clientIdentifier": server.CLIENT,
        "clientSecretFile": scene.file(server.secret, "client"),
        "scope": "read",
        **members,
    }


def public(scene: SourceScene, server: OAuthServer, **members: Json) -> Json:
    """A source with a refresh token."""
    return {
        "kind": "oauth",
        "tokenEndpoint": server.url + "/token",
        "grant": "refreshToken",
        "clientIdentifier": "native",
        "refreshTokenFile": scene.file(server.refresh_token, "refresh"),
        **members,
    }


def name(peer: Peer, session: str, port: int, protocol: str = "http", host: str = "127.0.0.1") -> None:
    """The bearer spaces of an origin get their tokens from the source `builds`."""
    space = {
        "protocol": protocol,
        "host": host,
        "port": port,
        "authenticationMethod": "bearer",
    }
    params = {"session": session, "protectionSpace": space, "credential": {"source": "builds"}}
    assert peer.call("credential/set", params) == {}


def page(peer: Peer, session: str, server: OAuthServer) -> int:
    status = peer.fetch(session, server.url + "/page")["status"]
    assert isinstance(status, int)
    return status


def eventually(condition: Callable[[], bool]) -> None:
    """Polls what the daemon does beside its replies."""
    limit = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < limit


def source(peer: Peer) -> Json:
    (entry,) = peer.call("status")["sources"]
    return entry


async def refusing(exchange: Exchange) -> None:
    await exchange.respond(401, [("WWW-Authenticate", 'Bearer error="invalid_token"')], b"")


def says(body: Json | bytes | str, status: int = 200, headers: list[tuple[str, str]] = JSON) -> Script:
    text = (
        body
        if isinstance(body, bytes)
        else body.encode()
        if isinstance(body, str)
        else json.dumps(body).encode()
    )

    async def answer(exchange: Exchange) -> None:
        await exchange.respond(status, headers, text)

    return answer


def scripted(scene: SourceScene, endpoint: str, **members: Json) -> Json:
    return {
        "kind": "oauth",
        "tokenEndpoint": endpoint,
        "grant": "clientCredentials",
        "clientIdentifier": "builds",
        "clientSecretFile": scene.file(sentinels.PASSWORD, "client"),
        **members,
    }


def token(**members: Json) -> Json:
    return {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600, **members}


# Device codes


def device(url: str, **members: Json) -> Json:
    return {
        "kind": "oauth",
        "grant": "deviceCode",
        "tokenEndpoint": url + "/token",
        "deviceEndpoint": url + "/device",
        "clientIdentifier": "device",
        **members,
    }


def opened(peer: Peer, port: int, session_name: str | None = None) -> str:
    session = peer.open(session_name, tasks=["bearer"])
    name(peer, session, port)
    return session


async def asking(exchange: Exchange) -> None:
    # A server's own parameters are not taken for a code's.
    field = 'Bearer realm="staff", verificationUri="https://evil.example/", userCode="EVIL"'
    await exchange.respond(401, [("WWW-Authenticate", field)], b"")


def code(**members: Json) -> Json:
    return {
        "device_code": f"{sentinels.MARK}.device",
        "user_code": "BCDF-GHJK",
        "verification_uri": "https://id.example/activate",
        "expires_in": 600,
        "interval": 1,
        **members,
    }
