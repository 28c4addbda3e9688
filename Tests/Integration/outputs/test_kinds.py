"""Where a body goes: into the result, a memory file, a stream, a descriptor or nowhere."""

from __future__ import annotations

import base64
import gzip
import os
import tempfile
from collections.abc import Callable

import pytest

from Integration.outputs.scene import content
from Integration.wire import PATIENCE, Peer, RemoteError, body_of, kind_of
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.documents import BIG_SIZE, binary
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

MEBIBYTE = 1 << 20
Connect = Callable[..., Peer]


@pytest.mark.threads
@pytest.mark.parametrize(
    ("body", "member"),
    [
        (b"plain", "text"),
        ("grüße 世界".encode(), "text"),
        (b"", "text"),
        (b"\xff\xfe", "base64"),
        (b"a\x00b", "base64"),
        (b"\xed\xa0\x80", "base64"),
        (binary(1000), "base64"),
        (b'quo"te \\ \x01\x1f \x7f \r\n\t', "text"),
    ],
)
def test_an_inline_body_is_text_when_it_can_be(
    peer: Peer, session: str, origin: ScriptedOrigin, body: bytes, member: str
) -> None:
    result = peer.fetch(session, origin.serve("/", reply(body=body)), output="inline")
    assert body_of(result) == body
    assert list(result["body"]) == [member]


@pytest.mark.threads
def test_an_inline_body_over_the_limit_is_too_large(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open("i", configuration={"limits": {"inlineBodyBytes": 100}})
    assert body_of(peer.fetch(session, origin.serve("/", reply(body=b"x" * 100)))) == b"x" * 100
    too_long = origin.serve("/", reply(body=b"x" * 101))
    assert kind_of(lambda: peer.fetch(session, too_long, output="inline")) == "bodyTooLarge"
    assert peer.fetch(session, too_long, output="discard")["body"] == {"size": 101}


@pytest.mark.parametrize("limit", ["inlineBodyBytes", "memoryBodyBytes", "decodedBodyBytes"])
def test_a_body_that_is_too_large_names_the_limit(peer: Peer, origin: ScriptedOrigin, limit: str) -> None:
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open(configuration={"limits": {limit: 100_000}})
    url = origin.serve("/", reply(body=b"x" * 100_001))
    outputs = {"inlineBodyBytes": "inline", "memoryBodyBytes": "auto", "decodedBodyBytes": "discard"}
    with pytest.raises(RemoteError) as refused:
        peer.fetch(session, url, output=outputs[limit])
    assert (refused.value.kind, refused.value.data["limit"]) == ("bodyTooLarge", limit)


def test_the_largest_inline_body_fits_the_connection(connect: Connect, origin: ScriptedOrigin) -> None:
    """Its base64 is longer than what may wait for a slow reader; this one reads."""
    peer = connect()
    session = peer.open(configuration={"limits": {"inlineBodyBytes": 64 * MEBIBYTE}})
    url = origin.serve("/", reply(body=b"\xff" * (64 * MEBIBYTE)))
    fetch = peer.start_fetch(session, url, output="inline")
    assert body_of(peer.result(fetch, 4 * PATIENCE)) == b"\xff" * (64 * MEBIBYTE)


@pytest.mark.threads
def test_auto_is_inline_while_small_and_a_memory_file_beyond(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    peer = connect()
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open()
    small = peer.fetch(session, origin.serve("/s", reply(body=binary(1 << 16))))
    assert body_of(small) == binary(1 << 16)
    assert peer.descriptors == []
    large = peer.fetch(session, origin.serve("/l", reply(body=binary((1 << 16) + 1))))
    assert large["body"] == {"descriptor": 0, "size": (1 << 16) + 1}
    (descriptor,) = peer.descriptors
    assert content(descriptor) == binary((1 << 16) + 1)


@pytest.mark.threads
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_a_memory_file_has_a_bound(daemon: Daemon, peer: Peer, origin: ScriptedOrigin, coding: str) -> None:
    """It is memory, whatever it is called; a small gzip may become any number of bytes."""
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open(configuration={"limits": {"memoryBodyBytes": MEBIBYTE}})
    exact, larger = bytes(MEBIBYTE), bytes(MEBIBYTE + 1)

    def served(body: bytes) -> str:
        packed = gzip.compress(body) if coding == "gzip" else body
        return origin.serve(f"/{len(body)}", reply(headers=[("Content-Encoding", coding)], body=packed))

    assert peer.fetch(session, served(exact))["body"] == {"descriptor": 0, "size": MEBIBYTE}
    assert content(peer.descriptors[0]) == exact
    assert kind_of(peer.fetch, session, served(larger)) == "bodyTooLarge"
    assert not [path for path in daemon.descriptors().values() if "memfd" in path]


@pytest.mark.threads
def test_auto_stays_inline_for_connections_without_descriptors(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    result = peer.fetch(session, origin.serve("/", reply(body=b"x" * 200_000)))
    assert body_of(result) == b"x" * 200_000


@pytest.mark.threads
def test_many_memory_files_come_with_their_own_replies(connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect()
    peer.call("initialize", {"capabilities": {"descriptors": True}})
    session = peer.open()
    sizes = [100_000 + number for number in range(20)]
    for size in sizes:
        origin.serve(f"/{size}", reply(body=binary(size)))
    fetches = {size: peer.start_fetch(session, f"{origin.url}/{size}") for size in sizes}
    for size, fetch in fetches.items():
        assert peer.result(fetch)["body"]["size"] == size
    lengths = sorted(os.fstat(descriptor).st_size for descriptor in peer.descriptors)
    assert lengths == sizes


@pytest.mark.threads
def test_a_stream_arrives_in_order_and_whole(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    body = binary(600_000)
    url = origin.serve("/", reply(body=body))
    result = peer.fetch(session, url, output="stream", task="t")
    assert result["body"] == {"size": 600_000}
    names = [note["method"] for note in peer.notifications]
    assert names[0] == "task/didReceiveResponse"
    assert set(names[1:]) == {"task/didReceiveData"}
    received = b""
    for note in peer.notifications[1:]:
        assert note["params"]["task"] == "t"
        assert note["params"]["offset"] == len(received)
        received += base64.b64decode(note["params"]["base64"])
    assert received == body


@pytest.mark.threads
def test_discard_counts_and_keeps_nothing(daemon: Daemon, peer: Peer, session: str, nginx: Nginx) -> None:
    before = daemon.resident_bytes()
    result = peer.fetch(session, f"{nginx.plain}/big", output="discard")
    assert result["body"] == {"size": BIG_SIZE}
    assert daemon.resident_bytes(peak=True) - before < 32 * MEBIBYTE


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.timeout(180)
def test_a_gibibyte_goes_to_a_file_with_bounded_memory(
    daemon: Daemon, peer: Peer, nginx: Nginx, authority: Authority, scheme: str
) -> None:
    session = peer.open("g", configuration={"tls": {"roots": {"certificates": authority.pem}}})
    url = f"{nginx.plain if scheme == 'http' else nginx.tls}/big"
    before = daemon.resident_bytes()
    with tempfile.TemporaryFile() as stream:
        params = {"session": session, "url": url, "output": {"descriptor": 0}}
        fetch = peer.request("fetch", params, [stream.fileno()])
        result = peer.result(fetch, 150)
        assert result["body"] == {"size": BIG_SIZE}
        assert os.fstat(stream.fileno()).st_size == BIG_SIZE
    assert daemon.resident_bytes(peak=True) - before < 32 * MEBIBYTE
