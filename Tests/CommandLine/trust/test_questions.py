"""What a person is asked about a certificate, and what counts as an answer."""

from __future__ import annotations

import threading

import pytest

from CommandLine.conftest import PATIENCE, Command
from CommandLine.trust.scene import accepted, certificates_of
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_challenge

URL = "https://dev.example:8443/"
KEY = "sha256/" + "A" * 42 + "E="
REASONS = [{"reason": "unknownIssuer", "depth": 0}, {"reason": "expired", "depth": 1}]
CANCELLED: Message = {"challenge": "c1-0", "disposition": "cancelAuthenticationChallenge"}


def test_a_person_sees_origin_reasons_and_fingerprints(watchword: Command, replies: list[Message]) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    shown = (
        terminal.read_until(b"once (this fetch only), session, always, no: ").replace(b"\r\n", b"\n").decode()
    )
    assert shown.splitlines()[:3] == [
        "https://dev.example:8443 is not trusted",
        "  its certificate has an unknown issuer",
        "  an issuer's certificate (1 above) has expired",
    ]
    assert "\x1b" not in shown and "CN=Nobody \\u{1b}[2J" in shown
    assert "01:23:45:67:89:AB:CD:EF:01" in shown and KEY in shown
    assert "DNS:11.example and 8 more\n" in shown
    assert "2026-01-01T00:00:00Z to 2027-01-01T00:00:00Z" in shown
    terminal.type("no")
    assert terminal.end() == 4
    assert replies == [CANCELLED]


@pytest.mark.parametrize(
    ("word", "persistence"), [("once", "none"), ("session", "forSession"), ("always", "permanent")]
)
def test_a_whole_word_accepts(
    watchword: Command, replies: list[Message], word: str, persistence: str
) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    terminal.type(word)
    assert terminal.end() == 0
    assert b"hello" in terminal.screen
    assert replies == [accepted(persistence)]


def test_another_word_is_explained(watchword: Command, replies: list[Message]) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    terminal.type("yes")
    terminal.read_until(b"that is none of the answers: write once, session, always or no")
    terminal.read_until(b"no: ")
    terminal.type("Once")
    assert terminal.end() == 0
    assert replies == [accepted("none")]


@pytest.mark.parametrize("lines", [[""], ["n"], ["y", "forever", "o"]])
def test_nothing_else_accepts(watchword: Command, replies: list[Message], lines: list[str]) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    for line in lines:
        terminal.type(line)
    assert terminal.end() == 4
    assert replies == [CANCELLED]


def test_an_answer_of_another_delegate_ends_the_question(watchword: Command, daemon: FakeDaemon) -> None:
    def answer(conversation: Conversation, message: Message) -> Message:
        conversation.notify("task/didReceiveChallenge", **a_challenge(**certificates_of()))
        assert asked.wait(PATIENCE)
        conversation.notify(
            "challenge/didSettle", challenge="c1-0", session="default", outcome="answered", disposition=None
        )
        return conversation.deliver(message, b"hello\n")

    asked = threading.Event()
    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    asked.set()
    assert terminal.end() == 0
    assert b"hello" in terminal.screen


def test_a_refused_answer_is_said_and_cancels(watchword: Command, daemon: FakeDaemon) -> None:
    forbidden = RefusedError("dispositionNotAllowed", 1201, "the policy allows no loosening")
    dispositions: list[str] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        dispositions.append(conversation.ask(forbidden, **certificates_of())["disposition"])
        dispositions.append(conversation.hear_reply()["disposition"])
        raise RefusedError("serverTrustRejected", 1204, "not trusted", reasons=REASONS)

    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    terminal.type("once")
    assert terminal.end() == 4
    assert dispositions == ["useCredential", "cancelAuthenticationChallenge"]
    assert b"watchword: the policy allows no loosening" in terminal.screen


def test_what_cannot_be_kept_is_said_and_asked_again(watchword: Command, daemon: FakeDaemon) -> None:
    full = RefusedError("storageUnavailable", 1400, "the decision cannot be kept: No space left on device")
    kept: list[str] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        kept.append(conversation.ask(full, **certificates_of())["credential"]["persistence"])
        kept.append(conversation.hear_reply()["credential"]["persistence"])
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    terminal.type("always")
    terminal.read_until(b"watchword: the decision cannot be kept: No space left on device")
    terminal.type("session")
    assert terminal.end() == 0
    assert kept == ["permanent", "forSession"]


def test_without_a_terminal_no_prompt_appears(watchword: Command, daemon: FakeDaemon) -> None:
    watchword("fetch", URL)
    assert "session/open" not in [message["method"] for message in daemon.heard]
    watchword("fetch", "--askpass", "/bin/false", URL)
    assert daemon.parameters("session/open")["delegate"] == {
        "tasks": ["basic", "digest", "bearer", "htmlForm", "agentUnlock"]
    }
