"""Moved scripts that have a user and a password for Digest: there is no question."""

from __future__ import annotations

import asyncio
import importlib
from typing import Any

import pytest

import watchword

requests: Any = importlib.import_module("watchword.requests")
httpx: Any = importlib.import_module("watchword.httpx")

PASSWORD = "open sesame"


def never(question: watchword.Challenge) -> watchword.Answer:
    raise AssertionError(question)


@pytest.fixture(autouse=True)
def home(daemon: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The daemon that a script finds."""
    monkeypatch.setenv("WATCHWORD_SOCKET", daemon)
    return daemon


def test_digest_of_requests_goes_to_no_other_origin(origin: str) -> None:
    with requests.Session(on_challenge=lambda _: watchword.cancel()) as web:
        auth = requests.auth.HTTPDigestAuth("reader", PASSWORD)
        request = web.prepare_request(requests.Request("GET", f"{origin}/digest/a", auth=auth))
        assert web.send(request).status_code == 200
        redirected = request.copy()
        redirected.url = f"{origin}/digest/b".replace("127.0.0.1", "localhost")
        with pytest.raises(requests.RequestException):
            web.send(redirected)
        redirected.url = f"{origin}/digest/b"
        assert web.send(redirected).status_code == 200


@pytest.mark.parametrize(("password", "status"), [(PASSWORD, 200), ("wrong", 401)])
def test_digest_of_requests_is_answered(origin: str, password: str, status: int) -> None:
    with requests.Session(on_challenge=never) as web:
        web.auth = requests.auth.HTTPDigestAuth("reader", password)
        assert [web.get(f"{origin}/digest/{name}").status_code for name in "ab"] == [status] * 2


def test_a_login_for_digest_counts_for_no_other_request(origin: str) -> None:
    asked: list[str] = []

    def answer(question: watchword.Challenge) -> watchword.Answer:
        asked.append(question.authentication_method)
        return watchword.cancel()

    with requests.Session(on_challenge=answer) as web:
        auth = requests.auth.HTTPDigestAuth("reader", PASSWORD)
        assert web.get(f"{origin}/digest/a", auth=auth).status_code == 200
        with pytest.raises(requests.RequestException):
            web.get(f"{origin}/digest/a")
    assert asked == ["digest"]


def test_digest_of_httpx_is_answered(origin: str) -> None:
    auth = httpx.DigestAuth("reader", PASSWORD)

    async def fetch() -> int:
        async with httpx.AsyncClient(on_challenge=never) as web:
            return int((await web.get(f"{origin}/digest/a", auth=auth)).status_code)

    with httpx.Client(on_challenge=never, auth=auth) as web:
        assert web.get(f"{origin}/digest/a").status_code == 200
    assert asyncio.run(fetch()) == 200


def test_digest_of_httpx_goes_to_no_other_origin(origin: str, daemon: str) -> None:
    with httpx.Client(on_challenge=lambda _: watchword.cancel()) as web:
        request = web.build_request("GET", f"{origin}/digest/a")
        httpx.digest_apart(request, httpx.DigestAuth("reader", PASSWORD))
        request.url = request.url.copy_with(host="localhost")
        with pytest.raises(httpx.TransportError):
            web.send(request)
