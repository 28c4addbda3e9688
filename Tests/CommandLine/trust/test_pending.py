"""A pending question, shown and answered from elsewhere."""

from __future__ import annotations

import pytest

from CommandLine.conftest import Command
from CommandLine.trust.scene import accepted, certificates_of
from Support.fake_daemon import FakeDaemon, Message, a_challenge

KEY = "sha256/" + "A" * 42 + "E="
REASONS = [{"reason": "unknownIssuer", "depth": 0}, {"reason": "expired", "depth": 1}]
CANCELLED: Message = {"challenge": "c1-0", "disposition": "cancelAuthenticationChallenge"}


@pytest.fixture
def pending(daemon: FakeDaemon) -> Message:
    challenge = a_challenge(**certificates_of(session="reports"))
    daemon.answers["challenge/describe"] = lambda conversation, message: challenge
    daemon.answers["challenge/list"] = lambda conversation, message: {"challenges": [challenge]}
    return challenge


def test_a_pending_question_says_what_is_wrong(watchword: Command, pending: Message) -> None:
    shown = watchword("challenges").stdout.decode().splitlines()
    assert shown[0] == "c1-0  https://dev.example:8443 serverTrust"
    assert "  its certificate has an unknown issuer" in shown
    assert f"  CN=dev.example, key {KEY}" in shown


@pytest.mark.parametrize(
    ("options", "reply"),
    [
        (["--trust", "certificate"], accepted(None)),
        (["--trust", "publicKey", "--persistence", "forSession"], accepted("forSession", "publicKey")),
        (["--trust", "publicKey", "--persistence", "permanent"], accepted("permanent", "publicKey")),
        (["--cancel"], CANCELLED),
    ],
)
def test_it_is_answered_for_all_who_wait(
    watchword: Command, daemon: FakeDaemon, pending: Message, options: list[str], reply: Message
) -> None:
    assert watchword("answer", *options, "c1-0").returncode == 0
    assert daemon.parameters("session/open") == {
        "name": "reports",
        "delegate": {"session": ["serverTrust"], "trustVerdicts": "refused"},
    }
    assert daemon.parameters("challenge/reply") == reply


@pytest.mark.parametrize(
    ("word", "reply"),
    [
        ("once", accepted("none")),
        ("session", accepted("forSession")),
        ("always", accepted("permanent")),
        ("no", CANCELLED),
    ],
)
def test_it_is_answered_on_a_terminal(
    watchword: Command, daemon: FakeDaemon, pending: Message, word: str, reply: Message
) -> None:
    terminal = watchword.on_terminal("answer", "c1-0")
    terminal.read_until(b"no: ")
    terminal.type(word)
    assert terminal.end() == 0
    assert daemon.parameters("challenge/reply") == reply


def test_what_is_not_answered_stays_pending(watchword: Command, daemon: FakeDaemon, pending: Message) -> None:
    assert watchword("answer", "c1-0").returncode == 4
    terminal = watchword.on_terminal("answer", "c1-0")
    terminal.read_until(b"no: ")
    terminal.type("")
    assert terminal.end() == 4
    assert "challenge/reply" not in [message["method"] for message in daemon.heard]


def test_an_answer_fits_its_question(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["challenge/describe"] = lambda conversation, message: a_challenge()
    assert watchword("answer", "--trust", "certificate", "c1-0").returncode == 2
    assert watchword("answer", "--trust", "everything", "c1-0").returncode == 2
    assert watchword("answer", "--trust", "certificate", "--cancel", "c1-0").returncode == 2
    assert "challenge/reply" not in [message["method"] for message in daemon.heard]
