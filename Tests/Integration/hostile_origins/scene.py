"""What the tests of hostile origins share."""

from __future__ import annotations

from Integration.wire import Json, Peer, RemoteError


def outcome(peer: Peer, session: str, url: str, **members: Json) -> int | str:
    """The status, or the kind of the error."""
    try:
        return int(peer.fetch(session, url, **members)["status"])
    except RemoteError as error:
        return error.kind
