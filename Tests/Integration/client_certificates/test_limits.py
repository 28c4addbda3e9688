"""Uses and time end an identity and its connections."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.client_certificates.scene import add, shown
from Integration.wire import PATIENCE, Peer, RemoteError
from Support.client_identities import ClientIdentity
from Support.held_handshake import HeldHandshake
from Support.mutual_tls import MutualTLS

pytestmark = pytest.mark.core


@pytest.mark.parametrize("http", ["1.1", "2"])
def test_an_identity_is_gone_with_its_key_after_its_uses(
    peer: Peer,
    session: Callable[..., str],
    server: MutualTLS,
    alice: ClientIdentity,
    http: str,
) -> None:
    opened = session(peer)
    peer.call("identity/add", {"session": opened, "identity": alice.plain, "limits": {"maximumUses": 1}})
    url = server.url(http=http, verification="optional")
    assert shown(peer.fetch(opened, url)).subject == "CN=alice"
    # Its connection is still open, and of no use.
    assert shown(peer.fetch(opened, url)).subject == ""
    assert peer.call("identity/list", {"session": opened})["identities"] == []
    assert peer.call("session/describe", {"session": opened})["identities"] == 0


@pytest.mark.parametrize("http", ["1.1", "2"])
def test_the_last_use_of_an_identity_is_a_whole_one(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, http: str
) -> None:
    opened = session(peer)
    peer.call("identity/add", {"session": opened, "identity": alice.plain, "limits": {"maximumUses": 1}})
    url = server.url("TLSv1.2", http, "optional")
    held = HeldHandshake(int(url.rstrip("/").rpartition(":")[2]))
    try:
        first = peer.start_fetch(opened, held.url)
        assert held.presented.wait(PATIENCE)
        # It is gone, for all but the handshake that has shown it.
        assert peer.call("identity/list", {"session": opened})["identities"] == []
        held.release()
        assert shown(peer.result(first)).subject == "CN=alice"
        assert shown(peer.fetch(opened, held.url)).subject == ""
    finally:
        held.stop()


@pytest.mark.parametrize("limit", ["lifetimeSeconds", "idleSeconds"])
def test_time_ends_an_identity_and_its_connections(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, limit: str
) -> None:
    opened = session(peer)
    url = server.url(verification="optional")
    seen = ""
    seconds = 1
    while seen != "CN=alice":  # a busy machine may need longer for a handshake
        seconds *= 2
        limits = {limit: seconds}
        peer.call("identity/add", {"session": opened, "identity": alice.plain, "limits": limits})
        seen = shown(peer.fetch(opened, url)).subject
    while listed := peer.call("identity/list", {"session": opened})["identities"]:
        assert listed[0]["limits"] == limits and listed[0]["secondsLeft"] <= seconds
    assert shown(peer.fetch(opened, url)).subject == ""


def test_an_identity_of_an_answer_has_its_limits(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, bob: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    url = server.url(http="1.1")
    fetch = peer.start_fetch(opened, url)
    challenge = peer.challenge()
    peer.checked = False
    once = {"maximumUses": 1}
    stored = add(peer, opened, bob)
    for credential, path in (
        ({"identity": alice.plain, "limits": {"confirm": True}}, "params.credential.limits.confirm"),
        ({"identity": alice.plain, "limits": {"uses": 1}}, "params.credential.limits.uses"),
        ({"identity": alice.plain, "limits": once, "persistence": "none"}, "params.credential.limits"),
        ({"identity": stored, "limits": once}, "params.credential.limits"),
    ):
        with pytest.raises(RemoteError) as caught:
            peer.answer(challenge, credential)
        assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)
    peer.answer(challenge, {"identity": alice.plain, "limits": once})
    assert shown(peer.result(fetch)).subject == "CN=alice"
    # What was decided went with it.
    fetch = peer.start_fetch(opened, url)
    challenge = peer.challenge()
    assert challenge["identities"] == [stored]
    peer.dispose(challenge, "performDefaultHandling")
    assert shown(peer.result(fetch)).subject == "CN=bob"
