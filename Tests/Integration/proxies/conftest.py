"""Real proxies, and one that does what a test tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER, Roots, ScriptedProxy
from Support.certificates import Authority
from Support.microsocks import MicroSocks
from Support.squid import Squid


@pytest.fixture(scope="session")
def open_squid(run_directory: Path, authority: Authority) -> Iterator[Squid]:
    """For every client."""
    squid = Squid(run_directory / "squid-open", PROXY_USER, PROXY_PASSWORD, (), authority.issue("squid"))
    yield squid
    squid.stop()


@pytest.fixture(scope="session")
def basic_squid(run_directory: Path, authority: Authority) -> Iterator[Squid]:
    """Behind Basic, also over TLS."""
    squid = Squid(
        run_directory / "squid-basic", PROXY_USER, PROXY_PASSWORD, ("basic",), authority.issue("squid-basic")
    )
    yield squid
    squid.stop()


@pytest.fixture(scope="session")
def digest_squid(run_directory: Path) -> Iterator[Squid]:
    """Behind Digest."""
    squid = Squid(run_directory / "squid-digest", PROXY_USER, PROXY_PASSWORD, ("digest",))
    yield squid
    squid.stop()


@pytest.fixture(scope="session")
def open_socks(run_directory: Path) -> Iterator[MicroSocks]:
    """For every client."""
    socks = MicroSocks(run_directory / "socks-open", PROXY_USER)
    yield socks
    socks.stop()


@pytest.fixture(scope="session")
def password_socks(run_directory: Path) -> Iterator[MicroSocks]:
    """Behind a password."""
    socks = MicroSocks(run_directory / "socks-password", PROXY_USER, PROXY_PASSWORD)
    yield socks
    socks.stop()


@pytest.fixture
def roots(authority: Authority) -> Roots:
    """The configuration of a session that knows the authority of the run."""
    return {"tls": {"roots": {"certificates": authority.pem}}}


@pytest.fixture
def scripted_proxy() -> Iterator[Callable[..., ScriptedProxy]]:
    made: list[ScriptedProxy] = []

    def make(*answers: bytes | None) -> ScriptedProxy:
        made.append(ScriptedProxy(answers))
        return made[-1]

    yield make
    for proxy in made:
        proxy.stop()
