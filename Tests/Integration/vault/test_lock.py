"""The lock of the agent, with ssh-agent's semantics (storage.md 9.11)."""

from __future__ import annotations

import base64
import json
import os
import signal
from collections.abc import Callable

import pytest

from Integration.sentinels import MARK, PASSWORD, USER
from Integration.test_memory import copies
from Integration.vault.scene import FOR_EVER, answer_once, keep, listed, restart, space_of, status_of
from Integration.wire import Json, Peer, RemoteError, body_of, kind_of, password, pause
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, redirect, reply

Connect = Callable[..., Peer]
LOCK = {"passphrase": f"{MARK} locks it"}
WRONG = {"passphrase": f"{MARK} does not"}
VAULT = {"passphrase": f"{MARK} opens the vault"}

threads = pytest.mark.threads


def lock(peer: Peer) -> None:
    assert peer.call("agent/lock", LOCK) == {"locked": True}


def unlock(peer: Peer) -> None:
    assert peer.call("agent/unlock", LOCK) == {"locked": False}


def opens_it(peer: Peer, challenge: Json) -> None:
    assert challenge["protectionSpace"]["authenticationMethod"] == "agentUnlock"
    assert peer.answer(challenge, LOCK) == {"accepted": True}


@threads
def test_a_locked_agent_shows_nothing(connect: Connect, staff: str) -> None:
    peer = connect()
    session = peer.open("s", tasks=["*"])
    keep(peer, staff)
    answer_once(peer, staff, password(USER, PASSWORD))
    lock(peer)
    lists = {
        "session/list": "sessions",
        "task/list": "tasks",
        "credential/list": "credentials",
        "credential/history": "entries",
        "trust/list": "trust",
        "cookie/list": "cookies",
        "identity/list": "identities",
        "challenge/list": "challenges",
    }
    for method, member in lists.items():
        assert peer.call(method) == {member: []}, method
    refused: list[tuple[str, Json]] = [
        ("session/describe", {"session": session}),
        ("session/reset", {"session": session}),
        ("explain", {"url": staff}),
        ("credential/set", {"protectionSpace": space_of(staff), "credential": FOR_EVER}),
        ("credential/read", {"protectionSpace": space_of(staff), "user": USER, "descriptor": 0}),
        ("credential/remove", {"protectionSpace": space_of(staff)}),
        ("credential/setDefault", {"protectionSpace": space_of(staff), "user": USER}),
        ("task/describe", {"task": "t"}),
        ("vault/init", {}),
        ("vault/rekey", {}),
        ("vault/check", {}),
        ("vault/passphrase", VAULT),
        ("agent/lock", WRONG),
    ]
    for method, params in refused:
        assert kind_of(peer.call, method, params) == "agentLocked", method
    status = peer.call("status")
    assert status["locked"] is True and status["vault"]["credentials"] == 0
    assert (status["sessions"], status["challenges"], status["history"]) == ([], [], [])
    assert peer.call("agent/forget") == {}
    unlock(peer)
    status = peer.call("status")
    assert status["locked"] is False and "s" in [one["session"] for one in status["sessions"]]
    outcomes = [entry["outcome"] for entry in peer.call("credential/history", {"limit": 8})["entries"]]
    assert outcomes[:3] == ["unlocked", "forgotten", "locked"]


@threads
def test_an_answered_redirect_waits_for_the_unlocking(connect: Connect, origin: ScriptedOrigin) -> None:
    """The reply is taken under the lock; nothing would raise the challenge without it."""
    origin.serve("/there", reply(body=b"there"))
    url = origin.serve("/here", redirect("/there"))
    peer = connect()
    session = peer.open("s", tasks=["*"], configuration={"redirects": {"policy": "ask"}})
    fetch = peer.start_fetch(session, url)
    asked = peer.notification("task/willRedirect")
    lock(peer)
    peer.call("redirect/reply", {"task": asked["task"], "request": {}})
    opens_it(peer, peer.challenge())
    assert body_of(peer.result(fetch)) == b"there"


@threads
def test_a_hundred_fetches_raise_one_challenge(connect: Connect, nginx: Nginx) -> None:
    delegate = connect()
    delegate.open("s", session=["*"])
    lock(delegate)
    callers = [connect() for _ in range(10)]
    urls = [nginx.plain + "/small", nginx.plain + "/moved"]
    fetches = [(caller, caller.start_fetch("s", urls[n % 2])) for caller in callers for n in range(10)]
    challenge = delegate.challenge()
    while delegate.counter("challenges.coalesced") < 99:
        pause()
    assert delegate.counter("exchanges") == 0
    assert challenge["offers"] == [] and challenge["failureResponse"] is None
    (described,) = delegate.call("challenge/list")["challenges"]
    assert described["challenge"] == challenge["challenge"] and described["waiterCount"] == 100
    opens_it(delegate, challenge)
    settled = delegate.notification("challenge/didSettle")
    assert (settled["outcome"], settled["disposition"]) == ("answered", "useCredential")
    # What follows is as ever: the redirect leads to a password.
    delegate.answer(delegate.challenge(), password(nginx.user, nginx.password))
    assert all(caller.result(fetch)["status"] == 200 for caller, fetch in fetches)
    assert delegate.counter("challenges.raised") == 2


@threads
def test_a_fetch_goes_on_when_another_caller_unlocks_the_agent(connect: Connect, staff: str) -> None:
    peer, other = connect(), connect()
    peer.open("s", tasks=["*"])
    keep(peer, staff)
    lock(peer)
    fetch = peer.start_fetch("s", staff)
    peer.challenge()
    unlock(other)
    assert peer.notification("challenge/didSettle")["outcome"] == "withdrawn"
    # The key file's vault has been read again: its user is proposed.
    challenge = peer.challenge()
    assert challenge["proposedCredential"] == {"user": USER, "source": "permanent"}
    peer.dispose(challenge, "performDefaultHandling")
    assert peer.result(fetch)["status"] == 200
    assert status_of(other, staff) == 200


@threads
@pytest.mark.parametrize(
    ("disposition", "kind"),
    [
        ("cancelAuthenticationChallenge", "userCancelledAuthentication"),
        ("performDefaultHandling", "agentLocked"),
        ("rejectProtectionSpace", "agentLocked"),
        ("useCredential", "agentLocked"),
    ],
)
def test_what_each_disposition_means(connect: Connect, staff: str, disposition: str, kind: str) -> None:
    peer = connect()
    session = peer.open("s", tasks=["*"])
    lock(peer)
    fetch = peer.start_fetch(session, staff)
    challenge = peer.challenge()
    if disposition == "useCredential":
        assert peer.answer(challenge, None) == {"accepted": True}
    else:
        peer.dispose(challenge, disposition)
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == kind


@threads
def test_without_a_delegate_a_fetch_fails(connect: Connect, staff: str) -> None:
    peer = connect()
    lock(peer)
    session = peer.open("s", tasks=["basic"])
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, staff)
    assert (caught.value.kind, caught.value.code) == ("agentLocked", 1403)
    unlock(peer)
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


@threads
def test_only_the_passphrase_answers(connect: Connect, staff: str) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    lock(peer)
    fetch = peer.start_fetch("s", staff)
    challenge = peer.challenge()
    assert kind_of(peer.answer, challenge, password(USER, PASSWORD)) == "credentialUnusable"
    assert kind_of(peer.answer, challenge, {**LOCK, "user": USER}) == "invalidParams"
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, WRONG)
    assert caught.value.kind == "credentialUnusable" and caught.value.data["reason"] == "wrongPassphrase"
    opens_it(peer, challenge)
    # And it answers nothing else.
    other = peer.challenge()
    assert other["protectionSpace"]["authenticationMethod"] == "basic"
    assert kind_of(peer.answer, other, LOCK) == "credentialUnusable"
    peer.answer(other, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


@threads
def test_wrong_passphrases_slow_the_next_ones_down(connect: Connect, staff: str) -> None:
    peer, other = connect(), connect()
    peer.open("s", tasks=["*"])
    lock(peer)
    peer.start_fetch("s", staff)
    challenge = peer.challenge()
    for attempt in range(4):
        call = (peer.answer, challenge, WRONG) if attempt % 2 else (peer.call, "agent/unlock", WRONG)
        assert kind_of(*call) == "credentialUnusable"
    waiting = peer.request("agent/unlock", LOCK)
    # One is tried at a time, and other callers are served.
    assert other.call("ping") is not None
    assert kind_of(other.call, "agent/unlock", WRONG) == "storageUnavailable"
    assert peer.result(waiting) == {"locked": False}
    # The passphrase of an agent that is not locked is not looked at.
    assert other.call("agent/unlock", WRONG) == {"locked": False}
    outcomes = [entry["outcome"] for entry in peer.call("credential/history", {"limit": 16})["entries"]]
    assert outcomes.count("unlockRefused") == 4


@threads
def test_a_pending_challenge_is_withdrawn_and_asked_again(connect: Connect, staff: str) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    before = peer.challenge()
    lock(peer)
    assert peer.notification("challenge/didSettle")["outcome"] == "withdrawn"
    assert kind_of(peer.answer, before, password(USER, PASSWORD)) == "challengeNotPending"
    opens_it(peer, peer.challenge())
    after = peer.challenge()
    assert after["protectionSpace"]["authenticationMethod"] == "basic"
    assert after["challenge"] != before["challenge"]
    peer.answer(after, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


@threads
def test_an_upload_goes_on_and_its_refusal_waits(
    connect: Connect, origin: ScriptedOrigin, staff: str
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    reading, writing = os.pipe()
    fetch = peer.request(
        "fetch",
        {"session": "s", "url": staff, "method": "POST", "body": {"descriptor": 0}},
        descriptors=[reading],
    )
    os.close(reading)
    os.write(writing, b"first half,")
    while not origin.connections:
        peer.call("ping")
    lock(peer)
    os.write(writing, b" second half")
    os.close(writing)
    opens_it(peer, peer.challenge())
    challenge = peer.challenge()
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "userCancelledAuthentication"


@threads
def test_a_new_credential_of_a_running_fetch_is_not_kept(connect: Connect, origin: ScriptedOrigin) -> None:
    """The answer to the first request with it arrives while the agent is locked."""
    peer = connect()
    peer.open("s", tasks=["*"])
    gate = origin.gate()
    guard = guarded(BasicGuard("staff", USER, PASSWORD))
    url = origin.serve("/slow", guard, held(gate, guard))
    fetch = peer.start_fetch("s", url)
    peer.answer(peer.challenge(), password(USER, PASSWORD, "permanent"))
    origin.wait_for_requests(2, "/slow")
    lock(peer)
    gate.open()
    assert peer.result(fetch)["status"] == 200
    unlock(peer)
    assert peer.call("credential/list", {"session": "s"})["credentials"] == [] and listed(peer) == []


@threads
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_the_lock_ends_with_the_daemon(
    daemon: Daemon, connect: Connect, staff: str, how: signal.Signals
) -> None:
    peer = connect()
    answer_once(peer, staff, password(USER, PASSWORD))
    lock(peer)
    restart(daemon, how)
    peer = connect()
    assert peer.call("status")["locked"] is False
    assert peer.call("credential/list")["credentials"] == [] and status_of(peer, staff) == 401


@threads
def test_a_vault_with_a_passphrase_stays_locked(connect: Connect, staff: str) -> None:
    peer = connect()
    peer.call("vault/init", VAULT)
    keep(peer, staff)
    lock(peer)
    # While it is locked, the passphrase of the vault opens nothing.
    assert kind_of(peer.call, "agent/unlock", VAULT) == "credentialUnusable"
    unlock(peer)
    assert peer.call("status")["vault"]["state"] == "locked" and status_of(peer, staff) == 401
    assert peer.call("agent/unlock", VAULT) == {"locked": False}
    assert status_of(peer, staff) == 200


@threads
def test_a_restricted_connection_meets_the_lock_and_cannot_open_it(connect: Connect, staff: str) -> None:
    peer, child = connect(), connect()
    peer.open("s", session=["*"])
    child.open("s", tasks=["*"])
    origin = staff.removesuffix("/x")
    rules = [{"methods": ["GET"], "origin": origin, "path": "/*"}]
    child.call("peer/restrict", {"session": "s", "rules": rules})
    for method, params in (("agent/lock", LOCK), ("agent/unlock", LOCK), ("agent/forget", {})):
        assert kind_of(child.call, method, params) == "restricted"
    lock(peer)
    fetch = child.start_fetch("s", staff)
    challenge = peer.challenge()
    assert kind_of(child.answer, challenge, LOCK) == "restricted"
    opens_it(peer, challenge)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert child.result(fetch)["status"] == 200
    # Without a delegate it is an error.
    peer.open("s", session=[])
    lock(peer)
    assert kind_of(child.fetch, "s", staff) == "agentLocked"


@threads
def test_a_session_that_is_opened_later_is_locked_too(connect: Connect, staff: str) -> None:
    peer = connect()
    lock(peer)
    session = peer.open("later", tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    opens_it(peer, peer.challenge())
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


@threads
def test_no_message_shows_a_passphrase(connect: Connect, staff: str) -> None:
    peer, other = connect(), connect()
    peer.open("s", session=["*"])
    lock(peer)
    kind_of(peer.call, "agent/unlock", WRONG)
    fetch = other.start_fetch("s", staff)
    challenge = peer.challenge()
    assert MARK not in json.dumps(challenge)
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    with pytest.raises(RemoteError):
        other.result(fetch)
    unlock(peer)
    assert peer.leaks() == [] and other.leaks() == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can read the daemon's memory")
@pytest.mark.parametrize("persistence", ["forSession", "permanent"])
def test_no_secret_is_in_memory_under_the_lock(
    daemon: Daemon, connect: Connect, staff: str, persistence: str
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD, persistence))
    assert peer.result(fetch)["status"] == 200
    pending = peer.start_fetch("s", staff.replace("127.0.0.1", "localhost"))
    asked = peer.challenge()
    secrets = [PASSWORD, base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode(), LOCK["passphrase"]]
    assert copies(daemon, secrets[0].encode()) > 0
    lock(peer)
    peer.call("ping")
    assert [copies(daemon, secret.encode()) for secret in secrets[:2]] == [0, 0]
    assert kind_of(peer.call, "agent/unlock", WRONG) == "credentialUnusable"
    # The thread that has compared them lets go of them after the reply.
    while any(copies(daemon, passphrase.encode()) for passphrase in (secrets[2], WRONG["passphrase"])):
        peer.call("ping")
    peer.call("task/cancel", {"task": asked["task"]})
    with pytest.raises(RemoteError):
        peer.result(pending)
