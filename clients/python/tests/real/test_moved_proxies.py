"""Proxies of the environment, as scripts of requests and httpx that one line has moved have them."""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from watchword import Client
from watchword.adapters.requests import WatchwordAdapter

requests: Any = importlib.import_module("watchword.requests")
httpx: Any = importlib.import_module("watchword.httpx")

#: No name server has it: the proxy is asked for it.
TARGET = "http://intranet.invalid/a"


@contextmanager
def serving(asked: list[str], answer: bytes) -> Iterator[str]:
    """A server's URL; it notes what it is asked for, as the request has it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def proxy(daemon: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the proxy that this process's environment names is asked for; the daemon's environment names none."""
    asked: list[str] = []
    with serving(asked, b"proxy\n") as there:
        for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("WATCHWORD_SOCKET", daemon)
        monkeypatch.setenv("http_proxy", there)
        yield asked


@pytest.fixture
def url() -> Iterator[str]:
    with serving([], b"origin\n") as there:
        yield there


def test_a_moved_script_goes_through_the_proxy_of_its_environment(proxy: list[str], url: str) -> None:
    assert requests.get(TARGET).text == "proxy\n"
    assert httpx.get(TARGET).text == "proxy\n"

    async def fetch() -> str:
        async with httpx.AsyncClient() as client:
            text: str = (await client.get(TARGET)).text
            return text

    assert asyncio.run(fetch()) == "proxy\n"
    assert proxy == [TARGET] * 3


def test_an_exception_of_the_environment_goes_past_it(
    proxy: list[str], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    assert requests.get(url).text == "origin\n"
    assert httpx.get(url).text == "origin\n"
    assert not proxy


def test_without_trust_env_the_environment_does_not_count(proxy: list[str], url: str) -> None:
    with requests.Session() as web:
        web.trust_env = False
        assert web.get(url).text == "origin\n"
    with httpx.Client(trust_env=False) as hx:
        assert hx.get(url).text == "origin\n"
    assert not proxy


def test_a_session_that_a_script_has_opened_says_where_it_goes(proxy: list[str], url: str, daemon: str) -> None:
    with Client(daemon) as client, client.session("own") as session:
        with requests.Session(session) as web:
            assert web.get(url).text == "origin\n"
        with httpx.Client(session) as hx:
            assert hx.get(url).text == "origin\n"
        assert not proxy
        given = WatchwordAdapter(lambda: session)
        with requests.Session() as web:
            web.mount("http://", given)
            assert web.get(TARGET).text == "proxy\n"
