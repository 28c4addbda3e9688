"""What is left, and what is not, after `agent/forget` and SIGUSR1 (storage.md 9.8)."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import threading
from collections.abc import Callable

import pytest

from Integration.proxies.scene import basic
from Integration.sentinels import MARK, PASSWORD, USER
from Integration.test_memory import copies
from Integration.vault.scene import FOR_EVER, answer_once, keep, key_of, listed, restart, space_of, status_of
from Integration.wire import Json, Peer, kind_of, password, pause
from Support.daemon import Daemon
from Support.relaying_proxy import RelayingProxy, wants
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

Connect = Callable[..., Peer]
PASSPHRASE = {"passphrase": f"{MARK} opens it"}


def state(peer: Peer) -> str:
    name: str = peer.call("status")["vault"]["state"]
    return name


def forget(daemon: Daemon, peer: Peer, how: str) -> None:
    if how == "method":
        assert peer.call("agent/forget") == {}
        return
    # What counts as gone is wiped on a thread, and the log says when that has ended.
    before = daemon.output().count("memory cleared")
    os.kill(daemon.pid, signal.SIGUSR1)
    while daemon.output().count("memory cleared") == before:
        pause()


@pytest.mark.threads
@pytest.mark.parametrize("how", ["method", "signal"])
def test_a_session_forgets_what_it_was_told(daemon: Daemon, connect: Connect, staff: str, how: str) -> None:
    peer = connect()
    session = peer.open("s", tasks=["*"])
    answer_once(peer, staff, password(USER, PASSWORD))
    peer.call(
        "cookie/set",
        {"session": session, "cookie": {"name": "a", "value": "b", "domain": "c.test", "path": "/"}},
    )
    forget(daemon, peer, how)
    assert peer.call("credential/list", {"session": session})["credentials"] == []
    assert peer.call("cookie/list", {"session": session})["cookies"] == []
    assert status_of(peer, staff) == 401
    entry = peer.call("credential/history", {"limit": 8})["entries"]
    forgotten = next(one for one in entry if one["outcome"] == "forgotten")
    assert forgotten["pid"] == (os.getpid() if how == "method" else None)
    assert (forgotten["origin"], forgotten["user"]) == (None, None)


@pytest.mark.threads
@pytest.mark.parametrize("how", ["method", "signal"])
def test_a_vault_with_a_key_file_is_read_again_when_it_is_needed(
    daemon: Daemon, connect: Connect, staff: str, how: str
) -> None:
    peer = connect()
    keep(peer, staff)
    assert state(peer) == "open"
    forget(daemon, peer, how)
    assert state(peer) == "forgotten"
    assert status_of(peer, staff) == 200
    assert state(peer) == "open" and len(listed(peer)) == 1
    # Also for what is written first.
    forget(daemon, peer, how)
    keep(peer, staff, password("other", PASSWORD, "permanent"), default=False)
    assert len(listed(peer)) == 2
    restart(daemon)
    assert len(listed(connect())) == 2


@pytest.mark.threads
def test_a_key_file_that_has_gone_is_missed(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    keep(peer, staff)
    peer.call("agent/forget")
    key = key_of(daemon)
    key.rename(key.with_suffix(".away"))
    assert status_of(peer, staff) == 401
    assert kind_of(keep, peer, staff) in ("storageUnavailable", "agentLocked")


@pytest.mark.threads
def test_a_vault_with_a_passphrase_is_locked(connect: Connect, staff: str) -> None:
    peer = connect()
    peer.call("vault/init", PASSPHRASE)
    keep(peer, staff)
    peer.call("agent/forget")
    assert state(peer) == "locked"
    assert status_of(peer, staff) == 401 and listed(peer) == []
    peer.call("agent/unlock", PASSPHRASE)
    assert status_of(peer, staff) == 200


@pytest.mark.threads
def test_what_was_being_written_is_kept(connect: Connect) -> None:
    peer = connect()
    spaces = [space_of(f"http://h{number}.test:80/") for number in range(64)]
    requests = [
        peer.request("credential/set", {"protectionSpace": space, "credential": FOR_EVER}) for space in spaces
    ]
    forgotten = peer.request("agent/forget")
    assert [peer.result(request) for request in requests] == [{}] * len(requests)
    assert peer.result(forgotten) == {}
    assert len(listed(peer)) == len(requests)


@pytest.mark.threads
def test_a_stream_of_changes_does_not_put_it_off(daemon: Daemon, connect: Connect) -> None:
    peer = connect()
    # Of one origin: each is a transaction of its own.
    space = space_of("http://host.test:80/")
    is_over = threading.Event()
    failed: list[Json] = []

    def write() -> None:
        with socket.socket(socket.AF_UNIX) as writer, writer.makefile("rb") as replies:
            writer.connect(str(daemon.socket))
            for number in range(300):
                writer.sendall(change(number))
            number = left = 300
            while left > 0:
                failed.extend([reply for reply in [json.loads(next(replies))] if "error" in reply])
                if is_over.is_set():
                    left -= 1
                else:
                    writer.sendall(change(number))
                    number += 1

    def change(number: int) -> bytes:
        parameters = {
            "protectionSpace": space,
            "credential": password(USER, f"p{number}", "permanent"),
        }
        request = {"jsonrpc": "2.0", "id": number, "method": "credential/set", "params": parameters}
        return json.dumps(request).encode() + b"\n"

    thread = threading.Thread(target=write)
    thread.start()
    try:
        while peer.counter("vault.written") == 0:
            pause()
        assert peer.call("agent/forget") == {}
    finally:
        is_over.set()
        thread.join()
    assert failed == [] and [one["user"] for one in listed(peer)] == [USER]


def test_tasks_go_on(connect: Connect, staff: str) -> None:
    peer = connect()
    session = peer.open("s", tasks=["*"])
    waiting = peer.start_fetch(session, staff)
    challenge = peer.challenge()
    assert peer.call("agent/forget") == {}
    assert peer.answer(challenge, password(USER, PASSWORD)) == {"accepted": True}
    assert peer.result(waiting)["status"] == 200


@pytest.mark.skipif(os.getuid() != 0, reason="only root can read the daemon's memory")
@pytest.mark.parametrize("how", ["agent/forget", "session/reset", "the end of the task"])
def test_no_secret_of_a_proxy_is_in_memory_after_it_was_forgotten(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, how: str
) -> None:
    url = origin.serve("/", reply())
    # Whether something is left depends on the order in which connections are closed, which is random.
    for number in range(8):
        secret = f"{MARK}-{number}-{how}"
        proxy = RelayingProxy(wants(basic(USER, secret), 'Basic realm="p"'))
        peer = connect()
        session = peer.open(configuration={"proxies": {"all": proxy.url}}, tasks=["*"])
        fetch = peer.start_fetch(session, url)
        persistence = "none" if how == "the end of the task" else "forSession"
        peer.answer(peer.challenge(), password(USER, secret, persistence))
        assert peer.result(fetch)["status"] == 200
        if persistence == "forSession":
            assert copies(daemon, secret.encode()) > 0
            peer.call(how, {"session": session} if how == "session/reset" else {})
        peer.call("ping")
        assert copies(daemon, secret.encode()) == 0
        proxy.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can read the daemon's memory")
@pytest.mark.parametrize("how", ["method", "signal"])
@pytest.mark.parametrize("persistence", ["forSession", "permanent"])
def test_no_secret_is_in_memory_after_forgetting(
    daemon: Daemon, connect: Connect, staff: str, how: str, persistence: str
) -> None:
    peer = connect()
    session = peer.open("s", tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD, persistence))
    assert peer.result(fetch)["status"] == 200
    assert [peer.fetch(session, staff)["status"] for _ in range(3)] == [200] * 3
    secrets = [PASSWORD.encode(), base64.b64encode(f"{USER}:{PASSWORD}".encode())]
    assert copies(daemon, secrets[0]) > 0
    forget(daemon, peer, how)
    peer.call("ping")
    assert [copies(daemon, secret) for secret in secrets] == [0, 0]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can read the daemon's memory")
def test_no_copy_is_left_of_what_was_taken_over(daemon: Daemon, connect: Connect, staff: str) -> None:
    before = connect()
    settings: Json = {"headers": [["Cookie", f"sid={PASSWORD}"]]}
    session = before.open("s", configuration=settings, tasks=["*"])
    fetch = before.start_fetch(session, staff)
    before.answer(before.challenge(), password(USER, PASSWORD))
    assert before.result(fetch)["status"] == 200
    assert before.call("server/restart") == {"restarting": True}
    before.wait_for_end()
    daemon.follow()
    after = connect()
    assert after.fetch(session, staff)["status"] == 200
    assert copies(daemon, PASSWORD.encode()) > 0
    after.call("agent/forget")
    after.call("session/invalidate", {"session": session})
    after.call("ping")
    assert copies(daemon, PASSWORD.encode()) == 0
