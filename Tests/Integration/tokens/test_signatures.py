"""Handshakes that wait for a token, and what goes on meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from Integration import held_bytes
from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER
from Integration.tokens.scene import add, comes, helpers, opened, shown
from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority
from Support.client_identities import ClientAuthority
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS
from Support.squid import Squid

pytestmark = pytest.mark.core
KINDS = [(version, http) for version in ("TLSv1.2", "TLSv1.3") for http in ("1.1", "2")]


@dataclass(frozen=True)
class Gate:
    """Signatures of the faulty module that wait until they are let through."""

    file: Path

    def shut(self) -> None:
        self.file.write_text("wait-sign")

    def open(self) -> None:
        self.file.write_text("")

    def let_one_through(self) -> None:
        """The one that is there; the next one waits."""
        (self.file.with_suffix(".through")).touch()

    def has(self, count: int) -> bool:
        """Whether so many signatures have come to the gate, since it was made."""
        marks = self.file.with_suffix(".signing")
        return (len(marks.read_text().splitlines()) if marks.exists() else 0) == count


@pytest.fixture
def gate(faulty: tuple[Daemon, Peer, Path]) -> Gate:
    return Gate(faulty[2])


def fault_of(peer: Peer, fetch: int) -> tuple[str, Json]:
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    return caught.value.kind, caught.value.data


def descriptors_of(daemon: Daemon, peer: Peer, session: str) -> int:
    """Those of the daemon, with what a session has from its first fetch on."""
    assert fault_of(peer, peer.start_fetch(session, "http://127.0.0.1:1/"))[0] == "connectionFailed"
    return len(daemon.descriptors())


def connections(peer: Peer) -> int:
    """To servers, of all sessions."""
    return sum(entry["connections"] for entry in peer.call("status")["sessions"])


@pytest.mark.parametrize(("version", "http"), KINDS)
def test_all_others_go_on_while_a_token_signs(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    gate: Gate,
    version: str,
    http: str,
) -> None:
    daemon, peer, _ = faulty
    session, other = opened(peer, authority, name="slow"), opened(peer, authority, name="other")
    add(peer, session, keys["ec"])
    gate.shut()
    fetch = peer.start_fetch(session, server.url(version, http))
    assert comes(lambda: gate.has(1))
    # The signature cannot be there before the gate opens: what is answered now does not wait for it.
    with Peer(daemon.socket) as neighbour:
        assert neighbour.call("ping") == {}
    assert peer.fetch(other, server.url(version, http, "optional"))["status"] == 200
    assert fetch not in peer.replies
    gate.open()
    seen = shown(peer.result(fetch))
    assert (seen.subject, seen.protocol) == ("CN=alice", version)
    # The connection is an ordinary one from now on.
    assert shown(peer.fetch(session, server.url(version, http))).connection == seen.connection


def test_the_stack_of_a_handshake_that_waits_counts(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    gate: Gate,
) -> None:
    _, peer, _ = faulty
    session = opened(peer, authority)
    add(peer, session, keys["ec"])
    with Peer(peer.path) as observer:

        def counted() -> int:
            return int(observer.call("status")["usage"]["bytesPerUid"])

        gate.shut()
        fetch = peer.start_fetch(session, server.url())
        assert comes(lambda: gate.has(1))
        waiting = counted()
        gate.open()
        assert shown(peer.result(fetch)).subject == "CN=alice"
        ended = counted()
    # The connection stays.
    assert waiting - ended > held_bytes.SIGNING + held_bytes.TASK + held_bytes.EXCHANGE


def test_two_tokens_sign_at_the_same_time(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    gate: Gate,
) -> None:
    _, peer, _ = faulty
    fetches = {}
    sessions = {kind: opened(peer, authority, name=kind) for kind in ("ec", "rsa")}
    for kind, session in sessions.items():
        add(peer, session, keys[kind])
    gate.shut()
    for kind, session in sessions.items():
        fetches[kind] = peer.start_fetch(session, server.url())
    assert comes(lambda: gate.has(2))
    gate.open()
    assert {kind: shown(peer.result(fetch)).subject for kind, fetch in fetches.items()} == {
        "ec": "CN=alice",
        "rsa": "CN=rita",
    }


def test_handshakes_that_wait_for_one_token_are_signed_in_turn(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    gate: Gate,
) -> None:
    _, peer, _ = faulty
    session = opened(peer, authority)
    add(peer, session, keys["ec"])
    gate.shut()
    fetches = [peer.start_fetch(session, server.url(*kind)) for kind in KINDS]
    assert comes(lambda: gate.has(1))
    peer.call("ping")
    # The one that is signed leaves, and the next one of those behind it is.
    assert gate.has(1)
    gate.open()
    assert [shown(peer.result(fetch)).subject for fetch in fetches] == ["CN=alice"] * len(KINDS)


def test_what_is_cancelled_while_a_token_signs_leaves_nothing(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    gate: Gate,
) -> None:
    daemon, peer, _ = faulty
    session = opened(peer, authority)
    add(peer, session, keys["ec"])
    descriptors = descriptors_of(daemon, peer, session)
    for number, (version, http) in enumerate(KINDS, start=1):
        gate.shut()
        first = peer.start_fetch(session, server.url(version, http), task=f"first-{number}")
        assert comes(partial(gate.has, number))
        # It waits behind the first one, which is asked for already.
        second = peer.start_fetch(session, server.url(version, http, "optional"), task=f"second-{number}")
        assert peer.call("ping") == {}
        for task, fetch in ((f"second-{number}", second), (f"first-{number}", first)):
            peer.call("task/cancel", {"task": task})
            assert fault_of(peer, fetch)[0] == "taskCancelled"
        gate.open()
        # The answer that nobody waits for any more is awaited, and taken for no other one's.
        assert comes(lambda: len(daemon.descriptors()) <= descriptors)
    assert len(helpers(daemon)) == 1
    assert shown(peer.fetch(session, server.url())).subject == "CN=alice"


def test_the_connect_timeout_holds_while_a_token_signs(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    gate: Gate,
) -> None:
    daemon, peer, _ = faulty
    session = opened(peer, authority)
    add(peer, session, keys["ec"])
    descriptors = descriptors_of(daemon, peer, session)
    gate.shut()
    kind, data = fault_of(peer, peer.start_fetch(session, server.url(), timeouts={"connectSeconds": 0.5}))
    assert (kind, data["phase"]) == ("timedOut", "connect")
    gate.open()
    assert comes(lambda: len(daemon.descriptors()) <= descriptors)
    assert shown(peer.fetch(session, server.url())).subject == "CN=alice"


@pytest.fixture
def squid(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[Squid]:
    made = Squid(
        run_directory / "squid-badges",
        PROXY_USER,
        PROXY_PASSWORD,
        (),
        authority.issue("squid-badges"),
        staff.certificate,
    )
    yield made
    made.stop()


def test_a_token_signs_for_a_proxy_and_through_its_tunnel(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    squid: Squid,
    keys: dict[str, str],
    gate: Gate,
) -> None:
    _, peer, _ = faulty
    session = peer.open(
        configuration={
            "proxies": {"all": squid.https},
            "tls": {"roots": {"certificates": authority.pem}},
        }
    )
    add(peer, session, keys["ec"])
    url = server.url("TLSv1.2", "1.1")
    gate.shut()
    fetch = peer.start_fetch(session, url, task="cancelled")
    # The proxy's handshake is at the gate, and then the origin's in the tunnel.
    assert comes(lambda: gate.has(1))
    assert peer.call("ping") == {}
    gate.let_one_through()
    assert comes(lambda: gate.has(2))
    assert peer.call("ping") == {}
    peer.call("task/cancel", {"task": "cancelled"})
    assert fault_of(peer, fetch)[0] == "taskCancelled"
    gate.open()
    assert comes(lambda: connections(peer) == 0)
    assert shown(peer.fetch(session, url)).subject == "CN=alice"


def test_an_identity_may_be_removed_while_its_token_signs(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    gate: Gate,
) -> None:
    daemon, peer, _ = faulty
    session = opened(peer, authority)
    add(peer, session, keys["ec"])
    gate.shut()
    fetch = peer.start_fetch(session, server.url(), task="slow")
    assert comes(lambda: gate.has(1))
    peer.call("identity/remove", {"session": session})
    peer.call("session/invalidate", {"session": session})
    assert fault_of(peer, fetch)[0] == "taskCancelled"
    gate.open()
    assert comes(lambda: helpers(daemon) == set())
    assert peer.call("ping") == {}


@pytest.mark.parametrize(("version", "kind"), [("TLSv1.2", "tlsFailed"), ("TLSv1.3", "connectionLost")])
def test_a_false_signature_is_refused_by_the_server(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    version: str,
    kind: str,
) -> None:
    _, peer, file = faulty
    session = opened(peer, authority)
    add(peer, session, keys["rsa"])
    file.write_text("wrong-sign")
    assert fault_of(peer, peer.start_fetch(session, server.url(version)))[0] == kind
    file.write_text("")
    assert shown(peer.fetch(session, server.url(version))).subject == "CN=rita"


def test_a_server_that_is_not_trusted_gets_no_signature(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    gate: Gate,
) -> None:
    """With TLS 1.2, the certificates of the server are judged when its OCSP response has come, or has not."""
    _, peer, _ = faulty
    tls = {"roots": {"certificates": authority.pem}, "revocation": "stapleRequired"}
    session = peer.open(configuration={"tls": tls})
    add(peer, session, keys["ec"])
    gate.shut()
    for version in ("TLSv1.2", "TLSv1.3"):
        kind, data = fault_of(peer, peer.start_fetch(session, server.url(version)))
        assert (kind, data["reasons"][0]["reason"]) == ("serverTrustRejected", "revocationUnknown")
    assert gate.has(0)
