"""Outages, lost members, compaction and garbage: the local copy stays in use, and nothing is lost."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, USER
from Integration.synchronization.scene import Fleet, Host, keep, listed, remove, shared, space, users
from Integration.vault.scene import space_of, status_of
from Support import loopback
from Support.certificates import Authority
from Support.etcd import Etcd, encoded
from Support.guards import BasicGuard, guarded
from Support.relay import Relay
from Support.scripted_origin import ScriptedOrigin

MakeFleet = Callable[[Etcd], Fleet]
OwnEtcd = Callable[..., Etcd]


def test_a_change_reaches_the_others_also_after_a_member_was_killed(
    own_etcd: OwnEtcd, make_fleet: MakeFleet
) -> None:
    etcd = own_etcd(3)
    fleet = make_fleet(etcd)
    first, *others = [fleet.ready() for _ in range(3)]
    keep(first.peer, shared())
    for other in others:
        other.wait_for_users(USER)
    endpoint = first.status["endpoint"]
    killed = next(member for member in etcd.members if member.url == endpoint)
    killed.end()
    keep(first.peer, shared(OTHER_USER, OTHER_PASSWORD))
    for other in others:
        other.wait_for_users(USER, OTHER_USER)
    assert first.wait_for("watching")["synchronization"]["endpoint"] != endpoint


def test_a_silent_member_keeps_no_change_and_is_left(own_etcd: OwnEtcd, make_fleet: MakeFleet) -> None:
    etcd = own_etcd(3)
    fleet = make_fleet(etcd)
    first, second = fleet.ready(endpoints=etcd.endpoints[:2]), fleet.ready(endpoints=etcd.endpoints[2:])
    endpoint = first.status["endpoint"]
    silent = next(member for member in etcd.members if member.url == endpoint)
    silent.pause()
    keep(first.peer, shared())
    # The next endpoint takes it, and the one in use is looked at without waiting for its turn.
    second.wait_for_users(USER)
    first.wait(lambda status: status["synchronization"]["endpoint"] != endpoint)
    first.wait_for("watching")
    keep(second.peer, shared(OTHER_USER, OTHER_PASSWORD))
    first.wait_for_users(USER, OTHER_USER)


def test_an_outage_is_outlived_and_reconciled(
    own_etcd: OwnEtcd, make_fleet: MakeFleet, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    etcd = own_etcd()
    fleet = make_fleet(etcd)
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared(), space_of(url))
    keep(first.peer, shared(), space("gone.example"))
    keep(first.peer, shared(), space("both.example"))
    second.wait(lambda _: len(listed(second.peer)) == 3)
    etcd.members[0].end()
    for host in (first, second):
        host.wait_for("waiting")
        assert status_of(host.peer, url) == 200
    # Changes of both, which survive a restart without the store.
    keep(first.peer, shared(OTHER_USER), space("new.example"))
    remove(first.peer, space("gone.example"))
    keep(first.peer, shared(secret="first"), space("both.example"))
    keep(second.peer, shared(secret="second"), space("both.example"))
    assert first.status["pending"] == 3
    first.restart()
    assert first.status["pending"] == 3
    etcd.members[0].start()
    etcd.members[0].wait()
    for host in (first, second):
        host.wait_for("watching")
        wait_for_hosts(host, "127.0.0.1", "both.example", "new.example")
    for host in (first, second):
        host.wait_for("watching")
    first.wait(lambda _: len(fleet.records) == 4)


def wait_for_hosts(host: Host, *expected: str) -> None:
    host.wait(
        lambda _: sorted(one["protectionSpace"]["host"] for one in listed(host.peer)) == sorted(expected)
    )


def test_of_two_changes_in_an_outage_the_later_one_counts(
    own_etcd: OwnEtcd, make_fleet: MakeFleet, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    etcd = own_etcd()
    fleet = make_fleet(etcd)
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared(secret="old"), space_of(url))
    second.wait_for_users(USER)
    etcd.members[0].end()
    for host in (first, second):
        host.wait_for("waiting")
    keep(second.peer, shared(secret="earlier"), space_of(url))
    keep(first.peer, shared(), space_of(url))
    etcd.members[0].start()
    etcd.members[0].wait()
    for host in (first, second):
        host.wait_for("watching")
    second.wait(lambda _: status_of(second.peer, url) == 200)
    assert status_of(first.peer, url) == 200


def test_a_removal_in_an_outage_leaves_what_another_host_gives(
    own_etcd: OwnEtcd, make_fleet: MakeFleet
) -> None:
    etcd = own_etcd()
    fleet = make_fleet(etcd)
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared())
    second.wait_for_users(USER)
    etcd.members[0].end()
    for host in (first, second):
        host.wait_for("waiting")
    # One that the store never gets, and the end of it, while the other host gives another.
    keep(first.peer, shared(secret="never told"))
    keep(second.peer, shared(secret="second"))
    remove(first.peer)
    etcd.members[0].start()
    etcd.members[0].wait()
    for host in (first, second):
        host.wait_for("watching")
    for host in (first, second):
        host.wait_for_users(USER)


def test_compaction_during_an_outage_is_survived(own_etcd: OwnEtcd, make_fleet: MakeFleet) -> None:
    etcd = own_etcd()
    fleet = make_fleet(etcd)
    (port,) = loopback.free_ports(1)
    relay = Relay(etcd.members[0].client_port, listen=port)
    first, second = fleet.ready(), fleet.ready(endpoints=[f"http://127.0.0.1:{port}"])
    keep(first.peer, shared())
    second.wait_for_users(USER)
    relay.stop()
    second.wait_for("waiting")
    keep(first.peer, shared(OTHER_USER))
    remove(first.peer)
    first.wait_for("watching")
    etcd.compact()
    relay = Relay(etcd.members[0].client_port, listen=port)
    second.wait_for_users(OTHER_USER)
    relay.stop()


def test_a_store_that_was_lost_gets_everything_back(own_etcd: OwnEtcd, make_fleet: MakeFleet) -> None:
    fleet = make_fleet(own_etcd())
    first, second = fleet.ready(), fleet.ready()
    keep(first.peer, shared())
    second.wait_for_users(USER)
    # The administrator empties the store, which says nothing to the hosts.
    end = fleet.prefix + "0"
    fleet.etcd.call("kv/deleterange", {"key": encoded(fleet.prefix + "/"), "range_end": encoded(end)})
    assert fleet.records == {}
    first.restart()
    first.wait_for("watching")
    assert users(first.peer) == [USER] and len(fleet.records) == 1
    assert users(second.peer) == [USER]


def test_garbage_and_copies_are_passed_over(fleet: Fleet) -> None:
    first = fleet.ready()
    keep(first.peer, shared())
    keep(first.peer, shared(OTHER_USER, OTHER_PASSWORD))
    first.wait_for("watching")
    (one, its), (other, others) = sorted(fleet.records.items())
    account = one.decode().rsplit("/", 1)[0]
    # A record of one name under the other's, and garbage beside them.
    fleet.etcd.put(one, others)
    fleet.etcd.put(other, b"")
    fleet.etcd.put(f"{account}/{'0' * 32}", its)
    fleet.etcd.put(f"{account}/garbage", b"\xff" * 100_000)
    first.wait(lambda status: status["counters"]["synchronization.foreign"] >= 4)
    assert users(first.peer) == sorted([USER, OTHER_USER])
    assert users(fleet.ready().peer) == []
    # Who has them writes them again.
    first.restart()
    first.wait_for("watching")
    late = fleet.ready()
    late.wait_for_users(USER, OTHER_USER)


def test_values_as_large_as_the_store_takes_are_passed_over(fleet: Fleet) -> None:
    first = fleet.ready()
    keep(first.peer, shared())
    first.wait_for("watching")
    account = next(iter(fleet.records)).decode().rsplit("/", 1)[0]
    for number in range(12):
        fleet.etcd.put(f"{account}/large{number}", b"x" * 1_500_000)
    late = fleet.ready()
    assert users(late.peer) == [USER]
    assert late.peer.counter("synchronization.foreign") == 12


def test_client_certificates_are_presented(
    own_etcd: OwnEtcd, make_fleet: MakeFleet, authority: Authority, tmp_path: Path
) -> None:
    etcd = own_etcd(1, authority=authority)
    fleet = make_fleet(etcd)
    identity = authority.issue("host", extensions="extendedKeyUsage=clientAuth\n")
    identity.key.chmod(0o600)
    tls = {
        "roots": str(authority.certificate),
        "certificate": str(identity.certificate),
        "privateKey": str(identity.key),
    }
    first, second = fleet.ready(**tls), fleet.ready(**tls)
    keep(first.peer, shared())
    second.wait_for_users(USER)
    without = fleet.host(roots=tls["roots"])
    without.wait(lambda status: status["synchronization"]["lastError"] in ("untrusted", "unreachable"))
    stranger = fleet.host()
    stranger.wait(lambda status: status["synchronization"]["lastError"] == "untrusted")


def test_a_user_authenticates_and_an_expired_token_is_replaced(
    own_etcd: OwnEtcd, make_fleet: MakeFleet, tmp_path: Path
) -> None:
    etcd = own_etcd()
    fleet = make_fleet(etcd)
    for user, word in (("root", "of all"), ("fleet", "sentinel-word")):
        etcd.call("auth/user/add", {"name": user, "password": word})
    etcd.call("auth/role/add", {"name": "root"})
    etcd.call("auth/role/add", {"name": "fleet"})
    permission = {
        "permType": "READWRITE",
        "key": encoded(fleet.prefix + "/"),
        "range_end": encoded(fleet.prefix + "0"),
    }
    etcd.call("auth/role/grant", {"name": "fleet", "perm": permission})
    for user in ("root", "fleet"):
        etcd.call("auth/user/grant", {"user": user, "role": user})
    etcd.call("auth/enable", {})
    etcd.token = etcd.call("auth/authenticate", {"name": "root", "password": "of all"})["token"]
    word_file = tmp_path / "etcd.password"
    word_file.write_text("sentinel-word\n")
    word_file.chmod(0o600)
    member = {"user": "fleet", "passwordFile": str(word_file)}
    first, second = fleet.ready(**member), fleet.ready(**member)
    keep(first.peer, shared())
    second.wait_for_users(USER)
    # A restarted member knows none of its tokens.
    etcd.members[0].end(signal.SIGTERM)
    etcd.members[0].start()
    etcd.members[0].wait()
    keep(first.peer, shared(OTHER_USER))
    second.wait_for_users(USER, OTHER_USER)
    stranger = fleet.host()
    stranger.wait(lambda status: status["synchronization"]["lastError"] == "refused")
    assert "sentinel-word" not in first.daemon.output()


@pytest.mark.parametrize("fault", ["loose", "short", "missing"])
def test_a_key_file_that_cannot_be_used_is_said(fleet: Fleet, fault: str) -> None:
    if fault == "loose":
        fleet.key.chmod(0o644)
    elif fault == "short":
        fleet.key.write_bytes(b"x" * 31)
    else:
        fleet.key.unlink()
    host = fleet.host()
    host.wait(lambda status: status["synchronization"]["lastError"] == "fileUnusable")
    # The host works without, and keeps what is given for later.
    keep(host.peer, shared())
    assert users(host.peer) == [USER] and host.status["pending"] == 1
