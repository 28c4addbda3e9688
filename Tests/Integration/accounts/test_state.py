"""What sessions, tasks and connections keep is counted: the process grows by at most 1.3 times as much."""

from __future__ import annotations

import fcntl
import itertools
import os
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import held_bytes
from Integration.accounts.scene import ONCE, SHARE, Connect, Scene
from Integration.vault.scene import directory_of, end
from Integration.wire import Json, Peer, RemoteError, password, pause
from Support.certificates import Authority
from Support.client_identities import ClientAuthority
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, held, reply

pytestmark = [
    pytest.mark.core,
    pytest.mark.skipif("WATCHWORD_SANITIZED" in os.environ, reason="a sanitizer's shadow is memory, too"),
]


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
        pause()
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
