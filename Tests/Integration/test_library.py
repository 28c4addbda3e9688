"""The libcurl that the daemon finds: which ones are refused, and which faults are worked around."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from Integration.wire import PATIENCE, Json, Peer
from Support.certificates import Authority
from Support.daemon import clean_environment, program
from Support.nginx import Nginx
from Support.shared_library import built

OPENSSL, ALL = "OpenSSL/3.0.20", "ffffffff"


def claiming(version: str, tls: str = OPENSSL, features: str = ALL) -> dict[str, str]:
    """The environment in which libcurl says that it is this one."""
    return {
        "LD_PRELOAD": str(built("library_version")),
        "CLAIMED_VERSION": version,
        "CLAIMED_TLS": tls,
        "CLAIMED_FEATURES": features,
    }


@pytest.mark.parametrize(
    ("version", "tls", "features", "reason"),
    [
        ("075800", OPENSSL, ALL, "libcurl is older than 7.88.1"),
        ("081000", "GnuTLS/3.7.9", ALL, "libcurl does not use OpenSSL 3"),
        ("081000", "OpenSSL/1.1.1w", ALL, "libcurl does not use OpenSSL 3"),
        ("081000", OPENSSL, "80", "libcurl does not speak HTTP/2"),
        ("081000", OPENSSL, "10000", "libcurl looks names up without returning"),
    ],
)
def test_a_libcurl_that_cannot_be_used_keeps_the_daemon_from_starting(
    tmp_path: Path, version: str, tls: str, features: str, reason: str
) -> None:
    environment = {**clean_environment(tmp_path), **claiming(version, tls, features)}
    command = [str(program()), "--socket", str(tmp_path / "s"), "--state-directory", str(tmp_path / "state")]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert reason in ended.stderr
    assert not (tmp_path / "s").exists()


@pytest.fixture
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    """The daemon's: its libcurl says that it is this one."""
    return claiming(request.param)


@pytest.mark.parametrize(
    ("environment", "protocol"), [("075801", "http/1.1"), ("080e01", "h2")], indirect=["environment"]
)
def test_a_body_avoids_http2_with_a_libcurl_that_loses_early_responses(
    peer: Peer, authority: Authority, nginx: Nginx, protocol: str
) -> None:
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
    assert peer.metrics(session, nginx.http2 + "/small")["protocol"] == "h2"
    post: Json = {"method": "POST", "body": {"text": "A" * 2000}, "metrics": True}
    assert peer.fetch(session, nginx.http2 + "/sink", **post)["metrics"]["protocol"] == protocol
