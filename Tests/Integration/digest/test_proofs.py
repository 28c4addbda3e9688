"""What a server proves about itself and the body."""

from __future__ import annotations

import gzip
import random

import pytest

from Integration.digest.scene import assert_flawless, pass_once
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Peer, body_of, kind_of, password
from Support.guards import DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]


@pytest.mark.parametrize("qop", ["auth", "auth-int"])
def test_a_server_that_does_not_know_the_password_is_not_believed(
    asked: Asked, origin: ScriptedOrigin, qop: str
) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, qop=qop, rspauth="wrong")
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert kind_of(lambda: peer.result(fetch)) == "serverNotAuthenticated"


def test_a_body_that_the_server_did_not_prove_is_not_believed(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, algorithm="SHA-256", qop="auth-int")
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard, b"changed", proved=b"sent")))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert kind_of(lambda: peer.result(fetch)) == "serverNotAuthenticated"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("size", [0, 20, 3_000_000])
def test_the_proof_covers_the_body_as_it_came(
    asked: Asked, origin: ScriptedOrigin, size: int, method: str
) -> None:
    content = random.Random(size).randbytes(size)
    coded = gzip.compress(content)
    guard = DigestGuard("staff", USER, PASSWORD, algorithm="SHA-256", qop="auth-int")
    proved = coded if method == "GET" else b""
    script = guarded(guard, coded, proved=proved, fields=(("Content-Encoding", "gzip"),))
    result = pass_once(asked, origin.serve("/", script), method=method)
    assert body_of(result) == (content if method == "GET" else b"")
    assert_flawless(guard)


QUALITIES = [("auth", "auth-int"), ("auth-int", "auth"), ("auth", "other")]


@pytest.mark.parametrize(("used", "claimed"), QUALITIES)
@pytest.mark.parametrize("rspauth", ["wrong", "right"])
def test_a_protection_that_the_request_did_not_use_is_a_failure(
    asked: Asked, origin: ScriptedOrigin, used: str, claimed: str, rspauth: str
) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, qop=used, claimed_qop=claimed, rspauth=rspauth)
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert kind_of(lambda: peer.result(fetch)) == "serverNotAuthenticated"


def test_a_missing_rspauth_is_no_fault(asked: Asked, origin: ScriptedOrigin) -> None:
    guard = DigestGuard("staff", USER, PASSWORD, rspauth=None)
    assert pass_once(asked, origin.serve("/", guarded(guard)))["status"] == 200
