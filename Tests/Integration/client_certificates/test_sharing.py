"""Which tasks and sessions share a connection with a client certificate."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.client_certificates.scene import add, shown
from Integration.wire import Peer
from Support.client_identities import ClientIdentity
from Support.mutual_tls import MutualTLS
from Support.nginx import Nginx

pytestmark = pytest.mark.core
Connect = Callable[..., Peer]


def test_two_sessions_with_two_identities_never_share_a_connection(
    connect: Connect,
    session: Callable[..., str],
    server: MutualTLS,
    alice: ClientIdentity,
    bob: ClientIdentity,
) -> None:
    first, second = connect(), connect()
    mine, theirs = session(first), session(second)
    add(first, mine, alice)
    add(second, theirs, bob)
    seen = [
        (shown(first.fetch(mine, server.url())), shown(second.fetch(theirs, server.url()))) for _ in range(3)
    ]
    assert {pair[0].subject for pair in seen} == {"CN=alice"}
    assert {pair[1].subject for pair in seen} == {"CN=bob"}
    assert not {pair[0].connection for pair in seen} & {pair[1].connection for pair in seen}


def test_many_fetches_raise_one_question(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetches = [peer.start_fetch(opened, server.url(http="1.1")) for _ in range(40)]
    peer.answer(peer.challenge(), {"identity": alice.plain})
    assert {shown(peer.result(fetch)).subject for fetch in fetches} == {"CN=alice"}
    assert peer.counter("challenges.raised.clientCertificate") == 1
    peer.nothing_asked()


def test_a_connection_without_a_certificate_is_not_used_for_who_wants_to_be_asked(
    connect: Connect, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    first, second = connect(), connect()
    session(first, "shared")
    url = server.url(verification="optional")
    assert shown(first.fetch("shared", url)).subject == ""
    second.open("shared", tasks=["clientCertificate"])
    fetch = second.start_fetch("shared", url)
    second.answer(second.challenge(), {"identity": alice.plain})
    assert shown(second.result(fetch)).subject == "CN=alice"
    # The decision is the session's now.
    assert shown(first.fetch("shared", url)).subject == "CN=alice"


def test_a_server_that_asks_for_none_has_its_connection_used_by_every_task(
    connect: Connect, session: Callable[..., str], nginx: Nginx
) -> None:
    taker, other = connect(), connect()
    session(taker, "shared", tasks=["clientCertificate"])
    other.open("shared")
    url = nginx.tls + "/small"
    assert not taker.metrics("shared", url)["reused"]
    assert other.metrics("shared", url)["reused"]
    assert taker.metrics("shared", url)["reused"]


def test_a_task_that_comes_during_the_handshake_of_another_is_asked_all_the_same(
    connect: Connect, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    other, taker = connect(), connect()
    session(other, "shared")
    taker.open("shared", tasks=["clientCertificate"])
    url = server.url("TLSv1.3", "2", "optional")
    first = other.start_fetch("shared", url)
    second = taker.start_fetch("shared", url)
    challenge = taker.challenge()
    taker.answer(challenge, {"identity": alice.plain})
    assert shown(taker.result(second)).subject == "CN=alice"
    # Who was not asked goes on without, unless the answer, which is the session's, came before its handshake.
    assert shown(other.result(first)).subject in ("", "CN=alice")
