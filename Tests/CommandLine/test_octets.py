"""Octets that are not UTF-8: a repaired text would be another user, password or file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message

URL = "https://intranet.example/q3.csv"
OCTETS = b"caf\xe9"
AS_SENT = {"user": "reader", "passwordBytes": "Y2Fm6Q=="}


@pytest.fixture
def replies(daemon: FakeDaemon) -> list[Message]:
    found: list[Message] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        found.append(conversation.ask())
        return conversation.deliver(message, b"")

    daemon.fetch(answer)
    return found


@pytest.fixture
def program(directory: Path) -> Callable[[bytes], str]:
    def make(answer: bytes) -> str:
        (directory / "answer").write_bytes(answer + b"\n")
        path = directory / "askpass"
        path.write_text(f"#!/bin/sh\ncat '{directory}/answer'\n")
        path.chmod(0o700)
        return str(path)

    return make


def test_a_user_that_is_not_utf8_is_not_sent(
    watchword: Command, replies: list[Message], program: Callable[[bytes], str]
) -> None:
    done = watchword("fetch", "--askpass", program(OCTETS), URL)
    assert b"its output is not UTF-8" in done.stderr
    assert [reply["disposition"] for reply in replies] == ["cancelAuthenticationChallenge"]


def test_a_password_that_is_not_utf8_is_sent_as_its_octets(
    watchword: Command, replies: list[Message], program: Callable[[bytes], str]
) -> None:
    assert watchword("fetch", "-u", "reader", "--askpass", program(OCTETS), URL).returncode == 0
    assert [reply["credential"] for reply in replies] == [AS_SENT]


def test_a_user_that_is_not_utf8_is_asked_for_again(watchword: Command, replies: list[Message]) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    for prompt, line, times in (
        (b"User: ", OCTETS, 1),
        (b"User: ", b"reader", 2),
        (b"Password for reader: ", OCTETS, 1),
    ):
        terminal.read_until(prompt, times=times)
        terminal.press(line + b"\n")
    assert terminal.end() == 0
    assert terminal.screen.count(b"that is not UTF-8") == 1
    assert [reply["credential"] for reply in replies] == [AS_SENT]


def test_a_format_keeps_its_octets(watchword: Command, daemon: FakeDaemon, directory: Path) -> None:
    daemon.fetch(lambda conversation, message: conversation.deliver(message, b""))
    (directory / "format").write_bytes(OCTETS + b" %{http_code} %% \\n \\x %{caf\xe9\n")
    done = watchword("fetch", "-s", "-w", f"@{directory}/format", URL)
    assert (done.returncode, done.stdout) == (0, OCTETS + b" 200 % \n \\x %{caf\xe9")


@pytest.mark.parametrize("option", ["--cacert", "--cert", "--crlfile"])
def test_a_pem_block_that_is_not_ascii_is_not_repaired(
    watchword: Command, daemon: FakeDaemon, directory: Path, option: str
) -> None:
    file = directory / "file.pem"
    file.write_bytes(
        OCTETS + b"\n-----BEGIN CERTIFICATE-----\nMII" + OCTETS + b"\n-----END CERTIFICATE-----\n"
    )
    done = watchword("fetch", option, str(file), URL)
    assert (done.returncode, daemon.heard) == (1, [])
    assert b"a PEM block is not ASCII" in done.stderr


def test_a_file_that_is_not_utf8_is_refused_with_its_line(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    file = directory / "file"
    file.write_bytes(b"machine a login b password c\nmachine d login " + OCTETS + b" password e\n")
    file.chmod(0o600)
    done = watchword("fetch", "--netrc-file", str(file), URL)
    assert (done.returncode, daemon.heard) == (1, [])
    assert b"is not UTF-8 in line 2" in done.stderr
    file.write_bytes(b"X-A: b\r\nX-C: " + OCTETS)
    done = watchword("fetch", "-H", f"@{file}", URL)
    assert (done.returncode, daemon.heard) == (1, [])
    assert b"is not UTF-8 in line 2" in done.stderr


def test_a_variable_that_is_not_utf8_is_refused(watchword: Command, daemon: FakeDaemon) -> None:
    watchword.environment["WATCHWORD_ASKPASS"] = os.fsdecode(b"/" + OCTETS)
    done = watchword("fetch", URL)
    assert (done.returncode, daemon.heard) == (2, [])
    assert b"WATCHWORD_ASKPASS in the environment is not UTF-8" in done.stderr


def test_data_of_a_query_keeps_its_octets(watchword: Command, daemon: FakeDaemon, directory: Path) -> None:
    (directory / "data").write_bytes(b"a=" + OCTETS)
    assert watchword("fetch", "-G", "-d", f"@{directory}/data", URL).returncode == 0
    assert daemon.parameters("fetch")["url"] == URL + "?a=caf%E9"
