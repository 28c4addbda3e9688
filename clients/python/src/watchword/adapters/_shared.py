"""The session that moved scripts share, so that one of them is asked for all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._ask import ask
from .._async_client import AsyncClient
from .._client import Client
from . import CONFIGURATION

if TYPE_CHECKING:
    from .._async_session import AsyncSession
    from .._session import Session

__all__ = ["AsyncSharedSession", "SharedSession"]

#: A session of the user, which every script joins that names none.
NAME = "python"


class SharedSession:
    """A session of a client of its own, opened when it is first used. The daemon is started where none runs."""

    def __init__(self, on_challenge: Any = None) -> None:
        self._on_challenge = on_challenge or ask
        self._client: Client | None = None
        self._session: Session | None = None
        self._lock = threading.Lock()

    def get(self) -> Session:
        with self._lock:
            if self._session is None:
                if self._client is None:
                    self._client = Client(start=True)
                self._session = self._client.session(NAME, CONFIGURATION, on_challenge=self._on_challenge)
            return self._session

    def close(self) -> None:
        self.leave()()

    def leave(self) -> Callable[[], None]:
        """Uses another client from now on; the function closes the one until now."""
        with self._lock:
            client, self._client, self._session = self._client, None, None
        return client.close if client is not None else _do_nothing

    def __reduce__(self) -> tuple[Any, ...]:
        return (SharedSession, (self._on_challenge,))


def _do_nothing() -> None:
    """There was no client."""


class AsyncSharedSession:
    """The same for asyncio; its first user opens it for all."""

    def __init__(self, on_challenge: Any = None) -> None:
        self._on_challenge = on_challenge or ask
        self._client: AsyncClient | None = None

    async def open(self) -> AsyncSession:
        self._client = await AsyncClient(start=True).connect()
        return await self._client.session(NAME, CONFIGURATION, on_challenge=self._on_challenge)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()
