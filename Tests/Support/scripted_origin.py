"""An HTTP origin that does exactly what a test tells it, and remembers every byte it was sent."""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from Support import loopback
from Support.exchange import Connection, Exchange, Request, Script

MAXIMUM_HEAD = 1 << 20


class Gate:
    """Holds scripts back until the test opens it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._event = asyncio.Event()

    def open(self) -> None:
        self._loop.call_soon_threadsafe(self._event.set)

    async def opened(self) -> None:
        await self._event.wait()


@dataclass
class Route:
    """The scripts of one path: each request takes the next one, and the last one stays."""

    scripts: list[Script]
    reads_body: bool
    taken: int = 0

    def next(self) -> Script:
        script = self.scripts[min(self.taken, len(self.scripts) - 1)]
        self.taken += 1
        return script


async def not_found(exchange: Exchange) -> None:
    await exchange.respond(404, body=b"no script for this path")


@dataclass
class ScriptedOrigin:
    """Listens on a loopback port of its own, in a thread of its own."""

    tls: ssl.SSLContext | None = None
    host: str = loopback.HOST
    address: str = loopback.HOST
    port: int = 0
    connections: list[Connection] = field(default_factory=list)
    faults: list[BaseException] = field(default_factory=list)
    _requests: list[Request] = field(default_factory=list)
    _routes: dict[str, Route] = field(default_factory=dict)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scripted-origin", daemon=True)
        self._thread.start()
        self._listening.wait()

    # What a test says

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"

    def serve(self, path: str, *scripts: Script, reads_body: bool = True) -> str:
        """Answers `path` (a trailing `*` stands for every path below) and returns its URL."""
        self._routes[path] = Route(list(scripts), reads_body)
        return self.url + path

    def gate(self) -> Gate:
        return Gate(self._loop)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    # What a test asks

    @property
    def requests(self) -> list[Request]:
        with self._changed:
            return list(self._requests)

    def requests_to(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path == path]

    def received(self) -> bytes:
        """Every byte of every connection so far."""
        with self._changed:
            return b"\n--\n".join(bytes(connection.received) for connection in self.connections)

    def wait_until(self, condition: Callable[[], bool], seconds: float = 20) -> None:
        """Waits for something the origin can see: a request, a connection, a close."""
        limit = time.monotonic() + seconds
        with self._changed:
            while not condition():
                if not self._changed.wait(limit - time.monotonic()):
                    raise TimeoutError(f"not seen by the origin; requests so far: {self._requests}")

    def wait_for_requests(self, count: int, path: str | None = None, seconds: float = 20) -> list[Request]:
        def found() -> list[Request]:
            return [request for request in self._requests if path in (None, request.path)]

        self.wait_until(lambda: len(found()) >= count, seconds)
        return found()

    # The thread

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(
                self._accept, self.address, self.port, ssl=self.tls, limit=MAXIMUM_HEAD, backlog=2048
            )
        )
        self.port = server.sockets[0].getsockname()[1]
        self._listening.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with self._changed:
            connection = Connection(len(self.connections), reader, writer)
            self.connections.append(connection)
            self._changed.notify_all()
        try:
            while connection.open:
                await self._answer(connection)
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError, asyncio.CancelledError):
            pass
        except Exception as fault:
            self.faults.append(fault)
        finally:
            connection.open = False
            writer.close()
            with self._changed:
                self._changed.notify_all()

    async def _answer(self, connection: Connection) -> None:
        raw = await connection.read_until(b"\r\n\r\n")
        first, *lines = raw.decode("latin-1").split("\r\n")[:-2]
        method, target, version = first.split(" ")
        fields = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        request = Request(connection.number, method, target, version, fields, raw)
        exchange = Exchange(connection, request)
        route = self._route(request.path)
        if route is None or route.reads_body:
            await exchange.read_body()
        with self._changed:
            self._requests.append(request)
            self._changed.notify_all()
        await (route.next() if route else not_found)(exchange)

    def _route(self, path: str) -> Route | None:
        if path in self._routes:
            return self._routes[path]
        below = [key for key in self._routes if key.endswith("*") and path.startswith(key[:-1])]
        return self._routes[max(below, key=len)] if below else None
