"""requests and httpx through the built daemon."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import io
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import watchword
from pages import LARGE, Handler, Pages, octets
from watchword import AsyncClient, Client, Session
from watchword.adapters import CONFIGURATION
from watchword.adapters.httpx import AsyncWatchwordTransport, WatchwordTransport
from watchword.adapters.requests import WatchwordAdapter

httpx: Any = importlib.import_module("httpx")
requests: Any = importlib.import_module("requests")

PASSWORD = "open sesame"


@pytest.fixture
def pages() -> Iterator[Pages]:
    server = Pages(("127.0.0.1", 0), Handler)
    server.go_on = threading.Event()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.go_on.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def url(pages: Pages) -> str:
    return f"http://127.0.0.1:{pages.server_address[1]}"


@pytest.fixture
def session(daemon: str) -> Iterator[Session]:
    with Client(daemon) as client, client.session(configuration=CONFIGURATION) as session:
        yield session


@pytest.fixture
def web(session: Session) -> Iterator[Any]:
    """A requests.Session over the daemon."""
    with requests.Session() as web:
        web.mount("http://", WatchwordAdapter(session))
        yield web


@pytest.fixture
def hx(session: Session) -> Iterator[Any]:
    """An httpx.Client over the daemon."""
    with httpx.Client(transport=WatchwordTransport(session), follow_redirects=True) as hx:
        yield hx


def sum_of(data: bytes) -> str:
    return f"{len(data)} {hashlib.sha256(data).hexdigest()}"


def tasks_end(session: Session) -> None:
    """Waits until the daemon runs no task of the session."""
    for _ in range(1000):
        if not [task for task in session.tasks() if task["state"] != "finished"]:
            return
    raise AssertionError(session.tasks())


@pytest.mark.parametrize("method", ["basic", "digest"])
@pytest.mark.parametrize("stream", [False, True])
def test_requests_is_asked_once(daemon: str, origin: str, method: str, stream: bool) -> None:
    asked: list[str] = []

    def handler(question: watchword.Challenge) -> watchword.Answer:
        asked.append(question.id)
        return watchword.use_credential("reader", PASSWORD)

    with Client(daemon) as client, client.session(configuration=CONFIGURATION, on_challenge=handler) as session:
        with requests.Session() as web:
            web.mount("http://", WatchwordAdapter(session))
            for name in "abc":
                got = web.get(f"{origin}/{method}/{name}", stream=stream)
                assert got.text == f"{method}: welcome, reader\n"
                assert (got.status_code, got.reason, got.url) == (200, "OK", f"{origin}/{method}/{name}")
    assert len(asked) == 1


def test_requests_keeps_its_redirects_and_cookies(web: Any, url: str) -> None:
    got = web.get(f"{url}/redirect")
    assert [past.status_code for past in got.history] == [302]
    assert got.url == f"{url}/echo"
    assert web.cookies.get_dict() == {"a": "1", "b": "2"}
    assert "'a=1; b=2'" in got.text
    stopped = web.get(f"{url}/redirect", allow_redirects=False)
    assert (stopped.status_code, stopped.content) == (302, b"away")


def test_requests_keeps_the_octets_of_fields(web: Any, url: str) -> None:
    got = web.get(f"{url}/beyond-ascii")
    assert got.url == f"{url}/%C5%A1"
    assert got.history[0].headers["X-Name"] == octets("café")
    assert web.cookies["a"] == octets("é")
    assert repr(("Cookie", octets("a=é"))) in got.content.decode()
    fields = {"X-A": "café", "X-B": "š", "X-C": "é".encode()}
    told = web.get(url, headers=fields).content.decode()
    assert [repr(pair) in told for pair in (("X-A", "café"), ("X-B", octets("š")), ("X-C", octets("é")))] == [True] * 3


def test_a_fragment_stays_with_the_url(web: Any, url: str) -> None:
    assert web.get(f"{url}/a#part").url == f"{url}/a#part"
    assert web.get(f"{url}/redirect#part").url == f"{url}/echo#part"


def test_a_timeout_beyond_the_daemons_limits_is_the_nearest(web: Any, hx: Any, url: str) -> None:
    with pytest.raises(requests.Timeout):
        web.get(f"{url}/silent", timeout=1e-6)
    with pytest.raises(httpx.TimeoutException):
        hx.get(f"{url}/silent", timeout=1e-6)
    assert web.get(url, timeout=1e12).status_code == 200
    assert hx.get(url, timeout=1e12).status_code == 200


@pytest.mark.parametrize("stream", [False, True])
def test_requests_reads_large_and_coded_bodies(web: Any, url: str, stream: bool) -> None:
    assert web.get(f"{url}/large", stream=stream).content == LARGE
    assert web.get(f"{url}/gzip", stream=stream).content == LARGE
    assert b"".join(web.get(f"{url}/gzip", stream=stream).iter_content(7777)) == LARGE
    assert web.head(f"{url}/large", stream=stream).headers["content-length"] == str(len(LARGE))


def test_requests_streams_before_the_end(web: Any, pages: Pages, url: str) -> None:
    with web.get(f"{url}/slow", stream=True) as got:
        pieces = got.iter_content(6)
        assert next(pieces) == b"first "
        pages.go_on.set()
        assert b"".join(pieces) == b"second"


#: Every way in which a body is read piece by piece, with sizes that it does not have.
READERS: dict[str, Callable[[Any], Iterator[bytes]]] = {
    "iter_content(None)": lambda got: got.iter_content(None),
    "iter_content(512)": lambda got: got.iter_content(512),
    "iter_content(1)": lambda got: got.iter_content(1),
    "iter_lines": lambda got: (line + b"\n" for line in got.iter_lines()),
    "iterated": iter,
    "stream(None)": lambda got: got.raw.stream(None, decode_content=True),
    "stream(512)": lambda got: got.raw.stream(512, decode_content=True),
    "read1": lambda got: iter(lambda: got.raw.read1(decode_content=True), b""),
}


@pytest.mark.parametrize("page", ["lines", "lines.gz"])
@pytest.mark.parametrize("reader", READERS)
def test_requests_gives_each_piece_when_it_comes(web: Any, pages: Pages, url: str, page: str, reader: str) -> None:
    with web.get(f"{url}/{page}", stream=True) as got:
        pieces = READERS[reader](got)
        first = b""
        while not first.endswith(b"\n"):
            first += next(pieces)
        assert first == b"one\n"
        pages.go_on.set()
        assert b"".join(pieces) == b"two\n"


@pytest.mark.parametrize("stream", [False, True])
def test_requests_reads_a_body_in_whole(web: Any, pages: Pages, url: str, stream: bool) -> None:
    pages.go_on.set()
    assert web.get(f"{url}/lines.gz", stream=stream).content == b"one\ntwo\n"
    assert web.get(f"{url}/lines", stream=stream).text == "one\ntwo\n"
    assert b"".join(web.get(f"{url}/lines", stream=stream).iter_content(None)) == b"one\ntwo\n"
    raw = web.get(f"{url}/large", stream=True).raw
    assert (raw.read(1000), raw.read(), raw.read()) == (LARGE[:1000], LARGE[1000:], b"")
    assert web.get(f"{url}/large", stream=True).raw.data == LARGE


def test_requests_cancels_what_is_left_early(web: Any, session: Session, url: str) -> None:
    with web.get(f"{url}/slow", stream=True) as got:
        assert got.status_code == 200
    tasks_end(session)


def test_requests_sends_every_kind_of_body(web: Any, url: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(LARGE)

    def generated() -> Iterator[bytes]:
        for start in range(0, len(LARGE), 5000):
            yield LARGE[start : start + 5000]

    class Reader:
        """A file without a descriptor."""

        def __init__(self) -> None:
            self.read = io.BytesIO(LARGE).read

        def __iter__(self) -> Iterator[bytes]:
            raise AssertionError("read, not iterated")

    for body in (LARGE, io.BytesIO(LARGE), generated(), Reader()):
        assert web.post(url, data=body).text == sum_of(LARGE)
    assert web.post(url, data=generated(), stream=True).text == sum_of(LARGE)
    with open(tmp_path / "file", "rb") as file:
        file.read(100)
        assert web.post(url, data=file).text == sum_of(LARGE[100:])
    assert web.post(url, data={"a": "ü"}).text == sum_of(b"a=%C3%BC")
    assert web.post(url, json={"a": 1}).text == sum_of(b'{"a": 1}')
    assert web.post(url).text == sum_of(b"")
    assert web.post(url, files={"f": LARGE}).status_code == 200


def test_an_iterator_that_fails_fails_the_request(web: Any, hx: Any, session: Session, url: str) -> None:
    def broken() -> Iterator[bytes]:
        yield b"some"
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        web.post(url, data=broken())
    with pytest.raises(LookupError, match="no more"):
        hx.post(url, content=broken())
    tasks_end(session)


@pytest.fixture
def closed_port() -> Iterator[Callable[[], str]]:
    """URLs at which nothing listens; the port stays bound, so that no other program takes it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        yield lambda: f"http://127.0.0.1:{probe.getsockname()[1]}/"


def test_requests_gets_its_own_exceptions(web: Any, url: str, closed_port: Callable[[], str]) -> None:
    with pytest.raises(requests.ConnectionError) as refused:
        web.get(closed_port())
    assert isinstance(refused.value.__cause__, watchword.ConnectionFailed)
    assert refused.value.request.method == "GET"
    with pytest.raises(requests.ReadTimeout):
        web.get(f"{url}/silent", timeout=0.05)
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        web.get(f"{url}/cut")
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        _ = web.get(f"{url}/cut", stream=True).content
    with pytest.raises(requests.ConnectionError):  # what requests makes of a timeout within a body
        _ = web.get(f"{url}/slow", stream=True, timeout=(5, 0.05)).content
    with pytest.raises(requests.exceptions.InvalidHeader):
        web.get(url, headers={"X-A": b"a\x01"})
    with pytest.raises(requests.exceptions.InvalidProxyURL):
        web.get(url, proxies={"http": "http:/nowhere:3128"})


def test_a_cancelled_challenge_and_a_failing_handler_are_raised(daemon: str, origin: str) -> None:
    def fails(_: watchword.Challenge) -> watchword.Answer:
        raise LookupError("no password")

    for stream in (False, True):
        with Client(daemon) as client, requests.Session() as web:
            with client.session(configuration=CONFIGURATION, on_challenge=lambda _: watchword.cancel()) as session:
                web.mount("http://", WatchwordAdapter(session))
                with pytest.raises(requests.RequestException) as cancelled:
                    web.get(f"{origin}/basic/a", stream=stream)
                assert isinstance(cancelled.value.__cause__, watchword.UserCancelledAuthentication)
                with pytest.raises(httpx.TransportError), httpx.Client(transport=WatchwordTransport(session)) as hx:
                    hx.get(f"{origin}/basic/a")
            with client.session(configuration=CONFIGURATION, on_challenge=fails) as session:
                web.mount("http://", WatchwordAdapter(session))
                with pytest.raises(LookupError):
                    web.get(f"{origin}/basic/a", stream=stream)


def test_userinfo_becomes_a_field_and_is_not_sent_twice(web: Any, hx: Any, origin: str) -> None:
    there = origin.replace("//", "//reader:open%20sesame@") + "/basic/a#part"
    got = web.get(there)
    assert (got.status_code, got.url) == (200, f"{origin}/basic/a#part")
    assert hx.get(there).status_code == 200


def test_nothing_prints_a_secret(
    web: Any, hx: Any, session: Session, origin: str, closed_port: Callable[[], str]
) -> None:
    there = origin.replace("//", "//reader:sentinel@")
    printed = [WatchwordAdapter(session), WatchwordTransport(session)]
    for send in (web.get, hx.get):
        with pytest.raises(Exception, match=r"refused|connect") as caught:
            send(closed_port().replace("//", "//reader:sentinel@"), headers={"Authorization": "sentinel"})
        printed += [caught.value, caught.value.__cause__]
    printed.append(web.get(f"{there}/basic/a").raw)
    assert "sentinel" not in "".join(f"{thing!r} {thing}" for thing in printed)


def pipes_and_memory_files() -> int:
    count = 0
    for name in os.listdir("/proc/self/fd"):
        try:
            count += os.readlink(f"/proc/self/fd/{name}").startswith(("pipe:", "/memfd:"))
        except OSError:  # that of the listing itself
            pass
    return count


def test_what_the_environment_says_is_no_wish_of_the_caller(
    web: Any, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/ca.pem")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert web.get(url).status_code == 200


def test_no_descriptor_and_no_thread_is_left(
    web: Any, hx: Any, session: Session, url: str, closed_port: Callable[[], str]
) -> None:
    def generated() -> Iterator[bytes]:
        yield LARGE

    def once() -> None:
        _ = web.get(f"{url}/large", stream=True).content
        web.get(f"{url}/large")
        web.get(f"{url}/slow", stream=True).close()
        web.post(url, data=generated())
        hx.get(f"{url}/large")
        hx.post(url, content=generated())
        for send in (web.get, hx.get):
            with pytest.raises((requests.RequestException, httpx.RequestError)):
                send(closed_port())

    once()
    tasks_end(session)
    before = pipes_and_memory_files()
    for _ in range(3):
        once()
    for thread in threading.enumerate():
        if thread.name == "watchword-upload":
            thread.join(10)
    tasks_end(session)
    assert pipes_and_memory_files() == before


def test_httpx_keeps_its_redirects_and_cookies(hx: Any, url: str) -> None:
    got = hx.get(f"{url}/redirect")
    assert [past.status_code for past in got.history] == [302]
    assert str(got.url) == f"{url}/echo"
    assert dict(hx.cookies) == {"a": "1", "b": "2"}
    assert "'a=1; b=2'" in got.text
    assert (got.http_version, got.reason_phrase) == ("HTTP/1.1", "OK")


def test_httpx_reads_sends_and_streams(hx: Any, session: Session, pages: Pages, url: str) -> None:
    assert hx.get(f"{url}/large").content == LARGE
    assert hx.get(f"{url}/gzip").content == LARGE
    assert hx.post(url, content=b"abc").text == sum_of(b"abc")
    assert hx.post(url, content=LARGE).text == sum_of(LARGE)
    assert hx.post(url, content=iter([LARGE, b"end"])).text == sum_of(LARGE + b"end")
    assert hx.post(url, files={"f": b"abc"}).status_code == 200
    assert hx.post(url, data={"a": "1"}).text == sum_of(b"a=1")
    with hx.stream("GET", f"{url}/slow") as left:
        assert left.status_code == 200
    tasks_end(session)
    ways: list[Callable[[Any], Iterator[bytes]]] = [
        lambda got: got.iter_raw(),
        lambda got: got.iter_bytes(),
        lambda got: got.iter_bytes(6),
    ]
    for read in ways:
        pages.go_on.clear()
        with hx.stream("GET", f"{url}/slow") as got:
            pieces = read(got)
            assert next(pieces) == b"first "
            pages.go_on.set()
            assert b"".join(pieces) == b"second"
    pages.go_on.clear()
    with hx.stream("GET", f"{url}/lines.gz") as got:
        lines = got.iter_lines()
        assert next(lines) == "one"
        pages.go_on.set()
        assert list(lines) == ["two"]


def test_httpx_gets_its_own_exceptions(hx: Any, url: str, closed_port: Callable[[], str]) -> None:
    with pytest.raises(httpx.ConnectError) as refused:
        hx.get(closed_port())
    assert isinstance(refused.value.__cause__, watchword.ConnectionFailed)
    with pytest.raises(httpx.ReadTimeout):
        hx.get(f"{url}/silent", timeout=0.05)
    with pytest.raises(httpx.RemoteProtocolError):
        hx.get(f"{url}/cut")
    with pytest.raises(httpx.ConnectError):
        hx.get(httpx.URL(url).copy_with(port=123_456))
    with pytest.raises(httpx.UnsupportedProtocol, match="has an unsupported protocol 'ftp://'"):
        hx.get("ftp://127.0.0.1/")
    with pytest.raises(httpx.UnsupportedProtocol, match="is missing an 'http://'"):
        hx.get("//127.0.0.1/")


def test_asyncio_and_httpx(daemon: str, origin: str, pages: Pages, url: str, closed_port: Callable[[], str]) -> None:
    asked: list[str] = []

    async def handler(question: watchword.Challenge) -> watchword.Answer:
        await asyncio.sleep(0)
        asked.append(question.id)
        return watchword.use_credential("reader", PASSWORD)

    async def generated() -> AsyncIterator[bytes]:
        for start in range(0, len(LARGE), 100_000):
            yield LARGE[start : start + 100_000]

    async def broken() -> AsyncIterator[bytes]:
        yield b"some"
        raise LookupError("no more")

    async def main() -> None:
        async with AsyncClient(daemon) as client:
            session = await client.session(configuration=CONFIGURATION, on_challenge=handler)
            transport = AsyncWatchwordTransport(session)
            async with session, httpx.AsyncClient(transport=transport, follow_redirects=True) as hx:
                answers = await asyncio.gather(*(hx.get(f"{origin}/digest/{n}") for n in range(32)))
                assert {answer.text for answer in answers} == {"digest: welcome, reader\n"}
                assert (await hx.get(f"{url}/large")).content == LARGE
                assert str((await hx.get(f"{url}/redirect")).url) == f"{url}/echo"
                assert (await hx.post(url, content=generated())).text == sum_of(LARGE)
                assert (await hx.post(url, content=b"abc")).text == sum_of(b"abc")
                with pytest.raises(LookupError, match="no more"):
                    await hx.post(url, content=broken())
                with pytest.raises(httpx.ConnectError):
                    await hx.get(closed_port())
                with pytest.raises(httpx.RemoteProtocolError):
                    await hx.get(f"{url}/cut")
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(hx.get(f"{url}/silent"), 0.05)
                async with hx.stream("GET", f"{url}/slow") as got:
                    pieces = got.aiter_raw()
                    assert await pieces.__anext__() == b"first "
                    pages.go_on.set()
                    assert b"".join([piece async for piece in pieces]) == b"second"
                while [task for task in await session.tasks() if task["state"] != "finished"]:
                    pass

    asyncio.run(main())
    assert len(asked) == 1
