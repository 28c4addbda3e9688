"""A script for requests goes on with one line changed: private authority, Digest, proxy with a password."""

from __future__ import annotations

import ssl
import subprocess
import sys
from collections.abc import Callable

import pytest

from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER
from Integration.sentinels import PASSWORD, USER
from Support.certificates import Authority
from Support.daemon import PROJECT, Daemon, clean_environment
from Support.guards import DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.squid import Squid

SCRIPT = """
import sys
import requests
from requests.auth import HTTPDigestAuth

url, authority, proxy, user, password = sys.argv[1:]
session = requests.Session()
session.verify = authority
session.proxies = {"https": proxy}
session.auth = HTTPDigestAuth(user, password)
for name in ("a", "b"):
    answer = session.get(url + name)
    answer.raise_for_status()
    print(answer.text)
"""
CHANGED = SCRIPT.replace("import requests\n", "import watchword.requests as requests\n")


@pytest.mark.parametrize("script", [SCRIPT, CHANGED], ids=["requests", "changed"])
def test_a_script_of_requests_goes_on(
    daemon: Daemon,
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    authority: Authority,
    basic_squid: Squid,
    script: str,
) -> None:
    assert SCRIPT.splitlines()[3:] == CHANGED.splitlines()[3:]
    origin = origins(tls_context)
    guard = DigestGuard("staff", USER, PASSWORD)
    for name in "ab":
        origin.serve(f"/{name}", guarded(guard))
    environment = {
        **clean_environment(daemon.directory),
        "WATCHWORD_SOCKET": str(daemon.socket),
        "PYTHONPATH": str(PROJECT / "clients/python/src"),
    }

    def run(proxy_password: str) -> subprocess.CompletedProcess[bytes]:
        proxy = basic_squid.url_of(PROXY_USER, proxy_password)
        arguments = [f"{origin.url}/", str(authority.certificate), proxy, USER, PASSWORD]
        return subprocess.run(
            [sys.executable, "-c", script, *arguments], env=environment, capture_output=True, timeout=60
        )

    done = run(PROXY_PASSWORD)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == b"the watchword is known\n\n" * 2
    assert len(origin.requests) == 3, "refused once"
    refused = run("another")
    assert refused.returncode == 1 and b"ProxyError" in refused.stderr
