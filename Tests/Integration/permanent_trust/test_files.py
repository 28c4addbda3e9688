"""The file in which earlier versions kept permanent decisions: its decisions become records of the vault."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable

import pytest

from Integration.permanent_trust.scene import (
    LEDGER,
    accept,
    ask,
    file_of,
    is_asked,
    kept,
    listed,
    restart,
    state,
    vault_of,
)
from Integration.wire import Json, Peer, kind_of
from Support.daemon import Daemon, clean_environment, program
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
ALWAYS = {"trust": "certificate", "persistence": "permanent"}
GOOD: Json = {"version": 1, "uid": os.geteuid(), "lastNumber": 0, "decisions": []}

BROKEN = {
    "empty": b"",
    "half": b'{"version": 1, "decisions": [',
    "not an object": b"[]",
    "another's": json.dumps({**GOOD, "uid": 4242}).encode(),
    "newer": json.dumps({**GOOD, "version": 2, "news": True}).encode(),
    "no version": b"{}",
    "unknown member": json.dumps({**GOOD, "more": 1}).encode(),
    "too large": b" " * (1024 * 1024 + 1),
    "too deep": b"[" * 100_000,
    "not text": bytes(range(256)),
    "no number": json.dumps({**GOOD, "lastNumber": -1}).encode(),
}


def decision_with(**changes: Json) -> bytes:
    digest = "sha256/" + "A" * 43 + "="
    one: Json = {
        "trust": "p1",
        "protocol": "https",
        "host": "localhost",
        "port": 443,
        "subject": "CN=x",
        "sha256": digest,
        "publicKey": digest,
        "scope": "publicKey",
        "excused": [{"reason": "unknownIssuer", "depth": 0}],
        "created": "2026-11-21T12:05:00Z",
    }
    one.update(changes)
    return json.dumps({**GOOD, "lastNumber": 1, "decisions": [one]}).encode()


BROKEN |= {
    "a rule excused": decision_with(excused=[{"reason": "policy", "depth": 0}]),
    "a reason unknown": decision_with(excused=[{"reason": "everything", "depth": 0}]),
    "no chain": decision_with(scope="certificate"),
    "an id never given": decision_with(trust="p2"),
    "no id": decision_with(trust="p01"),
    "a port": decision_with(port=65536),
    "a digest": decision_with(sha256="sha256/AAAA"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_not_understood_is_put_aside(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin, name: str
) -> None:
    state(daemon).mkdir(mode=0o700)
    file_of(daemon).write_bytes(BROKEN[name])
    file_of(daemon).chmod(0o600)
    restart(daemon)
    assert "file of permanent decisions not taken over" in daemon.output()
    aside = file_of(daemon).with_name(file_of(daemon).name + ".unreadable-1")
    assert aside.read_bytes() == BROKEN[name] and not file_of(daemon).exists()
    peer = connect()
    assert listed(peer) == []
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert kept(daemon) == ["p1"] and aside.exists() and not file_of(daemon).exists()


def test_what_is_no_file_of_ours_is_put_aside(daemon: Daemon, connect: Connect) -> None:
    state(daemon).mkdir(mode=0o700)
    elsewhere = daemon.directory / "elsewhere"
    elsewhere.write_bytes(decision_with())
    name = file_of(daemon)
    name.symlink_to(elsewhere)
    restart(daemon)
    name.mkdir()
    restart(daemon)
    os.mkfifo(name)
    restart(daemon)
    name.write_bytes(decision_with())
    name.chmod(0o666)
    restart(daemon)
    for _ in range(4):
        name.write_bytes(b"?")
        restart(daemon)
    # As many as are kept, the last one the newest.
    aside = sorted(path.name for path in state(daemon).iterdir() if "unreadable" in path.name)
    assert aside == [f"{name.name}.unreadable-{number}" for number in range(1, 6)]
    assert elsewhere.read_bytes() == decision_with()
    assert listed(connect()) == []


def write(daemon: Daemon, document: bytes) -> None:
    state(daemon).mkdir(mode=0o700, exist_ok=True)
    file_of(daemon).write_bytes(document)
    file_of(daemon).chmod(0o600)


def test_a_good_file_becomes_records_once(daemon: Daemon, connect: Connect) -> None:
    write(daemon, decision_with())
    left = file_of(daemon).with_name(file_of(daemon).name + ".new")
    left.write_text("left behind")
    restart(daemon)
    [one] = listed(connect())
    assert (one["trust"], one["origin"], one["uses"]) == ("p1", "https://localhost:443", 0)
    assert not file_of(daemon).exists() and not left.exists() and kept(daemon) == ["p1"]
    assert daemon.output().count("permanent decisions taken over") == 1
    assert daemon.output().count("vault made") == 1
    # A file that was put back, or that could not be removed, brings nothing back.
    assert connect().call("trust/remove")["removed"] == 1
    write(daemon, decision_with())
    restart(daemon, signal.SIGKILL)
    assert listed(connect()) == [] and not file_of(daemon).exists()


def test_a_file_without_decisions_makes_no_vault(daemon: Daemon, connect: Connect) -> None:
    write(daemon, json.dumps({**GOOD, "lastNumber": 4}).encode())
    restart(daemon)
    peer = connect()
    assert listed(peer) == [] and not vault_of(daemon).exists()
    # Its numbers are not given again.
    peer.call("vault/init")
    assert not file_of(daemon).exists()


def test_a_file_of_a_daemon_that_came_between_is_merged(daemon: Daemon, connect: Connect) -> None:
    """As after a return to an earlier version."""
    write(daemon, crowd_of(json.loads(decision_with())["decisions"][0], 3))
    restart(daemon)
    [base] = json.loads(decision_with())["decisions"]
    document = {
        **GOOD,
        "lastNumber": 2,
        "decisions": [{**base, "port": 3}, {**base, "trust": "p2", "port": 9}],
    }
    write(daemon, json.dumps(document).encode())
    restart(daemon)
    origins = {one["trust"]: one["origin"].rsplit(":", 1)[1] for one in listed(connect())}
    assert origins == {"p1": "1", "p2": "2", "p3": "3", "p4": "9"}


def test_a_locked_vault_takes_the_file_when_it_is_unlocked(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    connect().call("vault/init", {"passphrase": "river"})
    write(daemon, decision_with())
    restart(daemon)
    peer = connect()
    assert file_of(daemon).exists() and listed(peer) == []
    assert kind_of(peer.call, "trust/remove", {"trust": "p1"}) == "agentLocked"
    _, challenge = ask(peer, peer.open(tasks=["serverTrust"]), strange)
    assert kind_of(peer.answer, challenge, ALWAYS) == "agentLocked"
    peer.call("agent/unlock", {"passphrase": "river"})
    assert [one["trust"] for one in listed(peer)] == ["p1"] and not file_of(daemon).exists()
    peer.answer(challenge, ALWAYS)
    assert kept(daemon) == ["p1", "p2"] and peer.call("status")["vault"]["trust"] == 2


def crowd_of(base: Json, count: int) -> bytes:
    """A document with so many decisions, `p1` and up, all about different ports."""
    crowd = [{**base, "trust": f"p{number}", "port": number} for number in range(1, count + 1)]
    return json.dumps({**GOOD, "lastNumber": count, "decisions": crowd}).encode()


def test_a_kill_at_any_instant_leaves_the_old_or_the_new(daemon: Daemon, connect: Connect) -> None:
    count = 120
    [base] = json.loads(decision_with())["decisions"]
    names = [f"p{number}" for number in range(1, count + 1)]
    for attempt in range(11):
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
        shutil.rmtree(vault_of(daemon).parent, ignore_errors=True)
        write(daemon, crowd_of(base, count))
        daemon.start()
        peer = connect()
        requests = [peer.request("trust/remove", {"trust": name}) for name in names]
        # Killed after as many replies as the attempt says, while more are being written.
        promised = requests[: 1 + attempt * attempt]
        assert [peer.result(request)["removed"] for request in promised] == [1] * len(promised)
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
        left = kept(daemon)
        # What was promised holds, and what is left are the changes up to some instant.
        assert len(left) <= count - len(promised) and left == names[count - len(left) :]
        daemon.start()
        assert [one["trust"] for one in listed(connect())] == left


def test_a_kill_while_the_file_is_taken_over_loses_nothing(daemon: Daemon, connect: Connect) -> None:
    """Killed at the start, later each time, until the file has gone."""
    [base] = json.loads(decision_with())["decisions"]
    count = 200
    names = [f"p{number}" for number in range(1, count + 1)]
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.process.wait()
    write(daemon, crowd_of(base, count))
    environment = clean_environment(daemon.directory)
    command = [str(program()), "--socket", str(daemon.socket), "--state-directory", str(state(daemon))]
    for attempt in range(60):
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.004 * attempt)
        process.kill()
        process.wait()
        if not file_of(daemon).exists():
            break
        assert len(kept(daemon)) in (0, count) if vault_of(daemon).exists() else True
    daemon.start()
    assert [one["trust"] for one in listed(connect())] == names == kept(daemon)
    assert not file_of(daemon).exists()


def test_many_at_once_are_written_together(daemon: Daemon, connect: Connect) -> None:
    [base] = json.loads(decision_with())["decisions"]
    count = 200
    write(daemon, crowd_of(base, count))
    restart(daemon)
    peer = connect()
    requests = [peer.request("trust/remove", {"trust": f"p{number}"}) for number in range(1, count + 1)]
    assert sum(peer.result(request)["removed"] for request in requests) == count
    assert kept(daemon) == [] and 1 <= peer.counter("vault.written") < count


def test_nothing_of_a_decision_but_its_origin_is_legible(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    [decision] = listed(peer)
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    octets = vault_of(daemon).read_bytes()
    assert b"unknownIssuer" not in octets and decision["publicKey"].encode() not in octets
    daemon.start()


def test_a_decision_that_was_moved_to_another_origin_does_not_count(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    with sqlite3.connect(vault_of(daemon)) as database:
        database.execute("UPDATE record SET space = ? WHERE number > ?", (b"https\0other\x00443\0", LEDGER))
    database.close()
    daemon.start()
    peer = connect()
    assert listed(peer) == [] and "records that do not open" in daemon.output()
    assert is_asked(peer, strange)
    assert peer.call("vault/check") == {
        "records": 1,
        "credentials": 0,
        "trust": 0,
        "identities": 0,
        "unreadable": 1,
        "complaint": None,
    }
