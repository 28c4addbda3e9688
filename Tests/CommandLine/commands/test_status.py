"""`watchword status`: for people, programs and collectors."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from CommandLine.commands.scene import STATUS
from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, a_challenge


def test_status_is_a_page_for_people(watchword: Command) -> None:
    shown = watchword("status", "--all").stdout.decode()
    for words in (
        "watchwordd 9.8.7, pid 1234, up 1 h 2 min, 15.0 MiB of memory (3.0 MiB for callers)",
        "socket /run/s",
        "held by pid 4711 /usr/bin/python3",
        'reader\\u{1b}[31m at https://intranet.example basic "staff", forSession, used 3 times',
        "1 min 30 s left",
        'c1-0  https://intranet.example basic "staff"',
        "fetches.started           7",
        "messageBytes  1048576",
        "connections   3 of 4096 in use",
    ):
        assert words in shown
    assert re.search(r"^reports +1 +2 +1 +5 +4 +1$", shown, re.M)


def test_limits_have_a_page_of_their_own(watchword: Command) -> None:
    shown = watchword("status", "--limits").stdout.decode()
    assert "counters\n  fetches.started           7\n" in shown
    assert "connections   3 of 4096 in use\n" in shown
    assert "reports" not in shown


def crowd(sessions: int, challenges: int) -> Message:
    """Many sessions, each with a long name; the later ones are busier."""
    known = STATUS["sessions"]
    assert isinstance(known, list)
    (session,) = known
    named = [
        {**session, "session": f"s{number:03}-{'x' * 100}", "tasks": number, "pendingChallenges": 0}
        for number in range(sessions)
    ]
    for one in named[:challenges]:
        one["pendingChallenges"] = 1
    pending = [
        a_challenge(challenge=f"c{number}", session=f"s{number:03}-{'x' * 100}", waiterCount=3)
        for number in range(challenges)
    ]
    return {**STATUS, "sessions": named, "challenges": pending, "locked": True}


@pytest.mark.parametrize(("sessions", "challenges"), [(0, 0), (1, 0), (300, 0), (300, 1), (300, 9)])
def test_status_fits_on_a_screen(
    watchword: Command, daemon: FakeDaemon, sessions: int, challenges: int
) -> None:
    daemon.answers["status"] = lambda conversation, message: crowd(sessions, challenges)
    lines = watchword("status").stdout.decode().splitlines()
    assert len(lines) <= 23 and max(map(len, lines)) <= 80, lines
    assert lines[0] == "watchwordd 9.8.7, pid 1234, up 1 h 2 min, 15.0 MiB of memory"
    assert lines[1] == "the agent is locked: watchword unlock"
    if challenges:
        assert lines[3] == f"{challenges} challenge{'s' * (challenges > 1)} pending: watchword answer"
        assert lines[4] == 'c0  https://intranet.example basic "staff"'
        assert lines[5].endswith("…")
    if challenges > 4:
        assert "  and 5 more: watchword challenges" in lines
    if sessions == 0:
        assert lines[-1] == "no sessions"
        return
    first = next(index for index, line in enumerate(lines) if line.startswith("session "))
    shown = [line.split()[0][:4] for line in lines[first + 1 : -2] if line.startswith("s")]
    assert len(shown) == sessions or f"and {sessions - len(shown)} more: watchword status --all" in lines
    waiting = [f"s{number:03}" for number in range(challenges)]
    busiest = sorted(waiting, reverse=True) + [
        f"s{number:03}" for number in reversed(range(challenges, sessions))
    ]
    assert shown == busiest[: len(shown)] and len(shown) >= min(3, sessions)
    assert len(shown) == min(10, sessions) or challenges > 1
    assert lines[-1].startswith(f"{sessions} session")


def test_one_session_is_shown_whole(watchword: Command) -> None:
    lines = watchword("status").stdout.decode().splitlines()
    assert "1 challenge pending: watchword answer" in lines
    assert "  session reports, pid 4711 python3 waits, for 1 min 30 s" in lines
    titles = ["session", "state", "unused for", "tasks", "credentials", "connections"]
    assert re.split(r"  +", lines[-4]) == titles
    assert re.split(r"  +", lines[-3]) == ["reports", "asks", "2", "1", "4"]
    assert lines[-1] == "1 session, 2 tasks, 1 credential, 4 connections, 7 fetches"


def say(daemon: FakeDaemon, snapshot: Message) -> None:
    daemon.answers["status"] = lambda conversation, message: snapshot


def test_a_monitor_gets_a_line(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("status", "--check")
    line = b"watchwordd 9.8.7, up 1 h 2 min, 1 session, 2 tasks, 1 challenge pending\n"
    assert (done.returncode, done.stdout) == (0, b"ok: " + line)
    known = STATUS["vault"]
    assert isinstance(known, dict)
    vault = {**known, "state": "locked"}
    daemon.answers["status"] = lambda conversation, message: {**STATUS, "vault": vault, "locked": True}
    done = watchword("status", "--check")
    assert (done.returncode, done.stdout) == (1, b"the agent is locked; the vault is locked: " + line)
    for state, said in (
        ({"state": "unavailable", "reason": "no space"}, "the vault is unavailable: no space"),
        ({"unreadable": 2}, "2 records of the vault cannot be opened: watchword vault check"),
    ):
        say(daemon, {**STATUS, "vault": {**known, **state}})
        assert watchword("status").stdout.decode().splitlines()[1] == said
        assert watchword("status", "--check").returncode == 1
    assert watchword("status", "--check", "--watch").returncode == 2


def test_status_starts_no_daemon(watchword: Command, directory: Path) -> None:
    del watchword.environment["WATCHWORD_SOCKET"]
    place = directory / "watchword" / "watchword.sock"
    message = f"no daemon listens on {place}\n".encode()
    done = watchword("status")
    assert (done.returncode, done.stdout, done.stderr) == (5, b"", b"watchword: " + message)
    done = watchword("status", "--check")
    assert (done.returncode, done.stdout, done.stderr) == (5, message, b"")
    assert not place.parent.exists()


def test_status_is_json_for_programs(watchword: Command) -> None:
    assert json.loads(watchword("status", "--json").stdout) == STATUS


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """As a collector reads them: it refuses a text that is not OpenMetrics."""
    return {
        (sample.name.removeprefix("watchword_"), tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)  # type: ignore[no-untyped-call]
        for sample in family.samples
    }


def test_status_is_openmetrics_for_collectors(watchword: Command) -> None:
    text = watchword("status", "--metrics").stdout.decode()
    found = samples(text)
    uid = (("uid", str(os.getuid())),)
    expected = {
        ("fetches_started_total", ()): 7,
        ("fetches_responses_by_class_total", (("class", "2xx"),)): 4,
        ("challenges_raised_total", ()): 3,
        ("challenges_raised_by_method_total", (("method", "basic"),)): 2,
        ("challenges_raised_by_method_total", (("method", "digest"),)): 1,
        ("task_seconds_bucket", (("le", "0.01"),)): 3,
        ("task_seconds_bucket", (("le", "0.5"),)): 5,
        ("task_seconds_bucket", (("le", "60.0"),)): 5,
        ("task_seconds_bucket", (("le", "+Inf"),)): 6,
        ("task_seconds_sum", ()): 301.25,
        ("task_seconds_count", ()): 6,
        ("oldest_challenge_seconds", ()): 90.5,
        ("resident_bytes", ()): 15 << 20,
        ("sessions", uid): 1,
        ("sessions_holders", uid): 1,
        ("sessions_pending_challenges", uid): 1,
        ("limit", (("limit", "message_bytes"),)): 1048576,
        ("usage", (("limit", "connections"),)): 3,
    }
    assert {key: found.get(key) for key in expected} == expected
    assert "reports" not in text
    assert "# HELP watchword_fetches_started Tasks." in text.splitlines()


def test_each_session_has_series_only_when_asked_for(watchword: Command) -> None:
    found = samples(watchword("status", "--metrics", "--by-session").stdout.decode())
    labels = (("session", "reports"), ("uid", str(os.getuid())))
    assert found["session_credentials", labels] == 1 and found["session_connections", labels] == 4
    assert watchword("status", "--by-session").returncode == 2


def test_no_name_adds_a_line_to_the_metrics(watchword: Command, daemon: FakeDaemon) -> None:
    """Root may ask the daemon of a user, who could have any daemon."""
    name = 'a\r\nforged_total 1\x1b"\\'
    sessions = STATUS["sessions"]
    assert isinstance(sessions, list)
    lying = {**STATUS, "sessions": [{**sessions[0], "session": name}]}
    daemon.answers["status"] = lambda conversation, message: lying
    shown = watchword("status", "--metrics", "--by-session").stdout.decode()
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
    for options in (["--json", "--metrics"], ["--metrics", "--watch", "--json"], ["--all", "--limits"]):
        done = watchword("status", *options)
        assert (done.returncode, done.stdout, daemon.heard) == (2, b"", [])
    assert watchword("status", "--json", "--json").returncode == 0
