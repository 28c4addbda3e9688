"""Downloads into files, continued where they stopped."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, response
from scripts import writing
from Support.fake_daemon import Peer
from watchword import Client


def begin(peer: Peer, output: dict[str, Any]) -> dict[str, str]:
    """Takes the start of a task with this output; what its notifications have in common."""
    request = peer.expect("task/start")
    assert request["params"]["output"] == output
    peer.reply(request, {"task": request["params"]["task"]})
    return {"task": request["params"]["task"], "session": "private-1"}


def test_a_download_appears_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with FakeDaemon(writing(b"content")) as path, Client(path) as client:
        got = client.session().download("http://a/", target)
    assert got.size == 7
    assert target.read_bytes() == b"content"
    assert os.listdir(tmp_path) == ["out"]


def test_a_failed_download_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"old")
    for status, expected in ((404, watchword.StatusError), (304, None)):
        with FakeDaemon(writing(b"page", status)) as path, Client(path) as client:
            if expected is not None:
                with pytest.raises(expected):
                    client.session().download("http://a/", target)
            else:
                assert client.session().download("http://a/", os.fspath(target)).status == 304
        assert target.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("result", [{"status": 401}, {"status": 200, "loginPage": True}], ids=["401", "login page"])
def test_a_refusal_in_an_open_file_is_no_data(tmp_path: Path, result: dict[str, Any]) -> None:
    with FakeDaemon(writing(b"Sign in", **result)) as path, Client(path) as client, open(tmp_path / "f", "w+b") as file:
        with pytest.raises(watchword.StatusError) as raised:
            client.session().download("http://a/", file)
    assert raised.value.response.status == result["status"]


@pytest.mark.parametrize("etag", ['"v1"', None])
def test_a_login_page_is_no_download(tmp_path: Path, etag: str | None) -> None:
    (tmp_path / "out").write_bytes(b"old")
    if etag:
        (tmp_path / "out.part").write_bytes(b"12345")
        (tmp_path / "out.part.etag").write_text(etag)

    def script(peer: Peer) -> None:
        peer.open_session()
        about = begin(peer, {"descriptor": 0, **({"resumeIfRange": etag} if etag else {})})
        head = {**about, "url": "http://a/", "status": 200, "headers": [["ETag", '"page"']], "loginPage": True}
        peer.notify("task/didReceiveResponse", head)
        if not etag:
            os.write(peer.descriptors[0], b"Sign in")
        peer.notify("task/didFinish", {**response(200, size=7), "loginPage": True, **about})

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(watchword.StatusError, match="login page") as raised:
            client.session().download("http://a/", tmp_path / "out", resume=True)
    assert not watchword.ResponseReceived("t", "http://a/", 200, watchword.Headers([]), None, True).ok
    assert (raised.value.response.login_page, raised.value.response.ok) == (True, False)
    assert (tmp_path / "out").read_bytes() == b"old"
    if etag:
        assert (tmp_path / "out.part").read_bytes() == b"12345"
        assert (tmp_path / "out.part.etag").read_text() == etag
    else:
        assert (tmp_path / "out.part").read_bytes() == b""


@pytest.mark.parametrize("resume", [False, True])
def test_nothing_takes_the_place_of_a_pipe_or_a_folder(tmp_path: Path, resume: bool) -> None:
    """Whoever may would lose /dev/null."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()

    for name in ("pipe", "folder"):

        def only_opened(peer: Peer) -> None:
            peer.open_session()
            with pytest.raises(EOFError):
                peer.message()

        with FakeDaemon(only_opened) as path, Client(path) as client:
            with pytest.raises(OSError, match="not a regular file"):
                client.session().download("http://a/", tmp_path / name, resume=resume)
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_a_download_into_an_open_file_uses_that_file(tmp_path: Path) -> None:
    with FakeDaemon(writing(b"content")) as path, Client(path) as client, open(tmp_path / "f", "w+b") as file:
        client.session().download("http://a/", file)
        file.seek(0)
        assert file.read() == b"content"


def test_an_interrupted_download_is_resumed_by_its_entity_tag(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def first(peer: Peer) -> None:
        peer.open_session()
        about = begin(peer, {"descriptor": 0})
        head = {**about, "url": "http://a/", "status": 200, "headers": [["ETag", '"v1"']]}
        peer.notify("task/didReceiveResponse", head)
        os.write(peer.descriptors[0], b"12345")
        error = {"code": 1303, "message": "reset", "data": {"kind": "connectionLost"}}
        peer.notify("task/didFinish", {**about, "error": error})

    def second(peer: Peer) -> None:
        peer.open_session()
        about = begin(peer, {"descriptor": 0, "resumeIfRange": '"v1"'})
        assert os.lseek(peer.descriptors[0], 0, os.SEEK_CUR) == 5
        headers = [["ETag", '"v1"'], ["Content-Range", "bytes 5-8/9"]]
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 206, "headers": headers})
        os.write(peer.descriptors[0], b"6789")
        peer.notify("task/didFinish", {**response(206, size=4), "headers": headers, **about})

    with FakeDaemon(first) as path, Client(path) as client, pytest.raises(watchword.ConnectionLost):
        client.session().download("http://a/", target, resume=True)
    assert sorted(os.listdir(tmp_path)) == ["out.part", "out.part.etag"]
    with FakeDaemon(second) as path, Client(path) as client:
        client.session().download("http://a/", target, resume=True)
    assert target.read_bytes() == b"123456789"
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("tag", ['"v2"', None])
def test_a_part_keeps_its_tag_whatever_the_next_one_has(tmp_path: Path, tag: str | None) -> None:
    """Its bytes are of the version that the tag beside it names, until they are replaced."""
    (tmp_path / "out.part").write_bytes(b"12345")
    (tmp_path / "out.part.etag").write_text('"v1"')
    headers = [["Content-Range", "bytes 5-8/9"], *([["ETag", tag]] if tag else [])]

    def script(peer: Peer) -> None:
        peer.open_session()
        about = begin(peer, {"descriptor": 0, "resumeIfRange": '"v1"'})
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 206, "headers": headers})
        error = {"code": 1303, "message": "reset", "data": {"kind": "connectionLost"}}
        peer.notify("task/didFinish", {**about, "error": error})

    with FakeDaemon(script) as path, Client(path) as client, pytest.raises(watchword.ConnectionLost):
        client.session().download("http://a/", tmp_path / "out", resume=True)
    assert (tmp_path / "out.part").read_bytes() == b"12345"
    assert (tmp_path / "out.part.etag").read_text() == '"v1"'


@pytest.mark.parametrize("tag", ['"v1"', None])
def test_a_part_that_lacks_nothing_takes_its_name(tmp_path: Path, tag: str | None) -> None:
    target = tmp_path / "out"
    (tmp_path / "out.part").write_bytes(b"12345")
    (tmp_path / "out.part.etag").write_text('"v1"')
    headers = [["Content-Range", "bytes */5"], *([["ETag", tag]] if tag else [])]

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        assert request["params"]["output"] == {"descriptor": 0, "resumeIfRange": '"v1"'}
        peer.reply(request, {"task": request["params"]["task"]})
        about = {"task": request["params"]["task"], "session": "private-1"}
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 416, "headers": headers})
        body = {"size": 20, "continuation": "complete"}
        peer.notify("task/didFinish", {**response(416), "headers": headers, "body": body, **about})

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.session().download("http://a/", target, resume=True)
    assert (got.status, got.continuation) == (416, "complete")
    assert target.read_bytes() == b"12345"
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize(
    "end",
    [
        {**response(416), "body": {"size": 0, "continuation": "discarded"}},
        {"error": {"code": 1305, "message": "another part", "data": {"kind": "malformedResponse", "reason": "range"}}},
    ],
)
def test_a_part_that_is_of_something_else_is_fetched_again(tmp_path: Path, end: dict[str, Any]) -> None:
    target = tmp_path / "out"
    (tmp_path / "out.part").write_bytes(b"12345")
    (tmp_path / "out.part.etag").write_text('"v1"')

    def script(peer: Peer) -> None:
        peer.open_session()
        for output, members in (
            ({"descriptor": 0, "resumeIfRange": '"v1"'}, end),
            ({"descriptor": 0}, {**response(200), "body": {"size": 3}}),
        ):
            request = peer.expect("task/start")
            assert request["params"]["output"] == output
            peer.reply(request, {"task": request["params"]["task"]})
            if "error" not in members and members["status"] == 200:
                os.write(peer.descriptors[-1], b"new")
            peer.notify("task/didFinish", {**members, "task": request["params"]["task"], "session": "private-1"})

    with FakeDaemon(script) as path, Client(path) as client:
        assert client.session().download("http://a/", target, resume=True).status == 200
    assert target.read_bytes() == b"new"


def test_a_part_with_another_digest_is_not_kept(tmp_path: Path) -> None:
    """Any of its bytes may be wrong: the next download begins again."""
    (tmp_path / "out.part").write_bytes(b"12345")
    (tmp_path / "out.part.etag").write_text('"v1"')
    digest = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        output = {"descriptor": 0, "resumeIfRange": '"v1"', "digest": digest}
        assert request["params"]["output"] == output
        peer.reply(request, {"task": request["params"]["task"]})
        about = {"task": request["params"]["task"], "session": "private-1"}
        error = {"code": 1110, "message": "another body", "data": {"kind": "digestMismatch", "retry": "never"}}
        peer.notify("task/didFinish", {**about, "error": error})

    with FakeDaemon(script) as path, Client(path) as client, pytest.raises(watchword.DigestMismatch):
        client.session().download("http://a/", tmp_path / "out", resume=True, digest=digest)
    assert os.listdir(tmp_path) == ["out.part"]
    assert (tmp_path / "out.part").read_bytes() == b""
