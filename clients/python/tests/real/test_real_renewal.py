"""A client over the restart of its daemon, and in a child process."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import watchword
from watchword import Answer, AsyncClient, Challenge, Client

requests: Any = importlib.import_module("watchword.requests")


class Handler:
    """Answers, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, _: Challenge) -> Answer:
        self.asked += 1
        return watchword.use_credential("reader", "open sesame")


@pytest.fixture
def client(place: Path) -> Iterator[Client]:
    with Client(place, start=True) as client:
        yield client
        client.shut_down()


def kill_daemon(pid: int) -> None:
    """Ends it; its clients get no message."""
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("name", [None, "shared"])
def test_a_session_goes_on_with_the_next_daemon(client: Client, origin: str, name: str | None) -> None:
    handler = Handler()
    session = client.session(name, on_challenge=handler)
    assert session.get(f"{origin}/digest/a").status == 200
    first = client.daemon.pid
    kill_daemon(first)
    assert session.get(f"{origin}/digest/b").status == 200
    assert session.get(f"{origin}/digest/c").status == 200
    assert (handler.asked, client.daemon.pid != first) == (2, True)  # the new daemon knows no password
    assert session.describe()["session"] == session.id


def test_requests_go_on_with_the_next_daemon(client: Client, origin: str) -> None:
    with requests.Session(client.session(on_challenge=Handler())) as web:
        assert web.get(f"{origin}/digest/a").status_code == 200
        kill_daemon(client.daemon.pid)
        while not client._connection.current.has_hung_up():
            os.sched_yield()
        assert web.get(f"{origin}/digest/b").status_code == 200


def test_a_child_process_goes_on_with_a_session_of_its_own(client: Client, origin: str) -> None:
    handler = Handler()
    session = client.session(on_challenge=handler)
    assert session.get(f"{origin}/digest/a").status == 200
    child = os.fork()
    if child == 0:
        try:
            got = session.get(f"{origin}/digest/b").status, handler.asked
            os._exit(0 if got == (200, 2) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert session.get(f"{origin}/digest/c").status == 200
    assert handler.asked == 1


def test_the_same_with_asyncio(place: Path, origin: str) -> None:
    handler = Handler()

    async def main() -> None:
        async with AsyncClient(place, start=True) as client:
            session = await client.session(on_challenge=handler)
            assert (await session.get(f"{origin}/digest/a")).status == 200
            kill_daemon(client.daemon.pid)
            answers = await asyncio.gather(*(session.get(f"{origin}/digest/{n}") for n in range(8)))
            assert {answer.status for answer in answers} == {200}
            assert handler.asked == 2
            await client.shut_down()

    asyncio.run(main())


@pytest.mark.parametrize("name", ["default", "shared"])
def test_a_restarted_daemon_asks_nothing_again(client: Client, origin: str, name: str) -> None:
    handler = Handler()
    session = client.session(name, on_challenge=handler)
    assert session.get(f"{origin}/digest/a").status == 200
    first = client.daemon.pid
    client.restart()
    assert [session.get(f"{origin}/digest/{path}").status for path in "bcd"] == [200] * 3
    assert (handler.asked, client.daemon.pid != first) == (1, True)


def test_the_same_with_asyncio_and_many_at_once(place: Path, origin: str) -> None:
    handler = Handler()

    async def answer(question: Challenge) -> Answer:
        return handler(question)

    async def run() -> None:
        async with AsyncClient(place, start=True) as client:
            session = await client.session("shared", on_challenge=answer)
            assert (await session.get(f"{origin}/digest/a")).status == 200
            await client.restart()
            replies = await asyncio.gather(*(session.get(f"{origin}/digest/{n}") for n in range(20)))
            assert [reply.status for reply in replies] == [200] * 20
            await client.shut_down()

    asyncio.run(run())
    assert handler.asked == 1
