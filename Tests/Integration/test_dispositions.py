"""The four answers to a challenge, and the replies that are not answers (challenges.md 5)."""

from __future__ import annotations

import pytest

from Integration.sentinels import OTHER_PASSWORD, PASSWORD, TOKEN, USER
from Integration.wire import Json, Peer, RemoteError, kind_of, password
from Support.guards import BasicGuard, BearerGuard, DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY

pytestmark = pytest.mark.core

Asked = tuple[Peer, str]


@pytest.fixture
def staff(origin: ScriptedOrigin) -> str:
    """A document behind Basic."""
    return origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))


def test_a_challenge_says_what_is_asked(asked: Asked, origin: ScriptedOrigin, staff: str) -> None:
    peer, session = asked
    peer.start_fetch(session, staff + "?q=1", task="first")
    challenge = peer.challenge()
    assert challenge["session"] == session
    assert challenge["task"] == "first"
    assert challenge["url"] == staff + "?q=1"
    assert challenge["origin"] == origin.url
    assert challenge["proposedCredential"] is None
    assert challenge["previousFailureCount"] == 0
    assert challenge["error"] is None
    space = challenge["protectionSpace"]
    assert (space["protocol"], space["host"], space["port"]) == ("http", "127.0.0.1", origin.port)
    assert (space["realm"], space["authenticationMethod"]) == ("staff", "basic")
    assert (space["isProxy"], space["proxyType"]) == (False, None)
    assert space["receivesCredentialSecurely"] is False
    assert space["parameters"] == {"realm": "staff"}
    assert [offer["authenticationMethod"] for offer in challenge["offers"]] == ["basic"]
    assert challenge["failureResponse"]["status"] == 401
    assert ["WWW-Authenticate", 'Basic realm="staff"'] in challenge["failureResponse"]["headers"]
    assert [waiter["task"] for waiter in challenge["waiters"]] == ["first"]


def test_use_credential_delivers_the_document(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff, metrics=True)
    challenge = peer.challenge()
    assert peer.answer(challenge, password(USER, PASSWORD)) == {"accepted": True}
    result = peer.result(fetch)
    assert result["status"] == 200
    assert result["body"]["text"].encode() == OK_BODY
    assert [exchange["status"] for exchange in result["metrics"]["exchanges"]] == [401, 200]


def test_a_bearer_token_is_used(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/api", guarded(BearerGuard("api", TOKEN))))
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "bearer"
    assert challenge["protectionSpace"]["parameters"]["scope"] == "read"
    peer.answer(challenge, {"token": TOKEN})
    assert peer.result(fetch)["status"] == 200


def test_a_null_credential_delivers_the_401(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), None)
    result = peer.result(fetch)
    assert result["status"] == 401
    assert result["body"]["text"] == "who goes there?"
    peer.nothing_asked()


def test_use_credential_without_a_credential_is_the_same_as_null(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    peer.dispose(peer.challenge(), "useCredential")
    assert peer.result(fetch)["status"] == 401


def test_default_handling_delivers_the_401_when_nothing_is_left(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    peer.dispose(peer.challenge(), "performDefaultHandling")
    assert peer.result(fetch)["status"] == 401
    peer.nothing_asked()


def test_cancelling_fails_the_task(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(lambda: peer.result(fetch)) == "userCancelledAuthentication"


def test_rejecting_the_only_space_delivers_the_401(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401
    peer.nothing_asked()


@pytest.mark.parametrize(
    "disposition", ["performDefaultHandling", "cancelAuthenticationChallenge", "rejectProtectionSpace"]
)
def test_a_credential_beside_another_disposition_is_ignored(
    asked: Asked, origin: ScriptedOrigin, staff: str, disposition: str
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD), disposition)
    if disposition == "cancelAuthenticationChallenge":
        assert kind_of(lambda: peer.result(fetch)) == "userCancelledAuthentication"
    else:
        assert peer.result(fetch)["status"] == 401
    assert [request.authorization for request in origin.requests] == [None]
    assert peer.call("credential/list", {"session": session}) == {"credentials": []}


UNUSABLE = [
    pytest.param("basic", {"token": TOKEN}, id="a token for basic"),
    pytest.param("digest", {"token": TOKEN}, id="a token for digest"),
    pytest.param("bearer", password(USER, PASSWORD), id="a password for bearer"),
    pytest.param("basic", password("rea:der", PASSWORD), id="a colon in a basic user name"),
    pytest.param("basic", password("rea\rder", PASSWORD), id="a carriage return in a user name"),
    pytest.param("basic", password(USER, PASSWORD + "\n"), id="a line feed in a password"),
    pytest.param("digest", password("rea\nder", PASSWORD), id="a line feed in a digest user name"),
    pytest.param("bearer", {"token": TOKEN + "\r\nX: y"}, id="a line break in a token"),
    pytest.param("bearer", {"token": "two words"}, id="a space in a token"),
]


def guard_of(method: str) -> BasicGuard | BearerGuard | DigestGuard:
    if method == "basic":
        return BasicGuard("staff", USER, PASSWORD)
    if method == "bearer":
        return BearerGuard("staff", TOKEN)
    return DigestGuard("staff", USER, PASSWORD)


@pytest.mark.parametrize(("method", "credential"), UNUSABLE)
def test_an_unusable_credential_leaves_the_challenge_pending(
    asked: Asked, origin: ScriptedOrigin, method: str, credential: Json
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/x", guarded(guard_of(method))))
    challenge = peer.challenge()
    assert kind_of(lambda: peer.answer(challenge, credential)) == "credentialUnusable"
    good = {"token": TOKEN} if method == "bearer" else password(USER, PASSWORD)
    assert peer.answer(challenge, good) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200


def test_a_persistence_without_storage_leaves_the_challenge_pending(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    challenge = peer.challenge()
    credential = password(USER, PASSWORD, "synchronizable")
    assert kind_of(lambda: peer.answer(challenge, credential)) == "storageUnavailable"
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


MALFORMED: list[tuple[Json, str]] = [
    ({"disposition": "maybe"}, "params.disposition"),
    ({"disposition": 1}, "params.disposition"),
    ({"credential": "word"}, "params.credential"),
    ({"credential": {"user": USER}}, "params.credential"),
    ({"credential": {"user": USER, "password": 1}}, "params.credential.password"),
    ({"credential": password(USER, OTHER_PASSWORD, "forever")}, "params.credential.persistence"),
    ({"credential": password(USER, OTHER_PASSWORD, limits={"maximumUse": 1})}, "params.credential.limits"),
    ({"credential": password(USER, OTHER_PASSWORD, colour=1)}, "params.credential.colour"),
    ({"challange": "c1"}, "params.challange"),
    ({"challenge": 1}, "params.challenge"),
]


def test_a_malformed_reply_names_the_path_and_changes_nothing(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    challenge = peer.challenge()
    good = {"challenge": challenge["challenge"], "disposition": "useCredential"}
    for members, path in MALFORMED:
        with pytest.raises(RemoteError) as caught:
            peer.call("challenge/reply", {**good, "credential": password(USER, OTHER_PASSWORD), **members})
        assert caught.value.kind == "invalidParams"
        assert caught.value.data["path"].startswith(path)
    for left_out in ("challenge", "disposition"):
        with pytest.raises(RemoteError) as caught:
            peer.call("challenge/reply", {key: value for key, value in good.items() if key != left_out})
        assert caught.value.data["path"] == f"params.{left_out}"
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_the_second_reply_is_refused(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    challenge = peer.challenge()
    peer.answer(challenge, password(USER, PASSWORD))
    assert kind_of(lambda: peer.answer(challenge, password(USER, PASSWORD))) == "challengeNotPending"
    assert peer.result(fetch)["status"] == 200
    assert kind_of(lambda: peer.answer(challenge, password(USER, PASSWORD))) == "challengeNotPending"


def test_two_replies_at_once_settle_the_challenge_once(asked: Asked, staff: str) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff)
    identifier = peer.challenge()["challenge"]
    first = {"challenge": identifier, "disposition": "useCredential", "credential": password(USER, PASSWORD)}
    second = {"challenge": identifier, "disposition": "cancelAuthenticationChallenge"}
    replies = [peer.request("challenge/reply", first), peer.request("challenge/reply", second)]
    assert peer.result(replies[0]) == {"accepted": True}
    assert kind_of(lambda: peer.result(replies[1])) == "challengeNotPending"
    assert peer.result(fetch)["status"] == 200
    peer.call("ping")
    settled = [note for note in peer.notifications if note["method"] == "challenge/didSettle"]
    assert len(settled) <= 1


def test_an_unknown_challenge_is_not_pending(peer: Peer) -> None:
    unknown = {"challenge": "c1-00000000", "disposition": "performDefaultHandling"}
    assert kind_of(lambda: peer.call("challenge/reply", unknown)) == "challengeNotPending"
    assert kind_of(lambda: peer.call("challenge/describe", {"challenge": "c1"})) == "challengeNotPending"


def test_challenge_ids_cannot_be_guessed(asked: Asked, staff: str) -> None:
    peer, session = asked
    seen = set()
    for _ in range(8):
        fetch = peer.start_fetch(session, staff)
        challenge = peer.challenge()
        seen.add(challenge["challenge"].split("-", 1)[-1])
        peer.dispose(challenge, "rejectProtectionSpace")
        peer.result(fetch)
    assert len(seen) == 8
    assert all(len(part) >= 8 for part in seen)
