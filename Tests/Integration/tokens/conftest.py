"""A token with keys, and daemons that find it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.wire import Peer, stop_all
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS
from Support.soft_token import MODULE, SoftToken, faulty_module


@pytest.fixture(scope="package")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "badges", "Badges")


@pytest.fixture(scope="package")
def server(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "badges-nginx", authority, [staff])
    yield made
    made.stop()


@pytest.fixture(scope="package")
def badge(run_directory: Path) -> SoftToken:
    return SoftToken(run_directory / "badge", "badge")


@pytest.fixture(scope="package")
def alice(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("alice")


@pytest.fixture(scope="package")
def keys(staff: ClientAuthority, badge: SoftToken, alice: ClientIdentity) -> dict[str, str]:
    """URIs of keys in the token, by kind; the issuer's certificate is there, too."""
    rita = staff.issue("rita", ("rsa:2048",))
    return {
        "ec": badge.take(alice, 1),
        "rsa": badge.take(rita, 2, (rita.certificate, staff.certificate)),
        "bare": badge.take(staff.issue("bare"), 3, ()),
    }


@pytest.fixture
def served(
    peers: list[Peer], tmp_path: Path, badge: SoftToken, keys: dict[str, str]
) -> Iterator[Callable[..., tuple[Daemon, Peer]]]:
    """Starts daemons with modules of the administrator's; the faulty one does what `fault` holds."""
    daemons: list[Daemon] = []
    (tmp_path / "fault").write_text("")

    def start(*modules: Path, access: str = "user", directory: Path | None = None) -> tuple[Daemon, Peer]:
        path = tmp_path / "modules.json"
        path.write_text(json.dumps({"access": access, "pkcs11Modules": [str(module) for module in modules]}))
        environment = {**badge.environment, "FAULTY_MODULE": str(tmp_path / "fault")}
        daemons.append(Daemon(["--configuration", str(path)], environment, directory))
        peers.append(Peer(daemons[-1].socket))
        return daemons[-1], peers[-1]

    yield start
    stop_all(daemons, peers)


@pytest.fixture
def peer(served: Callable[..., tuple[Daemon, Peer]]) -> Peer:
    return served(MODULE)[1]


@pytest.fixture
def faulty(served: Callable[..., tuple[Daemon, Peer]], tmp_path: Path) -> tuple[Daemon, Peer, Path]:
    """A daemon with the faulty module, and the file that says what is wrong with it."""
    return *served(faulty_module()), tmp_path / "fault"
