"""A pytest plugin that runs the own tests of requests or of httpx over Watchword.

The variable SUITE_ORDERS is the path of a JSON file with the member ``leftOut``, a list of tests that are not run.
The variable SUITE_RESULTS is the path that the outcome of each test and the number of exchanges are written to.
"""

from __future__ import annotations

import importlib
import json
import os
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

#: More than the longest timeout of a test, which is 2 seconds.
LONGEST_DELAY = 3


class Results:
    """What each test came to, and how many of its requests were answered through the daemon."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}
        self.left_out: set[str] = set()
        self.exchanges = 0

    def count(self, made: Any) -> Any:
        """Notes an exchange whose head has come."""
        self.exchanges += 1
        return made

    def note(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.outcomes[report.nodeid] = "failed"
        elif report.when == "call" or report.skipped:
            self.outcomes.setdefault(report.nodeid, report.outcome)


RESULTS = Results()


def without_case(test: str) -> str:
    """The test that a case of parameters belongs to."""
    return test.partition("[")[0]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unwanted = set(json.loads(Path(os.environ["SUITE_ORDERS"]).read_text())["leftOut"])

    def is_left_out(item: pytest.Item) -> bool:
        names = {item.nodeid, without_case(item.nodeid), item.nodeid.partition("::")[0]}
        if _is_trio(item):
            names.add("trio")
        RESULTS.left_out |= names & unwanted
        return bool(names & unwanted)

    left_out = [item for item in items if is_left_out(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _is_trio(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    return callspec is not None and callspec.params.get("anyio_backend") == "trio"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    RESULTS.note(report)


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish() -> Iterator[None]:
    yield
    told = {"outcomes": RESULTS.outcomes, "leftOut": sorted(RESULTS.left_out), "exchanges": RESULTS.exchanges}
    Path(os.environ["SUITE_RESULTS"]).write_text(json.dumps(told))


def refuse(*_: Any, **__: Any) -> Any:
    """Stands for what would connect to a server without the daemon."""
    raise AssertionError("this request went around Watchword")


def replace_requests() -> None:
    requests: Any = importlib.import_module("requests")
    ours: Any = importlib.import_module("watchword.requests")
    adapters: Any = importlib.import_module("watchword.adapters.requests")
    shared = importlib.import_module("watchword.adapters._shared").SharedSession()
    plain_send = adapters.WatchwordAdapter.send
    adapters.WatchwordAdapter.send = lambda *given, **named: RESULTS.count(plain_send(*given, **named))

    class Adapter(adapters.WatchwordAdapter):  # type: ignore[misc]
        """With the arguments of HTTPAdapter, for tests that mount one."""

        def __init__(
            self,
            pool_connections: int = 10,
            pool_maxsize: int = 10,
            max_retries: Any = 0,
            pool_block: bool = False,
        ) -> None:
            super().__init__(shared.get, max_retries)

    requests.adapters.HTTPAdapter = requests.sessions.HTTPAdapter = Adapter
    requests.Session = requests.sessions.Session = ours.Session
    requests.session = requests.sessions.session = ours.session
    importlib.import_module("urllib3.connectionpool").HTTPConnectionPool.urlopen = refuse
    _shorten_delays()


def _shorten_delays() -> None:
    """httpbin's server does one thing at a time, and what comes after a test of a timeout waits for its delay."""
    core: Any = importlib.import_module("httpbin.core")
    core.time = types.SimpleNamespace(sleep=lambda seconds: time.sleep(min(seconds, LONGEST_DELAY)), time=time.time)


def replace_httpx() -> None:
    httpx: Any = importlib.import_module("httpx")
    transports: Any = importlib.import_module("watchword.adapters.httpx")
    sharing: Any = importlib.import_module("watchword.adapters._shared")
    shared = sharing.SharedSession()

    class Transport(transports.WatchwordTransport):  # type: ignore[misc]
        def handle_request(self, request: Any) -> Any:
            return RESULTS.count(super().handle_request(request))

    class AsyncTransport(transports.AsyncWatchwordTransport):  # type: ignore[misc]
        """With a session of its own, as each test has an event loop of its own."""

        def __init__(self, **arguments: Any) -> None:
            self._shared = sharing.AsyncSharedSession()
            super().__init__(self._shared.open, **arguments)

        async def handle_async_request(self, request: Any) -> Any:
            return RESULTS.count(await super().handle_async_request(request))

        async def aclose(self) -> None:
            await super().aclose()
            await self._shared.close()

    def replace(client: Any, make: Any) -> None:
        def made(_: Any, *, transport: Any = None, **arguments: Any) -> Any:
            for name in ("http1", "http2", "limits"):
                arguments.pop(name, None)
            return transport if transport is not None else make(**arguments)

        client._init_transport = made
        client._init_proxy_transport = lambda self, proxy, **arguments: made(self, proxy=proxy, **arguments)

    replace(httpx.Client, lambda **arguments: Transport(shared.get, **arguments))
    replace(httpx.AsyncClient, AsyncTransport)
    for name in ("HTTPTransport", "AsyncHTTPTransport"):
        kind = getattr(httpx, name)
        kind.handle_request = kind.handle_async_request = refuse
    _listen_on_a_free_port()


def _listen_on_a_free_port() -> None:
    """The server of httpx's tests, which takes port 8000, where another program may be."""
    loopback: Any = importlib.import_module("Support.loopback")
    uvicorn: Any = importlib.import_module("uvicorn.config")
    (free,) = loopback.free_ports(1)

    class Config(uvicorn.Config):  # type: ignore[misc]
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **{"port": free, **named})

    uvicorn.Config = Config


{"requests": replace_requests, "httpx": replace_httpx}[os.environ["SUITE"]]()
