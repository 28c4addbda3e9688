"""A host-wide daemon synchronizes each account apart from the others."""

from __future__ import annotations

import os

import pytest

from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, USER
from Integration.synchronization.scene import Fleet, Host, keep, remove, shared, users
from Integration.vault.scene import space_of, status_of
from Integration.wire import Peer
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")

ANOTHER = 65534


def another(host: Host) -> Peer:
    """A connection of another account, whose status tells of every change."""
    host.daemon.directory.chmod(0o755)
    # The kernel notes the account that connects.
    os.seteuid(ANOTHER)
    try:
        peer = host.connect(host.daemon)
    finally:
        os.seteuid(0)
    peer.open()
    peer.call("status/subscribe", {"intervalSeconds": 0.1})
    return peer


def wait_for_users(peer: Peer, *expected: str) -> None:
    while users(peer) != sorted(expected):
        peer.notification("status/didChange")


def test_two_accounts_share_a_store_and_nothing_else(fleet: Fleet, origin: ScriptedOrigin) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    first, second = fleet.host_wide(), fleet.host_wide()
    with another(first) as other_here, another(second) as other_there:
        keep(first.peer, shared(), space_of(url))
        keep(other_here, shared(OTHER_USER, OTHER_PASSWORD), space_of(url))
        second.wait_for_users(USER)
        wait_for_users(other_there, OTHER_USER)
        assert (status_of(second.peer, url), status_of(other_there, url)) == (200, 401)
        # What the server refused to one account is removed on all hosts of this account.
        wait_for_users(other_here)
        assert users(first.peer) == users(second.peer) == [USER]
        accounts = {name.split(b"/")[-2] for name in fleet.records}
        assert len(accounts) == len(fleet.records) == 2


def test_the_lock_of_one_account_stops_no_other(fleet: Fleet) -> None:
    first, second = fleet.host_wide(), fleet.host_wide()
    with another(first) as other_here, another(second) as other_there:
        second.peer.call("agent/lock", {"passphrase": "sentinel-lock"})
        keep(other_here, shared(OTHER_USER))
        wait_for_users(other_there, OTHER_USER)
        keep(first.peer, shared())
        remove(other_here, user=OTHER_USER)
        wait_for_users(other_there)
        second.peer.call("agent/unlock", {"passphrase": "sentinel-lock"})
        second.wait_for_users(USER)
        assert users(other_there) == []
