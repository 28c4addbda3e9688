"""What the tests of client certificates share."""

from __future__ import annotations

from Integration.wire import Json, Peer, body_of
from Support.client_identities import ClientIdentity
from Support.mutual_tls import Shown


def shown(result: Json) -> Shown:
    assert result["status"] == 200, result
    return Shown.read(body_of(result))


def add(peer: Peer, session: str, identity: ClientIdentity) -> str:
    return str(peer.call("identity/add", {"session": session, "identity": identity.plain})["identity"])
