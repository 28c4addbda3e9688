"""Keys in header fields of their own (storage.md 9.4.9 to 9.4.14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.credentials.scene import SourceScene, exchanges, explain, listed, put, space, staff
from Integration.restrictions import reason, restrict, rule
from Integration.sentinels import PASSWORD, TOKEN, USER
from Integration.vault.scene import restart
from Integration.wire import Json, Peer, RemoteError, kind_of, password
from Support import loopback
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, redirect, reply

pytestmark = pytest.mark.core
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]

FIELD = "X-Api-Key"
KEY = {"token": TOKEN}


def named(origin: ScriptedOrigin, field: str | None = FIELD, **members: Json) -> Json:
    given = space(origin, method="key")
    del given["realm"]
    return {**given, **({} if field is None else {"field": field}), **members}


def keyed(
    origin: ScriptedOrigin, path: str, field: str = FIELD, value: str = TOKEN, status: int = 403
) -> str:
    """A page of a server that denies it to whoever has no key, and never asks."""

    async def script(exchange: Exchange) -> None:
        known = exchange.request.all(field) == [value]
        await exchange.respond(200 if known else status, [], b"page")

    return origin.serve(path, script)


def sent(origin: ScriptedOrigin, field: str = FIELD) -> list[list[str]]:
    return [request.all(field) for request in origin.requests]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_server_gets_the_key_with_the_first_request(
    peer: Peer, origin: ScriptedOrigin, status: int
) -> None:
    session = peer.open()
    url = keyed(origin, "/v1/x", status=status)
    assert peer.fetch(session, url)["status"] == status
    put(peer, session, named(origin), KEY)
    result = peer.fetch(session, url, metrics=True)
    assert (result["status"], exchanges(result)) == (200, 1)
    assert result["metrics"]["exchanges"][0]["authenticationMethod"] == "key"
    (entry,) = listed(peer, session)
    assert entry["protectionSpace"]["field"] == "x-api-key"
    assert "realm" not in entry["protectionSpace"]
    assert (entry["kind"], entry["user"], entry["preemptive"], entry["uses"]) == ("token", None, True, 1)
    assert peer.counter("credentials.preemptive") == 1
    assert explain(peer, session, url)["keys"] == [{"field": "x-api-key", "source": "session"}]
    (accepted,) = peer.call("credential/history", {"origin": origin.url})["entries"]
    assert (accepted["outcome"], accepted["field"], accepted["realm"]) == ("accepted", "x-api-key", None)
    assert peer.leaks() == []


def test_a_prefix_stands_in_front_of_it(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = keyed(origin, "/x", "X-Auth", f"Token {TOKEN}")
    put(peer, session, named(origin, "X-Auth"), {**KEY, "prefix": "Token "})
    assert peer.fetch(session, url)["status"] == 200
    assert listed(peer, session)[0]["prefix"] == "Token "


def test_a_key_stays_below_its_paths(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    origin.serve("/*", reply())
    put(peer, session, named(origin), {"token": TOKEN + "one", "limits": {"pathPrefixes": ["/one/"]}})
    put(peer, session, named(origin), {"token": TOKEN + "deep", "limits": {"pathPrefixes": ["/one/deep/"]}})
    for path in ("/one/x", "/one/deep/x", "/two/x", "/one/%2e%2e/two/x", "/"):
        peer.fetch(session, origin.url + path)
    assert sent(origin) == [[TOKEN + "one"], [TOKEN + "deep"], [], [], []]
    params = {"session": session, "protectionSpace": named(origin), "path": "/one/"}
    assert peer.call("credential/remove", params) == {"removed": 1}
    assert [entry["limits"]["pathPrefixes"] for entry in listed(peer, session)] == [["/one/deep/"]]


def test_keys_of_several_fields_and_a_password_go_together(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(delegate={"tasks": ["*"]})
    url = staff(origin)
    put(peer, session, named(origin), KEY)
    put(peer, session, named(origin, "PRIVATE-TOKEN"), {"token": TOKEN + "2"})
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert sent(origin) == [[TOKEN]] * 2
    assert sent(origin, "private-token") == [[TOKEN + "2"]] * 2
    assert [request.authorization is None for request in origin.requests] == [True, False]
    # The same request for a challenge is no other use.
    keys = [one for one in listed(peer, session) if one["protectionSpace"]["authenticationMethod"] == "key"]
    assert [one["uses"] for one in keys] == [1, 1]
    removal = {"session": session, "protectionSpace": named(origin, None)}
    assert peer.call("credential/remove", removal) == {"removed": 2}


@pytest.mark.parametrize("place", ["task", "session"])
def test_the_callers_own_field_is_sent_instead(peer: Peer, origin: ScriptedOrigin, place: str) -> None:
    own = [["x-api-KEY", "mine"]]
    session = peer.open(configuration={"headers": own} if place == "session" else {})
    origin.serve("/x", reply())
    put(peer, session, named(origin), KEY)
    peer.fetch(session, origin.url + "/x", **({"headers": own} if place == "task" else {}))
    assert sent(origin) == [["mine"]]
    assert listed(peer, session)[0]["uses"] == 0


def test_a_key_does_not_follow_a_redirect(peer: Peer, origins: Origins) -> None:
    origin, other = origins(), origins()
    session = peer.open()
    put(peer, session, named(origin), {**KEY, "limits": {"pathPrefixes": ["/in/"]}})
    origin.serve("/in/a", redirect("/out"))
    origin.serve("/out", redirect(other.url + "/x"))
    other.serve("/x", redirect(origin.serve("/in/end", reply())))
    assert peer.fetch(session, origin.url + "/in/a")["status"] == 200
    assert sent(origin) == [[TOKEN], [], [TOKEN]]
    assert TOKEN.encode() not in other.received()
    # The caller's own one carries a secret, too.
    peer.fetch(session, origin.url + "/out", headers=[[FIELD, "mine"]])
    assert sent(other) == [[], []]


def test_a_key_over_cleartext_needs_consent(peer: Peer, origin: ScriptedOrigin) -> None:
    origin.serve("/page", reply())
    resolve = {"addresses": {"resolve": {f"far.test:{origin.port}": "127.0.0.1"}}}
    far = f"http://far.test:{origin.port}/page"
    for name, methods in (("careful", {}), ("free", {"basicOverCleartext": True})):
        session = peer.open(name, configuration={**resolve, "methods": methods})
        put(peer, session, named(origin, host="far.test"), KEY)
        assert ("keys" in explain(peer, session, far)) is (name == "free")
        peer.fetch(session, far)
        assert bool(sent(origin)[-1]) is (name == "free")


def test_a_401_that_names_nothing_else_refuses_it(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(delegate={"tasks": ["*"]})
    for fields in ((), ("ApiKey realm=x",)):
        url = origin.serve("/x", challenged(*fields))
        put(peer, session, named(origin), KEY)
        assert peer.fetch(session, url)["status"] == 401
        assert listed(peer, session) == []
    peer.nothing_asked()
    assert sent(origin) == [[TOKEN]] * 2
    entries = peer.call("credential/history", {"origin": origin.url})["entries"]
    assert {(entry["outcome"], entry["field"]) for entry in entries} == {("refused", "x-api-key")}


def test_a_401_that_may_mean_something_else_keeps_it(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, named(origin), KEY)
    basic = origin.serve("/basic", challenged("Basic realm=staff"))
    assert peer.fetch(session, basic)["status"] == 401
    own = origin.serve("/own", challenged())
    assert peer.fetch(session, own, headers=[["Authorization", "Bearer x"]])["status"] == 401
    put(peer, session, named(origin, "PRIVATE-TOKEN"), KEY)
    assert peer.fetch(session, own)["status"] == 401
    assert len(listed(peer, session)) == 2


def test_its_limits_hold(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    origin.serve("/x", reply())
    put(peer, session, named(origin), {**KEY, "limits": {"maximumUses": 2, "methods": ["GET"]}})
    peer.fetch(session, origin.url + "/x", method="HEAD")
    for _ in range(3):
        peer.fetch(session, origin.url + "/x")
    assert sent(origin) == [[], [TOKEN], [TOKEN], []]
    assert listed(peer, session) == []


def test_with_confirm_the_giver_sends_it(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    origin.serve("/x", reply())
    put(peer, session, named(origin), {**KEY, "limits": {"confirm": True}})
    peer.fetch(session, origin.url + "/x")
    assert sent(origin) == [[TOKEN]]


def test_a_restricted_connection_cannot_set_the_field(
    peer: Peer, connect: Connect, origin: ScriptedOrigin
) -> None:
    session = peer.open("s")
    url = keyed(origin, "/v1/page")
    child = connect()
    restrict(child, "s", rule(origin.url, "/v1/*", headers=["X-Api-Key", "X_Api_Key", "X-Other"]))
    # Without a key of the session the rule's word counts.
    assert child.fetch(session, url, headers=[[FIELD, "mine"]])["status"] == 403
    put(peer, session, named(origin), KEY)
    assert child.fetch(session, url)["status"] == 200
    for name in ("X-Api-Key", "x-api-key", "X_Api_Key"):
        assert reason(child.fetch, session, url, headers=[[name, "mine"]]) == "field"
    assert child.fetch(session, url, headers=[["X-Other", "mine"]])["status"] == 200
    members = {"session": session, "protectionSpace": named(origin), "credential": KEY}
    assert kind_of(child.call, "credential/set", members) == "restricted"


def test_many_fetches_of_two_connections_carry_it(
    peer: Peer, connect: Connect, origin: ScriptedOrigin
) -> None:
    session = peer.open("shared")
    url = keyed(origin, "/x")
    put(peer, session, named(origin), KEY)
    other = connect()
    other.open("shared")
    fetches = [(one, one.start_fetch(session, url)) for one in (peer, other) for _ in range(20)]
    assert {one.result(fetch)["status"] for one, fetch in fetches} == {200}
    assert listed(peer, session)[0]["uses"] == 40


def test_a_permanent_key_serves_every_session_and_after_a_restart(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = keyed(origin, "/x", value=f"Token {TOKEN}")
    peer = connect()
    put(peer, "default", named(origin), {**KEY, "prefix": "Token ", "persistence": "permanent"})
    assert peer.fetch(peer.open(), url)["status"] == 200
    restart(daemon)
    peer = connect()
    session = peer.open()
    assert peer.fetch(session, url)["status"] == 200
    (entry,) = listed(peer, session)
    assert (entry["source"], entry["prefix"], entry["uses"]) == ("permanent", "Token ", 1)
    assert peer.fetch(peer.open(configuration={"credentialStorage": "private"}), url)["status"] == 403
    removal = {"session": session, "protectionSpace": named(origin)}
    assert peer.call("credential/remove", removal) == {"removed": 1}
    assert peer.fetch(session, url)["status"] == 403


def test_a_refused_permanent_key_is_gone(connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open()
    put(peer, session, named(origin), {**KEY, "persistence": "permanent"})
    assert peer.fetch(session, origin.serve("/x", challenged()))["status"] == 401
    assert listed(peer, session) == []


def test_a_kept_key_does_not_go_over_a_way_of_the_callers(connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect()
    put(peer, peer.open("giver"), named(origin, host="kept.test"), {**KEY, "persistence": "permanent"})
    resolve = {"addresses": {"resolve": {f"kept.test:{origin.port}": "127.0.0.1"}}}
    session = peer.open(configuration={**resolve, "methods": {"basicOverCleartext": True}})
    origin.serve("/page", reply())
    assert peer.fetch(session, f"http://kept.test:{origin.port}/page")["status"] == 200
    assert sent(origin) == [[]]


def test_a_source_gives_it_and_is_read_again(scene: SourceScene, origin: ScriptedOrigin) -> None:
    path = scene.file(TOKEN + "1")
    peer = scene.peer(pages={"kind": "file", "path": path})
    session = peer.open()
    expected = [TOKEN + "1"]

    async def script(exchange: Exchange) -> None:
        given = exchange.request.all(FIELD)
        await exchange.respond(200 if given == expected else 401 if given else 403, [], b"")

    url = origin.serve("/x", script)
    put(peer, session, named(origin), {"source": "pages"})
    assert peer.fetch(session, url)["status"] == 200
    (entry,) = listed(peer, session)
    assert (entry["source"], entry["sourceName"], entry["preemptive"]) == ("named", "pages", True)
    expected[0] = TOKEN + "2"
    scene.file(TOKEN + "2")
    assert peer.fetch(session, url)["status"] == 401
    # The next one has the source read, and those behind the reading have the new key.
    statuses = [peer.fetch(session, url)["status"]]
    while statuses[-1] != 200:
        assert len(statuses) < 100
        statuses.append(peer.fetch(session, url)["status"])
    assert listed(peer, session)[0]["sourceName"] == "pages"


@pytest.mark.parametrize(
    "field",
    [
        "Authorization",
        "Cookie",
        "Host",
        "Content-Type",
        "Transfer-Encoding",
        "Connection",
        "Range",
        "X_Forwarded_For",
    ],
)
def test_a_field_with_a_meaning_carries_no_key(peer: Peer, origin: ScriptedOrigin, field: str) -> None:
    members = {"session": peer.open(), "protectionSpace": named(origin, field), "credential": KEY}
    with pytest.raises(RemoteError) as caught:
        peer.call("credential/set", members)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", "params.protectionSpace.field")


def test_what_is_no_key_is_refused(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()

    def refused(space: Json, credential: Json) -> str:
        members = {"session": session, "protectionSpace": space, "credential": credential}
        return kind_of(peer.call, "credential/set", members)

    assert refused(named(origin, None), KEY) == "invalidParams"
    assert refused(named(origin, realm="r"), KEY) == "invalidParams"
    assert refused(named(origin, authenticationMethod="bearer"), KEY) == "invalidParams"
    assert refused(named(origin, "é"), KEY) == "invalidParams"
    assert refused(named(origin, "x" * 129), KEY) == "invalidParams"
    assert refused(named(origin), {**KEY, "prefix": "a\r\nb"}) == "invalidParams"
    assert refused(named(origin), {**KEY, "prefix": " a"}) == "invalidParams"
    assert refused(named(origin), {"token": "a\nb"}) == "credentialUnusable"
    assert refused(named(origin), password(USER, PASSWORD)) == "credentialUnusable"
    assert refused(named(origin, isProxy=True), KEY) == "credentialUnusable"
    bearer = {**named(origin, None), "authenticationMethod": "bearer"}
    assert refused(bearer, {**KEY, "prefix": "a"}) == "credentialUnusable"
    assert listed(peer, session) == []


@pytest.fixture(scope="module")
def keyed_nginx(run_directory: Path, authority: Authority) -> Iterator[tuple[Nginx, int]]:
    """nginx that answers 403 without the key, as gateways do; and the port where it does."""
    (port,) = loopback.free_ports(1)
    settings = (
        f'map $http_x_api_key $denied {{ default 1; "{TOKEN}" 0; }}'
        f"server {{ listen 127.0.0.1:{port} ssl http2; if ($denied) {{ return 403; }}"
        '  location / { return 200 "known"; } }'
    )
    server = Nginx(run_directory / "keyed", authority, USER, PASSWORD, settings)
    server.process.wait_until(lambda: loopback.accepts(port))
    yield server, port
    server.stop()


def test_a_gateway_takes_it_over_http2(
    peer: Peer, authority: Authority, keyed_nginx: tuple[Nginx, int]
) -> None:
    _, port = keyed_nginx
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
    url = f"https://localhost:{port}/v1/x"
    assert peer.fetch(session, url)["status"] == 403
    key = {
        "protocol": "https",
        "host": "localhost",
        "port": port,
        "authenticationMethod": "key",
        "field": FIELD,
    }
    put(peer, session, key, KEY)
    fetches = [peer.start_fetch(session, url, metrics=True) for _ in range(20)]
    results = [peer.result(fetch) for fetch in fetches]
    assert {(result["status"], result["metrics"]["protocol"]) for result in results} == {(200, "h2")}
    assert {exchanges(result) for result in results} == {1}
