"""What a tool stored with us is given back to it, and nothing else is (storage.md 9.9)."""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.credentials.scene import listed, log_in, put, space, staff
from Integration.sentinels import MARK, OTHER_PASSWORD, OTHER_USER, PASSWORD, TOKEN, USER
from Integration.vault.scene import keep, restart, status_of
from Integration.wire import Json, Peer, RemoteError, kind_of, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Connect = Callable[..., Peer]


def read(peer: Peer, session: str | None, space: Json, **members: Json) -> tuple[Json, bytes]:
    """The description of a readable credential, and its secret."""
    reading, writing = os.pipe()
    params = {"protectionSpace": space, "descriptor": 0, **members}
    if session:
        params["session"] = session
    try:
        result = peer.call("credential/read", params, [writing])
        os.close(writing)
        writing = -1
        with open(reading, "rb", closefd=False) as pipe:
            return result, pipe.read()
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)


def wide(origin: ScriptedOrigin, method: str = "default") -> Json:
    """The space of any realm."""
    named = space(origin, method=method)
    del named["realm"]
    return named


def test_what_was_stored_to_be_read_is_given_back(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, wide(origin), password(USER, PASSWORD), readable=True)
    put(peer, session, wide(origin, "bearer"), {"token": TOKEN}, readable=True)
    described, secret = read(peer, session, wide(origin))
    assert described == {"user": USER, "kind": "password", "size": len(PASSWORD), "secondsLeft": None}
    assert secret == PASSWORD.encode()
    described, secret = read(peer, session, wide(origin, "bearer"))
    assert (described["user"], described["kind"], secret) == (None, "token", TOKEN.encode())
    assert peer.counter("credentials.read") == 2
    assert peer.fetch(session, staff(origin))["status"] == 200, "fetches use it, too"


def test_what_answered_a_challenge_is_never_given_back(
    asked: tuple[Peer, str], origin: ScriptedOrigin
) -> None:
    peer, session = asked
    log_in(peer, session, staff(origin))
    put(peer, session, wide(origin, "bearer"), {"token": TOKEN})
    for method in ("default", "bearer"):
        assert kind_of(read, peer, session, wide(origin, method)) == "credentialNotFound"
    assert [one["readable"] for one in listed(peer, session)] == [False, False]
    guard = BasicGuard("other", OTHER_USER, OTHER_PASSWORD)
    fetch = peer.start_fetch(session, origin.serve("/other", guarded(guard)))
    challenge = peer.challenge()
    marked = {**password(OTHER_USER, OTHER_PASSWORD), "readable": True}
    assert kind_of(peer.answer, challenge, marked) == "invalidParams"
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


def test_the_mark_needs_the_secret_again(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    keep(peer, url)
    assert kind_of(read, peer, None, space(origin)) == "credentialNotFound"
    keep(peer, url, readable=True)
    assert read(peer, None, space(origin))[1] == PASSWORD.encode()
    keep(peer, url)
    assert kind_of(read, connect(), None, space(origin)) == "credentialNotFound"


@pytest.mark.parametrize(
    ("credential", "method"),
    [
        ({"user": USER, "password": PASSWORD, "limits": {"methods": ["GET"]}}, "basic"),
        ({"kerberos": {"cache": "default"}}, "negotiate"),
        ({"source": "deploy"}, "basic"),
    ],
)
def test_other_credentials_cannot_be_readable(
    peer: Peer, origin: ScriptedOrigin, credential: Json, method: str
) -> None:
    params = {"protectionSpace": space(origin, method=method), "credential": credential, "readable": True}
    with pytest.raises(RemoteError) as caught:
        peer.call("credential/set", params)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", "params.readable")


def test_a_permanent_one_is_given_back_after_a_restart(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    keep(connect(), staff(origin), readable=True)
    restart(daemon)
    peer = connect()
    assert read(peer, None, space(origin))[1] == PASSWORD.encode()
    peer.call("agent/forget")
    assert read(peer, None, wide(origin), user=USER)[1] == PASSWORD.encode()
    for other in ({"user": OTHER_USER}, {"protectionSpace": space(origin, "guests")}):
        params = {"protectionSpace": space(origin), **other}
        assert kind_of(read, peer, None, params.pop("protectionSpace"), **params) == "credentialNotFound"
    private = peer.open(configuration={"credentialStorage": "private"})
    assert kind_of(read, peer, private, space(origin)) == "credentialNotFound"


def test_a_locked_vault_gives_nothing_back(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    peer = connect()
    peer.call("vault/init", {"passphrase": f"{MARK} opens it"})
    keep(peer, staff(origin), readable=True)
    restart(daemon)
    peer = connect()
    assert kind_of(read, peer, None, space(origin)) == "agentLocked"
    peer.call("agent/unlock", {"passphrase": f"{MARK} opens it"})
    assert read(peer, None, space(origin))[1] == PASSWORD.encode()


def test_a_restricted_connection_reads_nothing(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    session = peer.open("s")
    put(peer, session, space(origin), password(USER, PASSWORD), readable=True)
    child = connect()
    rules = [{"origin": origin.url, "path": "/*"}]
    child.call("peer/restrict", {"session": session, "rules": rules})
    assert kind_of(read, child, session, space(origin)) == "restricted"


def test_another_session_does_not_read_it(peer: Peer, connect: Connect, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, space(origin), password(USER, PASSWORD), readable=True)
    assert kind_of(read, connect(), session, space(origin)) == "sessionNotFound"
    assert kind_of(read, connect(), None, space(origin)) == "credentialNotFound"


def test_a_reading_is_a_use_and_in_the_history(peer: Peer, origin: ScriptedOrigin) -> None:
    url = staff(origin)
    keep(peer, url, password(USER, PASSWORD, "permanent", limits={"maximumUses": 2}), readable=True)
    for _ in range(2):
        read(peer, None, space(origin))
    (entry,) = peer.call("credential/history", {"origin": origin.url})["entries"]
    assert (entry["outcome"], entry["uses"], entry["user"]) == ("read", 2, USER)
    assert entry["pid"] == os.getpid()
    assert kind_of(read, peer, None, space(origin)) == "credentialNotFound", "it has been used up"
    assert status_of(peer, url) == 401


def test_time_ends_it_for_readers_too(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    later = password(USER, PASSWORD, limits={"notAfter": "2999-01-01T00:00:00Z"})
    put(peer, session, space(origin), later, readable=True)
    assert read(peer, session, space(origin))[0]["secondsLeft"] > 1e9
    over = password(USER, PASSWORD, limits={"notAfter": "2001-01-01T00:00:00Z"})
    put(peer, session, space(origin), over, readable=True)
    assert kind_of(read, peer, session, space(origin)) == "credentialNotFound"


def test_confirm_keeps_others_from_reading(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, space(origin), password(USER, PASSWORD, limits={"confirm": True}), readable=True)
    assert read(peer, session, space(origin))[1] == PASSWORD.encode(), "it gave it"
    keep(
        peer,
        staff(origin),
        password(OTHER_USER, PASSWORD, "permanent", limits={"confirm": True}),
        readable=True,
    )
    with pytest.raises(RemoteError) as caught:
        read(peer, None, space(origin), user=OTHER_USER)
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "confirmationNeeded")


def test_path_prefixes_are_compared_with_the_readers_path(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    limited = password(USER, PASSWORD, limits={"pathPrefixes": ["/team/app"]})
    put(peer, session, space(origin), limited, readable=True)
    assert read(peer, session, space(origin), path="/team/app/info")[1] == PASSWORD.encode()
    for path in ({}, {"path": "/team"}, {"path": "/team/application"}, {"path": "/team/app/../other"}):
        assert kind_of(read, peer, session, space(origin), **path) == "credentialNotFound"
    assert kind_of(read, peer, session, space(origin), path="team") == "invalidParams"


def test_the_newest_one_is_given_back(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, space(origin), password(USER, PASSWORD), readable=True)
    put(peer, session, space(origin, "guests"), password(OTHER_USER, OTHER_PASSWORD), readable=True)
    assert read(peer, session, wide(origin))[0]["user"] == OTHER_USER
    put(peer, session, space(origin), password(USER, PASSWORD), readable=True)
    assert read(peer, session, wide(origin))[0]["user"] == USER


def test_the_secret_goes_into_a_pipe_or_memory_only(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, space(origin), password(USER, PASSWORD), readable=True)
    params = {"session": session, "protectionSpace": space(origin), "descriptor": 0}
    memory = os.memfd_create("secret")
    assert peer.call("credential/read", params, [memory])["size"] == len(PASSWORD)
    assert os.pread(memory, 100, 0) == PASSWORD.encode()
    reading, writing = os.pipe()
    one, other = socket.socketpair()
    # Where /tmp is a tmpfs, a file in it is memory.
    file, name = tempfile.mkstemp(dir="/var/tmp")
    Path(name).unlink()
    sealed = os.memfd_create("sealed", os.MFD_ALLOW_SEALING)
    fcntl.fcntl(sealed, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)
    full = os.pipe()
    os.set_blocking(full[1], False)
    while True:
        try:
            os.write(full[1], bytes(4096))
        except BlockingIOError:
            break
    unusable = [reading, one.fileno(), file, sealed, full[1]]
    for descriptor in unusable:
        assert kind_of(peer.call, "credential/read", params, [descriptor]) == "descriptorUnusable"
    assert kind_of(peer.call, "credential/read", params) == "invalidParams"
    assert os.pread(file, 100, 0) == b""
    for descriptor in (memory, reading, writing, file, sealed, *full):
        os.close(descriptor)
    one.close()
    other.close()
