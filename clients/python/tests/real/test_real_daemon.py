"""Both faces against the built daemon and a protected origin."""

from __future__ import annotations

import asyncio
import hashlib
import http.server
import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import watchword
from watchword import Answer, AsyncClient, Challenge, Client

USER, PASSWORD = "reader", "open sesame"
LARGE = bytes(range(256)) * 4096


def right(_: Challenge) -> Answer:
    return watchword.use_credential(USER, PASSWORD)


def never(question: Challenge) -> Answer:
    raise AssertionError(f"asked: {question}")


@pytest.fixture
def files() -> Iterator[str]:
    """An origin of large bodies, ranges, redirects and echoes."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path == "/redirect":
                return self.give(302, b"", Location="/large")
            if self.path == "/cut":
                self.send_response(200)
                self.send_header("Content-Length", str(len(LARGE)))
                self.send_header("ETag", '"v1"')
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(LARGE[: len(LARGE) // 2])
                self.close_connection = True
                return None
            wanted = self.headers.get("Range", "")
            if wanted and self.headers.get("If-Range") == '"v1"':
                start = int(wanted.removeprefix("bytes=").partition("-")[0])
                if start >= len(LARGE):
                    return self.give(416, b"", **{"Content-Range": f"bytes */{len(LARGE)}"})
                place = f"bytes {start}-{len(LARGE) - 1}/{len(LARGE)}"
                return self.give(206, LARGE[start:], ETag='"v1"', **{"Content-Range": place})
            return self.give(200, LARGE, ETag='"v1"')

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.give(200, hashlib.sha256(body).hexdigest().encode())

        def give(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("method", ["basic", "digest"])
def test_a_session_is_asked_once(daemon: str, origin: str, method: str) -> None:
    asked: list[Challenge] = []

    def handler(question: Challenge) -> Answer:
        asked.append(question)
        return right(question)

    with Client(daemon) as client, client.session("s", on_challenge=handler) as session:
        first = session.fetch(f"{origin}/{method}/a", metrics=True)
        assert (first.status, first.text) == (200, f"{method}: welcome, reader\n")
        assert first.metrics is not None
        assert [exchange.status for exchange in first.metrics.exchanges] == [401, 200]
        with Client(daemon) as other, other.session("s", on_challenge=never) as joined:
            assert not joined.created
            second = joined.fetch(f"{origin}/{method}/b", metrics=True)
            assert second.status == 200
            assert second.metrics is not None
            assert len(second.metrics.exchanges) == 1
            (listed,) = joined.list_credentials()
            assert (listed.user, listed.kind, listed.protection_space.authentication_method) == (
                USER,
                "password",
                method,
            )
    (question,) = asked
    assert question.authentication_method == method
    assert question.protection_space.realm == f"{method} demo"
    assert question.failure_response is not None
    assert question.failure_response.status == 401


def test_dispositions(daemon: str, origin: str) -> None:
    url = f"{origin}/basic/a"
    with Client(daemon) as client:
        with client.session(on_challenge=lambda _: watchword.cancel()) as session:
            with pytest.raises(watchword.UserCancelledAuthentication):
                session.fetch(url)
        for answer in (
            watchword.reject(),
            watchword.perform_default_handling(),
            watchword.use_no_credential(),
        ):
            with client.session(on_challenge=lambda _, answer=answer: answer) as session:  # type: ignore[misc]
                assert session.fetch(url).status == 401
        with client.session() as session:
            assert session.fetch(url).status == 401


def test_a_wrong_password_is_asked_again(daemon: str, origin: str) -> None:
    failures: list[int] = []

    def handler(question: Challenge) -> Answer:
        failures.append(question.previous_failure_count)
        return watchword.use_credential(USER, "wrong") if len(failures) == 1 else right(question)

    with Client(daemon) as client, client.session(on_challenge=handler) as session:
        assert session.fetch(f"{origin}/digest/a").status == 200
    assert failures == [0, 1]


def test_a_failing_handler_cancels_and_an_unusable_credential_is_raised(daemon: str, origin: str) -> None:
    def fails(_: Challenge) -> Answer:
        raise LookupError("no password")

    with Client(daemon) as client:
        with client.session(on_challenge=fails) as session, pytest.raises(LookupError):
            session.fetch(f"{origin}/basic/a")
        with client.session(on_challenge=lambda _: watchword.use_credential("a:b", "c")) as session:
            with pytest.raises(watchword.CredentialUnusable):
                session.fetch(f"{origin}/basic/a")


def test_a_large_body_comes_as_a_memory_file(daemon: str, files: str) -> None:
    with Client(daemon) as client, client.fetch(f"{files}/redirect") as response:
        assert response.size == len(LARGE)
        assert response.view() == LARGE
        assert response.content == LARGE
        assert [(r.status, r.destination) for r in response.redirects] == [(302, f"{files}/large")]


def test_uploads_by_text_bytes_and_descriptor(daemon: str, files: str, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(LARGE)
    expected = hashlib.sha256(LARGE).hexdigest()
    with Client(daemon) as client:
        assert client.fetch(f"{files}/", body="ü").text == hashlib.sha256("ü".encode()).hexdigest()
        assert client.fetch(f"{files}/", body=b"\0\xff").text == hashlib.sha256(b"\0\xff").hexdigest()
        assert client.fetch(f"{files}/", body=LARGE).text == expected
        assert client.fetch(f"{files}/", body=tmp_path / "large").text == expected


def test_a_download_by_descriptor(daemon: str, files: str, tmp_path: Path) -> None:
    with Client(daemon) as client, client.session() as session:
        session.download(f"{files}/large", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == LARGE
        with open(tmp_path / "open", "w+b") as file:
            session.download(f"{files}/large", file)
            assert (tmp_path / "open").read_bytes() == LARGE


def test_an_interrupted_download_goes_on(daemon: str, files: str, tmp_path: Path) -> None:
    target = tmp_path / "out"
    with Client(daemon) as client, client.session() as session:
        with pytest.raises(watchword.TransportError):
            session.download(f"{files}/cut", target, resume=True)
        assert 0 < (tmp_path / "out.part").stat().st_size <= len(LARGE) // 2
        response = session.download(f"{files}/large", target, resume=True)
        assert response.status == 206
    assert target.read_bytes() == LARGE
    assert os.listdir(tmp_path) == ["out"]


def test_a_part_that_lacks_nothing_is_not_fetched_again(daemon: str, files: str, tmp_path: Path) -> None:
    target = tmp_path / "out"
    with Client(daemon) as client, client.session() as session:
        (tmp_path / "out.part").write_bytes(LARGE)
        (tmp_path / "out.part.etag").write_text('"v1"')
        response = session.download(f"{files}/large", target, resume=True)
        assert (response.status, response.continuation) == (416, "complete")
        assert target.read_bytes() == LARGE
        # As long, and another version.
        os.rename(target, tmp_path / "out.part")
        (tmp_path / "out.part.etag").write_text('"v0"')
        assert session.download(f"{files}/large", target, resume=True).status == 200
    assert os.listdir(tmp_path) == ["out"]


def test_a_stream_and_a_task(daemon: str, files: str) -> None:
    with Client(daemon) as client, client.session() as session:
        with session.stream(f"{files}/large") as stream:
            assert stream.status == 200
            assert b"".join(stream) == LARGE
            assert stream.response().size == len(LARGE)
        task = session.start(f"{files}/large", output="discard")
        assert task.wait(timeout=20).size == len(LARGE)


def test_threads_share_one_challenge(daemon: str, origin: str) -> None:
    asked: list[str] = []

    def handler(question: Challenge) -> Answer:
        asked.append(question.id)
        return right(question)

    with Client(daemon) as client, client.session(on_challenge=handler) as session:
        statuses: list[int] = []
        threads = [
            threading.Thread(target=lambda: statuses.append(session.fetch(f"{origin}/digest/a").status))
            for _ in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    assert statuses == [200] * 16
    assert len(asked) == 1


def test_asyncio_shares_one_challenge(daemon: str, origin: str) -> None:
    asked: list[str] = []

    async def handler(question: Challenge) -> Answer:
        asked.append(question.id)
        await asyncio.sleep(0)
        return right(question)

    async def main() -> None:
        async with AsyncClient(daemon) as client:
            async with await client.session(on_challenge=handler) as session:
                got = await asyncio.gather(*(session.fetch(f"{origin}/basic/{n}") for n in range(100)))
                assert {response.status for response in got} == {200}

    asyncio.run(main())
    assert len(asked) == 1


def fetch_in_child(path: str, url: str, results: multiprocessing.SimpleQueue[int]) -> None:
    with Client(path) as client, client.session("shared") as session:
        results.put(session.fetch(url).status)


def test_a_session_delegate_answers_for_other_processes(daemon: str, origin: str) -> None:
    results: multiprocessing.SimpleQueue[int] = multiprocessing.SimpleQueue()
    asked: list[Challenge] = []

    def handler(question: Challenge) -> Answer:
        asked.append(question)
        return right(question)

    with Client(daemon) as client, client.session("shared", on_session_challenge=handler):
        child = multiprocessing.get_context("fork").Process(
            target=fetch_in_child, args=(daemon, f"{origin}/basic/a", results)
        )
        child.start()
        for _ in range(100):
            client.serve(timeout=0.1)
            if not child.is_alive():
                break
        child.join(10)
    assert results.get() == 200
    (question,) = asked
    assert question.waiters[0].pid == child.pid


def test_errors_have_their_classes(daemon: str) -> None:
    with Client(daemon) as client:
        with pytest.raises(watchword.ConnectionFailed) as failed:
            client.fetch("http://127.0.0.1:1/")
        assert failed.value.hop == "origin"
        with pytest.raises(watchword.InvalidParams) as wrong:
            client.call("fetch", {"url": "http://127.0.0.1:1/", "hedaers": []})
        assert wrong.value.path == "params.hedaers"
        with pytest.raises(watchword.MethodNotFound):
            client.call("no/such")
        with pytest.raises(watchword.TaskNotFound):
            client.cancel_task("nobody")
        with pytest.raises(watchword.SessionNotFound):
            client.call("session/describe", {"session": "nobody"})
        with pytest.raises(watchword.ChallengeNotPending):
            client.reply("nobody", watchword.reject())


def test_one_bad_value_ends_no_other_call(daemon: str, origin: str) -> None:
    """Each of them would get an error that belongs to no request."""
    asked, answered = threading.Event(), threading.Event()

    def handler(question: Challenge) -> Answer:
        asked.set()
        answered.wait(20)
        return watchword.use_credential("reader", PASSWORD)

    deep: object = 1
    for _ in range(70):
        deep = [deep]
    with Client(daemon) as client, client.session(on_challenge=handler) as session:
        with ThreadPoolExecutor() as pool:
            other = pool.submit(session.fetch, f"{origin}/basic/slow")
            assert asked.wait(20)
            for bad in (2**64, deep, "u" * (1 << 20)):
                with pytest.raises(watchword.InvalidArgument):
                    client.call("ping", {"value": bad})
            answered.set()
            assert other.result(20).status == 200


def test_the_rest_of_the_protocol(daemon: str, origin: str) -> None:
    with Client(daemon) as client, client.session("rest") as session:
        client.ping()
        assert client.discover()["openrpc"]
        assert [entry["session"] for entry in client.sessions()] == ["rest"]
        space = watchword.ProtectionSpace("http", "127.0.0.1", int(origin.rpartition(":")[2]), "basic demo", "basic")
        session.set_credential(space, watchword.Credential(user=USER, password=PASSWORD))
        assert session.fetch(f"{origin}/basic/a").status == 200
        credential = session.explain(f"{origin}/basic/a")["credential"]
        assert credential is not None
        assert credential["user"] == USER
        session.set_default_credential(space, USER)
        assert session.remove_credential(space) == 1
        assert session.list_credentials() == []
        assert session.challenges() == []
        assert session.tasks() == []
        assert session.list_cookies() == []
        assert session.describe()["configuration"]["redirects"]["limit"] == 20
        with client.watch_status(0.1) as snapshots:
            assert "counters" in (snapshots.next(timeout=10) or {})
        assert client.status()["counters"]["fetches.started"] == 1
        session.reset()


def test_shutting_down_ends_the_connection(place: Path) -> None:
    with Client(place, start=True) as client:
        client.shut_down()
        with pytest.raises(watchword.DaemonConnectionLost):
            client.serve(timeout=10)


def test_a_daemon_that_python_starts_logs_and_ends_as_one_of_the_command(place: Path) -> None:
    with Client(place, start=True) as client:
        pid = client.daemon.pid
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[1:-1]
        log = place.parent / "watchwordd.log"
        settings = ["--socket", f"{place}", "--log-file", f"{log}", "--idle-exit", "3600"]
        assert arguments == [setting.encode() for setting in settings]
        assert Path(f"/proc/{pid}/fd/2").readlink() == log
        assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
        client.shut_down()
