"""What the tests of restricted connections share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.wire import Json, Peer, RemoteError


def restrict(peer: Peer, session: str, *rules: Json, **members: Json) -> str:
    result = peer.call("peer/restrict", {"session": session, "rules": list(rules), **members})
    assert result["session"] == session
    return str(result["restriction"])


def rule(origin: str, path: str = "/*", **members: Json) -> Json:
    return {"methods": ["GET"], "origin": origin, "path": path, **members}


def refusal(call: Callable[..., Json], *arguments: Json, **members: Json) -> Json:
    """The data of the error `restricted` that the call must end with."""
    with pytest.raises(RemoteError) as caught:
        call(*arguments, **members)
    assert caught.value.kind == "restricted", caught.value
    return caught.value.data


def reason(call: Callable[..., Json], *arguments: Json, **members: Json) -> str:
    return str(refusal(call, *arguments, **members)["reason"])
