"""`maximumBodyBytes` of a fetch (messages.md 5.5.2)."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, body_of, password
from Support.exchange import Exchange
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

BODY = bytes(range(256)) * 40


def refused(peer: Peer, session: str, url: str, limit: int, **members: Json) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, url, maximumBodyBytes=limit, **members)
    assert (caught.value.kind, caught.value.data["limit"]) == ("bodyTooLarge", "maximumBodyBytes")


async def until_close(exchange: Exchange) -> None:
    """Says no length."""
    await exchange.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + BODY)
    await exchange.close()


@pytest.mark.core
@pytest.mark.parametrize("script", [reply(body=BODY), until_close], ids=["length", "close"])
@pytest.mark.parametrize("output", ["inline", "auto", "stream", "discard"])
def test_a_body_of_so_many_bytes_and_no_more(
    peer: Peer, origin: ScriptedOrigin, script: Callable[..., Json], output: str
) -> None:
    url = origin.serve("/", script)
    session = peer.open("s")
    assert peer.fetch(session, url, maximumBodyBytes=len(BODY), output=output)["status"] == 200
    refused(peer, session, url, len(BODY) - 1, output=output)
    assert peer.fetch(session, origin.serve("/none", reply(body=b"")), maximumBodyBytes=0)["status"] == 200


def test_a_file_gets_nothing_of_a_body_that_says_it_is_larger(
    peer: Peer, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    peer.open("s")
    for name, script, most in [("length", reply(body=BODY), 0), ("close", until_close, 100)]:
        url = origin.serve(f"/{name}", script)
        path = tmp_path / name
        path.write_bytes(b"")
        with path.open("r+b") as file, pytest.raises(RemoteError) as caught:
            members = {
                "session": "s",
                "url": url,
                "maximumBodyBytes": 100,
                "output": {"descriptor": 0},
            }
            peer.result(peer.request("fetch", members, [file.fileno()]))
        assert caught.value.kind == "bodyTooLarge"
        assert path.stat().st_size <= most


def test_the_bytes_count_after_decoding(peer: Peer, origin: ScriptedOrigin) -> None:
    packed = gzip.compress(bytes(100_000))
    url = origin.serve("/", reply(200, packed, [("Content-Encoding", "gzip")]))
    session = peer.open("s")
    refused(peer, session, url, 99_999)
    assert len(body_of(peer.fetch(session, url, maximumBodyBytes=100_000))) == 100_000
    raw = peer.fetch(session, url, maximumBodyBytes=len(packed), decodeContent=False)
    assert body_of(raw) == packed


def test_what_is_not_the_result_does_not_count(peer: Peer, origin: ScriptedOrigin) -> None:
    """A refusal before the password, a redirect, and a head that says a length without a body."""
    guard = BasicGuard("staff", USER, PASSWORD)
    url = origin.serve("/file", guarded(guard, b"file"))
    origin.serve("/moved", redirect("/file"))
    session = peer.open("s", tasks=["*"])
    request = peer.start_fetch(session, origin.url + "/moved", maximumBodyBytes=4)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(request)) == b"file"
    assert peer.fetch(session, url, method="HEAD", maximumBodyBytes=0)["status"] == 200


@pytest.mark.parametrize("limit", [-1, 1.5, "10"])
def test_a_bound_is_a_whole_number(peer: Peer, limit: Json) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.fetch(peer.open("s"), "https://a.example/", maximumBodyBytes=limit)
    assert caught.value.data["path"] == "params.maximumBodyBytes"
