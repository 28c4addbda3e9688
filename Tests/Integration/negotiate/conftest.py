"""A realm, Apache in it, and daemons that are part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.kerberos import HOST, KerberosApache, Realm


@pytest.fixture(scope="session")
def realm(run_directory: Path) -> Iterator[Realm]:
    realm = Realm(run_directory / "realm")
    realm.add_user(sentinels.USER, sentinels.PASSWORD)
    yield realm
    realm.stop()


@pytest.fixture(scope="session")
def web(run_directory: Path, realm: Realm, authority: Authority) -> Iterator[KerberosApache]:
    server = KerberosApache(run_directory / "kerberos-apache", realm, authority.issue("web", f"DNS:{HOST}"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def scripted(realm: Realm) -> Realm:
    """The realm, with a principal for scripted origins."""
    realm.administer("addprinc -randkey HTTP/127.0.0.1")
    return realm


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """The default credential cache of the daemon; there is none yet."""
    return tmp_path / "cache"


@pytest.fixture
def daemon(realm: Realm, cache: Path) -> Iterator[Daemon]:
    process = Daemon(environment={"KRB5_CONFIG": realm.environment["KRB5_CONFIG"], "KRB5CCNAME": str(cache)})
    try:
        yield process
        assert not sentinels.traces_in(process.output().encode()), "a secret is in the log"
    finally:
        process.stop()


@pytest.fixture
def connect(daemon: Daemon, authority: Authority) -> Iterator[Callable[..., RealmPeer]]:
    made: list[RealmPeer] = []

    def make() -> RealmPeer:
        made.append(RealmPeer(daemon.socket))
        return made[-1]

    yield make
    for peer in made:
        peer.close()
    assert not [fault for peer in made for fault in peer.faults]
    assert not [trace for peer in made for trace in peer.leaks()], "a secret was sent to a caller"


@pytest.fixture
def peer(connect: Callable[..., RealmPeer]) -> RealmPeer:
    return connect()
