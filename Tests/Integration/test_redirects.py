"""Redirects by our own rules (challenges.md 13)."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, kind_of, password, pause
from Support.certificates import Authority
from Support.guards import BasicGuard, guarded
from Support.httpbin_server import Httpbin
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, raw, redirect, reply

pytestmark = pytest.mark.core

Origins = Callable[..., ScriptedOrigin]


@pytest.fixture
def session(peer: Peer) -> str:
    return peer.open()


METHODS = [
    *((status, "POST", "GET") for status in (301, 302, 303)),
    *((status, "POST", "POST") for status in (307, 308)),
    *((status, "HEAD", "HEAD") for status in (301, 302, 303, 307, 308)),
    (301, "PUT", "PUT"),
    (302, "DELETE", "DELETE"),
    (303, "PUT", "GET"),
    (307, "PUT", "PUT"),
]


@pytest.mark.parametrize(("status", "method", "then"), METHODS)
def test_the_method_changes_as_in_browsers(
    peer: Peer, session: str, origin: ScriptedOrigin, status: int, method: str, then: str
) -> None:
    url = origin.serve("/", redirect("/next", status))
    target = origin.serve("/next", reply())
    body = {} if method == "HEAD" else {"body": {"text": "data"}}
    fields = [["Content-Type", "text/plain"]] if body else []
    result = peer.fetch(session, url, method=method, headers=fields, **body)
    assert (result["status"], result["url"]) == (200, target)
    assert result["redirects"] == [{"status": status, "from": url, "to": target}]
    (landed,) = origin.requests_to("/next")
    assert landed.method == then
    kept = then == method and bool(body)
    assert landed.body == (b"data" if kept else b"")
    assert (landed.header("Content-Type") is not None) == kept


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("/a/c", "/a/c"),
        ("c", "/a/c"),
        ("../c", "/c"),
        ("?q=1", "/a/b?q=1"),
        ("//127.0.0.1:{port}/x", "/x"),
        ("/with space", "/with%20space"),
        ("/x#fragment", "/x"),
    ],
)
def test_a_location_is_resolved_against_the_url(
    peer: Peer, session: str, origin: ScriptedOrigin, location: str, path: str
) -> None:
    url = origin.serve("/a/b", redirect(location.format(port=origin.port)), reply())
    origin.serve("/*", reply())
    assert peer.fetch(session, url)["status"] == 200
    assert origin.requests[-1].target == path


@pytest.mark.parametrize(("configuration", "limit"), [({}, 20), ({"limit": 50}, 50), ({"limit": 0}, 0)])
def test_too_many_redirects_end(peer: Peer, origin: ScriptedOrigin, configuration: Json, limit: int) -> None:
    session = peer.open("limited", configuration={"redirects": configuration})
    url = origin.serve("/loop", redirect("/loop"))
    assert kind_of(peer.fetch, session, url) == "tooManyRedirects"
    assert len(origin.requests) == limit + 1


def test_as_many_redirects_as_allowed_succeed(peer: Peer, session: str, httpbin: Httpbin) -> None:
    result = peer.fetch(session, f"{httpbin.url}/redirect/20")
    assert result["status"] == 200
    assert len(result["redirects"]) == 20


@pytest.mark.parametrize(
    "location",
    ["ftp://127.0.0.1/x", "file:///etc/passwd", "data:text/plain,x", "javascript:1", "gopher://h/"],
)
def test_a_redirect_to_anything_but_http_is_refused(
    peer: Peer, session: str, origin: ScriptedOrigin, location: str
) -> None:
    assert kind_of(peer.fetch, session, origin.serve("/", redirect(location))) == "redirectRefused"


@pytest.mark.parametrize("location", ["http://", "http://[::1", "http://a b/", "http://host:99999/", ""])
def test_a_location_that_is_no_url_ends_the_task_or_is_delivered(
    peer: Peer, session: str, origin: ScriptedOrigin, location: str
) -> None:
    url = origin.serve("/", redirect(location))
    try:
        assert peer.fetch(session, url)["status"] == 302
    except RemoteError as error:
        assert error.kind in ("redirectRefused", "malformedResponse", "tooManyRedirects")
    assert peer.call("ping") == {}


def test_a_3xx_without_location_is_delivered(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    assert peer.fetch(session, origin.serve("/", reply(302)))["status"] == 302
    assert peer.fetch(session, origin.serve("/n", reply(304, b"")))["status"] == 304
    assert peer.fetch(session, origin.serve("/m", redirect("/x", 300)))["status"] == 300


def test_https_to_http_is_refused(
    peer: Peer, origins: Origins, tls_context: ssl.SSLContext, authority: Authority
) -> None:
    secure, plain = origins(tls_context), origins()
    roots = {"tls": {"roots": {"certificates": authority.pem}}}
    target = plain.serve("/", reply())
    url = secure.serve("/", redirect(target))
    assert kind_of(peer.fetch, peer.open("strict", configuration=roots), url) == "redirectRefused"
    assert plain.requests == []


def test_an_allowed_downgrade_keeps_nothing(
    peer: Peer, origins: Origins, tls_context: ssl.SSLContext, authority: Authority
) -> None:
    secure, plain = origins(tls_context), origins()
    configuration = {
        "tls": {"roots": {"certificates": authority.pem}},
        "redirects": {"allowDowngrade": True},
    }
    session = peer.open("loose", configuration=configuration)
    target = plain.serve("/", reply())
    url = secure.serve("/", redirect(target))
    headers = [["Authorization", "Custom x"], ["Cookie", "a=b"], ["Referer", secure.url]]
    assert peer.fetch(session, url, headers=headers)["status"] == 200
    landed = plain.requests[0]
    assert (landed.authorization, landed.header("Cookie"), landed.header("Referer")) == (None, None, None)


def test_manual_delivers_the_3xx(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open("manual", configuration={"redirects": {"policy": "manual"}})
    result = peer.fetch(session, origin.serve("/", redirect("/next")))
    assert result["status"] == 302 and "redirects" not in result
    assert ["Location", "/next"] in result["headers"]
    assert len(origin.requests) == 1


@pytest.fixture
def asking(peer: Peer) -> str:
    return peer.open("asking", configuration={"redirects": {"policy": "ask"}})


def test_ask_shows_the_request_and_follows(peer: Peer, asking: str, origin: ScriptedOrigin) -> None:
    target = origin.serve("/next", reply())
    fetch = peer.start_fetch(asking, origin.serve("/", redirect("/next")), task="t")
    question = peer.notification("task/willRedirect")
    assert question["task"] == "t"
    assert question["response"]["status"] == 302
    assert (question["request"]["url"], question["request"]["method"]) == (target, "GET")
    assert len(origin.requests) == 1
    assert peer.call("redirect/reply", {"task": "t", "request": {}}) == {"task": "t"}
    assert peer.result(fetch)["status"] == 200


def test_ask_can_change_the_request(peer: Peer, asking: str, origin: ScriptedOrigin) -> None:
    other = origin.serve("/other", reply())
    fetch = peer.start_fetch(asking, origin.serve("/", redirect("/next")), task="t")
    peer.notification("task/willRedirect")
    changed = {"url": other, "method": "PUT", "headers": [["X-Changed", "1"]]}
    peer.call("redirect/reply", {"task": "t", "request": changed})
    assert peer.result(fetch)["url"] == other
    assert origin.requests[-1].method == "PUT"
    assert origin.requests[-1].header("X-Changed") == "1"


def test_secret_fields_are_hidden_from_the_question_and_kept_when_given_back(
    peer: Peer, asking: str, origin: ScriptedOrigin
) -> None:
    origin.serve("/next", reply())
    headers = [["Authorization", "Bearer open-sesame"], ["X-Key", "open-sesame"], ["X-Plain", "1"]]
    fetch = peer.start_fetch(
        asking, origin.serve("/", redirect("/next")), task="t", headers=headers, sensitiveHeaders=["X-Key"]
    )
    question = peer.notification("task/willRedirect")
    assert "open-sesame" not in str(question)
    shown = question["request"]["headers"]
    assert ["X-Plain", "1"] in shown
    peer.call("redirect/reply", {"task": "t", "request": {"headers": shown}})
    assert peer.result(fetch)["status"] == 200
    assert origin.requests[-1].header("Authorization") == "Bearer open-sesame"
    assert origin.requests[-1].header("X-Key") == "open-sesame"


def test_ask_shows_the_fields_of_the_session_and_what_is_left_of_them(
    peer: Peer, origin: ScriptedOrigin, origins: Origins
) -> None:
    fields = [["X-Plain", "1"], ["Authorization", "Custom x"]]
    session = peer.open(configuration={"redirects": {"policy": "ask"}, "headers": fields})
    away = origins().serve("/away", reply())
    near = origin.serve("/near", redirect(away))
    fetch = peer.start_fetch(session, origin.serve("/", redirect(near)), task="t")
    shown = peer.notification("task/willRedirect")["request"]["headers"]
    assert shown == [["X-Plain", "1"], ["Authorization", "<secret>"]]
    peer.call("redirect/reply", {"task": "t", "request": {"headers": shown}})
    shown = peer.notification("task/willRedirect")["request"]["headers"]
    assert shown == [["X-Plain", "1"]]
    assert origin.requests[-1].authorization == "Custom x"
    peer.call("redirect/reply", {"task": "t", "request": {}})
    assert peer.result(fetch)["status"] == 200


def test_a_hidden_field_given_back_does_not_follow_to_another_origin(
    peer: Peer, asking: str, origins: Callable[..., ScriptedOrigin]
) -> None:
    first, other = origins(), origins()
    target = other.serve("/", reply())
    first.serve("/next", reply())
    headers = [["Authorization", "Bearer open-sesame"]]
    fetch = peer.start_fetch(asking, first.serve("/", redirect("/next")), task="t", headers=headers)
    shown = peer.notification("task/willRedirect")["request"]["headers"]
    peer.call("redirect/reply", {"task": "t", "request": {"url": target, "headers": shown}})
    assert peer.result(fetch)["status"] == 200
    assert other.requests[-1].header("Authorization") is None


def test_ask_can_stop(peer: Peer, asking: str, origin: ScriptedOrigin) -> None:
    fetch = peer.start_fetch(asking, origin.serve("/", redirect("/next")), task="t")
    peer.notification("task/willRedirect")
    peer.call("redirect/reply", {"task": "t", "request": None})
    result = peer.result(fetch)
    assert (result["status"], result["body"]["text"]) == (302, "moved")
    assert kind_of(peer.call, "redirect/reply", {"task": "t", "request": None}) in (
        "redirectNotPending",
        "taskNotFound",
    )


def test_a_redirect_that_was_not_asked_about_is_not_pending(peer: Peer, origin: ScriptedOrigin) -> None:
    params = {"task": "nobody", "request": None}
    assert kind_of(peer.call, "redirect/reply", params) in ("redirectNotPending", "taskNotFound")


def test_a_changed_redirect_must_still_be_http(peer: Peer, asking: str, origin: ScriptedOrigin) -> None:
    fetch = peer.start_fetch(asking, origin.serve("/", redirect("/next")), task="t")
    peer.notification("task/willRedirect")
    bad = {"task": "t", "request": {"url": "file:///etc/passwd"}}
    assert kind_of(peer.call, "redirect/reply", bad) in ("invalidParams", "redirectRefused")
    peer.call("redirect/reply", {"task": "t", "request": None})
    assert peer.result(fetch)["status"] == 302


def test_a_connection_that_leaves_while_asked_loses_the_task(
    connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    peer, observer = connect(), connect()
    configuration = {"redirects": {"policy": "ask"}}
    peer.open("asking", configuration=configuration)
    observer.open("asking")
    peer.start_fetch("asking", origin.serve("/", redirect("/next")))
    peer.notification("task/willRedirect")
    peer.close()
    while observer.call("task/list", {"session": "asking"})["tasks"]:
        pause()
    assert len(origin.requests) == 1


def test_credentials_are_looked_up_at_every_hop(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    staff = origin.serve("/staff/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    moved = origin.serve("/moved", redirect("/staff/x"))
    result = peer.fetch(session, moved)
    assert result["status"] == 200
    assert [request.authorization is None for request in origin.requests[-2:]] == [True, False]


def test_a_challenge_after_a_redirect_names_the_new_url(peer: Peer, origins: Origins) -> None:
    session = peer.open(tasks=["*"])
    first, second = origins(), origins()
    target = second.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    fetch = peer.start_fetch(session, first.serve("/", redirect(target)))
    challenge = peer.challenge()
    assert (challenge["url"], challenge["origin"]) == (target, second.url)
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["body"]["text"].encode() == OK_BODY


def test_two_different_locations_are_not_followed_blindly(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    lying = b"HTTP/1.1 302 F\r\nLocation: /one\r\nLocation: /two\r\nContent-Length: 0\r\n\r\n"
    url = origin.serve("/", raw(lying))
    for path in ("/one", "/two"):
        origin.serve(path, reply())
    try:
        peer.fetch(session, url)
    except RemoteError as error:
        assert error.kind in ("malformedResponse", "redirectRefused")
    assert len(origin.requests) <= 2


def test_started_tasks_hear_of_redirects(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    target = origin.serve("/next", reply())
    url = origin.serve("/", redirect("/next", headers=[("Set-Cookie", "k=v"), ("X-Hop", "1")]))
    peer.call("task/start", {"session": session, "url": url, "task": "t"})
    moved = peer.notification("task/didRedirect")
    assert (moved["status"], moved["from"], moved["to"]) == (302, url, target)
    assert (moved["protocol"], moved["headers"][:3]) == (
        "http/1.1",
        [["Location", "/next"], ["Set-Cookie", "k=v"], ["X-Hop", "1"]],
    )
    assert peer.notification("task/didFinish")["url"] == target


def test_a_redirect_that_was_asked_about_is_told_with_its_head(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(configuration={"redirects": {"policy": "ask"}})
    origin.serve("/next", reply())
    url = origin.serve("/", redirect("/next", headers=[("X-Hop", "1")]))
    peer.call("task/start", {"session": session, "url": url, "task": "t"})
    peer.notification("task/willRedirect")
    peer.call("redirect/reply", {"task": "t", "request": {}})
    assert ["X-Hop", "1"] in peer.notification("task/didRedirect")["headers"]


@pytest.mark.parametrize("policy", ["follow", "manual", "ask"])
def test_a_task_may_keep_the_redirect(peer: Peer, origin: ScriptedOrigin, policy: str) -> None:
    """It can only be stricter than its session."""
    session = peer.open(configuration={"redirects": {"policy": policy}})
    url = origin.serve("/", redirect("/next"))
    origin.serve("/next", reply())
    kept = peer.fetch(session, url, followRedirects=False)
    assert (kept["status"], kept["url"]) == (302, url) and "redirects" not in kept
    assert peer.notifications == []
    if policy == "manual":
        assert peer.fetch(session, url, followRedirects=True)["status"] == 302
