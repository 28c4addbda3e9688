"""`watchword fetch -Z`: several URLs at the same time."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import AUTHENTICATION, CONNECTION, OK, STATUS, Command, complaint
from Integration.command_line.test_asked_once import prompts
from Integration.sentinels import OTHER_PASSWORD, PASSWORD, USER
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, held, reply, stall_after

Askpass = Callable[..., str]


def test_all_are_under_way_together(watchword: Command, origin: ScriptedOrigin, tmp_path: Path) -> None:
    gate = origin.gate()
    for name in "abc":
        origin.serve(f"/{name}", held(gate, reply(body=name.encode())))
    terminal = watchword.on_terminal("fetch", "-Z", f"{origin.url}/{{a,b,c}}", "-o", f"{tmp_path}/#1")
    origin.wait_for_requests(3)
    gate.open()
    assert terminal.end() == OK
    assert [(tmp_path / name).read_text() for name in "abc"] == ["a", "b", "c"]


def test_no_more_than_allowed_are(watchword: Command, origin: ScriptedOrigin) -> None:
    first, second = origin.gate(), origin.gate()
    origin.serve("/1", held(first, reply(body=b"1")))
    origin.serve("/2", held(second, reply(body=b"2")))
    origin.serve("/3", reply(body=b"3"))
    terminal = watchword.on_terminal("fetch", "-Z", "--parallel-max", "2", f"{origin.url}/[1-3]")
    origin.wait_for_requests(2)
    assert origin.requests_to("/3") == []
    second.open()
    origin.wait_for_requests(3)
    terminal.read_until(b"3")
    first.open()
    assert terminal.end() == OK
    assert sorted(terminal.screen.split(b"\n")[-1].decode()) == ["1", "2", "3"]


@pytest.mark.parametrize("output", [[], ["-o", "/dev/null"]])
def test_one_prompt_serves_all(
    watchword: Command, staff: str, askpass: Askpass, tmp_path: Path, output: list[str]
) -> None:
    arguments = ["-Z", "--askpass", askpass(USER, PASSWORD), *output, *[staff] * 20]
    done = watchword("fetch", *arguments)
    expected = OK_BODY * (20 if not output else 19)
    assert (done.returncode, done.stdout, done.stderr) == (OK, expected, b"")
    assert prompts(tmp_path) == 2, "user and password, once"


def test_each_server_has_its_prompt(
    watchword: Command, staff: str, origin: ScriptedOrigin, askpass: Askpass, tmp_path: Path
) -> None:
    other = origin.serve("/other", guarded(BasicGuard("other", USER, OTHER_PASSWORD)))
    answers = askpass(USER, PASSWORD, USER, OTHER_PASSWORD)
    arguments = ["-Z", "--parallel-max", "1", "--askpass", answers, staff, other, staff]
    done = watchword("fetch", *arguments)
    assert (done.returncode, done.stdout) == (OK, OK_BODY * 3), done.stderr
    assert prompts(tmp_path) == 4


def test_one_that_fails_ends_no_other(watchword: Command, origin: ScriptedOrigin, staff: str) -> None:
    gate = origin.gate()
    good = origin.serve("/good", held(gate, reply(body=b"good")))
    terminal = watchword.on_terminal("fetch", "-Z", "--no-ask", good, staff, "http://127.0.0.1:1/")
    terminal.read_until(b"the server answered 401")
    terminal.read_until(b"no connection to http://127.0.0.1:1")
    gate.open()
    terminal.read_until(b"good")
    assert terminal.end() in (AUTHENTICATION, CONNECTION), "of the one that failed last"


def test_the_first_failure_can_end_all(watchword: Command, origin: ScriptedOrigin) -> None:
    stalled = origin.serve("/stalled", stall_after())
    missing = origin.serve("/missing", reply(404))
    done = watchword("fetch", "-Z", "-f", "--fail-early", stalled, missing)
    assert (done.returncode, done.stdout) == (STATUS, b"")
    assert complaint(done).count("\n") == 1


def test_a_retry_holds_no_other_back(watchword: Command, origin: ScriptedOrigin) -> None:
    origin.serve("/busy", reply(503, headers=[("Retry-After", "0")]), reply(body=b"free"))
    gate = origin.gate()
    slow = origin.serve("/slow", held(gate, reply(body=b"slow")))
    terminal = watchword.on_terminal("fetch", "-Z", "--retry", "2", slow, f"{origin.url}/busy")
    terminal.read_until(b"free")
    gate.open()
    terminal.read_until(b"slow")
    assert terminal.end() == OK
    assert len(origin.requests_to("/busy")) == 2


def test_a_daemon_that_ends_is_said_once_for_each(
    watchword: Command, origin: ScriptedOrigin, daemon: Daemon
) -> None:
    stalled = origin.serve("/stalled", stall_after())
    terminal = watchword.on_terminal("fetch", "-Z", "--parallel-max", "2", *[stalled] * 3)
    origin.wait_for_requests(2)
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.process.wait()
    assert terminal.end() == 1
    assert terminal.screen.count(b"the daemon closed the connection") == 2
    daemon.start()
