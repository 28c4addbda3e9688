"""A source whose credential the server has refused (storage.md 9.7.9)."""

from __future__ import annotations

import re

import pytest

from Integration import sentinels
from Integration.command_line.scene import Command
from Integration.credentials.scene import Guarded, SourceScene, explain, name_source, put, space
from Integration.proxies.scene import REFUSAL, ScriptedProxy, open_through
from Integration.wire import Json, Peer, kind_of
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads

FIRST, SECOND = f"{sentinels.MARK}.first", f"{sentinels.MARK}.second"


@pytest.mark.parametrize("realm", ["staff", "any"])
def test_what_a_source_gave_and_the_server_refused_is_sent_once(
    scene: SourceScene, origin: ScriptedOrigin, realm: str
) -> None:
    guarded = Guarded(origin, FIRST)
    peer = scene.peer(pages={"kind": "file", "path": scene.file(SECOND)})
    session = peer.open()
    where = space(origin, method="bearer")
    if realm == "any":
        del where["realm"]
    put(peer, session, where, {"source": "pages"})
    for _ in range(20):
        assert peer.fetch(session, guarded.url)["status"] == 401
    assert guarded.refused == 1
    # When it was named, and once after the refusal.
    assert peer.counter("sources.read") == 2
    # The account was unlocked: naming the source tries it once more.
    guarded.accepted = (SECOND,)
    put(peer, session, where, {"source": "pages"})
    assert peer.fetch(session, guarded.url)["status"] == 200
    assert guarded.refused == 1


def refused(scene: SourceScene, guarded: Guarded) -> tuple[Peer, str]:
    """A session with a source whose token the server has refused twice: the second reading gave the same."""
    peer = scene.peer(pages={"kind": "file", "path": scene.file(SECOND)})
    session = peer.open("reports")
    name_source(peer, guarded.origin, session)
    assert "refusedSources" not in explain(peer, session, guarded.url)
    assert peer.fetch(session, guarded.url)["status"] == 401
    return peer, session


def test_explain_and_status_say_until_when_a_refused_source_waits(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    guarded = Guarded(origin, FIRST)
    peer, session = refused(scene, guarded)
    (waiting,) = explain(peer, session, guarded.url)["refusedSources"]
    assert (waiting["source"], waiting["protectionSpace"]["realm"]) == ("pages", "staff")
    assert re.fullmatch(r"[0-9-]{10}T[0-9:]{8}Z", waiting["readAfter"])
    (shown,) = peer.call("status")["sessions"]
    assert [entry["source"] for entry in shown["refusedSources"]] == ["pages"]
    assert "refusedSources" not in explain(peer, session, "http://elsewhere.test/")
    watchword = Command(scene.daemon)
    line = r'pages for \S+ bearer "staff": refused by the server, read again after [0-9-]{10}T[0-9:]{8}Z'
    page = watchword("explain", "--session", session, guarded.url).stdout.decode()
    assert re.search(f"^refused     {line}$", page, re.M), page
    page = watchword("status", "--all").stdout.decode()
    assert re.search(f"^  {line}$", page, re.M), page


@pytest.mark.parametrize("is_unlocked", [False, True])
def test_a_refused_source_is_tried_once_more_on_request(
    scene: SourceScene, origin: ScriptedOrigin, is_unlocked: bool
) -> None:
    guarded = Guarded(origin, FIRST)
    peer, session = refused(scene, guarded)
    if is_unlocked:
        guarded.accepted = (SECOND,)
    named: Json = {"session": session, "url": guarded.url}
    assert peer.call("credential/retry", named) == {"retried": 1}
    for _ in range(5):
        assert peer.fetch(session, guarded.url)["status"] == (200 if is_unlocked else 401)
    assert guarded.refused == (1 if is_unlocked else 2)
    assert peer.call("credential/retry", named) == {"retried": 0 if is_unlocked else 1}


def test_the_command_tries_a_refused_source_once_more(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, FIRST)
    peer, session = refused(scene, guarded)
    guarded.accepted = (SECOND,)
    watchword = Command(scene.daemon)
    done = watchword("credentials", "retry", "--session", session, guarded.url)
    assert (done.returncode, done.stdout) == (0, b"may be tried again: 1\n")
    assert peer.fetch(session, guarded.url)["status"] == 200
    done = watchword("credentials", "retry", "--session", session, guarded.url)
    assert (done.returncode, done.stdout) == (1, b"may be tried again: 0\n")


@pytest.mark.parametrize("place", ["netrc", "url"])
def test_a_password_from_outside_is_tried_once_more_on_request(
    peer: Peer, origin: ScriptedOrigin, place: str
) -> None:
    guarded = Guarded(origin, "another", "basic")
    userinfo = f"{sentinels.USER}:{sentinels.PASSWORD}@"
    url = guarded.url if place == "netrc" else guarded.url.replace("//", f"//{userinfo}")
    netrc = {"text": f"machine 127.0.0.1 login {sentinels.USER} password {sentinels.PASSWORD}"}
    session = peer.open(configuration={"netrc": netrc} if place == "netrc" else {})
    for times in (1, 2):
        for _ in range(3):
            assert peer.fetch(session, url)["status"] == 401
        assert guarded.refused == times
        assert peer.call("credential/retry", {"session": session, "url": url}) == {"retried": 1}
    guarded.accepted = (sentinels.PASSWORD,)
    assert peer.fetch(session, url)["status"] == 200


def test_a_proxy_s_userinfo_is_tried_once_more_on_request(peer: Peer, origin: ScriptedOrigin) -> None:
    proxy = ScriptedProxy([REFUSAL])
    session = open_through(peer, f"http://{sentinels.USER}:{sentinels.PASSWORD}@127.0.0.1:{proxy.port}")
    url = origin.url
    for times in (1, 2):
        for _ in range(3):
            assert kind_of(peer.fetch, session, url) == "proxyAuthenticationFailed"
        assert sum(b"Proxy-Authorization" in head for head in proxy.heads) == times
        assert peer.call("credential/retry", {"session": session, "url": url}) == {"retried": 1}
    proxy.stop()
