"""Answers for ever that come late or twice."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from Integration.permanent_trust.scene import accept, ask, is_asked, kept, listed
from Integration.wire import Json, Peer, kind_of
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
ALWAYS = {"trust": "certificate", "persistence": "permanent"}


def together(peer: Peer, *replies: Json) -> list[int]:
    """Sends several replies to challenges at once; the numbers of the requests."""
    numbers = [next(peer._ids) for _ in replies]
    peer._methods.update(dict.fromkeys(numbers, "challenge/reply"))
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": "challenge/reply", "params": params}
        for number, params in zip(numbers, replies, strict=True)
    ]
    peer.send_bytes(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    return numbers


def test_an_answer_that_comes_too_late_leaves_nothing_behind(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch, challenge = ask(peer, session, strange)
    members = {"challenge": challenge["challenge"], "disposition": "useCredential", "credential": ALWAYS}
    # Both in one piece: while the disk is busy with the first, the second settles the question.
    late, first = together(
        peer, members, {"challenge": challenge["challenge"], "disposition": "cancelAuthenticationChallenge"}
    )
    assert peer.result(first) == {"accepted": True}
    assert kind_of(peer.result, late) == "challengeNotPending"
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    assert listed(peer) == [] and is_asked(peer, strange)
    # The disk follows with the next word from it at the latest.
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert kept(daemon) == ["p2"]


def test_two_answers_for_ever_are_one_decision(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch, challenge = ask(peer, session, strange)
    members = {"challenge": challenge["challenge"], "disposition": "useCredential", "credential": ALWAYS}
    first, second = together(peer, members, members)
    assert peer.result(first) == {"accepted": True}
    assert kind_of(peer.result, second) == "challengeNotPending"
    assert peer.result(fetch)["status"] == 200
    assert len(kept(daemon)) == len(listed(peer)) == 1
