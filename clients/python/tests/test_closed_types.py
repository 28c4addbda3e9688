"""Challenges that are malformed, and secrets that nothing prints."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from pathlib import Path
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge
from scripts import client_session
from Support.fake_daemon import Peer
from watchword import Client

SECRET = "hunter2-sentinel"


def test_malformed_challenges_break_the_connection_with_a_protocol_error() -> None:
    damages: list[dict[str, Any]] = [
        {"challenge": 5},
        {"protectionSpace": None},
        {"offers": [5]},
        {"unusableOffers": [5]},
        {"deadline": "yesterday"},
        {"deadline": "2026-99-99T00:00:00Z"},
        {"waiters": {}},
        {"previousFailureCount": "many"},
        {"failureResponse": {"status": 401, "headers": [["a", 5]]}},
    ]
    for damage in damages:

        def script(peer: Peer, damage: dict[str, Any] = damage) -> None:
            peer.open_session()
            request = peer.expect("fetch")
            peer.notify("task/didReceiveChallenge", {**challenge(request["params"]["task"]), **damage})
            with pytest.raises((EOFError, ConnectionResetError)):
                peer.message()

        with FakeDaemon(script) as path, Client(path) as client:
            session = client_session(client, lambda _: watchword.reject())
            with pytest.raises(watchword.ProtocolError):
                session.fetch("http://a/")
            with pytest.raises(watchword.ProtocolError):
                client.ping()


HOLDERS = [
    watchword.Credential(user="reader", password=SECRET),
    watchword.Credential(token=SECRET),
    watchword.KerberosCredential(cache=SECRET.encode()),
    watchword.KerberosCredential(keytab=SECRET.encode(), principal="reader"),
    watchword.IdentityCredential(watchword.Identity.from_pem("certificate", SECRET)),
    watchword.IdentityCredential(watchword.Identity.from_pkcs12(SECRET.encode(), SECRET)),
    watchword.ReadCredential("reader", SECRET, None),
    watchword.use_credential("reader", SECRET),
    watchword.use_token(SECRET),
    watchword.use_passphrase(SECRET),
    watchword.use_identity(watchword.Identity.from_token("pkcs11:object=key", SECRET)),
    watchword.follow(headers={"Authorization": SECRET}),
]


@pytest.mark.parametrize("holder", HOLDERS, ids=lambda holder: type(holder).__name__)
def test_what_loggers_and_queues_write_has_no_secret(holder: Any) -> None:
    for text in (repr(holder), repr(dataclasses.asdict(holder)), repr(dataclasses.astuple(holder))):
        assert SECRET not in text
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="holds a secret"):
            pickle.dumps([holder], protocol)
    assert copy.deepcopy(holder) == holder == copy.copy(holder)


def test_a_copy_of_an_answer_answers() -> None:
    answer = copy.deepcopy(watchword.use_credential("reader", SECRET))
    assert answer.to_wire("c1")["credential"]["password"] == SECRET
    assert answer == watchword.use_credential("reader", SECRET) != watchword.use_credential("reader", "other")


@pytest.mark.parametrize("kind", [watchword.Client, watchword.AsyncClient, watchword.Session, watchword.Task])
def test_what_could_not_be_made_can_be_printed(kind: Any) -> None:
    """Debuggers and reporters of errors print the locals of the constructor that failed."""
    assert kind.__name__ in repr(kind.__new__(kind))


def test_the_client_of_a_failed_connection_can_be_printed(tmp_path: Path) -> None:
    with pytest.raises(watchword.DaemonUnavailable) as caught:
        Client(tmp_path / "none")
    trace, shown = caught.value.__traceback__, []
    while trace is not None:
        shown += [repr(value) for value in trace.tb_frame.f_locals.values() if isinstance(value, Client)]
        trace = trace.tb_next
    assert set(shown) == {"<Client closed>"}


def test_nothing_prints_a_secret() -> None:
    credential = watchword.Credential(user="reader", password=SECRET)
    answer = watchword.use_credential("reader", SECRET)
    for text in (repr(credential), str(credential), f"{credential}", repr(answer), repr(watchword.use_token(SECRET))):
        assert SECRET not in text
        assert "<secret>" in text

    def script(peer: Peer) -> None:
        peer.fail(peer.expect("credential/set"), 1400, "storageUnavailable")
        peer.raw(b'{"jsonrpc":"2.0","id":3,"result":{"' + SECRET.encode() + b"\n")

    with FakeDaemon(script) as path, Client(path) as client:
        space = watchword.ProtectionSpace("https", "a", 443, "r", "basic")
        with pytest.raises(watchword.StorageUnavailable) as refused:
            client.default_session().set_credential(space, credential)
        with pytest.raises(watchword.ProtocolError) as broken:
            client.ping()
    assert SECRET not in repr(refused.value) + repr(broken.value) + str(broken.value)
