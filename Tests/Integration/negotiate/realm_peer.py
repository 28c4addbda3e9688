"""A connection whose sessions find the realm's server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.wire import Json, Peer, RemoteError
from Support.kerberos_apache import KerberosApache


class RealmPeer(Peer):
    def session(
        self, web: KerberosApache, asks: bool = False, roots: str | None = None, **negotiate: Json
    ) -> str:
        """A private session; `asks`: this connection takes `negotiate`."""
        configuration: dict[str, Json] = {"addresses": web.addresses, "methods": {"negotiate": negotiate}}
        if roots is not None:
            configuration["tls"] = {"roots": {"certificates": roots, "exclusive": True}}
        return self.open(configuration=configuration, session=["negotiate"] if asks else [])

    def error(self, call: Callable[[], object]) -> RemoteError:
        """The error of a call that has to fail."""
        with pytest.raises(RemoteError) as failed:
            call()
        return failed.value

    def asked(self) -> Json:
        """The next challenge of this session."""
        return self.notification("session/didReceiveChallenge")


def mechanisms(result: Json) -> list[str | None]:
    """What has authenticated the connection of each exchange inside of Negotiate."""
    return [part.get("mechanism") for part in result["metrics"]["exchanges"]]


def methods(result: Json) -> list[tuple[int, str | None]]:
    """Status and method of each exchange."""
    return [(part["status"], part["authenticationMethod"]) for part in result["metrics"]["exchanges"]]
