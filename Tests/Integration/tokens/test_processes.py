"""The process that holds a key: when it ends, what it may, what it costs."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.daemon.scene import NEIGHBOUR
from Integration.tokens.scene import add, comes, helpers, opened
from Integration.wire import PATIENCE, Peer, RemoteError, pause
from Support.certificates import Authority
from Support.client_identities import ClientAuthority
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply
from Support.soft_token import MODULE, PIN

pytestmark = [pytest.mark.core, pytest.mark.threads]
WRONG_PIN = f"{PIN}-not"


def test_a_process_ends_with_its_identity_and_with_the_daemon(
    served: Callable[..., tuple[Daemon, Peer]], keys: dict[str, str]
) -> None:
    daemon, peer = served(MODULE)
    session = peer.open()
    first, second = add(peer, session, keys["ec"]), add(peer, session, keys["rsa"])
    assert len(helpers(daemon)) == 2
    peer.call("identity/remove", {"session": session, "identity": first})
    assert comes(lambda: len(helpers(daemon)) == 1)
    peer.call("identity/remove", {"session": session, "identity": second})
    assert comes(lambda: helpers(daemon) == set())
    add(peer, session, keys["ec"])
    (orphan,) = helpers(daemon)
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.process.wait()
    assert comes(lambda: not Path(f"/proc/{orphan}").exists())
    daemon.start()


def test_a_process_ends_with_its_identity_though_a_connection_goes_on(
    served: Callable[..., tuple[Daemon, Peer]],
    origins: Callable[..., ScriptedOrigin],
    authority: Authority,
    staff: ClientAuthority,
    keys: dict[str, str],
) -> None:
    own = authority.issue("scripted-badges")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own.certificate, own.key)
    context.load_verify_locations(staff.certificate)
    context.verify_mode = ssl.CERT_REQUIRED
    origin = origins(context)
    daemon, peer = served(MODULE)
    session = opened(peer, authority)
    add(peer, session, keys["ec"])
    assert peer.fetch(session, origin.serve("/", reply()))["status"] == 200
    gate = origin.gate()
    fetch = peer.start_fetch(session, origin.serve("/held", held(gate, reply())))
    origin.wait_for_requests(1, "/held")
    peer.call("identity/remove", {"session": session})
    assert comes(lambda: helpers(daemon) == set())
    gate.open()
    assert peer.result(fetch)["status"] == 200
    assert len(origin.connections) == 1


def test_keys_of_tokens_are_limited_for_each_uid(
    served: Callable[..., tuple[Daemon, Peer]], keys: dict[str, str]
) -> None:
    directory = Path(tempfile.mkdtemp(prefix="watchword-"))
    directory.chmod(0o755)
    daemon, peer = served(MODULE, access="host", directory=directory)
    limit = peer.call("status")["limits"]["tokenProcessesPerUid"]
    sessions = [peer.open(f"s{number}") for number in range(limit + 1)]
    for session in sessions[:limit]:
        add(peer, session, keys["ec"])
    with pytest.raises(RemoteError) as caught:
        add(peer, sessions[-1], keys["ec"])
    assert (caught.value.kind, caught.value.data["limit"]) == ("limitExceeded", "tokenProcessesPerUid")
    assert len(helpers(daemon)) == limit
    if os.getuid() == 0:
        request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "identity/tokens", "params": {}})
        neighbour = [sys.executable, "-c", NEIGHBOUR, str(daemon.socket), request]
        told = subprocess.run(neighbour, capture_output=True, text=True, timeout=PATIENCE)
        assert "CN=alice" in told.stdout, told
    peer.call("identity/remove", {"session": sessions[0]})
    add(peer, sessions[-1], keys["ec"])


def test_a_notification_leaves_no_key_behind(
    served: Callable[..., tuple[Daemon, Peer]], keys: dict[str, str]
) -> None:
    daemon, peer = served(MODULE)
    session = peer.open()
    for pin, kept in ((PIN, 1), (WRONG_PIN, 0)):
        identity = {"pkcs11": keys["ec"], "passphrase": pin}
        peer.notify("identity/add", {"session": session, "identity": identity})
        assert peer.call("status")["usage"]["tokenProcesses"] == 1
        while kept and not peer.call("identity/list", {"session": session})["identities"]:
            pause()
        assert peer.call("identity/remove", {"session": session}) == {"removed": kept}
        assert comes(lambda: peer.call("status")["usage"]["tokenProcesses"] == 0)
    assert comes(lambda: helpers(daemon) == set())


@pytest.mark.parametrize("fault", ["hang-load", "hang-login"])
def test_a_module_that_hangs_delays_no_other_and_goes_with_its_caller(
    faulty: tuple[Daemon, Peer, Path], keys: dict[str, str], fault: str
) -> None:
    daemon, peer, file = faulty
    file.write_text(fault)
    session = peer.open()
    identity = {"pkcs11": keys["ec"], "passphrase": PIN}
    # More than a connection may read at once: what is cancelled counts no longer.
    for _ in range(5):
        adding = peer.request("identity/add", {"session": session, "identity": identity})
        assert peer.call("ping", {}) == {}
        assert len(helpers(daemon)) == 1
        peer.notify("$/cancelRequest", {"id": adding})
        with pytest.raises(RemoteError) as caught:
            peer.result(adding)
        assert caught.value.kind == "requestCancelled"
        assert comes(lambda: helpers(daemon) == set())
    with Peer(daemon.socket) as brief:
        brief.request("identity/add", {"session": brief.open(), "identity": identity})
        assert comes(lambda: len(helpers(daemon)) == 1)
    assert comes(lambda: helpers(daemon) == set())
    file.write_text("")
    add(peer, session, keys["ec"])


def test_the_process_can_be_neither_traced_nor_dumped(
    served: Callable[..., tuple[Daemon, Peer]], keys: dict[str, str]
) -> None:
    daemon, peer = served(MODULE)
    add(peer, peer.open(), keys["ec"])
    (process,) = helpers(daemon)
    limits = Path(f"/proc/{process}/limits").read_text()
    (core,) = [line for line in limits.splitlines() if line.startswith("Max core file size")]
    assert core.split()[4:6] == ["0", "0"]
    status = Path(f"/proc/{process}/status").read_text()
    assert "NoNewPrivs:\t1" in status
    # Nothing of the daemon's but the one connection.
    leads = {str(entry.readlink()).partition(":")[0] for entry in Path(f"/proc/{process}/fd").iterdir()}
    assert leads <= {"socket", "/dev/null"} | {lead for lead in leads if lead.startswith(str(MODULE.parent))}
