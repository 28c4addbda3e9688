"""What the tests of NTLM share."""

from __future__ import annotations

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import Json
from Support.certificates import Authority
from Support.relaying_proxy import RelayingProxy

DOMAIN = "WW"
READER = {"user": sentinels.USER, "domain": DOMAIN, "password": sentinels.PASSWORD}
SWITCHED_ON: dict[str, Json] = {"disabled": []}


def open_through(
    proxy: RelayingProxy,
    peer: RealmPeer,
    authority: Authority,
    *methods: str,
    name: str | None = None,
    **configuration: Json,
) -> str:
    """A session with NTLM that goes through the proxy; the peer takes challenges of `methods`."""
    return peer.open(
        name,
        configuration={
            "methods": SWITCHED_ON,
            "proxies": {"all": proxy.url},
            "tls": {"roots": {"certificates": authority.pem}},
            **configuration,
        },
        session=list(methods),
    )
