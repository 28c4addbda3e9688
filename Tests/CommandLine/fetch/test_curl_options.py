"""Options of curl in pasted command lines: with curl's meaning, or a sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

URL = "http://origin.test/a/name"


@pytest.mark.parametrize(
    "options", [["-q"], ["-N"], ["--no-buffer"], ["-q", "-N"], ["-Z"], ["--parallel"], ["-g"]]
)
def test_options_that_change_nothing_here_are_taken(
    watchword: Command, daemon: FakeDaemon, options: list[str]
) -> None:
    done = watchword("fetch", *options, URL)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"hello\n", b"")


def test_a_url_can_be_an_option(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    arguments = ["-o", f"{tmp_path}/a", "--url", URL, "-o", f"{tmp_path}/b", f"{URL}2"]
    assert watchword("fetch", *arguments).returncode == 0
    assert [message["params"]["url"] for message in daemon.heard if message["method"] == "fetch"] == [
        URL,
        f"{URL}2",
    ]


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
        (["-4"], b"--resolve"),
        (["--ipv6"], b"--resolve"),
        (["--unix-socket", "/s"], b"over TCP"),
        (["--limit-rate", "1M"], b"pv -L"),
        (["-K", "f"], b"xargs"),
        (["--config", "f"], b"xargs"),
        (["--proto", "=https"], b"http and https"),
        (["--trace-ascii", "f"], b"-v"),
        (["-J"], b"-o FILE"),
        (["-R"], b"touch -d"),
        (["-z", "file"], b"If-Modified-Since"),
        (["--path-as-is"], b"%2E"),
        (["--url-query", "a=b"], b"-G"),
        (["--cert-type", "PEM"], b"--cert"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], said: bytes
) -> None:
    done = watchword("fetch", *arguments, URL)
    assert (done.returncode, daemon.heard) == (2, [])
    assert b"\nhint: " in done.stderr and said in done.stderr
