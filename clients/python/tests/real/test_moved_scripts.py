"""Scripts of requests and httpx that one line has moved, and what their arguments do."""

from __future__ import annotations

import asyncio
import base64
import importlib
import os
import pickle
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import watchword
from development_server import DevelopmentServer, self_signed
from pages import LARGE, Handler, Pages
from watchword import AsyncClient, Client, Session
from watchword.adapters import CONFIGURATION
from watchword.adapters._wishes import NO_WISH
from watchword.adapters.httpx import AsyncWatchwordTransport, WatchwordTransport

requests: Any = importlib.import_module("watchword.requests")
httpx: Any = importlib.import_module("watchword.httpx")
original_httpx: Any = importlib.import_module("httpx")
urllib3: Any = importlib.import_module("urllib3")

PASSWORD = "open sesame"


def answer(_: watchword.Challenge) -> watchword.Answer:
    return watchword.use_credential("reader", PASSWORD)


def never(question: watchword.Challenge) -> watchword.Answer:
    raise AssertionError(question)


@pytest.fixture
def home(daemon: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The daemon that a script finds."""
    monkeypatch.setenv("WATCHWORD_SOCKET", daemon)
    return daemon


@pytest.fixture
def session(daemon: str) -> Iterator[Session]:
    with Client(daemon) as client, client.session(configuration=CONFIGURATION, on_challenge=answer) as session:
        yield session


@pytest.fixture
def web(session: Session) -> Iterator[Any]:
    with requests.Session(session) as web:
        yield web


class Proxy(BaseHTTPRequestHandler):
    """A proxy for http that asks for a password."""

    protocol_version = "HTTP/1.1"
    passed: list[str]

    def do_GET(self) -> None:
        wanted = "Basic " + base64.b64encode(b"guest:ticket").decode()
        if self.headers.get("Proxy-Authorization") != wanted:
            self.send_response(407)
            self.send_header("Proxy-Authenticate", 'Basic realm="gate"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.passed.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "7")
        self.end_headers()
        self.wfile.write(b"through")

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[str]]]:
    """Its address with a password, and what it has passed on."""
    passed: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Gate", (Proxy,), {"passed": passed}))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://guest:ticket@127.0.0.1:{server.server_address[1]}", passed
    server.shutdown()
    server.server_close()


@pytest.fixture
def url() -> Iterator[str]:
    server = Pages(("127.0.0.1", 0), Handler)
    server.go_on = threading.Event()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.go_on.set()
    server.shutdown()
    server.server_close()


# One line


def test_one_line_moves_a_script_of_requests(home: str, origin: str) -> None:
    with requests.Session(on_challenge=answer) as web:
        assert web.get(f"{origin}/digest/a").text == "digest: welcome, reader\n"
        assert requests.get(f"{origin}/digest/b").status_code == 200  # the same session of the user
    assert requests.post(f"{origin}/open", data={"a": 1}).status_code == 501
    assert issubclass(requests.exceptions.ReadTimeout, requests.RequestException)
    assert requests.codes.ok == 200
    assert isinstance(requests.session(), requests.Session)
    with pytest.raises(AttributeError, match=r"requests.*nothing"):
        _ = watchword.requests.nothing  # type: ignore[attr-defined]


def test_one_line_moves_a_script_of_httpx(home: str, origin: str) -> None:
    with httpx.Client(on_challenge=answer, headers={"A": "b"}) as web:
        assert web.get(f"{origin}/digest/a").text == "digest: welcome, reader\n"
        assert httpx.get(f"{origin}/digest/b").status_code == 200
        with httpx.stream("GET", f"{origin}/digest/c") as got:
            assert got.read() == b"digest: welcome, reader\n"
    assert issubclass(httpx.ReadTimeout, httpx.HTTPError)

    async def main() -> None:
        async with httpx.AsyncClient(on_challenge=answer) as web:
            answers = await asyncio.gather(*(web.get(f"{origin}/digest/{n}") for n in range(8)))
            assert {one.status_code for one in answers} == {200}

    asyncio.run(main())


def test_a_moved_script_works_when_run(home: str, origin: str) -> None:
    code = "import watchword; print(watchword.requests.get({0!r}).status_code, watchword.httpx.get({0!r}).status_code)"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code.format(f"{origin}/open/a")],
        capture_output=True, text=True, check=True, timeout=60, env={**os.environ, "WATCHWORD_SOCKET": home},
    )  # fmt: skip
    assert ran.stdout == "200 200\n"


def is_left(client: Client, session: str = "python") -> bool:
    """Whether no connection holds the session any longer; the daemon sees the end of a connection when it reads."""
    for _ in range(1000):
        if not [one for one in client.sessions() if one["session"] == session and one["holders"]]:
            return True
    return False


def test_a_streamed_body_outlives_its_session(home: str, url: str) -> None:
    with Client(home) as client:
        with requests.get(f"{url}/large", stream=True) as got:
            assert [one["holders"] for one in client.sessions()] == [1]
            assert b"".join(got.iter_content(1000)) == LARGE
        assert is_left(client)
        with requests.Session() as web:
            first, second = (web.get(f"{url}/large", stream=True) for _ in range(2))
        assert first.content == LARGE
        assert [one["holders"] for one in client.sessions()] == [1]
        second.close()
        assert is_left(client)
        cut = requests.get(f"{url}/cut", stream=True)
        with pytest.raises(requests.exceptions.ChunkedEncodingError):
            _ = cut.content
        assert is_left(client)
        assert web.get(f"{url}/large").content == LARGE  # a closed one opens what it needs
        web.close()
        assert is_left(client)


def test_a_session_of_requests_can_be_pickled(home: str, origin: str, web: Any) -> None:
    with requests.Session(on_challenge=answer, max_retries=2) as first:
        first.headers["A"] = "b"
        copied = pickle.loads(pickle.dumps(first))
    with copied:
        assert copied.headers["A"] == "b"
        assert copied.get(f"{origin}/digest/a").text == "digest: welcome, reader\n"
        assert copied.get_adapter("http://a/")._retries.total == 2
    with pytest.raises(TypeError, match="belongs to its process"):
        pickle.dumps(web)


def test_no_daemon_is_the_librarys_own_exception(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WATCHWORD_SOCKET", os.fspath(tmp_path / "none"))
    monkeypatch.setenv("WATCHWORD_NO_START", "1")
    with pytest.raises(requests.ConnectionError, match="no daemon at"):
        requests.get("http://127.0.0.1/")
    with pytest.raises(httpx.ConnectError, match="no daemon at"):
        httpx.get("http://127.0.0.1/")


# TLS


def test_verify_names_roots(web: Any, session: Session, development_server: DevelopmentServer) -> None:
    bundle = os.fspath(development_server.directory / "dev.pem")
    assert web.get(development_server.url, verify=bundle).text == "fine\n"
    with pytest.raises(requests.exceptions.SSLError):  # they count for that request only
        web.get(development_server.url)
    with pytest.raises(OSError, match=r"nothing\.pem"):
        web.get(development_server.url, verify="/nothing.pem")
    with pytest.raises(requests.RequestException, match="is a folder"):
        web.get(development_server.url, verify=os.fspath(development_server.directory))
    with httpx.Client(session, verify=bundle) as hx:
        assert hx.get(development_server.url).text == "fine\n"
    with pytest.raises(watchword.InvalidArgument, match="SSLContext: give verify the file"):
        httpx.Client(session, verify=ssl.create_default_context())


@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_the_bundle_of_the_environment_counts(
    web: Any, url: str, development_server: DevelopmentServer, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)  # it takes precedence
    monkeypatch.setenv(name, os.fspath(development_server.directory / "dev.pem"))
    assert web.get(development_server.url).text == "fine\n"
    monkeypatch.setenv(name, "/nothing.pem")
    assert web.get(url).status_code == 200  # no file is read where no TLS is
    with pytest.raises(OSError, match=r"nothing\.pem"):
        web.get(development_server.url)


def test_the_certificate_file_of_the_environment_counts(
    session: Session, development_server: DevelopmentServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(development_server.directory / "dev.pem"))
    with httpx.Client(session) as hx:
        assert hx.get(development_server.url).text == "fine\n"
    with httpx.Client(session, trust_env=False) as hx, pytest.raises(httpx.ConnectError):
        hx.get(development_server.url)
    # The system's own bundle says nothing new.
    monkeypatch.setenv("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt")
    assert WatchwordTransport(session)._wish == NO_WISH
    monkeypatch.setenv("SSL_CERT_FILE", "/nothing.pem")
    with pytest.raises(OSError, match=r"nothing\.pem"):
        httpx.Client(session)
    httpx.Client(session, verify=os.fspath(development_server.directory / "dev.pem")).close()
    monkeypatch.setenv("SSL_CERT_FILE", "")
    with httpx.Client(session) as hx, pytest.raises(httpx.ConnectError):
        hx.get(development_server.url)


def test_verify_false_accepts_any_certificate(
    web: Any, session: Session, development_server: DevelopmentServer
) -> None:
    assert web.get(development_server.url, verify=False).text == "fine\n"
    with pytest.raises(requests.exceptions.SSLError):
        web.get(development_server.url)
    with httpx.Client(session, verify=False) as hx:
        assert hx.get(development_server.url).text == "fine\n"


def test_a_named_session_has_a_named_one_beside_it(daemon: str, development_server: DevelopmentServer) -> None:
    bundle = os.fspath(development_server.directory / "dev.pem")
    with Client(daemon) as client, client.session("web", CONFIGURATION, on_challenge=never) as session:
        with requests.Session(session) as web, requests.Session(session) as another:
            for one in (web, another):
                assert one.get(development_server.url, verify=bundle).status_code == 200
            names = {one["session"] for one in client.sessions()}
    (beside,) = names - {"web"}
    assert beside.startswith("settings-")


def test_cert_presents_a_client_certificate(
    web: Any, session: Session, development_server: DevelopmentServer, tmp_path: Path
) -> None:
    certificate, key = self_signed(tmp_path, "me", "clientAuth")
    both = tmp_path / "both.pem"
    both.write_text(key.read_text() + certificate.read_text())
    bundle = development_server.directory / "dev.pem"
    development_server.context.load_verify_locations(certificate)
    development_server.context.verify_mode = ssl.CERT_REQUIRED
    with pytest.raises(requests.RequestException):
        web.get(development_server.url, verify=os.fspath(bundle))
    for cert in (os.fspath(both), (os.fspath(certificate), os.fspath(key))):
        assert web.get(development_server.url, verify=os.fspath(bundle), cert=cert).text == "fine\n"
    with httpx.Client(session, verify=os.fspath(bundle), cert=os.fspath(both)) as hx:
        assert hx.get(development_server.url).text == "fine\n"


def test_a_client_certificate_is_presented_again_after_a_restart(
    development_server: DevelopmentServer, tmp_path: Path, place: Path
) -> None:
    files = tuple(map(os.fspath, self_signed(tmp_path, "me", "clientAuth")))
    bundle = os.fspath(development_server.directory / "dev.pem")
    development_server.context.load_verify_locations(files[0])
    development_server.context.verify_mode = ssl.CERT_REQUIRED

    async def main(socket: Path) -> None:
        async with AsyncClient(socket, start=True) as client:
            session = await client.session(configuration=CONFIGURATION)
            async with httpx.AsyncClient(session, verify=bundle, cert=files) as hx:
                for _ in range(2):
                    assert (await hx.get(development_server.url)).text == "fine\n"
                    os.kill(client.daemon.pid, signal.SIGKILL)
                    while not client._connection.current.has_hung_up():
                        os.sched_yield()
            await client.ping()
            await client.shut_down()

    with Client(place, start=True) as client, client.session(configuration=CONFIGURATION) as session:
        with requests.Session(session) as web:
            for _ in range(2):
                assert web.get(development_server.url, verify=bundle, cert=files).text == "fine\n"
                os.kill(client.daemon.pid, signal.SIGKILL)
                while not client._connection.current.has_hung_up():
                    os.sched_yield()
    asyncio.run(main(place))


def test_what_was_opened_beside_is_left(daemon: str, development_server: DevelopmentServer) -> None:
    with Client(daemon) as client, client.session(configuration=CONFIGURATION) as session:
        with requests.Session(session) as web:
            web.get(development_server.url, verify=False)
            assert len(client.sessions()) == 2
        assert len(client.sessions()) == 1
        with requests.Session(session) as web:
            got = web.get(development_server.url, verify=False, stream=True)
        assert len(client.sessions()) == 2
        assert got.text == "fine\n"
        assert len(client.sessions()) == 1


# Proxies


def test_proxies_lead_requests(web: Any, session: Session, proxy: tuple[str, list[str]]) -> None:
    address, passed = proxy
    assert web.get("http://far.invalid/a", proxies={"http": address}).text == "through"
    with httpx.Client(session, proxy=address) as hx:
        assert hx.get("http://far.invalid/b").text == "through"
    with httpx.Client(session, proxy=original_httpx.Proxy(address)) as hx:
        assert hx.get("http://far.invalid/c").text == "through"

    async def main(daemon: Any) -> None:
        async with AsyncClient(daemon) as client, await client.session(configuration=CONFIGURATION) as own:
            async with httpx.AsyncClient(own, proxy=address) as hx:
                assert (await hx.get("http://far.invalid/d")).text == "through"

    asyncio.run(main(session._connection.current._socket.getpeername()))
    assert passed == [f"http://far.invalid/{name}" for name in "abcd"]


def test_a_proxy_that_fails_is_the_librarys_own_exception(web: Any, session: Session) -> None:
    nobody = "http://127.0.0.1:1"
    with pytest.raises(requests.exceptions.ProxyError):
        web.get("http://far.invalid/", proxies={"http": nobody})
    with httpx.Client(session, proxy=nobody) as hx, pytest.raises(httpx.ProxyError):
        hx.get("http://far.invalid/")


@pytest.mark.parametrize(
    ("timeout", "told"), [((1, 2, 3), "connect, read"), ("soon", "must be an int"), (0, "less than or equal to 0")]
)
def test_a_timeout_that_is_none_is_a_value_error(web: Any, timeout: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        web.get("http://127.0.0.1:1/", timeout=timeout)


@pytest.mark.parametrize("argument", [{"verify": False}, {"cert": "/me.pem"}, {"proxy": "http://proxy:1"}])
@pytest.mark.parametrize("kind", ["Client", "AsyncClient"])
def test_httpx_refuses_what_is_the_transports(session: Session, kind: str, argument: dict[str, Any]) -> None:
    own: Any = {"Client": WatchwordTransport, "AsyncClient": AsyncWatchwordTransport}[kind]
    (name,) = argument
    with pytest.raises(TypeError, match=rf"{name} is an argument of (Async)?WatchwordTransport\(\)"):
        getattr(original_httpx, kind)(transport=own(session), **argument)
    getattr(original_httpx, kind)(transport=own(session), verify=True, cert=None, proxy=None)
    getattr(original_httpx, kind)(cert=None, verify=False)  # others are as they were
    with pytest.raises(watchword.InvalidArgument, match="around Watchword"):
        getattr(httpx, kind)(session, mounts={"all://": original_httpx.HTTPTransport()})
