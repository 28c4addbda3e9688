"""How long a locked agent lives in a daemon that ends when it is unused (storage.md 9.11)."""

from __future__ import annotations

from Integration.vault.test_lock import lock, unlock
from Integration.wire import Peer
from Support.daemon import Daemon

UNUSED = ["--idle-exit", "1"]


def test_an_unused_daemon_keeps_its_lock_and_ends_without_it() -> None:
    daemon = Daemon(UNUSED)
    peer = Peer(daemon.socket)
    lock(peer)
    peer.close()
    # Another one becomes unused later, and ends.
    assert Daemon(UNUSED).process.wait() == 0
    peer = Peer(daemon.socket)
    unlock(peer)
    peer.close()
    assert daemon.process.wait() == 0
