"""HTTP/2 as nginx and nghttpd speak it: connections that are closed in between, and large uploads."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import os
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority
from Support.documents import binary
from Support.libcurl import UPLOAD_PROTOCOL
from Support.nghttpd import Nghttpd
from Support.nginx import Nginx
from Support.relay import Relay
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

FETCHES = 3000
IN_FLIGHT = 100
LARGE = binary(1 << 20)


@pytest.fixture(scope="module")
def restless(run_directory: Path, authority: Authority) -> Iterator[Nginx]:
    """Closes each connection after a hundred requests, with a GOAWAY that leaves others unanswered."""
    server = Nginx(run_directory / "restless", authority, "reader", "sentinel-restless", requests=100)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def brief(run_directory: Path, authority: Authority) -> Iterator[Nginx]:
    """Says after each request over a connection that it was the last one."""
    server = Nginx(run_directory / "brief", authority, "reader", "sentinel-brief", requests=1)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def only_http2(run_directory: Path, authority: Authority) -> Iterator[Nghttpd]:
    server = Nghttpd(run_directory / "nghttpd", authority)
    yield server
    server.stop()


@pytest.fixture
def session(peer: Peer, authority: Authority) -> str:
    return peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})


def test_requests_beyond_a_goaway_are_not_lost(peer: Peer, session: str, restless: Nginx) -> None:
    url = restless.http2 + "/small"
    waiting = [peer.start_fetch(session, url, metrics=True) for _ in range(IN_FLIGHT)]
    for started in range(IN_FLIGHT, FETCHES + IN_FLIGHT):
        result = peer.result(waiting.pop(0))
        assert (result["status"], result["metrics"]["protocol"]) in [(200, "h2"), (200, "http/1.1")]
        if started < FETCHES:
            waiting.append(peer.start_fetch(session, url, metrics=True))


def upload(peer: Peer, session: str, url: str, kind: str) -> Json:
    """POSTs the large body as one of the three kinds that there are, and asks for metrics."""
    call: Json = {"session": session, "url": url, "method": "POST", "output": "inline", "metrics": True}
    if kind == "base64":
        # A message holds less than the whole body.
        return peer.call("fetch", {**call, "body": {"base64": base64.b64encode(LARGE[:200_000]).decode()}})
    if kind == "file":
        descriptor = os.memfd_create("body")
        os.write(descriptor, LARGE)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        descriptor, writer = os.pipe()

        def feed() -> None:
            # An origin may answer before it has read the body.
            with contextlib.suppress(BrokenPipeError), os.fdopen(writer, "wb") as pipe:
                pipe.write(LARGE)

        threading.Thread(target=feed, daemon=True).start()
    try:
        return peer.call("fetch", {**call, "body": {"descriptor": 0}}, [descriptor])
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("kind", ["base64", "file", "pipe"])
def test_large_bodies_reach_an_origin_that_speaks_http2_only(
    peer: Peer, session: str, only_http2: Nghttpd, kind: str
) -> None:
    for _ in range(2):
        result = upload(peer, session, only_http2.url + "/echo", kind)
        assert result["status"] == 200
        assert result["metrics"]["protocol"] == "h2"
        length = 200_000 if kind == "base64" else len(LARGE)
        assert result["metrics"]["bytesSent"] >= length
    # Nothing of the attempt over HTTP/1.1 was a request.
    assert len(result["metrics"]["exchanges"]) == 1
    assert peer.fetch(session, only_http2.url + "/index.html")["body"] == {"text": "small"}


@pytest.mark.parametrize("kind", ["base64", "file", "pipe"])
def test_a_large_body_that_is_refused_reaches_an_origin_that_speaks_both(
    peer: Peer, session: str, nginx: Nginx, kind: str
) -> None:
    assert peer.metrics(session, nginx.http2 + "/small")["protocol"] == "h2"
    result = upload(peer, session, nginx.http2 + "/small", kind)
    assert (result["status"], result["metrics"]["protocol"]) == (405, UPLOAD_PROTOCOL)


def waits_in(pipe: int) -> int:
    """How many bytes of a pipe are not read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), "little")


def test_an_upload_harms_no_other_exchange_of_an_origin_that_speaks_both(
    peer: Peer, session: str, brief: Nginx
) -> None:
    """libcurl 7.88 takes the upload's busy connection of HTTP/1.1 for one that can be shared."""
    assert peer.metrics(session, brief.http2 + "/small")["protocol"] == "h2"
    (source, feed), (body, sink) = os.pipe(), os.pipe()
    try:
        call: Json = {"session": session, "url": brief.http2 + "/sink", "method": "POST", "output": "inline"}
        upload = peer.request("fetch", {**call, "body": {"descriptor": 0}, "metrics": True}, [source])
        os.write(feed, b"A" * 2000)
        while waits_in(source):
            peer.call("ping")
        held = {"session": session, "url": brief.http2 + "/big", "output": {"descriptor": 0}}
        peer.request("fetch", held, [sink])
        while not waits_in(body):
            peer.call("ping")
        for _ in range(5):
            result = peer.fetch(session, brief.http2 + "/small", metrics=True)
            assert (result["status"], result["metrics"]["protocol"]) == (200, "h2")
        os.close(feed)
        feed = -1
        result = peer.result(upload)
        assert (result["status"], result["metrics"]["protocol"]) == (200, UPLOAD_PROTOCOL)
    finally:
        for descriptor in (source, feed, body, sink):
            if descriptor >= 0:
                os.close(descriptor)


def test_an_upload_needs_no_second_connection_where_there_may_be_one_only(
    peer: Peer, authority: Authority, nginx: Nginx
) -> None:
    configuration = {"tls": {"roots": {"certificates": authority.pem}}, "connectionsPerHost": 1}
    session = peer.open(configuration=configuration)
    body, sink = os.pipe()
    try:
        peer.request(
            "fetch", {"session": session, "url": nginx.http2 + "/big", "output": {"descriptor": 0}}, [sink]
        )
        while not waits_in(body):
            peer.call("ping")
        result = upload(peer, session, nginx.http2 + "/sink", "base64")
        assert (result["status"], result["metrics"]["protocol"]) == (200, "h2")
    finally:
        os.close(body)
        os.close(sink)


def test_what_an_upload_learns_of_its_origin_is_kept_among_many_origins(
    peer: Peer, authority: Authority, nginx: Nginx, origin: ScriptedOrigin
) -> None:
    """Origins that nothing is fetched from are forgotten beyond a number."""
    hosts = [f"h{number}.test" for number in range(70)]
    addresses = {"resolve": {f"{host}:{origin.port}": "127.0.0.1" for host in hosts}}
    roots = {"roots": {"certificates": authority.pem}}
    session = peer.open(configuration={"tls": roots, "addresses": addresses})
    origin.serve("/", reply())
    for host in hosts:
        assert peer.fetch(session, f"http://{host}:{origin.port}/")["status"] == 200
    assert upload(peer, session, nginx.http2 + "/sink", "base64")["metrics"]["protocol"] == UPLOAD_PROTOCOL


def test_fetches_go_on_beside_uploads_and_a_stream(peer: Peer, session: str, nginx: Nginx) -> None:
    """As many uploads as an origin may have connections, and a response that is not read."""
    body, sink = os.pipe()
    pipes = [os.pipe() for _ in range(6)]
    try:
        held = {"session": session, "url": nginx.http2 + "/big", "output": {"descriptor": 0}}
        peer.request("fetch", held, [sink])
        while not waits_in(body):
            peer.call("ping")
        call: Json = {
            "session": session,
            "url": nginx.http2 + "/sink",
            "method": "POST",
            "body": {"descriptor": 0},
        }
        uploads = []
        for source, feed in pipes:
            uploads.append(peer.request("fetch", call, [source]))
            os.write(feed, b"A" * 2000)
            while waits_in(source):
                peer.call("ping")
            assert peer.metrics(session, nginx.http2 + "/small")["protocol"] == "h2"
        for _, feed in pipes:
            os.close(feed)
        assert {peer.result(one)["status"] for one in uploads} == {200}
    finally:
        for descriptor in (body, sink, *(source for source, _ in pipes)):
            os.close(descriptor)


@pytest.mark.parametrize(("path", "status"), [("/staff/small", 401), ("/moved", 302)])
def test_the_answer_to_a_body_that_was_not_read_is_kept(
    peer: Peer, session: str, nginx: Nginx, path: str, status: int
) -> None:
    """libcurl 7.88 loses it over HTTP/2 when several are under way."""
    assert peer.metrics(session, nginx.http2 + "/small")["protocol"] == "h2"
    descriptor = os.memfd_create("body")
    os.write(descriptor, LARGE[:5_000])
    call: Json = {"session": session, "url": nginx.http2 + path, "method": "POST", "followRedirects": False}
    try:
        for _ in range(12):
            waiting = []
            for _ in range(8):
                os.lseek(descriptor, 0, os.SEEK_SET)
                waiting.append(peer.request("fetch", {**call, "body": {"descriptor": 0}}, [descriptor]))
            assert [peer.result(fetch)["status"] for fetch in waiting] == [status] * 8
    finally:
        os.close(descriptor)


def test_a_connection_that_is_silent_for_the_time_of_a_request_is_not_used_again(
    peer: Peer, session: str, nginx: Nginx
) -> None:
    relay = Relay(nginx.http2_port)
    try:
        assert peer.metrics(session, relay.url + "/small")["protocol"] == "h2"
        relay.swallow()
        with pytest.raises(RemoteError) as silent:
            peer.fetch(session, relay.url + "/small", timeouts={"requestSeconds": 0.2})
        assert silent.value.kind == "timedOut"
        result = peer.fetch(session, relay.url + "/small", metrics=True)
        assert (result["status"], result["metrics"]["protocol"]) == (200, "h2")
        assert relay.connections == 2
    finally:
        relay.stop()
