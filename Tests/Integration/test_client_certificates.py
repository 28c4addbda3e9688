"""Client certificates: who is asked for one, what is presented, and to whom (challenges.md 11)."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.wire import PATIENCE, Json, Peer, RemoteError, body_of, kind_of
from Support.certificates import Authority
from Support.client_identities import PASSPHRASE, ClientAuthority, ClientIdentity
from Support.held_handshake import HeldHandshake
from Support.mutual_tls import MutualTLS, Shown
from Support.nginx import Nginx
from Support.openssl_server import OpenSSLServer
from Support.refusing_origin import RefusingOrigin

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]
KINDS = [(version, http) for version in ("TLSv1.2", "TLSv1.3") for http in ("1.1", "2")]


@pytest.fixture(scope="module")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "mutual", "Staff")


@pytest.fixture(scope="module")
def guests(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "mutual", "Guests")


@pytest.fixture(scope="module")
def server(
    run_directory: Path, authority: Authority, staff: ClientAuthority, guests: ClientAuthority
) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "mutual-nginx", authority, [staff, guests])
    yield made
    made.stop()


@pytest.fixture(scope="module")
def staff_only(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "staff-nginx", authority, [staff])
    yield made
    made.stop()


@pytest.fixture(scope="module")
def alice(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("alice")


@pytest.fixture(scope="module")
def bob(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("bob", ("rsa:2048",))


@pytest.fixture(scope="module")
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


def shown(result: Json) -> Shown:
    assert result["status"] == 200, result
    return Shown.read(body_of(result))


def add(peer: Peer, session: str, identity: ClientIdentity) -> str:
    return str(peer.call("identity/add", {"session": session, "identity": identity.plain})["identity"])


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
    # Decided for the session: nobody is asked again, and the connection serves on.
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


def test_with_nobody_to_ask_and_nothing_that_fits_none_is_presented(
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
    assert kind_of(peer.answer, challenge, unknown) == "credentialNotFound"
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


def credential_of(identifier: str) -> Json:
    return {"identity": identifier}


def test_a_locked_key_is_answered_for_with_its_passphrase_while_the_challenge_waits(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, staff: ClientAuthority
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    challenge = peer.challenge()
    locked = alice.locked
    expired = staff.issue("expired", days=-1)
    for identity, reason in [
        (locked, "passphraseNeeded"),
        ({**locked, "passphrase": "wrong"}, "wrongPassphrase"),
        (expired.plain, "expired"),
        ({**alice.plain, "privateKey": expired.plain["privateKey"]}, "keyMismatch"),
    ]:
        with pytest.raises(RemoteError) as caught:
            peer.answer(challenge, {"identity": identity})
        assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", reason)
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, {"user": "u", "password": "p"})
    assert caught.value.data["reason"] == "wrongKind"
    peer.answer(challenge, {"identity": {**locked, "passphrase": PASSPHRASE}})
    assert shown(peer.result(fetch)).subject == "CN=alice"


@pytest.mark.parametrize("disposition", ["useCredential", "rejectProtectionSpace"])
def test_none_is_a_choice(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, disposition: str
) -> None:
    opened = session(peer, session=["clientCertificate"])
    add(peer, opened, alice)
    fetch = peer.start_fetch(opened, server.url(verification="optional"))
    challenge = peer.notification("session/didReceiveChallenge")
    peer.dispose(challenge, disposition)
    assert shown(peer.result(fetch)).subject == ""
    # A session delegate's word holds for the session.
    assert shown(peer.fetch(opened, server.url(verification="optional"))).subject == ""
    peer.nothing_asked()


def test_default_handling_presents_the_stored_identity_that_fits(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    add(peer, opened, alice)
    for _ in range(2):
        fetch = peer.start_fetch(opened, server.url())
        peer.dispose(peer.challenge(), "performDefaultHandling")
        assert shown(peer.result(fetch)).subject == "CN=alice"


def test_a_cancelled_challenge_ends_the_task(
    peer: Peer, session: Callable[..., str], server: MutualTLS
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"


@pytest.mark.parametrize(("unanswered", "subject"), [("deliver", ""), ("performDefaultHandling", "CN=alice")])
def test_an_unanswered_challenge_means_what_the_session_says(
    peer: Peer,
    session: Callable[..., str],
    server: MutualTLS,
    alice: ClientIdentity,
    unanswered: str,
    subject: str,
) -> None:
    challenges = {"deadlineSeconds": 0.2, "unanswered": unanswered}
    opened = session(peer, tasks=["clientCertificate"], configuration={"challenges": challenges})
    add(peer, opened, alice)
    assert shown(peer.fetch(opened, server.url(verification="optional"))).subject == subject


def test_without_a_persistence_beyond_the_task_the_key_goes_with_it(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    connections = set()
    for _ in range(2):
        fetch = peer.start_fetch(opened, server.url())
        peer.answer(peer.challenge(), {"identity": alice.plain, "persistence": "none"})
        seen = shown(peer.result(fetch))
        assert seen.subject == "CN=alice"
        connections.add(seen.connection)
    assert len(connections) == 2
    assert peer.call("identity/list", {"session": opened})["identities"] == []


def test_an_identity_of_an_answer_goes_to_no_other_origin(
    peer: Peer, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    peer.answer(peer.challenge(), {"identity": alice.plain})
    assert shown(peer.result(fetch)).subject == "CN=alice"
    fetch = peer.start_fetch(opened, server.url(http="1.1", verification="optional"))
    peer.dispose(peer.challenge(), "performDefaultHandling")
    assert shown(peer.result(fetch)).subject == ""


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


def test_the_servers_own_certificate_comes_first(
    peer: Peer, server: MutualTLS, alice: ClientIdentity
) -> None:
    opened = peer.open(tasks=["serverTrust", "clientCertificate"])
    fetch = peer.start_fetch(opened, server.url())
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "serverTrust"
    peer.answer(challenge, {"trust": "certificate"})
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "clientCertificate"
    peer.answer(challenge, {"identity": alice.plain, "persistence": "none"})
    assert shown(peer.result(fetch)).subject == "CN=alice"


@pytest.fixture(params=["tls1_2", "tls1_3"])
def insisting(
    request: pytest.FixtureRequest, tmp_path: Path, authority: Authority, staff: ClientAuthority
) -> Iterator[OpenSSLServer]:
    made = OpenSSLServer(tmp_path / "insisting", authority, staff.certificate, request.param)
    yield made
    made.stop()


def failure(peer: Peer, fetch: int) -> tuple[str, Json]:
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    return caught.value.kind, caught.value.data.get("reason")


def test_a_server_that_insists_says_so(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer, alice: ClientIdentity
) -> None:
    opened = session(peer)
    assert failure(peer, peer.start_fetch(opened, insisting.url)) == ("tlsFailed", "certificateRequired")
    add(peer, opened, alice)
    assert peer.fetch(opened, insisting.url)["status"] == 200


def test_a_session_of_tls_is_not_resumed_beyond_the_limits_of_its_identity(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer, alice: ClientIdentity
) -> None:
    opened = session(peer, configuration={"connectionsPerHost": 1})
    peer.call("identity/add", {"session": opened, "identity": alice.plain, "limits": {"maximumUses": 1}})
    # The second waits in line for the connection of the first, which the server closes.
    first, second = (peer.start_fetch(opened, insisting.url) for _ in range(2))
    assert peer.result(first)["status"] == 200
    assert failure(peer, second) == ("tlsFailed", "certificateRequired")


def test_a_refused_identity_is_asked_about_again(
    peer: Peer,
    session: Callable[..., str],
    insisting: OpenSSLServer,
    alice: ClientIdentity,
    gil: ClientIdentity,
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url)
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 0
    peer.answer(challenge, {"identity": gil.plain})
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    peer.answer(challenge, {"identity": gil.plain, "persistence": "none"})
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 2
    peer.answer(challenge, {"identity": alice.plain})
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(opened, insisting.url)["status"] == 200
    peer.nothing_asked()


@pytest.mark.parametrize("http", ["1.1", "2"])
def test_who_takes_identity_questions_no_more_leaves_them_to_default_handling(
    connect: Connect, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity, http: str
) -> None:
    delegate, caller = connect(), connect()
    session(delegate, "shared", session=["clientCertificate"])
    caller.open("shared")
    add(caller, "shared", alice)
    fetch = caller.start_fetch("shared", server.url(http=http))
    challenge = delegate.notification("session/didReceiveChallenge")
    delegate.call("session/open", {"name": "shared", "delegate": {"session": []}})
    assert shown(caller.result(fetch)).subject == "CN=alice"
    assert kind_of(delegate.answer, challenge, None) == "challengeNotPending"


def test_who_leaves_while_its_identity_is_read_leaves_none_behind(
    connect: Connect, session: Callable[..., str], server: MutualTLS, alice: ClientIdentity
) -> None:
    leaving, staying, caller = connect(), connect(), connect()
    session(leaving, "shared", session=["clientCertificate"])
    staying.open("shared", session=["clientCertificate"])
    caller.open("shared")
    fetch = caller.start_fetch("shared", server.url(verification="optional"))
    challenge = leaving.notification("session/didReceiveChallenge")
    number, close = next(leaving._ids), next(leaving._ids)
    leaving._methods.update({number: "challenge/reply", close: "session/close"})
    reply = {
        "challenge": challenge["challenge"],
        "disposition": "useCredential",
        "credential": {"identity": alice.plain},
    }
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": "challenge/reply", "params": reply},
        {"jsonrpc": "2.0", "id": close, "method": "session/close", "params": {"session": "shared"}},
    ]
    leaving.send_bytes(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    assert kind_of(leaving.result, number) == "challengeNotPending"
    assert caller.call("identity/list", {"session": "shared"})["identities"] == []
    staying.dispose(staying.notification("session/didReceiveChallenge"), "performDefaultHandling")
    assert shown(caller.result(fetch)).subject == ""


#: More than the buffers of a connection hold.
BODY = bytes(range(256)) * 2048


def pipe_of(content: bytes) -> int:
    """The end of a pipe from which `content` comes, and then nothing."""
    reader, writer = os.pipe()

    def write() -> None:
        with os.fdopen(writer, "wb") as opened, contextlib.suppress(BrokenPipeError):
            opened.write(content)

    threading.Thread(target=write, daemon=True).start()
    return reader


def file_of(path: Path, content: bytes) -> int:
    path.write_bytes(content)
    return os.open(path, os.O_RDONLY)


@pytest.fixture(params=[ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def refusing(
    request: pytest.FixtureRequest, authority: Authority, staff: ClientAuthority
) -> Iterator[RefusingOrigin]:
    made = RefusingOrigin(authority.issue("refusing"), staff.certificate, request.param)
    yield made
    made.stop()


@pytest.mark.parametrize("size", [100, len(BODY)])
@pytest.mark.parametrize("source", ["inline", "file", "pipe"])
def test_a_body_arrives_whole_after_a_refusal_or_not_at_all(
    peer: Peer,
    session: Callable[..., str],
    refusing: RefusingOrigin,
    alice: ClientIdentity,
    gil: ClientIdentity,
    tmp_path: Path,
    source: str,
    size: int,
) -> None:
    """A server on TLS 1.3 says only when the request is on its way that it does not take the certificate."""
    content = BODY[:size]
    opened = session(peer, tasks=["clientCertificate"])
    body: Json = {"descriptor": 0}
    descriptors = []
    if source == "inline":
        body = {"base64": base64.b64encode(content).decode()}
    elif source == "file":
        descriptors = [file_of(tmp_path / "body", content)]
    else:
        descriptors = [pipe_of(content)]
    parameters = {"session": opened, "url": refusing.url, "method": "POST", "body": body}
    fetch = peer.request("fetch", parameters, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    for identity in (gil, alice):
        peer.answer(peer.challenge(), {"identity": identity.plain})
    try:
        assert peer.result(fetch)["status"] == 200
        assert refusing.bodies == [content]
    except RemoteError as error:
        assert (source, error.kind) == ("pipe", "bodyNotReplayable")
        assert refusing.bodies == []


def test_a_request_that_the_server_has_not_taken_is_an_exchange_without_a_status(
    peer: Peer,
    session: Callable[..., str],
    insisting: OpenSSLServer,
    alice: ClientIdentity,
    gil: ClientIdentity,
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url)
    for identity in (gil, alice):
        peer.answer(peer.challenge(), {"identity": identity.plain})
    exchanges = peer.result(fetch)["metrics"]["exchanges"]
    # Before TLS 1.3, nothing is sent before the server has taken the certificate.
    written = [0] if insisting.version == "tls1_3" else []
    assert [exchange["status"] for exchange in exchanges] == [*written, 200]
    assert all(exchange["bytesSent"] > 0 for exchange in exchanges)


def test_none_is_not_asked_about_again(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url)
    peer.answer(peer.challenge(), None)
    assert failure(peer, fetch) == ("tlsFailed", "certificateRequired")
    peer.nothing_asked()


def test_a_server_that_takes_nothing_is_left_in_the_end(
    peer: Peer, session: Callable[..., str], insisting: OpenSSLServer, gil: ClientIdentity
) -> None:
    opened = session(peer, tasks=["clientCertificate"])
    fetch = peer.start_fetch(opened, insisting.url)
    for count in range(8):
        challenge = peer.challenge()
        assert challenge["previousFailureCount"] == count
        peer.answer(challenge, {"identity": gil.plain})
    assert failure(peer, fetch)[0] == "tlsFailed"


def test_a_server_that_asks_for_none_has_its_connection_used_by_everybody(
    connect: Connect, session: Callable[..., str], nginx: Nginx
) -> None:
    taker, other = connect(), connect()
    session(taker, "shared", tasks=["clientCertificate"])
    other.open("shared")
    url = nginx.tls + "/small"
    assert not taker.fetch("shared", url)["metrics"]["reused"]
    assert other.fetch("shared", url)["metrics"]["reused"]
    assert taker.fetch("shared", url)["metrics"]["reused"]


def test_who_comes_while_somebody_elses_handshake_runs_is_asked_all_the_same(
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
