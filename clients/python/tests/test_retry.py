"""Fetches that are made again after a problem that may pass."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, response
from Support.fake_daemon import Peer
from watchword import AsyncClient, Client, InvalidArgument, Retry

URL = "http://a.test/"
AT_ONCE = Retry(2, delay=0)


def answering(*answers: Any, session: bool = False) -> Any:
    """A script that answers fetches one after the other: with a status, or with an error's code and kind."""

    def script(peer: Peer) -> None:
        for answer in answers:
            request = peer.expect("fetch")
            if isinstance(answer, int):
                peer.reply(request, response(answer, text=str(request["params"].get("body"))))
            else:
                peer.fail(request, *answer)

    return script


TIMED_OUT = (1304, "timedOut")
REFUSED = (1302, "connectionFailed")


@pytest.mark.parametrize(
    ("answers", "status"),
    [
        ((503, 200), 200),
        ((429, 408, 200), 200),
        ((503, 502, 504), 504),
        ((TIMED_OUT, (1301, "nameNotResolved"), 200), 200),
        ((404,), 404),
    ],
)
def test_what_may_pass_is_tried_again(answers: tuple[Any, ...], status: int) -> None:
    with FakeDaemon(answering(*answers)) as socket, Client(socket) as client:
        assert client.fetch(URL, retry=AT_ONCE).status == status


def test_the_last_error_is_raised() -> None:
    with FakeDaemon(answering(503, TIMED_OUT, TIMED_OUT)) as socket, Client(socket) as client:
        with pytest.raises(watchword.TimedOut):
            client.fetch(URL, retry=AT_ONCE)


def test_a_refused_connection_is_tried_again_where_it_is_wished() -> None:
    with FakeDaemon(answering(REFUSED)) as socket, Client(socket) as client:
        with pytest.raises(watchword.ConnectionFailed):
            client.fetch(URL, retry=AT_ONCE)
    with FakeDaemon(answering(REFUSED, 200)) as socket, Client(socket) as client:
        assert client.fetch(URL, retry=Retry(1, delay=0, connection_refused=True)).status == 200


def test_the_body_is_sent_again() -> None:
    with FakeDaemon(answering(503, 200)) as socket, Client(socket) as client:
        assert "'a=1'" in client.fetch(URL, form={"a": "1"}, retry=AT_ONCE).text


def test_the_asynchronous_client_does_the_same() -> None:
    async def fetch(socket: str) -> int:
        async with AsyncClient(socket) as client:
            return (await client.fetch(URL, retry=AT_ONCE)).status

    with FakeDaemon(answering(TIMED_OUT, 503, 200)) as socket:
        assert asyncio.run(fetch(socket)) == 200


def test_the_waits_grow_and_follow_the_server() -> None:
    retry = Retry(20)
    busy = response(503)

    def seconds(attempt: int, **fields: str) -> float | None:
        headers = [[name.replace("_", "-"), value] for name, value in fields.items()]
        return retry.seconds(attempt, watchword.Response({**busy, "headers": headers}, ()))

    assert [seconds(attempt) for attempt in (1, 2, 3, 20)] == [1, 2, 4, 600]
    assert seconds(21) is None
    assert seconds(1, Retry_After="7") == 7
    assert seconds(1, Retry_After="100000") == 600
    assert seconds(2, Retry_After="Fri, 31 Dec 1999 23:59:59 GMT") == 2
    assert seconds(2, Retry_After="-1") == 2


@pytest.mark.parametrize(
    "options",
    [
        {"body": io.BytesIO(b"x")},
        {"multipart": [("a", "b")]},
        {"output": io.BytesIO()},
    ],
)
def test_what_cannot_be_made_again_is_refused(options: Any) -> None:
    with FakeDaemon(answering()) as socket, Client(socket) as client:
        with pytest.raises(InvalidArgument):
            client.fetch(URL, retry=AT_ONCE, **options)


def test_only_a_fetch_is_made_again() -> None:
    with FakeDaemon(answering()) as socket, Client(socket) as client:
        with pytest.raises(InvalidArgument):
            client.default_session().start(URL, retry=AT_ONCE)
        with pytest.raises(InvalidArgument):
            client.default_session().download(URL, io.BytesIO(), retry=AT_ONCE)
