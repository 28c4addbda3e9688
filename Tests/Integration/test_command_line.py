"""`watchword` as a person and a script use it: output, prompts, exit codes."""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.sentinels import MARK, PASSWORD, TOKEN, USER, WRONG_PASSWORD, traces_in
from Integration.wire import PATIENCE, Peer, password
from Support import loopback
from Support.certificates import Authority
from Support.daemon import Daemon, clean_environment, program
from Support.documents import BIG_SIZE, binary
from Support.guards import BasicGuard, BearerGuard, DigestGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, challenged, coded, gzip_bomb, redirect, reply, stall_after
from Support.terminal import Terminal

OK, FAILED, USAGE, AUTHENTICATION, TRUST, NO_DAEMON = range(6)


class Command:
    """Runs `watchword` against the daemon of the test."""

    def __init__(self, daemon: Daemon) -> None:
        self.environment = {**clean_environment(daemon.directory), "WATCHWORD_SOCKET": str(daemon.socket)}
        self.shown = b""

    def __call__(
        self, *arguments: str, send: bytes = b"", **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        done = subprocess.run(
            [str(program("watchword")), *arguments],
            input=send,
            capture_output=True,
            env={**self.environment, **environment},
            timeout=PATIENCE,
            start_new_session=True,
        )
        assert done.returncode >= 0, done.stderr
        self.shown += done.stdout + done.stderr
        return done

    def on_terminal(self, *arguments: str) -> Terminal:
        return Terminal([str(program("watchword")), *arguments], self.environment)


@pytest.fixture
def watchword(daemon: Daemon) -> Iterator[Command]:
    command = Command(daemon)
    yield command
    assert traces_in(command.shown) == []


@pytest.fixture
def askpass(tmp_path: Path) -> Callable[..., str]:
    """Makes a program that notes its prompts and gives the answers, one a call."""

    def make(*answers: str) -> str:
        for number, answer in enumerate(answers):
            (tmp_path / f"answer{number}").write_text(answer + "\n")
        path = tmp_path / "askpass"
        path.write_text(
            f'#!/bin/sh\ncd "{tmp_path}" || exit 1\nprintf "%s\\n" "$1" >>prompts\n'
            'n=$(($(wc -l <prompts) - 1))\n[ -e "answer$n" ] || exit 1\ncat "answer$n"\n'
        )
        path.chmod(0o700)
        return str(path)

    return make


@pytest.fixture
def staff(origin: ScriptedOrigin) -> str:
    return origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """Its message for people: one that begins with its name."""
    text = done.stderr.decode()
    assert text.startswith("watchword: "), text
    return text


def test_fetch_prints_the_body(watchword: Command, origin: ScriptedOrigin) -> None:
    done = watchword("fetch", origin.serve("/", reply(body=b"\x00binary\xff")))
    assert (done.returncode, done.stdout, done.stderr) == (OK, b"\x00binary\xff", b"")


def test_fetch_shows_the_head(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(headers=[("X-Shown", "1")]))
    head, _, body = watchword("fetch", "-i", url).stdout.replace(b"\r\n", b"\n").partition(b"\n\n")
    assert b"200" in head.splitlines()[0]
    assert b"X-Shown: 1" in head
    assert body == OK_BODY
    only = watchword("fetch", "-I", url).stdout
    assert b"X-Shown: 1" in only
    assert OK_BODY not in only
    assert origin.requests[-1].method == "HEAD"


@pytest.mark.parametrize(("origin_name", "version"), [("http2", b"HTTP/2"), ("tls", b"HTTP/1.1")])
def test_the_head_says_which_protocol_was_spoken(
    watchword: Command, nginx: Nginx, authority: Authority, origin_name: str, version: bytes
) -> None:
    url = f"{getattr(nginx, origin_name)}/small"
    for option in ("-i", "-I"):
        head = watchword("fetch", option, "--cacert", str(authority.certificate), url).stdout
        assert head.splitlines()[0] == version + b" 200"


def test_fetch_sends_what_it_is_told(watchword: Command, origin: ScriptedOrigin, tmp_path: Path) -> None:
    url = origin.serve("/", reply())
    watchword("fetch", "-X", "PATCH", "-H", "X-A: 1", "-H", "X-A: 2", "-d", "a=1", "-d", "b=2", url)
    (request,) = origin.requests
    assert (request.method, request.body, request.all("X-A")) == ("PATCH", b"a=1&b=2", ["1", "2"])
    assert request.header("Content-Type") == "application/x-www-form-urlencoded"
    (tmp_path / "data").write_bytes(binary(100_000))
    watchword("fetch", "--data-binary", f"@{tmp_path}/data", url)
    assert (origin.requests[-1].method, origin.requests[-1].body) == ("POST", binary(100_000))
    watchword("fetch", "--data-binary", "@-", url, send=b"from\nstdin\n")
    assert origin.requests[-1].body == b"from\nstdin\n"
    assert origin.requests[-1].header("Content-Length") == "11"
    watchword("fetch", "-T", "-", url, send=b"of any length")
    assert (origin.requests[-1].method, origin.requests[-1].body) == ("PUT", b"of any length")


def test_data_from_a_pipe_are_sent_again_with_the_password(
    watchword: Command, staff: str, askpass: Callable[..., str], origin: ScriptedOrigin
) -> None:
    answers = askpass(USER, PASSWORD, USER, PASSWORD)
    for size in (10, 200_000):
        data = b"\xff" * size
        options = ["--private", "--data-binary", "@-", "--askpass", answers]
        done = watchword("fetch", *options, staff, send=data)
        assert (done.returncode, done.stdout) == (OK, OK_BODY), done.stderr
        assert origin.requests[-1].body == data


def test_fetch_writes_a_file(watchword: Command, nginx: Nginx, tmp_path: Path) -> None:
    done = watchword("fetch", "-o", str(tmp_path / "out"), f"{nginx.plain}/1m")
    assert (done.returncode, done.stdout) == (OK, b"")
    assert (tmp_path / "out").read_bytes() == binary(1 << 20)


@pytest.mark.timeout(120)
def test_fetch_prints_a_gibibyte(watchword: Command, nginx: Nginx) -> None:
    size = 0
    process = subprocess.Popen(
        [str(program("watchword")), "fetch", f"{nginx.plain}/big"],
        stdout=subprocess.PIPE,
        env=watchword.environment,
    )
    assert process.stdout is not None
    while chunk := process.stdout.read(1 << 20):
        size += len(chunk)
    assert (process.wait(), size) == (OK, BIG_SIZE)


def test_fetch_decodes_when_asked(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", coded("gzip", gzip_bomb(1 << 20)))
    assert watchword("fetch", "--compressed", url).stdout == bytes(1 << 20)


def test_fetch_follows_redirects_when_asked(watchword: Command, origin: ScriptedOrigin) -> None:
    origin.serve("/next", reply())
    url = origin.serve("/", redirect("/next"))
    assert watchword("fetch", "-L", url).stdout == OK_BODY
    for session in ([], ["--private"], ["--session", "s"]):
        assert watchword("fetch", *session, url).stdout == b"moved"
    assert watchword("fetch", "-L", "--session", "s", url).stdout == OK_BODY


def test_fetch_fails_on_a_status_only_when_asked(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(404, b"not here"))
    done = watchword("fetch", url)
    assert (done.returncode, done.stdout) == (OK, b"not here")
    done = watchword("fetch", "-f", url)
    assert (done.returncode, done.stdout) == (FAILED, b"")
    assert "404" in complaint(done)


def test_fetch_gives_up_in_time(watchword: Command, origin: ScriptedOrigin) -> None:
    done = watchword("fetch", "-m", "0.3", origin.serve("/", stall_after()))
    assert done.returncode == FAILED
    complaint(done)


def test_exit_codes_tell_what_went_wrong(
    watchword: Command, staff: str, nginx: Nginx, askpass: Callable[..., str]
) -> None:
    (port,) = loopback.free_ports(1)
    assert watchword("fetch", f"http://127.0.0.1:{port}/").returncode == FAILED
    assert watchword("fetch").returncode == USAGE
    assert watchword("fetch", "--no-such-option", staff).returncode == USAGE
    assert watchword("no-such-command").returncode == USAGE
    assert watchword("fetch", "ftp://host/").returncode in (FAILED, USAGE)
    assert watchword("fetch", "--askpass", askpass(), staff).returncode == AUTHENTICATION
    assert watchword("fetch", "-f", staff).returncode in (FAILED, AUTHENTICATION)
    assert watchword("fetch", f"{nginx.tls}/small").returncode == TRUST


def test_no_daemon_is_an_exit_code_of_its_own(watchword: Command, tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="watchword-") as empty:
        for command in (["status"], ["fetch", "http://127.0.0.1/"]):
            done = watchword(*command, "--no-start", "--socket", f"{empty}/none.sock")
            assert done.returncode == NO_DAEMON
            complaint(done)
        assert list(Path(empty).iterdir()) == []


def test_fetch_starts_a_daemon_when_none_runs(origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        environment = clean_environment(Path(name))
        command = [str(program("watchword"))]
        for _ in range(2):
            done = subprocess.run([*command, "fetch", url], capture_output=True, env=environment)
            assert (done.returncode, done.stdout) == (OK, OK_BODY), done.stderr
        socket = Path(name) / "watchword" / "watchword.sock"
        with Peer(socket) as peer:
            pid = peer.call("status")["pid"]
            peer.call("server/shutdown")
            peer.wait_for_end()
        while Path(f"/proc/{pid}").exists():
            pass


def test_many_commands_at_once_start_one_daemon(origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        environment = clean_environment(Path(name))
        command = [str(program("watchword")), "fetch", url]
        pipe = subprocess.PIPE
        started = [subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment) for _ in range(8)]
        outcomes = [(process.communicate()[0], process.returncode) for process in started]
        assert outcomes == [(OK_BODY, OK)] * 8
        with Peer(Path(name) / "watchword" / "watchword.sock") as peer:
            assert peer.counter("fetches.started") == 8
            peer.call("server/shutdown")
            peer.wait_for_end()


# Being asked


def test_askpass_answers_and_the_next_fetch_is_not_asked(
    watchword: Command, staff: str, askpass: Callable[..., str], tmp_path: Path
) -> None:
    answers = askpass(USER, PASSWORD)
    done = watchword("fetch", "--askpass", answers, staff)
    assert (done.returncode, done.stdout) == (OK, OK_BODY)
    prompts = (tmp_path / "prompts").read_text()
    assert "staff" in prompts
    done = watchword("fetch", staff)
    assert done.stdout == OK_BODY
    assert (tmp_path / "prompts").read_text() == prompts


def test_a_user_on_the_command_line_leaves_the_password_to_ask(
    watchword: Command, staff: str, askpass: Callable[..., str], tmp_path: Path
) -> None:
    done = watchword("fetch", "-u", USER, "--askpass", askpass(PASSWORD), staff)
    assert done.stdout == OK_BODY
    assert len((tmp_path / "prompts").read_text().splitlines()) == 1


def test_a_wrong_answer_is_asked_again(watchword: Command, staff: str, askpass: Callable[..., str]) -> None:
    answers = askpass(WRONG_PASSWORD, PASSWORD)
    done = watchword("fetch", "-u", USER, "--askpass", answers, staff)
    assert (done.returncode, done.stdout) == (OK, OK_BODY)


@pytest.mark.parametrize("method", ["digest", "bearer"])
def test_other_methods_ask_as_well(
    watchword: Command, origin: ScriptedOrigin, askpass: Callable[..., str], method: str
) -> None:
    if method == "digest":
        url = origin.serve("/", guarded(DigestGuard("r", USER, PASSWORD)))
        answers = askpass(USER, PASSWORD)
    else:
        url = origin.serve("/", guarded(BearerGuard("r", TOKEN)))
        answers = askpass(TOKEN)
    assert watchword("fetch", "--askpass", answers, url).stdout == OK_BODY


def test_without_a_terminal_nobody_is_asked(watchword: Command, staff: str) -> None:
    done = watchword("fetch", staff)
    assert (done.returncode, done.stdout) == (OK, b"who goes there?")


def test_a_person_is_asked_without_echo(watchword: Command, staff: str) -> None:
    terminal = watchword.on_terminal("fetch", staff)
    shown = terminal.read_until(b"User")
    assert b"staff" in shown
    assert staff.removesuffix("/staff").encode() in shown
    terminal.type(USER)
    terminal.read_until(b"Password")
    terminal.type(PASSWORD)
    assert terminal.end() == OK
    assert OK_BODY.strip() in terminal.screen
    assert USER.encode() in terminal.screen
    assert traces_in(terminal.screen) == []


def test_a_person_can_interrupt(watchword: Command, staff: str) -> None:
    terminal = watchword.on_terminal("fetch", staff)
    terminal.read_until(b"User")
    terminal.press(b"\x03")
    assert terminal.end() != OK
    settings = watchword("challenges")
    assert staff.encode() not in settings.stdout


def test_control_characters_of_a_server_are_escaped(watchword: Command, origin: ScriptedOrigin) -> None:
    # Those below a space, save the tab, make a field malformed and no challenge at all; the others are text.
    url = origin.serve("/", challenged('Basic realm="evil\t\xc2\x9b31m"'))
    terminal = watchword.on_terminal("fetch", url)
    terminal.read_until(b"User")
    assert b"\t" not in terminal.screen
    assert b"\x9b" not in terminal.screen
    assert rb"\u{9b}" in terminal.screen
    terminal.press(b"\x03")
    terminal.end()


def test_sessions_are_apart(watchword: Command, staff: str, askpass: Callable[..., str]) -> None:
    answers = askpass(USER, PASSWORD)
    assert watchword("fetch", "--session", "one", "--askpass", answers, staff).stdout == OK_BODY
    assert watchword("fetch", "--session", "two", staff).stdout == b"who goes there?"
    assert watchword("fetch", "--session", "one", staff).stdout == OK_BODY


# The other commands


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


def test_a_challenge_is_answered_from_another_terminal(
    watchword: Command, connect: Callable[..., Peer], staff: str, askpass: Callable[..., str]
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    challenge = peer.challenge()["challenge"]
    listed = watchword("challenges", "--session", "s")
    assert challenge.encode() in listed.stdout
    assert b"staff" in listed.stdout
    done = watchword("answer", challenge, "-u", USER, SSH_ASKPASS="", WATCHWORD_ASKPASS=askpass(PASSWORD))
    assert done.returncode == OK, done.stderr
    assert peer.result(fetch)["status"] == 200
    assert watchword("answer", challenge, "-u", USER, WATCHWORD_ASKPASS=askpass(PASSWORD)).returncode != OK


def test_a_challenge_is_answered_on_a_terminal(
    watchword: Command, connect: Callable[..., Peer], staff: str
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    terminal = watchword.on_terminal("answer", peer.challenge()["challenge"])
    terminal.read_until(b"User")
    terminal.type(USER)
    terminal.read_until(b"Password")
    terminal.type(PASSWORD)
    assert terminal.end() == OK
    assert traces_in(terminal.screen) == []
    assert peer.result(fetch)["status"] == 200


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


def test_secrets_are_never_in_arguments(watchword: Command, staff: str) -> None:
    """A password after the colon, as curl takes it, is refused: everybody could read it."""
    done = watchword("fetch", "-u", f"{USER}:{MARK}", staff)
    assert done.returncode == USAGE
    complaint(done)


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

    page = watchword("status").stdout.decode()
    assert f"pid {daemon.pid}, up " in page and str(daemon.socket) in page
    assert re.search(r"^reports +1 +1 +1 +0 +\d+ +1$", page, re.M), page
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

    metrics = watchword("status", "--metrics").stdout.decode().splitlines()
    assert metrics[-1] == "# EOF"
    label = f'{{session="reports",uid="{os.getuid()}"}}'
    for name in ("holders", "credentials", "pending_challenges", "tasks"):
        assert f"watchword_session_{name}{label} 1" in metrics
    assert "watchword_challenges_raised_total 2" in metrics
    assert "watchword_usage_waiting_tasks 1.0" in metrics
    counters = {line.split()[2] for line in metrics if line.endswith(" counter")}
    samples = {line.split()[0] for line in metrics if not line.startswith("#")}
    assert {f"{counter}_total" for counter in counters} <= samples

    peer.answer(challenge, None)
    peer.result(pending)


def test_a_watched_status_lists_holders_and_credentials(
    watchword: Command, connect: Callable[..., Peer], staff: str
) -> None:
    terminal = watchword.on_terminal("status", "--watch")
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
