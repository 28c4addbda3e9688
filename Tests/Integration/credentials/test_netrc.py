"""Users and passwords of a session's netrc: proposed to a delegate, used by default handling."""

from __future__ import annotations

import json

import pytest

from Integration.credentials.scene import exchanges, explain, listed, staff
from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, password
from Support.guards import DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin

NETRC = f"machine 127.0.0.1 login {USER} password {PASSWORD}\n"


def opened(peer: Peer, text: str = NETRC, **members: Json) -> str:
    params = {"configuration": {"netrc": {"text": text}}, **members}
    return str(peer.call("session/open", params)["session"])


@pytest.mark.threads
def test_default_handling_uses_it_without_a_delegate(peer: Peer, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    session = opened(peer)
    assert exchanges(peer.fetch(session, url, metrics=True)) == 2
    assert listed(peer, session)[0]["user"] == USER
    assert exchanges(peer.fetch(session, url, metrics=True)) == 1, "what was accepted is the session's"


def test_digest_is_answered_from_it(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", guarded(DigestGuard("staff", USER, PASSWORD)))
    assert peer.fetch(opened(peer), url)["status"] == 200


@pytest.mark.threads
def test_a_delegate_is_shown_the_user_and_may_leave_it_to_the_session(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    url = staff(origin)
    session = opened(peer, delegate={"tasks": ["basic"]})
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"] == {"user": USER, "source": "netrc"}
    assert PASSWORD not in json.dumps(challenge)
    peer.dispose(challenge, "performDefaultHandling")
    assert peer.result(fetch)["status"] == 200


def test_rejecting_the_space_does_not_use_it(peer: Peer, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    session = opened(peer, delegate={"tasks": ["basic"]})
    fetch = peer.start_fetch(session, url)
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401
    assert len(origin.requests) == 1


def test_a_refused_entry_is_not_used_again(peer: Peer, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    session = opened(peer, f"machine 127.0.0.1 login {USER} password wrong")
    assert [peer.fetch(session, url)["status"] for _ in range(3)] == [401, 401, 401]
    assert len([request for request in origin.requests if request.authorization]) == 1


def test_a_delegate_is_asked_again_after_a_refusal(peer: Peer, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    session = opened(peer, f"machine 127.0.0.1 login {USER} password wrong", delegate={"tasks": ["basic"]})
    fetch = peer.start_fetch(session, url)
    peer.dispose(peer.challenge(), "performDefaultHandling")
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    assert challenge["proposedCredential"] == {"user": USER, "source": "netrc"}
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


@pytest.mark.parametrize("machine", ["localhost", "default", "machine 127.0.0.10", "machine 127.0.0"])
def test_only_exactly_its_host_gets_it(peer: Peer, origin: ScriptedOrigin, machine: str) -> None:
    word = machine if " " in machine or machine == "default" else f"machine {machine}"
    session = opened(peer, f"{word} login {USER} password {PASSWORD}")
    assert peer.fetch(session, staff(origin))["status"] == 401
    assert not [request for request in origin.requests if request.authorization]


def test_the_user_of_the_url_chooses_the_entry(peer: Peer, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    text = f"machine 127.0.0.1 login {OTHER_USER} password {OTHER_PASSWORD}\n{NETRC}"
    assert peer.fetch(opened(peer, text), url.replace("://", f"://{USER}@"))["status"] == 200
    assert peer.fetch(opened(peer, text), url.replace("://", "://nobody@"))["status"] == 401


def test_the_sessions_own_credential_comes_first(peer: Peer, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    session = opened(peer, f"machine 127.0.0.1 login {USER} password wrong")
    space = {"protocol": "http", "host": "127.0.0.1", "port": origin.port, "authenticationMethod": "basic"}
    credential = {"user": USER, "password": PASSWORD}
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": credential})
    assert peer.fetch(session, url)["status"] == 200
    assert len([request for request in origin.requests if request.authorization]) == 1


def test_the_text_is_never_shown(peer: Peer, origin: ScriptedOrigin) -> None:
    session = opened(peer)
    described = peer.call("session/describe", {"session": session})
    assert described["configuration"]["netrc"] == {"text": "<secret>"}
    assert PASSWORD not in json.dumps([described, peer.call("status", {})])


def test_two_texts_are_two_configurations(peer: Peer) -> None:
    params: Json = {"name": "netrc-two", "configuration": {"netrc": {"text": NETRC}}}
    peer.call("session/open", params)
    assert peer.call("session/open", params)["created"] is False
    with pytest.raises(RemoteError) as failure:
        peer.call("session/open", {**params, "configuration": {"netrc": {"text": NETRC + "#"}}})
    assert failure.value.kind == "sessionConfigurationDiffers"
    assert failure.value.data["members"] == ["netrc.text"]


@pytest.mark.parametrize(
    ("netrc", "path", "says"),
    [
        ({}, "text", "is missing"),
        ({"text": 7}, "text", "must be a string"),
        ({"text": "", "file": "x"}, "file", "unknown member"),
        ({"text": f'machine a password "{PASSWORD}'}, "text", "line 1: a quote is not closed"),
        ({"text": " " * 70_000}, "text", "longer than"),
    ],
)
def test_a_malformed_text_is_refused_and_not_repeated(peer: Peer, netrc: Json, path: str, says: str) -> None:
    with pytest.raises(RemoteError) as failure:
        peer.call("session/open", {"configuration": {"netrc": netrc}})
    assert failure.value.data["path"] == f"params.configuration.netrc.{path}"
    assert says in failure.value.message
    assert PASSWORD not in str(failure.value)


def test_an_unknown_word_is_a_warning(peer: Peer) -> None:
    text = f"machine a\nlogin {USER}\npasswort {PASSWORD}\npassword {PASSWORD}\n"
    opened = peer.call("session/open", {"configuration": {"netrc": {"text": text}}})
    assert opened["warnings"] == ["netrc: line 3 has an unknown word, which is passed over"]


def test_explain_names_its_user(peer: Peer, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    session = opened(peer)
    explained = explain(peer, session, url)
    assert explained["credential"] == {"user": USER, "authenticationMethod": "default", "source": "netrc"}
    assert explained["preemptive"] is False
    assert explain(peer, session, "http://elsewhere.test/")["credential"] is None
    peer.fetch(session, url)
    assert explain(peer, session, url)["credential"]["source"] == "session"
