"""How a challenge is put to a person or a program, and what is replied."""

from __future__ import annotations

import signal
import termios
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_challenge

URL = "https://intranet.example/q3.csv"
CANCEL = "cancelAuthenticationChallenge"


@pytest.fixture
def replies(daemon: FakeDaemon) -> list[Message]:
    """The replies to the challenge that every fetch raises."""
    return challenge_with(daemon)


def challenge_with(daemon: FakeDaemon, *challenges: dict[str, Any]) -> list[Message]:
    found: list[Message] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        for members in challenges or ({},):
            found.append(conversation.ask(**members))
            if found[-1]["disposition"] == CANCEL:
                raise RefusedError("userCancelledAuthentication", 1203, "the challenge was cancelled")
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    return found


def credential(user: str, password: str, **more: str) -> Message:
    return {
        "challenge": "c1-0",
        "disposition": "useCredential",
        "credential": {"user": user, "password": password, **more},
    }


def test_the_question_shows_the_origin_first(
    watchword: Command, daemon: FakeDaemon, replies: list[Message]
) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    shown = terminal.read_until(b"User: ")
    assert shown.startswith(b"https://intranet.example asks for a user and a password (basic)\r\n")
    assert b'realm: "staff"' in shown
    terminal.type("reader")
    terminal.read_until(b"Password for reader: ")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert b"sentinel" not in terminal.screen
    assert b"hello" in terminal.screen
    assert replies == [credential("reader", "sentinel-1")]
    assert daemon.parameters("session/open") == {
        "name": "default",
        "delegate": {
            "tasks": [
                "basic",
                "digest",
                "bearer",
                "htmlForm",
                "agentUnlock",
                "serverTrust",
                "clientCertificate",
            ],
            "trustVerdicts": "refused",
        },
    }


def test_the_proposed_user_is_taken_by_return(watchword: Command, daemon: FakeDaemon) -> None:
    proposed = {"proposedCredential": {"user": "reader", "source": "session"}, "previousFailureCount": 1}
    replies = challenge_with(daemon, proposed)
    terminal = watchword.on_terminal("fetch", URL)
    shown = terminal.read_until(b"User [reader]: ")
    assert b"refused" in shown
    terminal.type("")
    terminal.read_until(b"Password for reader: ")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert replies == [credential("reader", "sentinel-1")]


@pytest.mark.parametrize("source", ["netrc", "permanent", "synchronizable"])
def test_what_is_kept_outside_the_session_answers(
    watchword: Command, daemon: FakeDaemon, source: str
) -> None:
    replies = challenge_with(daemon, {"proposedCredential": {"user": "reader", "source": source}})
    terminal = watchword.on_terminal("fetch", URL)
    assert terminal.end() == 0
    assert [reply["disposition"] for reply in replies] == ["performDefaultHandling"]


@pytest.mark.parametrize("options", [("unlock",), ("credentials", "set", URL, "--user", "reader")])
def test_a_descriptor_of_the_program_s_own_is_no_secret(
    watchword: Command, daemon: FakeDaemon, options: tuple[str, ...]
) -> None:
    done = watchword(*options, "--password-fd", "3")
    assert done.returncode == 2
    assert b"descriptor 3 cannot be read: bad file descriptor" in done.stderr


@pytest.mark.parametrize("keys", [b"\n", b"\x04"])
def test_no_user_cancels(watchword: Command, replies: list[Message], keys: bytes) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"User: ")
    terminal.press(keys)
    assert terminal.end() == 3
    assert [reply["disposition"] for reply in replies] == [CANCEL]


def test_a_given_user_is_not_asked_for(
    watchword: Command, daemon: FakeDaemon, replies: list[Message]
) -> None:
    terminal = watchword.on_terminal("fetch", "-u", "reader", URL)
    assert b"User" not in terminal.read_until(b"Password for reader: ")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert replies == [credential("reader", "sentinel-1")]


def test_another_users_credential_is_not_used_for_a_given_one(watchword: Command, daemon: FakeDaemon) -> None:
    space = a_challenge()["protectionSpace"]
    entry = {"protectionSpace": space, "user": "somebody", "isDefault": True}
    daemon.answers["credential/list"] = lambda conversation, message: {"credentials": [entry]}
    daemon.answers["explain"] = lambda conversation, message: {"origin": "https://intranet.example:443"}
    watchword("fetch", "-u", "rea der", URL)
    assert daemon.parameters("fetch")["url"] == "https://rea%20der@intranet.example/q3.csv"
    entry["user"] = "rea der"
    watchword("fetch", "-u", "rea der", URL)
    assert daemon.parameters("fetch")["url"] == URL


def test_a_token_is_asked_for_alone(watchword: Command, daemon: FakeDaemon) -> None:
    replies = challenge_with(daemon, {"space": {"authenticationMethod": "bearer"}})
    terminal = watchword.on_terminal("fetch", "--persistence", "none", URL)
    terminal.read_until(b"Token: ")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert b"sentinel" not in terminal.screen
    assert replies[0]["credential"] == {"token": "sentinel-1", "persistence": "none"}


@pytest.mark.parametrize(
    ("named", "proposed", "proxied"),
    [
        (["-u", "reader"], None, False),
        ([], {"user": "reader", "source": "url"}, False),
        (["-x", "http://proxy.example:3128", "-U", "reader"], None, True),
    ],
)
def test_a_user_who_is_named_is_no_token(
    watchword: Command, daemon: FakeDaemon, named: list[str], proposed: Message | None, proxied: bool
) -> None:
    """What is typed is a password: it must not go out as a token."""
    space = {"authenticationMethod": "bearer", "isProxy": proxied}
    replies = challenge_with(
        daemon,
        {"space": space, "proposedCredential": proposed},
        {"space": {"isProxy": proxied}, "proposedCredential": proposed},
    )
    terminal = watchword.on_terminal("fetch", *named, URL)
    if not named:
        terminal.read_until(b"User [reader]: ")
        terminal.type("reader")
    terminal.read_until(b"Password for reader: ")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert b"Token" not in terminal.screen
    assert replies[0] == {"challenge": "c1-0", "disposition": "rejectProtectionSpace"}
    assert replies[1]["credential"] == {"user": "reader", "password": "sentinel-1"}


def test_what_a_server_says_is_escaped_and_cut(watchword: Command, daemon: FakeDaemon) -> None:
    realm = "\x1b]0;evil\x07\u202e\u009b" + "x" * 1000
    challenge_with(daemon, {"space": {"realm": realm}})
    terminal = watchword.on_terminal("fetch", URL)
    shown = terminal.read_until(b"User: ").decode()
    assert all(character not in shown for character in "\x1b\x07\u202e\u009b")
    assert "\\u{1b}]0;evil\\u{7}\\u{202e}\\u{9b}" in shown
    assert "x" * 201 not in shown
    terminal.press(b"\x03")
    terminal.end()


def test_cleartext_is_warned_of(watchword: Command, daemon: FakeDaemon) -> None:
    space = {"protocol": "http", "port": 80, "receivesCredentialSecurely": False}
    for host, warned in (("intranet.example", True), ("127.0.0.1", False)):
        challenge_with(daemon, {"space": {**space, "host": host}})
        terminal = watchword.on_terminal("fetch", URL)
        assert (b"not encrypted" in terminal.read_until(b"User: ")) is warned
        terminal.press(b"\x03")
        terminal.end()


def test_a_weaker_offer_than_before_is_warned_of(watchword: Command, daemon: FakeDaemon) -> None:
    error = {
        "kind": "weakerOffer",
        "previous": {"authenticationMethod": "digest", "algorithm": "SHA-256\x1b[2J"},
        "offered": {"authenticationMethod": "basic", "algorithm": None},
    }
    challenge_with(daemon, {"error": error})
    terminal = watchword.on_terminal("fetch", URL)
    shown = terminal.read_until(b"User: ")
    assert b"careful: this server has asked for digest (SHA-256\\u{1b}[2J) before" in shown
    assert b"stronger than basic\r\n" in shown
    terminal.press(b"\x03")
    terminal.end()
    challenge_with(daemon, {"error": {"kind": "somethingNew"}})
    terminal = watchword.on_terminal("fetch", URL)
    assert b"careful" not in terminal.read_until(b"User: ")
    terminal.press(b"\x03")
    terminal.end()


def test_an_interrupt_shows_what_is_typed_again(watchword: Command, replies: list[Message]) -> None:
    terminal = watchword.on_terminal("fetch", "-u", "reader", URL)
    terminal.read_until(b"Password")
    assert not termios.tcgetattr(terminal.descriptor)[3] & termios.ECHO
    terminal.press(b"\x03")
    assert terminal.end_status() == (-signal.SIGINT, True)
    assert replies == []


def test_an_answer_from_elsewhere_ends_the_question(watchword: Command, daemon: FakeDaemon) -> None:
    asked = threading.Event()

    def answer(conversation: Conversation, message: Message) -> Message:
        conversation.notify("task/didReceiveChallenge", **a_challenge())
        asked.wait(10)
        settled = {"challenge": "c1-0", "session": "s", "outcome": "answered", "disposition": None}
        conversation.notify("challenge/didSettle", **settled)
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", "-u", "reader", URL)
    terminal.read_until(b"Password")
    asked.set()
    terminal.read_until(b"hello")
    assert terminal.end_status() == (0, True)


def test_an_unusable_answer_is_asked_for_again(watchword: Command, daemon: FakeDaemon) -> None:
    found: list[Message] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        found.append(
            conversation.ask(refusal=RefusedError("credentialUnusable", 1202, "a colon in the user"))
        )
        found.append(conversation.hear_reply())
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", URL)
    for user in ("a:b", "reader"):
        terminal.read_until(b"User: ")
        terminal.screen = b""
        terminal.type(user)
        terminal.read_until(b"Password")
        terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert [reply["credential"]["user"] for reply in found] == ["a:b", "reader"]


def test_a_binary_body_stays_off_the_terminal(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.body = b"\x00\x1b]0;evil\x07"
    terminal = watchword.on_terminal("fetch", URL)
    assert terminal.end() == 23
    assert b"hint: -o FILE" in terminal.screen
    assert b"\x07" not in terminal.screen
    terminal = watchword.on_terminal("fetch", "-o", "-", URL)
    assert terminal.end() == 0
    assert b"\x07" in terminal.screen


@pytest.mark.parametrize(
    "command", [["fetch", URL], ["answer", "c1-0"], ["credentials", "set", URL, "-u", "r"]]
)
@pytest.mark.parametrize("persistence", ["ever", ""])
def test_what_cannot_be_kept_raises_no_prompt(
    watchword: Command, daemon: FakeDaemon, command: list[str], persistence: str
) -> None:
    done = watchword(*command, "--persistence", persistence)
    assert (done.returncode, done.stdout, daemon.heard) == (2, b"", [])
    assert b"permanent" in done.stderr


# Askpass


def test_askpass_is_asked_for_user_and_password(
    watchword: Command, replies: list[Message], askpass: Callable[..., str], directory: Path
) -> None:
    done = watchword("fetch", "--askpass", askpass("reader", "sentinel-1"), URL)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"hello\n", b"")
    assert replies == [credential("reader", "sentinel-1")]
    assert (directory / "prompts").read_text().splitlines() == [
        'https://intranet.example (basic, realm "staff"): User: ',
        'https://intranet.example (basic, realm "staff"): Password for reader: ',
    ]


def test_askpass_can_come_from_the_environment(
    watchword: Command, replies: list[Message], askpass: Callable[..., str]
) -> None:
    environment = {"WATCHWORD_ASKPASS": askpass("sentinel-1")}
    assert watchword("fetch", "-u", "reader", URL, environment=environment).stdout == b"hello\n"
    assert replies == [credential("reader", "sentinel-1")]


def test_askpass_that_says_no_cancels(
    watchword: Command, replies: list[Message], askpass: Callable[..., str]
) -> None:
    assert watchword("fetch", "--askpass", askpass(), URL).returncode == 3
    done = watchword("fetch", "--askpass", "/no/such/program", URL)
    assert done.returncode == 3
    assert b"askpass program /no/such/program" in done.stderr
    assert [reply["disposition"] for reply in replies] == [CANCEL] * 2


def test_askpass_is_asked_again_after_a_refusal(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str]
) -> None:
    replies = challenge_with(daemon, {}, {"challenge": "c2-0", "previousFailureCount": 1})
    watchword("fetch", "-u", "reader", "--askpass", askpass("sentinel-1", "sentinel-2"), URL)
    assert [reply["credential"]["password"] for reply in replies] == ["sentinel-1", "sentinel-2"]


def test_no_ask_takes_no_challenges(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str]
) -> None:
    watchword("fetch", "--no-ask", "--askpass", askpass("x", "y"), URL)
    assert [message["method"] for message in daemon.heard] == ["task/start"]


def test_a_passphrase_that_locks_is_typed_twice(watchword: Command, daemon: FakeDaemon) -> None:
    for second, code in (("sentinel-1", 0), ("sentinel-2", 1)):
        terminal = watchword.on_terminal("lock")
        terminal.read_until(b"Passphrase of the lock: ")
        terminal.type("sentinel-1")
        terminal.read_until(b"Passphrase again of the lock: ")
        terminal.type(second)
        assert terminal.end() == code
        assert b"sentinel" not in terminal.screen
    assert daemon.parameters("agent/lock") == {"passphrase": "sentinel-1"}


def test_a_fetch_asks_for_the_passphrase_of_the_lock(watchword: Command, daemon: FakeDaemon) -> None:
    space: Message = {"realm": None, "authenticationMethod": "agentUnlock", "parameters": {}}
    replies = challenge_with(daemon, {"protectionSpace": space, "offers": [], "failureResponse": None})
    terminal = watchword.on_terminal("fetch", URL)
    shown = terminal.read_until(b"Passphrase of the lock: ")
    assert shown.startswith(b"the agent is locked\r\n")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert [reply["credential"] for reply in replies] == [{"passphrase": "sentinel-1"}]
