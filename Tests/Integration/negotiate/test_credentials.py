"""Negotiate with tickets, a password, a keytab and a cache, at Apache's `mod_auth_gssapi`."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer, methods
from Integration.wire import PATIENCE, Json, RemoteError
from Support import documents
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.kerberos import Realm
from Support.kerberos_apache import KerberosApache

READER = {"user": sentinels.USER, "password": sentinels.PASSWORD}
TICKETS = {"kerberos": {"cache": "default"}}
SMALL = documents.SMALL.decode()


def contents(path: Path) -> dict[str, str]:
    return {"base64": base64.b64encode(path.read_bytes()).decode()}


def test_tickets_open_a_listed_origin_without_a_question(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    session = peer.session(web, ambientOrigins=[web.plain])
    url = web.plain + "/negotiate/small"
    expected = {"user": None, "authenticationMethod": "negotiate", "source": "ambient"}
    assert peer.call("explain", {"session": session, "url": url})["credential"] == expected
    result = peer.fetch(session, url, metrics=True)
    assert result["body"]["text"] == SMALL
    assert methods(result) == [(401, None), (200, "negotiate")]
    assert peer.call("explain", {"session": session, "url": url})["credential"]["source"] == "session"


def test_tickets_are_not_sent_to_other_origins(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    session = peer.session(web, ambientOrigins=[web.secure])
    result = peer.fetch(session, web.plain + "/negotiate/small", metrics=True)
    assert methods(result) == [(401, None)]


def test_a_reply_with_a_password_opens_the_page(peer: RealmPeer, web: KerberosApache) -> None:
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    challenge = peer.asked()
    assert challenge["protectionSpace"]["authenticationMethod"] == "negotiate"
    assert challenge["error"] is None and challenge["proposedCredential"] is None
    peer.answer(challenge, READER)
    assert peer.result(fetch)["body"]["text"] == SMALL
    assert [entry["kind"] for entry in peer.call("credential/list", {"session": session})["credentials"]] == [
        "password"
    ]


def test_a_domain_names_the_realm_of_the_user(peer: RealmPeer, web: KerberosApache) -> None:
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    peer.answer(peer.asked(), {**READER, "domain": "WATCHWORD.TEST"})
    assert peer.result(fetch)["status"] == 200


def test_a_wrong_password_is_a_refusal(peer: RealmPeer, web: KerberosApache) -> None:
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    peer.answer(peer.asked(), {**READER, "password": "wrong"})
    again = peer.asked()
    assert again["error"] == {"kind": "credentialRefused"}
    assert again["previousFailureCount"] == 1
    assert again["proposedCredential"]["user"] == sentinels.USER
    peer.answer(again, READER)
    assert peer.result(fetch)["status"] == 200


@pytest.mark.parametrize("source", ["keytab", "cache"])
def test_bytes_of_a_file_open_the_page(
    peer: RealmPeer, web: KerberosApache, realm: Realm, tmp_path: Path, source: str
) -> None:
    if source == "keytab":
        given: Json = {"keytab": contents(realm.add_keytab("robot")), "principal": "robot"}
    else:
        realm.kinit(sentinels.USER, sentinels.PASSWORD, tmp_path / "other")
        given = {"cache": contents(tmp_path / "other")}
    session = peer.session(web)
    space = {"protocol": "http", "host": "web.watchword.test", "port": web.plain_port}
    peer.call(
        "credential/set",
        {
            "session": session,
            "protectionSpace": {**space, "authenticationMethod": "negotiate"},
            "credential": {"kerberos": given},
        },
    )
    assert peer.fetch(session, web.plain + "/negotiate/small")["body"]["text"] == SMALL
    listed = peer.call("credential/list", {"session": session})["credentials"]
    assert [entry["kind"] for entry in listed] == ["kerberos"]


def test_malformed_bytes_are_a_fault_of_the_credential(peer: RealmPeer, web: KerberosApache) -> None:
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    junk = {"base64": base64.b64encode(b"no keytab").decode()}
    peer.answer(peer.asked(), {"kerberos": {"keytab": junk, "principal": sentinels.USER}})
    again = peer.asked()
    assert again["error"] == {"kind": "credentialMalformed"}
    assert again["previousFailureCount"] == 0
    peer.answer(again, READER)
    assert peer.result(fetch)["status"] == 200


def test_names_of_the_administrator_open_the_page(web: KerberosApache, realm: Realm, tmp_path: Path) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, tmp_path / "named")
    keytab = realm.add_keytab("nightly")
    configuration = tmp_path / "daemon.json"
    named = {"caches": {"reports": str(tmp_path / "named")}}
    keytabs = {"keytabs": {"nightly": {"path": str(keytab), "principal": "nightly"}}}
    configuration.write_text(json.dumps({"kerberos": {**named, **keytabs}}))
    daemon = Daemon(
        ["--configuration", str(configuration)], {"KRB5_CONFIG": realm.environment["KRB5_CONFIG"]}
    )
    try:
        for source in ({"cache": "reports"}, {"keytab": "nightly"}):
            peer = RealmPeer(daemon.socket)
            with peer:
                session = peer.session(web, asks=True)
                fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
                challenge = peer.asked()
                with pytest.raises(RemoteError) as refused:
                    peer.answer(challenge, {"kerberos": {"cache": "unknown"}})
                assert refused.value.kind == "credentialUnusable"
                assert refused.value.data["reason"] == "unknownName"
                peer.answer(challenge, {"kerberos": source})
                assert peer.result(fetch)["status"] == 200
    finally:
        daemon.stop()


def test_a_missing_ticket_is_a_question_and_kinit_answers_it(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    session = peer.session(web, asks=True, ambientOrigins=[web.plain])
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    challenge = peer.asked()
    assert challenge["error"] == {"kind": "ticketMissing"}
    peer.answer(challenge, TICKETS)
    again = peer.asked()
    # The same credential has met the same fault again.
    assert again["error"] == {"kind": "ticketMissing"} and again["previousFailureCount"] == 1
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    peer.answer(again, TICKETS)
    assert peer.result(fetch)["status"] == 200


def test_an_expired_ticket_is_a_question(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache, ["-l", "1s"])
    realm.wait_until_expired(cache)
    session = peer.session(web, asks=True, ambientOrigins=[web.plain])
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    challenge = peer.asked()
    assert challenge["error"] == {"kind": "ticketExpired"}
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    peer.answer(challenge, TICKETS)
    assert peer.result(fetch)["status"] == 200


def test_without_a_delegate_a_missing_ticket_fails_the_task(peer: RealmPeer, web: KerberosApache) -> None:
    session = peer.session(web, ambientOrigins=[web.plain])
    with pytest.raises(RemoteError) as failed:
        peer.fetch(session, web.plain + "/negotiate/small")
    assert failed.value.kind == "authenticationFailed"
    assert failed.value.data["reason"] == "ticketMissing"
    assert failed.value.data["hop"] == "origin"


@pytest.mark.parametrize("is_answered", [True, False])
def test_default_handling_of_a_missing_ticket_is_that_without_a_delegate(
    peer: RealmPeer, web: KerberosApache, is_answered: bool
) -> None:
    session = peer.open(
        session=["negotiate"],
        configuration={
            "addresses": web.addresses,
            "methods": {"negotiate": {"ambientOrigins": [web.plain]}},
            "challenges": {
                "deadlineSeconds": PATIENCE if is_answered else 0.1,
                "unanswered": "performDefaultHandling",
            },
        },
    )
    fetch = peer.start_fetch(session, f"{web.plain}/negotiate/small")
    challenge = peer.asked()
    assert challenge["error"] == {"kind": "ticketMissing"}
    if is_answered:
        peer.dispose(challenge, "performDefaultHandling")
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert (caught.value.kind, caught.value.data["reason"]) == ("authenticationFailed", "ticketMissing")


def test_an_unreachable_realm_is_a_question(peer: RealmPeer, web: KerberosApache) -> None:
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    peer.answer(peer.asked(), {"user": "reader@SILENT.TEST", "password": sentinels.PASSWORD})
    challenge = peer.asked()
    assert challenge["error"] == {"kind": "kdcUnreachable"}
    peer.answer(challenge, READER)
    assert peer.result(fetch)["status"] == 200


def test_an_unknown_server_is_a_question(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    other = f"http://other.watchword.test:{web.plain_port}"
    session = peer.open(
        session=["negotiate"],
        configuration={
            "addresses": {"resolve": {f"other.watchword.test:{web.plain_port}": "127.0.0.1"}},
            "methods": {"negotiate": {"ambientOrigins": [other]}},
        },
    )
    fetch = peer.start_fetch(session, other + "/negotiate/small")
    challenge = peer.asked()
    assert challenge["error"] == {"kind": "serverUnknown"}
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401


def test_tickets_of_https_are_bound_to_the_connection(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path, authority: Authority
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    session = peer.session(web, roots=authority.certificate.read_text(), ambientOrigins=[web.secure])
    result = peer.fetch(session, web.secure + "/negotiate/small", metrics=True)
    assert result["body"]["text"] == SMALL
    # The origin speaks HTTP/2 to other clients.
    assert [part["protocol"] for part in result["metrics"]["exchanges"]] == ["h2", "http/1.1"]


def test_a_body_is_sent_to_a_page_behind_negotiate(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    session = peer.session(web, ambientOrigins=[web.plain])
    for size in (10, 200_000):
        body = {"text": "x" * size}
        result = peer.fetch(session, web.plain + "/negotiate/small", method="POST", body=body)
        assert result["status"] == 200


def test_many_tasks_share_one_question(connect: Callable[[], RealmPeer], web: KerberosApache) -> None:
    peer = connect()
    session = peer.session(web, asks=True)
    fetches = [peer.start_fetch(session, web.plain + "/negotiate/small") for _ in range(200)]
    peer.answer(peer.asked(), READER)
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    assert peer.counter("challenges.raised") == 1
