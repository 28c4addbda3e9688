"""A download continues after the bytes that are there, and only after those."""

from __future__ import annotations

import os

import pytest

from Integration.outputs.scene import content
from Integration.wire import Json, Peer, RemoteError, body_of, kind_of
from Support.documents import binary
from Support.exchange import Exchange, Script
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import raw, reply

MEBIBYTE = 1 << 20


def ranged(body: bytes, etag: str) -> Script:
    """Serves a part to a request with the right tag, else the whole."""

    async def script(exchange: Exchange) -> None:
        wanted = exchange.request.header("Range")
        if wanted and exchange.request.header("If-Range") == etag:
            begin = int(wanted.removeprefix("bytes=").removesuffix("-"))
            field = ("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}")
            await exchange.respond(206, [field, ("ETag", etag)], body[begin:])
        else:
            await exchange.respond(200, [("ETag", etag)], body)

    return script


def go_on(peer: Peer, session: str, url: str, descriptor: int, tag: str = '"v1"') -> Json:
    output = {"descriptor": 0, "resumeIfRange": tag}
    return peer.call("fetch", {"session": session, "url": url, "output": output}, [descriptor])


@pytest.mark.threads
def test_a_download_goes_on_where_it_stopped(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    body = binary(1000)
    url = origin.serve("/", ranged(body, '"v1"'))
    os.write(file, body[:400])
    result = go_on(peer, session, url, file)
    assert result["status"] == 206
    assert result["body"] == {"size": 600, "continuation": "continued"}
    assert content(file) == body
    assert origin.requests[0].all("Range") == ["bytes=400-"]


@pytest.mark.threads
@pytest.mark.parametrize("members", [{}, {"resumeIfRange": '"v1"'}])
def test_what_came_of_a_download_that_broke_is_in_the_file(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int, members: Json
) -> None:
    body = binary(3 * MEBIBYTE)
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {2 * len(body)}\r\n\r\n".encode()
    url = origin.serve("/", raw(head + body))
    for _ in range(5):
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        params = {"session": session, "url": url, "output": {"descriptor": 0, **members}}
        assert kind_of(peer.call, "fetch", params, [file]) == "connectionLost"
        assert content(file) == body


@pytest.mark.threads
@pytest.mark.parametrize("chunks", [b"6\r\nefghij\r\n1\r\nX\r\n0\r\n\r\n", b"5\r\nefghi\r\n0\r\n\r\n"])
def test_a_part_is_as_long_as_it_says(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int, chunks: bytes
) -> None:
    """A chunked body may be longer or shorter than its head has said."""
    head = (
        b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 4-9/10\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    url = origin.serve("/", raw(head + chunks))
    os.write(file, b"abcd")
    assert kind_of(lambda: go_on(peer, session, url, file)) == "malformedResponse"
    assert b"abcdefghij".startswith(content(file))


@pytest.mark.threads
def test_a_changed_document_is_not_glued_together(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    body = binary(1000)
    url = origin.serve("/", ranged(body, '"v2"'))
    os.write(file, b"x" * 4000)
    result = go_on(peer, session, url, file)
    assert result["body"] == {"size": 1000, "continuation": "restarted"}
    assert content(file) == body


@pytest.mark.threads
@pytest.mark.parametrize(
    ("status", "fields"),
    [
        (404, []),
        (403, []),
        (412, []),
        (500, []),
        (503, [("Content-Range", "bytes 400-999/1000")]),
        (416, []),
        (416, [("Content-Range", "bytes */1000")]),
        (416, [("Content-Range", "bytes */400"), ("ETag", '"v2"')]),
        (401, []),
        (401, [("WWW-Authenticate", 'Basic realm="staff"')]),
        (302, [("Content-Range", "bytes 400-999/1000")]),
    ],
)
def test_what_does_not_belong_there_is_never_written_to_a_part(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int, status: int, fields: list[tuple[str, str]]
) -> None:
    part = binary(400)
    os.write(file, part)
    url = origin.serve("/", reply(status, b"a page about an error", fields))
    result = go_on(peer, session, url, file)
    assert result["status"] == status
    assert result["body"] == {"size": 21, "continuation": "discarded"}
    assert content(file) == part


@pytest.mark.threads
@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("Content-Range", "bytes 0-999/1000")],
        [("Content-Range", "bytes 401-999/1000")],
        [("Content-Range", "bytes 400-998/1000")],
        [("Content-Range", "bytes 400-999/1000"), ("Content-Encoding", "gzip")],
        [("Content-Range", "bytes 400-999/1000"), ("ETag", '"v2"')],
    ],
)
def test_another_part_than_the_one_asked_for_is_an_error(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int, fields: list[tuple[str, str]]
) -> None:
    part = binary(400)
    os.write(file, part)
    url = origin.serve("/", reply(206, b"another part", fields))
    with pytest.raises(RemoteError) as failed:
        go_on(peer, session, url, file)
    assert failed.value.kind == "malformedResponse"
    assert failed.value.data["reason"] == "range" and failed.value.data["hop"] == "origin"
    assert content(file) == part
    # The connection is not left with a body that nobody reads.
    assert peer.fetch(session, origin.serve("/next", reply(200, b"next")))["status"] == 200


@pytest.mark.threads
def test_a_part_that_is_everything_is_complete(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    part = binary(400)
    os.write(file, part)
    url = origin.serve("/", reply(416, b"a page", [("Content-Range", "bytes */400")]))
    result = go_on(peer, session, url, file)
    assert (result["status"], result["body"]) == (416, {"size": 6, "continuation": "complete"})
    assert content(file) == part


def test_nginx_goes_on_with_a_download(peer: Peer, session: str, nginx: Nginx, file: int) -> None:
    url = f"{nginx.plain}/small"
    whole = peer.fetch(session, url)
    body, tag = body_of(whole), dict(whole["headers"])["ETag"]

    def after(part: bytes, url: str = url, tag: str = tag) -> tuple[int, str, bytes]:
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, part)
        result = go_on(peer, session, url, file, tag)
        return result["status"], result["body"]["continuation"], content(file)

    half = body[: len(body) // 2]
    assert after(half) == (206, "continued", body)
    assert after(body) == (416, "complete", body)
    assert after(body + b"!") == (416, "discarded", body + b"!")
    assert after(b"older", tag='"older"') == (200, "restarted", body)
    assert after(b"") == (200, "restarted", body)
    assert after(half, f"{nginx.plain}/nowhere") == (404, "discarded", half)
    assert after(half, f"{nginx.plain}/staff/small") == (401, "discarded", half)
