"""Tokens that a person approves at a page of the authorization server (methods.md 9.10.7)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.command_line.scene import OK, Command
from Integration.credentials.oauth_scene import (
    asking,
    code,
    device,
    eventually,
    name,
    opened,
    page,
    says,
    source,
)
from Integration.credentials.scene import SourceScene
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.exchange import Exchange
from Support.oauth_server import OAuthServer
from Support.scripted_origin import ScriptedOrigin


def answered(oauth: OAuthServer, challenge: Json, yes: bool = True) -> None:
    """A person enters the code, and says yes or no."""
    oauth.control(answers={challenge["protectionSpace"]["parameters"]["userCode"]: yes})


def withdrawn(peer: Peer, challenge: Json) -> None:
    settled = peer.notification(
        "challenge/didSettle", lambda said: said["challenge"] == challenge["challenge"]
    )
    assert settled["outcome"] == "withdrawn"


# A real server


@pytest.mark.core
def test_a_person_approves_and_the_tasks_go_on(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=device(oauth.url))
    session = opened(peer, oauth.port)
    assert oauth.control()["devices"] == 0
    fetches = [peer.start_fetch(session, oauth.url + "/page") for _ in range(20)]
    challenge = peer.challenge()
    parameters = challenge["protectionSpace"]["parameters"]
    assert challenge["protectionSpace"]["authenticationMethod"] == "bearer"
    assert challenge["source"] == "builds"
    assert parameters["verificationUri"] == oauth.url + "/activate"
    assert parameters["verificationUriComplete"].endswith("?user_code=" + parameters["userCode"])
    entry = source(peer)
    assert (entry["awaitsPerson"], entry["token"], entry["lastError"]) == (True, False, None)
    assert parameters["userCode"] not in json.dumps(entry)
    # Who does not hold the session sees no challenge, and so no code.
    other = scene.peer(builds=device(oauth.url))
    assert parameters["userCode"] not in json.dumps(other.call("status"))
    assert parameters["userCode"] not in json.dumps(other.call("challenge/list"))
    answered(oauth, challenge)
    withdrawn(peer, challenge)
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    assert oauth.control()["devices"] == 1
    assert page(peer, session, oauth) == 200
    peer.nothing_asked()
    assert source(peer)["awaitsPerson"] is False


def test_many_sessions_share_one_code(scene: SourceScene, oauth: OAuthServer) -> None:
    sources = {"builds": device(oauth.url)}
    first, second = scene.peer(**sources), scene.peer(**sources)
    fetches = [
        (peer, peer.start_fetch(opened(peer, oauth.port), oauth.url + "/page")) for peer in (first, second)
    ]
    one, other = first.challenge(), second.challenge()
    assert one["protectionSpace"]["parameters"] == other["protectionSpace"]["parameters"]
    answered(oauth, one)
    assert {peer.result(fetch)["status"] for peer, fetch in fetches} == {200}
    assert oauth.control()["devices"] == 1


def test_a_reply_that_names_the_source_is_followed_by_its_code(
    scene: SourceScene, oauth: OAuthServer
) -> None:
    peer = scene.peer(builds=device(oauth.url))
    session = peer.open(tasks=["bearer"])
    fetch = peer.start_fetch(session, oauth.url + "/page")
    first = peer.challenge()
    assert "source" not in first
    assert peer.answer(first, {"source": "builds"}) == {"accepted": True}
    second = peer.challenge()
    assert second["deadline"] == first["deadline"]
    answered(oauth, second)
    assert peer.result(fetch)["status"] == 200


def test_without_a_delegate_no_code_is_asked_for(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=device(oauth.url))
    session = peer.open()
    name(peer, session, oauth.port)
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, oauth.url + "/page")
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialSourceFailed", "promptNeeded")
    assert oauth.control()["devices"] == 0


def test_a_refusal_of_the_person_is_a_typed_error(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=device(oauth.url))
    session = opened(peer, oauth.port)
    fetch = peer.start_fetch(session, oauth.url + "/page")
    first = peer.challenge()
    answered(oauth, first, yes=False)
    withdrawn(peer, first)
    # A token may still come from elsewhere.
    second = peer.challenge()
    assert second["error"] == {"kind": "sourceFailed", "source": "builds", "reason": "accessDenied"}
    assert "source" not in second
    peer.dispose(second, "performDefaultHandling")
    assert peer.result(fetch)["status"] == 401
    assert source(peer)["lastError"] == "accessDenied"


def test_a_code_that_expires_is_replaced(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=device(oauth.url))
    session = opened(peer, oauth.port)
    fetch = peer.start_fetch(session, oauth.url + "/page")
    first = peer.challenge()
    oauth.control(expire=True)
    withdrawn(peer, first)
    second = peer.challenge()
    assert second["protectionSpace"]["parameters"] != first["protectionSpace"]["parameters"]
    assert second["deadline"] == first["deadline"]
    answered(oauth, second)
    assert peer.result(fetch)["status"] == 200


def test_a_refresh_token_is_used_before_a_person_is_asked_again(
    scene: SourceScene, oauth: OAuthServer
) -> None:
    peer = scene.peer(builds=device(oauth.url, clientIdentifier="device+"))
    session = opened(peer, oauth.port)
    fetch = peer.start_fetch(session, oauth.url + "/page")
    answered(oauth, peer.challenge())
    assert peer.result(fetch)["status"] == 200
    oauth.control(revoke=True)
    assert page(peer, session, oauth) == 200
    peer.nothing_asked()
    # What is forgotten is asked for again.
    peer.call("agent/forget")
    name(peer, session, oauth.port)
    fetch = peer.start_fetch(session, oauth.url + "/page")
    answered(oauth, peer.challenge())
    assert peer.result(fetch)["status"] == 200
    assert oauth.control()["devices"] == 2


def test_a_refresh_token_in_its_file_outlives_the_daemon(
    scene: SourceScene, oauth: OAuthServer, tmp_path: Path
) -> None:
    file = tmp_path / "refresh"
    peer = scene.peer(builds=device(oauth.url, clientIdentifier="device+", refreshTokenFile=str(file)))
    session = opened(peer, oauth.port)
    fetch = peer.start_fetch(session, oauth.url + "/page")
    answered(oauth, peer.challenge())
    assert peer.result(fetch)["status"] == 200
    eventually(lambda: file.exists() and file.read_text().strip() in oauth.control()["refresh"])
    peer.call("agent/forget")
    name(peer, session, oauth.port)
    assert page(peer, session, oauth) == 200
    assert oauth.control()["devices"] == 1


# The command


def test_the_command_shows_the_code_and_goes_on(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=device(oauth.url))
    session = peer.open("shared")
    name(peer, session, oauth.port)
    watchword = Command(scene.daemon)
    terminal = watchword.on_terminal("fetch", "--session", "shared", oauth.url + "/page")
    terminal.read_until(b" and enter ")
    (challenge,) = peer.call("challenge/list", {"session": session})["challenges"]
    code = challenge["protectionSpace"]["parameters"]["userCode"]
    shown = terminal.read_until(code.encode())
    assert b"needs a token of the source builds" in shown
    assert f"open {oauth.url}/activate and enter {code}".encode() in shown
    listed = watchword("challenges", "--session", "shared")
    assert f"open {oauth.url}/activate and enter {code}".encode() in listed.stdout
    described = watchword("answer", challenge["challenge"])
    assert (described.returncode, code.encode() in described.stdout) == (OK, True)
    assert b"waits until a person has entered a code" in watchword("status").stdout
    answered(oauth, challenge)
    assert terminal.end() == OK
    assert terminal.screen.endswith(b"page")


# What ends the polling


def asked_instead(peer: Peer, fetch: int) -> None:
    """The delegate is asked as if there were no source."""
    challenge = peer.challenge()
    assert "source" not in challenge
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"


def cancelled(peer: Peer, session: str, fetch: int, challenge: Json) -> None:
    peer.notify("$/cancelRequest", {"id": fetch})
    assert kind_of(peer.result, fetch) == "requestCancelled"


def rejected(peer: Peer, session: str, fetch: int, challenge: Json) -> None:
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401


def reset(peer: Peer, session: str, fetch: int, challenge: Json) -> None:
    peer.call("session/reset", {"session": session})
    withdrawn(peer, challenge)
    asked_instead(peer, fetch)


def forgotten(peer: Peer, session: str, fetch: int, challenge: Json) -> None:
    peer.call("agent/forget")
    withdrawn(peer, challenge)
    asked_instead(peer, fetch)


def locked(peer: Peer, session: str, fetch: int, challenge: Json) -> None:
    peer.call("agent/lock", {"passphrase": sentinels.PASSWORD})
    withdrawn(peer, challenge)
    assert peer.call("challenge/list")["challenges"] == []


def ended(peer: Peer, session: str, fetch: int, challenge: Json) -> None:
    peer.call("session/invalidate", {"session": session})
    assert kind_of(peer.result, fetch) in ("taskCancelled", "sessionInvalidated")


def removed(peer: Peer, session: str, fetch: int, challenge: Json) -> None:
    space = {
        key: challenge["protectionSpace"][key] for key in ("protocol", "host", "port", "authenticationMethod")
    }
    peer.call("credential/remove", {"session": session, "protectionSpace": space})
    withdrawn(peer, challenge)
    asked_instead(peer, fetch)


@pytest.mark.parametrize("ends", [cancelled, rejected, reset, forgotten, locked, ended, removed])
def test_the_polling_ends_with_the_last_that_waits(
    scene: SourceScene, origin: ScriptedOrigin, ends: Callable[[Peer, str, int, Json], None]
) -> None:
    left = False

    async def hangs(exchange: Exchange) -> None:
        nonlocal left
        await exchange.until_peer_leaves()
        left = True

    origin.serve("/device", says(code()))
    origin.serve("/token", hangs)
    peer = scene.peer(builds=device(origin.url))
    session = opened(peer, origin.port)
    fetch = peer.start_fetch(session, origin.serve("/page", asking))
    challenge = peer.challenge()
    origin.wait_for_requests(1, "/token")
    ends(peer, session, fetch, challenge)
    origin.wait_until(lambda: left)
    if ends is not locked:
        entry = source(peer)
        assert (entry["awaitsPerson"], entry["token"]) == (False, False)


def test_the_deadline_of_the_challenge_ends_it(scene: SourceScene, origin: ScriptedOrigin) -> None:
    origin.serve("/device", says(code(interval=300)))
    peer = scene.peer(builds=device(origin.url))
    configuration = {"challenges": {"deadlineSeconds": 1, "unanswered": "deliver"}}
    session = peer.open(tasks=["bearer"], configuration=configuration)
    name(peer, session, origin.port)
    fetch = peer.start_fetch(session, origin.serve("/page", asking))
    peer.challenge()
    assert peer.result(fetch)["status"] == 401
    assert source(peer)["awaitsPerson"] is False


def test_a_delegate_that_leaves_ends_it(scene: SourceScene, origin: ScriptedOrigin) -> None:
    origin.serve("/device", says(code(interval=300)))
    sources = {"builds": device(origin.url)}
    peer, delegate = scene.peer(**sources), scene.peer(**sources)
    session = peer.open("shared")
    delegate.open("shared", session=["bearer"])
    name(peer, session, origin.port)
    fetch = peer.start_fetch(session, origin.serve("/page", asking))
    delegate.challenge()
    delegate.close()
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.data["reason"] == "promptNeeded"
    assert source(peer)["awaitsPerson"] is False
