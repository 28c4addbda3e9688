"""Digest in all its forms (RFC 7616, RFC 2069), checked by the server's side of the computation."""

from __future__ import annotations

import base64
import gzip
import os
import random
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, body_of, kind_of, password
from Support.exchange import Exchange
from Support.guards import DigestGuard, guarded, parameters_of
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held

pytestmark = pytest.mark.core

Asked = tuple[Peer, str]

ALGORITHMS = ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess"]


def pass_once(asked: Asked, url: str, user: str = USER, **members: Json) -> Json:
    peer, session = asked
    fetch = peer.start_fetch(session, url, **members)
    peer.answer(peer.challenge(), password(user, PASSWORD))
    return peer.result(fetch)


def assert_flawless(guard: DigestGuard) -> None:
    assert guard.faults == []
    assert guard.refused == 0


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
    later = peer.fetch(session, url)
    assert [exchange["status"] for exchange in later["metrics"]["exchanges"]] == [200]
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


def test_counts_rise_across_concurrent_tasks(asked: Asked, origin: ScriptedOrigin) -> None:
    """One nonce, no count twice, one exchange a fetch."""
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    before = len(origin.requests)
    fetches = [peer.start_fetch(session, url) for _ in range(200)]
    assert all(peer.result(fetch)["status"] == 200 for fetch in fetches)
    assert len(origin.requests) - before == 200
    assert len(guard.counts) == 201
    assert {count for _, count in guard.counts} == set(range(1, 202))
    assert_flawless(guard)


def test_a_stale_nonce_is_not_a_refusal(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=3)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    exchanges = [len(peer.fetch(session, url)["metrics"]["exchanges"]) for _ in range(9)]
    assert exchanges == [1, 1, 2, 1, 1, 2, 1, 1, 2]
    peer.nothing_asked()
    assert_flawless(guard)


def test_many_tasks_survive_a_nonce_that_goes_stale_under_them(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=20)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    fetches = [peer.start_fetch(session, url) for _ in range(200)]
    assert all(peer.result(fetch)["status"] == 200 for fetch in fetches)
    peer.nothing_asked()
    assert_flawless(guard)


def test_next_nonce_is_used_without_another_exchange(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, next_nonce_after=1, uses_per_nonce=1)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    for _ in range(5):
        assert len(peer.fetch(session, url)["metrics"]["exchanges"]) == 1
    assert_flawless(guard)


def fetch_many(peer: Peer, session: str, url: str, count: int, parallel: int = 64) -> list[Json]:
    """The results of `count` fetches, so many at a time."""
    fetches: list[int] = []
    results: list[Json] = []
    for _ in range(count):
        if len(fetches) == parallel:
            results.append(peer.result(fetches.pop(0)))
        fetches.append(peer.start_fetch(session, url))
    return results + [peer.result(fetch) for fetch in fetches]


PARTICULAR = [
    pytest.param({"in_order": True}, 1, id="counts in order"),
    pytest.param({"uses_per_nonce": 1, "says_stale": False}, 1000, id="each nonce once"),
    pytest.param({"uses_per_nonce": 7, "says_stale": False}, 1000 // 7 + 1, id="each nonce 7 times"),
    pytest.param({"uses_per_nonce": 7, "says_stale": False, "in_order": True}, 1000 // 7 + 1, id="both"),
]


@pytest.mark.parametrize(("rules", "repeated"), PARTICULAR)
def test_an_origin_that_is_particular_about_counts_delivers_no_401(
    peer: Peer, origin: ScriptedOrigin, rules: dict[str, Json], repeated: int
) -> None:
    """64 in flight share a nonce; what such an origin dislikes costs one more exchange, never a refusal."""
    session = peer.open(tasks=["*"], configuration={"connectionsPerHost": 64})
    guard = DigestGuard("staff", USER, PASSWORD, **rules)
    url = origin.serve("/", guarded(guard))
    pass_once((peer, session), url)
    results = fetch_many(peer, session, url, 1000)
    assert {result["status"] for result in results} == {200}
    peer.nothing_asked()
    assert_flawless(guard)
    # Beyond those that were in flight when counts began to be sent in order.
    assert guard.disliked <= repeated + 64
    if guard.uses_per_nonce is None:
        later = fetch_many(peer, session, url, 200)
        assert {len(result["metrics"]["exchanges"]) for result in later} == {1}


@pytest.mark.parametrize("parallel", [1, 64])
def test_a_changed_password_costs_one_bad_login_with_a_new_nonce(
    peer: Peer, origin: ScriptedOrigin, parallel: int
) -> None:
    session = peer.open(tasks=["*"], configuration={"connectionsPerHost": 64})
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once((peer, session), url)
    known = set(guard.issued)
    guard.password = PASSWORD + "2"
    before = len(origin.requests)
    fetches = [peer.start_fetch(session, url) for _ in range(parallel)]
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    tried = [
        parameters_of(request.authorization)["nonce"]
        for request in origin.requests[before:]
        if request.authorization
    ]
    # Those that were under way when the first was refused, and the one that tried again.
    assert len([nonce for nonce in tried if nonce not in known]) == 1
    peer.answer(challenge, password(USER, guard.password))
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    peer.nothing_asked()


def test_tasks_beyond_the_connections_send_nothing_while_one_tries_again(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    """Of 200 fetches over 6 connections, 6 may have been sent when the first is refused."""
    session = peer.open(tasks=["*"])
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once((peer, session), url)
    guard.password = PASSWORD + "2"
    fetches = [peer.start_fetch(session, url) for _ in range(200)]
    peer.answer(peer.challenge(), password(USER, guard.password))
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    assert guard.refused <= 6 + 1


def test_a_request_that_waits_in_turn_is_cancelled_and_the_others_go_on(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=1, says_stale=False)
    gate = origin.gate()
    passing = guarded(guard)
    url = origin.serve("/", passing)
    slow = origin.serve("/slow", held(gate, passing))
    pass_once(asked, url)
    assert peer.fetch(session, url)["status"] == 200
    before = len(origin.requests)
    holder = peer.start_fetch(session, slow)
    origin.wait_for_requests(before + 1)
    task = peer.call("task/start", {"session": session, "url": url, "output": "discard"})["task"]
    last = peer.start_fetch(session, url)
    assert peer.call("ping") is not None
    assert len(origin.requests) == before + 1
    peer.call("task/cancel", {"task": task})
    gate.open()
    assert [peer.result(fetch)["status"] for fetch in (holder, last)] == [200, 200]
    peer.nothing_asked()


@pytest.mark.parametrize("suspends", ["the one that has sent", "the one that waits"])
def test_a_suspended_task_holds_nobody_up(asked: Asked, origin: ScriptedOrigin, suspends: str) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=1, says_stale=False)
    gate = origin.gate()
    passing = guarded(guard)
    url = origin.serve("/", passing)
    pass_once(asked, url)
    assert peer.fetch(session, url)["status"] == 200
    before = len(origin.requests)
    first = peer.call(
        "task/start",
        {"session": session, "url": origin.serve("/held", held(gate, passing)), "output": "discard"},
    )
    origin.wait_for_requests(before + 1)
    second = peer.call(
        "task/start",
        {
            "session": session,
            "url": origin.serve("/never", held(origin.gate(), passing)),
            "output": "discard",
        },
    )
    last = peer.start_fetch(session, url)
    if suspends == "the one that has sent":
        peer.call("task/suspend", {"task": first["task"]})
        peer.call("task/cancel", {"task": second["task"]})
    else:
        peer.call("task/suspend", {"task": second["task"]})
        gate.open()
    assert peer.result(last)["status"] == 200


@pytest.mark.parametrize("quality", ["auth", "auth-int"])
def test_a_body_that_nobody_reads_holds_nobody_up(asked: Asked, origin: ScriptedOrigin, quality: str) -> None:
    """The turn ends with the head (challenges.md 8.6), also where the body is part of the server's proof."""
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=1, says_stale=False, qop=quality)
    url = origin.serve("/", guarded(guard))
    large = origin.serve("/large", guarded(guard, b"x" * (16 << 20)))
    pass_once(asked, url)
    assert peer.fetch(session, url)["status"] == 200
    body, sink = os.pipe()
    try:
        start = {"session": session, "url": large, "output": {"descriptor": 0}}
        peer.call("task/start", start, [sink])
        peer.notification("task/didReceiveResponse")
        assert peer.fetch(session, url)["status"] == 200
    finally:
        os.close(body)
        os.close(sink)


def test_a_plain_401_to_a_reused_nonce_is_tried_once_more(asked: Asked, origin: ScriptedOrigin) -> None:
    """The server forgot its nonces and does not say stale: not a refusal, once."""
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    guard.issued.clear()
    result = peer.fetch(session, url)
    assert result["status"] == 200
    assert len(result["metrics"]["exchanges"]) == 2
    peer.nothing_asked()


def test_a_second_plain_401_is_a_refusal(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD)
    url = origin.serve("/", guarded(guard))
    pass_once(asked, url)
    guard.issued.clear()
    guard.password = "changed"
    before = len(origin.requests)
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"]["user"] == USER
    assert len(origin.requests) - before == 2
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


def test_an_endless_row_of_stale_replies_ends(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    guard = DigestGuard("staff", USER, PASSWORD, uses_per_nonce=0)
    fetch = peer.start_fetch(session, origin.serve("/", guarded(guard)))
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    while True:
        try:
            peer.answer(peer.challenge(seconds=5), None)
        except TimeoutError:
            break
        if fetch in peer.replies:
            break
    assert peer.result(fetch)["status"] == 401
    assert len(origin.requests) < 30


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
    assert len(peer.fetch(session, inside)["metrics"]["exchanges"]) == 1
    result = peer.fetch(session, outside)
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
