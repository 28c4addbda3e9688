"""A realm, Apache in it, and daemons that are part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import Peer
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.kerberos import Realm
from Support.kerberos_apache import HOST, KerberosApache


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
def environment(realm: Realm, cache: Path) -> dict[str, str]:
    return {"KRB5_CONFIG": realm.environment["KRB5_CONFIG"], "KRB5CCNAME": str(cache)}


@pytest.fixture
def connect(daemon: Daemon, peers: list[Peer]) -> Callable[..., RealmPeer]:
    """Opens connections to the daemon."""

    def make() -> RealmPeer:
        peer = RealmPeer(daemon.socket)
        peers.append(peer)
        return peer

    return make


@pytest.fixture
def peer(connect: Callable[..., RealmPeer]) -> RealmPeer:
    return connect()
