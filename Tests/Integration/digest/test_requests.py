"""What a Digest request says: hashes, users, realms, targets."""

from __future__ import annotations

import base64
import os
import random
from pathlib import Path

import pytest

from Integration.digest.scene import assert_flawless, pass_once
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, kind_of, password
from Support.exchange import Exchange
from Support.guards import DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]
ALGORITHMS = ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess"]


@pytest.mark.parametrize("qop", ["auth", "auth-int", "auth, auth-int", None])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_and_protection_passes_and_is_reused(
    asked: Asked, origin: ScriptedOrigin, algorithm: str, qop: str | None
) -> None:
    if qop is None and algorithm.endswith("-sess"):
        pytest.skip("-sess needs a cnonce, which RFC 2069 has not")
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, algorithm=algorithm, qop=qop)
    url = origin.serve("/x?y=1", guarded(guard))
    origin.serve("/x", guarded(guard))
    result = pass_once(asked, url, method="POST", body={"text": "a body"})
    assert result["status"] == 200
    later = peer.metrics(session, url)
    assert [exchange["status"] for exchange in later["exchanges"]] == [200]
    assert_flawless(guard)


@pytest.mark.parametrize("size", [0, 70_000, 700_000])
@pytest.mark.parametrize("source", ["file", "inline"])
def test_a_body_is_read_and_hashed_before_it_is_sent(
    asked: Asked, origin: ScriptedOrigin, tmp_path: Path, source: str, size: int
) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, algorithm="SHA-256", qop="auth-int")
    url = origin.serve("/", guarded(guard))
    content = random.Random(size).randbytes(size)
    file = tmp_path / "body"
    file.write_bytes(content)
    for count in range(3):
        with file.open("rb") as opened:
            body: Json = {"descriptor": 0}
            descriptors = [opened.fileno()]
            if source == "inline":
                body, descriptors = {"base64": base64.b64encode(content).decode()}, []
            parameters = {"session": session, "url": url, "method": "PUT", "body": body}
            fetch = peer.request("fetch", parameters, descriptors)
        if count == 0:
            peer.answer(peer.challenge(), password(USER, PASSWORD))
        assert peer.result(fetch)["status"] == 200
    assert [request.body for request in origin.requests[1:]] == [content] * 3
    assert_flawless(guard)


@pytest.mark.parametrize("size", [6, 70_000])
def test_the_hash_is_of_the_body_that_is_sent_after_a_redirect(
    asked: Asked, origin: ScriptedOrigin, size: int
) -> None:
    async def elsewhere(exchange: Exchange) -> None:
        await exchange.respond(303, [("Location", "/result")])

    guard = DigestGuard("staff", USER, PASSWORD, algorithm="SHA-256", qop="auth-int")
    url = origin.serve("/", elsewhere)
    origin.serve("/result", guarded(guard))
    assert pass_once(asked, url, method="POST", body={"text": "x" * size})["status"] == 200
    assert [request.body for request in origin.requests] == [b"x" * size, b"", b""]
    assert_flawless(guard)


def test_a_file_that_has_become_shorter_is_not_taken_for_whole(
    asked: Asked, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, qop="auth-int")
    url = origin.serve("/", guarded(guard))
    file = tmp_path / "body"
    file.write_bytes(b"a body")
    with file.open("rb") as opened:
        parameters = {"session": session, "url": url, "method": "PUT", "body": {"descriptor": 0}}
        fetch = peer.request("fetch", parameters, [opened.fileno()])
    challenge = peer.challenge()
    os.truncate(file, 2)
    peer.answer(challenge, password(USER, PASSWORD))
    assert kind_of(peer.result, fetch) == "descriptorUnusable"


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
def test_userhash_hides_the_user(asked: Asked, origin: ScriptedOrigin, algorithm: str) -> None:
    guard = DigestGuard("staff", USER, PASSWORD, algorithm=algorithm, userhash=True)
    assert pass_once(asked, origin.serve("/", guarded(guard)))["status"] == 200
    assert f'"{USER}"'.encode() not in origin.received()
    assert_flawless(guard)


def test_a_user_beyond_ascii_is_sent_as_an_extended_value(asked: Asked, origin: ScriptedOrigin) -> None:
    guard = DigestGuard("staff", "Jäsøn Doe", PASSWORD, algorithm="SHA-256")
    assert pass_once(asked, origin.serve("/", guarded(guard)), user="Jäsøn Doe")["status"] == 200
    assert_flawless(guard)


def test_quotes_in_the_user_and_realm_are_escaped(asked: Asked, origin: ScriptedOrigin) -> None:
    guard = DigestGuard("staff", 're"ad\\er', PASSWORD)
    assert pass_once(asked, origin.serve("/", guarded(guard)), user='re"ad\\er')["status"] == 200
    assert_flawless(guard)


def test_opaque_comes_back_as_it_was(asked: Asked, origin: ScriptedOrigin) -> None:
    guard = DigestGuard("staff", USER, PASSWORD, opaque="5ccc069c403ebaf9f0171e9517f40e41")
    assert pass_once(asked, origin.serve("/", guarded(guard)))["status"] == 200
    assert_flawless(guard)


def test_octets_that_are_not_utf8_go_back_as_they_came(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard(
        "caf\xe9", USER, PASSWORD, encoding="latin-1", nonce_prefix="\xff\x80", opaque="\xc3\x28"
    )
    url = origin.serve("/", guarded(guard))
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    exact = {"realm": "caf\ufffd", "realmBytes": base64.b64encode(b"caf\xe9").decode()}
    assert challenge["protectionSpace"] | exact == challenge["protectionSpace"]
    assert challenge["offers"][0] | exact == challenge["offers"][0]
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(session, url)["status"] == 200
    assert_flawless(guard)
    explained = peer.call("explain", {"session": session, "url": url})
    assert explained["credential"] | exact == explained["credential"]


def test_two_realms_that_differ_in_an_octet_are_two_spaces(asked: Asked, origin: ScriptedOrigin) -> None:
    """E9 and C3 A9 look the same in one encoding each."""
    peer, session = asked
    realms = ["\xe9", "\xc3\xa9", "\xef\xbf\xbd"]
    for index, realm in enumerate(realms):
        guard = DigestGuard(realm, USER, PASSWORD, encoding="latin-1", domain=f"/{index}")
        fetch = peer.start_fetch(session, origin.serve(f"/{index}", guarded(guard)))
        challenge = peer.challenge()
        assert challenge["previousFailureCount"] == 0
        assert ("realmBytes" in challenge["protectionSpace"]) == (index == 0)
        peer.answer(challenge, password(USER, PASSWORD))
        assert peer.result(fetch)["status"] == 200
        assert_flawless(guard)


def test_requests_name_a_realm_by_its_octets(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("\xe9", USER, PASSWORD, encoding="latin-1")
    url = origin.serve("/", guarded(guard))
    space = {
        "protocol": "http",
        "host": origin.host,
        "port": origin.port,
        "authenticationMethod": "digest",
        "realmBytes": base64.b64encode(b"\xe9").decode(),
    }
    credential = {"user": USER, "password": PASSWORD}
    parameters = {"session": session, "protectionSpace": space, "credential": credential}
    assert peer.call("credential/set", parameters) == {}
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()
    listed = peer.call("credential/list", {"session": session})["credentials"][0]["protectionSpace"]
    assert (listed["realm"], listed["realmBytes"]) == ("\ufffd", space["realmBytes"])
    # As the daemon shows it; other texts contradict the octets.
    named = {"session": session, "protectionSpace": listed, "user": USER}
    assert peer.call("credential/setDefault", named) == {}
    for wrong in ({"realm": "\xe9"}, {"realm": None}, {"realmBytes": "6Q"}, {"realmBytes": 1}):
        refused = {**named, "protectionSpace": {**listed, **wrong}}
        assert kind_of(peer.call, "credential/remove", refused) == "invalidParams"
    assert peer.call("credential/remove", named) == {"removed": 1}


def test_user_and_password_are_composed_for_utf8(asked: Asked, origin: ScriptedOrigin) -> None:
    guard = DigestGuard("staff", "J\xe4s\xf8n", PASSWORD + "\xe9", algorithm="SHA-256", charset="UTF-8")
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    peer.answer(peer.challenge(), password("Ja\u0308s\xf8n", PASSWORD + "e\u0301"))
    assert peer.result(fetch)["status"] == 200
    assert_flawless(guard)


DOMAINS = [
    pytest.param(None, True, id="no domain: the whole origin"),
    pytest.param("/in", False, id="a path"),
    pytest.param("/in /out", True, id="two paths"),
    pytest.param("http://other.test/ ", True, id="another origin counts as absent"),
    pytest.param("/in http://other.test/out", False, id="another origin beside a path"),
]


@pytest.mark.parametrize(("domain", "unasked"), DOMAINS)
def test_the_domain_list_bounds_preemptive_use(
    asked: Asked, origin: ScriptedOrigin, domain: str | None, unasked: bool
) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, domain=domain)
    inside = origin.serve("/in/x", guarded(guard))
    outside = origin.serve("/out/x", guarded(guard))
    pass_once(asked, inside)
    assert len(peer.metrics(session, inside)["exchanges"]) == 1
    result = peer.fetch(session, outside, metrics=True)
    assert result["status"] == 200
    assert len(result["metrics"]["exchanges"]) == (1 if unasked else 2)
    peer.nothing_asked()


@pytest.mark.parametrize("length", [100, 1000, 60000])
def test_a_long_nonce_is_used_or_ignored(asked: Asked, origin: ScriptedOrigin, length: int) -> None:
    peer, session = asked

    async def script(exchange: Exchange) -> None:
        value = f'Digest realm="r", qop="auth", nonce="{"n" * length}"'
        await exchange.respond(401, [("WWW-Authenticate", value)], b"")

    fetch = peer.start_fetch(session, origin.serve("/", script))
    if length <= 1000:
        peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == 401
    peer.nothing_asked()


def test_the_uri_is_the_target_that_was_sent(asked: Asked, origin: ScriptedOrigin) -> None:
    guard = DigestGuard("staff", USER, PASSWORD)
    origin.serve("/a%20b/*", guarded(guard))
    result = pass_once(asked, f"{origin.url}/a%20b/c;d=e?q=%C3%A4&r=1,2")
    assert result["status"] == 200
    assert_flawless(guard)
