"""What is left of a secret in the daemon's memory when it is no longer needed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.sentinels import TOKEN
from Integration.wire import Peer
from Support.daemon import Daemon
from Support.guards import BearerGuard, guarded
from Support.scripted_origin import ScriptedOrigin

SHADOW = 1 << 32

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can read the daemon's memory")


def copies(daemon: Daemon, secret: bytes) -> int:
    """How often the bytes are in memory that the daemon can write to."""
    found = 0
    with Path(f"/proc/{daemon.pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{daemon.pid}/maps").read_text().splitlines():
            addresses, access = line.split()[:2]
            if "rw" not in access or line.endswith(("[vvar]", "[vsyscall]")):
                continue
            start, end = (int(address, 16) for address in addresses.split("-"))
            # A sanitizer's shadow: terabytes, which hold none of the program's own bytes.
            if end - start > SHADOW:
                continue
            memory.seek(start)
            found += memory.read(end - start).count(secret)
    return found


@pytest.mark.parametrize("use", ["unused", "used", "detached"])
def test_a_sessions_authorization_ends_with_the_session(
    daemon: Daemon, connect: Callable[..., Peer], origin: ScriptedOrigin, use: str
) -> None:
    peer = connect()
    headers = [["Authorization", f"Bearer {TOKEN}"], ["X-Other", "1"]]
    peer.open("s", configuration={"headers": headers})
    url = origin.serve("/", guarded(BearerGuard("r", TOKEN)))
    if use == "used":
        assert [peer.fetch("s", url)["status"] for _ in range(3)] == [200] * 3
    if use == "detached":
        peer.call("task/start", {"session": "s", "url": url, "task": "t", "detached": True})
        assert peer.notification("task/didFinish")["status"] == 200
    assert copies(daemon, TOKEN.encode()) > 0
    peer.call("session/invalidate", {"session": "s"})
    peer.call("ping")
    assert copies(daemon, TOKEN.encode()) == 0
    if use == "detached":
        assert peer.call("task/describe", {"task": "t"})["result"]["status"] == 200
