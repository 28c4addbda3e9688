"""The names that people type without looking them up: those of requests."""

from __future__ import annotations

import asyncio
import base64
import io
import os
from typing import Any, Callable

import pytest

import watchword
from fake_daemon import FakeDaemon, response, serve_fetches
from scripts import stream_script
from Support.fake_daemon import Message, Peer
from watchword import AsyncClient, Client

VERBS = ["get", "post", "put", "patch", "delete", "head"]
#: What a fetch is asked, and what it says on the wire.
ARGUMENTS: list[tuple[dict[str, Any], Message]] = [
    ({"params": {"q": "a b", "n": [1, 2], "none": None}}, {"url": "http://a/?x=1&q=a+b&n=1&n=2"}),
    ({"params": [("q", b"\xff")]}, {"url": "http://a/?x=1&q=%FF"}),
    ({"params": "q=%20"}, {"url": "http://a/?x=1&q=%20"}),
    ({"params": {}}, {"url": "http://a/?x=1"}),
    ({"auth": ("re:ader", "p@ß/")}, {"url": "http://re%3Aader:p%40%C3%9F%2F@a/?x=1"}),
    ({"cookies": {"a": "1", "b": "2"}}, {"headers": [["Cookie", "a=1; b=2"]]}),
    ({"timeout": 3}, {"timeouts": {"connectSeconds": 3, "requestSeconds": 3}}),
    ({"timeout": (1, None)}, {"timeouts": {"connectSeconds": 1}}),
    ({"timeout": watchword.Timeouts(resource=9)}, {"timeouts": {"resourceSeconds": 9}}),
    ({"allow_redirects": False}, {"followRedirects": False}),
    ({"allow_redirects": True}, {}),
]
BODIES: list[tuple[dict[str, Any], str | None, bytes]] = [
    ({"data": {"a": "b c", "n": [1, 2]}}, "application/x-www-form-urlencoded", b"a=b+c&n=1&n=2"),
    ({"data": [("a", "1"), ("a", "2")]}, "application/x-www-form-urlencoded", b"a=1&a=2"),
    ({"data": "text"}, None, b"text"),
    ({"data": b"bytes"}, None, b"bytes"),
    ({"data": io.BytesIO(b"file")}, None, b"file"),
    ({"json": {"a": None}}, "application/json", b'{"a":null}'),
]


def one_fetch(seen: list[Message]) -> Callable[[Peer], None]:
    """A script that answers one fetch, and keeps what it was asked with the body."""

    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        params = dict(request["params"])
        body = params.pop("body", None)
        if body is not None:
            params["sent"] = sent(peer, body)
        seen.append(params)
        peer.reply(request, response(text="one\r\ntwo\n\nlast"))

    return script


def sent(peer: Peer, body: Message) -> bytes:
    if "descriptor" not in body:
        return bytes(body["text"].encode()) if "text" in body else base64.b64decode(body["base64"])
    (descriptor,) = peer.descriptors
    data = os.read(descriptor, 1 << 20)
    peer.close_descriptors()
    return data


def asked(verb: str, url: str, **arguments: Any) -> Message:
    """What a session asks the daemon, after both APIs asked the same."""
    seen: list[Message] = []

    async def other(path: str) -> None:
        async with AsyncClient(path) as client:
            await getattr(client.default_session(), verb)(url, **arguments)

    with FakeDaemon(one_fetch(seen), one_fetch(seen)) as path:
        with Client(path) as client:
            got = getattr(client.default_session(), verb)(url, **arguments)
            assert (got.status_code, got.ok) == (got.status, True)
        for value in arguments.values():
            if isinstance(value, io.BytesIO):
                value.seek(0)
        asyncio.run(other(path))
    if "multipart/form-data" not in str(seen[0]):  # its boundary is drawn
        assert seen[0] == seen[1]
    return seen[0]


@pytest.mark.parametrize("verb", VERBS)
def test_each_method_has_a_function(verb: str) -> None:
    follows = {} if verb != "head" else {"followRedirects": False}  # as in requests
    assert asked(verb, "http://a/") == {"session": "default", "url": "http://a/", "method": verb.upper(), **follows}


def test_a_client_has_them_too() -> None:
    seen: list[Message] = []
    with FakeDaemon(one_fetch(seen)) as path, Client(path) as client:
        client.put("http://a/", json=1)
    assert seen[0]["method"] == "PUT"


@pytest.mark.parametrize(("arguments", "wire"), ARGUMENTS)
def test_arguments_have_the_names_of_requests(arguments: dict[str, Any], wire: Message) -> None:
    expected = {"session": "default", "url": "http://a/?x=1", "method": "GET", **wire}
    assert asked("get", "http://a/?x=1", **arguments) == expected


def test_a_query_goes_before_the_fragment() -> None:
    assert asked("get", "http://a/b#c", params={"q": 1})["url"] == "http://a/b?q=1#c"
    assert asked("get", "http://a/b?", params={"q": 1})["url"] == "http://a/b?q=1"


@pytest.mark.parametrize(("arguments", "kind", "body"), BODIES)
def test_bodies_have_the_names_of_requests(arguments: dict[str, Any], kind: str | None, body: bytes) -> None:
    wire = asked("post", "http://a/", **arguments)
    assert wire["sent"] == body
    assert wire.get("headers") == (None if kind is None else [["Content-Type", kind]])


def test_files_are_the_parts_of_a_form() -> None:
    files = {
        "report": ("q3.csv", b"1;2", "text/csv"),
        "note": ("note.txt", "text"),
        "raw": b"bytes",
        "file": io.BytesIO(b"content"),
    }
    wire = asked("post", "http://a/", data={"kind": "report"}, files=files)
    text = wire["sent"].decode()
    assert 'name="kind"\r\n\r\nreport\r\n' in text
    assert 'name="report"; filename="q3.csv"\r\nContent-Type: text/csv\r\n\r\n1;2\r\n' in text
    assert 'name="note"; filename="note.txt"' in text
    assert 'name="raw"; filename="raw"' in text
    assert "\r\n\r\ncontent\r\n" in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"data": "a", "json": 1}, "one body"),
        ({"data": "a", "files": {"f": b""}}, "data beside files"),
        ({"timeout": 1, "timeouts": 2}, "timeout or timeouts"),
        ({"allow_redirects": False, "follow_redirects": False}, "allow_redirects or follow_redirects"),
        ({"timeout": "soon"}, "timeouts are seconds"),
        ({"timeout": (1, 2, 3)}, "timeout is"),
        ({"auth": "token"}, "auth is a user and a password"),
        ({"auth": ("reader",)}, "auth is a user and a password"),
        ({"params": 5}, "params are"),
        ({"params": [1]}, "params are"),
        ({"data": {1: object}, "files": 3}, "files are"),
        ({"cookies": "a=1"}, "cookies are"),
        ({"cookies": {"a": "1;b"}}, "cookies are"),
    ],
)
def test_arguments_that_contradict_or_do_not_fit_say_so(arguments: dict[str, Any], told: str) -> None:
    with FakeDaemon(lambda peer: peer.reply(peer.expect("ping"), {})) as path, Client(path) as client:
        with pytest.raises(watchword.InvalidArgument, match=told):
            client.post("http://a/", **arguments)
        client.ping()


def test_a_url_with_a_user_and_auth_contradict() -> None:
    with FakeDaemon(lambda peer: None) as path, Client(path) as client:
        with pytest.raises(watchword.InvalidArgument, match="a user in the URL or auth") as refused:
            client.get("http://a:secret@b/", auth=("c", "d"))
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize("name", ["get", "fetch", "stream", "start", "download"])
def test_a_wrong_argument_names_the_public_function(name: str) -> None:
    arguments = ("http://a/", "/nowhere")[: 2 if name == "download" else 1]
    with FakeDaemon(lambda peer: None) as path, Client(path) as client:
        call = getattr(client.default_session(), name)
        with pytest.raises(TypeError, match=rf"^Session\.{name}\(\) got an unexpected keyword argument 'tiemout'"):
            call(*arguments, tiemout=1)
        with pytest.raises(TypeError, match=r"did you mean 'headers'\?"):
            call(*arguments, header={})


def test_the_method_of_a_verb_is_its_name() -> None:
    async def run(path: str) -> None:
        async with AsyncClient(path) as client:
            with pytest.raises(TypeError, match=r"^AsyncClient\.post\(\) got an unexpected keyword argument 'method'"):
                await client.post("http://a/", method="PUT")
            with pytest.raises(TypeError, match=r"^AsyncSession\.stream\(\)"):
                await client.default_session().stream("http://a/", nothing=1)  # type: ignore[call-arg]

    with FakeDaemon(lambda peer: None) as path:
        asyncio.run(run(path))


def test_lines_of_a_response() -> None:
    with FakeDaemon(one_fetch([])) as path, Client(path) as client:
        got = client.get("http://a/")
        assert list(got.iter_lines()) == [b"one", b"two", b"", b"last"]
        assert list(got.iter_lines(decode_unicode=True)) == ["one", "two", "", "last"]
        assert got.raise_for_status() is got


def test_lines_of_a_stream_come_as_they_arrive() -> None:
    pieces = (b"one\r", b"\ntw", b"o\n\n", b"last")
    with FakeDaemon(stream_script(*pieces)) as path, Client(path) as client:
        with client.session().stream("http://a/") as stream:
            assert stream.status_code == 200
            assert list(stream.iter_lines()) == [b"one", b"two", b"", b"last"]


def test_lines_of_a_stream_with_asyncio() -> None:
    async def run(path: str) -> list[bytes | str]:
        async with AsyncClient(path) as client, await client.session() as session:
            async with await session.stream("http://a/") as stream:
                return [line async for line in stream.iter_lines(decode_unicode=True)]

    with FakeDaemon(stream_script("ü\nb".encode()[:1], "ü\nb".encode()[1:])) as path:
        assert asyncio.run(run(path)) == ["ü", "b"]


def test_a_line_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("watchword._lines.LONGEST_LINE", 10)
    with FakeDaemon(stream_script(b"12345", b"67890", b"1")) as path, Client(path) as client:
        with client.session().stream("http://a/") as stream, pytest.raises(watchword.BodyError, match="10 bytes"):
            list(stream.iter_lines())


def test_a_fetch_without_arguments_is_as_before() -> None:
    with FakeDaemon(serve_fetches) as path, Client(path) as client:
        assert client.default_session().fetch("http://a/").text == "http://a/"


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"verify": False}, TypeError, "Client.get() has no argument 'verify': client.add_roots(PEM)"),
        ({"stream": True}, TypeError, "session.stream(url)"),
        ({"headers": 3}, watchword.InvalidArgument, "headers are names with values"),
        ({"headers": ["a", "cde"]}, watchword.InvalidArgument, "headers are names with values"),
    ],
)
def test_what_is_elsewhere_or_wrong_has_a_sentence(arguments: Any, error: type[Exception], says: str) -> None:
    with FakeDaemon(lambda peer: None) as path, Client(path) as client, pytest.raises(error) as caught:
        client.get("http://origin.test/", **arguments)
    assert says in str(caught.value)
