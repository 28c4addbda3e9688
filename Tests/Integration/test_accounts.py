"""What the process grows by, compared with what is counted for the user: at most 1.3 times as much."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import ssl
import subprocess
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from Integration import held_bytes
from Integration.vault.scene import directory_of, end
from Integration.wire import Json, Peer, RemoteError, kind_of, password, wait_for_waiters
from Support.certificates import Authority
from Support.client_identities import ClientAuthority
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, held, reply

pytestmark = [
    pytest.mark.core,
    pytest.mark.skipif("WATCHWORD_SANITIZED" in os.environ, reason="a sanitizer's shadow is memory, too"),
]

Connect = Callable[..., Peer]

#: The process may grow by so much of what is counted.
SHARE = 1.3
#: What it takes once, when it does something for the first time: tables, threads and buffers.
ONCE = 4 << 20

CONFIGURATIONS: dict[str, tuple[int, Json]] = {
    "empty": (3000, {}),
    "long fields": (200, {"headers": [["X-Long", "x" * 50_000]] * 8}),
    "fields": (400, {"headers": [[f"X-{number}", "x" * 1000] for number in range(100)]}),
    "short fields": (1000, {"headers": [[f"X-{number}", "x" * 40] for number in range(120)]}),
    "origins": (150, {"addresses": {"allowOrigins": [f"https://h{number}.test" for number in range(1000)]}}),
    "exceptions": (
        150,
        {"proxies": {"all": "http://p.test:3128", "except": [f"h{number}.test" for number in range(1000)]}},
    ),
    "netrc": (
        150,
        {"netrc": {"text": "".join(f"machine h{n}.test login u{n} password {n:030}\n" for n in range(900))}},
    ),
}


def roots(authority: Authority, session: int) -> str:
    """A hundred certificates that no other session has. Only their numbers differ: nobody verifies them."""
    der = ssl.PEM_cert_to_DER_cert(authority.pem)
    command = ["openssl", "x509", "-noout", "-serial", "-in", str(authority.certificate)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    old = bytes.fromhex(printed.strip().partition("=")[2])
    made = []
    for index in range(100):
        new = bytes([old[0], *(session * 100 + index).to_bytes(len(old) - 1, "big")])
        made.append(ssl.DER_cert_to_PEM_cert(der.replace(old, new, 1)))
    return "".join(made)


class Scene:
    """One who watches the status while others make the daemon keep something."""

    def __init__(self, connect: Connect, origin: ScriptedOrigin) -> None:
        self.connect, self.origin = connect, origin
        self.observer, self.peer = connect(), connect()
        session = self.peer.open("first")
        assert self.peer.fetch(session, origin.serve("/first", reply()))["status"] == 200
        self.before = self.status()

    def status(self) -> Any:
        self.observer.call("ping")
        return self.observer.call("status")

    def check(self, least: int) -> None:
        """So much is counted at least, and the process has grown by little more than what is counted."""
        after = self.status()
        counted = after["countedBytes"] - self.before["countedBytes"]
        grown = after["residentBytes"] - self.before["residentBytes"]
        assert counted >= least
        assert grown <= SHARE * counted + ONCE, f"{grown} of {counted}: {(grown - ONCE) / counted:.2f}"

    def check_given_back(self) -> None:
        """Polls; a test that waits in vain ends with the suite's time limit."""
        while self.status()["countedBytes"] > self.before["countedBytes"]:
            pass


@pytest.fixture
def scene(connect: Connect, origin: ScriptedOrigin, daemon: Daemon) -> Scene:
    return Scene(connect, origin)


@pytest.mark.parametrize("kind", CONFIGURATIONS)
def test_configurations(scene: Scene, kind: str) -> None:
    count, configuration = CONFIGURATIONS[kind]
    peer = scene.connect(checked=False)
    for _ in range(count):
        peer.open(configuration=configuration)
    scene.check(count * 4096)
    peer.close()
    scene.check_given_back()


def test_roots(scene: Scene, authority: Authority) -> None:
    peer = scene.connect(checked=False)
    for session in range(1, 41):
        peer.open(configuration={"tls": {"roots": {"certificates": roots(authority, session)}}})
    scene.check(40 * 100 * 4096)
    # The same ones again are shared.
    before = scene.status()["countedBytes"]
    peer.open(configuration={"tls": {"roots": {"certificates": roots(authority, 40)}}})
    assert scene.status()["countedBytes"] - before < 100 * 4096
    peer.close()
    scene.check_given_back()


def test_roots_are_bounded(scene: Scene, authority: Authority) -> None:
    """OpenSSL reads them on the loop."""
    certificates = "".join(roots(authority, session) for session in range(1, 6))
    scene.peer.open(configuration={"tls": {"roots": {"certificates": certificates}}})
    certificates += roots(authority, 6)
    with pytest.raises(RemoteError) as refused:
        scene.peer.open(configuration={"tls": {"roots": {"certificates": certificates}}})
    assert refused.value.data["path"] == "params.configuration.tls.roots.certificates"
    assert "more than 512" in str(refused.value)


def test_tasks_that_run_and_wait_for_a_connection(scene: Scene) -> None:
    gate = scene.origin.gate()
    url = scene.origin.serve("/", *[held(gate, reply())] * 64)
    peers = [scene.connect(checked=False) for _ in range(4)]
    for peer in peers:
        session = peer.open(configuration={"connectionsPerHost": 16})
        for _ in range(900):
            peer.start_fetch(session, url, headers=[[f"X-{number}", "x" * 40] for number in range(10)])
    scene.origin.wait_for_requests(64)
    scene.check(3600 * 4096)
    for peer in peers:
        peer.close()
    gate.open()
    scene.check_given_back()


def test_sessions_with_a_connection_each(scene: Scene) -> None:
    url = scene.origin.serve("/", *[reply()] * 300)
    peer = scene.connect(checked=False)
    for _ in range(300):
        assert peer.fetch(peer.open(), url)["status"] == 200
    scene.check(300 * 32_768)
    peer.close()
    scene.check_given_back()


def test_sessions_with_a_secure_connection_each(
    scene: Scene, origins: Callable[..., ScriptedOrigin], tls_context: ssl.SSLContext, authority: Authority
) -> None:
    secure = origins(tls_context)
    url = secure.serve("/", *[reply()] * 300)
    peer = scene.connect(checked=False)
    for _ in range(300):
        session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
        assert peer.fetch(session, url)["status"] == 200
    scene.check(300 * 65_536)
    peer.close()
    scene.check_given_back()


def test_connections_of_callers(scene: Scene) -> None:
    """Idle ones, each of which has asked for something."""
    peers = [scene.connect(checked=False) for _ in range(800)]
    for peer in peers:
        peer.call("ping")
    scene.check(800 * 4096)
    for peer in peers:
        peer.close()
    scene.check_given_back()


def test_connections_that_have_had_a_large_reply(scene: Scene) -> None:
    """The memory of the reply is given back with its last byte."""
    size = 24_000
    url = scene.origin.serve("/", *[reply(body=b"x" * size)] * 400)
    peers = [scene.connect(checked=False) for _ in range(400)]
    for peer in peers:
        assert len(peer.fetch(peer.open("large"), url)["body"]["text"]) == size
    scene.check(400 * 4096)
    assert scene.status()["countedBytes"] - scene.before["countedBytes"] < 400 * size / 2


@pytest.mark.parametrize("member", ["text", "base64"])
def test_bodies_of_requests_that_have_no_response(scene: Scene, member: str) -> None:
    """Each is in memory twice, for the task and for libcurl; what the message took is given back."""
    size, count = 300_000, 60
    body = {member: "x" * size if member == "text" else base64.b64encode(bytes(size)).decode()}
    gate = scene.origin.gate()
    url = scene.origin.serve("/", held(gate, reply()))
    peer = scene.connect(checked=False)
    session = peer.open(configuration={"connectionsPerHost": count})
    for _ in range(count):
        peer.start_fetch(session, url, method="POST", body=body)
    scene.origin.wait_for_requests(1 + count)
    scene.check(count * 2 * size)
    peer.close()
    gate.open()
    scene.check_given_back()


def use_memory(peer: Peer) -> None:
    """What the message takes is free when it has been refused, and serves what needs memory next."""
    assert kind_of(lambda: peer.call("ping", {"x": "x" * 900_000})) == "invalidParams"


@pytest.mark.parametrize("body", [None, {"text": "short"}])
def test_exchanges_that_begin_in_memory_that_was_used_before(scene: Scene, body: Json | None) -> None:
    """The buffers that libcurl makes for each are empty as long as no response comes."""
    count = 100
    gate = scene.origin.gate()
    url = scene.origin.serve("/", held(gate, reply()))
    peer, other = scene.connect(checked=False), scene.connect(checked=False)
    session = peer.open(configuration={"connectionsPerHost": count})

    use_memory(other)
    scene.before = scene.status()
    for number in range(count):
        use_memory(other)
        peer.start_fetch(session, url, **({"method": "POST", "body": body} if body else {}))
        scene.origin.wait_for_requests(2 + number)
    scene.check(count * (held_bytes.TASK + held_bytes.CONNECTION + held_bytes.EXCHANGE))
    peer.close()
    gate.open()
    scene.check_given_back()


def test_offers_and_questions_that_wait(scene: Scene) -> None:
    offers = [f'Digest realm="{number}{"r" * 200}", nonce="{"n" * 200}", qop="auth"' for number in range(60)]
    url = scene.origin.serve("/", *[challenged(*offers)] * 200)
    peer = scene.connect(checked=False)
    for _ in range(200):
        peer.start_fetch(peer.open(tasks=["*"]), url)
    for _ in range(200):
        peer.challenge()
    scene.check(200 * 100_000)
    peer.close()
    scene.check_given_back()


def test_tasks_that_wait_for_one_question(scene: Scene) -> None:
    url = scene.origin.serve("/", *[challenged('Basic realm="r"')] * 2000)
    peers = [scene.connect(checked=False) for _ in range(2)]
    session = peers[0].open("shared", tasks=["*"])
    for peer in peers:
        peer.open(session)
        for _ in range(1000):
            peer.start_fetch(session, url)
    challenge = peers[0].challenge()
    while scene.observer.call("status")["usage"]["waitingTasks"] < 2000:
        pass
    scene.check(2000 * 6144)
    peers[0].dispose(challenge, "cancelAuthenticationChallenge")
    for peer in peers:
        peer.close()


@pytest.mark.parametrize("size", [10, 1000])
def test_credentials(scene: Scene, size: int) -> None:
    peer = scene.connect(checked=False)
    session = peer.open()
    for number in range(5000):
        space = {"protocol": "http", "host": f"h{number}.test", "port": 80, "authenticationMethod": "basic"}
        params = {"session": session, "protectionSpace": {**space, "realm": "r"}}
        peer.call("credential/set", {**params, "credential": password("u", "p" * size)})
    scene.check(5000 * (1000 + size))
    peer.close()
    scene.check_given_back()


@pytest.mark.parametrize("intermediates", [0, 20])
def test_identities(scene: Scene, tmp_path: Path, intermediates: int) -> None:
    """Of a chain every certificate counts."""
    authorities = [ClientAuthority(tmp_path, "root")]
    for number in range(intermediates):
        authorities.append(ClientAuthority(tmp_path, f"i{number}", authorities[-1]))
    identity = authorities[-1].issue("alice").plain
    chain = "".join(authority.certificate.read_text() for authority in reversed(authorities[1:]))
    identity["certificates"] += chain
    peer = scene.connect(checked=False)
    for _ in range(300):
        peer.call("identity/add", {"session": peer.open(), "identity": identity})
    scene.check(300 * (held_bytes.SESSION + 7168 + intermediates * 3072))
    peer.close()
    scene.check_given_back()


def test_nonces(scene: Scene) -> None:
    """Which connection each was given on is remembered."""
    nonces = [f"{number:04}{'n' * 2000}" for number in range(1000)]
    offers = [f'Digest realm="r", nonce="{nonce}", qop="auth"' for nonce in nonces]
    url = scene.origin.serve("/", *[challenged(offer) for offer in offers])
    peer = scene.connect(checked=False)
    session = peer.open(tasks=["*"])
    for _ in nonces:
        peer.start_fetch(session, url)
        peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    scene.check(1000 * 2000)
    peer.close()
    scene.check_given_back()


def test_cookies(scene: Scene) -> None:
    peer = scene.connect(checked=False)
    for _ in range(30):
        session = peer.open()
        for number in range(150):
            cookie = {"name": f"c{number}", "value": "v" * 2000, "domain": "a.test", "path": "/"}
            peer.call("cookie/set", {"session": session, "cookie": cookie})
    scene.check(30 * 150 * 2000)
    peer.close()
    scene.check_given_back()


@pytest.mark.parametrize("size", [100, 20_000])
def test_results_of_detached_tasks(scene: Scene, size: int) -> None:
    url = scene.origin.serve("/" + "p" * 1000, *[reply(body=b"x" * size)] * 1000)
    peer = scene.connect(checked=False)
    session = peer.open("detached")
    for number in range(1000):
        start = {"session": session, "url": url, "task": f"t{number}", "detached": True}
        peer.call("task/start", {**start, "output": "inline"})
        peer.notification("task/didFinish")
    scene.check(1000 * (2048 + size))


@pytest.mark.parametrize("method", ["rpc.discover", "status"])
def test_replies_that_nobody_reads(scene: Scene, method: str) -> None:
    """Up to the high-water mark of each connection."""
    peers = [scene.connect(checked=False) for _ in range(40)]
    for peer in peers:
        peer.send_bytes(b"".join(request(method, number) for number in range(150)))
    scene.check(0)


def test_batches_that_nobody_reads(scene: Scene) -> None:
    peers = [scene.connect(checked=False) for _ in range(4)]
    for peer in peers:
        peer.send([{"jsonrpc": "2.0", "id": number, "method": "status"} for number in range(500)])
    least = 4 << 20
    while scene.status()["countedBytes"] - scene.before["countedBytes"] < least:
        pass
    scene.check(least)


def test_a_batch_of_large_replies_counts_as_what_it_takes(scene: Scene) -> None:
    """Each reply has memory of its own, and as much of it as it needs."""
    gate = scene.origin.gate()
    url = scene.origin.serve("/", held(gate, reply()))
    peer = scene.connect(checked=False)
    fetch = {"jsonrpc": "2.0", "id": "held", "method": "fetch", "params": {"url": url}}
    size = len(json.dumps(scene.observer.call("rpc.discover"), separators=(",", ":")))
    before = scene.status()["countedBytes"]
    peer.send([fetch, *[{"jsonrpc": "2.0", "id": number, "method": "rpc.discover"} for number in range(200)]])
    scene.origin.wait_for_requests(2)
    while scene.status()["countedBytes"] - before < 200 * size:
        pass
    counted = scene.status()["countedBytes"] - before
    assert counted < SHARE * 200 * size
    scene.check(200 * size)
    peer.close()
    gate.open()


def request(method: str, number: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"%s"}\n' % (number, method.encode())


def wait_until_read(peer: Peer) -> None:
    """Polls; a test that waits in vain ends with the suite's time limit."""
    while any(fcntl.ioctl(peer.socket, termios.TIOCOUTQ, bytes(4))):
        pass


def test_messages_that_have_not_arrived_in_whole(scene: Scene) -> None:
    """Small ones, too: there may be a thousand connections."""
    peers = [scene.connect(checked=False) for _ in range(500)]
    for peer in peers:
        peer.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * 40_000)
        wait_until_read(peer)
    scene.check(500 * 40_000)
    for peer in peers:
        peer.close()
    scene.check_given_back()


def test_memory_that_idle_connections_keep_for_the_next_message(scene: Scene) -> None:
    peers = [scene.connect(checked=False) for _ in range(500)]
    for peer in peers:
        peer.send_bytes(b'{"jsonrpc":"2.0","method":"$/none","params":{"x":"' + b"x" * 40_000 + b'"}}\n')
        peer.call("ping")
    scene.check(500 * 16_384)
    for peer in peers:
        peer.close()
    scene.check_given_back()


def test_pages_of_refusals_that_are_held_while_a_question_waits(scene: Scene) -> None:
    url = scene.origin.serve("/", *[challenged('Basic realm="r"', body=b"p" * 200_000)] * 150)
    peer = scene.connect(checked=False)
    session = peer.open(tasks=["*"])
    for _ in range(150):
        peer.start_fetch(session, url)
    challenge = peer.challenge()
    wait_for_waiters(peer, challenge, 150)
    scene.check(150 * 200_000)
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    peer.close()
    scene.check_given_back()


def test_bodies_for_pipes_that_nobody_reads(scene: Scene) -> None:
    url = scene.origin.serve("/", *[reply(body=b"b" * (4 << 20))] * 80)
    peer = scene.connect(checked=False)
    session = peer.open(configuration={"connectionsPerHost": 128})
    reading = []
    for _ in range(80):
        reader, writer = os.pipe()
        reading.append(reader)
        params = {"session": session, "url": url, "output": {"descriptor": 0}}
        peer.request("fetch", params, [writer])
        os.close(writer)
    while any(task["bytesReceived"] < 1 << 20 for task in tasks_of(peer, session)):
        pass
    scene.check(80 << 20)
    peer.close()
    scene.check_given_back()
    for reader in reading:
        os.close(reader)


def test_short_bodies_for_pipes_in_memory_that_was_used_before(scene: Scene) -> None:
    """What does not fit into the pipe waits in a buffer that has more room."""
    count, size = 60, 200_000
    url = scene.origin.serve("/", *[reply(body=b"b" * size)] * count)
    peer, other = scene.connect(checked=False), scene.connect(checked=False)
    session = peer.open(configuration={"connectionsPerHost": count})
    use_memory(other)
    scene.before = scene.status()
    pipes = [os.pipe() for _ in range(count)]
    for done, (_, writer) in enumerate(pipes):
        use_memory(other)
        peer.request("fetch", {"session": session, "url": url, "output": {"descriptor": 0}}, [writer])
        while sum(task["bytesReceived"] for task in tasks_of(peer, session)) < (done + 1) * size:
            pass
    scene.check(count * (size - 65_536))
    peer.close()
    scene.check_given_back()
    for descriptor in itertools.chain(*pipes):
        os.close(descriptor)


def tasks_of(peer: Peer, session: str) -> Any:
    return peer.call("task/list", {"session": session})["tasks"]


def test_connections_that_hold_many_sessions(scene: Scene) -> None:
    """They are those of others, and counted once."""
    names = [f"held-by-many-{number:04}" for number in range(1000)]
    # It is told of all of them each time.
    scene.observer.checked = False
    opener = scene.connect(checked=False)
    for name in names:
        opener.open(name)
    scene.before = scene.status()
    peers = [scene.connect(checked=False) for _ in range(40)]
    for peer in peers:
        peer.send(
            [
                {"jsonrpc": "2.0", "id": name, "method": "session/open", "params": {"name": name}}
                for name in names
            ]
        )
        assert all("result" in answer for answer in peer.next_message())
    scene.check(40 * 1000 * held_bytes.MEMBERSHIP)
    for peer in peers:
        peer.close()
    scene.check_given_back()


def test_questions_with_chains_that_wait(
    scene: Scene, origins: Callable[..., ScriptedOrigin], tmp_path: Path, authority: Authority
) -> None:
    *issuers, last = itertools.accumulate(
        range(12), lambda above, number: above.subordinate(f"issuer{number}"), initial=authority
    )
    identity = last.issue("deep", ",".join(f"DNS:host{number}.example.test" for number in range(200)))
    paths = [identity.certificate, *[issuer.certificate for issuer in reversed([*issuers, last])]]
    chain = tmp_path / "chain.pem"
    chain.write_text("".join(path.read_text() for path in paths))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, identity.key)
    secure = origins(context)
    url = secure.serve("/", reply())
    peer = scene.connect(checked=False)
    for _ in range(200):
        peer.start_fetch(peer.open(tasks=["serverTrust"]), url)
    for _ in range(200):
        peer.challenge()
    scene.check(200 * 40_000)
    peer.close()
    scene.check_given_back()


def test_permanent_credentials_that_wait_for_the_vault(connect: Connect, daemon: Daemon) -> None:
    """Another daemon has it for a while."""
    peer = connect(checked=False)
    keep_forever(peer, "first.test", 10)
    peer.close()
    end(daemon)
    with (directory_of(daemon) / "lock").open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        daemon.start()
        observer, peer = connect(), connect(checked=False)
        before = observer.call("status")
        calls = [keep_forever(peer, f"h{number}.test", 900_000, waits=False) for number in range(12)]
        # Those that have arrived are taken apart in steps.
        while (after := observer.call("status"))["countedBytes"] - before["countedBytes"] < 12 * 1_800_000:
            assert not peer.replies
        counted = after["countedBytes"] - before["countedBytes"]
        assert after["residentBytes"] - before["residentBytes"] <= SHARE * counted + ONCE
    for call in calls:
        assert peer.result(call) == {}


def test_permanent_credentials_that_are_written_count_once(connect: Connect, daemon: Daemon) -> None:
    """Their texts, their records and these sealed are given back, and so are those of a refused one."""
    count, size = 12, 900_000
    observer, peer = connect(), connect(checked=False)
    keep_forever(peer, "first.test", 10)
    before = observer.call("status")["countedBytes"]
    calls = [keep_forever(peer, f"h{number}.test", size, waits=False) for number in range(count)]
    for call in calls:
        assert peer.result(call) == {}
    left = observer.call("status")["countedBytes"] - before
    # The connection keeps some memory for its next message.
    assert count * size <= left < 1.5 * count * size
    end(daemon)
    (directory_of(daemon) / "vault.sqlite").write_bytes(b"damaged")
    daemon.start()
    observer, peer = connect(), connect(checked=False)
    before = observer.call("status")["countedBytes"]
    refused = keep_forever(peer, "refused.test", size, waits=False)
    with pytest.raises(RemoteError):
        peer.result(refused)
    assert observer.call("status")["countedBytes"] - before < 3 * size


def keep_forever(peer: Peer, host: str, size: int, waits: bool = True) -> int:
    space = {"protocol": "http", "host": host, "port": 80, "authenticationMethod": "bearer"}
    prefixes = ["/" + "p" * min(size, 60_000)] * max(1, size // 60_000)
    credential = {"token": "x", "persistence": "permanent", "limits": {"pathPrefixes": prefixes}}
    call = peer.request("credential/set", {"protectionSpace": space, "credential": credential})
    if waits:
        assert peer.result(call) == {}
    return call
