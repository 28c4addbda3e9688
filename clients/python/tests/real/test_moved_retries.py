"""How often a moved script repeats a request."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import watchword
from watchword import Client, Session
from watchword.adapters import CONFIGURATION
from watchword.adapters.requests import WatchwordAdapter

urllib3: Any = importlib.import_module("urllib3")
requests: Any = importlib.import_module("watchword.requests")


@pytest.fixture
def session(daemon: str) -> Iterator[Session]:
    with Client(daemon) as client, client.session(configuration=CONFIGURATION) as session:
        yield session


class Busy(BaseHTTPRequestHandler):
    """Serves the third request."""

    protocol_version = "HTTP/1.1"
    count = 0

    def do_GET(self) -> None:
        type(self).count += 1
        status = 200 if type(self).count % 3 == 0 else 503
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    do_PUT = do_GET

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def busy() -> Iterator[str]:
    Busy.count = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def test_retries_repeat_what_may_pass(session: Session, busy: str) -> None:
    retry = urllib3.Retry(total=5, backoff_factor=0, status_forcelist=[503])
    with requests.Session(session, max_retries=retry) as web:
        assert web.get(busy).status_code == 200
        assert Busy.count == 3
    few = urllib3.Retry(total=1, backoff_factor=0, status_forcelist=[503])
    with requests.Session(session, max_retries=few) as web:
        with pytest.raises(requests.exceptions.RetryError):
            web.get(busy)
    quiet = urllib3.Retry(total=0, status_forcelist=[503], raise_on_status=False)
    with requests.Session(session, max_retries=quiet) as web:
        Busy.count = 0
        assert web.get(busy).status_code == 503
        assert web.put(busy, data=iter([b"once"]), headers={"Content-Length": "4000000"}).status_code in (200, 503)


def test_retries_end_with_the_last_failure(session: Session) -> None:
    adapter = WatchwordAdapter(session, max_retries=urllib3.Retry(total=2, backoff_factor=0))
    with requests.Session(session) as web:
        web.mount("http://", adapter)
        with pytest.raises(requests.ConnectionError) as refused:
            web.get("http://127.0.0.1:1/")
    assert isinstance(refused.value.__cause__, watchword.ConnectionFailed)
