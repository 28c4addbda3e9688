"""What one task excludes: redirects, versions of TLS and of HTTP (messages.md 5.1.8, 5.1.9)."""

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
    ],
)
def test_what_is_no_limit_is_refused(peer: Peer, origin: ScriptedOrigin, members: Json, path: str) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.fetch("default", origin.url + "/", **members)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)
    assert origin.requests == []
