"""The history of an account's credentials (storage.md 7.3)."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, USER, WRONG_PASSWORD, traces_in
from Integration.wire import Json, Peer, RemoteError, kind_of, password, stop_all
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads

Connect = Callable[..., Peer]


def history(peer: Peer, **params: Json) -> list[Json]:
    entries = peer.call("credential/history", params)["entries"]
    assert isinstance(entries, list)
    return entries


def outcomes(entries: list[Json]) -> list[tuple[str, Json, int]]:
    return [(entry["outcome"], entry["user"], entry["uses"]) for entry in entries]


def test_it_says_who_was_asked_who_answered_and_what_became_of_it(
    peer: Peer, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    session = peer.open("s", tasks=["*"])
    request = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, WRONG_PASSWORD))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(request)["status"] == 200
    for _ in range(3):
        peer.fetch(session, url)
    entries = history(connect())
    assert outcomes(entries) == [
        ("accepted", USER, 4),
        ("answered", None, 1),
        ("refused", USER, 1),
        ("answered", None, 1),
    ]
    newest = entries[0]
    assert newest.pop("time").endswith("Z")
    assert newest == {
        "outcome": "accepted",
        "session": "s",
        "origin": origin.url,
        "authenticationMethod": "basic",
        "realm": "staff",
        "isProxy": False,
        "user": USER,
        "pid": os.getpid(),
        "asked": [],
        "answeredBy": os.getpid(),
        "uses": 4,
    }
    assert entries[1]["asked"] == [os.getpid()]
    snapshot = peer.call("status")
    assert [entry["outcome"] for entry in snapshot["history"]] == [entry["outcome"] for entry in entries]
    assert snapshot["counters"]["history.entries"] == 7
    assert snapshot["usage"]["historyPerUid"] == 4


@pytest.mark.parametrize("disposition", ["useCredential", "cancelAuthenticationChallenge"])
def test_it_says_why_in_the_words_of_who_answered(
    peer: Peer, connect: Connect, origin: ScriptedOrigin, disposition: str
) -> None:
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    request = peer.start_fetch(peer.open("s", tasks=["*"]), url)
    params = {"challenge": peer.challenge()["challenge"], "disposition": disposition}
    for because in ("", "x" * 257, 7):
        assert kind_of(peer.call, "challenge/reply", {**params, "because": because}) == "invalidParams"
    credential = {"credential": password(USER, PASSWORD)} if disposition == "useCredential" else {}
    peer.call("challenge/reply", {**params, **credential, "because": "x" * 256})
    if disposition == "useCredential":
        assert peer.result(request)["status"] == 200
    else:
        assert kind_of(peer.result, request) == "userCancelledAuthentication"
    (ended,) = [entry for entry in history(connect()) if entry["asked"]]
    assert ended["because"] == "x" * 256


def test_it_can_be_filtered(peer: Peer, origins: Callable[..., ScriptedOrigin]) -> None:
    session = peer.open("s")
    made = origins(), origins()
    for origin, user, secret in zip(made, (USER, OTHER_USER), (PASSWORD, OTHER_PASSWORD), strict=True):
        url = origin.serve("/", guarded(BasicGuard("staff", user, secret)))
        space = {
            "protocol": "http",
            "host": "127.0.0.1",
            "port": origin.port,
            "authenticationMethod": "basic",
        }
        credential = password(user, secret)
        peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": credential})
        assert peer.fetch(session, url)["status"] == 200
    assert outcomes(history(peer)) == [("accepted", OTHER_USER, 1), ("accepted", USER, 1)]
    assert outcomes(history(peer, limit=1)) == [("accepted", OTHER_USER, 1)]
    assert outcomes(history(peer, user=USER)) == [("accepted", USER, 1)]
    assert outcomes(history(peer, origin=made[0].url)) == [("accepted", USER, 1)]
    assert history(peer, origin=made[0].url, user=OTHER_USER) == []
    for wrong in ({"limit": 0}, {"limit": 1025}, {"origin": "a.example"}, {"user": 1}, {"since": 1}):
        with pytest.raises(RemoteError) as caught:
            peer.call("credential/history", wrong)
        assert caught.value.kind == "invalidParams"


def test_private_sessions_of_others_are_not_in_it(
    peer: Peer, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    session = peer.open(tasks=["*"])
    request = peer.start_fetch(session, url)
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    with pytest.raises(RemoteError):
        peer.result(request)
    assert outcomes(history(peer)) == [("cancelled", None, 1)]
    assert history(connect()) == []


def test_violations_are_in_it(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    peer.open("s")
    child = connect()
    rules = [{"origin": origin.url, "path": "/v1/*"}]
    name = child.call("peer/restrict", {"session": "s", "rules": rules})["restriction"]
    for _ in range(2):
        with pytest.raises(RemoteError):
            child.call("fetch", {"url": origin.url + "/v2"})
    with pytest.raises(RemoteError):
        child.call("credential/history")
    call, path = history(peer)
    assert (call["outcome"], call["reason"], call["origin"], call["uses"]) == ("restricted", "call", None, 1)
    assert (path["reason"], path["origin"], path["uses"]) == ("path", origin.url, 2)
    assert {entry["restriction"] for entry in (call, path)} == {name}
    assert {entry["pid"] for entry in (call, path)} == {os.getpid()}


@pytest.fixture
def kept(peers: list[Peer], tmp_path: Path) -> Iterator[Callable[..., tuple[Daemon, Peer]]]:
    """Starts daemons that add their histories to a file, or to a journal."""
    daemons: list[Daemon] = []

    def start(path: str, member: str = "historyFile") -> tuple[Daemon, Peer]:
        configuration = tmp_path / "watchwordd.json"
        configuration.write_text(json.dumps({member: path}))
        daemons.append(Daemon(["--configuration", str(configuration)]))
        peers.append(Peer(daemons[-1].socket))
        return daemons[-1], peers[-1]

    yield start
    stop_all(daemons, peers)


def cancelled(peer: Peer, session: str, url: str) -> None:
    request = peer.start_fetch(session, url)
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    with pytest.raises(RemoteError):
        peer.result(request)


Kept = Callable[..., tuple[Daemon, Peer]]


def test_the_administrator_may_have_a_file_of_it(kept: Kept, origin: ScriptedOrigin, tmp_path: Path) -> None:
    path = tmp_path / "history"
    _, peer = kept(str(path))
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    session = peer.open("s", tasks=["*"])
    request = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(request)
    while not path.exists() or path.read_text().count("\n") < 2:
        peer.call("ping")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["outcome"], line["uid"]) for line in lines] == [
        ("answered", os.getuid()),
        ("accepted", os.getuid()),
    ]
    assert path.stat().st_mode & 0o777 == 0o600
    assert not traces_in(path.read_bytes())
    assert peer.counter("history.unwritten") == 0


@pytest.mark.parametrize("kind", ["directory", "link", "fifo", "missing"])
def test_a_file_that_cannot_be_written_stops_nothing(
    kept: Kept, origin: ScriptedOrigin, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "history"
    if kind == "directory":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(tmp_path / "elsewhere")
    elif kind == "fifo":
        os.mkfifo(path)
    daemon, peer = kept(str(path / "below" if kind == "missing" else path))
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    session = peer.open(tasks=["*"], configuration={"challenges": {"deadlineSeconds": 30}})
    cancelled(peer, session, url)
    while peer.counter("history.unwritten") < 1:
        peer.call("ping")
    assert len(history(peer)) == 1
    assert "history not written" in daemon.output()
    assert not (tmp_path / "elsewhere").exists()


def test_a_relative_path_keeps_the_daemon_from_starting(kept: Kept) -> None:
    with pytest.raises(Exception, match="must be an absolute path"):
        kept("history")
    with pytest.raises(Exception, match="must be an absolute path of a socket"):
        kept("journal", "historyJournal")


def journal_fields(record: bytes) -> dict[str, bytes]:
    """As the journal reads a record of length-prefixed fields."""
    fields = {}
    while record:
        name, _, rest = record.partition(b"\n")
        length = int.from_bytes(rest[:8], "little")
        assert rest[8 + length : 9 + length] == b"\n"
        fields[name.decode()] = rest[8 : 8 + length]
        record = rest[9 + length :]
    return fields


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[socket.socket]:
    """A socket that stands for the journal's."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "journal"))
        receiver.settimeout(20)
        yield receiver


def test_the_journal_has_records_of_it(kept: Kept, journal: socket.socket, origin: ScriptedOrigin) -> None:
    _, peer = kept(journal.getsockname(), "historyJournal")
    url = origin.serve("/", guarded(BasicGuard("staff", USER, PASSWORD)))
    session = peer.open("s", tasks=["*"])
    request = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(request)
    answered, accepted = (journal.recv(65536) for _ in range(2))
    assert journal_fields(answered)["WATCHWORD_OUTCOME"] == b"answered"
    fields = journal_fields(accepted)
    assert fields["WATCHWORD_ORIGIN"].decode() == origin.url and fields["WATCHWORD_USER"].decode() == USER
    assert fields["WATCHWORD_REALM"] == b"staff" and fields["WATCHWORD_UID"] == str(os.getuid()).encode()
    assert fields["MESSAGE"].decode() == f"accepted basic {origin.url}"
    assert not traces_in(answered + accepted)
    assert peer.counter("history.unwritten") == 0


def test_a_journal_that_is_full_or_missing_stops_nothing(
    kept: Kept, journal: socket.socket, tmp_path: Path
) -> None:
    daemon, peer = kept(journal.getsockname(), "historyJournal")
    # The journal does not read: the queue of the socket is full at some time.
    while not peer.counter("history.unwritten"):
        peer.call("agent/forget")
    assert daemon.output().count("history not written") == 1
    journal.setblocking(False)
    with pytest.raises(BlockingIOError):
        while True:
            journal.recv(65536)
    unwritten = peer.counter("history.unwritten")
    peer.call("agent/forget")
    assert peer.counter("history.unwritten") == unwritten
    assert journal_fields(journal.recv(65536))["WATCHWORD_OUTCOME"] == b"forgotten"
    (tmp_path / "journal").unlink()
    peer.call("agent/forget")
    peer.call("agent/forget")
    assert peer.counter("history.unwritten") == unwritten + 2
    assert daemon.output().count("history not written") == 2
