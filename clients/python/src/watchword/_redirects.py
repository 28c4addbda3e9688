"""Redirects that the session asks about (policy ``ask``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

from ._json import Reader
from ._response import Headers, HeaderTypes, fields_to_wire
from ._secrets import holds_secrets

__all__ = [
    "RedirectAnswer",
    "RedirectHandler",
    "RedirectProposal",
    "follow",
    "read_redirect_proposal",
    "stop",
]


@dataclass(frozen=True)
class RedirectProposal:
    """The response that redirects, and the request that following it would make."""

    task: str
    session: str
    status: int
    headers: Headers
    request_url: str
    request_method: str
    request_headers: Headers


@holds_secrets("request")
@dataclass(frozen=True)
class RedirectAnswer:
    """Follow (with changes, if any) or stop. Its header fields may be secret."""

    request: dict[str, Any] | None = field(repr=False)


#: A plain function from proposal to answer. With ``AsyncClient`` it may be a coroutine function.
RedirectHandler = Callable[[RedirectProposal], RedirectAnswer]


def follow(url: str | None = None, *, method: str | None = None, headers: HeaderTypes | None = None) -> RedirectAnswer:
    """Makes the proposed request, with what is given here in its place."""
    request: dict[str, Any] = {}
    if url is not None:
        request["url"] = url
    if method is not None:
        request["method"] = method
    if headers is not None:
        request["headers"] = fields_to_wire(headers)
    return RedirectAnswer(request)


def stop() -> RedirectAnswer:
    """Delivers the redirecting response itself."""
    return RedirectAnswer(None)


def read_redirect_proposal(params: Any) -> RedirectProposal:
    """The proposal in ``task/willRedirect``."""
    reader = Reader(params, "task/willRedirect")
    response, request = reader.object("response"), reader.object("request")
    return RedirectProposal(
        task=reader.string("task"),
        session=reader.string("session"),
        status=response.integer("status"),
        headers=Headers(response.pairs("headers", ())),
        request_url=request.string("url"),
        request_method=request.string("method"),
        request_headers=Headers(request.pairs("headers", ())),
    )
