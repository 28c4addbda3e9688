"""requests: a session in one thread, shared by many, or made by a process that fetches once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO
from urllib.parse import quote

import requests
from requests.auth import HTTPDigestAuth

from Benchmarks.callers import Caller, Get, Target, require

WORKLOADS = {"W1", "W2", "W3", "W4", "W5", "W6p", "W6s", "W6u", "W7", "W7s", "W9"}
THREADS = 64
PIECE = 1 << 20

PROGRAM = """
import requests, sys
url, root, user, password = sys.argv[1:]
response = requests.get(url, verify=root, auth=(user, password))
response.raise_for_status()
sys.stdout.buffer.write(response.content)
"""


def _session(target: Target) -> requests.Session:
    session = requests.Session()
    session.verify = target.root
    for scheme in ("http://", "https://"):
        session.mount(scheme, requests.adapters.HTTPAdapter(pool_maxsize=THREADS))
    if target.proxy:
        userinfo = f"{quote(target.user)}:{quote(target.password)}"
        session.proxies = {"http": target.proxy.replace("//", f"//{userinfo}@")}
    match target.authentication:
        case "basic":
            session.auth = (target.user, target.password)
        case "digest":
            session.auth = HTTPDigestAuth(target.user, target.password)
    return session


@contextmanager
def blocking(target: Target) -> Iterator[Caller[Get]]:
    with _session(target) as session:

        def get() -> bytes:
            response = session.get(target.url)
            require(response.status_code == 200, f"status {response.status_code}")
            content: bytes = response.content
            return content

        yield Caller(get)


@contextmanager
def download(target: Target, descriptor: int) -> Iterator[Caller[Callable[[], None]]]:
    with _session(target) as session, open(descriptor, "wb", buffering=0, closefd=False) as output:

        def fetch() -> None:
            for piece in session.get(target.url, stream=True).iter_content(PIECE):
                output.write(piece)

        yield Caller(fetch)


@contextmanager
def upload(target: Target, source: BinaryIO) -> Iterator[Caller[Callable[[], None]]]:
    with _session(target) as session:
        yield Caller(lambda: session.put(target.url, data=source).raise_for_status())


@contextmanager
def command(target: Target) -> Iterator[Caller[list[str]]]:
    words = [sys.executable, "-c", PROGRAM, target.url, target.root, target.user, target.password]
    yield Caller(words, own=False)
