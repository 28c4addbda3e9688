"""Which decisions are kept for good, whom they serve, and what removes them."""

from __future__ import annotations

import json
import os
import signal
import ssl
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.permanent_trust.scene import (
    accept,
    ask,
    fine,
    is_asked,
    kept,
    listed,
    restart,
    state,
    vault_of,
)
from Integration.wire import Peer, RemoteError, kind_of, password
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
ALWAYS = {"trust": "certificate", "persistence": "permanent"}
KEY_ALWAYS = {"trust": "publicKey", "persistence": "permanent"}
EPHEMERAL = {"credentialStorage": "private"}


def test_no_session_is_asked_again_before_or_after_a_restart(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert not is_asked(peer, strange)
    shown = listed(peer)
    restart(daemon)
    peer = connect()
    assert not is_asked(peer, strange)
    # Without a delegate as well.
    assert peer.fetch(peer.open(), strange.url + "/")["status"] == 200
    after = listed(peer)
    assert [one["trust"] for one in after] == [one["trust"] for one in shown] == ["p1"]
    assert after[0]["persistence"] == "permanent" and after[0]["created"] == shown[0]["created"]
    assert after[0]["origin"] == f"https://localhost:{strange.port}"
    assert {"reason": "unknownIssuer", "depth": 0} in after[0]["excused"]
    # Uses are counted from the daemon's start.
    assert after[0]["uses"] == 2 and after[0]["lastUsed"] is not None


def test_it_is_on_the_disk_when_the_reply_says_accepted(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    _, challenge = ask(peer, peer.open(tasks=["serverTrust"]), strange)
    assert not state(daemon).exists()
    peer.answer(challenge, KEY_ALWAYS)
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.process.wait()
    assert stat.S_IMODE(state(daemon).stat().st_mode) == 0o700
    assert stat.S_IMODE(vault_of(daemon).stat().st_mode) == 0o600
    assert kept(daemon) == ["p1"]
    daemon.start()
    assert daemon.output().count("vault made") == 1
    peer = connect()
    assert not is_asked(peer, strange)
    [decision] = listed(peer)
    assert (decision["scope"], decision["origin"]) == ("publicKey", f"https://localhost:{strange.port}")


def test_an_ephemeral_session_neither_sees_nor_adds_to_it(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert is_asked(peer, strange, configuration=EPHEMERAL)
    session = peer.open(tasks=["serverTrust"], configuration=EPHEMERAL)
    assert listed(peer, session) == []
    assert peer.call("trust/remove", {"session": session})["removed"] == 0
    assert peer.call("trust/remove", {"session": session, "trust": "p1"})["removed"] == 0
    fetch, challenge = ask(peer, session, strange)
    assert kind_of(peer.answer, challenge, ALWAYS) == "storageUnavailable"
    # Still pending.
    peer.answer(challenge, {"trust": "certificate", "persistence": "forSession"})
    assert peer.result(fetch)["status"] == 200
    assert len(kept(daemon)) == 1 and not is_asked(peer, strange)


def test_another_certificate_or_another_reason_is_asked_about(
    connect: Connect, origins: Origins, authority: Authority, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    identity = authority.issue("swapped")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    swapped = origins(context)
    swapped.serve("/*", fine)
    # The same certificate at another port is another origin.
    assert is_asked(peer, swapped) and not is_asked(peer, strange)
    # A pin of the session's is a reason that no delegate was shown.
    pins = [{"host": "localhost", "publicKeys": ["sha256/" + "A" * 43 + "="]}]
    assert is_asked(peer, strange, configuration={"tls": {"pins": pins}})


def test_a_decision_of_the_session_comes_first(connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    accept(peer, session, strange, {"trust": "certificate", "persistence": "forSession"})
    other = peer.open(tasks=["serverTrust"])
    accept(peer, other, strange)
    peer.fetch(session, strange.url + "/")
    own, permanent = listed(peer, session)
    assert (own["persistence"], permanent["persistence"]) == ("forSession", "permanent")
    assert permanent["uses"] == 1


def test_removal_is_for_every_session_and_for_the_disk(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    first, second = connect(), connect()
    accept(first, first.open("one", tasks=["serverTrust"]), strange)
    second.open("two")
    assert second.fetch("two", strange.url + "/")["status"] == 200
    assert second.metrics("two", strange.url + "/")["reused"]
    assert first.call("trust/remove", {"session": "one", "trust": "p1"})["removed"] == 1
    # The connections that rested on it are closed in both.
    strange.wait_until(lambda: not any(connection.open for connection in strange.connections))
    assert kind_of(second.fetch, "two", strange.url + "/") == "serverTrustRejected"
    assert kept(daemon) == [] and listed(first) == listed(second) == []
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert is_asked(peer, strange)
    # An id names one decision for ever.
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert [one["trust"] for one in listed(peer)] == ["p2"]
    assert peer.call("trust/remove", {"trust": "p1"})["removed"] == 0


@pytest.mark.parametrize("by", ["origin", "all"])
def test_removal_by_origin_or_of_all_takes_both_kinds(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin, by: str
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    accept(peer, session, strange, {"trust": "certificate", "persistence": "forSession"})
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    where = {"origin": strange.url + "/any"} if by == "origin" else {}
    elsewhere = {"session": session, "origin": "https://elsewhere.example/"}
    assert peer.call("trust/remove", elsewhere)["removed"] == 0
    assert peer.call("trust/remove", {"session": session, **where})["removed"] == 2
    assert kept(daemon) == [] and listed(peer, session) == []


def test_reset_and_the_end_of_a_session_leave_it(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    accept(peer, session, strange)
    peer.call("session/reset", {"session": session})
    assert peer.fetch(session, strange.url + "/")["status"] == 200
    peer.call("session/invalidate", {"session": session})
    assert not is_asked(peer, strange) and len(kept(daemon)) == 1


def test_passwords_for_other_hosts_are_not_distributed(
    asked: tuple[Peer, str], origin: ScriptedOrigin
) -> None:
    peer, session = asked
    origin.serve("/*", guarded(BasicGuard("staff", "reader", "p")))
    fetch = peer.start_fetch(session, origin.url + "/")
    challenge = peer.challenge()
    with pytest.raises(RemoteError, match="other hosts") as refused:
        peer.answer(challenge, password("u", "p", "synchronizable"))
    assert refused.value.kind == "storageUnavailable"
    assert kind_of(peer.answer, challenge, ALWAYS) == "credentialUnusable"
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"


def test_trust_for_other_hosts_is_not_distributed(connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    fetch, challenge = ask(peer, peer.open(tasks=["serverTrust"]), strange)
    assert (
        kind_of(peer.answer, challenge, {**ALWAYS, "persistence": "synchronizable"}) == "storageUnavailable"
    )
    peer.answer(challenge, {"trust": "certificate"})
    assert peer.result(fetch)["status"] == 200


def test_what_the_policy_forbids_does_not_count_and_stays(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text("{}")
    daemon.options += ["--configuration", str(rules)]
    restart(daemon)
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    rules.write_text(json.dumps({"transportSecurity": {"defaults": {"allowsLooseningTrust": False}}}))
    peer.call("server/reload")
    session = peer.open(tasks=["serverTrust"])
    fetch, challenge = ask(peer, session, strange)
    assert kind_of(peer.answer, challenge, ALWAYS) == "dispositionNotAllowed"
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    restart(daemon)
    peer = connect()
    assert is_asked(peer, strange)
    assert [one["trust"] for one in listed(peer)] == ["p1"]
    rules.write_text("{}")
    peer.call("server/reload")
    assert not is_asked(peer, strange)
