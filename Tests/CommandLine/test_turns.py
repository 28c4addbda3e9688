"""Two programs on one terminal: one at a time asks."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.daemon import PROJECT
from Support.fake_daemon import Conversation, FakeDaemon, Message, a_challenge
from Support.terminal import Terminal

WAITS = b"another program asks on this terminal: waiting for its end"
SHELL = PROJECT / "clients" / "shell" / "watchword.sh"


def both(watchword: Command, first: str, second: str) -> Terminal:
    """Runs two lines of a shell at the same time on one terminal."""
    sh = shutil.which("sh") or "/bin/sh"
    script = f"watchword() {{ '{watchword.program}' \"$@\"; }}\n. '{SHELL}'\n{first} & {second} & wait"
    return Terminal([sh, "-c", script], watchword.environment)


COMMAND = "watchword fetch https://intranet.example/"
LIBRARY = "ww_fetch https://intranet.example/"
PYTHON = f"""PYTHONPATH='{PROJECT}/clients/python/src' '{sys.executable}' -c '
import watchword
with watchword.terminal_turn():
    user = input("User: ")
    print(f"answers {{user}} with " + input(f"Password for {{user}}: "))
' </dev/tty """


@pytest.mark.parametrize(
    ("first", "second"), [(COMMAND, COMMAND), (COMMAND, LIBRARY), (LIBRARY, LIBRARY), (COMMAND, PYTHON)]
)
def test_two_that_ask_take_turns(watchword: Command, daemon: FakeDaemon, first: str, second: str) -> None:
    """Else each reads lines that were typed for the other, and a password goes out as a user."""
    found: list[Message] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        found.append(conversation.ask()["credential"])
        return conversation.deliver(message, b"")

    daemon.fetch(answer)
    terminal = both(watchword, first + "1", second + "2")
    terminal.read_until(WAITS)
    terminal.read_until(b"User: ")
    assert terminal.screen.count(b"User: ") == 1
    terminal.type("one")
    terminal.read_until(b"Password for one: ")
    # What is typed ahead is for this question, and not for the next one.
    terminal.type("sentinel-1\nstray\nstray")
    terminal.read_until(b"User: ", times=2)
    terminal.type("two")
    terminal.read_until(b"Password for two: ")
    terminal.type("sentinel-2")
    assert terminal.end() == 0
    answers = [(credential["user"], credential["password"]) for credential in found]
    for user, secret in (("one", "sentinel-1"), ("two", "sentinel-2")):
        assert (user, secret) in answers or f"answers {user} with {secret}".encode() in terminal.screen
    assert terminal.screen.count(WAITS) == 1


def test_what_was_answered_meanwhile_is_not_asked(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    """The second question is settled while it waits for the first one."""
    found: list[Message] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        if message["params"]["url"].endswith("1"):
            found.append(conversation.ask()["credential"])
        else:
            conversation.notify("task/didReceiveChallenge", **a_challenge())
            settled = {"challenge": "c1-0", "session": "s", "outcome": "answered", "disposition": None}
            conversation.notify("challenge/didSettle", **settled)
        return conversation.deliver(message, b"")

    daemon.fetch(answer)
    # The second one begins when the first one has asked.
    begin = directory / "begin"
    os.mkfifo(begin)
    terminal = both(watchword, COMMAND + "1", f"read -r _ <'{begin}'; {COMMAND}2")
    terminal.read_until(b"User: ")
    begin.write_text("\n")
    terminal.read_until(WAITS)
    terminal.type("one")
    terminal.read_until(b"Password for one: ")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert found == [{"user": "one", "password": "sentinel-1"}]
    assert terminal.screen.count(b"User: ") == 1


@pytest.mark.parametrize("second", ["watchword unlock", "ww_unlock"])
def test_what_was_unlocked_meanwhile_is_not_unlocked_again(
    watchword: Command, daemon: FakeDaemon, second: str
) -> None:
    unlocked: list[Message] = []

    def unlock(conversation: Conversation, message: Message) -> Message:
        unlocked.append(message["params"])
        return {}

    daemon.answers["agent/unlock"] = unlock
    daemon.answers["status"] = lambda conversation, message: {"locked": not unlocked}
    terminal = both(watchword, "watchword unlock", second)
    terminal.read_until(WAITS)
    terminal.read_until(b"assphrase")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    assert unlocked == [{"passphrase": "sentinel-1"}]
    assert b"hint: nothing is locked" in terminal.screen
