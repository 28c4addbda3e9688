"""SOCKS5 with MicroSocks, SOCKS4 and SOCKS4a with proxies of our own."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER, Roots, open_through
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Peer, RemoteError, kind_of, password
from Support.microsocks import MicroSocks
from Support.nginx import Nginx

Connect = Callable[..., Peer]

#: What one origin gets at once, by default.
CONNECTIONS_PER_HOST = 6


class RelayingProxy:
    """SOCKS4, which connects to the address that it is given."""

    def __init__(self) -> None:
        #: The first bytes of each connection.
        self.requests: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"socks4://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        with contextlib.suppress(OSError), near:
            request = near.recv(65536)
            self.requests.append(request)
            port, address = int.from_bytes(request[2:4]), socket.inet_ntoa(request[4:8])
            with socket.create_connection((address, port)) as far:
                near.sendall(b"\x00\x5a" + bytes(6))
                threading.Thread(target=self._relay, args=(far, near), daemon=True).start()
                self._relay(near, far)

    @staticmethod
    def _relay(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


class ChangingProxy:
    """SOCKS5 with one password, which may change; answers each request itself."""

    def __init__(self) -> None:
        self.password = b""
        #: The passwords of all logins, in order.
        self.logins: list[bytes] = []
        #: A line for each request that was received; while the gate is shut, none is answered.
        self.requests: queue.Queue[bytes] = queue.Queue()
        self.gate = threading.Event()
        self.gate.set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        self.url = f"socks5h://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            if b"\x02" not in connection.recv(65536)[2:]:
                connection.sendall(b"\x05\xff")
                return
            connection.sendall(b"\x05\x02")
            login = connection.recv(65536)
            secret = login[3 + login[1] :]
            self.logins.append(secret)
            connection.sendall(b"\x01\x00" if secret == self.password else b"\x01\x01")
            if secret == self.password and connection.recv(65536):
                connection.sendall(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x50")
                self.requests.put(connection.recv(65536))
                self.gate.wait(PATIENCE)
                connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")


@pytest.fixture
def relaying_proxy() -> Iterator[RelayingProxy]:
    proxy = RelayingProxy()
    yield proxy
    proxy.stop()


@pytest.fixture
def changing_proxy() -> Iterator[ChangingProxy]:
    proxy = ChangingProxy()
    yield proxy
    proxy.stop()


@pytest.mark.parametrize("scheme", ["socks4", "socks5", "socks5h"])
def test_each_kind_of_socks_leads_to_an_origin(
    connect: Connect,
    open_socks: MicroSocks,
    relaying_proxy: RelayingProxy,
    nginx: Nginx,
    roots: Roots,
    scheme: str,
) -> None:
    peer = connect()
    ports = (nginx.plain_port, nginx.tls_port)
    addresses = {"resolve": {f"localhost:{port}": "127.0.0.1" for port in ports}}
    url = relaying_proxy.url if scheme == "socks4" else open_socks.url(scheme)
    session = open_through(peer, url, addresses=addresses, **roots)
    assert peer.fetch(session, f"http://localhost:{nginx.plain_port}/small")["status"] == 200
    assert peer.fetch(session, nginx.tls + "/small")["status"] == 200
    if scheme == "socks4":
        wanted = [b"\x04\x01" + port.to_bytes(2) + b"\x7f\x00\x00\x01\x00" for port in ports]
        assert relaying_proxy.requests == wanted


@pytest.mark.parametrize(
    "userinfo, user", [("", b""), ("courier@", b"courier"), ("courier:sentinel-word@", b"courier")]
)
def test_socks4a_gives_the_name_to_the_proxy(
    connect: Connect, nginx: Nginx, userinfo: str, user: bytes
) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    requests = []

    def serve() -> None:
        near, _ = listener.accept()
        requests.append(near.recv(65536))
        near.sendall(b"\x00\x5a" + bytes(6))
        far = socket.create_connection(("127.0.0.1", nginx.plain_port))
        far.sendall(near.recv(65536))
        while data := far.recv(65536):
            near.sendall(data)

    threading.Thread(target=serve, daemon=True).start()
    peer = connect()
    session = open_through(peer, f"socks4a://{userinfo}127.0.0.1:{listener.getsockname()[1]}")
    assert peer.fetch(session, "http://name.test:81/small")["status"] == 200
    assert requests == [b"\x04\x01\x00\x51\x00\x00\x00\x01" + user + b"\x00name.test\x00"]
    listener.close()


def test_a_password_is_asked_for_as_basic_without_a_realm(
    connect: Connect, password_socks: MicroSocks, nginx: Nginx, roots: Roots
) -> None:
    peer = connect()
    session = open_through(peer, password_socks.url(), "basic", **roots)
    fetch = peer.start_fetch(session, nginx.tls + "/staff/small")
    challenge = peer.challenge()
    space = challenge["protectionSpace"]
    assert (space["protocol"], space["proxyType"], space["isProxy"]) == ("socks5", "socks5", True)
    assert (space["authenticationMethod"], space["realm"], space["parameters"]) == ("basic", None, {})
    assert challenge["origin"] == f"socks5://127.0.0.1:{password_socks.port}"
    assert challenge["failureResponse"] is None
    peer.answer(challenge, password(PROXY_USER, "sentinel-wrong"))
    again = peer.challenge()
    assert again["previousFailureCount"] == 1 and again["protectionSpace"]["isProxy"]
    peer.answer(again, password(PROXY_USER, PROXY_PASSWORD))
    origin = peer.challenge()
    assert (origin["protectionSpace"]["isProxy"], origin["protectionSpace"]["realm"]) == (False, "staff")
    peer.answer(origin, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    for url in (nginx.tls, nginx.plain, nginx.http2):
        result = peer.fetch(session, url + "/small", metrics=True)
        assert result["status"] == 200 and len(result["metrics"]["exchanges"]) == 1
    peer.nothing_asked()


def test_userinfo_and_stored_credentials_serve_socks(
    connect: Connect, password_socks: MicroSocks, nginx: Nginx
) -> None:
    peer = connect()
    named = password_socks.url().replace("//", f"//{PROXY_USER}:{PROXY_PASSWORD}@")
    assert peer.fetch(open_through(peer, named), nginx.plain + "/small")["status"] == 200
    session = open_through(peer, password_socks.url())
    space = {
        "protocol": "socks5",
        "host": "127.0.0.1",
        "port": password_socks.port,
        "realm": None,
        "authenticationMethod": "basic",
        "isProxy": True,
    }
    credential = password(PROXY_USER, PROXY_PASSWORD)
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": credential})
    assert peer.fetch(session, nginx.plain + "/small")["status"] == 200


def test_without_a_delegate_the_refusal_is_an_error(
    connect: Connect, password_socks: MicroSocks, nginx: Nginx
) -> None:
    peer = connect()
    session = open_through(peer, password_socks.url())
    with pytest.raises(RemoteError) as failed:
        peer.fetch(session, nginx.plain + "/small")
    assert failed.value.kind == "proxyAuthenticationFailed"
    assert failed.value.data["proxy"] == password_socks.url()
    assert "status" not in failed.value.data


def test_what_a_socks_proxy_cannot_reach_is_its_failure(connect: Connect, open_socks: MicroSocks) -> None:
    peer = connect()
    session = open_through(peer, open_socks.url())
    with pytest.raises(RemoteError) as failed:
        peer.fetch(session, "http://127.0.0.1:1/")
    data = failed.value.data
    assert (failed.value.kind, data["hop"], data["reason"]) == ("proxyFailed", "proxy", "connectionRefused")


@pytest.mark.parametrize(
    "answer", [b"", b"\x00", b"\x05", b"\x04\x00", b"HTTP/1.1 400 Bad\r\n\r\n", b"\x05\x00\x05\x07\x00\x01"]
)
def test_a_socks_proxy_that_lies_or_drops_is_named(connect: Connect, answer: bytes) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(answer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    peer = connect()
    session = open_through(peer, f"socks5h://127.0.0.1:{listener.getsockname()[1]}")
    assert kind_of(peer.fetch, session, "http://a.test/") == "proxyFailed"
    thread.join(20)
    listener.close()


@pytest.mark.parametrize("members", [("x" * 256, "short"), ("joe", "x" * 256), ("joe", "\u00e4" * 128)])
def test_what_is_too_long_for_socks_is_no_reply(
    connect: Connect, password_socks: MicroSocks, members: tuple[str, str]
) -> None:
    peer = connect()
    session = open_through(peer, password_socks.url(), "basic")
    fetch = peer.start_fetch(session, "http://127.0.0.1:1/")
    challenge = peer.challenge()
    with pytest.raises(RemoteError) as failed:
        peer.answer(challenge, password(*members))
    assert (failed.value.kind, failed.value.data["reason"]) == ("credentialUnusable", "tooLong")
    # The longest that there is goes to the proxy, which refuses it.
    peer.answer(challenge, password("joe", "x" * 255))
    again = peer.challenge()
    assert again["previousFailureCount"] == 1
    peer.dispose(again, "rejectProtectionSpace")
    assert kind_of(peer.result, fetch) == "proxyAuthenticationFailed"


def test_a_longer_password_is_not_stored_for_socks(connect: Connect, password_socks: MicroSocks) -> None:
    peer = connect()
    session = open_through(peer, password_socks.url())
    space = {
        "protocol": "socks5",
        "isProxy": True,
        "host": "127.0.0.1",
        "port": password_socks.port,
        "authenticationMethod": "basic",
    }
    stored = {"session": session, "protectionSpace": space, "credential": password("joe", "x" * 256)}
    assert kind_of(peer.call, "credential/set", stored) == "credentialUnusable"


def test_userinfo_that_is_too_long_for_socks_is_not_sent(
    connect: Connect, password_socks: MicroSocks
) -> None:
    peer = connect()
    url = password_socks.url().replace("//", "//joe:" + "x" * 256 + "@")
    assert kind_of(peer.fetch, open_through(peer, url), "http://127.0.0.1:1/") == "proxyAuthenticationFailed"


def test_a_refused_password_is_not_sent_for_those_who_wait(
    connect: Connect, changing_proxy: ChangingProxy
) -> None:
    # A proxy may lock the user out after some failures.
    peer = connect()
    session = open_through(peer, changing_proxy.url, "basic")
    changing_proxy.password = b"sentinel-first"
    first = peer.start_fetch(session, "http://a.test/")
    peer.answer(peer.challenge(), password(PROXY_USER, "sentinel-first"))
    assert peer.result(first)["status"] == 200

    changing_proxy.logins.clear()
    changing_proxy.password = b"sentinel-second"
    fetches = [peer.start_fetch(session, "http://a.test/") for _ in range(60)]
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    assert set(changing_proxy.logins) == {b"sentinel-first"}
    assert len(changing_proxy.logins) <= CONNECTIONS_PER_HOST
    peer.answer(challenge, password(PROXY_USER, "sentinel-second"))
    assert [peer.result(fetch)["status"] for fetch in fetches] == [200] * 60
    assert changing_proxy.logins.count(b"sentinel-first") <= CONNECTIONS_PER_HOST
    peer.nothing_asked()


def test_a_stale_password_of_the_url_is_sent_once(connect: Connect, changing_proxy: ChangingProxy) -> None:
    peer = connect()
    changing_proxy.password = b"sentinel-second"
    session = open_through(peer, changing_proxy.url.replace("//", f"//{PROXY_USER}:sentinel-first@"))
    for _ in range(2):
        fetches = [peer.start_fetch(session, "http://a.test/") for _ in range(300)]
        assert {kind_of(peer.result, fetch) for fetch in fetches} == {"proxyAuthenticationFailed"}
        assert changing_proxy.logins == [b"sentinel-first"]


@pytest.mark.parametrize("how", ["remove", "remove permanent", "replace", "session/reset", "agent/forget"])
def test_a_password_that_is_gone_is_not_sent_for_those_who_wait(
    connect: Connect, changing_proxy: ChangingProxy, how: str
) -> None:
    peer = connect()
    session = open_through(peer, changing_proxy.url, "basic", connectionsPerHost=2)
    changing_proxy.password = b"sentinel-first"
    first = peer.start_fetch(session, "http://a.test/")
    persistence = "permanent" if how == "remove permanent" else "forSession"
    peer.answer(peer.challenge(), password(PROXY_USER, "sentinel-first", persistence))
    assert peer.result(first)["status"] == 200
    changing_proxy.requests.get(timeout=PATIENCE)

    changing_proxy.logins.clear()
    changing_proxy.gate.clear()
    fetches = [peer.start_fetch(session, "http://a.test/") for _ in range(12)]
    for _ in range(2):
        changing_proxy.requests.get(timeout=PATIENCE)
    changing_proxy.password = b"sentinel-second"
    space = {
        **{"protocol": "socks5", "host": "127.0.0.1", "port": changing_proxy.port, "isProxy": True},
        **{"authenticationMethod": "basic", "realm": None},
    }
    members = {"session": session, "protectionSpace": space}
    match how:
        case "remove" | "remove permanent":
            assert peer.call("credential/remove", members)["removed"] == 1
        case "replace":
            second = password(PROXY_USER, "sentinel-second")
            peer.call("credential/set", {**members, "credential": second})
        case _:
            peer.call(how, {"session": session} if how == "session/reset" else {})
    changing_proxy.gate.set()
    if how != "replace":
        peer.answer(peer.challenge(), password(PROXY_USER, "sentinel-second"))
    assert [peer.result(fetch)["status"] for fetch in fetches] == [200] * 12
    assert changing_proxy.logins.count(b"sentinel-first") == 2
    peer.nothing_asked()
