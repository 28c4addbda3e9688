"""Sources of authorization servers when something around them changes, hangs or is too much."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.credentials.oauth_scene import (
    JSON,
    REFRESH,
    eventually,
    name,
    refusing,
    says,
    scripted,
    source,
    token,
)
from Integration.credentials.scene import SourceScene, space
from Integration.wire import Json, Peer, RemoteError
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin

NEW = f"{sentinels.MARK}.second"


class HeldEndpoint:
    """A token endpoint that answers, with a new refresh token, when the test says so."""

    def __init__(self, origin: ScriptedOrigin) -> None:
        self.origin = origin
        self.gate = origin.gate()
        self.url = origin.serve("/token", self._answer)

    async def _answer(self, exchange: Exchange) -> None:
        await self.gate.opened()
        await says(token(refresh_token=NEW))(exchange)

    def source(self, scene: SourceScene, **members: Json) -> Json:
        return {
            "kind": "oauth",
            "tokenEndpoint": self.url,
            "grant": "refreshToken",
            "clientIdentifier": "native",
            "refreshTokenFile": str(scene.directory / "refresh"),
            **members,
        }


def naming(peer: Peer, session: str, origin: ScriptedOrigin, source: str = "builds") -> int:
    space_of_origin = space(origin, method="bearer")
    params = {"session": session, "protectionSpace": space_of_origin, "credential": {"source": source}}
    return peer.request("credential/set", params)


def written(scene: SourceScene) -> str:
    return Path(scene.directory / "refresh").read_text().strip()


def test_a_refresh_token_that_arrives_after_a_reload_is_written(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    endpoint = HeldEndpoint(origin)
    scene.file(REFRESH, "refresh")
    peer = scene.peer(builds=endpoint.source(scene))
    reading = naming(peer, peer.open(), origin)
    origin.wait_for_requests(1, "/token")
    other = scene.peer(builds=endpoint.source(scene, scope="read"))
    other.call("server/reload")
    with pytest.raises(RemoteError):
        peer.result(reading)
    # The new source waits for the one before: its token is in the file then.
    again = naming(other, other.open(), origin)
    other.call("ping")
    assert len(origin.requests_to("/token")) == 1
    endpoint.gate.open()
    assert other.result(again) == {}
    assert written(scene) == NEW
    assert NEW.encode() in origin.requests_to("/token")[1].body


def test_a_refresh_token_that_arrives_while_the_daemon_stops_is_written(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    endpoint = HeldEndpoint(origin)
    scene.file(REFRESH, "refresh")
    peer = scene.peer(builds=endpoint.source(scene))
    naming(peer, peer.open(), origin)
    origin.wait_for_requests(1, "/token")
    scene.daemon.process.send_signal(signal.SIGTERM)
    peer.wait_for_end()
    endpoint.gate.open()
    assert scene.daemon.process.wait(20) == 0
    assert written(scene) == NEW
    scene.daemon.start()


def test_a_token_endpoint_that_hangs_is_a_typed_error_and_delays_no_other(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    gate = origin.gate()

    async def hangs(exchange: Exchange) -> None:
        await gate.opened()
        await exchange.until_peer_leaves()

    origin.serve("/token", says(token(), headers=[*JSON]), hangs)
    peer = scene.peer(builds=scripted(scene, origin.url + "/token"))
    session = peer.open()
    name(peer, session, origin.port)
    fetches = [peer.start_fetch(session, origin.serve("/page", refusing)) for _ in range(10)]
    origin.wait_for_requests(2, "/token")
    gate.open()
    other = scene.peer(builds=scripted(scene, origin.url + "/token"))
    assert other.call("ping") is not None
    for fetch in fetches:
        with pytest.raises(RemoteError) as caught:
            peer.result(fetch, seconds=60)
        assert (caught.value.kind, caught.value.data["reason"]) == ("credentialSourceFailed", "timedOut")
    assert len(origin.requests_to("/token")) == 2
    assert source(peer)["lastError"] == "timedOut"


def test_helpers_that_hang_do_not_delay_the_files_of_tokens(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    origin.serve("/token", says(token()))
    helper = scene.helper('read line <"$(dirname "$0")/go"')
    path = scene.directory / "go"
    os.mkfifo(path)
    peer = scene.peer(
        helper={"kind": "gitHelper", "command": helper}, builds=scripted(scene, origin.url + "/token")
    )
    session = peer.open()
    hanging = [naming(peer, session, origin, "helper") for _ in range(8)]
    assert peer.result(naming(peer, session, origin)) == {}
    # They have not been answered: each waits until it may read.
    assert not any(number in peer.replies for number in hanging)


def test_readings_are_bounded(scene: SourceScene, origin: ScriptedOrigin) -> None:
    gate = origin.gate()

    async def held(exchange: Exchange) -> None:
        await gate.opened()
        await says(token())(exchange)

    sources = {"builds": scripted(scene, origin.serve("/token", held))}
    peers = [scene.peer(**sources), scene.peer(**sources)]
    readings = [
        (peer, naming(peer, session, origin))
        for peer in peers
        for session in [peer.open()]
        for _ in range(600)
    ]
    for peer in peers:
        peer.call("ping")
    refused = 2 * 600 - 1024
    eventually(lambda: peers[0].counter("sources.failed") == refused)
    gate.open()
    outcomes = []
    for peer, reading in readings:
        try:
            outcomes.append(str(peer.result(reading)))
        except RemoteError as error:
            outcomes.append(str(error))
    assert outcomes.count("{}") == 1024
    assert sum("too many readings of sources wait" in outcome for outcome in outcomes) == refused
    assert len(origin.requests_to("/token")) == 1
    assert peers[0].result(naming(peers[0], peers[0].open(), origin)) == {}


@pytest.mark.parametrize(("user", "reason"), [("a:b", "colonInUser"), ("a\u0001b", "controlCharacter")])
def test_what_a_source_gives_is_checked_when_it_is_named(
    scene: SourceScene, origin: ScriptedOrigin, user: str, reason: str
) -> None:
    peer = scene.peer(pages={"kind": "file", "path": scene.file(sentinels.PASSWORD), "user": user})
    session = peer.open()
    params = {"session": session, "protectionSpace": space(origin), "credential": {"source": "pages"}}
    with pytest.raises(RemoteError) as caught:
        peer.call("credential/set", params)
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", reason)
