"""A body is checked against the digests of the caller and of the origin before a result says success."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
from pathlib import Path

import pytest

from Integration.outputs.scene import content, fetch_into
from Integration.outputs.test_partial_downloads import ranged
from Integration.wire import Json, Peer, RemoteError, body_of
from Support.documents import binary
from Support.exchange import Exchange, Script
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import raw, reply

BODY = binary(200_000)


def digest(body: bytes, algorithm: str = "sha-256") -> str:
    value = hashlib.new(algorithm.replace("-", ""), body).digest()
    return f"{algorithm}=:{base64.b64encode(value).decode()}:"


WRONG = digest(b"something else")
OUTPUTS: list[Json] = [{"mode": "auto"}, {"mode": "inline"}, {"mode": "discard"}, {"mode": "stream"}, {}]


def fetch(
    peer: Peer, session: str, url: str, output: Json, descriptors: list[int] | None = None, **rest: Json
) -> Json:
    return peer.call("fetch", {"session": session, "url": url, "output": output, **rest}, descriptors or [])


def mismatch(peer: Peer, session: str, url: str, output: Json, descriptors: list[int] | None = None) -> Json:
    with pytest.raises(RemoteError) as failure:
        fetch(peer, session, url, output, descriptors)
    assert failure.value.kind == "digestMismatch", failure.value
    return failure.value.data


@pytest.mark.threads
@pytest.mark.parametrize("output", OUTPUTS)
def test_the_callers_digest_is_checked_for_every_output(
    peer: Peer, session: str, origin: ScriptedOrigin, output: Json
) -> None:
    url = origin.serve("/", reply(200, body=BODY))
    for algorithm in ("sha-256", "sha-512"):
        result = fetch(peer, session, url, {**output, "digest": digest(BODY, algorithm)})
        assert result["body"]["verified"] is True
    data = mismatch(peer, session, url, {**output, "digest": f"{digest(BODY)}, {digest(b'', 'sha-512')}"})
    assert (data["expectedBy"], data["algorithm"], data["hop"]) == ("caller", "sha-512", "origin")
    assert data["url"] == url


@pytest.mark.threads
def test_the_callers_digest_is_checked_for_a_descriptor(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    url = origin.serve("/", reply(200, body=BODY))
    result = fetch(peer, session, url, {"descriptor": 0, "digest": digest(BODY)}, [file])
    assert result["body"] == {"size": len(BODY), "verified": True}
    os.lseek(file, 0, os.SEEK_SET)
    mismatch(peer, session, url, {"descriptor": 0, "digest": WRONG}, [file])
    assert content(file) == BODY


def test_a_response_that_is_no_success_is_a_result(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(404, body=b"no such file"))
    result = fetch(peer, session, url, {"mode": "inline", "digest": WRONG})
    assert result["status"] == 404
    assert "verified" not in result["body"]


@pytest.mark.threads
def test_the_origins_digest_is_of_the_coded_bytes_and_the_callers_of_the_decoded(
    peer: Peer, session: str, origin: ScriptedOrigin
) -> None:
    coded = gzip.compress(BODY)
    fields = [("Content-Encoding", "gzip"), ("Repr-Digest", digest(coded))]
    url = origin.serve("/", reply(200, coded, fields))
    result = fetch(peer, session, url, {"mode": "discard", "digest": digest(BODY)})
    assert result["body"] == {"size": len(BODY), "verified": True}
    kept = fetch(peer, session, url, {"mode": "discard", "digest": digest(coded)}, decodeContent=False)
    assert kept["body"] == {"size": len(coded), "verified": True}
    assert (
        mismatch(peer, session, url, {"mode": "discard", "digest": digest(coded)})["expectedBy"] == "caller"
    )
    url = origin.serve("/other", reply(200, coded, [fields[0], ("Repr-Digest", digest(BODY))]))
    assert mismatch(peer, session, url, {"mode": "discard"})["expectedBy"] == "origin"


@pytest.mark.threads
@pytest.mark.parametrize(
    ("value", "is_verified"),
    [
        (digest(BODY), True),
        (f"{digest(BODY)}, {digest(BODY, 'sha-512')};note=1", True),
        ("md5=:AAAA:", False),
        ("sha-256=AAAA", False),
        ("sha-256=:AAAA", False),
        (f"{WRONG},", False),
        ("", False),
    ],
)
def test_an_origin_need_not_say_a_digest(
    peer: Peer, session: str, origin: ScriptedOrigin, value: str, is_verified: bool
) -> None:
    url = origin.serve("/", reply(200, BODY, [("Repr-Digest", value)]))
    result = fetch(peer, session, url, "discard")
    assert result["body"].get("verified", False) is is_verified


@pytest.mark.threads
@pytest.mark.parametrize(
    "value", [WRONG, f"{digest(BODY)}, {digest(b'', 'sha-512')}", f"md5=:AAAA:, {WRONG}", "sha-256=:AAAA:"]
)
@pytest.mark.parametrize("field", ["Repr-Digest", "Content-Digest"])
def test_a_wrong_digest_of_the_origin_is_an_error(
    peer: Peer, session: str, origin: ScriptedOrigin, field: str, value: str
) -> None:
    url = origin.serve("/", reply(200, BODY, [(field, value)]))
    assert mismatch(peer, session, url, "auto")["expectedBy"] == "origin"
    counters = peer.call("status", {})["counters"]
    assert counters["bodies.mismatched"] >= 1


@pytest.mark.threads
@pytest.mark.parametrize(("value", "is_right"), [(digest(BODY), True), (WRONG, False)])
def test_a_digest_may_come_behind_the_body(
    peer: Peer, session: str, origin: ScriptedOrigin, value: str, is_right: bool
) -> None:
    head = b"HTTP/1.1 200 OK\r\nTrailer: Repr-Digest\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = f"{len(BODY):x}\r\n".encode() + BODY + f"\r\n0\r\nRepr-Digest: {value}\r\n\r\n".encode()
    url = origin.serve("/", raw(head + chunks))
    if is_right:
        assert fetch(peer, session, url, "discard")["body"] == {"size": len(BODY), "verified": True}
    else:
        mismatch(peer, session, url, "discard")


def test_a_body_that_is_not_there_is_not_checked(peer: Peer, session: str, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(200, b"", [("Repr-Digest", WRONG)]))
    assert fetch(peer, session, url, "discard", method="HEAD")["status"] == 200
    assert fetch(peer, session, url, "discard", method="PUT")["status"] == 200


# Continued downloads


def go_on(peer: Peer, session: str, url: str, file: int, **members: Json) -> Json:
    return fetch(peer, session, url, {"descriptor": 0, "resumeIfRange": '"v1"', **members}, [file])


@pytest.mark.threads
def test_a_file_that_was_continued_is_checked_as_a_whole(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    url = origin.serve("/", ranged(BODY, '"v1"'))
    os.write(file, BODY[:1000])
    result = go_on(peer, session, url, file, digest=digest(BODY))
    assert result["body"] == {"size": len(BODY) - 1000, "continuation": "continued", "verified": True}
    os.pwrite(file, b"X" if BODY[:1] != b"X" else b"Y", 0)
    os.lseek(file, 1000, os.SEEK_SET)
    with pytest.raises(RemoteError) as failure:
        go_on(peer, session, url, file, digest=digest(BODY))
    assert failure.value.kind == "digestMismatch"


def with_whole(body: bytes, value: str) -> Script:
    """A 206 says the digest of the whole (RFC 9530 §3.2)."""

    async def script(exchange: Exchange) -> None:
        span = f"bytes 1000-{len(body) - 1}/{len(body)}"
        fields = [("Content-Range", span), ("Repr-Digest", value), ("Content-Digest", digest(body[1000:]))]
        await exchange.respond(206, fields, body[1000:])

    return script


@pytest.mark.threads
def test_the_origins_digest_of_a_part_is_that_of_the_whole(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    url = origin.serve("/", with_whole(BODY, digest(BODY)))
    os.write(file, BODY[:1000])
    assert go_on(peer, session, url, file)["body"]["verified"] is True
    assert content(file) == BODY
    os.truncate(file, 1000)
    os.lseek(file, 1000, os.SEEK_SET)
    url = origin.serve("/", with_whole(BODY, WRONG))
    with pytest.raises(RemoteError) as failure:
        go_on(peer, session, url, file)
    assert failure.value.data["expectedBy"] == "origin"


def test_a_file_that_cannot_be_read_is_not_continued_with_a_digest(
    peer: Peer, session: str, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    url = origin.serve("/", ranged(BODY, '"v1"'))
    file = os.open(tmp_path / "part", os.O_WRONLY | os.O_CREAT)
    try:
        os.write(file, BODY[:1000])
        with pytest.raises(RemoteError) as failure:
            go_on(peer, session, url, file, digest=digest(BODY))
        assert failure.value.kind == "descriptorUnusable"
        assert failure.value.data["path"] == "params.output.descriptor"
        assert not origin.requests
        # Without a digest of the caller's, what cannot be checked is not.
        assert go_on(peer, session, url, file)["body"]["continuation"] == "continued"
    finally:
        os.close(file)


def test_a_part_of_another_version_is_not_the_wanted_file(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    other = [("Content-Range", "bytes 1000-1999/2000"), ("ETag", '"v2"')]
    url = origin.serve("/", reply(206, BODY[1000:2000], other))
    os.write(file, BODY[:1000])
    with pytest.raises(RemoteError) as failure:
        go_on(peer, session, url, file, digest=digest(BODY[:2000]))
    assert (failure.value.kind, failure.value.data["reason"]) == ("malformedResponse", "range")
    assert content(file) == BODY[:1000]


def test_a_complete_file_is_checked(peer: Peer, session: str, nginx: Nginx, file: int) -> None:
    url = f"{nginx.plain}/small"
    whole = body_of(peer.call("fetch", {"session": session, "url": url}))
    tag = dict(peer.call("fetch", {"session": session, "url": url})["headers"])["ETag"]
    os.write(file, whole)
    output = {"descriptor": 0, "resumeIfRange": tag, "digest": digest(whole)}
    result = fetch(peer, session, url, output, [file])
    assert result["body"]["continuation"] == "complete"
    assert result["body"]["verified"] is True
    os.lseek(file, len(whole), os.SEEK_SET)
    mismatch(peer, session, url, {**output, "digest": WRONG}, [file])


# The parameter


@pytest.mark.parametrize(
    ("output", "path"),
    [
        ({"mode": "inline", "digest": "sha-256"}, "params.output.digest"),
        ({"digest": "md5=:AAAA:"}, "params.output.digest"),
        ({"digest": f"{WRONG}, md5=:AAAA:"}, "params.output.digest"),
        ({"digest": "sha-256=:AAAA:"}, "params.output.digest"),
        ({"digest": 7}, "params.output.digest"),
        ({"digest": ""}, "params.output.digest"),
        ({"mode": "nowhere"}, "params.output.mode"),
        ({"mode": "inline", "descriptor": 0}, "params.output.mode"),
        ({"resumeIfRange": "x", "mode": "inline"}, "params.output.descriptor"),
        ({}, "params.output.descriptor"),
        ({"mode": "auto", "digests": "x"}, "params.output.digests"),
    ],
)
def test_a_wrong_parameter_is_refused(peer: Peer, session: str, output: Json, path: str) -> None:
    with pytest.raises(RemoteError) as failure:
        fetch(peer, session, "http://localhost:1/", output)
    assert (failure.value.kind, failure.value.data["path"]) == ("invalidParams", path)


def test_a_head_request_has_nothing_to_check(peer: Peer, session: str) -> None:
    with pytest.raises(RemoteError) as failure:
        fetch(peer, session, "http://localhost:1/", {"digest": WRONG}, method="HEAD")
    assert failure.value.data["path"] == "params.output.digest"


def test_a_large_file_is_checked_off_the_loop(
    peer: Peer, session: str, origin: ScriptedOrigin, file: int
) -> None:
    """32 MiB are hashed again from the file while the loop answers."""
    body = binary(1 << 20) * 32
    url = origin.serve("/", ranged(body, '"v1"'))
    os.write(file, body[: len(body) // 2])
    assert go_on(peer, session, url, file, digest=digest(body))["body"]["verified"] is True
    assert fetch_into(peer, session, origin.serve("/end", reply(200, body=b"x")), file)["status"] == 200
