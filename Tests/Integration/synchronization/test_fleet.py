"""Credentials that the hosts of a fleet share."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, TOKEN, USER, WRONG_PASSWORD, traces_in
from Integration.synchronization.scene import Fleet, keep, listed, remove, shared, space, users
from Integration.vault.scene import space_of, status_of
from Integration.wire import Peer, kind_of, password
from Support.daemon import Daemon
from Support.etcd import Etcd
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

MakeFleet = Callable[[Etcd], Fleet]
OwnEtcd = Callable[..., Etcd]


@pytest.mark.threads
def test_without_a_configuration_nothing_is_shared(daemon: Daemon, peer: Peer) -> None:
    peer.open()
    parameters = {"protectionSpace": space(), "credential": shared()}
    assert kind_of(peer.call, "credential/set", parameters) == "storageUnavailable"
    assert peer.call("status")["synchronization"] is None


def test_what_is_given_on_one_host_is_used_on_the_others(fleet: Fleet, origin: ScriptedOrigin) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    first, *others = [fleet.ready() for _ in range(3)]
    session = first.peer.open(tasks=["*"])
    fetch = first.peer.start_fetch(session, url)
    first.peer.answer(first.peer.challenge(), shared())
    assert first.peer.result(fetch)["status"] == 200
    for other in others:
        other.wait_for_users(USER)
        assert status_of(other.peer, url) == 200
        assert [one["source"] for one in listed(other.peer)] == ["synchronizable"]
        note = other.peer.notification("credential/didChange")
        assert (note["change"], note["user"]) == ("added", USER)


def test_a_stale_password_costs_one_bad_login_on_all_hosts(fleet: Fleet, origin: ScriptedOrigin) -> None:
    """1,000 tasks have it on one host, and then as many on the other."""
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, OTHER_PASSWORD)))
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared(), space_of(url))
    second.wait_for_users(USER)
    for host in (second, first):
        session = host.peer.open(configuration={"credentialStorage": "shared"})
        fetches = [host.peer.start_fetch(session, url) for _ in range(1000)]
        assert {host.peer.result(fetch, 60)["status"] for fetch in fetches} == {401}
        for other in (first, second):
            other.wait_for_users()
    assert sum(request.authorization is not None for request in origin.requests) == 1


def test_a_change_and_a_removal_take_effect_on_the_others(fleet: Fleet, origin: ScriptedOrigin) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared(secret=WRONG_PASSWORD), space_of(url))
    second.wait_for_users(USER)
    keep(first.peer, shared(), space_of(url))
    second.peer.notification("credential/didChange", lambda note: note["change"] == "replaced")
    assert status_of(second.peer, url) == 200
    # The session of the second host has a copy that it sends unasked.
    session = second.peer.open("held", configuration={})
    assert second.peer.fetch(session, url)["status"] == 200
    remove(first.peer, space_of(url))
    second.wait_for_users()
    assert second.peer.fetch(session, url)["status"] == 401


def test_what_a_server_refuses_on_one_host_ends_on_all(fleet: Fleet, origin: ScriptedOrigin) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared(secret=WRONG_PASSWORD), space_of(url))
    second.wait_for_users(USER)
    assert status_of(second.peer, url) == 401
    first.wait_for_users()


def test_it_comes_to_a_host_that_starts_later_and_survives_restarts(fleet: Fleet) -> None:
    first = fleet.ready()
    keep(first.peer, shared())
    keep(first.peer, {"token": TOKEN, "persistence": "synchronizable"}, space(method="bearer", realm=None))
    first.wait_for("watching")
    late = fleet.ready()
    late.wait(lambda _: len(listed(late.peer)) == 2)
    late.restart()
    assert len(listed(late.peer)) == 2
    late.wait_for("watching")
    remove(late.peer)
    first.wait(lambda _: len(listed(first.peer)) == 1)


def test_a_private_session_and_other_kinds_share_nothing(fleet: Fleet) -> None:
    host = fleet.ready()
    session = host.peer.open(configuration={"credentialStorage": "private"})
    parameters = {"protectionSpace": space(), "credential": shared(), "session": session}
    assert kind_of(host.peer.call, "credential/set", parameters) == "storageUnavailable"
    assert fleet.records == {}


def test_the_default_user_is_the_same_on_all_hosts(fleet: Fleet) -> None:
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared())
    keep(first.peer, shared(OTHER_USER, OTHER_PASSWORD), default=True)
    second.wait_for_users(USER, OTHER_USER)

    def default_of(peer: Peer) -> list[str]:
        return [one["user"] for one in listed(peer) if one["isDefault"]]

    second.wait(lambda _: default_of(second.peer) == [OTHER_USER])
    second.peer.call("credential/setDefault", {"protectionSpace": space(), "user": USER})
    first.wait(lambda _: default_of(first.peer) == [USER])


def test_a_permanent_one_of_a_host_comes_before_the_fleets(fleet: Fleet) -> None:
    first, second = fleet.ready(), fleet.ready()
    keep(second.peer, password(USER, OTHER_PASSWORD, "permanent"))
    keep(first.peer, shared())
    keep(first.peer, shared(OTHER_USER))
    second.wait_for_users(OTHER_USER)
    assert [one["persistence"] for one in second.peer.call("credential/list")["credentials"]].count(
        "permanent"
    ) == 1
    # Without it the fleet's is there.
    remove(second.peer)
    second.wait_for_users(USER, OTHER_USER)


def test_the_store_learns_nothing(own_etcd: OwnEtcd, make_fleet: MakeFleet) -> None:
    etcd = own_etcd()
    fleet = make_fleet(etcd)
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared(), space("intranet.example"))
    second.wait_for_users(USER)
    etcd.members[0].end(signal.SIGTERM)
    for contents in etcd.files():
        assert not traces_in(contents)
        for text in (b"intranet.example", USER.encode(), b"staff"):
            assert text not in contents


def test_limits_travel_and_the_store_forgets_what_is_over(fleet: Fleet) -> None:
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared(limits={"lifetimeSeconds": 3}))
    keep(first.peer, shared(OTHER_USER, limits={"lifetimeSeconds": 3600, "methods": ["GET"]}))
    second.wait_for_users(USER, OTHER_USER)
    assert len(fleet.records) == 2
    first.daemon.process.wait_until(lambda: len(fleet.records) == 1)
    for host in (first, second):
        assert users(host.peer) == [OTHER_USER]
        assert listed(host.peer)[0]["limits"]["methods"] == ["GET"]


def test_a_fleet_with_another_key_sees_nothing(fleet: Fleet, make_fleet: MakeFleet, etcd: Etcd) -> None:
    first = fleet.ready()
    keep(first.peer, shared())
    first.wait_for("watching")
    stranger = make_fleet(etcd)
    stranger.prefix = fleet.prefix
    host = stranger.ready()
    assert users(host.peer) == []
    keep(host.peer, shared(OTHER_USER))
    host.wait_for("watching")
    assert users(first.peer) == [USER]


def test_the_locked_agent_takes_nothing_over_until_it_is_unlocked(fleet: Fleet) -> None:
    first, second = fleet.ready(), fleet.ready()
    second.peer.call("agent/lock", {"passphrase": "open"})
    second.wait_for("idle")
    keep(first.peer, shared())
    first.wait_for("watching")
    second.peer.call("agent/unlock", {"passphrase": "open"})
    second.wait_for_users(USER)


def test_forgetting_leaves_the_fleets_records(fleet: Fleet) -> None:
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared())
    second.wait_for_users(USER)
    second.peer.call("agent/forget")
    keep(first.peer, shared(OTHER_USER))
    # It is read again when it is used.
    assert USER in users(second.peer)
    second.wait_for_users(USER, OTHER_USER)
