"""Bodies and authentication of httpbin."""

from __future__ import annotations

import pytest

from Integration.wire import Peer, body_of, password
from Support.httpbin_server import Httpbin
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import raw


def test_httpbin_streams_and_codes(peer: Peer, session: str, httpbin: Httpbin) -> None:
    for path in ("gzip", "brotli"):
        shown = peer.fetch(session, f"{httpbin.url}/{path}")
        assert b'"brotli": true' in body_of(shown) or b'"gzipped": true' in body_of(shown)
    assert peer.fetch(session, f"{httpbin.url}/stream/50")["status"] == 200
    assert peer.metrics(session, f"{httpbin.url}/bytes/20000")["bytesReceived"] >= 20000
    assert peer.fetch(session, f"{httpbin.url}/status/418")["status"] == 418
    assert peer.fetch(session, f"{httpbin.url}/encoding/utf8")["body"]["text"]


@pytest.mark.parametrize(
    "path",
    [
        "basic-auth/reader/word",
        "digest-auth/auth/reader/word",
        "digest-auth/auth/reader/word/SHA-256",
        "digest-auth/auth-int/reader/word/MD5",
        "digest-auth/auth/reader/word/MD5/2",
    ],
)
def test_httpbin_lets_the_reader_in(peer: Peer, httpbin: Httpbin, path: str) -> None:
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, f"{httpbin.url}/{path}")
    peer.answer(peer.challenge(), password("reader", "word"))
    assert peer.result(fetch)["status"] == 200
    for _ in range(4):
        assert peer.fetch(session, f"{httpbin.url}/{path}")["status"] == 200
    peer.nothing_asked()


def test_httpbin_takes_a_token(peer: Peer, httpbin: Httpbin) -> None:
    session = peer.open(tasks=["bearer"])
    fetch = peer.start_fetch(session, f"{httpbin.url}/bearer")
    peer.answer(peer.challenge(), {"token": "word"})
    assert peer.result(fetch)["status"] == 200


def test_httpbin_hides_its_basic_auth(peer: Peer, httpbin: Httpbin) -> None:
    """It answers 404 instead of 401: there is nothing to ask, and userinfo is not sent unasked."""
    session = peer.open(tasks=["*"])
    assert peer.fetch(session, f"{httpbin.url}/hidden-basic-auth/reader/word")["status"] == 404
    peer.nothing_asked()


@pytest.mark.threads
def test_an_http_1_0_reply_without_length_ends_with_the_connection(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", raw(b"HTTP/1.0 200 OK\r\n\r\nuntil the end"))
    assert body_of(peer.fetch(session, url)) == b"until the end"
