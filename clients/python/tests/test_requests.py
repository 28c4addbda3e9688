"""What a fetch sends."""

from __future__ import annotations

import email
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

import watchword
from fake_daemon import FakeDaemon, response
from Support.fake_daemon import Peer
from watchword import Client
from watchword._arguments import FetchOptions
from watchword._requests import fetch


def test_request_bodies(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    large = os.urandom(100_000)
    seen: list[Any] = []

    def script(peer: Peer) -> None:
        for _ in range(8):
            request = peer.expect("fetch")
            params = request["params"]
            data = None
            if request.get("descriptors"):
                (descriptor,) = peer.descriptors
                data = os.read(descriptor, 1 << 20)
                os.close(descriptor)
                peer.descriptors.clear()
            seen.append((params.get("method"), params.get("headers"), params["body"], data))
            peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.fetch("http://a/", body="ü")
        client.fetch("http://a/", body=b"\x00", method="PUT")
        client.fetch("http://a/", json={"a": [1]}, headers={"content-type": "application/x"})
        client.fetch("http://a/", form={"a": "b c"})
        client.fetch("http://a/", body=large)
        client.fetch("http://a/", body=tmp_path / "f")
        with open(tmp_path / "f", "rb") as file:
            assert file.read(4) == b"0123"
            client.fetch("http://a/", body=file)
            assert file.read(2) == b"45"
        client.fetch("http://a/", body=io.BytesIO(b"xyz"))
    descriptor = {"descriptor": 0}
    assert seen == [
        ("POST", [["Content-Type", "text/plain; charset=utf-8"]], {"text": "ü"}, None),
        ("PUT", None, {"base64": "AA=="}, None),
        ("POST", [["content-type", "application/x"]], {"text": '{"a":[1]}'}, None),
        ("POST", [["Content-Type", "application/x-www-form-urlencoded"]], {"text": "a=b+c"}, None),
        ("POST", None, descriptor, large),
        ("POST", None, descriptor, b"0123456789"),
        ("POST", None, descriptor, b"456789"),
        ("POST", None, descriptor, b"xyz"),
    ]


def test_every_option_reaches_the_wire() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        assert request["params"] == {
            "session": "default",
            "url": "http://a/",
            "task": "mine",
            "method": "DELETE",
            "headers": [["A", "1"], ["A", "2"]],
            "sensitiveHeaders": ["A"],
            "timeouts": {"connectSeconds": 1, "resourceSeconds": 3},
            "priority": 0.1,
            "detached": True,
            "output": {"mode": "inline", "digest": "sha-256=:AAAA:"},
            "decodeContent": False,
            "maximumBodyBytes": 1000,
            "metrics": True,
            "exchangeDetails": True,
            "followRedirects": False,
        }
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.default_session().fetch(
            "http://a/",
            task="mine",
            method="DELETE",
            headers=[("A", "1"), ("A", "2")],
            sensitive_headers=["A"],
            timeouts=watchword.Timeouts(connect=1, resource=3),
            priority=0.1,
            detached=True,
            output="inline",
            digest="sha-256=:AAAA:",
            maximum_body_bytes=1000,
            metrics=True,
            exchange_details=True,
            decode_content=False,
            follow_redirects=False,
        )


def test_a_field_in_octets_goes_as_they_are() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        assert request["params"]["headers"] == [["A", "\xe9"], ["B", {"base64": "Y2Fm6Q=="}]]
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.fetch("http://a/", headers={"A": "\xe9".encode(), "B": b"caf\xe9"})


@pytest.mark.parametrize("timeouts", [{"connect": 1}, "5", True, watchword.Timeouts(connect="1")])  # type: ignore[arg-type]
def test_timeouts_of_another_type_are_named(timeouts: Any) -> None:
    with FakeDaemon(lambda peer: peer.reply(peer.expect("ping"), {})) as path, Client(path) as client:
        with pytest.raises(watchword.InvalidArgument, match=r"Timeouts\(connect=…, request=…\), not (dict|str|bool)"):
            client.default_session().fetch("http://a/", timeouts=timeouts)
        client.ping()


def test_arguments_that_cannot_be_sent_send_nothing(tmp_path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("ping"), {})

    with FakeDaemon(script) as path, Client(path) as client:
        for options in (
            {"body": "a", "json": 1},
            {"json": object()},
            {"body": io.StringIO("x")},
            {"body": 5},
            {"multipart": [("a", 5)]},
            {"multipart": [("", "a")]},
            {"multipart": [("a", "b")], "form": {}},
            {"body": "\ud800"},
            {"headers": {"a": "\0"}},
            {"timeouts": float("nan")},
            {"output": io.BytesIO()},
        ):
            with pytest.raises(watchword.InvalidArgument):
                client.fetch("http://a/", **options)
        with pytest.raises(watchword.InvalidArgument):
            client.fetch("http://a/\0")
        with pytest.raises(TypeError):
            client.fetch("http://a/", hedaers={})  # type: ignore[call-arg]
        with pytest.raises(FileNotFoundError):
            client.fetch("http://a/", body=tmp_path / "none")
        client.ping()


def test_a_multipart_form_travels_as_a_file(tmp_path: Path) -> None:
    (tmp_path / 'a"b').write_bytes(b"from a path")
    parts: list[tuple[str, Any]] = [
        ("text", "gr\u00fc\u00dfe"),
        ("bytes", b"\0"),
        ("path", tmp_path / 'a"b'),
        ("file", watchword.FormFile(io.BytesIO(b"from memory"), filename="n", type="text/plain")),
    ]
    bodies: list[bytes] = []

    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        assert request["params"]["method"] == "POST"
        assert request["params"]["body"] == {"descriptor": 0}
        ((name, content_type),) = request["params"]["headers"]
        bodies.append(f"{name}: {content_type}\r\n\r\n".encode() + os.pread(peer.descriptors[0], 10_000, 0))
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.fetch("http://a/", multipart=parts)
    message = email.message_from_bytes(bodies[0])
    assert message.get_content_type() == "multipart/form-data"
    got = [
        (part["Content-Disposition"], part["Content-Type"], part.get_payload(decode=True)) for part in message.walk()
    ]
    assert got[1:] == [
        ('form-data; name="text"', None, "gr\u00fc\u00dfe".encode()),
        ('form-data; name="bytes"', None, b"\0"),
        ('form-data; name="path"; filename="a%22b"', "application/octet-stream", b"from a path"),
        ('form-data; name="file"; filename="n"', "text/plain", b"from memory"),
    ]


def test_a_fetch_may_choose_its_proxies() -> None:
    seen: list[Any] = []

    def script(peer: Peer) -> None:
        for _ in range(3):
            request = peer.expect("fetch")
            seen.append(request["params"].get("proxies"))
            peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.fetch("http://a/")
        client.fetch("http://a/", proxies="none")
        client.fetch("http://a/", proxies={"all": "http://proxy:3128", "except": ["a.test"]})
    assert seen == [None, "none", {"all": "http://proxy:3128", "except": ["a.test"]}]


class Asked(Mapping[str, Any]):
    """No arguments, and which of them are looked for."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_every_argument_that_is_accepted_is_looked_for() -> None:
    asked = Asked()
    options = FetchOptions(cast(watchword.FetchArguments, asked))
    assert options.retry is None
    assert fetch(None, "http://a/", None, options).params == {"url": "http://a/"}
    assert asked.names == set(watchword.FetchArguments.__annotations__)
