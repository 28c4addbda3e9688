"""What `fetch -v` shows of connections and requests."""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Iterator

import pytest

from Integration.command_line.scene import OK, TRUST, Command
from Integration.sentinels import PASSWORD, TOKEN, USER
from Support import loopback
from Support.certificates import Authority
from Support.daemon import program
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.relaying_proxy import RelayingProxy
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

Origins = Callable[..., ScriptedOrigin]


def lines(stderr: bytes) -> list[str]:
    return stderr.decode().splitlines()


@pytest.fixture
def proxy() -> Iterator[RelayingProxy]:
    proxy = RelayingProxy()
    yield proxy
    proxy.stop()


def test_a_401_over_tls(
    watchword: Command,
    origins: Origins,
    tls_context: ssl.SSLContext,
    authority: Authority,
    askpass: Callable[..., str],
) -> None:
    origin = origins(tls_context)
    url = origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    trusting = ("--cacert", str(authority.certificate))
    answering = ("-u", USER, "--askpass", askpass(PASSWORD))
    done = watchword("fetch", "-v", "-H", "X-Name: value", *trusting, *answering, url)
    assert done.returncode == OK
    shown = lines(done.stderr)
    place = f"{origin.url} (127.0.0.1:{origin.port})"
    (connected,) = [line for line in shown if line.startswith("* connected to ")]
    (again,) = [line for line in shown if line.startswith("* open connection to ")]
    assert (connected, again) == (f"* connected to {place}", f"* open connection to {place}")
    (tls,) = [line for line in shown if line.startswith("* TLS ")]
    assert re.fullmatch(r"\* TLS 1\.3, TLS_\w+", tls)
    assert [line.rpartition(", ")[0] for line in shown if line.startswith("* certificate of")] == [
        "* certificate of CN=scripted"
    ]
    assert "* certificate issued by CN=Watchword test root" in shown
    assert shown.count("> GET /staff HTTP/1.1") == 2
    assert shown.count(f"> Host: localhost:{origin.port}") == 2
    assert shown.count("> X-Name: value") == 2
    assert shown.count("> Authorization: Basic <secret>") == 1
    order = [line for line in shown if re.match(r"\* (connected|open)|> GET|> Auth|< HTTP", line)]
    assert order == [
        connected,
        "> GET /staff HTTP/1.1",
        "< HTTP/1.1 401",
        again,
        "> GET /staff HTTP/1.1",
        "> Authorization: Basic <secret>",
        "< HTTP/1.1 200",
    ]


def test_a_tunnel_is_one_connection(
    watchword: Command, nginx: Nginx, authority: Authority, proxy: RelayingProxy
) -> None:
    url = nginx.tls + "/small"
    done = watchword("fetch", "-v", "--cacert", str(authority.certificate), "-x", proxy.url, url)
    assert done.returncode == OK
    shown = lines(done.stderr)
    host = nginx.tls.removeprefix("https://")
    order = [line for line in shown if re.match(r"\* (connected|open|TLS)|> [A-Z]+ |< HTTP", line)]
    (tls,) = [line for line in order if line.startswith("* TLS 1.3, ")]
    assert order == [
        f"* connected to a proxy for {nginx.tls} ({proxy.url.removeprefix('http://')})",
        f"> CONNECT {host} HTTP/1.1",
        "< HTTP/1.1 200",
        tls,
        "> GET /small HTTP/1.1",
        "< HTTP/1.1 200",
    ]


def test_what_the_session_adds_is_shown_without_its_secret(
    watchword: Command, origin: ScriptedOrigin, askpass: Callable[..., str]
) -> None:
    url = origin.serve("/", reply())
    put = ("credentials", "set", "--key", "X-Api-Key", "--key-prefix", "Token ")
    assert watchword(*put, "--askpass", askpass(TOKEN), url).returncode == OK
    shown = lines(watchword("fetch", "-v", url).stderr)
    assert origin.requests[-1].all("x-api-key") == [f"Token {TOKEN}"]
    assert "> x-api-key: <secret>" in [line.lower() for line in shown]


def test_what_fails_before_a_response(
    watchword: Command, origins: Origins, tls_context: ssl.SSLContext
) -> None:
    (port,) = loopback.free_ports(1)
    shown = lines(watchword("fetch", "-v", f"http://127.0.0.1:{port}/").stderr)
    assert shown[0] == f"* request GET http://127.0.0.1:{port}/"
    assert not [line for line in shown if line[0] in "<>"]
    untrusted = watchword("fetch", "-v", "--no-ask", origins(tls_context).url + "/")
    assert untrusted.returncode == TRUST
    assert not [line for line in lines(untrusted.stderr) if line[0] in "<>"]


def test_a_restricted_command_sees_what_it_asked_for(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/a", reply())
    command = (str(program("watchword")), "fetch", "-v", url)
    done = watchword("run", "--allow", f"GET {origin.url}/*", "--", *command)
    assert done.returncode == OK
    shown = lines(done.stderr)
    assert f"> GET {url}" in shown
    assert "< HTTP/1.1 200" in shown
    assert not [line for line in shown if line.startswith(("> Host", "* connected", "* open"))]
