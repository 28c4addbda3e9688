"""Hello, and what a response is read into."""

from __future__ import annotations

import os
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, response
from scripts import memory_file
from Support.fake_daemon import HELLO, Peer
from watchword import Client


def test_hello_names_the_client_and_its_capabilities() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("initialize")
        assert request["params"]["protocolVersion"] == "1"
        assert request["params"]["capabilities"] == {"descriptors": True}
        peer.reply(request, HELLO)

    with FakeDaemon(script, hello=False) as path, Client(path) as client:
        assert client.daemon.version == "0.0.0-fake"
        assert client.daemon.uid == os.getuid()


@pytest.mark.parametrize(("said", "features"), [({}, set()), ({"features": ["key", "later"]}, {"key", "later"})])
def test_a_daemon_says_what_was_added_to_the_protocol(said: dict[str, Any], features: set[str]) -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("initialize"), {**HELLO, **said})

    with FakeDaemon(script, hello=False) as path, Client(path) as client:
        assert client.daemon.features == features


@pytest.mark.parametrize("hello", [{**HELLO, "protocolVersion": "2"}, {}, [], None, {**HELLO, "pid": "1"}])
def test_a_wrong_hello_is_a_protocol_error(hello: Any) -> None:
    with (
        FakeDaemon(lambda peer: peer.reply(peer.expect("initialize"), hello), hello=False) as path,
        pytest.raises(watchword.ProtocolError),
    ):
        Client(path)


def test_a_response_is_read_by_its_properties() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        assert request["params"] == {"url": "http://origin.test/"}
        peer.reply(request, response(404, text='{"a": "ü"}'))

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.fetch("http://origin.test/")
    assert got.status == 404
    assert not got.ok
    assert got.url == "http://origin.test/path"
    assert got.origin == "http://origin.test"
    assert got.content == '{"a": "ü"}'.encode()
    assert got.text == '{"a": "ü"}'
    assert got.json() == {"a": "ü"}
    assert got.headers["CONTENT-TYPE"] == "text/plain; charset=utf-8"
    assert got.headers.get_all("Set-Cookie") == ["a=1", "b=2"]
    assert "nope" not in got.headers
    assert len(got.headers) == 2
    assert got.redirects[0].destination == "http://origin.test/path"
    assert got.metrics is not None
    assert got.metrics.reused
    assert got.metrics.tls_seconds is None
    assert got.metrics.exchanges[0].status == 200
    assert got.metrics.exchanges[0].authentication_method is None
    assert b"".join(got.iter_bytes(3)) == got.content
    assert bytes(got.view()) == got.content
    assert got.file().read() == got.content
    assert got.size == len(got.content)
    with pytest.raises(watchword.StatusError, match=r"404 from http://origin\.test") as caught:
        got.raise_for_status()
    assert caught.value.response is got


def test_what_was_not_asked_for_is_none_or_empty() -> None:
    def script(peer: Peer) -> None:
        result = response()
        del result["metrics"], result["redirects"]
        peer.reply(peer.expect("fetch"), result)

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.fetch("http://origin.test/")
    assert got.metrics is None
    assert got.redirects == []


def test_bodies_in_base64_nowhere_or_broken() -> None:
    def script(peer: Peer) -> None:
        for body in ({"base64": "AP8="}, {"size": 7}, {"base64": "A"}, {"text": 5}, {}, {"base64": None}):
            result = response()
            result["body"] = body
            peer.reply(peer.expect("fetch"), result)

    with FakeDaemon(script) as path, Client(path) as client:
        assert client.fetch("http://a/").content == b"\x00\xff"
        nowhere = client.fetch("http://a/", output="discard")
        assert nowhere.size == 7
        with pytest.raises(watchword.BodyError):
            _ = nowhere.content
        for _ in range(4):
            broken = client.fetch("http://a/")
            with pytest.raises(watchword.ProtocolError):
                _ = broken.content


@pytest.mark.parametrize(
    "result",
    [None, 5, [], {}, {"status": "200", "body": {}}, {"status": 200}, {"status": 200, "body": {"descriptor": 0}}],
)
def test_a_result_that_is_no_response_is_a_protocol_error_and_the_connection_goes_on(result: Any) -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("fetch"), result)
        peer.reply(peer.expect("ping"), {})

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(watchword.ProtocolError):
            client.fetch("http://a/")
        client.ping()


def test_lazy_members_that_are_malformed_are_protocol_errors() -> None:
    def script(peer: Peer) -> None:
        result = {**response(), "headers": [["a"]], "redirects": 5, "metrics": 5, "url": 7, "task": None}
        peer.reply(peer.expect("fetch"), result)

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.fetch("http://a/")
        for name in ("headers", "redirects", "metrics", "url", "origin", "task", "text"):
            with pytest.raises(watchword.ProtocolError):
                getattr(got, name)
        assert got.content == b"body"
        assert "200" in repr(got)


def test_json_that_is_none_is_a_body_error() -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("fetch"), response(text="{"))
        peer.reply(peer.expect("fetch"), response(text="[" * 100_000))

    with FakeDaemon(script) as path, Client(path) as client:
        for _ in range(2):
            with pytest.raises(watchword.BodyError):
                client.fetch("http://a/").json()


def test_a_large_body_arrives_as_a_memory_file() -> None:
    content = os.urandom(300_000)

    def script(peer: Peer) -> None:
        for _ in range(3):
            request = peer.expect("fetch")
            descriptor = memory_file(content)
            peer.reply(request, response(descriptor=0, size=len(content)), [descriptor])
            os.close(descriptor)

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.fetch("http://a/")
        assert got.size == len(content)
        assert b"".join(got.iter_bytes()) == content
        with got.file() as one, got.file() as other:
            assert one.read(10) == other.read(10) == content[:10]
        assert got.view() == content
        assert got.content == content
        got.close()
        assert got.content == content
        with client.fetch("http://a/") as unread:
            pass
        with pytest.raises(watchword.BodyError):
            _ = unread.content
        dropped = client.fetch("http://a/")
        held = dropped._descriptor
        assert held is not None
        assert not os.get_inheritable(held)
        del dropped
        with pytest.raises(OSError, match="descriptor"):
            os.fstat(held)


def test_a_memory_file_with_another_size_is_a_protocol_error() -> None:
    def script(peer: Peer) -> None:
        descriptor = memory_file(b"short")
        peer.reply(peer.expect("fetch"), response(descriptor=0, size=1 << 40), [descriptor])
        os.close(descriptor)

    with FakeDaemon(script) as path, Client(path) as client, client.fetch("http://a/") as got:
        with pytest.raises(watchword.ProtocolError):
            _ = got.content
