"""The demo's origin: what it opens and to whom."""

from __future__ import annotations

import base64
import hashlib
import http.client
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[1] / "demo"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    process = subprocess.Popen([sys.executable, DEMO / "protected_origin.py"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield int(process.stdout.readline())
    process.terminate()
    process.wait(10)
    process.stdout.close()


def get(port: int, path: str, authorization: str | None = None) -> tuple[int, list[str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Authorization": authorization} if authorization else {})
        response = connection.getresponse()
        response.read()
        return response.status, response.headers.get_all("WWW-Authenticate") or []
    finally:
        connection.close()


def digest(challenge: str, path: str, password: str, count: str = "00000001") -> str:
    """RFC 7616 §3.4.1 by hand."""
    given = dict(re.findall(r'(\w+)="?([^",]+)"?', challenge.partition(" ")[2]))
    algorithm = {"SHA-256": hashlib.sha256, "MD5": hashlib.md5}[given["algorithm"]]

    def hashed(text: str) -> str:
        return algorithm(text.encode()).hexdigest()

    secret = hashed(f"reader:{given['realm']}:{password}")
    response = hashed(f"{secret}:{given['nonce']}:{count}:c:auth:{hashed(f'GET:{path}')}")
    return (
        f'Digest username="reader", realm="{given["realm"]}", nonce="{given["nonce"]}", uri="{path}", '
        f'algorithm={given["algorithm"]}, qop=auth, nc={count}, cnonce="c", response="{response}"'
    )


def test_what_is_open_needs_no_password(port: int) -> None:
    assert get(port, "/open/a") == (200, [])
    assert get(port, "/nowhere")[0] == 404


def test_basic_opens_by_the_password_only(port: int) -> None:
    assert get(port, "/basic/a") == (401, ['Basic realm="basic demo", charset="UTF-8"'])
    for password, status in (("open sesame", 200), ("wrong", 401)):
        token = base64.b64encode(f"reader:{password}".encode()).decode()
        assert get(port, "/basic/a", f"Basic {token}")[0] == status
    assert get(port, "/basic/a", "Basic ???")[0] == 401


@pytest.mark.parametrize("offer", [0, 1])
def test_digest_opens_by_the_password_and_each_count_once(port: int, offer: int) -> None:
    status, challenges = get(port, "/digest/a?b=c")
    assert status == 401
    challenge = challenges[offer]
    assert get(port, "/digest/a?b=c", digest(challenge, "/digest/a?b=c", "wrong"))[0] == 401
    right = digest(challenge, "/digest/a?b=c", "open sesame")
    assert get(port, "/digest/a?b=c", right)[0] == 200
    assert get(port, "/digest/a?b=c", right)[0] == 401
    assert get(port, "/digest/x", digest(challenge, "/digest/x", "open sesame", "00000002"))[0] == 200
    forgotten = challenge.replace('nonce="', 'nonce="x')
    status, challenges = get(port, "/digest/a", digest(forgotten, "/digest/a", "open sesame"))
    assert status == 401
    assert "stale=true" in challenges[0]
