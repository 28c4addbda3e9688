"""`-K`: a file of options in curl's notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import FakeDaemon

URL = "http://origin.test/a/name"


@pytest.mark.parametrize(
    "text",
    [
        f'# a comment\n\nurl = "{URL}"\nheader = "X-A: b c"\nuser-agent = "me \\"x\\"\\t."\n',
        f'--url {URL}\n-H "X-A: b c"\n-A "me \\"x\\"\\t."\n',
        f'  url: {URL} # the page\r\n  header="X-A: b c"\r\nuser-agent "me \\"x\\"\\t."\r\n',
        f'--url={URL}\n--header "X-A: b c"\n-A "me \\"x\\"\\t."',
    ],
)
def test_options_are_read_in_curls_notations(watchword: Command, daemon: FakeDaemon, text: str) -> None:
    done = watchword("fetch", "-K", "-", send=text.encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"hello\n", b"")
    parameters = daemon.parameters("fetch")
    assert (parameters["url"], parameters["headers"]) == (
        URL,
        [["X-A", "b c"], ["User-Agent", 'me "x"\t.']],
    )


def test_the_command_line_and_the_file_add_up(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "options").write_text('get\ndata = "a=b"\nuser-agent = ""\noutput = "out"\n')
    assert watchword("fetch", "-K", "options", URL, directory=tmp_path).returncode == 0
    assert daemon.parameters("fetch")["url"] == f"{URL}?a=b"
    assert "headers" not in daemon.parameters("fetch")
    assert (tmp_path / "out").read_bytes() == b"hello\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no-such-option\n", b"line 1: unknown option --no-such-option"),
        ("silent\nmax-time = x\n", b"line 2: "),
        ("header = a b\n", b"line 1: a value with a space is written in quotes"),
        ("http://origin.test/\n", b"line 1: "),
        ("silent = yes\n", b"line 1: --silent takes no argument"),
        ("output\n", b"line 1: --output needs an argument"),
        ("config = other\n", b"line 1: other: a file of options names no other one"),
        ("unix-socket = /s\n", b"line 1: --unix-socket is not supported"),
        ("help\n", b"line 1: "),
    ],
)
def test_a_wrong_line_is_named(watchword: Command, daemon: FakeDaemon, text: str, said: bytes) -> None:
    done = watchword("fetch", "-K", "-", URL, send=text.encode())
    assert (done.returncode, daemon.heard) == (2, [])
    assert done.stderr.startswith(b"watchword: -, " + said), done.stderr


@pytest.mark.parametrize(
    "line",
    ["user = me:sentinel-1", "-u me:sentinel-1", '--proxy-user "me:sentinel-1"', "oauth2-bearer sentinel-1"],
)
def test_a_secret_is_not_read_from_it(watchword: Command, daemon: FakeDaemon, line: str) -> None:
    done = watchword("fetch", "-K", "-", URL, send=line.encode())
    assert (done.returncode, daemon.heard) == (2, [])
    assert b"is not read from a file of options\nhint: " in done.stderr and b"sentinel" not in done.stderr


def test_a_file_is_bounded_and_has_to_be_there(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    (tmp_path / "large").write_text("#" * (300 << 10))
    assert watchword("fetch", "-K", str(tmp_path / "large"), URL).returncode != 0
    assert watchword("fetch", "-K", str(tmp_path / "none"), URL).returncode == 26
    assert daemon.heard == []
