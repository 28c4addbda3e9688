"""Which proxy leads to which origin: of the session, of the task, of the daemon's environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from Integration.proxies.scene import Roots, open_through
from Integration.wire import Json, Peer, body_of, kind_of
from Support.daemon import Daemon
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, redirect, reply
from Support.squid import Squid

Connect = Callable[..., Peer]


def targets(squid: Squid, origin: ScriptedOrigin) -> list[str]:
    """What the proxy was asked for, as far as the origin has answered it."""
    proxied = [request for request in origin.requests if request.header("Via")]

    def logged() -> list[str]:
        return [seen.target for seen in squid.exchanges() if origin.url in seen.target]

    squid.process.wait_until(lambda: len(logged()) >= len(proxied))
    return logged()


@pytest.fixture
def document(origin: ScriptedOrigin) -> str:
    return origin.serve("/document", reply())


def test_a_proxy_of_the_session_is_used(
    connect: Connect, open_squid: Squid, origin: ScriptedOrigin, document: str
) -> None:
    peer = connect()
    session = open_through(peer, open_squid.url)
    assert body_of(peer.fetch(session, document)) == OK_BODY
    assert targets(open_squid, origin) == [document]
    assert b"\r\nvia:" in origin.requests[0].raw_head.lower()


def test_https_goes_through_a_tunnel(connect: Connect, open_squid: Squid, nginx: Nginx, roots: Roots) -> None:
    peer = connect()
    session = open_through(peer, {"https": open_squid.url}, **roots)
    for url in (nginx.tls, nginx.http2):
        assert peer.fetch(session, url + "/small")["status"] == 200
    assert peer.metrics(session, nginx.http2 + "/small")["reused"]


def test_a_task_chooses_for_itself(
    connect: Connect, open_squid: Squid, origin: ScriptedOrigin, document: str
) -> None:
    peer = connect()
    session = open_through(peer, "none")
    peer.fetch(session, document)
    assert targets(open_squid, origin) == []
    peer.fetch(session, document, proxies={"all": open_squid.url})
    assert targets(open_squid, origin) == [document]
    through = open_through(peer, open_squid.url)
    peer.fetch(through, document, proxies="none")
    assert targets(open_squid, origin) == [document]


@pytest.mark.parametrize("exception", ["127.0.0.1", "127.0.0.0/8", "127.0.0.1:{port}", "*"])
def test_an_exception_is_reached_without_the_proxy(
    connect: Connect, origin: ScriptedOrigin, exception: str
) -> None:
    peer = connect()
    exceptions = [exception.format(port=origin.port)]
    session = open_through(peer, {"all": "http://127.0.0.1:1", "except": exceptions})
    assert peer.fetch(session, origin.serve("/document", reply()))["status"] == 200
    explained = peer.call("explain", {"session": session, "url": origin.url})
    assert explained["proxy"] is None
    assert explained["proxyChoice"] == {
        "source": "session",
        "setting": "all",
        "exception": exceptions[0],
        "usable": True,
    }


def test_a_redirect_chooses_the_proxy_again(
    connect: Connect, open_squid: Squid, origins: Callable[..., ScriptedOrigin]
) -> None:
    first, second = origins(), origins()
    target = second.serve("/there", reply())
    moved = first.serve("/moved", redirect(target))
    peer = connect()
    session = open_through(peer, {"all": open_squid.url, "except": [f"127.0.0.1:{second.port}"]})
    assert peer.fetch(session, moved)["url"] == target
    assert targets(open_squid, first) == [moved]
    assert targets(open_squid, second) == []


def test_explain_names_the_proxy_and_why(connect: Connect) -> None:
    peer = connect()
    session = open_through(peer, {"http": "http://joe:sentinel-secret@proxy.test:3128"})
    explained = peer.call("explain", {"session": session, "url": "http://a.test/"})
    assert explained["proxy"] == "http://proxy.test:3128"
    assert explained["proxyChoice"] == {
        "source": "session",
        "setting": "http",
        "exception": None,
        "usable": True,
    }
    assert peer.call("explain", {"session": session, "url": "https://a.test/"})["proxyChoice"] is None


def test_explain_takes_the_proxies_of_a_task(connect: Connect) -> None:
    peer = connect()
    session = open_through(peer, "http://a.test:8080")

    def explain(proxies: Json) -> Json:
        params = {"session": session, "url": "http://intranet.test/", "proxies": proxies}
        return peer.call("explain", params)

    explained = explain({"http": "socks5h://joe:x@b.test", "except": ["other.test"]})
    assert explained["proxy"] == "socks5h://b.test:1080"
    assert (explained["proxyChoice"]["source"], explained["proxyChoice"]["setting"]) == ("task", "http")
    assert explain({"all": "http://b.test", "except": ["intranet.test"]})["proxy"] is None
    assert explain("none")["proxyChoice"] is None
    assert kind_of(explain, {"all": "ftp://b.test"}) == "invalidParams"
    assert peer.call("explain", {"session": session, "url": "http://intranet.test/"})["proxy"] == (
        "http://a.test:8080"
    )


def test_the_configuration_is_shown_without_userinfo(connect: Connect) -> None:
    peer = connect()
    proxies = {"all": "http://joe:sentinel-secret@proxy.test:3128", "except": ["a.test"]}
    peer.open("shown", configuration={"proxies": proxies})
    shown = peer.call("session/describe", {"session": "shown"})["configuration"]["proxies"]
    assert shown == {"http": None, "https": None, "all": "http://proxy.test:3128", "except": ["a.test"]}
    assert not peer.call("session/open", {"name": "shown", "configuration": {"proxies": proxies}})["created"]
    other = {**proxies, "all": "http://joe:sentinel-other@proxy.test:3128"}
    assert (
        kind_of(lambda: peer.open("shown", configuration={"proxies": other})) == "sessionConfigurationDiffers"
    )


NO_PROXYS_URLS = [
    *(
        "",
        "proxy",
        "proxy:3128",
        "ftp://proxy",
        "socks6://proxy",
        "http://",
        "http://proxy/path",
        "http://proxy?x",
    ),
    *("http://proxy#x", "http://a b", "http://proxy:0", "http://proxy:65536", "http://u%0d%0a@proxy"),
]


@pytest.mark.parametrize("url", NO_PROXYS_URLS)
def test_what_is_no_proxys_url_is_refused(connect: Connect, url: str) -> None:
    peer = connect()
    assert kind_of(open_through, peer, {"all": url}) == "invalidParams"
    session = peer.open()
    assert kind_of(lambda: peer.fetch(session, "http://a.test/", proxies={"http": url})) == "invalidParams"


@pytest.fixture
def daemon_with() -> Iterator[Callable[..., Daemon]]:
    made: list[Daemon] = []

    def make(**environment: str) -> Daemon:
        made.append(Daemon(environment=environment))
        return made[-1]

    yield make
    for daemon in made:
        daemon.stop()


DaemonWith = Callable[..., Daemon]


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy", "ALL_PROXY"])
def test_the_daemons_environment_names_a_proxy(
    daemon_with: DaemonWith, open_squid: Squid, origin: ScriptedOrigin, document: str, name: str
) -> None:
    daemon = daemon_with(**{name: open_squid.url.removeprefix("http://")})
    with Peer(daemon.socket) as peer:
        assert peer.fetch("default", document)["status"] == 200
        choice = peer.call("explain", {"url": document})["proxyChoice"]
    assert targets(open_squid, origin) == [document]
    assert choice == {"source": "environment", "setting": name, "exception": None, "usable": True}


def test_a_proxy_in_upper_case_could_be_a_field_of_a_request(
    daemon_with: DaemonWith, origin: ScriptedOrigin, document: str
) -> None:
    with Peer(daemon_with(HTTP_PROXY="http://127.0.0.1:1").socket) as peer:
        assert peer.fetch("default", document)["status"] == 200


def test_no_proxy_lists_exceptions(daemon_with: DaemonWith, origin: ScriptedOrigin, document: str) -> None:
    daemon = daemon_with(http_proxy="http://127.0.0.1:1", no_proxy=f"a.test,\t127.0.0.1:{origin.port} b.test")
    with Peer(daemon.socket) as peer:
        assert peer.fetch("default", document)["status"] == 200


def test_a_session_may_do_without_the_environment(
    daemon_with: DaemonWith, origin: ScriptedOrigin, document: str
) -> None:
    with Peer(daemon_with(all_proxy="http://127.0.0.1:1").socket) as peer:
        assert peer.fetch(open_through(peer, "none"), document)["status"] == 200
        assert kind_of(peer.fetch, peer.open(), document) == "proxyFailed"


def test_a_variable_that_is_no_proxys_url_sends_nothing_past_it(
    daemon_with: DaemonWith, origin: ScriptedOrigin, document: str
) -> None:
    daemon = daemon_with(http_proxy="ftp://joe:sentinel-secret@proxy")
    with Peer(daemon.socket) as peer:
        assert kind_of(peer.fetch, "default", document) == "proxyFailed"
        assert peer.call("explain", {"url": document})["proxyChoice"]["usable"] is False
    assert origin.requests == []
    assert "http_proxy" in daemon.output() and "sentinel" not in daemon.output()


def test_private_addresses_are_refused_through_a_proxy_too(connect: Connect, open_squid: Squid) -> None:
    peer = connect()
    session = open_through(peer, open_squid.url, addresses={"refusePrivate": True})
    for url in ("http://127.0.0.1/", "http://name.test/", "https://10.0.0.1/", "http://1.1.1.1/"):
        # The last one fails at the proxy, whose own address is private.
        assert kind_of(peer.fetch, session, url) == "addressRefused"
