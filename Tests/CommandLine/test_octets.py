"""Octets that are not UTF-8: a repaired text would be another user, password or file."""

from __future__ import annotations

import base64
import hashlib
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


def test_a_netrc_that_is_not_utf8_goes_as_its_octets(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    file = directory / "file"
    file.write_bytes(b"machine a login b password " + OCTETS + b"\n")
    file.chmod(0o600)
    assert watchword("fetch", "--netrc-file", str(file), URL).returncode == 0
    netrc = daemon.parameters("session/open")["configuration"]["netrc"]
    assert netrc == {"base64": base64.b64encode(file.read_bytes()).decode()}


def test_a_field_that_is_not_utf8_goes_as_its_octets(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    file = directory / "file"
    file.write_bytes(b"X-A: b\r\nX-C: " + OCTETS)
    given = ("-H", f"@{file}", "-H", b"X-D:  " + OCTETS + b"!", "-A", OCTETS, "-b", b"a=" + OCTETS)
    assert watchword("fetch", *given, URL).returncode == 0
    assert daemon.parameters("fetch")["headers"] == [
        ["X-A", "b"],
        ["X-C", {"base64": "Y2Fm6Q=="}],
        ["X-D", {"base64": "Y2Fm6SE="}],
        ["Cookie", {"base64": base64.b64encode(b"a=" + OCTETS).decode()}],
        ["User-Agent", {"base64": "Y2Fm6Q=="}],
    ]


def test_names_of_files_are_octets(watchword: Command, daemon: FakeDaemon, directory: Path) -> None:
    name = os.fsencode(directory) + b"/" + OCTETS
    repaired = directory / "caf\ufffd"
    repaired.write_bytes(b"another file")
    daemon.fetch(lambda conversation, message: conversation.deliver(message, b"body"))
    Path(os.fsdecode(name + b".in")).write_bytes(b"sent")
    given = ("-d", b"@" + name + b".in", "-o", name, "-D", name + b".head", "-c", name + b".jar")
    assert watchword("fetch", *given, URL).returncode == 0
    assert daemon.parameters("task/start")["body"] == {"text": "sent"}
    assert Path(os.fsdecode(name)).read_bytes() == b"body"
    assert {each[len(name) :] for each in names(directory) if each.startswith(name)} == {
        b"",
        b".in",
        b".head",
        b".jar",
    }
    assert repaired.read_bytes() == b"another file"


def test_names_of_folders_are_octets(watchword: Command, daemon: FakeDaemon, directory: Path) -> None:
    folder = os.fsencode(directory) + b"/" + OCTETS
    daemon.fetch(lambda conversation, message: conversation.deliver(message, b"body"))
    given = ("--create-dirs", "--output-dir", folder, "-o", OCTETS + b"/file")
    assert watchword("fetch", *given, URL).returncode == 0
    assert Path(os.fsdecode(folder + b"/" + OCTETS + b"/file")).read_bytes() == b"body"
    assert [name for name in names(directory) if OCTETS in name] == [folder]


def test_a_file_with_a_token_is_opened_by_its_octets(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    done = watchword("fetch", "--oauth2-bearer", b"@" + os.fsencode(directory) + b"/" + OCTETS, URL)
    assert (done.returncode, daemon.heard) == (26, [])
    assert b"/caf\\xE9 cannot be read" in done.stderr


def names(directory: Path) -> list[bytes]:
    return [entry.path for entry in os.scandir(os.fsencode(directory))]


def test_a_checked_body_takes_the_place_of_octets(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    name = os.fsencode(directory) + b"/" + OCTETS
    daemon.fetch(lambda conversation, message: conversation.deliver(message, b"body"))
    digest = hashlib.sha256(b"body").hexdigest()
    done = watchword("fetch", "--checksum", f"sha-256={digest}", "-o", name, URL)
    assert (done.returncode, [name for name in names(directory) if OCTETS in name]) == (0, [name])


def test_a_file_that_is_not_there_is_named_by_its_octets(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    done = watchword("fetch", "--cacert", os.fsencode(directory) + b"/" + OCTETS, URL)
    assert (done.returncode, daemon.heard) == (26, [])
    assert b"/caf\\xE9 cannot be read" in done.stderr


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (b"http://host/" + OCTETS + b"?q=" + OCTETS, "http://host/caf%E9?q=caf%E9"),
        ("http://host/café/".encode() + OCTETS, "http://host/caf%C3%A9/caf%E9"),
        # A scalar that stands for an octet, given as itself.
        ("http://host/\U0010ffe9".encode(), "http://host/\U0010ffe9"),
    ],
)
def test_an_octet_of_a_url_is_percent_encoded(
    watchword: Command, daemon: FakeDaemon, given: bytes, sent: str
) -> None:
    assert watchword("fetch", given).returncode == 0
    assert daemon.parameters("fetch")["url"] == sent
    assert watchword("fetch", "--url", given).returncode == 0
    assert daemon.parameters("fetch")["url"] == sent


@pytest.mark.parametrize("command", ["explain", "certificate", "credentials retry", "cookies"])
def test_every_command_with_a_url_takes_its_octets(
    watchword: Command, daemon: FakeDaemon, command: str
) -> None:
    done = watchword(*command.split(), b"https://host/" + OCTETS)
    assert b"UTF-8" not in done.stderr
    assert any("https://host/caf%E9" in str(message) for message in daemon.heard)


def test_data_are_octets(watchword: Command, daemon: FakeDaemon) -> None:
    data = ("-d", b"a=" + OCTETS, "--data-binary", OCTETS, "--data-raw", b"@" + OCTETS)
    assert watchword("fetch", *data, "--data-urlencode", b"n=" + OCTETS, URL).returncode == 0
    sent = b"a=" + OCTETS + b"&" + OCTETS + b"&@" + OCTETS + b"&n=caf%E9"
    assert daemon.parameters("fetch")["body"] == {"base64": base64.b64encode(sent).decode()}


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (["-u", OCTETS], b"the value of -u"),
        (["-u" + os.fsdecode(OCTETS)], b"the value of -u"),
        ([b"--session=" + OCTETS], b"the value of --session"),
        (["--resolve", OCTETS], b"the value of --resolve"),
        (["--socket", b"/" + OCTETS], b"the value of --socket"),
    ],
    ids=str,
)
def test_where_a_text_is_needed_the_place_is_named(
    watchword: Command, daemon: FakeDaemon, given: list[str | bytes], place: bytes
) -> None:
    done = watchword("fetch", *given, URL)
    assert (done.returncode, daemon.heard) == (2, [])
    assert place + b" is not UTF-8" in done.stderr


def test_an_operand_that_has_to_be_a_text_is_named(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("sessions", "describe", OCTETS)
    assert (done.returncode, daemon.heard) == (2, [])
    assert b"caf\\xE9 is not UTF-8" in done.stderr


def test_a_variable_that_is_not_utf8_is_refused(watchword: Command, daemon: FakeDaemon) -> None:
    watchword.environment["WATCHWORD_ASKPASS"] = os.fsdecode(b"/" + OCTETS)
    done = watchword("fetch", URL)
    assert (done.returncode, daemon.heard) == (2, [])
    assert b"WATCHWORD_ASKPASS in the environment is not UTF-8" in done.stderr


def test_data_of_a_query_keeps_its_octets(watchword: Command, daemon: FakeDaemon, directory: Path) -> None:
    (directory / "data").write_bytes(b"a=" + OCTETS)
    assert watchword("fetch", "-G", "-d", f"@{directory}/data", URL).returncode == 0
    assert daemon.parameters("fetch")["url"] == URL + "?a=caf%E9"
