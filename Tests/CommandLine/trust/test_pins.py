"""Options that decide before a prompt: excused reasons, pinned keys, TLS versions."""

from __future__ import annotations

import pytest

from CommandLine.conftest import Command
from CommandLine.trust.scene import accepted
from Support.fake_daemon import FakeDaemon, Message

URL = "https://dev.example:8443/"
KEY = "sha256/" + "A" * 42 + "E="
OTHER_KEY = "sha256/" + "B" * 42 + "E="
REASONS = [{"reason": "unknownIssuer", "depth": 0}, {"reason": "expired", "depth": 1}]


def test_k_needs_a_reason(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", "-k", URL)
    assert (done.returncode, daemon.heard) == (2, [])
    assert done.stderr.startswith(b"watchword: -k needs a reason\nhint: --because")
    assert watchword("fetch", "-k", "--because", "  ", URL).returncode == 2
    assert watchword("fetch", "--because", "I say so", URL).returncode == 2
    terminal = watchword.on_terminal("fetch", "-k", URL)
    terminal.read_until(b"not trusted: ")
    terminal.type("")
    assert terminal.end() == 2
    assert daemon.heard == []


def test_k_says_what_it_excuses(watchword: Command, daemon: FakeDaemon, replies: list[Message]) -> None:
    done = watchword("fetch", "-k", "--because", "the lab's\x1b clock is wrong", URL)
    assert (done.returncode, done.stdout) == (0, b"hello\n")
    assert done.stderr.decode() == (
        "watchword: https://dev.example:8443 is accepted although its certificate has an unknown issuer,"
        f" an issuer's certificate (1 above) has expired (key {KEY})\n"
        "watchword: the reason given: the lab's\\u{1b} clock is wrong\n"
    )
    assert replies == [accepted("none", because="the lab's\\u{1b} clock is wrong")]
    # A session of its own: what others were given does not go to a server that nobody has verified.
    assert daemon.parameters("session/open") == {
        "configuration": {},
        "bySettings": True,
        "variant": "insecure",
        "delegate": {"tasks": ["serverTrust"], "trustVerdicts": "refused"},
    }


def test_k_asks_a_person_for_the_reason(watchword: Command, replies: list[Message]) -> None:
    terminal = watchword.on_terminal("fetch", "-k", URL)
    terminal.read_until(b"not trusted: ")
    terminal.type("a test")
    assert terminal.end() == 0
    assert b"the reason given: a test" in terminal.screen
    assert replies == [accepted("none", because="a test")]


def test_k_is_silent_with_s(watchword: Command, replies: list[Message]) -> None:
    done = watchword("fetch", "-sk", "--because", "a test", URL)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"hello\n", b"")
    assert replies == [accepted("none", because="a test")]


def test_the_history_has_the_beginning_of_a_long_reason(watchword: Command, replies: list[Message]) -> None:
    done = watchword("fetch", "-sk", "--because", "é" * 300, URL)
    assert (done.returncode, done.stderr) == (0, b"")
    assert replies == [accepted("none", because="é" * 128)]


@pytest.mark.parametrize("pins", [KEY, OTHER_KEY + ";" + KEY])
def test_pinned_keys_are_a_setting_that_no_reply_excuses(
    watchword: Command, daemon: FakeDaemon, pins: str
) -> None:
    given = pins.replace("/", "//", 1).replace(";sha256/", ";sha256//")
    done = watchword("fetch", "--pinnedpubkey", given, URL)
    assert done.returncode == 0, done.stderr
    pin: Message = {"host": "*", "publicKeys": sorted(pins.split(";")), "excusable": False}
    assert daemon.parameters("session/open") == {
        "bySettings": True,
        "configuration": {"tls": {"pins": [pin]}},
    }


@pytest.mark.parametrize(
    "pins",
    [
        "",
        ";".join(["sha256//" + format(n, "043d") + "=" for n in range(65)]),
        "sha256//",
        "sha1//AAAA",
        KEY + ";",
        KEY[:-1] + "A",
        "key.pem",
    ],
)
def test_a_pin_that_is_none_is_wrong_usage(watchword: Command, daemon: FakeDaemon, pins: str) -> None:
    done = watchword("fetch", "--pinnedpubkey", pins, URL)
    assert (done.returncode, daemon.heard) == (2, [])


def test_a_pin_is_no_matter_of_a_shared_session(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", "--session", "s", "--pinnedpubkey", KEY, URL)
    assert (done.returncode, daemon.heard) == (2, [])


@pytest.mark.parametrize(
    ("options", "tls"),
    [
        (["--tlsv1.3"], {"minimumVersion": "1.3"}),
        (["--tls-max", "1.2"], {"maximumVersion": "1.2"}),
        (["--tlsv1.2", "--tls-max", "1.2"], {"maximumVersion": "1.2"}),
    ],
)
def test_versions_of_tls_go_with_the_fetch(
    watchword: Command, daemon: FakeDaemon, options: list[str], tls: Message
) -> None:
    assert watchword("fetch", *options, URL).returncode == 0
    assert daemon.parameters("fetch")["tls"] == tls
    assert "session" not in daemon.parameters("fetch")
    watchword("fetch", "--session", "s", *options, URL)
    assert daemon.parameters("fetch")["tls"] == tls
    assert daemon.parameters("session/open") == {"name": "s"}


def test_versions_that_every_session_speaks_need_no_setting(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("fetch", "--tlsv1.2", "--tls-max", "1.3", URL).returncode == 0
    assert "session/open" not in [message["method"] for message in daemon.heard]
    assert watchword("fetch", "--tls-max", "1.1", URL).returncode == 2
    assert watchword("fetch", "--tlsv1.3", "--tls-max", "1.2", URL).returncode == 2
