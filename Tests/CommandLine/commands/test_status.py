"""`watchword status`: for people, programs and collectors."""

from __future__ import annotations

import json
import os
import re

from CommandLine.commands.scene import STATUS
from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message


def test_status_is_a_page_for_people(watchword: Command) -> None:
    shown = watchword("status").stdout.decode()
    for words in (
        "watchwordd 9.8.7, pid 1234, up 1 h 2 min, 15.0 MiB of memory (3.0 MiB for callers)",
        "socket /run/s",
        "held by pid 4711 /usr/bin/python3",
        'reader\\u{1b}[31m at https://intranet.example basic "staff", forSession, used 3 times',
        "1 min 30 s left",
        'c1-0  https://intranet.example basic "staff"',
        "fetches.started  7",
        "messageBytes  1048576",
        "connections   3 of 4096 in use",
    ):
        assert words in shown
    assert re.search(r"^reports +1 +2 +1 +5 +4 +1$", shown, re.M)


def test_status_is_json_for_programs(watchword: Command) -> None:
    assert json.loads(watchword("status", "--json").stdout) == STATUS


def test_status_is_openmetrics_for_collectors(watchword: Command) -> None:
    lines = watchword("status", "--metrics").stdout.decode().splitlines()
    assert "# TYPE watchword_fetches_started counter" in lines
    assert "watchword_fetches_started_total 7" in lines
    assert f'watchword_session_holders{{session="reports",uid="{os.getuid()}"}} 1' in lines
    assert f'watchword_session_credentials{{session="reports",uid="{os.getuid()}"}} 1' in lines
    assert "watchword_usage_connections 3.0" in lines
    assert f'watchword_session_pending_challenges{{session="reports",uid="{os.getuid()}"}} 1' in lines
    assert lines[-1] == "# EOF"
    assert len({line for line in lines if line.startswith("# TYPE")}) == sum(
        "# TYPE" in line for line in lines
    )


def test_no_name_adds_a_line_to_the_metrics(watchword: Command, daemon: FakeDaemon) -> None:
    """Root may ask the daemon of a user, who could have any daemon."""
    name = 'a\r\nforged_total 1\x1b"\\'
    sessions = STATUS["sessions"]
    assert isinstance(sessions, list)
    lying = {**STATUS, "sessions": [{**sessions[0], "session": name}]}
    daemon.answers["status"] = lambda conversation, message: lying
    shown = watchword("status", "--metrics").stdout.decode()
    assert "\r" not in shown and "\x1b" not in shown
    assert not [line for line in shown.split("\n") if line.startswith("forged")]
    escaped = 'session="a\ufffd\\nforged_total 1\ufffd\\"\\\\"'
    assert f"watchword_session_holders{{{escaped}," in shown


def test_status_is_shown_again_when_it_changes(watchword: Command, daemon: FakeDaemon) -> None:
    def subscribe(conversation: Conversation, message: Message) -> Message:
        conversation.notify("status/didChange", **{**STATUS, "pid": 5678})
        return {"subscribed": True}

    daemon.answers["status/subscribe"] = subscribe
    process = watchword.start("status", "--watch", "--json")
    assert process.stdout is not None and process.stderr is not None
    assert [json.loads(process.stdout.readline())["pid"] for _ in range(2)] == [1234, 5678]
    process.terminate()
    process.wait()
    process.stdout.close()
    process.stderr.close()


def test_a_status_has_one_form(watchword: Command, daemon: FakeDaemon) -> None:
    for options in (["--json", "--metrics"], ["--metrics", "--watch", "--json"]):
        done = watchword("status", *options)
        assert (done.returncode, done.stdout, daemon.heard) == (2, b"", [])
    assert watchword("status", "--json", "--json").returncode == 0
