"""Restricted connections: they get what their rules allow, and nothing else (restricted.md 2.6)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

import pytest

from Integration.restrictions import reason, refusal, restrict, rule
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, body_of, password
from Support.daemon import PROJECT
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import endless, held, redirect, reply

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]


def test_it_gets_its_file_and_nothing_else(peer: Peer, connect: Connect, origins: Origins) -> None:
    """The file needs a password that only the other connection knows."""
    origin, other = origins(), origins()
    guard = BasicGuard("staff", USER, PASSWORD)
    url = origin.serve("/v1/file", guarded(guard, b"the file"))
    elsewhere = other.serve("/secret", reply())
    outside = origin.serve("/v2/file", guarded(guard))
    session = peer.open("s", tasks=["*"], session=["*"])
    child = connect()
    restrict(child, "s", rule(origin.url, "/v1/*"))
    request = child.start_fetch("s", url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(child.result(request)) == b"the file"
    assert body_of(child.call("fetch", {"url": url})) == b"the file", "session left out means its own"

    assert refusal(child.fetch, session, elsewhere) == {
        "kind": "restricted",
        "retry": "never",
        "reason": "origin",
        "origin": other.url,
    }
    assert reason(child.fetch, session, outside) == "path"
    assert reason(child.fetch, session, url, method="DELETE") == "method"
    assert reason(child.fetch, "default", url) == "session"
    assert reason(child.fetch, "other", url) == "session"
    for member, value in [
        ("detached", True),
        ("proxies", {"all": other.url}),
        ("proxies", "none"),
        ("headers", [["Authorization", "Basic Og=="]]),
        ("headers", [["Accept", "*/*"], ["Host", "other.example"]]),
        ("headers", [["X-HTTP-Method-Override", "DELETE"]]),
        ("headers", [["X_HTTP_Method_Override", "DELETE"]]),
        ("headers", [["X_Forwarded_Host", "other.example"]]),
        ("headers", [["X-Anything", "1"]]),
    ]:
        data = refusal(child.fetch, session, url, **{member: value})
        assert (data["reason"], data["path"].split("[")[0]) == ("member", f"params.{member}")
    assert reason(child.fetch, session, url.replace("http://", "http://u:p@")) == "member"
    for path in (
        "\ufe52\ufe52",
        "\ufe30",
        "%EF%B8%B0",
        "%f8%80%80%80%ae.",
        "..%c2%a0",
        "..%e3%80%80",
        "..%e2%80%8b",
    ):
        assert reason(child.fetch, session, f"{origin.url}/v1/{path}/v2/file") == "path"
    assert not other.requests and not origin.requests_to("/v2/file")
    assert {request.method for request in origin.requests_to("/v1/file")} == {"GET"}


def test_fields_are_those_of_the_rule(peer: Peer, connect: Connect, origins: Origins) -> None:
    origin = origins()
    one, two = origin.serve("/v1/a", reply()), origin.serve("/v2/a", reply())
    away = origin.serve("/v1/away", redirect("/v2/a"))
    session = peer.open("s")
    child = connect()
    restrict(child, "s", rule(origin.url, "/v1/*", headers=["X-A"]), rule(origin.url, "/v2/*"))
    fields = [["x-a", "1"], ["Accept", "*/*"]]
    assert child.fetch(session, one, headers=fields)["status"] == 200
    assert child.fetch(session, two, headers=fields[1:])["status"] == 200
    assert reason(child.fetch, session, two, headers=fields) == "field"
    assert reason(child.fetch, session, away, headers=fields) == "field"
    assert reason(child.fetch, session, one, headers=[["X_A", "1"]]) == "member"
    assert [request.path for request in origin.requests] == ["/v1/a", "/v2/a", "/v1/away"]
    (shown,) = peer.call("session/describe", {"session": "s"})["restrictions"]
    assert [entry["headers"] for entry in shown["rules"]] == [["x-a"], []]


ALLOWED = {
    "initialize",
    "ping",
    "fetch",
    "task/start",
    "task/cancel",
    "task/suspend",
    "task/resume",
    "task/list",
    "task/describe",
}


def test_every_other_method_is_refused_whatever_it_is_told(peer: Peer, connect: Connect) -> None:
    peer.open("s")
    child = connect()
    restrict(child, "s", rule("https://a.example"))
    methods = {
        method["name"] for method in json.loads((PROJECT / "protocol/openrpc.json").read_text())["methods"]
    }
    assert methods > ALLOWED
    for method in sorted(methods - ALLOWED):
        assert reason(child.call, method, {"session": "s"}) == "call", method
    assert child.call("ping") == {}
    assert child.call("task/list") == {"tasks": []}
    assert child.call("initialize", {"name": "job"})["name"] == "watchwordd"
    (shown,) = peer.call("session/describe", {"session": "s"})["restrictions"]
    assert shown["violations"] == len(methods - ALLOWED)
    assert peer.counter("restrictions.violations") == shown["violations"]


def test_a_batch_is_no_way_around(peer: Peer, connect: Connect) -> None:
    peer.open("s")
    child = connect()
    restrict(child, "s", rule("https://a.example"))
    child.send([{"jsonrpc": "2.0", "id": "x", "method": "credential/list", "params": {}}])
    (answer,) = child.next_message()
    assert answer["error"]["data"]["kind"] == "restricted"


def test_redirects_out_of_the_rules_are_refused_and_not_shown(
    peer: Peer, connect: Connect, origins: Origins
) -> None:
    origin, other = origins(), origins()
    target = other.serve("/take?ticket=sentinel7f3aQ-ticket", reply())
    inside = origin.serve("/v1/inside", redirect("/v1/file"))
    origin.serve("/v1/file", reply(body=b"the file"))
    away = origin.serve("/v1/away", redirect(target))
    up = origin.serve("/v1/up", redirect("/v1/..%2fv2/file"))
    scheme = origin.serve("/v1/scheme", redirect("app://sentinel7f3aQ-ticket/"))
    peer.open("s")
    child = connect()
    restrict(child, "s", rule(origin.url, "/v1/*"))
    assert body_of(child.fetch("s", inside)) == b"the file"
    for follow in (True, False):
        data = refusal(child.fetch, "s", away, followRedirects=follow)
        assert (data["reason"], data["origin"]) == ("origin", other.url)
        assert reason(child.fetch, "s", up, followRedirects=follow) == "path"
    assert reason(child.fetch, "s", scheme, followRedirects=False) == "origin"
    child.call("task/start", {"session": "s", "task": "away", "url": away})
    error = child.notification("task/didFinish")["error"]
    assert error["data"]["kind"] == "restricted"
    assert not [note for note in child.notifications if note["method"] != "task/didFinish"]
    assert not other.requests


def test_what_a_server_gives_back_as_a_credential_is_hidden(
    peer: Peer, connect: Connect, origin: ScriptedOrigin
) -> None:
    fields = [("Set-Cookie", "id=sentinel7f3aQ-cookie"), ("ETag", '"1"')]
    url = origin.serve("/", reply(headers=fields))
    peer.open("s")
    child = connect()
    restrict(child, "s", rule(origin.url))
    names = {name for name, _ in child.fetch("s", url)["headers"]}
    moved = origin.serve("/moved", redirect("/", headers=fields))
    child.call("task/start", {"session": "s", "task": "t", "url": moved})
    heads = [child.notification(f"task/{event}") for event in ("didRedirect", "didReceiveResponse")]
    shown = [{name for name, _ in head["headers"]} & {"Set-Cookie", "ETag"} for head in heads]
    assert shown == [{"ETag"}, {"ETag"}]
    assert "ETag" in names and "Set-Cookie" not in names
    child.call("fetch", {"url": url, "output": "stream"})
    assert "Set-Cookie" not in str(child.notification("task/didReceiveResponse"))
    child.fetch("s", url)
    assert origin.requests[-1].header("Cookie") == "id=sentinel7f3aQ-cookie", "used all the same"


def test_bodies_are_bounded_in_both_directions(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(body=bytes(1000)))
    flood = origin.serve("/flood", endless())
    peer.open("s")
    child = connect()
    restrict(child, "s", rule(origin.url, methods=["GET", "PUT"], requestBytes=100, responseBytes=1000))
    assert len(body_of(child.fetch("s", url, method="PUT", body={"text": "x" * 100}))) == 1000
    assert reason(child.fetch, "s", url, method="PUT", body={"text": "x" * 101}) == "requestBytes"
    assert reason(child.fetch, "s", flood) == "responseBytes"
    assert reason(child.fetch, "s", flood, output="discard") == "responseBytes"
    reader, writer = os.pipe()
    os.write(writer, b"x" * 101)
    os.close(writer)
    request = child.request(
        "fetch", {"url": url, "method": "PUT", "body": {"descriptor": 0}}, descriptors=[reader]
    )
    os.close(reader)
    assert reason(child.result, request) == "requestBytes"
    assert all(len(request.body) <= 100 for request in origin.requests)


def test_the_rate_counts_requests_of_the_whole_restriction(
    peer: Peer, connect: Connect, origin: ScriptedOrigin
) -> None:
    guard = BasicGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    peer.open("s", session=["*"])
    child = connect()
    restrict(child, "s", rule(origin.url, perMinute=2))
    request = child.start_fetch("s", url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert child.result(request)["status"] == 200, "the repetition for the password counts as nothing"
    assert child.fetch("s", url)["status"] == 200
    data = refusal(child.fetch, "s", url)
    assert data["reason"] == "rate" and 0 < data["retrySeconds"] <= 30


def test_the_rest_ends_when_it_expires(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    peer.open("s")
    child = connect()
    restrict(child, "s", rule(origin.url), expiresSeconds=0.5)
    assert reason(child.fetch, "s", url) == "expired"
    assert reason(child.fetch, "s", url) == "expired"
    (shown,) = peer.call("session/describe", {"session": "s"})["restrictions"]
    assert shown["secondsLeft"] == 0 and shown["lastViolation"]["reason"] == "expired"


def test_it_gives_up_what_it_had(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    """Tasks, sessions, delegates and the status."""
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    session = peer.open("s", tasks=["*"], session=["*"])
    private = peer.open()
    peer.call("status/subscribe")
    running = peer.start_fetch(session, url)
    peer.call("task/start", {"session": session, "task": "detached", "url": url, "detached": True})
    restrict(peer, session, rule(origin.url))
    with pytest.raises(RemoteError) as caught:
        peer.result(running)
    assert caught.value.kind == "taskCancelled"
    assert reason(peer.fetch, private, url) == "session"
    assert peer.call("task/list") == {"tasks": []}
    with pytest.raises(RemoteError) as caught:
        peer.call("task/describe", {"task": "detached"})
    assert caught.value.kind == "taskNotFound"
    observer = connect()
    (holder,) = [
        holder
        for holder in observer.call("session/describe", {"session": "s"})["holders"]
        if holder["restriction"]
    ]
    assert holder["delegate"] == {"tasks": [], "session": []}
    assert {task["task"] for task in observer.call("task/list", {"session": "s"})["tasks"]} == {"detached"}
    observer.call("task/cancel", {"task": "detached"})


def test_tasks_of_others_are_not_its_own(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    session = peer.open("s")
    peer.call("task/start", {"session": session, "task": "foreign", "url": url})
    child, sibling = connect(), connect()
    for one in (child, sibling):
        restrict(one, session, rule(origin.url))
    sibling.call("task/start", {"task": "siblings", "url": url})
    for task in ("foreign", "siblings"):
        for method in ("task/cancel", "task/suspend", "task/resume", "task/describe"):
            with pytest.raises(RemoteError) as caught:
                child.call(method, {"task": task})
            assert caught.value.kind == "taskNotFound"
    child.call("task/start", {"task": "own", "url": url})
    assert [task["task"] for task in child.call("task/list")["tasks"]] == ["own"]
    child.call("task/cancel", {"task": "own"})
    assert child.notification("task/didFinish")["error"]["data"]["kind"] == "taskCancelled"
    gate.open()
    peer.notification("task/didFinish")


def test_an_ended_session_is_not_replaced_by_one_of_its_name(
    peer: Peer, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", reply())
    peer.open("s")
    child = connect()
    restrict(child, "s", rule(origin.url))
    peer.call("session/invalidate", {"session": "s"})
    peer.open("s")
    with pytest.raises(RemoteError) as caught:
        child.call("fetch", {"url": url})
    assert caught.value.kind == "sessionInvalidated"
    assert not origin.requests


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"rules": []}, "params.rules"),
        ({}, "params.rules"),
        ({"rules": [{"path": "/"}]}, "params.rules[0].origin"),
        ({"rules": [{"origin": "https://a.example/x"}]}, "params.rules[0].origin"),
        ({"rules": [{"origin": "ftp://a.example"}]}, "params.rules[0].origin"),
        ({"rules": [{"origin": "https://u@a.example"}]}, "params.rules[0].origin"),
        ({"rules": [{"origin": "https://a.example", "path": "v1"}]}, "params.rules[0].path"),
        ({"rules": [{"origin": "https://a.example", "path": "/a/../b"}]}, "params.rules[0].path"),
        ({"rules": [{"origin": "https://a.example", "path": "/a/%2e%2e/b"}]}, "params.rules[0].path"),
        ({"rules": [{"origin": "https://a.example", "path": "/*/b"}]}, "params.rules[0].path"),
        ({"rules": [{"origin": "https://a.example", "path": "/b?x=1"}]}, "params.rules[0].path"),
        ({"rules": [{"origin": "https://a.example", "path": "/b#x"}]}, "params.rules[0].path"),
        ({"rules": [{"origin": "https://a.example", "methods": []}]}, "params.rules[0].methods"),
        ({"rules": [{"origin": "https://a.example", "methods": ["TRACE"]}]}, "params.rules[0].methods[0]"),
        ({"rules": [{"origin": "https://a.example", "methods": ["Track"]}]}, "params.rules[0].methods[0]"),
        (
            {"rules": [{"origin": "https://a.example", "headers": ["X_Forwarded_For"]}]},
            "params.rules[0].headers[0]",
        ),
        (
            {"rules": [{"origin": "https://a.example", "headers": ["Content-Length"]}]},
            "params.rules[0].headers[0]",
        ),
        ({"rules": [{"origin": "https://a.example", "path": "/a/%e9/*"}]}, "params.rules[0].path"),
        ({"rules": [{"origin": "https://a.example", "methods": ["G T"]}]}, "params.rules[0].methods[0]"),
        ({"rules": [{"origin": "https://a.example", "perMinute": 0}]}, "params.rules[0].perMinute"),
        ({"rules": [{"origin": "https://a.example", "responseBytes": -1}]}, "params.rules[0].responseBytes"),
        ({"rules": [{"origin": "https://a.example", "responsBytes": 1}]}, "params.rules[0].responsBytes"),
        ({"rules": [{"origin": "https://a.example"}] * 257}, "params.rules"),
        ({"rules": [{"origin": "https://a.example"}], "expiresSeconds": 0}, "params.expiresSeconds"),
    ],
)
def test_a_rule_that_is_not_understood_restricts_nothing(peer: Peer, members: Json, path: str) -> None:
    peer.open("s")
    with pytest.raises(RemoteError) as caught:
        peer.call("peer/restrict", {"session": "s", **members})
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)
    assert peer.call("credential/list", {"session": "s"}) == {"credentials": []}


def test_a_real_server_serves_what_the_rules_allow(peer: Peer, connect: Connect, nginx: Nginx) -> None:
    peer.open("s", session=["*"])
    child = connect()
    restrict(child, "s", rule(nginx.plain, "/staff/*"))
    request = child.start_fetch("s", f"{nginx.plain}/staff/small")
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert child.result(request)["status"] == 200
    for path in ("/small", "/staff/../small", "/staff", "/staff/%2e%2e/small", "/staff/..%2fsmall"):
        assert reason(child.fetch, "s", nginx.plain + path) == "path", path


def test_a_flood_of_tasks_has_a_bound(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    limit = peer.call("initialize")["limits"]["tasksPerRestriction"]
    peer.open("s")
    child = connect()
    restrict(child, "s", rule(origin.url))
    started = [child.request("task/start", {"url": url}) for _ in range(limit + 1)]
    for request in started[:-1]:
        child.result(request)
    with pytest.raises(RemoteError) as caught:
        child.result(started[-1])
    assert caught.value.data["limit"] == "tasksPerRestriction"
    assert peer.call("task/list", {"session": "s"})["tasks"]
