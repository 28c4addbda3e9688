"""The same for asyncio: pipes that never block the loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterable
from typing import TYPE_CHECKING, BinaryIO, cast

from .._arguments import DescriptorOutput, FetchArguments
from .._async_session import AsyncSession
from .._async_started import AsyncStream, AsyncTask
from .._errors import WatchwordError
from .._generated.errors import TaskCancelled
from .._tasks import ResponseReceived
from ._exchange import PipeEnd
from ._translation import READ_BYTES

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AsyncExchange"]


class AsyncExchange:
    """A started task, its head and the read end of the pipe that its body arrives in."""

    head: ResponseReceived

    def __init__(self) -> None:
        self._upload: AsyncUpload | None = None
        self._stream: AsyncStream | None = None
        self._descriptor = -1

    @classmethod
    async def open(
        cls, session: AsyncSession, url: str, arguments: FetchArguments, pieces: AsyncIterable[bytes] | None = None
    ) -> Self:
        """Starts the task and waits for its head; ``pieces`` are sent as the request body meanwhile."""
        exchange = cls()
        if pieces is not None:
            exchange._upload = AsyncUpload(pieces)
            arguments["body"] = cast(BinaryIO, exchange._upload.file)
        try:
            task = await exchange._start(session, url, arguments)
            exchange._stream = AsyncStream(task)
            if exchange._upload is not None:
                exchange._upload.start(task)
            exchange.head = await exchange._stream.head()
        except BaseException as error:
            await exchange.close()
            raise exchange._reason(error) from None
        return exchange

    async def _start(self, session: AsyncSession, url: str, arguments: FetchArguments) -> AsyncTask:
        self._descriptor, output = os.pipe()
        os.set_blocking(self._descriptor, False)
        arguments["output"] = DescriptorOutput(output)
        try:
            return await session.start(url, **arguments)
        except BaseException:
            if self._upload is not None:
                self._upload.close()
            raise
        finally:  # the daemon has its own by now
            os.close(output)
            if self._upload is not None:
                self._upload.file.close()

    async def read(self) -> bytes:
        """Some of the body, as it is on the wire; nothing at its end. Raises what ended the task."""
        if self._descriptor < 0 or self._stream is None:
            return b""
        while True:
            try:
                piece = os.read(self._descriptor, READ_BYTES)
                break
            except BlockingIOError:
                await ready(self._descriptor, writing=False)
        if not piece:
            try:
                await self._stream.response()
            except BaseException as error:
                raise self._reason(error) from None
            finally:
                await self.close()
        return piece

    async def close(self) -> None:
        """Cancels the task unless it has finished."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
            if self._stream is not None:
                await self._stream.close()
            if self._upload is not None:
                self._upload.stop()

    def _reason(self, error: BaseException) -> BaseException:
        """The exception of the caller's own iterator, where that is why the task was cancelled."""
        failure = None if self._upload is None else self._upload.failure
        return failure if failure is not None and isinstance(error, TaskCancelled) else error

    def __del__(self) -> None:
        if self._descriptor >= 0:  # this cannot wait; the closed pipe ends the task
            os.close(self._descriptor)


class AsyncUpload:
    """Pieces of the caller's on their way into a pipe."""

    def __init__(self, pieces: AsyncIterable[bytes]) -> None:
        self.failure: BaseException | None = None
        self._pieces = pieces
        self._task: asyncio.Task[None] | None = None
        descriptor, self._sink = os.pipe()
        os.set_blocking(self._sink, False)
        self.file = PipeEnd(descriptor)

    def start(self, task: AsyncTask) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run(task))

    def stop(self) -> None:
        """Ends it when the rest is not wanted."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, task: AsyncTask) -> None:
        try:
            async for piece in self._pieces:
                if not await self._write(piece):
                    break
        except asyncio.CancelledError:
            raise
        except BaseException as failure:
            self.failure = failure
            try:
                await task.cancel()  # before the pipe is closed: half a body must not look like a whole one
            except WatchwordError:
                pass
        finally:
            self.close()

    async def _write(self, piece: bytes) -> bool:
        """Whether the daemon wants more."""
        rest = memoryview(piece)
        while rest:
            try:
                rest = rest[os.write(self._sink, rest) :]
            except BlockingIOError:
                await ready(self._sink, writing=True)
            except BrokenPipeError:
                return False
        return True

    def close(self) -> None:
        descriptor, self._sink = self._sink, -1
        if descriptor >= 0:
            os.close(descriptor)


async def ready(descriptor: int, *, writing: bool) -> None:
    """Waits until a pipe has something, or has room, or has lost its other end."""
    loop = asyncio.get_running_loop()
    news: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not news.done():
            news.set_result(None)

    if writing:
        loop.add_writer(descriptor, tell)
    else:
        loop.add_reader(descriptor, tell)
    try:
        await news
    finally:
        if writing:
            loop.remove_writer(descriptor)
        else:
            loop.remove_reader(descriptor)
