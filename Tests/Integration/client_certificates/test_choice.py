"""Which identity is presented: by issuer, by id, by default, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.client_certificates.scene import add, shown
from Integration.wire import Json, Peer, kind_of
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.mutual_tls import MutualTLS

pytestmark = pytest.mark.core
KINDS = [(version, http) for version in ("TLSv1.2", "TLSv1.3") for http in ("1.1", "2")]


@pytest.fixture(scope="module")
def staff_only(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "staff-nginx", authority, [staff])
    yield made
    made.stop()


@pytest.mark.parametrize(("version", "http"), KINDS)
@pytest.mark.parametrize("verification", ["on", "optional"])
def test_a_caller_is_asked_and_its_identity_is_presented(
    peer: Peer,
    session: Callable[..., str],
    server: MutualTLS,
    staff: ClientAuthority,
    guests: ClientAuthority,
    alice: ClientIdentity,
    version: str,
    http: str,
    verification: str,
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    url = server.url(version, http, verification)
    fetch = peer.start_fetch(opened, url)
    challenge = peer.challenge()
    space = challenge["protectionSpace"]
    assert (space["authenticationMethod"], space["realm"], space["serverTrust"]) == (
        "clientCertificate",
        None,
        None,
    )
    assert sorted(space["distinguishedNames"]) == sorted(
        [staff.distinguished_name, guests.distinguished_name]
    )
    assert {"rsa", "ec"} <= set(space["keyTypes"])
    assert challenge["offers"] == [] and challenge["previousFailureCount"] == 0
    assert challenge["identities"] == []
    peer.answer(challenge, {"identity": alice.plain})
    seen = shown(peer.result(fetch))
    assert (seen.subject, seen.protocol) == ("CN=alice", version)
    assert seen.http == ("HTTP/2.0" if http == "2" else "HTTP/1.1")
    # Decided for the session: no delegate is asked again, and the connection serves on.
    assert shown(peer.fetch(opened, url)).connection == seen.connection
    peer.nothing_asked()
    (listed,) = peer.call("identity/list", {"session": opened})["identities"]
    assert listed["uses"] == 1 and listed["origin"] == url[:-1]


@pytest.mark.parametrize(("version", "http"), KINDS)
def test_default_handling_chooses_by_issuer_among_three(
    peer: Peer,
    session: Callable[..., str],
    server: MutualTLS,
    staff_only: MutualTLS,
    run_directory: Path,
    alice: ClientIdentity,
    gil: ClientIdentity,
    version: str,
    http: str,
) -> None:
    directory = run_directory / f"others-{version}-{http}"
    other = ClientAuthority(directory, "Others").issue("otto")
    opened = session(peer)
    for identity in (alice, gil, other):
        add(peer, opened, identity)
    # Of those that fit, the one that was added last.
    assert shown(peer.fetch(opened, server.url(version, http))).subject == "CN=gil"
    assert shown(peer.fetch(opened, staff_only.url(version, http))).subject == "CN=alice"
    peer.nothing_asked()


def test_without_a_delegate_and_an_identity_that_fits_none_is_presented(
    peer: Peer, session: Callable[..., str], server: MutualTLS, staff_only: MutualTLS, gil: ClientIdentity
) -> None:
    opened = session(peer)
    assert shown(peer.fetch(opened, server.url(verification="optional"))).subject == ""
    assert peer.fetch(opened, server.url())["status"] == 400
    add(peer, opened, gil)
    assert peer.fetch(opened, staff_only.url())["status"] == 400
    # What was open before the identity came is not used any more.
    assert shown(peer.fetch(opened, server.url(verification="optional"))).subject == "CN=gil"


def test_a_removed_identity_is_not_presented_on_any_connection(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    url = server.url(verification="optional")
    fetch = peer.start_fetch(opened, url)
    peer.answer(peer.challenge(), {"identity": alice.plain})
    assert shown(peer.result(fetch)).subject == "CN=alice"
    (listed,) = peer.call("identity/list", {"session": opened})["identities"]
    assert peer.call("identity/remove", {"session": opened, "identity": listed["identity"]}) == {"removed": 1}
    fetch = peer.start_fetch(opened, url)
    peer.answer(peer.challenge(), None)
    assert shown(peer.result(fetch)).subject == ""


def test_a_stored_identity_is_presented_by_its_id(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, bob: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    chosen = add(peer, opened, alice)
    add(peer, opened, bob)
    fetch = peer.start_fetch(opened, server.url())
    challenge = peer.challenge()
    unknown = {**credential_of("i-0"), "persistence": "forSession"}
    assert kind_of(peer.answer, challenge, unknown) == "credentialUnusable"
    peer.answer(challenge, credential_of(chosen))
    assert shown(peer.result(fetch)).subject == "CN=alice"


def test_a_question_names_the_identities_that_fit(
    peer: Peer,
    session: Callable[..., str],
    staff_only: MutualTLS,
    server: MutualTLS,
    staff: ClientAuthority,
    alice: ClientIdentity,
    bob: ClientIdentity,
    gil: ClientIdentity,
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    first, second, other = (add(peer, opened, identity) for identity in (alice, bob, gil))
    for url, fitting in ((staff_only.url(), [second, first]), (server.url(), [other, second, first])):
        fetch = peer.start_fetch(opened, url)
        challenge = peer.challenge()
        assert challenge["identities"] == fitting
        # It is looked up when it is shown.
        peer.call("identity/remove", {"session": opened, "identity": second})
        fitting.remove(second)
        described = peer.call("challenge/describe", {"challenge": challenge["challenge"]})
        assert described["identities"] == fitting
        peer.dispose(challenge, "performDefaultHandling")
        assert shown(peer.result(fetch)).subject in ("CN=alice", "CN=gil")
        add(peer, opened, bob)
        add(peer, opened, gil)


def test_explain_says_what_could_be_presented(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, gil: ClientIdentity
) -> None:
    opened = session(peer, session=["clientCertificate"])

    def explained(url: str) -> Json:
        return peer.call("explain", {"session": opened, "url": url})["clientCertificate"]

    first, second = (add(peer, opened, identity) for identity in (alice, gil))
    url = server.url()
    assert explained(url) == {"decisions": [], "candidates": [second, first]}
    assert explained(url.replace("https", "http")) == {"decisions": [], "candidates": []}
    fetch = peer.start_fetch(opened, url)
    challenge = peer.notification("session/didReceiveChallenge")
    peer.answer(challenge, credential_of(first))
    assert shown(peer.result(fetch)).subject == "CN=alice"
    (decision,) = explained(url)["decisions"]
    assert decision == {
        "distinguishedNames": challenge["protectionSpace"]["distinguishedNames"],
        "choice": "identity",
        "identity": first,
    }
    assert explained(server.url(http="1.1"))["decisions"] == []
    for disposition, choice in (("rejectProtectionSpace", "none"), ("performDefaultHandling", "default")):
        other = server.url(http="1.1", verification="optional" if choice == "none" else "on")
        fetch = peer.start_fetch(opened, other)
        peer.dispose(peer.notification("session/didReceiveChallenge"), disposition)
        peer.result(fetch)
        (decision,) = explained(other)["decisions"]
        assert (decision["choice"], decision["identity"]) == (choice, None)


def credential_of(identifier: str) -> Json:
    return {"identity": identifier}
