"""An origin that nothing vouches for, and daemons on one directory."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator

import pytest

from Integration.permanent_trust.scene import fine
from Integration.wire import Json, Peer, stop_all
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin

Origins = Callable[..., ScriptedOrigin]


@pytest.fixture
def strange(origins: Origins, tls_context: ssl.SSLContext) -> ScriptedOrigin:
    """An origin whose issuer no session here knows."""
    origin = origins(tls_context)
    origin.serve("/*", fine)
    return origin


@pytest.fixture
def start(peers: list[Peer]) -> Iterator[Callable[..., tuple[Daemon, Peer]]]:
    """Starts daemons with options of the test's own."""
    daemons: list[Daemon] = []

    def make(*options: str, **members: Json) -> tuple[Daemon, Peer]:
        daemons.append(Daemon(options, **members))
        peers.append(Peer(daemons[-1].socket))
        return daemons[-1], peers[-1]

    yield make
    stop_all(daemons, peers)
