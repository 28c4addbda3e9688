"""Which offers a response makes, and in which order they are tried (challenges.md 6)."""

from __future__ import annotations

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, kind_of, password
from Support.daemon import Daemon
from Support.exchange import Script
from Support.guards import BasicGuard, DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, raw, reply

pytestmark = pytest.mark.core

Asked = tuple[Peer, str]

UNKNOWN = 'Hawk realm="h"'
NEGOTIATE = "Negotiate"
DIGEST = 'Digest realm="d", nonce="n1", qop="auth", algorithm=MD5'
DIGEST_256 = 'Digest realm="d", nonce="n2", qop="auth", algorithm=SHA-256'
DIGEST_512_256 = 'Digest realm="d", nonce="n3", qop="auth", algorithm=SHA-512-256'
BASIC = 'Basic realm="b"'
BEARER = 'Bearer realm="t"'


def methods(challenge: Json) -> list[str]:
    return [offer["authenticationMethod"] for offer in challenge["offers"]]


@pytest.mark.parametrize("first", [UNKNOWN, "NTLM", "Unknown abc=="])
@pytest.mark.parametrize("joined", [False, True], ids=["separate fields", "one field"])
def test_rejecting_walks_the_offers_of_one_response(
    asked: Asked, origin: ScriptedOrigin, first: str, joined: bool
) -> None:
    peer, session = asked
    values = (first, DIGEST, BASIC)
    url = origin.serve("/", challenged(", ".join(values)) if joined else challenged(*values))
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert methods(challenge)[-2:] == ["digest", "basic"]
    walked = []
    while True:
        walked.append(challenge["protectionSpace"]["authenticationMethod"])
        peer.dispose(challenge, "rejectProtectionSpace")
        if walked[-1] == "basic":
            break
        challenge = peer.challenge()
    assert walked[-2:] == ["digest", "basic"]
    assert peer.result(fetch)["status"] == 401
    assert len(origin.requests) == 1, "the walk needs one response only"


@pytest.mark.parametrize("first", [UNKNOWN, "NTLM"])
def test_cancelling_in_the_middle_of_the_walk_fails_the_task(
    asked: Asked, origin: ScriptedOrigin, first: str
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", challenged(first, DIGEST, BASIC)))
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(lambda: peer.result(fetch)) == "userCancelledAuthentication"


@pytest.mark.parametrize("first", [UNKNOWN, "NTLM"])
def test_default_handling_all_the_way_ends_in_the_401(
    asked: Asked, origin: ScriptedOrigin, first: str
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", challenged(first, DIGEST, BASIC)))
    for method in ("digest", "basic"):
        challenge = peer.challenge()
        assert challenge["protectionSpace"]["authenticationMethod"] == method
        peer.dispose(challenge, "performDefaultHandling")
    assert peer.result(fetch)["status"] == 401


@pytest.mark.parametrize("first", [UNKNOWN, "NTLM"])
def test_without_a_delegate_the_401_is_delivered_at_once(
    peer: Peer, origin: ScriptedOrigin, first: str
) -> None:
    session = peer.open()
    result = peer.fetch(session, origin.serve("/", challenged(first, DIGEST, BASIC)))
    assert result["status"] == 401
    assert peer.counter("challenges.raised") == 0


def test_negotiate_comes_first(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", challenged(DIGEST, NEGOTIATE, BASIC)))
    challenge = peer.challenge()
    assert methods(challenge) == ["negotiate", "digest", "basic"]
    peer.dispose(challenge, "rejectProtectionSpace")
    peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == 401


def test_a_delegate_that_takes_basic_only_is_asked_for_basic(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["basic"])
    fetch = peer.start_fetch(session, origin.serve("/", challenged(DIGEST, BASIC)))
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "basic"
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401


def test_offers_are_ordered_by_strength(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    fields = (BASIC, DIGEST, DIGEST_256, BEARER, DIGEST_512_256)
    fetch = peer.start_fetch(session, origin.serve("/", challenged(*fields)))
    challenge = peer.challenge()
    assert methods(challenge) == ["bearer", "digest", "digest", "digest", "basic"]
    algorithms = [offer["parameters"].get("algorithm") for offer in challenge["offers"]]
    assert algorithms == [None, "SHA-512-256", "SHA-256", "MD5", None]
    assert [offer["realm"] for offer in challenge["offers"]] == ["t", "d", "d", "d", "b"]
    peer.answer(challenge, None)
    peer.result(fetch)


ORDERS: list[tuple[Json, list[str]]] = [
    ({"order": "serverOrder"}, ["basic", "digest", "bearer"]),
    ({"order": ["digest", "basic", "bearer"]}, ["digest", "basic", "bearer"]),
    ({"order": ["basic"]}, ["basic", "bearer", "digest"]),
    ({"disabled": ["basic"]}, ["bearer", "digest"]),
    ({"disabled": ["basic", "bearer"]}, ["digest"]),
]


@pytest.mark.parametrize(("configuration", "expected"), ORDERS)
def test_the_session_sets_the_order(
    peer: Peer, origin: ScriptedOrigin, configuration: Json, expected: list[str]
) -> None:
    session = peer.open(tasks=["*"], configuration={"methods": configuration})
    fetch = peer.start_fetch(session, origin.serve("/", challenged(BASIC, DIGEST, BEARER)))
    challenge = peer.challenge()
    assert methods(challenge) == expected
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


NO_OFFERS = [
    pytest.param('Digest realm="d", qop="auth"', id="digest without nonce"),
    pytest.param('Digest nonce="n", qop="auth"', id="digest without realm"),
    pytest.param('Digest realm="d", nonce="n", algorithm=SHA-3', id="digest of an unknown algorithm"),
    pytest.param('Digest realm="d", nonce="n", qop="auth-conf"', id="digest without a usable qop"),
    pytest.param("Hawk", id="an unknown method"),
    pytest.param("NTLM", id="ntlm, which is off"),
    pytest.param("", id="an empty field"),
    pytest.param('"Basic realm=x"', id="a quoted string"),
    pytest.param('Unknown p="x, Basic realm=y"', id="basic inside a quoted string"),
    pytest.param('Unknown p="x\\", Basic realm=\\"y"', id="basic behind an escaped quote"),
    pytest.param('Unknown p="x, Basic realm=\\"y', id="a quoted string that does not end"),
    pytest.param(", , ,", id="commas"),
    pytest.param("=", id="an equals sign"),
    pytest.param("Digest " + ", ".join(f'p{i}="v"' for i in range(2000)), id="two thousand parameters"),
]


@pytest.mark.parametrize("value", NO_OFFERS)
def test_what_is_no_offer_raises_no_challenge(asked: Asked, origin: ScriptedOrigin, value: str) -> None:
    peer, session = asked
    assert peer.fetch(session, origin.serve("/", challenged(value)))["status"] == 401
    peer.nothing_asked()


TOLERATED = [
    pytest.param('Basic realm="security" charset="UTF-8"', "security", id="no comma"),
    pytest.param("Basic realm='two words'", "'two words'", id="apostrophes"),
    pytest.param('Basic realm="x', None, id="an unclosed quote"),
    pytest.param("Basic", None, id="no realm"),
    pytest.param('Basic realm="x"; charset="UTF-8"', "x", id="a semicolon"),
    pytest.param('Digest realm="d", nonce="n", qop=""', "d", id="an empty qop"),
    pytest.param("Digest realm=d, nonce=bm9uY2U==, qop=auth", "d", id="an unquoted nonce"),
    pytest.param("Bearer authorization_uri=https://login.test/a, Basic realm=x", None, id="a bare url"),
]


@pytest.mark.parametrize(("value", "realm"), TOLERATED)
def test_what_has_one_reading_is_asked_about(
    asked: Asked, origin: ScriptedOrigin, value: str, realm: str | None
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", challenged(value)))
    challenge = peer.challenge()
    assert methods(challenge) == [part.split()[0].lower() for part in value.split(", ") if part[0] in "BD"]
    assert challenge["protectionSpace"]["realm"] == realm
    peer.answer(challenge, None)
    peer.result(fetch)


def test_what_cannot_be_answered_is_named_in_challenge_result_and_explain(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    url = origin.serve("/", challenged('Hawk, Digest realm=two words, nonce="n", Basic realm="b"'))
    named = [{"scheme": "Hawk", "reason": "unknownMethod"}, {"scheme": "Digest", "reason": "malformed"}]
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert methods(challenge) == ["basic"]
    assert challenge["unusableOffers"] == named
    peer.answer(challenge, None)
    assert peer.result(fetch)["unusableOffers"] == named
    assert peer.call("explain", {"session": session, "url": url})["unusableOffers"] == named
    url = origin.serve("/many", challenged(", ".join(f"New{i}" for i in range(2000))))
    result = peer.fetch(session, url)
    assert len(result["unusableOffers"]) == 16
    assert result["unusableOfferCount"] == 2000


def test_a_malformed_field_does_not_hide_a_good_one(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = origin.serve("/", challenged('Unknown p="x, Basic realm=y', BASIC))
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert methods(challenge) == ["basic"]
    assert challenge["protectionSpace"]["realm"] == "b"
    peer.answer(challenge, None)
    peer.result(fetch)


REALMS = [
    (r'Basic realm="a, b"', "a, b"),
    (r'Basic realm="a \"quoted\" word"', 'a "quoted" word'),
    (r'bAsIc rEaLm="x"', "x"),
    (r"Basic realm=token", "token"),
    (r'Basic   realm = "spaced"', "spaced"),
    (r'Basic charset="UTF-8", realm="late"', "late"),
]


@pytest.mark.parametrize(("value", "realm"), REALMS)
def test_a_realm_is_read_as_the_grammar_says(
    asked: Asked, origin: ScriptedOrigin, value: str, realm: str
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", challenged(value)))
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["realm"] == realm
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


def test_header_bytes_beyond_ascii_do_not_break_the_message(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    reply = b'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="\xff\xfe\x80"\r\nContent-Length: 0\r\n\r\n'
    fetch = peer.start_fetch(session, origin.serve("/", raw(reply)))
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "basic"
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


def test_a_bounded_number_of_challenges_is_read(peer: Peer, origin: ScriptedOrigin) -> None:
    """Thousands of realms, and the session knows the last one that is read; other methods count for none."""
    count = 64
    others = ", ".join(f"Other realm={number}" for number in range(500))
    realms = others + ", " + ", ".join(f"Basic realm={number}" for number in range(4000))
    session = peer.open()
    space = {"protocol": "http", "host": "127.0.0.1", "port": origin.port, "realm": str(count - 1)}
    space |= {"authenticationMethod": "basic"}
    put = {"session": session, "protectionSpace": space, "credential": password(USER, PASSWORD)}
    peer.call("credential/set", put)
    url = origin.serve("/", challenged(realms), reply())
    assert peer.fetch(session, url)["status"] == 200
    asked = peer.open(tasks=["*"])
    fetch = peer.start_fetch(asked, origin.serve("/asked", challenged(realms)))
    challenge = peer.challenge()
    assert [offer["realm"] for offer in challenge["offers"]] == [str(number) for number in range(16)]
    assert challenge["offerCount"] == count
    peer.answer(challenge, None)
    assert peer.result(fetch)["status"] == 401


def test_a_401_without_a_challenge_is_delivered(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    assert peer.fetch(session, origin.serve("/", challenged()))["status"] == 401
    peer.nothing_asked()


def test_a_407_of_an_origin_is_not_a_question(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    reply = b'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\n\r\n'
    assert peer.fetch(session, origin.serve("/", raw(reply)))["status"] == 407
    peer.nothing_asked()


def test_the_next_offer_is_answered_with_its_own_credential(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    script: Script = guarded(BasicGuard("b", USER, PASSWORD), also=(UNKNOWN, DIGEST))
    fetch = peer.start_fetch(session, origin.serve("/", script))
    peer.dispose(peer.challenge(), "rejectProtectionSpace")
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert not any("Digest" in (request.authorization or "") for request in origin.requests)


WEAKER = [
    pytest.param('Basic realm="same"', {"authenticationMethod": "basic", "algorithm": None}, id="basic"),
    pytest.param(
        'Digest realm="same", nonce="weak", qop="auth", algorithm=MD5',
        {"authenticationMethod": "digest", "algorithm": "MD5"},
        id="MD5",
    ),
]


def logged_in_by_digest(peer: Peer, session: str, origin: ScriptedOrigin, weaker: str) -> str:
    """The URL of a page that took a SHA-256 answer and from now on makes the weaker offer."""
    digest = guarded(DigestGuard("same", USER, PASSWORD, algorithm="SHA-256"))
    url = origin.serve("/", digest, digest, challenged(weaker))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    return url


@pytest.mark.parametrize(("weaker", "_offered"), WEAKER)
def test_a_weaker_offer_than_before_is_refused_with_strongest_only(
    peer: Peer, origin: ScriptedOrigin, weaker: str, _offered: Json
) -> None:
    session = peer.open(tasks=["*"], configuration={"methods": {"strongestOnly": True}})
    url = logged_in_by_digest(peer, session, origin, weaker)
    assert peer.fetch(session, url)["status"] == 401
    peer.nothing_asked()
    assert not any("Basic" in (request.authorization or "") for request in origin.requests)
    assert not any('"weak"' in (request.authorization or "") for request in origin.requests)
    assert peer.counter("challenges.downgraded") == 1


@pytest.mark.parametrize(("weaker", "offered"), WEAKER)
def test_a_weaker_offer_than_before_is_reported(
    daemon: Daemon, peer: Peer, origin: ScriptedOrigin, weaker: str, offered: Json
) -> None:
    session = peer.open(tasks=["*"])
    url = logged_in_by_digest(peer, session, origin, weaker)
    assert peer.counter("challenges.downgraded") == 0
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["error"] == {
        "kind": "weakerOffer",
        "previous": {"authenticationMethod": "digest", "algorithm": "SHA-256"},
        "offered": offered,
    }
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"
    assert peer.counter("challenges.downgraded") >= 1
    lines = [line for line in daemon.output().splitlines() if "weaker offer than before" in line]
    assert len(lines) == 1 and "warning" in lines[0]
    assert "digest SHA-256" in lines[0] and PASSWORD not in lines[0]


def test_a_head_full_of_realms_asks_sixteen_times(asked: Asked, origin: ScriptedOrigin) -> None:
    """97 KiB of them asked 3,800 times, and listed all that were left each time."""
    peer, session = asked
    values = [f'Basic realm="{number}"' for number in range(3800)]
    fetch = peer.start_fetch(session, origin.serve("/", challenged(*[", ".join(values)])))
    for _ in range(16):
        challenge = peer.challenge()
        assert len(challenge["offers"]) <= 16 < challenge["offerCount"]
        peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401
    peer.nothing_asked()
    assert len(origin.requests) == 1


def test_a_delegate_that_repeats_an_unusable_credential_comes_to_basic(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, origin.serve("/", challenged(NEGOTIATE, BASIC)))
    met: list[tuple[str, int]] = []
    while ("basic", 0) not in met and len(met) < 20:
        challenge = peer.challenge()
        method = challenge["protectionSpace"]["authenticationMethod"]
        met.append((method, challenge["previousFailureCount"]))
        peer.answer(challenge, password("@@", PASSWORD) if method == "negotiate" else None)
    assert met == [*[("negotiate", count) for count in (0, 0, 1, 2)], ("basic", 0)]
    assert peer.result(fetch)["status"] == 401
