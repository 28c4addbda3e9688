"""What the tests of permanent trust share."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import tempfile
from pathlib import Path

import pytest

from Integration.wire import PATIENCE, Json, Peer, kind_of
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin

# The number of the record beside which the numbers of decisions are counted.
LEDGER = 1 << 62
ALWAYS = {"trust": "certificate", "persistence": "permanent"}
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="changes accounts or mounts")


async def fine(exchange: Exchange) -> None:
    await exchange.respond(200, body=b"fine")


def ask(peer: Peer, session: str, origin: ScriptedOrigin) -> tuple[int, Json]:
    """A fetch that raises the question; its number and the challenge."""
    fetch = peer.start_fetch(session, origin.url + "/")
    return fetch, peer.notification("task/didReceiveChallenge")


def accept(peer: Peer, session: str, origin: ScriptedOrigin, credential: Json = ALWAYS) -> None:
    fetch, challenge = ask(peer, session, origin)
    assert peer.answer(challenge, credential) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200


def is_asked(peer: Peer, origin: ScriptedOrigin, **members: Json) -> bool:
    """Whether a new session is asked about the origin; when not, it is served."""
    session = peer.open(tasks=["serverTrust"], **members)
    fetch = peer.start_fetch(session, origin.url + "/")

    def questions() -> list[Json]:
        return [note for note in peer.notifications if note["method"] == "task/didReceiveChallenge"]

    peer._pump(lambda: fetch in peer.replies or bool(questions()), PATIENCE, "an answer or a question")
    asked = bool(questions())
    if asked:
        peer.dispose(peer.notification("task/didReceiveChallenge"), "cancelAuthenticationChallenge")
        assert kind_of(peer.result, fetch) == "serverTrustRejected"
    else:
        assert peer.result(fetch)["status"] == 200
    return asked


def listed(peer: Peer, session: str | None = None) -> list[Json]:
    found: list[Json] = peer.call("trust/list", {"session": session} if session else {})["trust"]
    return found


def state(daemon: Daemon) -> Path:
    return daemon.directory / "state"


def vault_of(daemon: Daemon, uid: int | None = None) -> Path:
    return state(daemon) / f"vault-{os.geteuid() if uid is None else uid}" / "vault.sqlite"


def kept(daemon: Daemon, uid: int | None = None) -> list[str]:
    """The ids of the decisions on the disk, in the order in which they were given."""
    return kept_in(vault_of(daemon, uid))


def kept_in(vault: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        # The daemon's own is locked.
        for file in vault.parent.glob(vault.name + "*"):
            shutil.copy(file, name)
        database = sqlite3.connect(Path(name) / vault.name)
        is_made = database.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,)
        query = "SELECT number FROM record WHERE kind = 'trust' AND number > ? ORDER BY number"
        numbers = [number for (number,) in (database.execute(query, (LEDGER,)) if is_made else [])]
        database.close()
    return [f"p{number - LEDGER}" for number in numbers]


def restart(daemon: Daemon, how: signal.Signals = signal.SIGTERM) -> None:
    os.kill(daemon.pid, how)
    daemon.process.wait()
    daemon.start()
