"""Servers for the run, a fresh daemon for each test, and what must hold after every test."""

from __future__ import annotations

import json
import ssl
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.latencies import Latencies
from Integration.wire import Json, Peer, stop_all
from Support.apache import Apache
from Support.certificates import Authority, Identity
from Support.daemon import Daemon
from Support.httpbin_server import Httpbin
from Support.login_origin import LoginOrigin
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin

LATENCIES = pytest.StashKey[Latencies]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--latencies", action="store_true", help="print how long a ping took beside each flood")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LATENCIES] = Latencies()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.getoption("--latencies"):
        terminalreporter.write_sep("=", "the slowest ping beside each flood")
        for line in config.stash[LATENCIES].table():
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def latencies(pytestconfig: pytest.Config) -> Latencies:
    return pytestconfig.stash[LATENCIES]


@pytest.fixture(scope="session")
def run_directory() -> Iterator[Path]:
    """Readable for the accounts that the real servers change to."""
    with tempfile.TemporaryDirectory(prefix="watchword-run-") as name:
        directory = Path(name)
        directory.chmod(0o755)
        yield directory


@pytest.fixture(scope="session")
def authority(run_directory: Path) -> Authority:
    return Authority(run_directory / "authority")


@pytest.fixture(scope="session")
def nginx(run_directory: Path, authority: Authority) -> Iterator[Nginx]:
    server = Nginx(run_directory / "nginx", authority, sentinels.USER, sentinels.PASSWORD)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def apache(run_directory: Path) -> Iterator[Apache]:
    server = Apache(run_directory / "apache", sentinels.USER, sentinels.PASSWORD)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def httpbin(run_directory: Path) -> Iterator[Httpbin]:
    server = Httpbin(run_directory / "httpbin")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def scripted_identity(authority: Authority) -> Identity:
    return authority.issue("scripted")


@pytest.fixture
def tls_context(scripted_identity: Identity) -> ssl.SSLContext:
    """For scripted origins on `https://localhost`; each test may change its own."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(scripted_identity.certificate, scripted_identity.key)
    return context


@pytest.fixture
def origins() -> Iterator[Callable[..., ScriptedOrigin]]:
    """Makes scripted origins; a script that failed fails the test."""
    made: list[ScriptedOrigin] = []

    def make(tls: ssl.SSLContext | None = None) -> ScriptedOrigin:
        made.append(ScriptedOrigin(tls, "localhost" if tls else "127.0.0.1"))
        return made[-1]

    yield make
    for origin in made:
        origin.stop()
    assert not [fault for origin in made for fault in origin.faults]


@pytest.fixture
def origin(origins: Callable[..., ScriptedOrigin]) -> ScriptedOrigin:
    return origins()


@pytest.fixture
def login() -> Iterator[LoginOrigin]:
    origin = LoginOrigin(sentinels.USER, sentinels.PASSWORD)
    yield origin
    origin.stop()


@pytest.fixture
def peers() -> Iterator[list[Peer]]:
    """Every connection of the test; at its end none was sent a secret or a message off the contract."""
    made: list[Peer] = []
    yield made
    for peer in made:
        peer.close()
    assert not [fault for peer in made for fault in peer.faults]
    assert not [trace for peer in made for trace in peer.leaks()], "a secret was sent to a caller"


@pytest.fixture
def environment() -> dict[str, str]:
    """What the daemon of the test has in its environment beside the usual."""
    return {}


@pytest.fixture
def daemon(environment: dict[str, str]) -> Iterator[Daemon]:
    """A fresh daemon; at its end it stops cleanly and has printed no secret."""
    process = Daemon(environment=environment)
    try:
        yield process
        assert not sentinels.traces_in(process.output().encode()), "a secret is in the log"
    finally:
        process.stop()


@pytest.fixture
def connect(daemon: Daemon, peers: list[Peer]) -> Callable[..., Peer]:
    """Opens connections to the daemon."""

    def make(**members: object) -> Peer:
        peers.append(Peer(daemon.socket, **members))  # type: ignore[arg-type]
        return peers[-1]

    return make


@pytest.fixture
def peer(connect: Callable[..., Peer]) -> Peer:
    return connect()


@pytest.fixture
def asked(peer: Peer) -> tuple[Peer, str]:
    """A connection that takes every task challenge of its own private session."""
    return peer, peer.open(tasks=["*"])


@pytest.fixture
def governed(peers: list[Peer], tmp_path: Path) -> Iterator[Callable[..., tuple[Daemon, Peer]]]:
    """Starts daemons under a policy of the administrator's, with more in their environment."""
    daemons: list[Daemon] = []

    def start(policy: Json, **environment: str) -> tuple[Daemon, Peer]:
        path = tmp_path / f"policy{len(daemons)}.json"
        path.write_text(json.dumps({"transportSecurity": policy}))
        daemons.append(Daemon(["--configuration", str(path)], environment))
        peers.append(Peer(daemons[-1].socket))
        return daemons[-1], peers[-1]

    yield start
    stop_all(daemons, peers)
