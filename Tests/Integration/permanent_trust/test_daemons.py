"""Several daemons and accounts, each with its vault."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.permanent_trust.scene import accept, as_root, ask, is_asked, kept, listed, state
from Integration.wire import PATIENCE, Peer, RemoteError
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
ALWAYS = {"trust": "certificate", "persistence": "permanent"}


def test_the_second_daemon_on_one_directory_keeps_nothing_until_the_first_has_gone(
    daemon: Daemon, start: Callable[..., tuple[Daemon, Peer]], connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    second, other = start("--state-directory", str(state(daemon)))
    assert "another daemon keeps its state there" in second.output()
    # It goes by nothing that the first may take back behind its back.
    session = other.open(tasks=["serverTrust"])
    fetch, challenge = ask(other, session, strange)
    with pytest.raises(RemoteError, match="another daemon keeps its state there") as refused:
        other.answer(challenge, ALWAYS)
    assert refused.value.kind == "storageUnavailable"
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    assert other.answer(challenge, ALWAYS) == {"accepted": True}
    assert other.result(fetch)["status"] == 200
    assert [one["trust"] for one in listed(other)] == ["p1"]
    second.stop = lambda: None  # type: ignore[method-assign]
    os.kill(second.pid, signal.SIGTERM)
    second.process.wait()
    shutil.rmtree(second.directory)
    daemon.start()
    assert not is_asked(connect(), strange)


def test_a_daemon_gets_what_the_one_before_it_leaves(
    daemon: Daemon, start: Callable[..., tuple[Daemon, Peer]], connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    _, other = start("--state-directory", str(state(daemon)))
    assert listed(other) == []
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    # Tried again, beside everything else, for every session that is made.
    for _ in range(1000):
        other.open()
        if listed(other):
            break
    assert [one["trust"] for one in listed(other)] == ["p1"] and not is_asked(other, strange)
    daemon.start()


@as_root
def test_another_account_sees_nothing_and_has_a_vault_of_its_own(
    strange: ScriptedOrigin, peers: list[Peer], start: Callable[..., tuple[Daemon, Peer]], tmp_path: Path
) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"access": "host"}))
    daemon, peer = start("--configuration", str(rules))
    daemon.directory.chmod(0o755)
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    command = [sys.executable, "-c", OTHER_ACCOUNT, str(daemon.socket), strange.url + "/"]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert outcome.stdout.split() == ["[]", "asked", "accepted", "p1"], outcome.stderr
    assert kept(daemon, 0) == kept(daemon, 65534) == ["p1"]
    # What one takes back is the other's still.
    assert peer.call("trust/remove")["removed"] == 1
    assert (kept(daemon, 0), kept(daemon, 65534)) == ([], ["p1"])
    assert peer.call("status")["usage"]["permanentTrustPerUid"] == 0


OTHER_ACCOUNT = """
import json, os, socket, sys

os.setuid(65534)
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
lines = connection.makefile("rw")

def send(number, method, **params):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    print(json.dumps(message), file=lines, flush=True)

def got(where):
    while not where(message := json.loads(lines.readline())):
        pass
    return message

def result(number):
    return got(lambda message: message.get("id") == number)["result"]

send(1, "session/open", name="other", delegate={"tasks": ["serverTrust"]})
result(1)
send(2, "trust/list", session="other")
print(result(2)["trust"])
send(3, "fetch", session="other", url=sys.argv[2])
asked = got(lambda message: message.get("method") == "task/didReceiveChallenge")["params"]["challenge"]
print("asked")
always = {"trust": "certificate", "persistence": "permanent"}
send(4, "challenge/reply", challenge=asked, disposition="useCredential", credential=always)
print("accepted" if result(4)["accepted"] else "refused")
assert result(3)["status"] == 200
send(5, "trust/list", session="other")
print(result(5)["trust"][0]["trust"])
"""
