"""`watchword run`: a command that may fetch by rules."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import NO_DAEMON, OK, USAGE, Command, complaint
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Json, Peer
from Support.certificates import Authority
from Support.daemon import Daemon, program
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

PROGRAM = str(program("watchword"))

#: What a command could try, one a line; each must print nothing.
ATTEMPTS = """
watchword fetch -sS {other} {no_start}
watchword fetch -sS {away}
watchword fetch -sS {outside}
watchword fetch -sS -X DELETE {url}
watchword fetch -sS -H 'Host: other.example' {url}
watchword fetch -sS -H 'X_HTTP_Method_Override: DELETE' {url}
watchword fetch -sS '{url}/..%e2%80%8b/outside'
watchword fetch -sS -X trace {url}
watchword fetch -sS -x {other} {url}
watchword fetch -sS --session default {url}
watchword credentials
watchword credentials set {url} --user reader
watchword challenges
watchword sessions
watchword status
watchword trust
watchword explain {url}
watchword call session/open '{{"name":"s"}}'
watchword call session/open '{{}}'
watchword call credential/list
watchword call peer/restrict '{{"rules":[{{"origin":"{other}"}}]}}'
watchword shutdown
watchword run --allow 'GET {other}' -- true
"""


@pytest.fixture
def known(peer: Peer, origin: ScriptedOrigin) -> Json:
    """A session that knows the password of the origin."""
    peer.open("s")
    space = {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": origin.port,
        "authenticationMethod": "basic",
    }
    credential = {"user": USER, "password": PASSWORD}
    peer.call("credential/set", {"session": "s", "protectionSpace": space, "credential": credential})
    return space


def test_a_command_gets_its_file_and_nothing_else(
    watchword: Command,
    known: Json,
    staff: str,
    peer: Peer,
    origin: ScriptedOrigin,
    origins: Callable[..., ScriptedOrigin],
    tmp_path: Path,
) -> None:
    other = origins()
    other.serve("*", reply())
    away = origin.serve("/staff/away", redirect(f"{other.url}/taken"))
    places = {
        "other": other.url,
        "away": away,
        "outside": origin.url + "/outside",
        "url": staff,
        "no_start": "--no-start",
    }
    script = tmp_path / "job"
    lines = ATTEMPTS.format(**places).strip().splitlines()
    script.write_text(
        "".join(f"{line.replace('watchword', PROGRAM, 1)} </dev/null 2>>errors && exit 9\n" for line in lines)
        + f"exec {PROGRAM} fetch -sS {staff}\n"
    )
    rule = f"GET {staff}*"
    done = watchword("run", "--allow", rule, "--session", "s", "--", "sh", "-c", f"cd {tmp_path}; . ./job")
    errors = (tmp_path / "errors").read_text()
    assert (done.returncode, done.stdout) == (OK, b"the watchword is known\n"), (done.stderr, errors)
    assert PASSWORD not in errors
    assert not other.requests
    assert {(request.method, request.path) for request in origin.requests} == {
        ("GET", "/staff"),
        ("GET", "/staff/away"),
    }
    assert peer.counter("restrictions.violations") > 10


@pytest.mark.parametrize(("command", "status"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137)])
def test_its_exit_status_is_that_of_the_command(watchword: Command, command: str, status: int) -> None:
    done = watchword("run", "--allow", "GET https://a.example/*", "--", "sh", "-c", command)
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", b"")


def test_its_streams_and_arguments_are_the_command_s(watchword: Command) -> None:
    done = watchword(
        "run",
        "--allow",
        "* https://a.example",
        "--",
        "sh",
        "-c",
        'cat; echo "$@" >&2',
        "sh",
        "-x",
        "b c",
        send=b"in",
    )
    assert (done.stdout, done.stderr) == (b"in", b"-x b c\n")


def test_its_socket_is_private_and_is_removed(watchword: Command, daemon: Daemon) -> None:
    show = 'stat -c "%a" "$(dirname "$WATCHWORD_SOCKET")" "$WATCHWORD_SOCKET"; echo "$WATCHWORD_SOCKET"'
    done = watchword("run", "--allow", "GET https://a.example/*", "--", "sh", "-c", show)
    directory, mode, path = done.stdout.decode().split()
    assert (directory, mode) == ("700", "600")
    assert path.startswith(str(daemon.directory))
    assert not Path(path).parent.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_signals_are_passed_on(watchword: Command, number: signal.Signals) -> None:
    """And the socket is removed also then."""
    trap = f'trap "echo caught; exit 3" {number.name[3:]}'
    script = f'{trap}; echo "$WATCHWORD_SOCKET"; while :; do sleep 0.01; done'
    process = subprocess.Popen(
        [PROGRAM, "run", "--allow", "GET https://a.example/*", "--", "sh", "-c", script],
        stdout=subprocess.PIPE,
        env=watchword.environment,
        text=True,
    )
    with process:
        assert process.stdout is not None
        path = process.stdout.readline().strip()
        process.send_signal(number)
        assert process.stdout.read() == "caught\n"
        assert process.wait(PATIENCE) == 3
    assert not Path(path).parent.exists()


def test_no_connection_has_every_right_while_a_command_runs(watchword: Command, peer: Peer) -> None:
    """Not even its parent's, which root could take."""
    peer.open("s")
    process = subprocess.Popen(
        [
            PROGRAM,
            "run",
            "--allow",
            "GET https://a.example/*",
            "--session",
            "s",
            "--",
            "sh",
            "-c",
            "echo; read line",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=watchword.environment,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"
        holders = peer.call("session/describe", {"session": "s"})["holders"]
        mine, other = sorted(holders, key=lambda holder: holder["pid"] == process.pid)
        assert (other["pid"], mine["restriction"]) == (process.pid, None)
        assert other["restriction"] is not None
        process.communicate(b"\n", PATIENCE)
    assert process.returncode == 0


def test_a_command_cannot_take_the_connection_of_its_parent(watchword: Command) -> None:
    """As /proc sees it; root must lose a capability to be refused."""
    probe = 'readlink "/proc/$PPID/fd/0" "/proc/$PPID/exe"; echo done'
    command = [PROGRAM, "run", "--allow", "GET https://a.example/*", "--", "sh", "-c", probe]
    if os.getuid() == 0:
        command = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", *command]
    done = subprocess.run(
        command,
        env=watchword.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == b"done\n"


def test_a_command_may_set_the_fields_that_are_named(watchword: Command, known: Json, staff: str) -> None:
    fetch = f"{PROGRAM} fetch -sS -H 'X-A: 1' {staff}"
    rules = ("--allow", f"GET {staff}", "--session", "s")
    refused = watchword("run", *rules, "--", "sh", "-c", fetch)
    assert refused.returncode != OK and b"known" not in refused.stdout
    done = watchword("run", *rules, "--allow-header", "x-a", "--", "sh", "-c", fetch)
    assert (done.returncode, done.stdout) == (OK, b"the watchword is known\n"), done.stderr


def test_a_command_has_the_roots_of_its_session(
    watchword: Command, known: Json, staff: str, authority: Authority, tmp_path: Path
) -> None:
    """Those that a variable names are left out; an option that nobody can follow is refused."""
    roots = tmp_path / "roots.pem"
    roots.write_text(authority.pem)
    run = ("run", "--allow", f"GET {staff}", "--session", "s", "--", "sh", "-c")
    done = watchword(*run, f"{PROGRAM} fetch -sS {staff}", CURL_CA_BUNDLE=str(roots))
    assert (done.returncode, done.stdout) == (OK, b"the watchword is known\n"), done.stderr
    refused = watchword(*run, f"{PROGRAM} fetch -sS --cacert {roots} {staff}")
    assert refused.returncode != OK and b"restricted" in refused.stderr
    assert b"\nhint: " in refused.stderr and b"options marked *" in refused.stderr


def test_a_command_outlives_the_daemon() -> None:
    daemon = Daemon()
    ping = f"{PROGRAM} call ping --no-start >/dev/null 2>&1"
    script = f"{ping} || exit 5; kill {daemon.pid}; while {ping}; do :; done; exit 4"
    try:
        done = Command(daemon)("run", "--allow", "GET https://a.example/*", "--", "sh", "-c", script)
        assert done.returncode == 4, done.stderr
    finally:
        daemon.process.stop()
        shutil.rmtree(daemon.directory)


START_NOTHING = """
while {program} fetch -sS --no-start {url} >/dev/null 2>&1; do :; done
{program} fetch -sS {url} 2>&1; echo "status $?"
env WATCHWORD_NO_START= {program} call ping --no-start >/dev/null 2>&1; echo "status $?"
ls "${{WATCHWORD_SOCKET%/*}}"
"""


def test_no_daemon_is_started_when_the_rules_are_over(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    url = origin.serve("/open", reply(body=b"secret"))
    script = START_NOTHING.format(program=PROGRAM, url=url)
    rules = ("--allow", f"GET {origin.url}/open", "--expires", "0.5")
    done = watchword("run", *rules, "--", "sh", "-c", script)
    lines = done.stdout.decode().splitlines()
    assert b"secret" not in done.stdout
    assert [line for line in lines if line.startswith("status ")] == [f"status {NO_DAEMON}"] * 2, lines
    assert lines[-1] == "socket"


def test_no_daemon_is_started_in_place_of_one_that_is_gone() -> None:
    daemon = Daemon()
    ping = f"{PROGRAM} call ping >/dev/null 2>&1"
    script = f"{ping} || exit 7; kill -9 {daemon.pid}; while {ping} --no-start; do :; done; {ping}"
    try:
        done = Command(daemon)("run", "--allow", "GET https://a.example/*", "--", "sh", "-c", script)
        assert done.returncode == NO_DAEMON, done.stderr
    finally:
        daemon.process.stop()
        shutil.rmtree(daemon.directory)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--allow", "GET https://a.example/*", "--expires", "0", "--", "true"], USAGE, "seconds above 0"),
        (["--allow", "GET https://a.example/*", "--rate", "x", "--", "true"], USAGE, "requests above 0"),
        (["--", "true"], USAGE, "no --allow"),
        (["--allow", "GET https://a.example/*"], USAGE, "the command is missing"),
        (["--allow", "https://a.example/*", "--", "true"], USAGE, "METHODS and a URL"),
        (["--allow", "GET a.example/*", "--", "true"], USAGE, "a URL with its scheme"),
        (["--allow", "GET https://a.example/a/../*", "--", "true"], USAGE, "rules[0].path"),
        (["--allow", "TRACE https://a.example/", "--", "true"], USAGE, "no rule allows TRACE"),
        (["--allow", "get https://a.example/", "--", "true"], USAGE, "METHODS in capitals, not get"),
        (["--allow", "GET https://a.example/", "--", "/none"], 127, "no such file"),
        (["--allow", "GET https://a.example/", "--", "/"], 126, "permission denied"),
    ],
)
def test_what_cannot_be_run_says_why(
    watchword: Command, arguments: list[str], status: int, message: str, daemon: Daemon
) -> None:
    done = watchword("run", *arguments)
    assert done.returncode == status, done.stderr
    assert message in complaint(done)
    assert not list(daemon.directory.glob("watchword-run-*"))
