"""The vault's files: damaged, foreign, loose, killed while they are written, and another daemon's."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.vault.scene import (
    directory_of,
    end,
    keep,
    key_of,
    listed,
    refusal_of,
    restart,
    status_of,
    vault_of,
)
from Integration.wire import Json, Peer, password
from Support.daemon import Daemon, program

pytestmark = [pytest.mark.core, pytest.mark.threads]
Connect = Callable[..., Peer]
PAGE = 4096


@pytest.fixture
def stopped(daemon: Daemon, connect: Connect, staff: str) -> Daemon:
    """A daemon that has kept credentials and has ended."""
    peer = connect()
    for number in range(40):
        keep(peer, f"http://host{number}.test:80/", password(USER, "x" * 2000, "permanent"))
    keep(peer, staff)
    peer.close()
    end(daemon)
    # What follows is about the file alone.
    with sqlite3.connect(vault_of(daemon)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return daemon


def overwritten(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def run(path: Path, statement: str) -> None:
    database = sqlite3.connect(path)
    with database:
        database.executescript(statement)
    database.close()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: os.truncate(path, 0),
    "without tables": lambda path: run(
        path, "DROP TABLE record; DROP TABLE wrapping; PRAGMA application_id = 0"
    ),
    "no database": lambda path: path.write_bytes(b"no database at all, but long enough for a header" * 100),
    "truncated": lambda path: os.truncate(path, path.stat().st_size // 2),
    "its header": lambda path: overwritten(path, 0, bytes(100)),
    "a page": lambda path: overwritten(path, 3 * PAGE, os.urandom(PAGE)),
    "another program's": lambda path: run(path, "PRAGMA application_id = 4711"),
    "no keys": lambda path: run(path, "DELETE FROM wrapping"),
    "an altered key": lambda path: run(path, "UPDATE wrapping SET wrapped = zeroblob(61)"),
    "another key file": lambda path: (path.parent / "vault.key").write_bytes(bytes(32)),
    "a short key file": lambda path: (path.parent / "vault.key").write_bytes(b"short"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_vault_is_left_as_it_is(stopped: Daemon, connect: Connect, staff: str, name: str) -> None:
    DAMAGE[name](vault_of(stopped))
    before = vault_of(stopped).read_bytes()
    stopped.start()
    peer = connect()
    assert "vault not available" in stopped.output()
    assert peer.call("status")["vault"]["state"] == "unavailable"
    assert listed(peer) == [] and status_of(peer, staff) == 401
    error = refusal_of(peer, staff)
    assert (error.kind, error.code) == ("vaultDamaged", 1402) and "vault." in error.message
    # Everything else works.
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    peer.close()
    end(stopped)
    assert vault_of(stopped).read_bytes() == before
    stopped.start()


def renewed(path: Path, data: bytes) -> None:
    """Another file takes its place."""
    other = path.with_suffix(".other")
    other.write_bytes(data)
    other.chmod(0o600)
    other.rename(path)


#: What another program does to the file of a daemon that runs.
CHANGES: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: os.truncate(path, 0),
    "cut": lambda path: os.truncate(path, path.stat().st_size - PAGE),
    "replaced by an empty one": lambda path: renewed(path, b""),
    "replaced by another": lambda path: renewed(path, b"no database"),
    "replaced by a copy": lambda path: renewed(path, path.read_bytes()),
    "removed": lambda path: path.unlink(),
    "rewritten": lambda path: path.write_bytes(path.read_bytes()),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_another_program_did_to_the_file_is_noticed_before_a_store_is_acknowledged(
    stopped: Daemon, connect: Connect, name: str
) -> None:
    new = "http://new.test:80/"
    stopped.start()
    peer = connect()
    CHANGES[name](vault_of(stopped))
    error = refusal_of(peer, new)
    assert error.kind == "vaultDamaged" and str(vault_of(stopped)) in error.message, error
    before = vault_of(stopped).read_bytes() if vault_of(stopped).exists() else None
    opens = before is None or name in ("replaced by a copy", "rewritten")
    if opens:
        # The next request opens what is there now, and what is acknowledged then stays.
        keep(peer, new)
    else:
        assert refusal_of(peer, new).kind == "vaultDamaged"
        assert peer.call("status")["vault"]["state"] == "unavailable"
    end(stopped)
    peer.close()
    if not opens:
        assert vault_of(stopped).read_bytes() == before
    stopped.start()
    count = {"removed": 1}.get(name, 42 if opens else 0)
    assert len(listed(connect())) == count


def test_a_file_whose_last_bytes_are_missing_loses_one_record(
    stopped: Daemon, connect: Connect, staff: str
) -> None:
    os.truncate(vault_of(stopped), vault_of(stopped).stat().st_size - 8)
    stopped.start()
    peer = connect()
    vault = peer.call("status")["vault"]
    assert (vault["state"], vault["unreadable"], vault["credentials"]) == ("open", 1, 40)
    shown = subprocess.run(
        [program("watchword"), "status", "--all", "--socket", stopped.socket], capture_output=True, text=True
    )
    assert "40 permanent credentials, 1 records that do not open" in shown.stdout


def test_a_vault_that_another_daemon_is_leaving_is_waited_for(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    peer = connect()
    keep(peer, staff)
    peer.close()
    end(daemon)
    with (directory_of(daemon) / "lock").open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        daemon.start()
        assert "another daemon keeps its state there" in daemon.output()
        peer, other = connect(), connect()
        fetch = peer.start_fetch("default", staff)
        assert other.call("ping") == {}
        assert peer.replies == {}
    assert peer.result(fetch)["status"] == 200


def test_a_vault_that_did_not_open_at_the_start_is_tried_again(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    peer = connect()
    keep(peer, staff)
    peer.close()
    end(daemon)
    moved = key_of(daemon).with_suffix(".moved")
    key_of(daemon).rename(moved)
    daemon.start()
    assert "vault not available" in daemon.output()
    moved.rename(key_of(daemon))
    assert connect().fetch("default", staff)["status"] == 200
    assert daemon.output().count("vault not available") == 1


UNAVAILABLE: dict[str, Callable[[Path], object]] = {
    "an earlier schema": lambda path: run(path, "PRAGMA user_version = 1"),
    "a later schema": lambda path: run(path, "PRAGMA user_version = 99"),
    "no key file": lambda path: (path.parent / "vault.key").unlink(),
    "a key file for others": lambda path: (path.parent / "vault.key").chmod(0o640),
    "a linked key file": lambda path: linked(path.parent / "vault.key"),
    "a vault for others": lambda path: path.chmod(0o644),
    "a linked vault": lambda path: linked(path),
    "a directory for others": lambda path: path.parent.chmod(0o755),
}


def linked(path: Path) -> None:
    path.rename(path.with_suffix(".moved"))
    path.symlink_to(path.with_suffix(".moved"))


@pytest.mark.parametrize("name", UNAVAILABLE)
def test_a_vault_that_cannot_be_opened_is_refused_not_repaired(
    stopped: Daemon, connect: Connect, staff: str, name: str
) -> None:
    UNAVAILABLE[name](vault_of(stopped))
    modes = {path: path.lstat().st_mode for path in directory_of(stopped).iterdir()}
    stopped.start()
    peer = connect()
    assert listed(peer) == [] and status_of(peer, staff) == 401
    assert refusal_of(peer, staff).kind == "storageUnavailable"
    assert {path: path.lstat().st_mode for path in modes} == modes


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET space = (SELECT space FROM record WHERE number = 1) WHERE number = 41",
        "UPDATE record SET sealed = (SELECT sealed FROM record WHERE number = 1) WHERE number = 41",
        "UPDATE record SET number = 99 WHERE number = 41",
        "UPDATE record SET kind = 'trust' WHERE number = 41",
        "UPDATE record SET sealed = zeroblob(80) WHERE number = 41",
    ],
)
def test_a_record_that_was_moved_or_altered_does_not_open(
    stopped: Daemon, connect: Connect, staff: str, statement: str
) -> None:
    run(vault_of(stopped), statement)
    stopped.start()
    peer = connect()
    assert "records that do not open" in stopped.output()
    assert len(listed(peer)) == 40 and status_of(peer, staff) == 401


def test_a_vault_of_another_account_does_not_open(stopped: Daemon, connect: Connect, staff: str) -> None:
    # Vault and key together, so that only the associated data is another one.
    database = sqlite3.connect(vault_of(stopped))
    assert database.execute("SELECT count(*) FROM record").fetchone() == (41,)
    database.close()
    other = directory_of(stopped, 4242)
    shutil.copytree(directory_of(stopped), other)
    stopped.start()
    assert stopped.output().count("does not fit the vault") == 1
    assert status_of(connect(), staff) == 200


def test_a_kill_at_any_instant_loses_nothing_that_was_acknowledged(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    kept: set[str] = set()
    for round_number in range(10):
        peer = connect()
        assert {one["user"] for one in listed(peer)} >= kept
        sent: dict[int, str] = {}
        for number in range(40):
            user = f"u{round_number}-{number}"
            members: Json = {
                "protectionSpace": {
                    "protocol": "http",
                    "host": f"host{number % 7}.test",
                    "port": 80,
                    "realm": "r",
                    "authenticationMethod": "basic",
                },
                "credential": password(user, PASSWORD, "permanent"),
            }
            sent[peer.request("credential/set", members)] = user
        wanted = list(sent)[(round_number * 13) % 40]
        peer.result(wanted)
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
        kept |= {user for number, user in sent.items() if number in peer.replies} | {sent[wanted]}
        peer.close()
        daemon.start()
    users = {one["user"] for one in listed(connect())}
    assert users >= kept and len(kept) >= 10


@pytest.mark.parametrize("octets", [32, 7, 0])
def test_a_making_that_was_cut_short_is_begun_again(
    daemon: Daemon, connect: Connect, staff: str, octets: int
) -> None:
    directory_of(daemon).parent.mkdir(mode=0o700, exist_ok=True)
    directory_of(daemon).mkdir(mode=0o700)
    key_of(daemon).write_bytes(os.urandom(octets))
    key_of(daemon).chmod(0o600)
    vault_of(daemon).touch(mode=0o600)
    vault_of(daemon).with_name("vault.new").touch(mode=0o600)
    restart(daemon)
    keep(connect(), staff)
    restart(daemon)
    assert status_of(connect(), staff) == 200


def test_a_second_daemon_leaves_the_vault_to_the_first(
    daemon: Daemon, connect: Connect, peers: list[Peer], staff: str
) -> None:
    keep(connect(), staff)
    second = Daemon(["--state-directory", str(daemon.directory / "state")])
    try:
        peer = Peer(second.socket)
        peers.append(peer)
        assert refusal_of(peer, staff).kind == "storageUnavailable" and status_of(peer, staff) == 401
        end(daemon)
        # A session that opens after the end of the first one opens the vault.
        peer.open()
        keep(peer, staff, password("other", PASSWORD, "permanent"), default=False)
        assert status_of(peer, staff) == 200 and len(listed(peer)) == 2
    finally:
        second.stop()
        daemon.start()


def test_a_full_disk_keeps_what_there_is(
    daemon: Daemon, connect: Connect, peers: list[Peer], staff: str
) -> None:
    """A bound on the size of files stands for the disk."""
    import resource

    keep(connect(), staff)
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (16 * 1024, 16 * 1024))
    peer = connect()
    large = password("other", "x" * 8000, "permanent")
    refused = 0
    for number in range(20):
        refused += "error" in outcome(peer, number, large)
    assert refused > 0 and peer.counter("vault.unwritten") > 0
    assert status_of(peer, staff) == 200
    number_kept = len(listed(peer))
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert len(listed(peer)) == number_kept and status_of(peer, staff) == 200
    keep(peer, staff.replace("/x", "/y"), large)


def outcome(peer: Peer, number: int, credential: Json) -> Json:
    space = {
        "protocol": "http",
        "host": f"host{number}.test",
        "port": 80,
        "realm": "r",
        "authenticationMethod": "basic",
    }
    request = peer.request("credential/set", {"protectionSpace": space, "credential": credential})
    peer._pump(lambda: request in peer.replies, 15, "a reply")
    return peer.replies[request]
