"""A reader, and the servers that the pages name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, TOKEN, USER
from Support.certificates import Authority
from Support.client_identities import PASSPHRASE, ClientAuthority
from Support.daemon import PROJECT
from Support.docker_registry import DockerRegistry
from Support.etcd import Etcd
from Support.git_server import GitServer
from Support.kerberos import Realm
from Support.kerberos_apache import HOST, KerberosApache
from Support.mutual_tls import MutualTLS
from Support.package_index import PackageIndex
from Support.pages import Reader
from Support.soft_token import PIN
from Support.squid import Squid

ORIGIN = PROJECT / "clients" / "python" / "demo" / "protected_origin.py"


@pytest.fixture
def reader(authority: Authority) -> Iterator[Reader]:
    """With the authority of the run among those of the system."""
    person = Reader(user=USER, password=PASSWORD, token=TOKEN, passphrase=PASSPHRASE, pin=PIN)
    person.trust(authority.certificate)
    yield person
    person.leave()


@pytest.fixture
def demo() -> Iterator[str]:
    """The server that the page names."""
    with subprocess.Popen([sys.executable, ORIGIN], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


@pytest.fixture(scope="module")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "page-staff", "Staff")


@pytest.fixture(scope="module")
def mutual(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[MutualTLS]:
    server = MutualTLS(run_directory / "page-mutual", authority, [staff])
    yield server
    server.stop()


@pytest.fixture(scope="module")
def realm(run_directory: Path) -> Iterator[Realm]:
    made = Realm(run_directory / "page-realm")
    made.add_user(USER, PASSWORD)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def web(run_directory: Path, realm: Realm, authority: Authority) -> Iterator[KerberosApache]:
    server = KerberosApache(run_directory / "page-apache", realm, authority.issue("web", f"DNS:{HOST}"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def proxy(run_directory: Path) -> Iterator[Squid]:
    squid = Squid(run_directory / "page-squid", USER, PASSWORD, ("basic",))
    yield squid
    squid.stop()


@pytest.fixture(scope="module")
def code(run_directory: Path, authority: Authority) -> Iterator[GitServer]:
    server = GitServer(run_directory / "page-code", authority, USER, PASSWORD)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def registry(run_directory: Path) -> Iterator[DockerRegistry]:
    server = DockerRegistry(run_directory / "page-registry", USER, PASSWORD)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def index(run_directory: Path, authority: Authority) -> Iterator[PackageIndex]:
    made = PackageIndex(run_directory / "page-index", authority, USER, PASSWORD)
    yield made
    made.nginx.stop()


@pytest.fixture(scope="module")
def etcd(run_directory: Path) -> Iterator[Etcd]:
    cluster = Etcd(run_directory / "page-etcd")
    yield cluster
    cluster.stop()
