"""A server with mutual TLS and identities of two authorities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.client_certificates.scene import keep
from Integration.wire import Json, Peer
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.mutual_tls import MutualTLS


@pytest.fixture(scope="package")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "mutual", "Staff")


@pytest.fixture(scope="package")
def guests(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "mutual", "Guests")


@pytest.fixture(scope="package")
def server(
    run_directory: Path, authority: Authority, staff: ClientAuthority, guests: ClientAuthority
) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "mutual-nginx", authority, [staff, guests])
    yield made
    made.stop()


@pytest.fixture(scope="package")
def alice(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("alice")


@pytest.fixture(scope="package")
def bob(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("bob", ("rsa:2048",))


@pytest.fixture(scope="package")
def gil(guests: ClientAuthority) -> ClientIdentity:
    return guests.issue("gil", ("ed25519",))


@pytest.fixture
def session(authority: Authority) -> Callable[..., str]:
    """Opens a session that knows the servers' authority; `tasks` and `session` are the delegate's lists."""

    def make(peer: Peer, name: str | None = None, **members: Json) -> str:
        configuration = {
            "tls": {"roots": {"certificates": authority.pem}},
            **members.pop("configuration", {}),
        }
        return peer.open(name, configuration=configuration, **members)

    return make


@pytest.fixture
def keeper(connect: Callable[..., Peer], alice: ClientIdentity) -> Peer:
    """A connection that has kept the identity of alice."""
    peer = connect()
    keep(peer, alice.plain)
    return peer
