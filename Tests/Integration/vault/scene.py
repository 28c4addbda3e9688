"""What the tests of the vault share."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from urllib.parse import urlsplit

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, password
from Support.daemon import Daemon

FOR_EVER = password(USER, PASSWORD, "permanent")


def directory_of(daemon: Daemon, uid: int | None = None) -> Path:
    return daemon.directory / "state" / f"vault-{os.geteuid() if uid is None else uid}"


def vault_of(daemon: Daemon) -> Path:
    return directory_of(daemon) / "vault.sqlite"


def key_of(daemon: Daemon) -> Path:
    return directory_of(daemon) / "vault.key"


def restart(daemon: Daemon, how: signal.Signals = signal.SIGTERM) -> None:
    end(daemon, how)
    daemon.start()


def end(daemon: Daemon, how: signal.Signals = signal.SIGTERM) -> None:
    os.kill(daemon.pid, how)
    daemon.process.wait()


def space_of(url: str, realm: str | None = "staff", method: str = "basic") -> Json:
    parts = urlsplit(url)
    return {
        "protocol": parts.scheme,
        "host": parts.hostname,
        "port": parts.port,
        "realm": realm,
        "authenticationMethod": method,
    }


def answer_once(peer: Peer, url: str, credential: Json = FOR_EVER) -> None:
    """A fetch whose challenge gets a permanent reply."""
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, url)
    assert peer.answer(peer.challenge(), credential) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200


def keep(peer: Peer, url: str, credential: Json = FOR_EVER, **members: Json) -> None:
    assert (
        peer.call("credential/set", {"protectionSpace": space_of(url), "credential": credential, **members})
        == {}
    )


def status_of(peer: Peer, url: str, **configuration: Json) -> int:
    """The status of a fetch in a new session without delegates."""
    session = peer.open(configuration=configuration)
    status: int = peer.fetch(session, url)["status"]
    return status


def listed(peer: Peer) -> list[Json]:
    credentials: list[Json] = peer.call("credential/list")["credentials"]
    return [one for one in credentials if one["source"] == "permanent"]


def refusal_of(peer: Peer, url: str, credential: Json = FOR_EVER) -> RemoteError:
    """Why a permanent credential is not kept."""
    try:
        keep(peer, url, credential)
    except RemoteError as error:
        return error
    raise AssertionError("it was kept")
