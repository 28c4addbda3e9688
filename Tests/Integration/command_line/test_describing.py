"""Status, lists, times, help and single calls."""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

from Integration.command_line.scene import AUTHENTICATION, FAILED, OK, USAGE, Command, complaint
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Peer, password
from Support.certificates import Authority
from Support.daemon import Daemon, program
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, reply


def test_status_is_for_people_and_programs(watchword: Command, daemon: Daemon) -> None:
    done = watchword("status")
    assert done.returncode == OK
    assert str(daemon.pid).encode() in done.stdout
    snapshot = json.loads(watchword("status", "--json").stdout)
    assert snapshot["pid"] == daemon.pid


def test_status_can_be_watched(watchword: Command, daemon: Daemon, connect: Callable[..., Peer]) -> None:
    terminal = watchword.on_terminal("status", "--watch")
    terminal.read_until(str(daemon.pid).encode())
    connect().open("appears")
    terminal.read_until(b"appears")
    terminal.press(b"\x03")
    terminal.end()


def test_call_speaks_any_method(watchword: Command, daemon: Daemon) -> None:
    assert json.loads(watchword("call", "ping").stdout) == {}
    opened = json.loads(watchword("call", "session/open", '{"name":"s"}').stdout)
    assert opened["session"] == "s"
    from_input = watchword("call", "session/open", "-", send=b'{"name":"s"}')
    assert json.loads(from_input.stdout)["session"] == "s"
    failed = watchword("call", "no/such")
    assert failed.returncode == FAILED
    complaint(failed)
    assert watchword("call", "ping", "{").returncode == USAGE
    assert watchword("call").returncode == USAGE


def test_lists_show_what_there_is(watchword: Command, connect: Callable[..., Peer], staff: str) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    assert b"s" in watchword("sessions").stdout
    credentials = watchword("credentials", "--session", "s")
    assert USER.encode() in credentials.stdout
    assert json.loads(watchword("credentials", "--session", "s", "--json").stdout)
    explained = watchword("explain", "--session", "s", staff)
    assert USER.encode() in explained.stdout
    assert explained.returncode == OK
    # What the session has does not go to the server that a Host field names.
    named = ["--session", "s", "-H", "Host: other.test", staff]
    assert re.search(
        rb"^passed over .*not given over .* or to this Host$", watchword("explain", *named).stdout, re.M
    )
    refused = watchword("fetch", "--no-ask", *named)
    assert (refused.returncode, refused.stdout) == (AUTHENTICATION, b"")
    assert "a kept credential was passed over" in complaint(refused)
    assert f"watchword explain --session s -H 'Host: other.test' {staff}" in complaint(refused)


def test_help_ends_with_an_example(watchword: Command) -> None:
    for command in ("fetch", "status", "challenges", "answer", "credentials", "sessions", "explain", "call"):
        done = watchword(command, "--help")
        assert done.returncode == OK
        assert b"watchword " + command.encode() in done.stdout


def test_the_command_and_the_daemon_are_of_one_version(watchword: Command) -> None:
    daemon = subprocess.run([str(program()), "--version"], capture_output=True, check=True)
    assert watchword("--version").stdout == b"watchword " + daemon.stdout


def test_the_times_of_write_out_follow_each_other(
    watchword: Command,
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    authority: Authority,
    tmp_path: Path,
) -> None:
    (tmp_path / "ca.pem").write_text(authority.pem)
    url = origins(tls_context).serve("/", reply())
    names = ("namelookup", "connect", "appconnect", "starttransfer", "total")
    form = " ".join(f"%{{time_{name}}}" for name in names)
    done = watchword("fetch", "--cacert", str(tmp_path / "ca.pem"), "-o", "/dev/null", "-w", form, url)
    times = [float(text) for text in done.stdout.split()]
    assert times == sorted(times)
    assert len(set(times[1:])) == 4


def test_status_shows_everything_there_is(
    watchword: Command, connect: Callable[..., Peer], daemon: Daemon, origin: ScriptedOrigin, staff: str
) -> None:
    """The credential is good for the directory of /staff, and sent to /other unasked, too."""
    peer = connect()
    peer.open("reports", tasks=["*"])
    fetch = peer.start_fetch("reports", staff)
    limited = {**password(USER, PASSWORD), "limits": {"lifetimeSeconds": 3600}}
    peer.answer(peer.challenge(), limited)
    peer.result(fetch)
    pending = peer.start_fetch("reports", origin.serve("/other", challenged('Basic realm="other"')))
    challenge = peer.challenge()

    page = watchword("status", "--all").stdout.decode()
    assert f"pid {daemon.pid}, up " in page and str(daemon.socket) in page
    assert re.search(r"^reports +1 +1 +1 +0 +\d+ +1 +\d", page, re.M), page
    assert re.search(rf"^  held by pid {os.getpid()} /\S+$", page, re.M), page
    (line,) = [line for line in page.splitlines() if line.startswith(f"  {USER} at ")]
    assert re.search(
        rf'{origin.url} basic "staff", forSession, used 2 times, last \S+Z, 59 min \d+ s left', line
    )
    assert f'{challenge["challenge"]}  {origin.url} basic "other"' in page
    assert f"until {challenge['deadline']}" in page
    assert f"wanted by pid {os.getpid()} " in page
    assert re.search(r"^  challenges.raised.basic +2$", page, re.M), page
    assert re.search(r"^  challenges.answered.useCredential +1$", page, re.M), page
    assert re.search(r"^  fetches.succeeded +1$", page, re.M), page
    assert re.search(r"^  waitingTasks +1 of 20000 in use$", page, re.M), page

    snapshot = json.loads(watchword("status", "--json").stdout)
    (session,) = snapshot["sessions"]
    (held,) = session["credentials"]
    assert (held["uses"], held["protectionSpace"]["host"], held["user"]) == (2, "127.0.0.1", USER)
    assert held["lastUsed"] and 3500 < held["secondsLeft"] <= 3600

    metrics = watchword("status", "--metrics", "--by-session").stdout.decode().splitlines()
    assert metrics[-1] == "# EOF"
    label = f'{{session="reports",uid="{os.getuid()}"}}'
    for name in ("holders", "credentials", "pending_challenges", "tasks"):
        assert f"watchword_session_{name}{label} 1" in metrics
    assert "watchword_challenges_raised_total 2" in metrics
    assert 'watchword_usage{limit="waiting_tasks"} 1' in metrics
    counters = {line.split()[2] for line in metrics if line.endswith(" counter")}
    samples = {re.split(r"[ {]", line)[0] for line in metrics if not line.startswith("#")}
    assert {f"{counter}_total" for counter in counters} <= samples

    peer.answer(challenge, None)
    peer.result(pending)


def test_a_watched_status_lists_holders_and_credentials(
    watchword: Command, connect: Callable[..., Peer], staff: str
) -> None:
    terminal = watchword.on_terminal("status", "--watch", "--all")
    terminal.read_until(b"no sessions")
    peer = connect()
    peer.open("reports", tasks=["*"])
    fetch = peer.start_fetch("reports", staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    terminal.read_until(f"held by pid {os.getpid()}".encode())
    terminal.read_until(f"{USER} at ".encode())
    terminal.press(b"\x03")
    terminal.end()


def test_the_history_is_for_people_and_programs(
    watchword: Command, peer: Peer, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", challenged('Basic realm="staff"'))
    session = peer.open("s", tasks=["*"])
    request = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    assert peer.result(request)["status"] == 401
    done = watchword("credentials", "history", "--user", USER)
    (line,) = done.stdout.decode().splitlines()
    assert f"refused {USER} at {origin.url}, basic" in line
    assert f"for pid {os.getpid()}, by pid {os.getpid()}, session s" in line
    entries = json.loads(watchword("credentials", "history", "--json", "-n", "2").stdout)["entries"]
    assert [entry["outcome"] for entry in entries] == ["rejected", "refused"]
    assert watchword("credentials", "history", "-n", "none").returncode == USAGE
