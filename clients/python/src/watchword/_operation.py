"""One request as a value: method, parameters, descriptors, and how its result is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, Generic, TypeVar

from ._json import Reader, quote
from ._protocol import close_descriptors

T = TypeVar("T")
Decode = Callable[[Any, Sequence[int]], T]


#: RFC 9110 §9.2.2.
IDEMPOTENT = frozenset(("GET", "HEAD", "OPTIONS", "PUT", "DELETE"))
#: Methods that change nothing.
READING = frozenset(
    (
        "challenge/describe", "challenge/list", "cookie/list", "credential/history", "credential/list", "explain",
        "identity/list", "identity/tokens", "ping", "rpc.discover", "session/describe", "session/list", "status",
        "task/describe", "task/list", "trust/list", "trust/listRoots",
        "vault/check",
    )
)  # fmt: skip


class Operation(Generic[T]):
    """One request. ``owned`` are descriptors made for it, closed once it was sent.

    ``text`` is the parameters as JSON text, where it is already written. ``undo`` makes the request that gives back
    what the result hands out, for a call that was given up. Has no repr: it may hold a secret.
    """

    __slots__ = ("decode", "descriptors", "method", "owned", "params", "task", "text", "undo")

    def __init__(
        self,
        method: str,
        params: Any,
        decode: Decode[T],
        *,
        descriptors: Sequence[int] = (),
        owned: Sequence[int] = (),
        task: str | None = None,
        text: str | None = None,
        undo: Callable[[T], Operation[Any] | None] | None = None,
    ) -> None:
        self.method = method
        self.params = params
        self.decode = decode
        self.descriptors = descriptors
        self.owned = owned
        self.task = task
        self.text = text
        self.undo = undo

    @property
    def repeatable(self) -> bool:
        """Whether it is harmless that it is carried out twice, and it can be sent again as it is."""
        if self.descriptors:
            return False
        if self.method != "fetch":
            return self.method in READING
        return self.text is not None or (
            self.params.get("method", "GET") in IDEMPOTENT and not self.params.get("detached")
        )

    def in_session(self, session: str | None, other: str) -> Operation[T]:
        """The same in another session, where it names this one."""
        if self.text is not None:
            head = f'{{"session":{quote(session or "")},'
            if self.text.startswith(head):
                self.text = f'{{"session":{quote(other)},{self.text[len(head) :]}'
        elif isinstance(self.params, dict) and self.params.get("session") == session:
            self.params = {**self.params, "session": other}
        return self

    def discard(self) -> None:
        """Closes the descriptors that were made for it."""
        owned, self.owned = self.owned, ()
        close_descriptors(owned)


def plain(read: Callable[[Any], T]) -> Decode[T]:
    """A reader for results that bring no descriptors."""

    def decode(result: Any, descriptors: Sequence[int]) -> T:
        close_descriptors(descriptors)
        return read(result)

    return decode


def reader(result: Any) -> Reader:
    return Reader(result, "result")


def members(result: Any) -> Any:
    """An object as it came; the operation says which of ``results`` it is."""
    return reader(result).members


def nothing(result: Any) -> None:
    reader(result)


no_result = plain(nothing)
as_it_came: Decode[Any] = plain(lambda result: result)


def objects(name: str) -> Callable[[Any], list[Any]]:
    """The elements of a list as they came; the operation says which of ``results`` they are."""
    return lambda result: [item.members for item in reader(result).objects(name)]


def parameters(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
