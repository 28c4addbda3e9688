"""Keeps a daemon busy for a long time and prints what it takes: `python -m Integration.soak SECONDS [PAUSE]`.

NTLM, Digest, login forms, codings (one on another, too), handshakes, refusals and cancelled tasks, each in
a thread of its own, with new connections and sessions all the time. A worker waits PAUSE seconds after each
round (0.1 when left out). Each minute it prints the rounds, the bytes that are counted and resident, and the
open descriptors; at the end the mean of the second quarter and of the last one, which are the same when
nothing grows.
"""

from __future__ import annotations

import os
import ssl
import statistics
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from Integration.negotiate.ntlm.scene import DOMAIN, READER, SWITCHED_ON
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, body_of, password
from Support import scripts
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.digest_device import DigestDevice
from Support.guards import DigestGuard
from Support.login_origin import LoginOrigin
from Support.ntlm_server import NTLMServer, user_file
from Support.scripted_origin import ScriptedOrigin

BODY = b"what is read " * 5000
CODINGS: dict[str, Callable[[bytes], bytes]] = {
    **scripts.CODINGS,
    "gzip, br": lambda body: scripts.brotli_raw(scripts.CODINGS["gzip"](body)),
    "zstd, deflate": lambda body: zlib.compress(scripts.zstd_raw(body)),
}


class Soak:
    """The origins and the rounds."""

    def __init__(self, directory: Path, daemon: Daemon) -> None:
        self.daemon = daemon
        self.origin = ScriptedOrigin()
        self.ntlm = self.origin.serve("/ntlm", NTLMServer())
        self.digest = self.origin.serve("/digest", DigestDevice(DigestGuard("devices", USER, PASSWORD)))
        self.refused = self.origin.serve(
            "/refused", scripts.challenged('Basic realm="soak"', 'Digest realm="x"')
        )
        self.stalled = self.origin.serve(
            "/stalled", scripts.stall_after(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nread")
        )
        self.coded = [
            self.origin.serve(f"/coded/{number}", scripts.coded(coding, encode(BODY)))
            for number, (coding, encode) in enumerate(CODINGS.items())
        ]
        self.login = LoginOrigin(USER, PASSWORD)
        self.authority = Authority(directory / "authority")
        identity = self.authority.issue("soak")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(identity.certificate, identity.key)
        self.secure = ScriptedOrigin(context)
        self.page = self.secure.serve("/", scripts.reply(body=BODY))
        self.rounds: dict[str, int] = {}
        self.faults: list[str] = []
        self.over = threading.Event()

    def run(self, pause: float, kind: str, once: Callable[[Peer], None]) -> None:
        """Rounds of one kind until the time is over or one fails."""
        while not self.over.wait(pause):
            try:
                with Peer(self.daemon.socket, checked=False) as peer:
                    once(peer)
                self.rounds[kind] = self.rounds.get(kind, 0) + 1
            except Exception as fault:
                self.faults.append(f"{kind}: {fault!r}")
                return

    def kinds(self) -> dict[str, Callable[[Peer], None]]:
        return {
            "ntlm": self.answered(self.ntlm, {**READER, "persistence": "forSession"}, methods=SWITCHED_ON),
            "digest": self.answered(self.digest, password(USER, PASSWORD)),
            "form": self.answered(
                f"{self.login.url}/private/report",
                password(USER, PASSWORD),
                forms=[
                    {
                        "page": f"{self.login.url}/login",
                        "fields": {"user": "user", "password": "password"},
                        "success": {},
                    }
                ],
            ),
            "coding": self.codings,
            "tls": self.handshakes,
            "refusal": self.refusals,
            "cancel": self.cancelled,
        }

    def answered(self, url: str, credential: Json, **configuration: Json) -> Callable[[Peer], None]:
        """A challenge that is answered, and five fetches with what was given."""

        def once(peer: Peer) -> None:
            session = peer.open(tasks=["*"], configuration=configuration)
            fetch = peer.start_fetch(session, url)
            peer.answer(peer.challenge(), credential)
            assert peer.result(fetch)["status"] == 200
            for _ in range(5):
                assert peer.fetch(session, url)["status"] == 200

        return once

    def codings(self, peer: Peer) -> None:
        session = peer.open()
        for url in self.coded:
            assert body_of(peer.fetch(session, url)) == BODY

    def handshakes(self, peer: Peer) -> None:
        session = peer.open(configuration={"tls": {"roots": {"certificates": self.authority.pem}}})
        assert peer.fetch(session, self.page)["status"] == 200

    def refusals(self, peer: Peer) -> None:
        """A wrong password, then a refusal to answer."""
        session = peer.open(tasks=["*"])
        fetch = peer.start_fetch(session, self.refused)
        peer.answer(peer.challenge(), password(USER, "wrong"))
        peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
        try:
            peer.result(fetch)
        except RemoteError as error:
            assert error.kind == "userCancelledAuthentication"
            return
        raise AssertionError("a fetch that was cancelled has a result")

    def cancelled(self, peer: Peer) -> None:
        """Tasks that are cancelled while they read, and one whose caller goes."""
        session = peer.open(tasks=["*"])
        for number in range(5):
            task = f"stalled-{number}-{time.monotonic_ns()}"
            fetch = peer.start_fetch(session, self.stalled, task=task)
            peer.call("task/cancel", {"task": task})
            try:
                peer.result(fetch)
            except RemoteError as error:
                assert error.kind == "taskCancelled"
        peer.start_fetch(session, self.stalled)
        peer.start_fetch(session, self.refused)
        peer.challenge()


def watch(soak: Soak, seconds: float) -> list[int]:
    """The resident bytes of each minute."""
    taken: list[int] = []
    began = time.monotonic()
    with Peer(soak.daemon.socket, checked=False) as peer:
        while not soak.faults and time.monotonic() - began < seconds:
            soak.over.wait(min(60, seconds / 8))
            status = peer.call("status")
            peer.received.clear()
            taken.append(status["residentBytes"])
            minute = round((time.monotonic() - began) / 60, 1)
            counted, descriptors = status["countedBytes"], len(soak.daemon.descriptors())
            held = f"counted {counted} resident {taken[-1]} descriptors {descriptors}"
            print(f"{minute} min: {soak.rounds} {held}", flush=True)
    return taken


def main(seconds: float, pause: float) -> int:
    directory = Path(tempfile.mkdtemp(prefix="watchword-soak-"))
    os.environ["NTLM_USER_FILE"] = str(user_file(directory / "users", DOMAIN, USER, PASSWORD))
    daemon = Daemon(environment={"NTLM_USER_FILE": os.environ["NTLM_USER_FILE"]}, log_level="error")
    soak = Soak(directory, daemon)
    workers = [
        threading.Thread(target=soak.run, args=(pause, kind, once)) for kind, once in soak.kinds().items()
    ]
    for worker in workers:
        worker.start()
    taken = watch(soak, seconds)
    soak.over.set()
    for worker in workers:
        worker.join()
    daemon.stop()
    quarter = max(1, len(taken) // 4)
    second, last = statistics.mean(taken[quarter : 2 * quarter]), statistics.mean(taken[-quarter:])
    print(
        f"resident bytes: second quarter {second:.0f}, last {last:.0f}, ratio {last / second:.3f}",
        *soak.faults,
    )
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 0.1))
