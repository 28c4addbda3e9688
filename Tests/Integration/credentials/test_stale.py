"""A stale password from outside the session costs the requests in flight, and later tasks none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.credentials.scene import staff
from Integration.proxies.scene import ScriptedProxy, open_through
from Integration.sentinels import OTHER_PASSWORD, PASSWORD, USER
from Integration.vault.scene import keep
from Integration.wire import Json, Peer, kind_of, password
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Connect = Callable[..., Peer]
TASKS = 100
#: Connections to one host.
CONNECTIONS = 6
REFUSAL = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'Proxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
)


def carried(origin: ScriptedOrigin) -> int:
    return sum(request.authorization is not None for request in origin.requests)


@pytest.mark.parametrize("place", ["vault", "netrc"])
def test_parallel_tasks_with_a_stale_password_cost_what_is_in_flight(
    connect: Connect, origin: ScriptedOrigin, place: str
) -> None:
    peer = connect()
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, OTHER_PASSWORD)))
    configuration: Json = {}
    if place == "vault":
        keep(peer, url, password(USER, PASSWORD, "permanent"))
    else:
        configuration = {"netrc": {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}"}}
    session = peer.open(configuration=configuration)
    for _ in range(2):
        fetches = [peer.start_fetch(session, url) for _ in range(TASKS)]
        assert {peer.result(fetch)["status"] for fetch in fetches} == {401}
        assert 1 <= carried(origin) <= CONNECTIONS


def test_a_stale_userinfo_of_a_proxy_costs_what_is_in_flight(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    peer = connect()
    proxy = ScriptedProxy([REFUSAL])
    session = open_through(peer, f"http://{USER}:{PASSWORD}@127.0.0.1:{proxy.port}")
    url = staff(origin)
    for _ in range(2):
        fetches = [peer.start_fetch(session, url) for _ in range(TASKS)]
        assert {kind_of(peer.result, fetch) for fetch in fetches} == {"proxyAuthenticationFailed"}
        logins = sum(b"Proxy-Authorization" in head for head in proxy.heads)
        assert 1 <= logins <= CONNECTIONS
    proxy.stop()
