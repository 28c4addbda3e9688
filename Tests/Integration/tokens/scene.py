"""What the tests of tokens share."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.wire import Json, Peer, RemoteError, body_of
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.mutual_tls import Shown
from Support.soft_token import PIN


def add(peer: Peer, session: str, uri: str, **members: Json) -> str:
    identity = {"pkcs11": uri, "passphrase": PIN, **members}
    return str(peer.call("identity/add", {"session": session, "identity": identity})["identity"])


def refusal(peer: Peer, identity: Json, session: str | None = None) -> str:
    """The reason for which `identity/add` is refused."""
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/add", {"session": session or peer.open(), "identity": identity})
    assert caught.value.kind == "credentialUnusable"
    return str(caught.value.data["reason"])


def opened(peer: Peer, authority: Authority, **members: Json) -> str:
    return peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}}, **members)


def shown(result: Json) -> Shown:
    assert result["status"] == 200, result
    return Shown.read(body_of(result))


def helpers(daemon: Daemon) -> set[int]:
    """The processes that hold keys for this daemon."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            # The name in parentheses may hold anything but is cut at 15 characters.
            name, _, rest = (entry / "stat").read_text().partition("(")[2].rpartition(")")
        except (OSError, ValueError):
            continue
        if name == "watchword-pkcs1" and int(rest.split()[1]) == daemon.pid:
            found.add(int(entry.name))
    return found


def comes(true: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether it is so by then."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
