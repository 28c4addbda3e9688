"""Requests that wait for a connection carry what the session has when they get one (methods.md 8.1)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.credentials.scene import listed, log_in, put, space
from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, TOKEN, USER
from Integration.wire import Json, Peer, password, wait_for_waiters
from Support.exchange import Exchange
from Support.guards import BasicGuard, BearerGuard, Guard, guarded
from Support.scripted_origin import Gate, ScriptedOrigin

pytestmark = pytest.mark.threads
Asked = tuple[Peer, str]
TASKS = 16
#: Connections to one host.
CONNECTIONS = 6


class Queue:
    """Tasks at a server that holds the responses back: the first ones are there, and the others wait."""

    def __init__(self, asked: Asked, origin: ScriptedOrigin, guard: Guard, credential: Json) -> None:
        self.peer, self.session = asked
        self.origin = origin
        self.gate: Gate = origin.gate()
        log_in(self.peer, self.session, origin.serve("/first", guarded(guard)), credential)

        async def held(exchange: Exchange) -> None:
            await self.gate.opened()
            await guarded(guard)(exchange)

        self.url = origin.serve("/held", held)
        self.fetches = [self.peer.start_fetch(self.session, self.url) for _ in range(TASKS)]
        origin.wait_for_requests(CONNECTIONS, "/held")

    def run(self) -> list[str | None]:
        """Lets the server answer; returns what the requests carried that have waited."""
        self.gate.open()
        challenge = self.peer.challenge()
        wait_for_waiters(self.peer, challenge, TASKS)
        sent = [request.authorization for request in self.origin.requests_to("/held")]
        self.peer.answer(challenge, None)
        assert {self.peer.result(fetch)["status"] for fetch in self.fetches} == {401}
        return sent[CONNECTIONS:]


def remove(queue: Queue) -> None:
    params = {"session": queue.session, "protectionSpace": space(queue.origin)}
    assert queue.peer.call("credential/remove", params) == {"removed": 1}


def reset(queue: Queue) -> None:
    queue.peer.call("session/reset", {"session": queue.session})


@pytest.mark.parametrize("end", [remove, reset])
def test_a_request_that_waited_carries_nothing_that_was_removed(
    asked: Asked, origin: ScriptedOrigin, end: Callable[[Queue], None]
) -> None:
    guard = BasicGuard("staff", USER, PASSWORD)
    queue = Queue(asked, origin, guard, password(USER, PASSWORD))
    end(queue)
    guard.password = OTHER_PASSWORD
    assert set(queue.run()) == {None}


def test_a_request_that_waited_carries_what_has_replaced_it(asked: Asked, origin: ScriptedOrigin) -> None:
    guard = BasicGuard("staff", USER, PASSWORD)
    queue = Queue(asked, origin, guard, password(USER, PASSWORD))
    put(queue.peer, queue.session, space(origin), password(OTHER_USER, OTHER_PASSWORD), default=True)
    guard.user, guard.password = OTHER_USER, OTHER_PASSWORD
    queue.gate.open()
    statuses = [queue.peer.result(fetch)["status"] for fetch in queue.fetches]
    assert statuses == [200] * TASKS
    assert guard.refused <= CONNECTIONS


@pytest.mark.parametrize(
    ("guard", "credential"),
    [
        (BasicGuard("staff", USER, PASSWORD), password(USER, PASSWORD)),
        (BearerGuard("staff", TOKEN), {"token": TOKEN}),
    ],
    ids=["basic", "bearer"],
)
def test_a_changed_secret_costs_one_refusal_a_connection(
    asked: Asked, origin: ScriptedOrigin, guard: BasicGuard | BearerGuard, credential: Json
) -> None:
    queue = Queue(asked, origin, guard, credential)
    if isinstance(guard, BasicGuard):
        guard.password = OTHER_PASSWORD
    else:
        guard.token = "another.token"
    waited = queue.run()
    # One for each connection that became free before the first refusal was read.
    assert sum(value is not None for value in waited) <= CONNECTIONS
    assert listed(queue.peer, queue.session) == []
