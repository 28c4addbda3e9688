"""Exports and imports: sealed files that take permanent credentials to another vault."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.sentinels import MARK, OTHER_PASSWORD, OTHER_USER, PASSWORD, USER, traces_in
from Integration.vault.scene import (
    FOR_EVER,
    answer_once,
    directory_of,
    end,
    keep,
    listed,
    restart,
    space_of,
    status_of,
)
from Integration.wire import Json, Peer, RemoteError, kind_of, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
PASSPHRASE = f"{MARK} travels"


@pytest.fixture
def other(peers: list[Peer]) -> Iterator[Peer]:
    """Of a daemon with a vault of its own."""
    second = Daemon()
    try:
        peer = Peer(second.socket)
        peers.append(peer)
        yield peer
    finally:
        second.stop()


def transfer(peer: Peer, method: str, descriptor: int, passphrase: str = PASSPHRASE) -> Json:
    return peer.call(method, {"descriptor": 0, "passphrase": passphrase}, descriptors=[descriptor])


def export(peer: Peer, path: Path) -> bytes:
    with path.open("wb") as file:
        assert transfer(peer, "vault/export", file.fileno())["credentials"] == len(listed(peer))
    return path.read_bytes()


def imported(peer: Peer, path: Path, passphrase: str = PASSPHRASE) -> Json:
    with path.open("rb") as file:
        return transfer(peer, "vault/import", file.fileno(), passphrase)


def refusal(peer: Peer, path: Path, passphrase: str = PASSPHRASE) -> RemoteError:
    with pytest.raises(RemoteError) as refused:
        imported(peer, path, passphrase)
    return refused.value


def test_another_daemon_uses_what_was_exported(
    connect: Connect, other: Peer, staff: str, tmp_path: Path
) -> None:
    peer = connect()
    answer_once(peer, staff)
    keep(
        peer,
        staff,
        password(OTHER_USER, OTHER_PASSWORD, "permanent", limits={"maximumUses": 9}),
        default=False,
    )
    export(peer, tmp_path / "file")
    assert imported(other, tmp_path / "file") == {"added": 2, "replaced": 0, "skipped": 0}
    assert status_of(other, staff) == 200
    kept = {one["user"]: (one["isDefault"], one["limits"]) for one in listed(other)}
    assert kept == {USER: (True, {}), OTHER_USER: (False, {"maximumUses": 9})}
    # A second time nothing is new.
    assert imported(other, tmp_path / "file") == {"added": 0, "replaced": 0, "skipped": 2}
    assert other.call("vault/check")["records"] == 2


def test_many_changes_are_one_notification(connect: Connect, other: Peer, tmp_path: Path) -> None:
    count = 65
    for number in range(count):
        keep(other, f"http://host{number}.test:80/")
    export(other, tmp_path / "file")
    peer = connect()
    peer.open("s")
    assert imported(peer, tmp_path / "file")["added"] == count
    told = peer.notification("credential/didChange")
    nothing = {"protectionSpace": None, "user": None, "identity": None}
    assert told == {"session": "s", **nothing, "change": "many", "count": count}
    peer.call("ping")
    assert [note for note in peer.notifications if note["method"] == "credential/didChange"] == []


def test_what_was_imported_survives_a_kill(
    daemon: Daemon, connect: Connect, other: Peer, staff: str, tmp_path: Path
) -> None:
    keep(other, staff)
    export(other, tmp_path / "file")
    peer = connect()
    observer = connect()
    observer.open("s")
    assert imported(peer, tmp_path / "file")["added"] == 1
    assert observer.notification("credential/didChange")["change"] == "added"
    restart(daemon, signal.SIGKILL)
    assert status_of(connect(), staff) == 200


def test_a_kill_while_it_is_imported_leaves_all_of_it_or_nothing(
    daemon: Daemon, connect: Connect, other: Peer, staff: str, tmp_path: Path
) -> None:
    for number in range(200):
        keep(other, f"http://host{number}.test:80/")
    export(other, tmp_path / "file")
    keep(connect(), staff)
    for round_number in range(4):
        peer = connect()
        with (tmp_path / "file").open("rb") as file:
            parameters = {"descriptor": 0, "passphrase": PASSPHRASE}
            request = peer.request("vault/import", parameters, descriptors=[file.fileno()])
        # The last one is over.
        if round_number == 3:
            peer.result(request)
        peer.call("ping")
        restart(daemon, signal.SIGKILL)
        assert len(listed(connect())) in ({201} if round_number == 3 else {1, 201})


def test_the_newer_credential_stays(connect: Connect, other: Peer, staff: str, tmp_path: Path) -> None:
    peer = connect()
    keep(peer, staff, password(USER, OTHER_PASSWORD, "permanent"))
    export(peer, tmp_path / "old")
    keep(other, staff)
    export(other, tmp_path / "new")
    assert imported(other, tmp_path / "old") == {"added": 0, "replaced": 0, "skipped": 1}
    assert status_of(other, staff) == 200
    assert imported(peer, tmp_path / "new") == {"added": 0, "replaced": 1, "skipped": 0}
    assert status_of(peer, staff) == 200


def test_an_export_holds_no_secret_in_clear(connect: Connect, staff: str, tmp_path: Path) -> None:
    peer = connect()
    keep(peer, staff)
    file = export(peer, tmp_path / "file")
    assert file.startswith(b"watchword export\x01") and not traces_in(file) and b"127.0.0.1" not in file


def test_pipes_and_sockets_carry_it(connect: Connect, other: Peer, staff: str) -> None:
    peer = connect()
    for number in range(60):
        keep(peer, f"http://host{number}.test:80/", password(USER, "x" * 8000, "permanent"))
    keep(peer, staff)
    reader, writer = os.pipe()
    received: list[bytes] = []

    def read() -> None:
        with os.fdopen(reader, "rb") as pipe:
            received.append(pipe.read())

    # More than a pipe holds at once.
    thread = threading.Thread(target=read)
    thread.start()
    assert transfer(peer, "vault/export", writer)["credentials"] == 61
    os.close(writer)
    thread.join()
    assert len(received[0]) > 400_000
    ours, theirs = socket.socketpair()
    request = other.request(
        "vault/import", {"descriptor": 0, "passphrase": PASSPHRASE}, descriptors=[theirs.fileno()]
    )
    theirs.close()
    ours.sendall(received[0])
    ours.close()
    assert other.result(request) == {"added": 61, "replaced": 0, "skipped": 0}
    assert status_of(other, staff) == 200


def test_a_file_that_cannot_be_read_changes_nothing(connect: Connect, staff: str, tmp_path: Path) -> None:
    peer = connect()
    keep(peer, staff)
    good = export(peer, tmp_path / "good")
    peer.call("credential/remove", {"protectionSpace": space_of(staff)})
    error = refusal(peer, tmp_path / "good", "other")
    assert (error.kind, error.data["reason"]) == ("credentialUnusable", "wrongPassphrase")
    for reason, file in {
        "notAnExport": b"SQLite format 3\0" + bytes(4096),
        "newerVersion": good[:16] + b"\x02" + good[17:],
        "truncated": good[:-1],
        "altered": good[:-9] + bytes([good[-9] ^ 1]) + good[-8:],
        "tooCostly": good[:17] + b"\x1e" + good[18:],
    }.items():
        (tmp_path / reason).write_bytes(file)
        error = refusal(peer, tmp_path / reason)
        assert (error.kind, error.data["reason"]) == ("descriptorUnusable", reason)
        assert error.data["path"] == "params.descriptor"
    with (tmp_path / "tooLarge").open("wb") as huge:
        huge.truncate(1 << 40)
    assert refusal(peer, tmp_path / "tooLarge").data["reason"] == "tooLarge"
    assert listed(peer) == []
    assert imported(peer, tmp_path / "good")["added"] == 1


def test_a_descriptor_of_the_wrong_kind_is_refused(connect: Connect, staff: str, tmp_path: Path) -> None:
    peer = connect()
    keep(peer, staff)
    (tmp_path / "file").touch()
    for method, flags in (("vault/export", os.O_RDONLY), ("vault/import", os.O_WRONLY)):
        for path in (tmp_path / "file", Path("/dev/null")):
            descriptor = os.open(path, flags)
            assert kind_of(transfer, peer, method, descriptor) == "descriptorUnusable"
            os.close(descriptor)
        assert kind_of(peer.call, method, {"descriptor": 0, "passphrase": "x"}) == "invalidParams"
        assert kind_of(peer.call, method, {"descriptor": 0}) == "invalidParams"
    with Path("/dev/full").open("wb") as full:
        assert kind_of(transfer, peer, "vault/export", full.fileno()) == "descriptorUnusable"
    reader, writer = os.pipe()
    os.close(reader)
    assert kind_of(transfer, peer, "vault/export", writer) == "outputFailed"
    os.close(writer)


def test_a_locked_vault_is_neither_exported_nor_imported_into(
    daemon: Daemon, connect: Connect, staff: str, tmp_path: Path
) -> None:
    peer = connect()
    (tmp_path / "file").touch()
    with (tmp_path / "file").open("r+b") as file:
        # There is nothing to export yet.
        assert kind_of(transfer, peer, "vault/export", file.fileno()) == "storageUnavailable"
        peer.call("vault/init", {"passphrase": PASSPHRASE})
        keep(peer, staff)
        transfer(peer, "vault/export", file.fileno())
        restart(daemon)
        peer = connect()
        assert kind_of(transfer, peer, "vault/export", file.fileno()) == "agentLocked"
        assert kind_of(transfer, peer, "vault/import", file.fileno()) == "agentLocked"
        peer.call("agent/unlock", {"passphrase": PASSPHRASE})
        assert transfer(peer, "vault/import", file.fileno())["skipped"] == 1


def test_an_import_makes_a_vault_with_a_key_file(
    daemon: Daemon, connect: Connect, other: Peer, staff: str, tmp_path: Path
) -> None:
    keep(other, staff)
    export(other, tmp_path / "file")
    assert not directory_of(daemon).exists()
    peer = connect()
    assert refusal(peer, tmp_path / "file", "other").kind == "credentialUnusable"
    assert not directory_of(daemon).exists()
    imported(peer, tmp_path / "file")
    assert peer.call("status")["vault"]["opensWith"] == "keyFile"


def test_a_caller_that_ends_in_the_middle_changes_nothing(
    connect: Connect, staff: str, tmp_path: Path
) -> None:
    peer, waiting = connect(), connect()
    keep(peer, staff)
    reader, writer = os.pipe()
    waiting.request("vault/import", {"descriptor": 0, "passphrase": PASSPHRASE}, descriptors=[reader])
    request = peer.request("vault/import", {"descriptor": 0, "passphrase": PASSPHRASE}, descriptors=[reader])
    os.close(reader)
    waiting.close()
    peer.notify("$/cancelRequest", {"id": request})
    with pytest.raises(RemoteError) as cancelled:
        peer.result(request)
    assert cancelled.value.kind == "requestCancelled"
    # Neither of them stands in the way of the next one.
    export(peer, tmp_path / "file")
    assert imported(peer, tmp_path / "file")["skipped"] == 1
    os.close(writer)


def test_a_restricted_connection_may_do_neither(connect: Connect, staff: str, tmp_path: Path) -> None:
    keep(connect(), staff)
    peer = connect()
    peer.call("peer/restrict", {"rules": [{"origin": "http://127.0.0.1:1", "path": "/*"}]})
    with (tmp_path / "file").open("w+b") as file:
        for method in ("vault/export", "vault/import"):
            assert kind_of(transfer, peer, method, file.fileno()) == "restricted"
        assert file.read() == b""


def test_a_vault_that_cannot_be_written_imports_nothing(
    daemon: Daemon, connect: Connect, other: Peer, staff: str, tmp_path: Path
) -> None:
    """A bound on the size of files stands for a full disk."""
    import resource

    for number in range(40):
        keep(other, f"http://host{number}.test:80/", password(USER, "x" * 8000, "permanent"))
    export(other, tmp_path / "file")
    peer = connect()
    keep(peer, staff)
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (64 * 1024, 64 * 1024))
    assert refusal(peer, tmp_path / "file").kind == "storageUnavailable"
    assert len(listed(peer)) == 1 and status_of(peer, staff) == 200
    end(daemon, signal.SIGKILL)
    daemon.start()
    peer = connect()
    assert len(listed(peer)) == 1
    assert imported(peer, tmp_path / "file")["added"] == 40
    assert FOR_EVER["user"] in {one["user"] for one in listed(peer)}


def test_the_ways_over_which_it_was_given_go_along(
    connect: Connect, other: Peer, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    url = origin.serve("/ways", guarded(BasicGuard("staff", USER, PASSWORD)))
    addresses = {"addresses": {"resolve": {f"{origin.host}:{origin.port}": "127.0.0.1"}}}
    peer = connect()
    keep(peer, url, session=peer.open(configuration=addresses))
    export(peer, tmp_path / "file")
    imported(other, tmp_path / "file")
    assert status_of(other, url, **addresses) == 200
