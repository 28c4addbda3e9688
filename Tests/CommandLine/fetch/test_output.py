"""Where heads and bodies go: the terminal, a file, a part of one."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_result

URL = "http://origin.test/a/name?q=1"


def test_a_file_is_written_by_the_daemon(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    done = watchword("fetch", "-o", f"{tmp_path}/out", URL)
    assert (done.returncode, done.stdout) == (0, b"")
    assert (tmp_path / "out").read_bytes() == b"hello\n"


def test_the_file_can_have_the_name_of_the_url(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    assert watchword("fetch", "-O", URL, directory=tmp_path).returncode == 0
    assert (tmp_path / "name").read_bytes() == b"hello\n"
    assert watchword("fetch", "-O", "http://origin.test/a/").returncode == 2


def test_a_file_that_holds_something_survives_a_failure(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("connectionFailed", 1302, "connection refused")

    out = tmp_path / "out"
    out.write_text("what was there before, and longer")
    daemon.fetch(refuse)
    assert watchword("fetch", "-o", str(out), URL).returncode == 7
    assert out.read_text() == "what was there before, and longer"
    assert watchword("fetch", "-o", f"{tmp_path}/new", URL).returncode == 7
    assert not (tmp_path / "new").exists()
    daemon.fetch(lambda conversation, message: conversation.deliver(message, b"hello\n"))
    assert watchword("fetch", "-o", str(out), URL).returncode == 0
    assert out.read_text() == "hello\n"


def test_a_refusal_whose_page_is_cut_says_so(watchword: Command, daemon: FakeDaemon) -> None:
    result = a_result(url=URL, status=401, body={"size": 5, "truncated": True})
    daemon.fetch(lambda conversation, message: result)
    said = b"watchword: the body is cut"
    assert said in watchword("fetch", "--no-ask", "--deliver-401", URL).stderr
    assert watchword("fetch", "--no-ask", "--deliver-401", "-s", URL).stderr == b""
    del result["body"]["truncated"]
    assert said not in watchword("fetch", "--no-ask", "--deliver-401", URL).stderr


def test_the_head_comes_before_the_body(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.headers = [["X-A", "1"]]
    assert watchword("fetch", "-i", URL).stdout == b"HTTP/1.1 200\r\nX-A: 1\r\n\r\nhello\n"
    assert watchword("fetch", "-I", URL).stdout.startswith(b"HTTP/1.1 200\r\n")


def test_the_head_goes_where_the_output_goes(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("what was there before, and longer than what comes now, by far")
    done = watchword("fetch", "-i", "-o", str(out), URL)
    assert (done.returncode, done.stdout) == (0, b"")
    assert out.read_bytes().startswith(b"HTTP/1.1 200\r\n")
    assert out.read_bytes().endswith(b"\r\n\r\nhello\n")
    done = watchword("fetch", "-I", "-o", str(out), URL)
    assert (done.returncode, done.stdout) == (0, b"")
    assert out.read_bytes().startswith(b"HTTP/1.1 200\r\n")
    assert out.read_bytes().endswith(b"\r\n\r\n")
    assert watchword("fetch", "-I", "-o", "-", URL).stdout.startswith(b"HTTP/1.1 200\r\n")
    assert watchword("fetch", "-I", "-o", f"{tmp_path}/no/such", URL).returncode == 23


def test_a_long_body_shows_how_far_it_is(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    def slowly(conversation: Conversation, message: Message) -> Message:
        conversation.notify(
            "task/didReceiveResponse", **a_result(url=URL, headers=[["Content-Length", str(4 << 20)]])
        )
        for _ in range(2):
            request = conversation.peer.expect("task/describe")
            conversation.peer.reply(request, {"bytesReceived": 1 << 20})
        return conversation.deliver({**message, "method": "fetch"}, b"hello\n")

    daemon.fetch(slowly)
    terminal = watchword.on_terminal("fetch", "-o", f"{tmp_path}/out", URL)
    terminal.read_until(b"1.0 MiB of 4.0 MiB, 25 %, ")
    assert terminal.end() == 0
    assert terminal.screen.endswith(b"\r\x1b[K")
    assert (tmp_path / "out").read_bytes() == b"hello\n"


def test_a_head_has_no_body(watchword: Command, daemon: FakeDaemon) -> None:
    for arguments in (["-I", "-d", "x"], ["-X", "HEAD", "-d", "x"], ["-I", "-T", "-"]):
        assert watchword("fetch", *arguments, URL).returncode == 2
    assert watchword("fetch", "-I", "-G", "-d", "x=1", URL).returncode == 0
    assert daemon.parameters("task/start")["url"].endswith("&x=1")


def test_fail_keeps_the_body_of_an_error(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    daemon.status = 503
    daemon.body = b"x" * 1_000_000
    done = watchword("fetch", "-f", "-o", f"{tmp_path}/out", URL)
    assert (done.returncode, done.stdout) == (22, b"")
    assert done.stderr == b"watchword: the server answered 503\n"
    assert not (tmp_path / "out").exists()
    assert watchword("fetch", "-sf", URL).stderr == b""
    assert watchword("fetch", "-sSf", URL).stderr == b"watchword: the server answered 503\n"
    daemon.status = 200
    assert watchword("fetch", "-f", URL).stdout == daemon.body


def test_a_cut_off_file_is_completed(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    out = tmp_path / "out"
    daemon.headers = [["ETag", '"v1"']]
    daemon.body = b"the first half"
    watchword("fetch", "-C", "-", "-o", str(out), URL)
    assert [name for name, _ in daemon.parameters("task/start")["headers"]] == ["User-Agent"]
    if not os.listxattr(out):
        pytest.skip("no extended attributes here")
    daemon.status = 206
    daemon.headers = [["ETag", '"v1"'], ["Content-Range", "bytes 14-20/21"]]
    daemon.body = b" of two"
    assert watchword("fetch", "-C", "-", "-o", str(out), URL).returncode == 0
    assert daemon.parameters("task/start")["headers"][1:] == [["Range", "bytes=14-"], ["If-Range", '"v1"']]
    assert out.read_bytes() == b"the first half of two"
    for status, tag, code in ((416, '"v1"', 0), (416, None, 0), (416, '"v2"', 22), (404, None, 22)):
        daemon.status = status
        daemon.headers = [["Content-Range", "bytes */21"], *([["ETag", tag]] if tag else [])]
        daemon.body = b"an error page"
        assert watchword("fetch", "-C", "-", "-o", str(out), URL).returncode == code
        assert out.read_bytes() == b"the first half of two"
    daemon.status = 200
    daemon.headers = [["ETag", '"v2"']]
    daemon.body = b"another version"
    watchword("fetch", "-C", "-", "-o", str(out), URL)
    assert out.read_bytes() == b"another version"


def test_a_part_that_was_not_asked_for_is_refused(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    daemon.headers = [["ETag", '"v1"']]
    watchword("fetch", "-C", "-", "-o", str(out), URL)
    if not os.listxattr(out):
        pytest.skip("no extended attributes here")
    daemon.status = 206
    for headers in (
        [["Content-Range", "bytes 2-5/6"]],
        [["Content-Range", "bytes 6-11/12"], ["ETag", '"v2"']],
    ):
        daemon.headers = headers
        assert watchword("fetch", "-C", "-", "-o", str(out), URL).returncode == 1
        assert out.read_bytes() == b"hello\n"


def test_a_reader_that_leaves_ends_it_quietly(watchword: Command, daemon: FakeDaemon) -> None:
    def pour(conversation: Conversation, message: Message) -> Message:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
        try:
            return conversation.deliver(message, b"x" * 1_000_000)
        except BrokenPipeError:
            raise RefusedError("outputFailed", 1108, "output failed") from None

    daemon.fetch(pour)
    for arguments in ([], ["-i"]):
        process = watchword.start("fetch", *arguments, URL)
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        daemon.body = b"x" * 1_000_000
        assert process.wait(20) == -signal.SIGPIPE
        assert process.stderr.read() == b""
        process.stderr.close()
