"""Fixtures of the tests of credentials."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.credentials.scene import SourceScene
from Integration.wire import Json, Peer, stop_all
from Support.daemon import Daemon
from Support.oauth_server import OAuthServer


@pytest.fixture
def scene(tmp_path: Path, environment: dict[str, str], peers: list[Peer]) -> Iterator[SourceScene]:
    """A daemon with sources, whose log has no secret."""
    daemons: list[Daemon] = []

    def connect(sources: Json) -> Peer:
        configuration = tmp_path / "configuration.json"
        configuration.write_text(json.dumps({"credentialSources": sources}))
        if not daemons:
            daemons.append(Daemon(["--configuration", str(configuration)], environment))
        peers.append(Peer(daemons[-1].socket))
        return peers[-1]

    yield SourceScene(connect, tmp_path, daemons)
    for daemon in daemons:
        assert sentinels.traces_in(daemon.output().encode()) == []
    stop_all(daemons, peers)


@pytest.fixture(scope="session")
def oauth_server(run_directory: Path) -> Iterator[OAuthServer]:
    server = OAuthServer(run_directory / "oauth", sentinels.MARK)
    yield server
    server.stop()


@pytest.fixture
def oauth(oauth_server: OAuthServer) -> OAuthServer:
    oauth_server.forget()
    return oauth_server
