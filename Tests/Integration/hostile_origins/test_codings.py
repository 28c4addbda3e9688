"""Content codings: whole, cut, broken, unknown, and bombs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.hostile_origins.scene import outcome
from Integration.wire import Peer, RemoteError, body_of, kind_of
from Support.daemon import Daemon
from Support.documents import binary
from Support.exchange import head
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import (
    CODINGS,
    OK_BODY,
    coded,
    gzip_bomb,
    raw,
    zstd_bomb,
)

pytestmark = pytest.mark.core
MEBIBYTE = 1 << 20


@pytest.mark.parametrize("coding", CODINGS)
def test_a_content_coding_is_decoded(peer: Peer, session: str, origin: ScriptedOrigin, coding: str) -> None:
    text = b"the watchword, coded\n" * 100
    result = peer.fetch(session, origin.serve("/", coded(coding, CODINGS[coding](text))))
    assert body_of(result) == text
    offered = origin.requests[0].header("Accept-Encoding") or ""
    assert coding == "deflate" or coding in offered


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_a_content_coding_is_left_alone_when_asked(
    peer: Peer, session: str, origin: ScriptedOrigin, coding: str
) -> None:
    packed = CODINGS[coding](OK_BODY)
    result = peer.fetch(session, origin.serve("/", coded(coding, packed)), decodeContent=False)
    assert body_of(result) == packed


BOMBS: dict[str, Callable[[int], bytes]] = {"gzip": gzip_bomb, "zstd": zstd_bomb}


@pytest.mark.parametrize("coding", BOMBS)
def test_a_bomb_is_bounded_inline(
    daemon: Daemon, peer: Peer, session: str, origin: ScriptedOrigin, coding: str
) -> None:
    before = daemon.resident_bytes()
    url = origin.serve("/", coded(coding, BOMBS[coding](256 * MEBIBYTE)))
    assert kind_of(peer.fetch, session, url) == "bodyTooLarge"
    assert daemon.resident_bytes(peak=True) - before < 100 * MEBIBYTE


@pytest.mark.parametrize("coding", BOMBS)
def test_a_bomb_is_bounded_by_the_session(peer: Peer, origin: ScriptedOrigin, coding: str) -> None:
    session = peer.open("b", configuration={"limits": {"decodedBodyBytes": MEBIBYTE}})
    url = origin.serve("/", coded(coding, BOMBS[coding](64 * MEBIBYTE)))
    assert kind_of(lambda: peer.fetch(session, url, output="discard")) == "bodyTooLarge"


BAD_CODINGS = [
    pytest.param("gzip", b"not gzip at all", id="garbage"),
    pytest.param("br", b"\xff" * 50, id="garbage in brotli"),
    pytest.param("zstd", b"not zstd at all, but long enough to be sure", id="garbage in zstd"),
    # "hello" as libzstd 0.7 wrote it: the bound of the window is not one there.
    pytest.param("zstd", b"\x27\xb5\x2f\xfd\x00\x58\x40\x00\x05hello\xc0\x00\x00", id="zstd before RFC 8878"),
    pytest.param(", ".join(["gzip"] * 20), CODINGS["gzip"](b"x"), id="twenty layers"),
]


@pytest.mark.parametrize(("coding", "body"), BAD_CODINGS)
def test_a_broken_coding_is_an_error(
    peer: Peer, session: str, origin: ScriptedOrigin, coding: str, body: bytes
) -> None:
    found = outcome(peer, session, origin.serve("/", coded(coding, body)))
    assert found in ("contentDecodingFailed", "malformedResponse")


@pytest.mark.parametrize("chunked", [False, True], ids=["counted", "chunked"])
@pytest.mark.parametrize("coding", [*CODINGS, "gzip, gzip"])
def test_a_coding_that_is_cut_short_is_an_error(
    peer: Peer, session: str, origin: ScriptedOrigin, coding: str, chunked: bool
) -> None:
    packed = text = binary(20_000)
    for name in coding.split(", "):
        packed = CODINGS[name](packed)
    for count in (1, 2, 9, len(packed) // 2, len(packed) - 9, len(packed) - 1):
        cut = packed[:count]
        fields = [("Content-Encoding", coding)]
        if chunked:
            fields.append(("Transfer-Encoding", "chunked"))
            framed = b"%x\r\n%b\r\n0\r\n\r\n" % (len(cut), cut)
        else:
            fields.append(("Content-Length", str(len(cut))))
            framed = cut
        url = origin.serve(f"/{count}", raw(head(200, fields) + framed))
        assert outcome(peer, session, url) == "contentDecodingFailed", count
    whole = peer.fetch(session, origin.serve("/whole", coded(coding, packed)))
    assert body_of(whole) == text


def test_an_unknown_coding_is_delivered_as_it_is_or_refused(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", coded("x-rot13", b"jngpujbeq"))
    try:
        assert body_of(peer.fetch(session, url)) == b"jngpujbeq"
    except RemoteError as error:
        assert error.kind == "contentDecodingFailed"
