"""One fetch whose bodies flow through pipes: bytes never become JSON, and the faster side waits."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import BinaryIO, cast

from .._arguments import DescriptorOutput, FetchArguments
from .._errors import WatchwordError
from .._generated.errors import TaskCancelled
from .._session import Session
from .._started import Stream, Task
from .._tasks import ResponseReceived
from ._translation import READ_BYTES

__all__ = ["Exchange"]


class Exchange:
    """A started task, its head and the read end of the pipe that its body arrives in.

    ``pieces`` are sent as the request body, by a thread of their own: handlers run in this one meanwhile.
    """

    def __init__(
        self, session: Session, url: str, arguments: FetchArguments, pieces: Iterator[bytes] | None = None
    ) -> None:
        self._upload = None if pieces is None else Upload(pieces)
        self._stream: Stream | None = None
        self._descriptor, output = os.pipe()
        try:
            arguments["output"] = DescriptorOutput(output)
            if self._upload is not None:
                arguments["body"] = cast(BinaryIO, self._upload.file)
            task = self._start(session, url, arguments, output)
            self._stream = Stream(task)
            if self._upload is not None:
                self._upload.start(task)
            self.head: ResponseReceived = self._stream.head
        except BaseException as error:
            self.close()
            raise self._reason(error) from None

    def _start(self, session: Session, url: str, arguments: FetchArguments, output: int) -> Task:
        try:
            return session.start(url, **arguments)
        except BaseException:
            if self._upload is not None:
                self._upload.close()
            raise
        finally:  # the daemon has its own by now
            os.close(output)
            if self._upload is not None:
                self._upload.file.close()

    def read(self, size: int = READ_BYTES) -> bytes:
        """Some of the body, as it is on the wire; nothing at its end. Raises what ended the task."""
        if self._descriptor < 0 or self._stream is None:
            return b""
        piece = os.read(self._descriptor, size)
        if not piece:
            try:
                self._stream.response()
            except BaseException as error:
                raise self._reason(error) from None
            finally:
                self.close()
        return piece

    def close(self) -> None:
        """Cancels the task unless it has finished."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
            if self._stream is not None:
                self._stream.close()

    def _reason(self, error: BaseException) -> BaseException:
        """The exception of the caller's own iterator, where that is why the task was cancelled."""
        failure = None if self._upload is None else self._upload.failure
        return failure if failure is not None and isinstance(error, TaskCancelled) else error

    def __del__(self) -> None:
        # No call to the daemon from here: any thread may be in any lock. The closed pipe ends the task.
        if getattr(self, "_descriptor", -1) >= 0:
            os.close(self._descriptor)


class PipeEnd:
    """The read end of a pipe as what ``body`` takes."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


class Upload:
    """Pieces of the caller's on their way into a pipe."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.failure: BaseException | None = None
        self._pieces = pieces
        descriptor, self._sink = os.pipe()
        self.file = PipeEnd(descriptor)

    def start(self, task: Task) -> None:
        threading.Thread(target=self._run, args=(task,), name="watchword-upload", daemon=True).start()

    def _run(self, task: Task) -> None:
        try:
            for piece in self._pieces:
                if not self._write(piece):
                    break
        except BaseException as failure:
            self.failure = failure
            try:
                task.cancel()  # before the pipe is closed: half a body must not look like a whole one
            except WatchwordError:
                pass
        finally:
            self.close()

    def _write(self, piece: bytes) -> bool:
        """Whether the daemon wants more."""
        rest = memoryview(piece)
        try:
            while rest:
                rest = rest[os.write(self._sink, rest) :]
        except BrokenPipeError:
            return False
        return True

    def close(self) -> None:
        descriptor, self._sink = self._sink, -1
        if descriptor >= 0:
            os.close(descriptor)
