"""Connections that a credential has authenticated belong to it alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer, mechanisms, methods
from Support.kerberos import Realm
from Support.kerberos_apache import KerberosApache

READER = {"user": sentinels.USER, "password": sentinels.PASSWORD}


def test_a_warm_fetch_costs_one_exchange(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    session = peer.session(web, ambientOrigins=[web.plain])
    assert mechanisms(peer.fetch(session, web.plain + "/bound/small", metrics=True)) == [None, "kerberos"]
    for _ in range(3):
        result = peer.fetch(session, web.plain + "/bound/small", metrics=True)
        assert methods(result) == [(200, "negotiate")]
        assert mechanisms(result) == ["kerberos"]
        assert result["metrics"]["reused"] is True


def test_a_server_that_wants_a_token_always_gets_one(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    session = peer.session(web, ambientOrigins=[web.plain])
    url = web.plain + "/negotiate/small"
    assert methods(peer.fetch(session, url, metrics=True)) == [(401, None), (200, "negotiate")]
    # Once it is known that an authenticated connection does not suffice, the token is sent at once.
    assert methods(peer.fetch(session, url, metrics=True)) == [(401, "negotiate"), (200, "negotiate")]
    assert methods(peer.fetch(session, url, metrics=True)) == [(200, "negotiate")]


def test_a_page_that_needs_no_user_may_ignore_a_token(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    session = peer.session(web, ambientOrigins=[web.plain])
    for _ in range(3):
        peer.fetch(session, web.plain + "/negotiate/small")
    assert methods(peer.fetch(session, web.plain + "/small", metrics=True)) == [(200, "negotiate")]
    assert methods(peer.fetch(session, web.plain + "/negotiate/small", metrics=True)) == [(200, "negotiate")]


def test_a_response_without_a_body_has_its_mechanism(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    """It ends before the server's token has been verified."""
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    session = peer.session(web, ambientOrigins=[web.plain])
    result = peer.fetch(session, web.plain + "/bound/small", method="HEAD", metrics=True)
    assert mechanisms(result) == [None, "kerberos"]


def test_no_other_session_uses_an_authenticated_connection(
    connect: Callable[[], RealmPeer], web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    first, second = connect(), connect()
    url = web.plain + "/bound/small"
    assert first.fetch(first.session(web, ambientOrigins=[web.plain]), url)["status"] == 200
    assert second.fetch(second.session(web), url)["status"] == 401


def test_a_removed_credential_takes_its_connections_along(peer: RealmPeer, web: KerberosApache) -> None:
    session = peer.session(web, asks=True)
    url = web.plain + "/bound/small"
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["status"] == 200
    space = {"protocol": "http", "host": "web.watchword.test", "port": web.plain_port, "realm": None}
    peer.call(
        "credential/remove",
        {"session": session, "protectionSpace": {**space, "authenticationMethod": "negotiate"}},
    )
    fetch = peer.start_fetch(session, url)
    challenge = peer.asked()
    assert challenge["error"] is None
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401


def test_a_credential_for_one_answer_serves_one_answer(peer: RealmPeer, web: KerberosApache) -> None:
    session = peer.session(web, asks=True)
    url = web.plain + "/bound/small"
    for _ in range(2):
        fetch = peer.start_fetch(session, url, metrics=True)
        peer.answer(peer.asked(), {**READER, "persistence": "none"})
        assert methods(peer.result(fetch)) == [(401, None), (200, "negotiate")]
