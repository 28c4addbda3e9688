"""`watchword fetch`: what it sends, prints, writes and ends with."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import (
    AUTHENTICATION,
    CONNECTION,
    NO_DAEMON,
    OK,
    OUTPUT,
    STATUS,
    TIMED_OUT,
    TRUST,
    USAGE,
    Command,
    complaint,
)
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Peer, pause
from Support import loopback
from Support.certificates import Authority
from Support.daemon import clean_environment, program
from Support.documents import BIG_SIZE, binary
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, coded, gzip_bomb, redirect, reply, stall_after


def test_fetch_prints_the_body(watchword: Command, origin: ScriptedOrigin) -> None:
    done = watchword("fetch", origin.serve("/", reply(body=b"\x00binary\xff")))
    assert (done.returncode, done.stdout, done.stderr) == (OK, b"\x00binary\xff", b"")


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_body_never_reaches_the_daemon(
    watchword: Command, origin: ScriptedOrigin, peer: Peer, closed: str
) -> None:
    """A socket takes the number of a closed descriptor, and a body is written to number 1."""
    request = {"jsonrpc": "2.0", "method": "session/open", "params": {"name": "injected"}}
    url = origin.serve("/", reply(body=json.dumps({**request, "id": 9}).encode() + b"\n"))
    line = f"exec {program('watchword')} fetch --session s {url} {closed}"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, env=watchword.environment, timeout=PATIENCE
    )
    if "1>&-" in closed:
        assert done.returncode == OUTPUT
        expected = b"" if "2>&-" in closed else b"watchword: the body cannot be written: bad file descriptor"
        assert done.stderr.startswith(expected)
    else:
        assert done.returncode == OK, done.stderr
    assert [one["session"] for one in peer.call("session/list")["sessions"]] == ["s"]


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
    assert (done.returncode, done.stdout) == (STATUS, b"")
    assert "404" in complaint(done)


def test_fetch_gives_up_in_time(watchword: Command, origin: ScriptedOrigin) -> None:
    done = watchword("fetch", "-m", "0.3", origin.serve("/", stall_after()))
    assert done.returncode == TIMED_OUT
    complaint(done)


def test_exit_codes_tell_what_went_wrong(
    watchword: Command, staff: str, nginx: Nginx, askpass: Callable[..., str]
) -> None:
    (port,) = loopback.free_ports(1)
    assert watchword("fetch", f"http://127.0.0.1:{port}/").returncode == CONNECTION
    assert watchword("fetch").returncode == USAGE
    assert watchword("fetch", "--no-such-option", staff).returncode == USAGE
    assert watchword("no-such-command").returncode == USAGE
    assert watchword("fetch", "ftp://host/").returncode == USAGE
    assert watchword("fetch", "--askpass", askpass(), staff).returncode == AUTHENTICATION
    assert watchword("fetch", "-f", staff).returncode == AUTHENTICATION
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
            pause()


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
