"""The key of a permanent identity is in no file, nor in memory after forgetting (challenges.md 11.11)."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable

import pytest

from Integration.client_certificates.scene import answered, seen
from Integration.sentinels import MARK
from Integration.test_memory import copies
from Integration.vault.scene import restart, vault_of
from Integration.wire import Peer
from Support.client_identities import PASSPHRASE, ClientIdentity
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS

Connect = Callable[..., Peer]
Open = Callable[..., str]
threads = pytest.mark.threads


def inner(identity: ClientIdentity) -> bytes:
    """What is like no other key: a line from the middle of its base64."""
    return identity.key.read_text().splitlines()[2].encode()


def number(identity: ClientIdentity) -> bytes:
    """The 32 octets of its private number (RFC 5915), which ASN.1 has behind the version."""
    octets = base64.b64decode("".join(identity.key.read_text().splitlines()[1:-1]))
    start = octets.index(b"\x02\x01\x01\x04\x20") + 5
    return octets[start : start + 32]


@threads
def test_its_key_is_nowhere_on_the_disk(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity
) -> None:
    peer = connect()
    answered(peer, session(peer, tasks=["clientCertificate"]), server.url(), alice.plain)
    peer.call("vault/rekey")
    restart(daemon)
    peer = connect()
    assert seen(peer, session, server, version="TLSv1.3") == ""
    peer.call("status")
    key = inner(alice)
    files = [path for path in daemon.directory.rglob("*") if path.is_file()]
    assert vault_of(daemon) in files
    assert [path for path in files if key in path.read_bytes() or b"PRIVATE KEY" in path.read_bytes()] == []
    assert key not in bytes(peer.received)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can read the daemon's memory")
@pytest.mark.parametrize("how", ["agent/forget", "agent/lock"])
def test_its_key_is_not_in_memory_after_forgetting(
    daemon: Daemon, connect: Connect, session: Open, server: MutualTLS, alice: ClientIdentity, how: str
) -> None:
    peer = connect()
    opened = session(peer, tasks=["clientCertificate"])
    given = {**alice.locked, "passphrase": PASSPHRASE}
    assert answered(peer, opened, server.url(), given) == "CN=alice"
    # OpenSSL has the number with the least octet first.
    secrets = [inner(alice), number(alice), number(alice)[::-1]]
    assert copies(daemon, secrets[0]) > 0 and copies(daemon, secrets[2]) > 0
    peer.call(how, {"passphrase": f"{MARK} locks it"} if how == "agent/lock" else None)
    assert [copies(daemon, secret) for secret in secrets] == [0, 0, 0]
