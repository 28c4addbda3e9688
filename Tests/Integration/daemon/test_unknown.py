"""What daemon and clients cannot know: arguments without /proc, accounts and processes of elsewhere."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from Integration.credentials.scene import put, space, staff
from Integration.daemon.scene import ALONE, UNMAPPED, WITHOUT_PROC, account, serving, stranger
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Peer, kind_of, password, pause
from Support.daemon import PROJECT, Daemon, clean_environment, program
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads


def run(directory: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=clean_environment(directory),
    )


def test_without_proc_a_daemon_goes_by_its_arguments(directory: Path, origin: ScriptedOrigin) -> None:
    missing = run(directory, *WITHOUT_PROC, program(), "--configuration", directory / "none.json")
    assert missing.returncode == 1, missing
    assert "none.json" in missing.stderr
    rules = directory / "rules.json"
    rules.write_text('{"transportSecurity": {"defaults": {"allowsCleartext": false}}}')
    with serving(directory, WITHOUT_PROC, "--configuration", str(rules)) as path, Peer(path) as peer:
        assert kind_of(peer.fetch, peer.open(), origin.url + "/") == "policyRefused"
    assert origin.requests == []


@pytest.mark.skipif("WATCHWORD_SANITIZED" in os.environ, reason="a sanitizer reads its options in /proc")
def test_without_proc_the_programs_show_their_help(directory: Path) -> None:
    for name in ("watchword", "watchwordd"):
        shown = run(directory, *WITHOUT_PROC, program(name), "--help")
        assert shown.returncode == 0, shown
        assert "usage:" in shown.stdout


def test_an_argument_that_is_no_text_is_refused(directory: Path) -> None:
    for name, command in (("watchword", [b"status"]), ("watchwordd", [])):
        done = subprocess.run(
            [os.fsencode(program(name)), *command, b"--socket", os.fsencode(directory) + b"/\xff"],
            capture_output=True,
            timeout=PATIENCE,
            env=clean_environment(directory),
        )
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"the value of --socket is not UTF-8" in done.stderr


def test_a_daemon_that_does_not_know_its_uid_does_not_start(directory: Path) -> None:
    done = run(directory, *UNMAPPED, program(), "--socket", directory / "w.sock")
    assert done.returncode == 1, done
    assert "does not map" in done.stderr


STRANGER = stranger("os.setuid(int(sys.argv[2]))")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")
def test_uids_that_a_user_namespace_does_not_map_are_refused(directory: Path) -> None:
    """All of them arrive as one uid: one account's session would be another's."""
    directory.chmod(0o755)
    rules = directory / "host.json"
    rules.write_text('{"access": "host"}')
    with serving(directory, ALONE, "--configuration", str(rules)) as path:
        for uid in ("4711", "65534"):
            done = run(directory, sys.executable, "-c", STRANGER, path, uid)
            assert done.stdout == "0\n", done


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")
def test_root_asks_a_users_daemon_and_gives_it_no_secret(directory: Path) -> None:
    """The protocol lets root see every session, reload and stop; a secret is for root's own daemon."""
    home, user = account(directory, 4711)
    with serving(home, user) as path:
        for words in (["status"], ["status", "--json"], ["status", "--metrics"], ["reload"], ["forget"]):
            done = run(directory, program("watchword"), *words, "--socket", path)
            assert (done.returncode, done.stderr) == (0, ""), done
        for words in (
            ["call", "status"],
            ["fetch", "http://127.0.0.1:1/"],
            ["credentials"],
            ["sessions"],
            ["trust"],
        ):
            done = run(directory, program("watchword"), *words, "--socket", path)
            assert (done.returncode, done.stdout) == (5, ""), done
            assert "runs as uid 4711" in done.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")
def test_a_question_of_root_carries_nothing_else(directory: Path) -> None:
    """What another uid's process gets is the method and nothing of root's."""
    directory.chmod(0o777)
    path = directory / "s"
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setuid(4711)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.fspath(path))
            listener.listen()
            os.write(writing, b".")
            connection, _ = listener.accept()
            os.write(writing, connection.recv(4096))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        assert told.read(1) == b"."
        run(directory, program("watchword"), "status", "--socket", path)
        assert json.loads(told.read()) == {"jsonrpc": "2.0", "id": 1, "method": "status", "params": {}}
    os.waitpid(child, 0)


PYTHON_CALLER = """
import sys, watchword
try:
    watchword.Client(sys.argv[1]).ping()
except watchword.UntrustedDaemon as error:
    print(error)
"""


def test_no_client_takes_a_daemon_of_an_unknown_uid_for_its_own(daemon: Daemon) -> None:
    """Where no uid is mapped, every daemon arrives with the client's own uid."""
    done = run(daemon.directory, *UNMAPPED, program("watchword"), "call", "ping", "--socket", daemon.socket)
    assert done.returncode == 5, done
    assert "does not map" in done.stderr
    sources = PROJECT / "clients" / "python" / "src"
    done = run(
        daemon.directory,
        *UNMAPPED,
        "env",
        f"PYTHONPATH={sources}",
        sys.executable,
        "-c",
        PYTHON_CALLER,
        daemon.socket,
    )
    assert "does not map" in done.stdout, done


def test_processes_that_are_not_known_are_not_one(directory: Path, origin: ScriptedOrigin) -> None:
    """A caller outside the daemon's pid namespace has the pid 0, and so has every other one."""
    url = staff(origin)
    with (
        serving(directory, [*ALONE, "--pid", "--fork", "--kill-child"]) as path,
        Peer(path) as owner,
        Peer(path) as other,
        Peer(path) as third,
    ):
        owner.open("s", tasks=["*"], session=["*"])
        put(owner, "s", space(origin), password(USER, PASSWORD, limits={"confirm": True}))
        other.open("s")
        third.open("s")
        # A connection is itself.
        assert owner.fetch("s", url)["status"] == 200
        tasks = [other.start_fetch("s", url), other.start_fetch("s", url), third.start_fetch("s", url)]
        # Each has a challenge of its own: a yes to one is none to the other.
        challenges = [owner.challenge(), owner.challenge()]
        assert [challenge["error"] for challenge in challenges] == [
            {"kind": "confirmUse", "process": None},
            {"kind": "confirmUse", "process": None},
        ]
        # The second task of the one connection may be met later.
        names = [{"challenge": challenge["challenge"]} for challenge in challenges]
        while sum(owner.call("challenge/describe", name)["waiterCount"] for name in names) < 3:
            pause()
        for challenge in challenges:
            owner.dispose(challenge, "performDefaultHandling")
        results = [other.result(tasks[0]), other.result(tasks[1]), third.result(tasks[2])]
        assert [result["status"] for result in results] == [200, 200, 200]
        owner.nothing_asked()


#: Runs a program in a pid namespace of its own, where it can choose the next pid.
OWN_PIDS = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"]

HEIR = """
import json, os, sys
from pathlib import Path
from Integration.credentials.scene import put
from Integration.daemon.scene import serving
from Integration.wire import Peer
directory, url, space, credential = Path(sys.argv[1]), sys.argv[2], *map(json.loads, sys.argv[3:])

def turn(path, gives):
    Path("/proc/sys/kernel/ns_last_pid").write_text("3999")
    if (child := os.fork()) == 0:
        with Peer(path) as peer:
            peer.open("s")
            if gives:
                put(peer, "s", space, credential)
            print(os.getpid(), peer.fetch("s", url)["status"], flush=True)
        os._exit(0)
    os.waitpid(child, 0)

with serving(directory, []) as path, Peer(path) as holder:
    holder.open("s")
    turn(path, True)
    turn(path, False)
"""


def test_a_process_with_the_pid_of_one_that_has_ended_is_another(
    directory: Path, origin: ScriptedOrigin
) -> None:
    """`confirm` is for every process but the one that gave the credential."""
    credential = password(USER, PASSWORD, limits={"confirm": True})
    words: list[str | Path] = [directory, staff(origin), json.dumps(space(origin)), json.dumps(credential)]
    tests = [f"PYTHONPATH={PROJECT / 'Tests'}", f"WATCHWORDD={program()}"]
    done = run(directory, *OWN_PIDS, "env", *tests, sys.executable, "-c", HEIR, *words)
    assert done.stdout == "4000 200\n4000 401\n", done
