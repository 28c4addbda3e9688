"""Over which connection an exchange was made, and what was sent (messages.md 5.2.8 to 5.2.11)."""

from __future__ import annotations

import base64
import json
import re
import socket
import ssl
from collections.abc import Callable, Iterator

import pytest

from Integration.restrictions import restrict, rule
from Integration.sentinels import PASSWORD, TOKEN, USER
from Integration.wire import Json, Peer, password
from Support.certificates import Authority
from Support.guards import BasicGuard, DigestGuard, guarded
from Support.nginx import Nginx
from Support.relaying_proxy import Judge, ProxyRequest, RelayingProxy, Verdict, every_request
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]

ASKED: dict[str, Json] = {"metrics": True, "exchangeDetails": True}


def details(result: Json) -> list[Json]:
    return [exchange["details"] for exchange in result["metrics"]["exchanges"]]


def fields(details: Json, index: int = -1) -> dict[str, str]:
    """The fields of one of the requests; each has to be there once."""
    headers = details["requests"][index]["headers"]
    names = [name.lower() for name, _ in headers]
    assert len(set(names)) == len(names)
    return {name.lower(): value for name, value in headers}


@pytest.fixture
def trusting(authority: Authority) -> Json:
    return {"tls": {"roots": {"certificates": authority.pem}}}


def test_they_come_only_when_they_are_asked_for(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = origin.serve("/", reply())
    (exchange,) = peer.fetch(session, url, metrics=True)["metrics"]["exchanges"]
    assert "details" not in exchange
    assert "metrics" not in peer.fetch(session, url, exchangeDetails=True)


def test_a_new_and_an_open_connection_in_cleartext(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = origin.serve("/a", reply())
    (first,) = details(peer.fetch(session, url, headers=[["X-Name", "value"]], **ASKED))
    (second,) = details(peer.fetch(session, url, **ASKED))
    assert (first["reused"], second["reused"]) == (False, True)
    for shown in (first, second):
        assert shown["remoteAddress"] == f"127.0.0.1:{origin.port}"
        assert shown["isProxyConnection"] is False
        assert shown.keys() == {"remoteAddress", "isProxyConnection", "reused", "requests"}
        (head,) = shown["requests"]
        assert head["line"] == "GET /a HTTP/1.1"
    assert fields(first)["x-name"] == "value"
    for shown, request in zip((first, second), origin.requests, strict=True):
        sent = [(name.lower(), value) for name, value in request.headers]
        assert [(name.lower(), value) for name, value in shown["requests"][0]["headers"]] == sent


@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_what_tls_has_agreed_on(peer: Peer, nginx: Nginx, trusting: Json, version: str) -> None:
    session = peer.open(configuration=trusting)
    tls = {"maximumVersion": version}
    shown = [details(peer.fetch(session, nginx.tls + "/small", tls=tls, **ASKED))[0] for _ in range(2)]
    assert [each["reused"] for each in shown] == [False, True]
    for each in shown:
        assert each["tlsVersion"] == version
        pattern = "TLS_ECDHE_.*" if version == "1.2" else "TLS_(AES|CHACHA20)_.*"
        assert re.fullmatch(pattern, each["cipherSuite"])
        assert each["certificate"]["issuer"] == "CN=Watchword test root"
        assert each["certificate"]["pem"].startswith("-----BEGIN CERTIFICATE-----")
        assert each["remoteAddress"] == "127.0.0.1:" + nginx.tls.rpartition(":")[2]


@pytest.mark.parametrize("scheme", ["plain", "tls", "http2"])
def test_a_large_head_is_told_whole_or_not(peer: Peer, nginx: Nginx, trusting: Json, scheme: str) -> None:
    """libcurl may write it in several parts, each of which could begin in the middle of a secret."""
    session = peer.open(configuration=trusting)
    headers = [[f"X-{number}", "x" * 7000] for number in range(4)] + [["X-Mine", TOKEN * 200]]
    url = getattr(nginx, scheme) + "/small"
    result = peer.fetch(session, url, headers=headers, sensitiveHeaders=["X-Mine"], **ASKED)
    for head in details(result)[0]["requests"]:
        assert {len(value) for name, value in head["headers"] if name.lower().startswith("x-")} == {7000, 8}
    assert TOKEN not in json.dumps(result)


def test_http2(peer: Peer, nginx: Nginx, trusting: Json) -> None:
    session = peer.open(configuration=trusting)
    url = nginx.http2 + "/staff/small"
    result = peer.fetch(session, url, headers=[["Cookie", f"c={TOKEN}"]], **ASKED)
    (shown,) = details(result)
    assert result["metrics"]["protocol"] == "h2"
    assert (shown["reused"], shown["tlsVersion"]) == (False, "1.3")
    assert shown["requests"][0]["line"] == "GET /staff/small HTTP/2"
    assert fields(shown)["cookie"] == "<secret>"
    assert fields(shown)["host"] == nginx.http2.removeprefix("https://")
    assert TOKEN not in json.dumps(result)


@pytest.mark.parametrize("guard", [BasicGuard, DigestGuard])
def test_after_a_401_without_the_secret(
    peer: Peer, origins: Origins, tls_context: ssl.SSLContext, trusting: Json, guard: type[BasicGuard]
) -> None:
    origin = origins(tls_context)
    session = peer.open(configuration=trusting, tasks=["basic", "digest"])
    url = origin.serve("/staff", guarded(guard("r", USER, PASSWORD)))
    fetch = peer.start_fetch(session, url, **ASKED)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    result = peer.result(fetch)
    first, second = details(result)
    assert "authorization" not in fields(first)
    scheme = "Basic" if guard is BasicGuard else "Digest"
    assert fields(second)["authorization"] == f"{scheme} <secret>"
    assert (first["reused"], second["reused"]) == (False, True)
    assert first["certificate"] == second["certificate"]
    assert first["certificate"]["subject"] == "CN=scripted"
    assert PASSWORD not in json.dumps(result)
    (value,) = origin.requests[-1].all("authorization")
    assert value.partition(" ")[2] not in json.dumps(result)


def test_secrets_of_the_caller_and_of_the_session(peer: Peer, origin: ScriptedOrigin) -> None:
    """Cookies that are kept, a key in a field of its own, and a field that the caller marks."""
    session = peer.open()
    peer.fetch(session, origin.serve("/set", reply(headers=[("Set-Cookie", "sid=of-the-session")])))
    space = {"protocol": "http", "host": "127.0.0.1", "port": origin.port, "authenticationMethod": "key"}
    key = {"token": f"{TOKEN}-key", "persistence": "forSession"}
    peer.call(
        "credential/set",
        {"session": session, "protectionSpace": {**space, "field": "X-Api-Key"}, "credential": key},
    )
    given = [["X-Mine", f"{TOKEN}-mine"], ["X-Open", "open"], ["X-Octets", {"base64": "Y2Fm6Q=="}]]
    url = origin.serve("/", reply())
    result = peer.fetch(session, url, headers=given, sensitiveHeaders=["x-mine"], **ASKED)
    (shown,) = details(result)
    sent = origin.requests[-1]
    for name in ("cookie", "x-api-key", "x-mine", "x-octets"):
        assert len(sent.all(name)) == 1
        assert fields(shown)[name] == "<secret>"
    assert fields(shown)["x-open"] == "open"
    assert "of-the-session" not in json.dumps(result)
    assert TOKEN not in json.dumps(result)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (f"Bearer {TOKEN}", "Bearer <secret>"),
        (TOKEN, "<secret>"),
        (f"{TOKEN} x", "<secret>"),
        ("Bearer", "<secret>"),
    ],
)
def test_an_authorization_of_the_caller(peer: Peer, origin: ScriptedOrigin, value: str, shown: str) -> None:
    url = origin.serve("/", reply())
    (told,) = details(peer.fetch(peer.open(), url, headers=[["Authorization", value]], **ASKED))
    assert origin.requests[-1].all("authorization") == [value]
    assert fields(told)["authorization"] == shown


def test_a_body_is_no_part_of_them(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    result = peer.fetch(peer.open(), url, method="POST", body={"text": f"a={TOKEN}"}, **ASKED)
    (shown,) = details(result)
    (head,) = shown["requests"]
    assert head["line"] == "POST / HTTP/1.1"
    assert fields(shown)["content-length"] == str(len(TOKEN) + 2)
    assert TOKEN not in json.dumps(result)


@pytest.fixture
def proxies() -> Iterator[Callable[[Judge], RelayingProxy]]:
    made: list[RelayingProxy] = []

    def make(judge: Judge) -> RelayingProxy:
        made.append(RelayingProxy(judge))
        return made[-1]

    yield make
    for proxy in made:
        proxy.stop()


def test_a_tunnel_is_asked_for_first(
    peer: Peer, proxies: Callable[[Judge], RelayingProxy], nginx: Nginx, trusting: Json
) -> None:
    proxy = proxies(every_request)
    session = peer.open(configuration={**trusting, "proxies": {"all": proxy.url}})
    first, second = (details(peer.fetch(session, nginx.tls + "/small", **ASKED))[0] for _ in range(2))
    assert [head["line"].partition(" HTTP")[0] for head in first["requests"]] == [
        f"CONNECT {nginx.tls.removeprefix('https://')}",
        "GET /small",
    ]
    assert [head["line"] for head in second["requests"]] == ["GET /small HTTP/1.1"]
    assert (first["reused"], second["reused"]) == (False, True)
    for shown in (first, second):
        assert shown["isProxyConnection"] is True
        assert shown["remoteAddress"] == proxy.url.removeprefix("http://")
        assert shown["tlsVersion"] == "1.3"
        assert shown["certificate"]["issuer"] == "CN=Watchword test root"


def test_a_proxy_is_sent_the_credential_without_its_secret(
    peer: Peer, proxies: Callable[[Judge], RelayingProxy], nginx: Nginx, trusting: Json
) -> None:
    """Both to the proxy itself and in a request for a tunnel, which tells its head as it comes."""
    expected = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    def judge(request: ProxyRequest) -> Verdict:
        passes = request.authorization == f"Basic {expected}"
        return Verdict(passes, () if passes else (("Proxy-Authenticate", 'Basic realm="corp"'),))

    proxy = proxies(judge)
    session = peer.open(configuration={**trusting, "proxies": {"all": proxy.url}}, tasks=["basic", "digest"])
    params = {"session": session, "url": nginx.tls + "/small", **ASKED}
    peer.call("task/start", params)
    refused = peer.notification("task/didReceiveHead")
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    agreed = peer.notification("task/didReceiveHead")
    taken = peer.notification("task/didReceiveResponse")
    lines = [
        [head["line"].split()[0] for head in each["details"]["requests"]] for each in (refused, agreed, taken)
    ]
    assert lines == [["CONNECT"], ["CONNECT"], ["GET"]]
    assert "proxy-authorization" not in fields(refused["details"])
    assert fields(agreed["details"])["proxy-authorization"] == "Basic <secret>"
    assert "proxy-authorization" not in fields(taken["details"])
    whole = details(peer.notification("task/didFinish"))
    assert [len(each["requests"]) for each in whole] == [1, 2]
    (plain,) = details(peer.fetch(session, nginx.plain + "/small", **ASKED))
    assert fields(plain)["proxy-authorization"] == "Basic <secret>"
    assert plain["requests"][0]["line"] == f"GET {nginx.plain}/small HTTP/1.1"
    assert plain["isProxyConnection"] is True


def test_each_head_of_a_task_has_them(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["basic", "digest"])
    url = origin.serve("/old", redirect("/staff"))
    origin.serve("/staff", guarded(BasicGuard("r", USER, PASSWORD)))
    peer.call("task/start", {"session": session, "url": url, "exchangeDetails": True})
    moved = peer.notification("task/didRedirect")["details"]
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    refused = peer.notification("task/didReceiveHead")["details"]
    taken = peer.notification("task/didReceiveResponse")["details"]
    assert [each["requests"][0]["line"] for each in (moved, refused, taken)] == [
        "GET /old HTTP/1.1",
        "GET /staff HTTP/1.1",
        "GET /staff HTTP/1.1",
    ]
    assert [each["reused"] for each in (moved, refused, taken)] == [False, True, True]
    assert fields(taken)["authorization"] == "Basic <secret>"
    peer.notification("task/didFinish")


def test_a_restricted_connection_gets_none(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    peer.open("s", session=["*"])
    child = connect()
    restrict(child, "s", rule(origin.url, "/*"))
    (exchange,) = child.fetch("s", url, **ASKED)["metrics"]["exchanges"]
    assert exchange["status"] == 200 and "details" not in exchange
    child.call("task/start", {"url": url, "exchangeDetails": True})
    assert "details" not in child.notification("task/didReceiveResponse")


def test_the_memory_of_many_is_bounded(peer: Peer, origin: ScriptedOrigin) -> None:
    """The details of later exchanges are left out, and their metrics are not."""
    session = peer.open(configuration={"redirects": {"limit": 20}})
    for number in range(20):
        origin.serve(f"/{number}", redirect(f"/{number + 1}"))
    origin.serve("/20", reply())
    large = [["X-Large", "x" * 30_000]]
    result = peer.fetch(session, origin.url + "/0", headers=large, **ASKED)
    shown = ["details" in exchange for exchange in result["metrics"]["exchanges"]]
    assert len(shown) == 21 and shown[0] and not shown[-1]
    assert shown == sorted(shown, reverse=True)


def test_ipv6(peer: Peer) -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as server:
        url = f"http://[::1]:{server.getsockname()[1]}/"
        fetch = peer.start_fetch(peer.open(), url, **ASKED)
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            (shown,) = details(peer.result(fetch))
    assert shown["remoteAddress"] == url.removeprefix("http://").rstrip("/")
