"""What the tests of client certificates share."""

from __future__ import annotations

from collections.abc import Callable

from Integration.sentinels import MARK
from Integration.wire import Json, Peer, body_of
from Support.client_identities import ClientIdentity
from Support.mutual_tls import MutualTLS, Shown

#: Parameters with the passphrase of a vault.
OPENS = {"passphrase": f"{MARK} opens it"}


def shown(result: Json) -> Shown:
    assert result["status"] == 200, result
    return Shown.read(body_of(result))


def add(peer: Peer, session: str, identity: ClientIdentity) -> str:
    return str(peer.call("identity/add", {"session": session, "identity": identity.plain})["identity"])


def permanent(identity: Json, **members: Json) -> Json:
    return {"identity": identity, "persistence": "permanent", **members}


def keep(peer: Peer, identity: Json, **members: Json) -> str:
    return str(peer.call("identity/add", permanent(identity, **members))["identity"])


def listed(peer: Peer) -> list[Json]:
    found: list[Json] = peer.call("identity/list")["identities"]
    return [one for one in found if one["persistence"] == "permanent"]


def answered(peer: Peer, opened: str, url: str, identity: Json, **members: Json) -> str:
    """A fetch whose challenge gets a permanent reply; whom the server saw."""
    fetch = peer.start_fetch(opened, url)
    assert peer.answer(peer.challenge(), permanent(identity, **members)) == {"accepted": True}
    return shown(peer.result(fetch)).subject


def seen(peer: Peer, session: Callable[..., str], server: MutualTLS, **members: str) -> str:
    """Whom the server sees in a new session without delegates."""
    url = server.url(verification="optional", **members)
    return shown(peer.fetch(session(peer), url)).subject
