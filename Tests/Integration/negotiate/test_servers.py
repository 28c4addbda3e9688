"""Servers that do not speak Negotiate as they have to."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer
from Support.exchange import Exchange, Script
from Support.kerberos import Realm
from Support.scripted_origin import ScriptedOrigin

Origins = Callable[..., ScriptedOrigin]


def negotiating(status: int, *answers: str) -> Script:
    """Refuses requests without a token; answers those that have one with these challenges."""

    async def script(exchange: Exchange) -> None:
        if (exchange.request.authorization or "").startswith("Negotiate "):
            await exchange.respond(status, [("WWW-Authenticate", answer) for answer in answers], b"page")
        else:
            await exchange.respond(401, [("WWW-Authenticate", "Negotiate")], b"")

    return script


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([], id="no token"),
        pytest.param(["Negotiate AAAA"], id="a malformed token"),
        pytest.param(["Negotiate oRQwEqADCgEAoQsGCSqGSIb3EgECAg=="], id="a token without proof"),
        pytest.param(["Negotiate " + "A" * 65540], id="a huge token"),
        pytest.param(["Negotiate YWJj", "Negotiate YWJj"], id="two tokens"),
    ],
)
def test_a_server_that_does_not_prove_itself_is_not_believed(
    peer: RealmPeer, scripted: Realm, cache: Path, origin: ScriptedOrigin, answers: list[str]
) -> None:
    scripted.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    url = origin.serve("/", negotiating(200, *answers))
    session = peer.open(configuration={"methods": {"negotiate": {"ambientOrigins": [origin.url]}}})
    error = peer.error(lambda: peer.fetch(session, url))
    assert (error.kind, error.data["hop"], error.data["url"]) == ("serverNotAuthenticated", "origin", url)


@pytest.mark.parametrize("token", ["AAAA", base64.b64encode(b"NTLMSSP\0\2\0\0\0").decode()])
def test_a_malformed_token_with_a_refusal_names_the_hop(
    peer: RealmPeer, scripted: Realm, cache: Path, origin: ScriptedOrigin, token: str
) -> None:
    scripted.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    url = origin.serve("/", negotiating(401, f"Negotiate {token}"))
    session = peer.open(configuration={"methods": {"negotiate": {"ambientOrigins": [origin.url]}}})
    error = peer.error(lambda: peer.fetch(session, url))
    assert error.kind == "authenticationFailed"
    assert (error.data["hop"], error.data["reason"]) == ("origin", "tokenRefused")


def test_a_refused_ticket_is_the_result(
    peer: RealmPeer, scripted: Realm, cache: Path, origin: ScriptedOrigin
) -> None:
    scripted.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    url = origin.serve("/", negotiating(401, "Negotiate"))
    session = peer.open(configuration={"methods": {"negotiate": {"ambientOrigins": [origin.url]}}})
    assert peer.fetch(session, url)["status"] == 401
    assert len(origin.requests) == 2


def test_a_server_in_front_may_fail_without_a_token(
    peer: RealmPeer, scripted: Realm, cache: Path, origin: ScriptedOrigin
) -> None:
    scripted.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    url = origin.serve("/", negotiating(502))
    session = peer.open(configuration={"methods": {"negotiate": {"ambientOrigins": [origin.url]}}})
    assert peer.fetch(session, url)["status"] == 502
