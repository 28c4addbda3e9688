"""Options of one call: parameters of the fetch, or a session that is named after its settings."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

import watchword
from watchword import AsyncClient, Client


class Setting(BaseHTTPRequestHandler):
    """Sets a cookie, and says which one it was sent."""

    def do_GET(self) -> None:
        body = self.headers.get("Cookie", "").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Set-Cookie", "id=7; Path=/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving_cookies() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Setting)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


def answering(asked: list[str]) -> Any:
    def answer(challenge: watchword.Challenge) -> Any:
        asked.append(challenge.session)
        return watchword.use_credential("reader", "open sesame")

    return answer


def test_the_same_settings_ask_once(daemon: str, origin: str) -> None:
    asked: list[str] = []
    host = urlsplit(origin)
    settings: watchword.SessionConfiguration = {"addresses": {"resolve": {f"staff.test:{host.port}": "127.0.0.1"}}}
    url = f"http://staff.test:{host.port}/digest/a"
    for _ in range(2):
        with Client(daemon) as client:
            session = client.session(None, settings, by_settings=True, on_challenge=answering(asked))
            assert session.id.startswith("settings-")
            assert session.get(url).status == 200
    with Client(daemon) as client:
        other = client.session(None, settings, by_settings=True, variant="other", on_challenge=answering(asked))
        assert other.get(url).status == 200
    assert len(asked) == 2
    assert asked[0] != asked[1]


async def names_of(daemon: str) -> list[str]:
    async with AsyncClient(daemon) as client:
        return [(await client.session(None, {}, by_settings=True)).id for _ in range(2)]


def test_both_apis_name_it_alike(daemon: str) -> None:
    with Client(daemon) as client:
        session = client.session(None, {}, by_settings=True)
        assert asyncio.run(names_of(daemon)) == [session.id] * 2


def test_limits_of_one_fetch_stay_in_its_session(daemon: str, origin: str) -> None:
    asked: list[str] = []
    with Client(daemon) as client:
        session = client.session("s", on_challenge=answering(asked))
        for options in (
            {"redirect_limit": 3},
            {"http_versions": ["1.1"]},
            {"tls": {"minimumVersion": "1.3"}},
            {"ip_version": "4"},
            {"maximum_bytes_per_second": 1024},
            {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
            {},
        ):
            assert session.get(f"{origin}/basic/a", **options).status == 200
        assert asked == ["s"]
        with pytest.raises(watchword.InvalidParams, match=r"redirects\.limit"):
            session.get(f"{origin}/basic/a", redirect_limit=51)
        with pytest.raises(watchword.InvalidParams, match="maximum_bytes_per_second: must be"):
            session.get(f"{origin}/basic/a", maximum_bytes_per_second=1023)
        with pytest.raises(watchword.ConnectionFailed):
            session.get(f"{origin}/basic/a", ip_version="6")


def test_cookies_stay_in_the_session_where_they_are_wanted(daemon: str) -> None:
    with serving_cookies() as url, Client(daemon) as client:
        assert [client.get(url).text for _ in range(2)] == ["", ""]
        assert [client.get(url, cookie_scope="session").text for _ in range(2)] == ["", "id=7"]
        assert client.get(url).text == ""
        session = client.session("s")
        assert [session.get(url).text for _ in range(2)] == ["", "id=7"]
        assert session.get(url, cookie_scope="task").text == ""
