"""Credentials that go with the first request, for servers that never ask (storage.md 9.4.6 to 9.4.8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.credentials.scene import SourceScene, exchanges, explain, listed, put, space, staff
from Integration.restrictions import restrict, rule
from Integration.sentinels import OTHER_PASSWORD, PASSWORD, TOKEN, USER, WRONG_PASSWORD, traces_in
from Integration.vault.scene import restart
from Integration.wire import Json, Peer, kind_of, password
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.guards import BasicGuard, BearerGuard, Guard, silent
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, redirect, reply

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]

FIRST = {"preemptive": True}
BASIC = {**password(USER, PASSWORD), **FIRST}
BEARER = {"token": TOKEN, **FIRST}


def any_realm(origin: ScriptedOrigin, method: str = "basic") -> Json:
    named = space(origin, method=method)
    del named["realm"]
    return named


@pytest.mark.parametrize("status", [403, 404])
@pytest.mark.parametrize("method", ["basic", "bearer"])
def test_a_server_that_never_asks_gets_it_with_the_first_request(
    asked: Asked, origin: ScriptedOrigin, method: str, status: int
) -> None:
    peer, session = asked
    guards: dict[str, Guard] = {
        "basic": BasicGuard("staff", USER, PASSWORD),
        "bearer": BearerGuard("staff", TOKEN),
    }
    url = origin.serve("/job/x", silent(guards[method], status))
    assert peer.fetch(session, url)["status"] == status
    put(peer, session, any_realm(origin, method), BASIC if method == "basic" else BEARER)
    result = peer.fetch(session, url, metrics=True)
    assert (result["status"], exchanges(result)) == (200, 1)
    peer.nothing_asked()
    assert peer.counter("credentials.preemptive") == 1
    (entry,) = listed(peer, session)
    assert (entry["preemptive"], entry["uses"]) == (True, 1)
    assert peer.leaks() == []


@pytest.mark.parametrize("status", [403, 404])
def test_what_is_denied_to_it_does_not_end_it(peer: Peer, origin: ScriptedOrigin, status: int) -> None:
    session = peer.open()
    put(peer, session, any_realm(origin), BASIC)
    denied = origin.serve("/denied", reply(status))
    assert peer.fetch(session, denied)["status"] == status
    assert peer.fetch(session, denied)["status"] == status
    assert all(request.authorization for request in origin.requests)
    assert listed(peer, session)[0]["uses"] == 2


@pytest.mark.parametrize(
    "fields", [("Basic realm=staff",), ()], ids=["with a challenge", "without a challenge"]
)
def test_a_401_refuses_it_and_a_delegate_is_asked(
    asked: Asked, origin: ScriptedOrigin, fields: tuple[str, ...]
) -> None:
    peer, session = asked
    guard = BasicGuard("staff", USER, PASSWORD)

    async def script(exchange: Exchange) -> None:
        if guard.passes(exchange.request):
            return await exchange.respond(200, [], b"page")
        return await challenged(*fields)(exchange)

    url = origin.serve("/page", script)
    put(peer, session, any_realm(origin), {**password(USER, WRONG_PASSWORD), **FIRST})
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    assert challenge["proposedCredential"]["user"] == USER
    assert listed(peer, session) == []
    peer.answer(challenge, BASIC)
    assert peer.result(fetch)["status"] == 200
    assert guard.refused == 1
    (entry,) = listed(peer, session)
    assert entry["preemptive"] is True


def test_a_reply_gives_it_for_the_whole_origin(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff(origin, "/deep/staff"))
    peer.answer(peer.challenge(), BASIC)
    assert peer.result(fetch)["status"] == 200
    url = origin.serve("/elsewhere", silent(BasicGuard("staff", USER, PASSWORD), 404))
    assert peer.fetch(session, url)["status"] == 200


def test_it_stays_below_its_paths(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, any_realm(origin), {**BASIC, "limits": {"pathPrefixes": ["/job/x/"]}})
    origin.serve("/*", reply())
    for path in ("/job/x/build", "/job/x/1/log"):
        peer.fetch(session, origin.url + path)
        assert origin.requests[-1].authorization
    for path in ("/job/x", "/job/y/build", "/job/x/%2e%2e/y", "/"):
        peer.fetch(session, origin.url + path)
        assert origin.requests[-1].authorization is None


def test_a_redirect_out_of_its_scope_goes_without_it(peer: Peer, origins: Origins) -> None:
    origin, other = origins(), origins()
    session = peer.open()
    put(peer, session, any_realm(origin), {**BASIC, "limits": {"pathPrefixes": ["/in/"]}})
    other.serve("/x", redirect(origin.serve("/in/end", reply())))
    origin.serve("/in/a", redirect("/out"))
    origin.serve("/out", redirect(other.url + "/x"))
    assert peer.fetch(session, origin.url + "/in/a")["status"] == 200
    assert [(one.path, one.authorization is None) for one in origin.requests] == [
        ("/in/a", False),
        ("/out", True),
        ("/in/end", False),
    ]
    assert traces_in(other.received()) == []


@pytest.mark.parametrize("method", ["basic", "bearer"])
def test_over_cleartext_beyond_loopback_it_needs_consent(
    peer: Peer, origin: ScriptedOrigin, method: str
) -> None:
    origin.serve("/page", reply())
    resolve = {"addresses": {"resolve": {f"far.test:{origin.port}": "127.0.0.1"}}}
    far = f"http://far.test:{origin.port}/page"
    named = {**any_realm(origin, method), "host": "far.test"}
    for name, methods in (("careful", {}), ("free", {"basicOverCleartext": True})):
        session = peer.open(name, configuration={**resolve, "methods": methods})
        put(peer, session, named, BASIC if method == "basic" else BEARER)
        assert explain(peer, session, far)["preemptive"] is (name == "free")
        peer.fetch(session, far)
        assert (origin.requests[-1].authorization is None) is (name == "careful")


def test_explain_and_the_history_say_so(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = origin.serve("/page", reply(404))
    put(peer, session, any_realm(origin), BASIC)
    said = explain(peer, session, url)
    assert said["preemptive"] is True
    assert (said["credential"]["user"], said["credential"]["source"]) == (USER, "session")
    assert said["authorizationHeader"] == "session"
    assert origin.requests == []
    peer.fetch(session, url)
    entries = peer.call("credential/history", {"origin": origin.url})["entries"]
    assert ("accepted", USER) in [(entry["outcome"], entry["user"]) for entry in entries]


def test_limits_end_it(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = origin.serve("/page", reply())
    put(peer, session, any_realm(origin), {**BASIC, "limits": {"maximumUses": 2, "methods": ["GET"]}})
    peer.fetch(session, url, method="HEAD")
    for _ in range(3):
        peer.fetch(session, url)
    assert [request.authorization is None for request in origin.requests] == [True, False, False, True]
    assert listed(peer, session) == []


def test_a_connection_that_is_restricted_uses_it_and_cannot_set_one(
    peer: Peer, connect: Connect, origin: ScriptedOrigin
) -> None:
    session = peer.open("s")
    url = origin.serve("/v1/page", silent(BasicGuard("staff", USER, PASSWORD), 404))
    put(peer, session, any_realm(origin), BASIC)
    child = connect()
    restrict(child, "s", rule(origin.url, "/v1/*"))
    assert child.fetch(session, url)["status"] == 200
    members = {"session": session, "protectionSpace": any_realm(origin), "credential": BASIC}
    assert kind_of(child.call, "credential/set", members) == "restricted"


@pytest.mark.parametrize("method", ["digest", "negotiate", "ntlm", "default"])
def test_a_method_that_needs_a_challenge_is_refused(peer: Peer, origin: ScriptedOrigin, method: str) -> None:
    members = {"session": peer.open(), "protectionSpace": any_realm(origin, method), "credential": BASIC}
    assert kind_of(peer.call, "credential/set", members) == "credentialUnusable"
    proxy = {**any_realm(origin), "isProxy": True}
    assert kind_of(peer.call, "credential/set", {**members, "protectionSpace": proxy}) == "credentialUnusable"


def test_many_fetches_at_once_cost_one_bad_login(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = staff(origin)
    put(peer, session, any_realm(origin), {**password(USER, OTHER_PASSWORD), **FIRST})
    fetches = [peer.start_fetch(session, url) for _ in range(20)]
    assert {peer.result(fetch)["status"] for fetch in fetches} == {401}
    assert sum(request.authorization is not None for request in origin.requests) == 1


def test_two_tokens_for_two_paths_stand_side_by_side(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    origin.serve("/*", reply())
    for path in ("/one/", "/two/"):
        token = {"token": TOKEN + path.strip("/"), **FIRST, "limits": {"pathPrefixes": [path]}}
        put(peer, session, any_realm(origin, "bearer"), token)
    for path in ("/one/x", "/two/x", "/x"):
        peer.fetch(session, origin.url + path)
    sent = [request.authorization for request in origin.requests]
    assert sent == [f"Bearer {TOKEN}one", f"Bearer {TOKEN}two", None]
    named = {"session": session, "protectionSpace": any_realm(origin, "bearer"), "path": "/one/"}
    assert peer.call("credential/remove", named) == {"removed": 1}
    assert [entry["limits"]["pathPrefixes"] for entry in listed(peer, session)] == [["/two/"]]


def test_it_serves_every_session_and_after_a_restart(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/page", silent(BasicGuard("staff", USER, PASSWORD), 404))
    peer = connect()
    put(peer, "default", any_realm(origin), {**BASIC, "persistence": "permanent"})
    assert peer.fetch(peer.open(), url)["status"] == 200
    restart(daemon)
    peer = connect()
    session = peer.open()
    assert explain(peer, session, url)["preemptive"] is True
    assert peer.fetch(session, url)["status"] == 200
    (entry,) = listed(peer, session)
    assert (entry["source"], entry["preemptive"], entry["uses"]) == ("permanent", True, 1)
    assert peer.fetch(peer.open(configuration={"credentialStorage": "private"}), url)["status"] == 404
    removed = peer.call("credential/remove", {"session": session, "protectionSpace": any_realm(origin)})
    assert removed == {"removed": 1}
    assert peer.fetch(session, url)["status"] == 404


def test_a_kept_one_does_not_go_over_a_way_of_the_callers(connect: Connect, origin: ScriptedOrigin) -> None:
    """Who has not given it cannot lead it to a server of their own (storage.md 9.6.12)."""
    peer = connect()
    named = {**any_realm(origin), "host": "kept.test"}
    methods = {"basicOverCleartext": True}
    put(peer, peer.open("giver"), named, {**BASIC, "persistence": "permanent"})
    resolve = {"addresses": {"resolve": {f"kept.test:{origin.port}": "127.0.0.1"}}, "methods": methods}
    origin.serve("/page", reply())
    url = f"http://kept.test:{origin.port}/page"
    assert peer.fetch(peer.open(configuration=resolve), url)["status"] == 200
    assert traces_in(origin.received()) == []


def test_a_source_gives_it(scene: SourceScene, origin: ScriptedOrigin) -> None:
    path = scene.file(TOKEN)
    peer = scene.peer(pages={"kind": "file", "path": path})
    session = peer.open()
    url = origin.serve("/page", silent(BearerGuard("staff", TOKEN), 404))
    put(peer, session, any_realm(origin, "bearer"), {"source": "pages", **FIRST})
    assert peer.fetch(session, url)["status"] == 200
    (entry,) = listed(peer, session)
    assert (entry["preemptive"], entry["source"], entry["sourceName"]) == (True, "named", "pages")


def test_a_rotated_token_of_a_source_goes_with_the_first_request(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    path = scene.file(TOKEN + "1")
    peer = scene.peer(pages={"kind": "file", "path": path})
    session = peer.open()
    guard = BearerGuard("staff", TOKEN + "1")

    async def script(exchange: Exchange) -> None:
        known = f"Bearer {guard.token}"
        given = exchange.request.authorization
        await exchange.respond(200 if given == known else 401 if given else 404, [], b"")

    url = origin.serve("/page", script)
    put(peer, session, any_realm(origin, "bearer"), {"source": "pages", **FIRST})
    assert peer.fetch(session, url)["status"] == 200
    guard.token = TOKEN + "2"
    scene.file(TOKEN + "2")
    assert peer.fetch(session, url)["status"] == 200
    result = peer.fetch(session, url, metrics=True)
    assert (result["status"], exchanges(result)) == (200, 1)
    assert listed(peer, session)[0]["preemptive"] is True


def test_a_real_server_takes_it_at_once(peer: Peer, nginx: Nginx) -> None:
    session, earlier = peer.open(), len(nginx.exchanges())
    named = {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": nginx.plain_port,
        "authenticationMethod": "basic",
    }
    put(peer, session, named, {**password(nginx.user, nginx.password), **FIRST})
    for path, status in (("/staff/small", 200), ("/none", 404), ("/small", 200)):
        result = peer.fetch(session, nginx.plain + path, metrics=True)
        assert (result["status"], exchanges(result)) == (status, 1)
    mine = nginx.exchanges()[earlier:]
    assert {line.user for line in mine if line.target == "/staff/small"} == {nginx.user}
