"""The file of permanent decisions: damaged, foreign, killed while it is written."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable

import pytest

from Integration.permanent_trust.scene import accept, file_of, kept, listed, restart, state
from Integration.wire import Json, Peer
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
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
    assert "permanent decisions not understood" in daemon.output()
    aside = file_of(daemon).with_name(file_of(daemon).name + ".unreadable-1")
    assert aside.read_bytes() == BROKEN[name] and not file_of(daemon).exists()
    peer = connect()
    assert listed(peer) == []
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert len(kept(daemon)) == 1 and aside.exists()


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


def test_a_good_file_is_taken_as_it_is(daemon: Daemon, connect: Connect) -> None:
    state(daemon).mkdir(mode=0o700)
    file_of(daemon).write_bytes(decision_with())
    file_of(daemon).chmod(0o600)
    (state(daemon) / (file_of(daemon).name + ".new")).write_text("left behind")
    restart(daemon)
    [one] = listed(connect())
    assert (one["trust"], one["origin"], one["uses"]) == ("p1", "https://localhost:443", 0)


def crowd_of(base: Json, count: int) -> bytes:
    """A document with so many decisions, `p1` and up, all about different ports."""
    crowd = [{**base, "trust": f"p{number}", "port": number} for number in range(1, count + 1)]
    return json.dumps({**GOOD, "lastNumber": count, "decisions": crowd}).encode()


def test_a_kill_at_any_instant_leaves_the_old_or_the_new(daemon: Daemon, connect: Connect) -> None:
    count = 120
    [base] = json.loads(decision_with())["decisions"]
    state(daemon).mkdir(mode=0o700)
    names = [f"p{number}" for number in range(1, count + 1)]
    for attempt in range(11):
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
        file_of(daemon).write_bytes(crowd_of(base, count))
        file_of(daemon).chmod(0o600)
        daemon.start()
        peer = connect()
        requests = [peer.request("trust/remove", {"trust": name}) for name in names]
        # Killed after as many replies as the attempt says, while more are being written.
        promised = requests[: 1 + attempt * attempt]
        assert [peer.result(request)["removed"] for request in promised] == [1] * len(promised)
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
        left = [one["trust"] for one in kept(daemon)]
        # What was promised holds, and what is left are the changes up to some instant.
        assert len(left) <= count - len(promised) and left == names[count - len(left) :]
        daemon.start()
        assert [one["trust"] for one in listed(connect())] == left


def test_many_at_once_are_written_together(daemon: Daemon, connect: Connect) -> None:
    [base] = json.loads(decision_with())["decisions"]
    count = 200
    state(daemon).mkdir(mode=0o700)
    file_of(daemon).write_bytes(crowd_of(base, count))
    file_of(daemon).chmod(0o600)
    restart(daemon)
    peer = connect()
    requests = [peer.request("trust/remove", {"trust": f"p{number}"}) for number in range(1, count + 1)]
    assert sum(peer.result(request)["removed"] for request in requests) == count
    assert kept(daemon) == [] and 1 <= peer.counter("trust.written") < count
