"""Many ways at once to make a daemon wait: `python -m Integration.freezes SECONDS`, as root.

Another account does all it can (its callers flood the daemon, its servers flood its fetches), while root
sends a `ping` each few milliseconds. It prints how long these waited: alone first, then beside everything
else.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import ssl
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from Integration.test_costly_handshakes import fine, openssl
from Integration.wire import Json, Peer, password
from Support import odd_chains, scripts
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.flooding_origin import FloodingOrigin
from Support.floods import FLOODS
from Support.scripted_origin import ScriptedOrigin
from Support.tls_server import TLSServer

ACCOUNT = 4711
Attack = Callable[[Path, float], None]


def again(url: str, **members: Json) -> Attack:
    """Fetches the same thing over and over, eight at once."""

    def attack(path: Path, end: float) -> None:
        trust = {"trust": "certificate", "persistence": "forSession"}
        while time.monotonic() < end:
            with Peer(path, checked=False) as peer:
                session = peer.open(tasks=["*"])
                wanted = {peer.start_fetch(session, url, output="discard", **members) for _ in range(8)}
                while wanted - peer.replies.keys() and time.monotonic() < end:
                    with contextlib.suppress(TimeoutError):
                        peer.next_message(seconds=0.2)
                    while peer.notifications:
                        note = peer.notifications.pop()
                        if note["method"] == "task/didReceiveChallenge":
                            answer = {"challenge": note["params"]["challenge"]}
                            peer.notify(
                                "challenge/reply",
                                {**answer, "disposition": "useCredential", "credential": trust},
                            )

    return attack


def unread(*requests: Json, connections: int = 40, copies: int = 50) -> Attack:
    """Sends requests over many connections and reads no reply."""
    lines = b"".join(json.dumps(request).encode() + b"\n" for request in requests) * copies

    def attack(path: Path, end: float) -> None:
        while time.monotonic() < end:
            peers = [Peer(path, checked=False) for _ in range(connections)]
            for peer in peers:
                peer.socket.setblocking(False)
            rest = dict.fromkeys(range(connections), lines)
            stop = min(end, time.monotonic() + 5)
            while any(rest.values()) and time.monotonic() < stop:
                for number, peer in enumerate(peers):
                    with contextlib.suppress(BlockingIOError, OSError):
                        rest[number] = rest[number][peer.socket.send(rest[number][: 1 << 20]) :]
                time.sleep(0.005)
            for peer in peers:
                peer.close()

    return attack


def filled(path: Path, end: float) -> None:
    """Fills a session with credentials, then lists, forgets and removes them."""
    while time.monotonic() < end:
        with Peer(path, checked=False) as peer:
            session = peer.open()
            for number in range(2000):
                space = {
                    "protocol": "http",
                    "host": f"h{number}.test",
                    "port": 80,
                    "authenticationMethod": "default",
                }
                params = {"session": session, "protectionSpace": space, "credential": password("u", "p")}
                peer.request("credential/set", params)
            for method in ("credential/list", "agent/forget", "session/reset"):
                with contextlib.suppress(Exception):
                    peer.call(method, None if method == "agent/forget" else {"session": session})


def tasks(url: str) -> Attack:
    """Starts a thousand fetches that get no answer, and ends the session."""

    def attack(path: Path, end: float) -> None:
        while time.monotonic() < end:
            with Peer(path, checked=False) as peer:
                session = peer.open()
                for _ in range(1000):
                    peer.start_fetch(session, url)
                with contextlib.suppress(Exception):
                    peer.call("session/invalidate", {"session": session})

    return attack


def chains(directory: Path) -> list[str]:
    """Origins with certificates that cost much."""
    shapes = [
        ([odd_chains.rsa_key(2048)] * 20, [], []),
        ([odd_chains.rsa_key(8000)] * 10, [], []),
        (
            [odd_chains.rsa_key(2048)],
            [odd_chains.alternatives(f"n{n}.test" for n in range(300))],
            [odd_chains.constraints(f"c{n}.test" for n in range(250))],
        ),
    ]
    urls = []
    for number, (issuers, names, constraints) in enumerate(shapes):
        key, chain = directory / f"{number}.key", directory / f"{number}.pem"
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(key))
        public = openssl("pkey", "-in", str(key), "-pubout", "-outform", "DER")
        shown = odd_chains.chain(public, issuers, names, constraints)
        chain.write_text("".join(odd_chains.pem(der) for der in shown))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.load_cert_chain(chain, key)
        origin = ScriptedOrigin(context)
        urls.append(origin.serve("/", fine))
    return urls


def attacks(directory: Path) -> dict[str, Attack]:
    origin = ScriptedOrigin()
    offers = [f'Basic realm="{number}"' for number in range(5000)]
    parameters = ", ".join(f"p{number}=1" for number in range(10_000))
    bomb = scripts.brotli_raw(scripts.gzip_bomb(32 << 20)[:60_000])
    authority = Authority(directory / "authority")
    identity = authority.issue("freezes")
    rsa = directory / "rsa.key"
    openssl("genrsa", "-out", str(rsa), "2048")
    finite = authority._sign("finite", "subjectAltName=DNS:localhost\n", rsa)
    request = {"jsonrpc": "2.0", "id": 1}
    found: dict[str, Attack] = {
        "offers": again(origin.serve("/offers", scripts.challenged(*offers))),
        "parameters": again(origin.serve("/parameters", scripts.challenged(f"Digest {parameters}"))),
        "gzip bomb": again(origin.serve("/gzip", scripts.coded("gzip", scripts.gzip_bomb(256 << 20)))),
        "nested": again(origin.serve("/nested", scripts.coded("gzip, br", bomb))),
        "zstd bomb": again(origin.serve("/zstd", scripts.coded("zstd", scripts.zstd_bomb(256 << 20)))),
        "endless": again(origin.serve("/endless", scripts.endless())),
        "DHE": again(TLSServer(directory / "dhe.log", finite, "-tls1_2", "-cipher", "DHE").url),
        "handshakes": again(TLSServer(directory / "tls.log", identity, "-tls1_2").url),
        "discover": unread({**request, "method": "rpc.discover"}),
        "status": unread({**request, "method": "status"}, connections=100),
        "members": unread(
            {**request, "method": "ping", "params": {f"m{number}": 1 for number in range(50_000)}}, copies=3
        ),
        "batches": unread([{**request, "method": "status"}] * 400, copies=5),
        "nesting": unread([[[[[[[{}] * 1000]] * 10]]]], copies=20),
        "credentials": filled,
        "tasks": tasks(origin.serve("/silent", scripts.stall_after())),
    }
    for number, url in enumerate(chains(directory)):
        found[f"chain {number}"] = again(url)
    for flood in FLOODS[::5]:
        found[f"{flood.layer.value} {flood.name}"] = again(FloodingOrigin(flood, identity).url)
    return found


def attacking(attack: Attack, path: Path, end: float) -> None:
    # What is measured is the daemon, not how the system shares two cores with some thirty attackers.
    os.nice(10)
    os.setuid(ACCOUNT)
    with contextlib.suppress(Exception):
        attack(path, end)


def waits(path: Path, seconds: float) -> list[float]:
    """How long each `ping` waited, in milliseconds."""
    taken = []
    end = time.monotonic() + seconds
    with Peer(path, checked=False) as peer:
        while time.monotonic() < end:
            began = time.monotonic()
            peer.call("ping")
            peer.received.clear()
            peer.replies.clear()
            taken.append(1000 * (time.monotonic() - began))
            time.sleep(0.005)
    return taken


def told(name: str, taken: list[float]) -> str:
    ordered = sorted(taken)
    share = ordered[int(0.99 * len(ordered))]
    return (
        f"{name}: {len(ordered)} pings, median {statistics.median(ordered):.2f} ms, "
        f"99 % {share:.2f}, longest {ordered[-1]:.2f}"
    )


def main(seconds: float) -> None:
    directory = Path(tempfile.mkdtemp(prefix="watchword-freezes-"))
    directory.chmod(0o755)
    (directory / "host.json").write_text('{"access": "host"}')
    home = Path(tempfile.mkdtemp(prefix="watchword-"))
    home.chmod(0o755)
    daemon = Daemon(["--configuration", str(directory / "host.json")], directory=home, log_level="error")
    found = attacks(directory)
    print(told("alone", waits(daemon.socket, seconds / 4)), flush=True)
    end = time.monotonic() + seconds
    context = multiprocessing.get_context("fork")
    attackers = [
        context.Process(target=attacking, args=(attack, daemon.socket, end)) for attack in found.values()
    ]
    for attacker in attackers:
        attacker.start()
    print(told(f"beside {len(found)} at once", waits(daemon.socket, seconds - 1)))
    for attacker in attackers:
        attacker.join(20)
        attacker.kill()
    print(f"resident at most {daemon.resident_bytes(peak=True) >> 20} MiB")
    daemon.stop()


if __name__ == "__main__":
    main(float(sys.argv[1]))
    os._exit(0)
