"""Requests that a server has not processed, as HTTP/2 proves it: all are sent again (challenges.md 13.10)."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority
from Support.frame_origin import Answer, FrameOrigin, FrameRequest, success
from Support.http2_frames import RST_STREAM, frame, goaway

REFUSED_STREAM, INTERNAL_ERROR, HTTP_1_1_REQUIRED = 0x7, 0x2, 0xD


def reset(error: int) -> Callable[[int], bytes]:
    return lambda stream: frame(RST_STREAM, struct.pack(">I", error), stream)


def leave(stream: int) -> bytes:
    """A GOAWAY that leaves out this stream."""
    return goaway(max(0, stream - 2))


def once(refusal: Callable[[int], bytes], after: int) -> Answer:
    """Refuses the request that comes after this many."""
    seen: list[FrameRequest] = []

    def answer(request: FrameRequest) -> bytes:
        seen.append(request)
        return refusal(request.stream) if len(seen) == after + 1 else success(request.stream)

    return answer


@pytest.fixture
def session(peer: Peer, authority: Authority) -> str:
    return peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})


def post(peer: Peer, session: str, url: str, **members: Json) -> Json:
    return peer.fetch(session, url, method="POST", metrics=True, **members)


@pytest.mark.parametrize("warm", [0, 1], ids=["new", "used"])
@pytest.mark.parametrize("refusal", [reset(REFUSED_STREAM), leave], ids=["reset", "goaway"])
@pytest.mark.parametrize("body", [{}, {"body": {"text": "order"}}], ids=["empty", "body"])
def test_a_post_that_was_not_processed_is_sent_again(
    peer: Peer,
    session: str,
    authority: Authority,
    warm: int,
    refusal: Callable[[int], bytes],
    body: dict[str, Json],
) -> None:
    origin = FrameOrigin(authority.issue("frames"), once(refusal, warm))
    try:
        for _ in range(warm):
            assert peer.fetch(session, origin.url)["status"] == 200
        result = post(peer, session, origin.url, **body)
        assert (result["status"], result["metrics"]["protocol"]) == (200, "h2")
        refused, repeated = origin.requests[warm:]
        assert refused.connection != repeated.connection
        assert len(result["metrics"]["exchanges"]) == 2
    finally:
        origin.stop()


@pytest.mark.parametrize("warm", [0, 1], ids=["new", "used"])
def test_a_post_that_needs_http1_is_sent_again_over_it(
    peer: Peer, session: str, authority: Authority, warm: int
) -> None:
    answer = once(reset(HTTP_1_1_REQUIRED), warm)
    origin = FrameOrigin(authority.issue("frames"), answer, ("h2", "http/1.1"))
    try:
        for _ in range(warm):
            assert peer.fetch(session, origin.url)["status"] == 200
        result = post(peer, session, origin.url)
        assert (result["status"], result["metrics"]["protocol"]) == (200, "http/1.1")
        assert [request.stream == 0 for request in origin.requests[warm:]] == [False, True]
    finally:
        origin.stop()


@pytest.mark.parametrize("warm", [0, 1], ids=["new", "used"])
def test_a_post_that_fails_otherwise_is_executed_once(
    peer: Peer, session: str, authority: Authority, warm: int
) -> None:
    origin = FrameOrigin(authority.issue("frames"), once(reset(INTERNAL_ERROR), warm))
    try:
        for _ in range(warm):
            assert peer.fetch(session, origin.url)["status"] == 200
        with pytest.raises(RemoteError) as caught:
            post(peer, session, origin.url)
        assert (caught.value.kind, caught.value.data["processed"]) == ("connectionLost", "unknown")
        assert len(origin.requests) == warm + 1
    finally:
        origin.stop()


@pytest.mark.parametrize("ending", ["end", "abort"])
def test_a_post_whose_connection_ends_is_executed_once(
    peer: Peer, session: str, authority: Authority, ending: str
) -> None:
    """A GOAWAY that counts the stream is no proof, nor is the end of the connection."""

    def answer(request: FrameRequest) -> bytes:
        if len(origin.requests) == 1:
            return success(request.stream)
        origin.end(request, aborts=ending == "abort")
        return b""

    origin = FrameOrigin(authority.issue("frames"), answer)
    try:
        assert peer.fetch(session, origin.url)["status"] == 200
        with pytest.raises(RemoteError) as caught:
            post(peer, session, origin.url)
        assert (caught.value.kind, caught.value.data["processed"]) == ("connectionLost", "unknown")
        assert len(origin.requests) == 2
    finally:
        origin.stop()
