"""What curl's options do, by both APIs: proxies, netrc, methods, forms, retries, limits, heads, cookies."""

from __future__ import annotations

import asyncio
import base64
import email
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import watchword
from watchword import AsyncClient, Client

USER, PASSWORD = "reader", "open sesame"
BASIC = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()


class Origin(http.server.ThreadingHTTPServer):
    """An origin, and a proxy for those who send it absolute URLs."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Page)
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        self.bodies: list[bytes] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Origin

    def answer(self) -> None:
        self.server.seen.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
        self.server.bodies.append(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        proxied = self.path.startswith("http:")
        path = "/" + self.path.split("/", 3)[3] if proxied else self.path
        if proxied and self.headers.get("Proxy-Authorization") != BASIC:
            self.give(407, b"the proxy's", ("Proxy-Authenticate", 'Basic realm="corp"'))
        elif path == "/staff" and self.headers.get("Authorization") != BASIC:
            self.give(401, b"who?", ("WWW-Authenticate", 'Basic realm="staff"'))
        elif path == "/moved":
            self.give(302, b"", ("Location", "/staff"))
        elif path == "/busy" and sum(seen[1] == self.path for seen in self.server.seen) == 1:
            self.give(503, b"busy", ("Retry-After", "0"))
        else:
            self.give(200, b"welcome", ("Set-Cookie", "seen=1; Path=/"))

    do_GET = do_POST = do_PUT = answer

    def give(self, status: int, body: bytes, *fields: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (*fields, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Origin]:
    origin = Origin()
    threading.Thread(target=origin.serve_forever, daemon=True).start()
    yield origin
    origin.shutdown()
    origin.server_close()


class Both:
    """A session of either API, used in the same way."""

    def __init__(self, path: str, is_async: bool) -> None:
        self.loop = asyncio.new_event_loop() if is_async else None
        self.client: Any = self.wait(AsyncClient(path).__aenter__()) if is_async else Client(path)

    def wait(self, result: Any) -> Any:
        if self.loop is None:
            return result
        return self.loop.run_until_complete(result)

    def session(self, configuration: Any = None) -> Any:
        def answer(challenge: watchword.Challenge) -> watchword.Answer:
            return watchword.use_credential(USER, PASSWORD)

        return self.wait(self.client.session(configuration=configuration, on_challenge=answer))

    def close(self) -> None:
        self.wait(self.client.close())
        if self.loop is not None:
            self.loop.close()


@pytest.fixture(params=[False, True], ids=["Client", "AsyncClient"])
def both(request: pytest.FixtureRequest, daemon: str) -> Iterator[Both]:
    both = Both(daemon, request.param)
    yield both
    both.close()


def test_a_proxy_of_one_fetch_and_its_exceptions(both: Both, server: Origin) -> None:
    session = both.session()
    proxies = {"all": server.url, "except": ["127.0.0.1"]}
    assert both.wait(session.fetch("http://name.test/q3", proxies=proxies)).status == 200
    assert [path for _, path, _ in server.seen] == ["http://name.test/q3"] * 2
    assert both.wait(session.fetch(server.url + "/direct", proxies=proxies)).status == 200
    assert server.seen[-1][1] == "/direct"
    assert "proxy-authorization" not in server.seen[-1][2]
    assert both.wait(session.explain("http://name.test/", proxies="none"))["proxy"] is None


def test_netrc_and_methods_are_settings_of_a_session(both: Both, server: Origin) -> None:
    netrc = {"text": f'machine 127.0.0.1 login {USER} password "{PASSWORD}"'}
    session = both.wait(both.client.session(configuration={"netrc": netrc}))
    assert both.wait(session.fetch(server.url + "/staff")).text == "welcome"
    methods = {"disabled": ["basic"], "negotiate": {"ambientOrigins": [server.url]}}
    session = both.session({"methods": methods})
    assert both.wait(session.fetch(server.url + "/staff")).status == 401


def test_forms_uploads_and_their_progress(both: Both, server: Origin, tmp_path: Path) -> None:
    file = tmp_path / "q3.csv"
    file.write_bytes(b"a;b\n")
    session = both.session()
    parts = [("a", "b"), ("f", watchword.FormFile(file, type="text/csv"))]
    assert both.wait(session.fetch(server.url + "/", multipart=parts)).status == 200
    head = f"Content-Type: {server.seen[-1][2]['content-type']}\r\n\r\n".encode()
    found: Any = email.message_from_bytes(head + server.bodies[-1]).get_payload()
    assert [part.get_content_type() for part in found] == ["text/plain", "text/csv"]
    task = both.wait(session.start(server.url + "/", method="PUT", body=file))
    sent = [event.bytes_sent for event in events(both, task) if isinstance(event, watchword.BodyDataSent)]
    assert sent[-1] == 4
    assert server.seen[-1][0] == "PUT"


def test_retries_and_limits(both: Both, server: Origin) -> None:
    session = both.session()
    assert both.wait(session.fetch(server.url + "/busy", retry=watchword.Retry(1))).text == "welcome"
    with pytest.raises(watchword.BodyTooLarge):
        both.wait(session.fetch(server.url + "/", maximum_body_bytes=3))
    with pytest.raises(watchword.DigestMismatch):
        both.wait(session.fetch(server.url + "/", digest="sha-256=:" + "A" * 43 + "=:"))


def test_metrics_are_there_when_they_are_asked_for(both: Both, server: Origin) -> None:
    session = both.session()
    plain = both.wait(session.fetch(server.url + "/"))
    assert plain.metrics is None
    assert plain.redirects == []
    measured = both.wait(session.fetch(server.url + "/", metrics=True))
    assert [exchange.status for exchange in measured.metrics.exchanges] == [200]
    assert measured.metrics.exchanges[0].authentication_method is None
    for asks in (False, True):
        task = both.wait(session.start(server.url + "/", metrics=asks))
        assert (both.wait(task.wait()).metrics is not None) is asks


def test_what_was_sent_is_there_when_it_is_asked_for(both: Both, server: Origin) -> None:
    session = both.session()
    assert both.wait(session.fetch(server.url + "/", metrics=True)).metrics.exchanges[0].details is None
    fields = {"X-Name": "value", "Cookie": "c=sentinel"}
    task = both.wait(session.start(server.url + "/", headers=fields, metrics=True, exchange_details=True))
    (head,) = [event for event in events(both, task) if isinstance(event, watchword.ResponseReceived)]
    finished = both.wait(task.wait())
    for details in (head.details, finished.metrics.exchanges[0].details):
        assert isinstance(details, watchword.ExchangeDetails)
        assert details.remote_address == server.url[len("http://") :]
        assert (details.is_proxy_connection, details.reused) == (False, True)
        assert (details.tls_version, details.cipher_suite, details.certificate) == (None, None, None)
        (request,) = details.requests
        assert request.line == "GET / HTTP/1.1"
        assert ("X-Name", "value") in request.headers
        assert ("Cookie", "<secret>") in request.headers


def test_every_head_and_the_cookies(both: Both, server: Origin) -> None:
    session = both.session()
    task = both.wait(session.start("http://name.test/moved", proxies={"all": server.url}))
    heads = [event for event in events(both, task) if hasattr(event, "headers")]
    told = [(type(event).__name__, event.status) for event in heads]
    assert told == [
        ("HeadReceived", 407),
        ("Redirected", 302),
        ("HeadReceived", 401),
        ("ResponseReceived", 200),
    ]
    assert [getattr(event, "hop", None) for event in heads] == ["proxy", None, "origin", None]
    assert heads[0].headers["Proxy-Authenticate"] == 'Basic realm="corp"'
    assert [cookie["name"] for cookie in both.wait(session.list_cookies())] == ["seen"]


def events(both: Both, task: Any) -> list[Any]:
    """All of a task, to its end."""
    if both.loop is None:
        return list(task)

    async def collect() -> list[Any]:
        return [event async for event in task]

    found: list[Any] = both.wait(collect())
    return found


@pytest.mark.parametrize("method", ["basic", "digest"])
def test_a_user_and_a_password_answer_one_fetch(daemon: str, origin: str, method: str) -> None:
    with Client(daemon) as client, client.session() as session:
        got = session.get(f"{origin}/{method}/a", auth=("reader", "open sesame"), params={"q": "a b"})
        assert (got.status_code, got.text) == (200, f"{method}: welcome, reader\n")
        assert got.url == f"{origin}/{method}/a?q=a+b"
        assert session.get(f"{origin}/{method}/b").status_code == 401  # it was not kept
