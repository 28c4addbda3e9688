"""The page of a 401 is not the body that was asked for: no script stores it as data."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

URL = "http://origin.test/a/name?q=1"
SAID = b"watchword: the server answered 401"


@pytest.fixture(params=[401, 407])
def refused(daemon: FakeDaemon, request: pytest.FixtureRequest) -> FakeDaemon:
    daemon.status, daemon.body = request.param, b"<p>log in"
    return daemon


def test_the_page_of_a_refusal_is_not_written_to_standard_output(
    watchword: Command, refused: FakeDaemon
) -> None:
    done = watchword("fetch", URL)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.startswith(b"watchword: the server ")
    silent = watchword("fetch", "-s", URL)
    assert (silent.returncode, silent.stdout, silent.stderr) == (3, b"", b"")


@pytest.mark.parametrize("before", [None, b"", b"what was there before"])
def test_the_page_of_a_refusal_is_not_written_to_a_file(
    watchword: Command, refused: FakeDaemon, tmp_path: Path, before: bytes | None
) -> None:
    out = tmp_path / "out"
    if before is not None:
        out.write_bytes(before)
    assert watchword("fetch", "-o", str(out), URL).returncode == 3
    assert (out.read_bytes() if out.exists() else None) == before


@pytest.mark.parametrize(
    "options", [["--checksum", "sha-256=" + "00" * 32], ["--retry", "1"], ["-D", "/dev/null"], ["-w", ""]]
)
def test_no_option_lets_the_page_of_a_refusal_into_a_file(
    watchword: Command, refused: FakeDaemon, tmp_path: Path, options: list[str]
) -> None:
    out = tmp_path / "out"
    assert watchword("fetch", *options, "-o", str(out), URL).returncode == 3
    assert not out.exists()


def test_standard_output_that_is_a_file_stays_empty(
    watchword: Command, refused: FakeDaemon, tmp_path: Path
) -> None:
    with (tmp_path / "out").open("wb") as out:
        subprocess.run(
            [str(watchword.program), "fetch", "-s", URL], stdout=out, env=watchword.environment, check=False
        )
    assert (tmp_path / "out").read_bytes() == b""


def test_the_page_is_for_who_wants_it(watchword: Command, refused: FakeDaemon, tmp_path: Path) -> None:
    done = watchword("fetch", "--deliver-401", URL)
    assert (done.returncode, done.stdout) == (3, b"<p>log in")
    out = tmp_path / "out"
    assert watchword("fetch", "--deliver-401", "-o", str(out), URL).returncode == 3
    assert out.read_bytes() == b"<p>log in"
    failed = watchword("fetch", "-f", "--deliver-401", URL)
    assert (failed.returncode, failed.stdout) == (3, b"")


def test_a_refused_answer_and_a_refused_field_end_with_3(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str]
) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        if "Authorization" not in dict(message["params"].get("headers") or []):
            conversation.ask()
        return conversation.deliver(message, b"no", 401, headers=[["WWW-Authenticate", "Basic"]])

    daemon.fetch(refuse)
    done = watchword("fetch", "-u", "reader", "--askpass", askpass("sentinel-1"), URL)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", SAID + b"\n")
    given = watchword("fetch", "-H", "Authorization: Bearer t", URL)
    assert (given.returncode, given.stdout) == (3, b"") and SAID in given.stderr


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("nameNotResolved", 6),
        ("connectionFailed", 7),
        ("refused", 56),
        ("connectionLost", 56),
        ("malformedResponse", 56),
        ("malformedURL", 2),
        ("hostUnreachable", 97),
        ("noAcceptableMethod", 97),
    ],
)
def test_a_proxy_that_fails_ends_with_the_code_of_its_reason(
    watchword: Command, daemon: FakeDaemon, reason: str, code: int
) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("proxyFailed", reason=reason)

    daemon.fetch(refuse)
    assert watchword("fetch", "-x", "http://proxy.test", URL).returncode == code


@pytest.mark.parametrize("options", [[], ["-i"]])
def test_a_body_that_is_cut_ends_with_18(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, options: list[str]
) -> None:
    def cut(conversation: Conversation, message: Message) -> Message:
        conversation.deliver(message, b"the beginn")
        raise RefusedError("connectionLost")

    daemon.fetch(cut)
    done = watchword("fetch", *options, URL)
    assert done.returncode == 18 and done.stdout.endswith(b"the beginn")
    assert watchword("fetch", *options, "-o", str(tmp_path / "out"), URL).returncode == 18


def test_the_help_has_the_table_of_exit_codes(watchword: Command) -> None:
    text = watchword("help").stdout.decode()
    table = text.partition("exit codes")[2]
    for code in (0, 1, 2, 3, 4, 5, 6, 7, 8, 18, 22, 23, 26, 28, 35, 47, 52, 56, 61, 63, 65, 97):
        assert f"\n  {code:>2}  " in table, code
    assert max(map(len, table.splitlines())) <= 80
