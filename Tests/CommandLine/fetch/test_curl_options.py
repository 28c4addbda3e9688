"""Options of curl in pasted command lines: with curl's meaning, or a sentence that says what to do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

URL = "http://origin.test/a/name"


@pytest.mark.parametrize(
    "options",
    [
        ["-q"],
        ["-N"],
        ["--no-buffer"],
        ["-q", "-N"],
        ["--parallel-immediate"],
        ["-#"],
        ["--no-progress-meter", "--http2"],
        ["--cert-type", "pem"],
        ["--proto", "=http,https"],
        ["--proto", "-all,http"],
        ["--proto-redir", "=https"],
    ],
)
def test_options_that_change_nothing_here_are_taken(
    watchword: Command, daemon: FakeDaemon, options: list[str]
) -> None:
    done = watchword("fetch", *options, URL)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"hello\n", b"")


def test_a_url_can_be_an_option(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    arguments = ["-o", f"{tmp_path}/a", "--url", URL, "-o", f"{tmp_path}/b", f"{URL}2"]
    assert watchword("fetch", *arguments).returncode == 0
    started = [message["params"]["url"] for message in daemon.heard if message["method"] == "task/start"]
    assert started == [URL, f"{URL}2"]


def test_fail_with_body_keeps_the_body(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.status = 503
    done = watchword("fetch", "--fail-with-body", URL)
    assert (done.returncode, done.stdout) == (22, b"hello\n")
    assert done.stderr == b"watchword: the server answered 503\n"
    daemon.status = 401
    done = watchword("fetch", "--fail-with-body", URL)
    assert (done.returncode, done.stdout) == (3, b"")
    assert watchword("fetch", "-f", "--fail-with-body", URL).returncode == 2


@pytest.mark.parametrize(("options", "tries"), [([], 1), (["--retry-all-errors"], 2)])
def test_every_error_can_be_tried_again(
    watchword: Command, daemon: FakeDaemon, options: list[str], tries: int
) -> None:
    heard = []

    def refuse(conversation: Conversation, message: Message) -> Message:
        heard.append(message)
        raise RefusedError("connectionFailed")

    daemon.fetch(refuse)
    assert watchword("fetch", "--retry", "1", "--retry-delay", "0", *options, URL).returncode == 7
    assert len(heard) == tries


def test_all_errors_are_those_of_statuses_too(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.status = 404
    options = ["--retry", "1", "--retry-delay", "0", "--retry-all-errors"]
    assert watchword("fetch", "-f", *options, URL).returncode == 22
    started = [message for message in daemon.heard if message["method"] == "task/start"]
    assert len(started) == 2
    daemon.heard.clear()
    daemon.status = 401
    assert watchword("fetch", "-f", *options, URL).returncode == 3
    started = [message for message in daemon.heard if message["method"] == "task/start"]
    assert len(started) == 1, "a refusal does not pass"


def test_outputs_can_be_in_a_folder_that_is_made(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "deeper"
    assert watchword("fetch", "--output-dir", str(folder), "-O", URL).returncode == 23
    assert watchword("fetch", "--create-dirs", "--output-dir", str(folder), "-O", URL).returncode == 0
    assert (folder / "name").read_bytes() == b"hello\n"
    assert watchword("fetch", "--create-dirs", "-o", f"{tmp_path}/x/y/z", URL).returncode == 0
    assert (tmp_path / "x" / "y" / "z").read_bytes() == b"hello\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--location-trusted"], b"credentials set"),
        (["--interface", "eth0"], b"ip route"),
        (["--unix-socket", "/s"], b"over TCP"),
        (["--trace-ascii", "f"], b"-v"),
        (["--path-as-is"], b"%2E"),
        (["--cert-type", "DER"], b"openssl x509"),
        (["--next"], b"a second watchword fetch"),
        (["-z", "=2026-11-21"], b"Last-Modified"),
        (["--proto-redir", "=http"], b"-L"),
        (["--proto", "=ftp"], b"no other protocol"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], said: bytes
) -> None:
    done = watchword("fetch", *arguments, URL)
    assert (done.returncode, daemon.heard) == (2, [])
    assert b"\nhint: " in done.stderr and said in done.stderr


def test_other_protocols_than_those_allowed_are_refused(watchword: Command, daemon: FakeDaemon) -> None:
    for protocols in ("=https", "-http", "-all,https"):
        done = watchword("fetch", "--proto", protocols, URL)
        assert (done.returncode, daemon.heard) == (1, [])
        assert done.stderr == b"watchword: --proto does not allow http\n"
        assert watchword("fetch", "--proto", protocols, "https://origin.test/").returncode == 0
        daemon.heard.clear()
    assert watchword("fetch", "-L", "--proto", "=http", URL).returncode == 2
    for protocols in ("=https", "-all,https", "-http"):
        done = watchword("fetch", "-L", "--proto-redir", protocols, URL)
        assert (done.returncode, daemon.heard) == (2, [])
        assert b"https URL" in done.stderr
        done = watchword("fetch", "-L", "--proto-redir", protocols, "https://origin.test/")
        assert done.returncode == 0, done.stderr
        daemon.heard.clear()


def test_a_query_can_be_added(watchword: Command, daemon: FakeDaemon) -> None:
    arguments = ["--url-query", "a=b c", "--url-query", "+x=%20", "-d", "body", f"{URL}?z=1#f"]
    assert watchword("fetch", *arguments).returncode == 0
    parameters = daemon.parameters("fetch")
    assert parameters["url"] == f"{URL}?z=1&a=b+c&x=%20#f"
    assert parameters["body"] == {"text": "body"}


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ('attachment; filename="q 3.csv"', "q 3.csv"),
        ("attachment; FileName=q3.csv; size=3", "q3.csv"),
        ('attachment; filename="a\\"b"', 'a"b'),
        ('attachment; filename="../../q3.csv"', "q3.csv"),
        ('attachment; filename="C:\\\\q3.csv"', "q3.csv"),
        ("attachment; filename*=UTF-8''x; filename=y", "y"),
        # None that a program would read unasked, and none that is no name.
        ("attachment; filename=.profile", "name"),
        ("attachment; filename=..", "name"),
        ('attachment; filename=""', "name"),
        ('attachment; filename="a/"', "name"),
        ("attachment; filename=" + "x" * 256, "name"),
        ("attachment", "name"),
    ],
)
def test_the_server_can_name_the_file(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, field: str, name: str
) -> None:
    daemon.headers = [["Content-Disposition", field]]
    (tmp_path / "in").mkdir()
    done = watchword("fetch", "-J", "-O", "-w", "%{filename_effective}", URL, directory=tmp_path / "in")
    assert (done.returncode, done.stdout.decode()) == (0, name)
    assert [str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()] == [
        f"in/{name}"
    ]


def test_a_server_replaces_no_file(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    daemon.headers = [["Content-Disposition", "attachment; filename=mine"]]
    (tmp_path / "mine").write_text("mine")
    done = watchword("fetch", "-OJ", "--output-dir", str(tmp_path), URL)
    assert (done.returncode, (tmp_path / "mine").read_text()) == (23, "mine")
    # Without -O there is nothing to name.
    assert watchword("fetch", "-J", URL).stdout == b"hello\n"
    for options in (["-C", "-"], ["--checksum", "sha-256=" + "0" * 64]):
        assert watchword("fetch", "-J", "-O", *options, URL).returncode == 2


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["-f"],
        ["--checksum", "sha-256=" + "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"],
    ],
)
def test_a_file_gets_the_time_of_the_servers_copy(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, options: list[str]
) -> None:
    daemon.headers = [["Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"]]
    assert watchword("fetch", "-R", "-o", str(tmp_path / "a"), *options, URL).returncode == 0
    assert (tmp_path / "a").stat().st_mtime == 784111777
    daemon.headers = [["Last-Modified", "yesterday"]]
    assert watchword("fetch", "-R", "-o", str(tmp_path / "b"), *options, URL).returncode == 0
    assert (tmp_path / "b").stat().st_mtime > 784111777


@pytest.mark.parametrize(
    ("time", "field"),
    [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("1994-11-06", "Sun, 06 Nov 1994 00:00:00 GMT"),
        ("19941106", "Sun, 06 Nov 1994 00:00:00 GMT"),
        ("6 Nov 1994 08:49", "Sun, 06 Nov 1994 08:49:00 GMT"),
        ("Nov 6, 1994", "Sun, 06 Nov 1994 00:00:00 GMT"),
        ("oct 6 1994", "Thu, 06 Oct 1994 00:00:00 GMT"),
    ],
)
def test_a_condition_is_made_of_a_time(watchword: Command, daemon: FakeDaemon, time: str, field: str) -> None:
    assert watchword("fetch", "-z", time, URL).returncode == 0
    assert ["If-Modified-Since", field] in daemon.parameters("fetch")["headers"]
    assert watchword("fetch", "-z", f"-{time}", URL).returncode == 0
    assert ["If-Unmodified-Since", field] in daemon.parameters("fetch")["headers"]


@pytest.mark.parametrize(
    "time", ["", "x", "32 Nov 1994", "6 Nov 1994 24:00:00", "6 7 8 9", "1:2:3:4 6 Nov 1994", "9" * 80]
)
def test_what_is_no_time_and_no_file_is_no_condition(
    watchword: Command, daemon: FakeDaemon, time: str
) -> None:
    done = watchword("fetch", "-z", time, URL)
    assert done.stderr.startswith(b"watchword: warning: -z: ")
    assert "headers" in daemon.parameters("fetch")
    assert "If-Modified-Since" not in dict(daemon.parameters("fetch")["headers"])


def test_a_condition_is_made_of_a_file(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    os.utime(file, (0, 784111777))
    daemon.headers = [["Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"]]
    done = watchword("fetch", "-z", str(file), "-o", str(file), URL)
    assert (done.returncode, file.read_text()) == (0, "old"), "the server's copy is as old"
    daemon.headers = [["Last-Modified", "Sun, 06 Nov 1994 08:49:38 GMT"]]
    assert watchword("fetch", "-z", str(file), "-o", str(file), URL).returncode == 0
    assert file.read_text() == "hello\n"


def test_a_response_without_news_leaves_a_file_as_it_is(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    (daemon.status, daemon.body) = (304, b"")
    (tmp_path / "kept").write_text("kept")
    for name in ("kept", "new"):
        done = watchword("fetch", "-H", "If-None-Match: x", "-o", str(tmp_path / name), URL)
        assert done.returncode == 0
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"kept": "kept"}
