"""The daemon that follows another one: what it takes over, and what becomes of a restart that fails."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.sentinels import MARK, PASSWORD, USER
from Integration.test_memory import copies
from Integration.wire import PATIENCE, Json, Peer, body_of, kind_of, many, password, pause
from Support.certificates import Authority
from Support.child_process import AdoptedProcess
from Support.client_identities import ClientAuthority
from Support.daemon import Daemon, program
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply, stall_after

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
GUARD = BasicGuard("staff", USER, PASSWORD)


def restart(peer: Peer, daemon: Daemon) -> None:
    """Until the next daemon serves."""
    assert peer.call("server/restart") == {"restarting": True}
    peer.wait_for_end()
    daemon.follow()


def test_the_next_daemon_has_what_sessions_keep(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, nginx: Nginx
) -> None:
    url = origin.serve("/", guarded(GUARD))
    before = connect()
    session = before.open("s", configuration={"timeouts": {"requestSeconds": 7}}, tasks=["*"])
    fetch = before.start_fetch(session, url)
    before.answer(before.challenge(), password(USER, PASSWORD, limits={"maximumUses": 5}))
    assert before.result(fetch)["status"] == 200
    trusted = before.start_fetch(session, f"{nginx.tls}/small")
    before.answer(before.challenge(), {"trust": "certificate", "persistence": "forSession"})
    assert before.result(trusted)["status"] == 200
    cookie = {"name": "id", "value": "7", "domain": ".a.example", "path": "/x", "secure": True}
    before.call("cookie/set", {"session": session, "cookie": cookie})
    kept = {name: listed(before, session, name) for name in ("credential", "trust", "cookie")}
    pid = before.call("status")["pid"]
    restart(before, daemon)

    after = connect()
    assert after.call("status")["pid"] != pid
    settings = after.call("session/describe", {"session": session})["configuration"]
    assert settings["timeouts"]["requestSeconds"] == 7
    for name, entries in kept.items():
        assert entries and without_times(listed(after, session, name)) == without_times(entries)
    assert after.fetch(session, url)["status"] == 200
    assert after.fetch(session, f"{nginx.tls}/small")["status"] == 200
    assert listed(after, session, "credential")[0]["uses"] == 2
    after.nothing_asked()


def listed(peer: Peer, session: str, what: str) -> list[Json]:
    reply = peer.call(f"{what}/list", {"session": session})
    (entries,) = [value for value in reply.values() if isinstance(value, list)]
    return list(entries)


def without_times(entries: list[Json]) -> list[Json]:
    """Where no server has been asked, a credential waits to be asked for, and its age goes on."""
    passing = ("created", "lastUsed", "preemptiveScopes", "expires")
    return [{name: value for name, value in entry.items() if name not in passing} for entry in entries]


def test_a_session_after_settings_is_found_again(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    settings: Json = {"configuration": {"timeouts": {"requestSeconds": 9}}, "bySettings": True}
    before = connect()
    name = before.call("session/open", {**settings, "delegate": {"tasks": ["*"]}})["session"]
    fetch = before.start_fetch(name, url)
    before.answer(before.challenge(), password(USER, PASSWORD))
    assert before.result(fetch)["status"] == 200
    restart(before, daemon)
    after = connect()
    assert after.call("session/open", settings) == {"session": name, "created": False}
    assert after.fetch(name, url)["status"] == 200


def test_a_client_certificate_is_presented_again(
    daemon: Daemon, connect: Connect, authority: Authority, run_directory: Path
) -> None:
    staff = ClientAuthority(run_directory / "restart-clients", "Staff")
    server = Nginx(run_directory / "restart-nginx", authority, USER, PASSWORD, clients=staff.certificate)
    try:
        before = connect()
        roots = {"certificates": authority.certificate.read_text(), "exclusive": True}
        session = before.open("s", configuration={"tls": {"roots": roots}})
        identity = staff.issue("alice").plain
        before.call("identity/add", {"session": session, "identity": identity})
        restart(before, daemon)
        assert connect().fetch(session, f"{server.mutual}/small")["status"] == 200
    finally:
        server.stop()


def test_a_detached_result_is_there(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    before = connect()
    session = before.open("s")
    params = {"session": session, "url": origin.serve("/", held(gate, reply(body=b"late"))), "detached": True}
    task = before.call("task/start", params)["task"]
    origin.wait_for_requests(1)
    assert before.call("server/restart") == {"restarting": True}
    gate.open()
    before.wait_for_end()
    daemon.follow()
    described = connect().call("task/describe", {"task": task})
    assert body_of(described["result"]) == b"late"


def test_who_connects_meanwhile_waits_for_the_next_daemon(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    gate = origin.gate()
    before = connect()
    session = before.open("s")
    fetch = before.start_fetch(session, origin.serve("/", held(gate, reply())))
    origin.wait_for_requests(1)
    assert before.call("server/restart") == {"restarting": True}
    assert kind_of(before.fetch, session, origin.serve("/other", reply())) == "shuttingDown"
    waiting = connect()
    ping = waiting.request("ping")
    gate.open()
    assert before.result(fetch)["status"] == 200
    assert waiting.result(ping) == {}
    daemon.follow()


def test_a_locked_agent_is_locked_after_a_restart(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    passphrase = {"passphrase": f"{MARK} locks it"}
    before = connect()
    session = before.open("s", tasks=["*"])
    fetch = before.start_fetch(session, url)
    before.answer(before.challenge(), password(USER, PASSWORD))
    assert before.result(fetch)["status"] == 200
    before.call("agent/lock", passphrase)
    restart(before, daemon)
    after = connect()
    assert listed(after, session, "credential") == []
    assert kind_of(after.call, "agent/unlock", {"passphrase": f"{MARK} does not"}) == "credentialUnusable"
    assert after.call("agent/unlock", passphrase) == {"locked": False}
    # Locking has forgotten what the session had.
    assert after.fetch(session, url)["status"] == 401


def test_a_vault_that_a_passphrase_has_opened_stays_open(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    before = connect()
    before.call("vault/init", {"passphrase": f"{MARK} opens the vault"})
    session = before.open("s", tasks=["*"])
    fetch = before.start_fetch(session, url)
    before.answer(before.challenge(), password(USER, PASSWORD, "permanent"))
    assert before.result(fetch)["status"] == 200
    restart(before, daemon)
    after = connect()
    assert after.call("status")["vault"]["state"] == "open"
    assert after.fetch(session, url)["status"] == 200
    after.call("agent/lock", {"passphrase": f"{MARK} locks it"})
    restart(after, daemon)
    locked = connect()
    assert locked.call("agent/unlock", {"passphrase": f"{MARK} locks it"}) == {"locked": False}
    assert locked.call("status")["vault"]["state"] == "locked"


def test_the_state_is_in_no_file_and_no_argument(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    before = connect()
    session = before.open("s", tasks=["*"])
    fetch = before.start_fetch(session, origin.serve("/", guarded(GUARD)))
    before.answer(before.challenge(), password(USER, PASSWORD))
    assert before.result(fetch)["status"] == 200
    restart(before, daemon)
    process = Path(f"/proc/{daemon.pid}")
    for name in ("cmdline", "environ"):
        assert PASSWORD.encode() not in (process / name).read_bytes()
    assert "memfd" not in "".join(daemon.descriptors().values())
    for path in daemon.directory.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can read the daemon's memory")
def test_no_copy_is_left_of_what_was_taken_over(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    before = connect()
    settings: Json = {"headers": [["Cookie", f"sid={PASSWORD}"]]}
    session = before.open("s", configuration=settings, tasks=["*"])
    fetch = before.start_fetch(session, url)
    before.answer(before.challenge(), password(USER, PASSWORD))
    assert before.result(fetch)["status"] == 200
    restart(before, daemon)
    after = connect()
    assert after.fetch(session, url)["status"] == 200
    assert copies(daemon, PASSWORD.encode()) > 0
    after.call("agent/forget")
    after.call("session/invalidate", {"session": session})
    after.call("ping")
    assert copies(daemon, PASSWORD.encode()) == 0


def test_a_program_that_does_not_serve_changes_nothing(tmp_path: Path, origin: ScriptedOrigin) -> None:
    """An upgrade that is broken, and then one that is not."""
    copy = tmp_path / "watchwordd"
    shutil.copy2(program(), copy)
    running = Daemon(command=[str(copy)])
    try:
        with Peer(running.socket) as peer:
            session = peer.open("s", tasks=["*"])
            fetch = peer.start_fetch(session, origin.serve("/", guarded(GUARD)))
            peer.answer(peer.challenge(), password(USER, PASSWORD))
            assert peer.result(fetch)["status"] == 200
            replace(copy, "#!/bin/sh\nexit 3\n")
            assert kind_of(peer.call, "server/restart") == "restartFailed"
            copy.unlink()
            assert kind_of(peer.call, "server/restart") == "restartFailed"
            shutil.copy2(program(), copy)
            restart(peer, running)
        with Peer(running.socket) as peer:
            assert peer.fetch(session, origin.serve("/", guarded(GUARD)))["status"] == 200
    finally:
        running.stop()


def replace(program: Path, text: str) -> None:
    """As a package does it: the program that runs keeps its file."""
    program.unlink()
    program.write_text(text)
    program.chmod(0o755)


def test_a_broken_configuration_is_said_and_changes_nothing(tmp_path: Path) -> None:
    configuration = tmp_path / "config.json"
    configuration.write_text("{}")
    running = Daemon(["--configuration", str(configuration)])
    try:
        with Peer(running.socket) as peer:
            session = peer.open("s")
            configuration.write_text('{"idleLockSeconds": "soon"}')
            with pytest.raises(Exception, match="idleLockSeconds"):
                peer.call("server/restart")
            assert session in json.dumps(peer.call("session/list"))
    finally:
        running.stop()


def test_a_second_stop_ends_the_restart(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open("s")
    fetch = peer.start_fetch(session, origin.serve("/", stall_after()))
    origin.wait_for_requests(1)
    assert peer.call("server/restart") == {"restarting": True}
    os.kill(daemon.pid, signal.SIGTERM)
    assert kind_of(peer.result, fetch) == "taskInterrupted"
    peer.wait_for_end()
    assert daemon.process.wait(PATIENCE) == 0
    assert not daemon.socket.exists()
    daemon.start()


def test_a_signal_restarts_it(daemon: Daemon, connect: Connect) -> None:
    before = connect()
    session = before.open("s")
    os.kill(daemon.pid, signal.SIGUSR2)
    before.wait_for_end()
    daemon.follow()
    assert session in json.dumps(connect().call("session/list"))


def test_a_fetch_that_waits_for_an_answer_is_interrupted(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    peer = connect()
    session = peer.open("s", tasks=["*"])
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert peer.call("server/restart") == {"restarting": True}
    os.kill(daemon.pid, 0)
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    peer.wait_for_end()
    daemon.follow()
    assert connect().fetch(session, url)["status"] == 200


@pytest.mark.parametrize("victim", ["predecessor", "successor"])
def test_one_that_is_killed_meanwhile_leaves_no_daemon_in_between(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, victim: str
) -> None:
    peer = connect()
    session = peer.open("s")
    peer.request("fetch", {"session": session, "url": origin.serve("/", stall_after())})
    origin.wait_for_requests(1)
    assert peer.call("server/restart") == {"restarting": True}
    successor = int(re.findall(r"successor=(\d+)", daemon.output())[-1])
    os.kill(daemon.pid if victim == "predecessor" else successor, signal.SIGKILL)
    if victim == "successor":
        os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait(int(PATIENCE))
    # The other one ends by itself, and the place is free.
    AdoptedProcess(successor, daemon.process.log).wait(PATIENCE)
    daemon.start()
    assert connect().call("session/list") == {"sessions": []}


def test_thousands_of_entries_are_taken_over(daemon: Daemon, connect: Connect) -> None:
    peer = connect()
    session = peer.open("s")
    count = many(3000)
    for number in range(count):
        space = {"host": f"h{number}.example", "realm": "r" * 100, "authenticationMethod": "basic"}
        peer.request(
            "credential/set",
            {
                "session": session,
                "protectionSpace": {"protocol": "https", "port": 443, **space},
                "credential": password(USER, PASSWORD),
            },
        )
    last = peer.request("ping")
    peer.result(last)
    restart(peer, daemon)
    after = connect()
    assert len(listed(after, session, "credential")) == count
    assert after.call("status")["counters"]["fetches.started"] == 0


def test_settings_with_secrets_come_back(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    netrc = {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}\n"}
    settings: Json = {
        "headers": [["Cookie", f"sid={PASSWORD}"], ["X-Octets", {"base64": "/w=="}]],
        "proxies": {"all": f"http://{USER}:{PASSWORD}@127.0.0.1:1", "except": ["127.0.0.1"]},
        "netrc": netrc,
    }
    before = connect()
    name = before.call("session/open", {"configuration": settings, "bySettings": True})["session"]
    assert before.fetch(name, url)["status"] == 200
    # One that holds nothing ends when nobody holds it.
    space = {"protocol": "http", "host": "a.example", "port": 80, "authenticationMethod": "basic"}
    given = {"session": name, "protectionSpace": space, "credential": password(USER, PASSWORD)}
    before.call("credential/set", given)
    restart(before, daemon)
    after = connect()
    opened = after.call("session/open", {"configuration": settings, "bySettings": True})
    assert opened == {"session": name, "created": False}
    assert after.fetch(name, url)["status"] == 200
    first, second = (request.headers for request in origin.requests)
    assert first == second


def test_a_decision_about_client_certificates_stays(
    daemon: Daemon, connect: Connect, authority: Authority, run_directory: Path
) -> None:
    """Without it, the one that was added last would be presented."""
    staff = ClientAuthority(run_directory / "decided", "Staff")
    server = Nginx(run_directory / "decided-nginx", authority, USER, PASSWORD, clients=staff.certificate)
    try:
        before = connect()
        roots = {"certificates": authority.certificate.read_text(), "exclusive": True}
        session = before.open("s", configuration={"tls": {"roots": roots}}, tasks=["clientCertificate"])
        alice, bob = (
            before.call("identity/add", {"session": session, "identity": staff.issue(name).plain})["identity"]
            for name in ("alice", "bob")
        )
        fetch = before.start_fetch(session, f"{server.mutual}/small")
        before.answer(before.challenge(), {"identity": alice, "persistence": "forSession"})
        assert before.result(fetch)["status"] == 200
        explain = {"session": session, "url": server.mutual}
        decided = before.call("explain", explain)["clientCertificate"]
        assert decided["decisions"][0]["choice"] == "identity"
        restart(before, daemon)
        after = connect()
        assert after.call("explain", explain)["clientCertificate"] == decided
        assert after.fetch(session, f"{server.mutual}/small")["status"] == 200
        uses = {one["identity"]: one["uses"] for one in listed(after, session, "identity")}
        assert uses == {alice: 2, bob: 0}
    finally:
        server.stop()


def test_a_session_that_finishes_does_not_come_back(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    gate = origin.gate()
    peer = connect()
    session = peer.open("s")
    fetch = peer.start_fetch(session, origin.serve("/", held(gate, reply())))
    origin.wait_for_requests(1)
    peer.call("session/finish", {"session": session})
    assert peer.call("server/restart") == {"restarting": True}
    gate.open()
    assert peer.result(fetch)["status"] == 200
    peer.wait_for_end()
    daemon.follow()
    assert connect().call("session/list") == {"sessions": []}


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1, signal.SIGKILL])
def test_a_signal_to_the_next_daemon_loses_nothing(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, number: signal.Signals
) -> None:
    """pkill finds both. One that was killed before it was given anything has another one in its place."""
    gate = origin.gate()
    peer = connect()
    session = peer.open("s", configuration={"timeouts": {"requestSeconds": 7}})
    fetch = peer.start_fetch(session, origin.serve("/", held(gate, reply())))
    origin.wait_for_requests(1)
    assert peer.call("server/restart") == {"restarting": True}
    os.kill(int(re.findall(r"successor=(\d+)", daemon.output())[-1]), number)
    gate.open()
    assert peer.result(fetch)["status"] == 200
    peer.wait_for_end()
    daemon.follow()
    settings = connect().call("session/describe", {"session": session})["configuration"]
    assert settings["timeouts"]["requestSeconds"] == 7


def test_a_socket_that_cannot_be_made_is_said_before(tmp_path: Path) -> None:
    configuration = tmp_path / "config.json"
    configuration.write_text("{}")
    running = Daemon(["--configuration", str(configuration)])
    try:
        with Peer(running.socket) as peer:
            loose = tmp_path / "loose"
            loose.mkdir()
            loose.chmod(0o777)
            rules = [{"origin": "http://a.example"}]
            socket = {"path": str(loose / "socket"), "rules": rules}
            configuration.write_text(json.dumps({"restrictedSockets": [socket]}))
            with pytest.raises(Exception, match="open to others"):
                peer.call("server/restart")
            assert peer.call("ping") == {}
    finally:
        running.stop()


def test_an_agent_that_is_left_alone_forgets_what_it_was_given(
    tmp_path: Path, origin: ScriptedOrigin
) -> None:
    configuration = tmp_path / "config.json"
    configuration.write_text(json.dumps({"agent": {"idleLockSeconds": 1}}))
    running = Daemon(["--configuration", str(configuration)])
    try:
        with Peer(running.socket) as peer:
            session = peer.open("s", tasks=["*"])
            fetch = peer.start_fetch(session, origin.serve("/", guarded(GUARD)))
            peer.answer(peer.challenge(), password(USER, PASSWORD))
            assert peer.result(fetch)["status"] == 200
            restart(peer, running)
        with Peer(running.socket) as peer:
            wait_until(peer, lambda status: status["sessions"][0]["credentials"] == [])
    finally:
        running.stop()


def wait_until(peer: Peer, holds: Callable[[Json], bool]) -> None:
    """`status` is no use of the agent."""
    while not holds(peer.call("status")):
        pause()


@pytest.mark.skipif(os.getuid() != 0, reason="only root may trace everywhere")
def test_a_daemon_that_is_traced_is_given_nothing(tmp_path: Path) -> None:
    copy, real = tmp_path / "watchwordd", program()
    shutil.copy2(real, copy)
    running = Daemon(command=[str(copy)])
    try:
        with Peer(running.socket) as peer:
            replace(
                copy,
                f"#!{sys.executable}\nimport ctypes, os, sys\nready, told = os.pipe()\n"
                "if os.fork() == 0:\n"
                "    traced = ctypes.CDLL(None).ptrace(0x4206, os.getppid(), None, None)  # PTRACE_SEIZE\n"
                "    os.close(3)\n    os.write(told, b'1' if traced == 0 else b'0')\n    os.close(told)\n"
                "    os.read(os.pipe()[0], 1)\n"
                "assert os.read(ready, 1) == b'1'\n"
                f"os.execv({str(real)!r}, sys.argv)\n",
            )
            with pytest.raises(Exception, match="traces it"):
                peer.call("server/restart")
    finally:
        running.stop()
