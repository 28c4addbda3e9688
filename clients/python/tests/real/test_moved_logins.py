"""What moved scripts say of logins and retries: nobody is asked for what the script knows."""

from __future__ import annotations

import asyncio
import importlib
from typing import Any

import pytest

import watchword
from watchword import Client
from watchword.adapters.requests import WatchwordAdapter

requests: Any = importlib.import_module("watchword.requests")
httpx: Any = importlib.import_module("watchword.httpx")
urllib3: Any = importlib.import_module("urllib3")

PASSWORD = "open sesame"


def never(question: watchword.Challenge) -> watchword.Answer:
    raise AssertionError(question)


@pytest.fixture(autouse=True)
def home(daemon: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The daemon that a script finds."""
    monkeypatch.setenv("WATCHWORD_SOCKET", daemon)
    return daemon


@pytest.mark.parametrize(("password", "status"), [(PASSWORD, 200), ("wrong", 401)])
def test_digest_of_requests_is_answered(origin: str, password: str, status: int) -> None:
    with requests.Session(on_challenge=never) as web:
        web.auth = requests.auth.HTTPDigestAuth("reader", password)
        assert [web.get(f"{origin}/digest/{name}").status_code for name in "ab"] == [status] * 2


def test_what_digest_was_answered_with_is_kept_for_nobody_else(origin: str) -> None:
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


def test_a_mounted_adapter_is_there_for_its_retries(origin: str) -> None:
    with requests.Session(on_challenge=lambda _: watchword.use_credential("reader", PASSWORD)) as web:
        web.mount("http://", requests.adapters.HTTPAdapter(max_retries=urllib3.Retry(3)))
        answer = web.get(f"{origin}/digest/a")
        assert answer.status_code == 200
        assert isinstance(answer.connection, WatchwordAdapter)
        assert answer.connection._retries.total == 3
        mine = type("Mine", (requests.adapters.HTTPAdapter,), {})()
        web.mount("http://", mine)
        assert web.get_adapter(origin) is mine


def test_the_session_of_a_client_serves_a_mounted_adapter(origin: str, daemon: str) -> None:
    with Client(daemon) as client:
        session = client.session("s", on_challenge=lambda _: watchword.use_credential("reader", PASSWORD))
        with requests.Session(session) as web:
            web.mount("http://", requests.adapters.HTTPAdapter())
            assert web.get(f"{origin}/digest/a").status_code == 200
        assert [credential.user for credential in session.list_credentials()] == ["reader"]
