"""What one task excludes: redirects, versions of TLS, HTTP and IP, speed (messages.md 5.1.8 to 5.1.11)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.restrictions import restrict, rule
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]


@pytest.fixture
def chain(origin: ScriptedOrigin) -> str:
    """Three redirects, then a page."""
    origin.serve("/3", reply(body=b"the end"))
    for number in range(3):
        origin.serve(f"/{number}", redirect(f"/{number + 1}"))
    return f"{origin.url}/0"


@pytest.fixture
def trusting(peer: Peer, authority: Authority) -> str:
    """A session that trusts the tests' authority."""
    return peer.open(configuration=trusted(authority))


def trusted(authority: Authority, **tls: str) -> Json:
    roots = {"certificates": authority.certificate.read_text(), "exclusive": True}
    return {"tls": {"roots": roots, **tls}}


def spoken(peer: Peer, session: str, url: str, **members: object) -> tuple[str, bool]:
    """The protocol of the task's exchange, and whether its connection was there before."""
    metrics = peer.fetch(session, url, metrics=True, **members)["metrics"]
    return metrics["protocol"], metrics["reused"]


def test_a_task_has_its_own_limit_of_redirects(peer: Peer, chain: str) -> None:
    session = peer.open(configuration={"redirects": {"limit": 2}})
    assert kind_of(peer.fetch, session, chain) == "tooManyRedirects"
    assert peer.fetch(session, chain, redirects={"limit": 3})["status"] == 200
    assert kind_of(peer.fetch, session, chain, redirects={"limit": 0}) == "tooManyRedirects"
    assert kind_of(peer.fetch, session, chain, redirects={}) == "tooManyRedirects", "left out: the session's"
    assert peer.fetch(session, chain, redirects={"limit": 0}, followRedirects=False)["status"] == 302


def test_a_restricted_task_is_led_no_farther_than_its_session(
    peer: Peer, connect: Connect, chain: str, origin: ScriptedOrigin
) -> None:
    peer.open("s", configuration={"redirects": {"limit": 2}})
    child = connect()
    restrict(child, "s", rule(origin.url, "/*"))
    assert kind_of(child.fetch, "s", chain, redirects={"limit": 50}) == "tooManyRedirects"
    assert kind_of(child.fetch, "s", chain, redirects={"limit": 1}) == "tooManyRedirects"
    assert child.fetch("s", f"{origin.url}/2", redirects={"limit": 1})["status"] == 200


def test_versions_have_connections_of_their_own(peer: Peer, trusting: str, nginx: Nginx) -> None:
    url = f"{nginx.http2}/small"
    assert spoken(peer, trusting, url) == ("h2", False)
    assert spoken(peer, trusting, url, httpVersions=["1.1"]) == ("http/1.1", False)
    assert spoken(peer, trusting, url, httpVersions=["1.1"]) == ("http/1.1", True)
    assert spoken(peer, trusting, url, tls={"maximumVersion": "1.2"}) == ("h2", False)
    assert spoken(peer, trusting, url, tls={"minimumVersion": "1.3"}) == ("h2", False)
    assert spoken(peer, trusting, url, tls={"minimumVersion": "1.3"}) == ("h2", True)
    assert spoken(peer, trusting, url) == ("h2", True), "the first connection"
    everything = {"tls": {"minimumVersion": "1.2", "maximumVersion": "1.3"}, "httpVersions": ["1.1", "2"]}
    assert spoken(peer, trusting, url, **everything) == ("h2", True), "nothing is excluded"


def test_an_http_origin_has_one_kind_of_connection(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    session = peer.open()
    assert spoken(peer, session, url) == ("http/1.1", False)
    assert spoken(peer, session, url, httpVersions=["1.1"], tls={"minimumVersion": "1.3"}) == (
        "http/1.1",
        True,
    )


def test_a_task_adds_no_version(connect: Connect, authority: Authority, nginx: Nginx) -> None:
    peer = connect()
    url = f"{nginx.http2}/small"
    old = peer.open(configuration={**trusted(authority, maximumVersion="1.2"), "httpVersions": ["1.1"]})
    assert spoken(peer, old, url, httpVersions=["2", "1.1"], tls={"maximumVersion": "1.3"})[0] == "http/1.1"
    for session, tls, path in (
        (old, {"minimumVersion": "1.3"}, "params.tls.minimumVersion"),
        (
            peer.open(configuration={"tls": {"minimumVersion": "1.3"}}),
            {"maximumVersion": "1.2"},
            "params.tls.maximumVersion",
        ),
        ("default", {"minimumVersion": "1.3", "maximumVersion": "1.2"}, "params.tls.maximumVersion"),
        ("default", {"minimumVersion": "1.1"}, "params.tls.minimumVersion"),
    ):
        with pytest.raises(RemoteError) as caught:
            peer.fetch(session, url, tls=tls)
        assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)


def test_a_task_cannot_go_below_the_policy(
    governed: Callable[[Json], tuple[Daemon, Peer]], authority: Authority, nginx: Nginx
) -> None:
    _, peer = governed({"domains": [{"domain": "localhost", "minimumTLSVersion": "1.3"}]})
    session = peer.open(configuration=trusted(authority))
    url = f"{nginx.http2}/small"
    assert peer.fetch(session, url)["status"] == 200
    assert kind_of(peer.fetch, session, url, tls={"maximumVersion": "1.2"}) == "tlsFailed"


def test_one_kind_of_addresses_has_connections_of_its_own(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    session = peer.open()
    assert spoken(peer, session, url) == ("http/1.1", False)
    assert spoken(peer, session, url, ipVersion="4") == ("http/1.1", False)
    assert spoken(peer, session, url, ipVersion="4") == ("http/1.1", True)
    assert spoken(peer, session, url) == ("http/1.1", True)
    assert len(origin.connections) == 2


def test_the_other_kind_of_addresses_is_not_connected_to(peer: Peer, origin: ScriptedOrigin) -> None:
    four = origin.serve("/", reply(body=b"4"))
    six = ScriptedOrigin(host="[::1]", address="::1", port=origin.port)
    six.serve("/", reply(body=b"6"))
    name = f"http://name.test:{origin.port}/"
    key = f"name.test:{origin.port}"
    on_four = peer.open(configuration={"addresses": {"resolve": {key: "127.0.0.1"}}})
    on_six = peer.open(configuration={"addresses": {"resolve": {key: "::1"}}})
    assert peer.fetch(on_four, name, ipVersion="4")["body"] == {"text": "4"}
    assert peer.fetch(on_six, name, ipVersion="6")["body"] == {"text": "6"}
    asked = len(origin.requests) + len(six.requests)
    for session, url, version, kind in (
        (on_four, name, "6", "nameNotResolved"),
        (on_six, name, "4", "nameNotResolved"),
        (on_four, four, "6", "connectionFailed"),
        (on_four, six.url + "/", "4", "connectionFailed"),
    ):
        assert kind_of(peer.fetch, session, url, ipVersion=version) == kind, (url, version)
    assert len(origin.requests) + len(six.requests) == asked
    six.stop()


def test_the_proxy_is_what_is_connected_to(peer: Peer, origin: ScriptedOrigin) -> None:
    origin.serve("http://origin.test/", reply(body=b"through"))
    proxies = {"all": origin.url}
    assert peer.fetch(peer.open(), "http://origin.test/", proxies=proxies, ipVersion="4")["status"] == 200
    failed = kind_of(peer.fetch, peer.open(), "http://origin.test/", proxies=proxies, ipVersion="6")
    assert failed == "proxyFailed"


@pytest.mark.parametrize("place", ["plain", "tls", "http2"])
def test_a_slow_task_is_overtaken(peer: Peer, trusting: str, nginx: Nginx, place: str) -> None:
    session, url = trusting, f"{getattr(nginx, place)}/1m"
    slow = peer.call("task/start", {"session": session, "url": url, "maximumBytesPerSecond": 20_000})["task"]
    peer.notification("task/didReceiveResponse")
    for _ in range(5):
        assert peer.fetch(session, url, output="discard")["body"]["size"] == 1 << 20
    described = peer.call("task/describe", {"task": slow})
    assert described["state"] == "running" and described["bytesReceived"] < 1 << 20
    peer.call("task/cancel", {"task": slow})


def test_an_upload_is_overtaken(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    body = {"text": "x" * 600_000}
    members = {"session": "default", "url": url, "method": "PUT", "body": body}
    slow = peer.call("task/start", {**members, "maximumBytesPerSecond": 20_000})["task"]
    origin.wait_until(lambda: len(origin.connections) > 0)
    for _ in range(5):
        assert peer.call("fetch", members)["status"] == 200
    assert peer.call("task/describe", {"task": slow})["state"] == "running"
    assert len(origin.requests) == 5
    peer.call("task/cancel", {"task": slow})


def test_a_limit_that_is_not_reached_changes_nothing(peer: Peer, nginx: Nginx, trusting: str) -> None:
    url = f"{nginx.http2}/small"
    limited = peer.fetch(trusting, url, maximumBytesPerSecond=10**12)
    assert limited["body"] == peer.fetch(trusting, url)["body"]


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"redirects": {"limit": 51}}, "params.redirects.limit"),
        ({"redirects": {"limit": -1}}, "params.redirects.limit"),
        ({"redirects": {"policy": "ask"}}, "params.redirects.policy"),
        ({"httpVersions": []}, "params.httpVersions"),
        ({"httpVersions": ["2"]}, "params.httpVersions"),
        ({"httpVersions": ["3", "1.1"]}, "params.httpVersions[0]"),
        ({"tls": {"roots": None}}, "params.tls.roots"),
        ({"ipVersion": "5"}, "params.ipVersion"),
        ({"ipVersion": 4}, "params.ipVersion"),
        ({"maximumBytesPerSecond": 1023}, "params.maximumBytesPerSecond"),
        ({"maximumBytesPerSecond": 10**13}, "params.maximumBytesPerSecond"),
        ({"maximumBytesPerSecond": 2048.5}, "params.maximumBytesPerSecond"),
    ],
)
def test_what_is_no_limit_is_refused(peer: Peer, origin: ScriptedOrigin, members: Json, path: str) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.fetch("default", origin.url + "/", **members)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)
    assert origin.requests == []
