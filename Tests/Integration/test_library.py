"""The libcurl that the daemon finds: one that it cannot be protected from is refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from Integration.wire import PATIENCE
from Support.daemon import clean_environment, program
from Support.shared_library import built

OPENSSL, ALL = "OpenSSL/3.0.20", "ffffffff"


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
    environment = {
        **clean_environment(tmp_path),
        "LD_PRELOAD": str(built("library_version")),
        "CLAIMED_VERSION": version,
        "CLAIMED_TLS": tls,
        "CLAIMED_FEATURES": features,
    }
    command = [str(program()), "--socket", str(tmp_path / "s"), "--state-directory", str(tmp_path / "state")]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert reason in ended.stderr
    assert not (tmp_path / "s").exists()
