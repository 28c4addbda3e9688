"""What a fetch sends: URLs, methods, header fields and bodies."""

from __future__ import annotations

import base64
import os
import socket
import tempfile
import threading
from collections.abc import Iterator

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, kind_of, password
from Support.documents import binary
from Support.exchange import Exchange
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

pytestmark = pytest.mark.core


@pytest.fixture
def session(peer: Peer) -> str:
    return peer.open()


@pytest.fixture
def url(origin: ScriptedOrigin) -> str:
    return origin.serve("/", reply())


TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

BAD_URLS = [
    "",
    "relative/path",
    "/absolute/path",
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://",
    "http:///path",
    "http://[::1/",
    "http://host:99999/",
    "http://host:port/",
    "http://a b/",
    "http://host/\r\nX: y",
    "http://host/\x00",
    "http://ho\rst/",
    " http://127.0.0.1/ ",
    "HTTPX://host/",
    "http://%0d%0a/",
    "http://host\\@evil/",
]


@pytest.mark.parametrize("bad", BAD_URLS)
def test_a_url_that_is_not_http_is_refused(peer: Peer, session: str, bad: str) -> None:
    peer.checked = False
    if "\x00" in bad:
        return
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, bad)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", "params.url")


BAD_MEMBERS: list[tuple[Json, str]] = [
    ({"headers": [["X", "a\r\nY: b"]]}, "params.headers[0][1]"),
    ({"headers": [["X", "a\nb"]]}, "params.headers[0][1]"),
    ({"headers": [["X\r\nY", "a"]]}, "params.headers[0][0]"),
    ({"headers": [["A", "b"], ["X Y", "a"]]}, "params.headers[1][0]"),
    ({"headers": [["", "a"]]}, "params.headers[0][0]"),
    ({"headers": [["X:", "a"]]}, "params.headers[0][0]"),
    ({"headers": [["X"]]}, "params.headers[0]"),
    ({"headers": [["X", 1]]}, "params.headers[0]"),
    ({"headers": {"X": "y"}}, "params.headers"),
    ({"headers": [["Content-Length", "5"]]}, "params.headers[0]"),
    ({"headers": [["Transfer-Encoding", "chunked"]]}, "params.headers[0]"),
    ({"headers": [["HTTP2-Settings", "AAMAAABk"]]}, "params.headers[0]"),
    ({"headers": [["X", "y"]] * 255}, "params.headers"),
    ({"method": "HEAD", "body": {"text": "x"}}, "params.body"),
    ({"method": "TRACE"}, "params.method"),
    ({"method": "track"}, "params.method"),
    ({"method": "GE T"}, "params.method"),
    ({"method": "GET\r\nX: y"}, "params.method"),
    ({"method": ""}, "params.method"),
    ({"method": 1}, "params.method"),
    ({"url": 1}, "params.url"),
    ({"body": "text"}, "params.body"),
    ({"body": {}}, "params.body"),
    ({"body": {"text": "a", "base64": "YQ=="}}, "params.body"),
    ({"body": {"base64": "not base64!"}}, "params.body.base64"),
    ({"body": {"descriptor": 0}}, "params.body.descriptor"),
    ({"body": {"descriptor": -1}}, "params.body.descriptor"),
    ({"output": "file"}, "params.output"),
    ({"output": {"descriptor": 3}}, "params.output.descriptor"),
    ({"output": {"path": "/tmp/x"}}, "params.output"),
    ({"timeouts": {"requestSeconds": -1}}, "params.timeouts.requestSeconds"),
    ({"timeouts": {"requestSeconds": "1"}}, "params.timeouts.requestSeconds"),
    ({"timeouts": {"request": 1}}, "params.timeouts.request"),
    ({"priority": 2}, "params.priority"),
    ({"detached": "yes"}, "params.detached"),
    ({"decodeContent": 1}, "params.decodeContent"),
    ({"task": ""}, "params.task"),
    ({"task": "a\nb"}, "params.task"),
    ({"session": 1}, "params.session"),
    ({"sensitiveHeaders": ["a b"]}, "params.sensitiveHeaders[0]"),
    ({"traceparent": TRACE.upper()}, "params.traceparent"),
    ({"traceparent": TRACE + "\r\nX: y"}, "params.traceparent"),
    ({"traceparent": TRACE, "headers": [["A", "b"], ["Traceparent", TRACE]]}, "params.headers[1][0]"),
    ({"heders": []}, "params.heders"),
]


@pytest.mark.parametrize(("members", "path"), BAD_MEMBERS, ids=[path for _, path in BAD_MEMBERS])
def test_a_malformed_parameter_is_refused_and_named(
    peer: Peer, origin: ScriptedOrigin, url: str, members: Json, path: str
) -> None:
    for method in ("fetch", "task/start"):
        with pytest.raises(RemoteError) as caught:
            peer.call(method, {"url": url, **members})
        error = caught.value
        if "descriptor" in path:
            assert error.kind in ("invalidParams", "descriptorUnusable")
        else:
            assert error.kind == "invalidParams"
            assert error.data["path"].startswith(path)
    assert origin.requests == []


def test_a_missing_url_is_named(peer: Peer) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.call("fetch", {})
    assert caught.value.data["path"] == "params.url"


def test_fields_are_sent_in_order_with_duplicates(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str
) -> None:
    fields = [["X-B", "1"], ["X-A", "2"], ["X-B", "3"], ["X-Empty", ""], ["x-lower", "  inner  spaces"]]
    peer.fetch(session, url, headers=fields)
    sent = [[name, value] for name, value in origin.requests[0].headers if name.lower().startswith("x-")]
    assert sent[:4] == fields[:4]
    assert sent[4][0] == "x-lower"


def test_fields_of_the_session_are_added_unless_the_request_has_them(
    peer: Peer, origin: ScriptedOrigin, url: str
) -> None:
    configuration = {"headers": [["User-Agent", "tests/1"], ["X-Both", "session"]]}
    session = peer.open("h", configuration=configuration)
    peer.fetch(session, url, headers=[["x-both", "request"]])
    (request,) = origin.requests
    assert request.all("User-Agent") == ["tests/1"]
    assert request.all("X-Both") == ["request"]


def test_a_host_field_of_the_caller_cannot_be_doubled(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str
) -> None:
    try:
        peer.fetch(session, url, headers=[["Host", "other.test"]])
    except RemoteError as error:
        assert error.kind == "invalidParams"
    assert all(len(request.all("Host")) == 1 for request in origin.requests)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get"])
def test_any_method_is_sent_as_spelled(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str, method: str
) -> None:
    assert peer.fetch(session, url, method=method)["status"] == 200
    assert origin.requests[0].method == method


def test_no_field_beyond_the_usual_is_invented(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str
) -> None:
    peer.fetch(session, url)
    names = {name.lower() for name, _ in origin.requests[0].headers}
    assert names <= {"host", "accept", "accept-encoding", "user-agent"}


# Bodies

BODIES = [
    pytest.param({"text": "grüße"}, "grüße".encode(), id="text"),
    pytest.param({"text": ""}, b"", id="empty text"),
    pytest.param({"base64": base64.b64encode(binary(5000)).decode()}, binary(5000), id="base64"),
    pytest.param({"text": "x" * 700_000}, b"x" * 700_000, id="a long text"),
]


@pytest.mark.parametrize(("body", "sent"), BODIES)
def test_an_inline_body_is_sent(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str, body: Json, sent: bytes
) -> None:
    peer.fetch(session, url, method="POST", body=body)
    assert origin.requests[0].body == sent
    assert origin.requests[0].header("Content-Length") == str(len(sent))


@pytest.fixture
def file() -> Iterator[int]:
    """A file of 300,000 bytes, open for reading and writing, its offset at the start."""
    with tempfile.TemporaryFile() as stream:
        stream.write(binary(300_000))
        stream.seek(0)
        yield stream.fileno()


def send_file(peer: Peer, session: str, url: str, descriptor: int, **members: Json) -> Json:
    params = {"session": session, "url": url, "method": "PUT", "body": {"descriptor": 0}, **members}
    return peer.call("fetch", params, [descriptor])


def test_a_body_comes_from_a_descriptor(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str, file: int
) -> None:
    assert send_file(peer, session, url, file)["status"] == 200
    assert origin.requests[0].body == binary(300_000)
    assert origin.requests[0].header("Content-Length") == "300000"
    assert os.lseek(file, 0, os.SEEK_CUR) == 0, "it is read with pread"


def test_a_descriptor_body_is_replayed_after_a_401(peer: Peer, origin: ScriptedOrigin, file: int) -> None:
    session = peer.open(tasks=["*"])
    guard = BasicGuard("staff", USER, PASSWORD)
    params = {"session": session, "url": origin.serve("/", guarded(guard)), "method": "PUT"}
    fetch = peer.request("fetch", {**params, "body": {"descriptor": 0}}, [file])
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert [request.body for request in origin.requests] == [binary(300_000)] * 2


@pytest.mark.parametrize("body", [{"text": "again"}, {"base64": "YWdhaW4="}])
def test_an_inline_body_is_replayed_after_a_401_and_a_307(
    peer: Peer, origin: ScriptedOrigin, body: Json
) -> None:
    session = peer.open(tasks=["*"])
    origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    fetch = peer.start_fetch(session, origin.serve("/", redirect("/staff", 307)), method="POST", body=body)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert [request.body for request in origin.requests] == [b"again"] * 3


def feed(writer: int, data: bytes) -> threading.Thread:
    """Writes into a pipe from another thread and closes it."""

    def run() -> None:
        with os.fdopen(writer, "wb") as stream:
            stream.write(data)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_a_pipe_is_streamed_with_expect_continue(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str
) -> None:
    reader, writer = os.pipe()
    thread = feed(writer, binary(300_000))
    try:
        assert send_file(peer, session, url, reader)["status"] == 200
    finally:
        os.close(reader)
        thread.join()
    request = origin.requests[0]
    assert request.body == binary(300_000)
    assert request.header("Expect") == "100-continue"
    assert request.header("Transfer-Encoding") == "chunked"


@pytest.mark.parametrize("status", [200, 404])
def test_no_request_follows_on_a_connection_whose_server_may_read_a_body_that_was_not_sent(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str, status: int
) -> None:
    """The server answers the head alone, and may take what comes next for the body."""
    answered_early = origin.serve("/early", reply(status=status), reads_body=False)
    reader, writer = os.pipe()
    assert send_file(peer, session, answered_early, reader)["status"] == status
    os.close(reader)
    os.close(writer)
    assert peer.fetch(session, url)["status"] == 200
    assert len(origin.connections) == 2


def test_a_socket_is_streamed_too(peer: Peer, session: str, origin: ScriptedOrigin, url: str) -> None:
    ours, theirs = socket.socketpair()
    ours.sendall(b"through a socket")
    ours.shutdown(socket.SHUT_WR)
    with ours, theirs:
        assert send_file(peer, session, url, theirs.fileno())["status"] == 200
    assert origin.requests[0].body == b"through a socket"


def test_a_pipe_whose_bytes_are_gone_is_not_replayable(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    origin.serve("/next", reply())
    reader, writer = os.pipe()
    thread = feed(writer, b"once only")
    try:
        url = origin.serve("/", redirect("/next", 307))
        assert kind_of(send_file, peer, session, url, reader) == "bodyNotReplayable"
    finally:
        os.close(reader)
        thread.join()


@pytest.mark.parametrize("status", [307, 308])
def test_a_pipe_goes_to_the_target_of_a_redirect_that_came_before_it_was_read(
    peer: Peer, session: str, origin: ScriptedOrigin, status: int
) -> None:
    target = origin.serve("/next", reply())
    url = origin.serve("/", redirect(target, status), reads_body=False)
    reader, writer = os.pipe()
    thread = feed(writer, b"once only")
    try:
        assert send_file(peer, session, url, reader)["status"] == 200
    finally:
        os.close(reader)
        thread.join()
    assert [request.body for request in origin.requests] == [b"", b"once only"]


def test_a_pipe_survives_a_401_that_comes_before_its_bytes(peer: Peer, origin: ScriptedOrigin) -> None:
    """The origin answers the expectation with 401, so nothing was taken from the pipe."""
    session = peer.open(tasks=["*"])
    guard = BasicGuard("staff", USER, PASSWORD)

    async def script(exchange: Exchange) -> None:
        if guard.passes(exchange.request):
            await exchange.read_body()
            await exchange.respond(200, [], b"")
        else:
            fields = [("WWW-Authenticate", guard.challenges(exchange.request)[0]), ("Connection", "close")]
            await exchange.respond(401, fields, b"")
            await exchange.close()

    reader, writer = os.pipe()
    url = origin.serve("/", script, reads_body=False)
    params = {"session": session, "url": url, "method": "PUT", "body": {"descriptor": 0}}
    fetch = peer.request("fetch", params, [reader])
    challenge = peer.challenge()
    thread = feed(writer, b"kept until asked for")
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert origin.requests[-1].body == b"kept until asked for"
    os.close(reader)
    thread.join()


def test_a_pipe_that_stays_empty_stalls_no_other_task(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str
) -> None:
    reader, writer = os.pipe()
    waiting = peer.request(
        "fetch", {"session": session, "url": url, "method": "PUT", "body": {"descriptor": 0}}, [reader]
    )
    other = origin.serve("/other", reply())
    for _ in range(10):
        assert peer.fetch(session, other)["status"] == 200
    os.write(writer, b"at last")
    os.close(writer)
    os.close(reader)
    assert peer.result(waiting)["status"] == 200


def test_progress_of_the_body_is_told_to_started_tasks(
    peer: Peer, session: str, origin: ScriptedOrigin, url: str, file: int
) -> None:
    params = {"session": session, "url": url, "method": "PUT", "body": {"descriptor": 0}, "task": "t"}
    peer.call("task/start", params, [file])
    peer.notification("task/didFinish")
    progress = [note["params"] for note in peer.notifications if note["method"] == "task/didSendBodyData"]
    assert progress[-1]["bytesSent"] == progress[-1]["totalBytes"] == 300_000
    assert [step["bytesSent"] for step in progress] == sorted(step["bytesSent"] for step in progress)


def test_an_early_response_ends_the_upload(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(413, b"too much", [("Connection", "close")]), reads_body=False)
    try:
        status = peer.fetch(session, url, method="POST", body={"text": "x" * 900_000})["status"]
        assert status == 413
    except RemoteError as error:
        assert error.kind == "connectionLost"
