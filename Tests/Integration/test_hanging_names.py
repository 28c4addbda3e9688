"""A name server that does not answer delays nobody but those who ask for its names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from Integration.wire import Peer, kind_of
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply
from Support.shared_library import built

#: More than there are threads for anything else of one session.
LOOK_UPS = 40


@pytest.fixture
def hung(tmp_path: Path) -> Path:
    path = tmp_path / "names"
    os.mkfifo(path, 0o600)
    return path


@pytest.fixture
def environment(hung: Path) -> dict[str, str]:
    """Makes the look-up of `hung…` wait until the FIFO has a writer."""
    return {"LD_PRELOAD": str(built("hanging_names", ["-ldl"])), "HUNG_NAMES": str(hung)}


def test_others_are_served_while_names_are_looked_up(
    environment: dict[str, str], hung: Path, origin: ScriptedOrigin
) -> None:
    daemon = Daemon(environment=environment)
    with Peer(daemon.socket) as peer, Peer(daemon.socket) as other:
        session = peer.open()
        fetches = [peer.start_fetch(session, f"http://hung{number}.test/") for number in range(LOOK_UPS)]
        while len(list(Path(f"/proc/{daemon.pid}/task").iterdir())) < LOOK_UPS:
            assert peer.call("ping") == {}
        url = origin.serve("/", reply(), reply())
        assert other.fetch(other.open(), url)["status"] == 200
        # Of the same session, too.
        assert peer.fetch(session, url)["status"] == 200
        assert not peer.replies.keys() & set(fetches)
        # A writer comes, and lets them go.
        with hung.open("w"):
            assert {kind_of(peer.result, fetch) for fetch in fetches} == {"nameNotResolved"}
    daemon.stop()
