"""The keys that open a vault: one or more of key file, credential of systemd and passphrase."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.sentinels import MARK
from Integration.vault.scene import end, keep, key_of, listed, refusal_of, restart, status_of
from Integration.wire import Peer, kind_of
from Support.daemon import Daemon

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
PASSPHRASE = {"passphrase": f"{MARK} opens it"}


@pytest.fixture
def credentials(tmp_path: Path) -> Path:
    """A directory that stands for systemd's, with one credential."""
    (tmp_path / "vault-key").write_bytes(f"{MARK} of the unit".encode())
    return tmp_path


@pytest.fixture
def environment(credentials: Path) -> dict[str, str]:
    return {"CREDENTIALS_DIRECTORY": str(credentials)}


def configure(daemon: Daemon, credentials: Path, name: str = "vault-key") -> None:
    """Starts it again with the credential in its configuration."""
    file = credentials / "configuration.json"
    file.write_text(json.dumps({"vault": {"systemdCredential": name}}))
    end(daemon)
    daemon.options += ["--configuration", str(file)]
    daemon.start()


def openers(peer: Peer) -> list[str]:
    vault = peer.call("status")["vault"]
    assert vault["opensWith"] == vault["openers"][0]
    names: list[str] = vault["openers"]
    return names


def test_a_passphrase_beside_a_key_file_opens_the_vault_without_it(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    peer = connect()
    keep(peer, staff)
    assert peer.call("vault/passphrase", {**PASSPHRASE, "keepOthers": True}) == {}
    assert openers(peer) == ["passphrase", "keyFile"]
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert openers(peer) == ["keyFile", "passphrase"] and status_of(peer, staff) == 200
    peer.call("vault/rekey")
    end(daemon)
    key_of(daemon).unlink()
    daemon.start()
    peer = connect()
    assert refusal_of(peer, staff).kind == "agentLocked"
    assert kind_of(peer.call, "agent/unlock", {"passphrase": f"{MARK} does not"}) == "credentialUnusable"
    peer.call("agent/unlock", PASSPHRASE)
    assert status_of(peer, staff) == 200
    # What opens it without a person goes with the next passphrase.
    peer.call("vault/passphrase", PASSPHRASE)
    assert openers(peer) == ["passphrase"]


def test_a_credential_of_systemd_opens_new_vaults(
    daemon: Daemon, connect: Connect, credentials: Path, staff: str
) -> None:
    configure(daemon, credentials)
    peer = connect()
    keep(peer, staff)
    assert openers(peer) == ["systemdCredential"] and not key_of(daemon).exists()
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert status_of(peer, staff) == 200
    # It is read again after the memory was cleared.
    peer.call("agent/forget")
    assert status_of(peer, staff) == 200
    for contents in (b"of another host", b"", None):
        end(daemon)
        (credentials / "vault-key").unlink(missing_ok=True)
        if contents is not None:
            (credentials / "vault-key").write_bytes(contents)
        daemon.start()
        error = refusal_of(connect(), staff)
        assert error.kind == "storageUnavailable" and "credential of systemd" in error.message
    assert not key_of(daemon).exists()


def test_rekeying_puts_it_in_the_place_of_the_key_file(
    daemon: Daemon, connect: Connect, credentials: Path, staff: str
) -> None:
    keep(connect(), staff)
    configure(daemon, credentials)
    peer = connect()
    assert openers(peer) == ["keyFile"]
    peer.call("vault/rekey")
    assert openers(peer) == ["systemdCredential"] and not key_of(daemon).exists()
    restart(daemon)
    peer = connect()
    assert status_of(peer, staff) == 200 and len(listed(peer)) == 1
    peer.call("vault/passphrase", PASSPHRASE)
    restart(daemon)
    assert connect().call("status")["vault"]["state"] == "locked"


def test_a_missing_credential_is_no_reason_for_a_key_file(
    daemon: Daemon, connect: Connect, credentials: Path, staff: str
) -> None:
    configure(daemon, credentials, "missing")
    peer = connect()
    error = refusal_of(peer, staff)
    assert error.kind == "storageUnavailable" and "missing" in error.message
    assert not key_of(daemon).exists()
