"""`watchword challenges` and `watchword answer`."""

from __future__ import annotations

import json

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_challenge


def test_challenges_of_every_named_session_are_listed(watchword: Command, daemon: FakeDaemon) -> None:
    shown = watchword("challenges").stdout.decode()
    assert shown.splitlines()[0] == 'c1-0  https://intranet.example basic "staff"'
    assert "wanted by pid 4711 /usr/bin/python3, task t1" in shown
    opened = [message["params"] for message in daemon.heard if message["method"] == "session/open"]
    assert opened == [{"name": "reports"}]
    assert json.loads(watchword("challenges", "--json").stdout) == {"challenges": [a_challenge()]}


def test_an_answer_is_read_from_a_descriptor(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("answer", "c1-0", "-u", "reader", "--password-fd", "0", send=b"sentinel-1\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert daemon.parameters("challenge/reply") == {
        "challenge": "c1-0",
        "disposition": "useCredential",
        "credential": {"user": "reader", "password": "sentinel-1"},
    }
    watchword("answer", "c1-0", "--token-fd", "0", "--persistence", "none", send=b"sentinel-2")
    assert daemon.parameters("challenge/reply")["credential"] == {
        "token": "sentinel-2",
        "persistence": "none",
    }


@pytest.mark.parametrize(
    ("option", "disposition"),
    [
        ("--default", "performDefaultHandling"),
        ("--cancel", "cancelAuthenticationChallenge"),
        ("--reject", "rejectProtectionSpace"),
    ],
)
def test_an_answer_can_be_a_disposition(
    watchword: Command, daemon: FakeDaemon, option: str, disposition: str
) -> None:
    assert watchword("answer", option, "c1-0").returncode == 0
    assert daemon.parameters("challenge/reply") == {"challenge": "c1-0", "disposition": disposition}


def test_an_answer_is_one_disposition(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("answer", "--cancel", "--reject", "c1-0")
    assert (done.returncode, daemon.heard) == (2, [])
    assert b"--cancel" in done.stderr


def test_an_answer_that_is_not_given_leaves_it_pending(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("answer", "c1-0").returncode == 3
    terminal = watchword.on_terminal("answer", "c1-0")
    terminal.read_until(b"User: ")
    terminal.type("")
    assert terminal.end() == 3
    assert "challenge/reply" not in [message["method"] for message in daemon.heard]
    assert watchword("answer", "c1-0", "--password-fd", "0", send=b"x").returncode == 2


def test_an_answer_that_comes_too_late_fails(watchword: Command, daemon: FakeDaemon) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("challengeNotPending", 1200, "the challenge is not pending")

    daemon.answers["challenge/describe"] = refuse
    done = watchword("answer", "--cancel", "c1-0")
    assert done.returncode == 1
    assert done.stderr.startswith(b"watchword: the challenge is not pending\nhint: ")
