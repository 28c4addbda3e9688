"""What each server is really sent: no credential reaches another hop than its own."""

from __future__ import annotations

import base64
import ssl
from collections.abc import Callable, Iterator

import pytest

from Integration.proxies.scene import Roots, basic
from Integration.wire import Json, Peer, kind_of, password
from Support.relaying_proxy import ProxyRequest, RelayingProxy, Verdict, wants
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, redirect, reply

Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]

#: One secret for each server; in base64 they have no part in common.
SECRETS = {
    "proxy a": ("ann", "sentinel-Kq71-proxy-a"),
    "proxy b": ("bob", "Xsentinel-Zv93-proxy-b"),
    "origin a": ("carl", "XYsentinel-Pm26-origin-a"),
    "origin b": ("dora", "XYZsentinel-Tj48-origin-b"),
}


def credential(name: str) -> Json:
    return password(*SECRETS[name])


def field(name: str) -> str:
    return basic(*SECRETS[name])


def traces(name: str) -> list[bytes]:
    """The secret as it is, in its field, and percent-encoded with its user."""
    user, secret = SECRETS[name]
    return [secret.encode(), base64.b64encode(f"{user}:{secret}".encode())]


def secrets_in(data: bytes) -> set[str]:
    return {name for name in SECRETS if any(trace in data for trace in traces(name))}


def seen_by(server: RelayingProxy | ScriptedOrigin) -> set[str]:
    """Whose secrets the server was sent."""
    if isinstance(server, ScriptedOrigin):
        return secrets_in(server.received())
    return secrets_in(b"".join(request.raw for request in server.requests))


@pytest.fixture
def proxies() -> Iterator[Callable[[str], RelayingProxy]]:
    made: list[RelayingProxy] = []

    def make(name: str) -> RelayingProxy:
        made.append(RelayingProxy(wants(field(name), f'Basic realm="{name}"')))
        return made[-1]

    yield make
    for proxy in made:
        proxy.stop()


Proxies = Callable[[str], RelayingProxy]


def page(name: str) -> list[Callable[..., Json]]:
    """An origin's page behind Basic."""
    return [challenged(f'Basic realm="{name}"'), reply()]


def run(peer: Peer, session: str, url: str, **members: Json) -> Json:
    """The result of a fetch each of whose challenges gets the credential for its realm."""
    fetch = peer.start_fetch(session, url, **members)
    while True:
        message = peer.next_message()
        if message.get("id") == fetch:
            return message["result"]
        if message.get("method") == "task/didReceiveChallenge":
            challenge = message["params"]
            peer.answer(challenge, credential(challenge["protectionSpace"]["realm"]))


def open_session(peer: Peer, proxies: Json, roots: Roots, **configuration: Json) -> str:
    return peer.open(
        configuration={"proxies": proxies, **roots, **configuration},
        delegate={"tasks": ["basic"], "session": []},
    )


@pytest.mark.parametrize("is_secure", [False, True], ids=["http", "https"])
def test_a_proxys_credential_reaches_no_origin_and_an_origins_no_tunnel(
    connect: Connect,
    proxies: Proxies,
    origins: Origins,
    tls_context: ssl.SSLContext,
    roots: Roots,
    is_secure: bool,
) -> None:
    proxy, origin = proxies("proxy a"), origins(tls_context if is_secure else None)
    url = origin.serve("/page", *page("origin a"))
    peer = connect()
    session = open_session(peer, {"all": proxy.url}, roots)
    for _ in range(2):
        assert run(peer, session, url)["status"] == 200
    assert seen_by(origin) == {"origin a"}
    # Without a tunnel the proxy forwards what is for the origin.
    assert seen_by(proxy) == ({"proxy a"} if is_secure else {"proxy a", "origin a"})
    assert b"proxy-authorization" not in origin.received().lower()


def test_a_cookie_of_a_proxys_refusal_is_not_the_origins(
    connect: Connect, origin: ScriptedOrigin, roots: Roots
) -> None:
    cookie = ("Set-Cookie", "proxysession=1; Path=/")

    def judge(request: ProxyRequest) -> Verdict:
        refusal = (("Proxy-Authenticate", 'Basic realm="proxy a"'), cookie)
        return Verdict(True) if request.authorization else Verdict(False, refusal)

    proxy = RelayingProxy(judge)
    peer = connect()
    session = open_session(peer, {"all": proxy.url}, roots)
    url = origin.serve("/page", reply(headers=[("Set-Cookie", "own=1; Path=/")]))
    for _ in range(2):
        assert run(peer, session, url)["status"] == 200
    kept = peer.call("cookie/list", {"session": session})["cookies"]
    assert [cookie["name"] for cookie in kept] == ["own"]
    assert [request.header("Cookie") for request in proxy.requests] == [None, None, "own=1"]
    proxy.stop()


def test_two_proxies_of_a_session_get_their_own(
    connect: Connect, proxies: Proxies, origins: Origins, tls_context: ssl.SSLContext, roots: Roots
) -> None:
    first, second = proxies("proxy a"), proxies("proxy b")
    plain, secure = origins(), origins(tls_context)
    peer = connect()
    session = open_session(peer, {"http": first.url, "https": second.url}, roots)
    for _ in range(2):
        for origin in (plain, secure):
            assert run(peer, session, origin.serve("/open", reply()))["status"] == 200
    assert (seen_by(first), seen_by(second)) == ({"proxy a"}, {"proxy b"})
    assert seen_by(plain) | seen_by(secure) == set()


def test_a_task_with_another_proxy_takes_no_credential_there(
    connect: Connect, proxies: Proxies, origin: ScriptedOrigin, roots: Roots
) -> None:
    first, second = proxies("proxy a"), proxies("proxy b")
    peer = connect()
    session = open_session(peer, {"all": first.url}, roots)
    url = origin.serve("/open", reply())
    assert run(peer, session, url)["status"] == 200
    assert run(peer, session, url, proxies={"all": second.url})["status"] == 200
    assert run(peer, session, url)["status"] == 200
    assert (seen_by(first), seen_by(second)) == ({"proxy a"}, {"proxy b"})


@pytest.mark.parametrize("is_secure", [False, True], ids=["http", "https"])
def test_two_origins_behind_one_proxy_get_their_own(
    connect: Connect,
    proxies: Proxies,
    origins: Origins,
    tls_context: ssl.SSLContext,
    roots: Roots,
    is_secure: bool,
) -> None:
    proxy = proxies("proxy a")
    context = tls_context if is_secure else None
    first, second = origins(context), origins(context)
    peer = connect()
    session = open_session(peer, {"all": proxy.url}, roots)
    pages = [first.serve("/page", *page("origin a")), second.serve("/page", *page("origin b"))]
    for url in (*pages, *pages):
        assert run(peer, session, url)["status"] == 200
    assert (seen_by(first), seen_by(second)) == ({"origin a"}, {"origin b"})


#: A caller's fields that carry a secret: of the task, and of its session.
FIELDS = [["Authorization", field("origin a")], ["Cookie", f"own={SECRETS['origin a'][1]}"]]


@pytest.mark.parametrize("place", ["task", "session"])
@pytest.mark.parametrize("is_secure", [False, True], ids=["http to https", "https to https"])
def test_a_redirect_through_proxies_takes_no_secret_to_another_origin(
    connect: Connect,
    proxies: Proxies,
    origins: Origins,
    tls_context: ssl.SSLContext,
    roots: Roots,
    is_secure: bool,
    place: str,
) -> None:
    first, second = proxies("proxy a"), proxies("proxy b")
    start, end = origins(tls_context if is_secure else None), origins(tls_context)
    target = end.serve("/end", reply())
    url = start.serve("/start", redirect(target.replace("//", "//eve:from-location@")))
    peer = connect()
    of_session = {"headers": FIELDS} if place == "session" else {}
    own = ["X-Api-Key", SECRETS["origin a"][1]]
    of_task = {"headers": [*FIELDS, own], "sensitiveHeaders": ["X-Api-Key"]} if place == "task" else {}
    session = open_session(peer, {"http": first.url, "https": second.url}, roots, **of_session)
    result = run(peer, session, url, **of_task)
    assert (result["status"], len(result["redirects"])) == (200, 1)
    assert "origin a" in seen_by(start)
    assert b"authorization" not in end.received().lower() and b"cookie" not in end.received().lower()
    assert b"from-location" not in end.received()
    assert seen_by(end) == set()
    for proxy, name in ((first, "proxy a"), (second, "proxy b")):
        for request in proxy.requests:
            if request.method == "CONNECT":
                assert secrets_in(request.raw) <= {name}


def test_a_redirect_from_https_to_http_is_refused_before_a_proxy_sees_it(
    connect: Connect, proxies: Proxies, origins: Origins, tls_context: ssl.SSLContext, roots: Roots
) -> None:
    plain_proxy, tunnel_proxy = proxies("proxy a"), proxies("proxy b")
    plain, secure = origins(), origins(tls_context)
    url = secure.serve("/start", redirect(plain.serve("/end", reply())))
    peer = connect()
    session = open_session(peer, {"http": plain_proxy.url, "https": tunnel_proxy.url}, roots)
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), credential("proxy b"))
    assert kind_of(peer.result, fetch) == "redirectRefused"
    assert (plain_proxy.requests, plain.requests) == ([], [])


@pytest.mark.parametrize("is_secure", [False, True], ids=["http", "https"])
def test_userinfo_of_a_url_is_for_its_origin_and_that_of_a_proxy_for_the_proxy(
    connect: Connect,
    proxies: Proxies,
    origins: Origins,
    tls_context: ssl.SSLContext,
    roots: Roots,
    is_secure: bool,
) -> None:
    def with_userinfo(url: str, name: str) -> str:
        return url.replace("//", "//{}:{}@".format(*SECRETS[name]))

    proxy = proxies("proxy a")
    context = tls_context if is_secure else None
    first, second = origins(context), origins(context)
    peer = connect()
    session = open_session(peer, {"all": with_userinfo(proxy.url, "proxy a")}, roots)
    end = second.serve("/end", challenged('Basic realm="x"'))
    first.serve("/page", challenged('Basic realm="origin a"'), redirect(end))
    fetch = peer.start_fetch(session, with_userinfo(first.url, "origin a") + "/page")
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["port"] == second.port
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401
    assert (seen_by(first), seen_by(second)) == ({"origin a"}, set())
    for request in proxy.requests:
        assert b"@" not in request.raw.partition(b"\r\n")[0], "no userinfo is in a target"
    if is_secure:
        assert seen_by(proxy) == {"proxy a"}
