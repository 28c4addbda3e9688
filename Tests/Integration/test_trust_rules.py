"""Pins of a session and the administrator's policy: callers can be stricter than it, never looser."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from Integration.wire import PATIENCE, Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core

Origins = Callable[..., ScriptedOrigin]
ACCEPT = {"trust": "certificate", "persistence": "forSession"}


def pin_of(certificate: Path) -> str:
    """`sha256/` and the base64 of the hash of the certificate's public key, by the openssl command."""
    key = subprocess.run(
        ["openssl", "x509", "-in", str(certificate), "-noout", "-pubkey"], check=True, capture_output=True
    )
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-outform", "DER"], input=key.stdout, check=True, capture_output=True
    )
    return "sha256/" + base64.b64encode(hashlib.sha256(der.stdout).digest()).decode()


OTHER_PIN = "sha256/" + base64.b64encode(bytes(32)).decode()


async def fine(exchange: Exchange) -> None:
    await exchange.respond(200, body=b"fine")


@pytest.fixture
def secure(origins: Origins, tls_context: ssl.SSLContext) -> ScriptedOrigin:
    origin = origins(tls_context)
    origin.serve("/", fine)
    return origin


def pinned(authority: Authority, *keys: str, **members: Json) -> Json:
    pins = [{"host": "localhost", "publicKeys": list(keys), **members}]
    return {"tls": {"roots": {"certificates": authority.pem}, "pins": pins}}


def reasons_of(peer: Peer, session: str, url: str) -> list[str]:
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, url)
    assert caught.value.kind == "serverTrustRejected"
    return [reason["reason"] for reason in caught.value.data["reasons"]]


def test_a_pinned_origin_refuses_a_valid_certificate_with_another_key(
    peer: Peer, secure: ScriptedOrigin, authority: Authority
) -> None:
    session = peer.open(configuration=pinned(authority, OTHER_PIN))
    assert reasons_of(peer, session, secure.url + "/") == ["pinMismatch"]
    assert secure.requests == []


def test_the_key_of_the_server_or_of_its_issuer_may_be_pinned(
    peer: Peer, secure: ScriptedOrigin, authority: Authority
) -> None:
    for certificate in (authority.directory / "scripted.pem", authority.certificate):
        session = peer.open(configuration=pinned(authority, OTHER_PIN, pin_of(certificate)))
        assert peer.fetch(session, secure.url + "/")["status"] == 200


def test_a_pin_for_reports_is_counted_and_lets_through(
    peer: Peer, secure: ScriptedOrigin, authority: Authority
) -> None:
    session = peer.open(configuration=pinned(authority, OTHER_PIN, reportOnly=True))
    assert peer.fetch(session, secure.url + "/")["status"] == 200
    assert peer.counter("pins.reported") == 1


def test_a_pin_is_checked_after_a_redirect_and_under_another_spelling_of_the_host(
    peer: Peer, secure: ScriptedOrigin, origin: ScriptedOrigin, authority: Authority
) -> None:
    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, [("Location", f"https://LOCALHOST.:{secure.port}/")])

    start = origin.serve("/", moved)
    configuration = pinned(authority, OTHER_PIN)
    configuration["addresses"] = {"resolve": {f"localhost.:{secure.port}": "127.0.0.1"}}
    session = peer.open(configuration=configuration)
    assert "pinMismatch" in reasons_of(peer, session, start)


def test_a_delegate_may_accept_what_a_pin_of_the_session_refuses(
    peer: Peer, secure: ScriptedOrigin, authority: Authority
) -> None:
    session = peer.open(tasks=["serverTrust"], configuration=pinned(authority, OTHER_PIN))
    fetch = peer.start_fetch(session, secure.url + "/")
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["serverTrust"]["reasons"] == [{"reason": "pinMismatch", "depth": 0}]
    peer.answer(challenge, ACCEPT)
    assert peer.result(fetch)["status"] == 200


def test_nobody_accepts_what_a_pin_excludes(
    peer: Peer, connect: Callable[..., Peer], secure: ScriptedOrigin, authority: Authority
) -> None:
    """Not its own delegate, nor another program in the session that is named after these settings."""
    configuration = pinned(authority, OTHER_PIN)
    (pin,) = configuration["tls"]["pins"]
    pin["excusable"] = False
    named = peer.call("session/open", {"bySettings": True, "configuration": configuration})["session"]
    other = connect()
    other.open(named, tasks=["serverTrust"])
    assert reasons_of(peer, named, secure.url + "/") == ["pinMismatch"]
    assert reasons_of(other, named, secure.url + "/") == ["pinMismatch"]
    # Together with reasons that a reply could accept, as well.
    pins = [{"host": "*", "publicKeys": [OTHER_PIN], "excusable": False}]
    session = peer.open(tasks=["serverTrust"], configuration={"tls": {"pins": pins}})
    assert sorted(reasons_of(peer, session, secure.url + "/")) == ["pinMismatch", "unknownIssuer"]
    assert secure.requests == []


def test_a_pin_of_every_origin_is_checked_after_a_redirect_and_not_at_a_proxy(
    peer: Peer,
    secure: ScriptedOrigin,
    origins: Origins,
    origin: ScriptedOrigin,
    tls_context: ssl.SSLContext,
    authority: Authority,
) -> None:
    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, [("Location", f"https://127.0.0.1:{secure.port}/")])

    start = origin.serve("/", moved)
    configuration = pinned(authority, OTHER_PIN)
    (pin,) = configuration["tls"]["pins"]
    pin["host"] = "*"
    session = peer.open(configuration=configuration)
    assert "pinMismatch" in reasons_of(peer, session, start)
    assert peer.call("explain", {"session": session, "url": secure.url})["trust"]["pins"] == ["*"]
    # A proxy with another key gets the request; by its name it is pinned as well.
    proxy = origins(tls_context)
    proxy.serve("http://a.test/", fine)
    configuration["proxies"] = {"http": proxy.url}
    session = peer.open(configuration=configuration)
    assert peer.fetch(session, "http://a.test/")["status"] == 200
    pin["host"] = "localhost"
    session = peer.open(configuration=configuration)
    assert reasons_of(peer, session, "http://a.test/") == ["pinMismatch"]


# The administrator's policy


Governed = Callable[..., tuple[Daemon, Peer]]


def localhost(**rule: Json) -> Json:
    return {"domains": [{"domain": "localhost", **rule}]}


def change(daemon: Daemon, peer: Peer, policy: Json) -> None:
    """The administrator writes another policy, and has it read."""
    path = Path(daemon.options[daemon.options.index("--configuration") + 1])
    path.write_text(json.dumps({"transportSecurity": policy}))
    peer.call("server/reload")


@pytest.mark.parametrize("scope", ["certificate", "publicKey"])
def test_no_reply_can_loosen_what_the_policy_fixes(
    governed: Governed, secure: ScriptedOrigin, scope: str
) -> None:
    _, peer = governed(localhost(allowsLooseningTrust=False))
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, secure.url + "/")
    challenge = peer.challenge()
    for persistence in ("none", "forSession"):
        with pytest.raises(RemoteError) as caught:
            peer.answer(challenge, {"trust": scope, "persistence": persistence})
        assert caught.value.kind == "dispositionNotAllowed"
        assert caught.value.data["rule"] == "transportSecurity.domains[0].allowsLooseningTrust"
    # It is still pending.
    assert peer.call("challenge/describe", {"challenge": challenge["challenge"]})["waiterCount"] == 1
    peer.dispose(challenge, "performDefaultHandling")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    assert secure.requests == []


def test_a_caller_may_be_stricter_than_the_policy(
    governed: Governed, secure: ScriptedOrigin, authority: Authority
) -> None:
    _, peer = governed(localhost(allowsLooseningTrust=False), SSL_CERT_FILE=str(authority.certificate))
    session = peer.open(tasks=["serverTrust"])
    for disposition, succeeds in (("cancelAuthenticationChallenge", False), ("performDefaultHandling", True)):
        fetch = peer.start_fetch(session, secure.url + "/")
        peer.dispose(peer.challenge(), disposition)
        if succeeds:
            assert peer.result(fetch)["status"] == 200
        else:
            assert kind_of(peer.result, fetch) == "serverTrustRejected"


def test_a_key_that_the_policy_pins_cannot_be_replaced_by_an_answer(
    governed: Governed, secure: ScriptedOrigin, authority: Authority
) -> None:
    _, peer = governed(localhost(pinnedPublicKeys=[OTHER_PIN]))
    configuration = {"tls": {"roots": {"certificates": authority.pem}}}
    session = peer.open(tasks=["serverTrust"], configuration=configuration)
    fetch = peer.start_fetch(session, secure.url + "/")
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["serverTrust"]["reasons"] == [{"reason": "policy", "depth": 0}]
    assert kind_of(peer.answer, challenge, ACCEPT) == "dispositionNotAllowed"
    peer.dispose(challenge, "performDefaultHandling")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"


def test_cleartext_that_the_policy_forbids_is_not_sent(governed: Governed, origin: ScriptedOrigin) -> None:
    _, peer = governed({"defaults": {"allowsCleartext": False}})
    with pytest.raises(RemoteError) as caught:
        peer.fetch(peer.open(), origin.serve("/", fine))
    assert caught.value.kind == "policyRefused"
    assert caught.value.data["rule"] == "transportSecurity.defaults.allowsCleartext"
    assert origin.connections == []


def test_a_redirect_to_forbidden_cleartext_is_refused(
    governed: Governed, origin: ScriptedOrigin, origins: Origins
) -> None:
    _, peer = governed({"domains": [{"domain": "localhost", "allowsCleartext": False}]})
    target = origins()
    target.serve("/", fine)

    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, [("Location", f"http://localhost.:{target.port}/")])

    assert kind_of(peer.fetch, peer.open(), origin.serve("/", moved)) == "policyRefused"
    assert target.connections == []


def test_an_older_tls_than_the_policy_asks_for_names_the_rule(
    governed: Governed, origins: Origins, authority: Authority
) -> None:
    identity = authority.issue("old")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    old = origins(context)
    old.serve("/", fine)
    configuration = {"tls": {"roots": {"certificates": authority.pem}}}
    _, free = governed({})
    assert free.fetch(free.open(configuration=configuration), old.url + "/")["status"] == 200
    _, peer = governed(localhost(minimumTLSVersion="1.3"))
    with pytest.raises(RemoteError) as caught:
        peer.fetch(peer.open(configuration=configuration), old.url + "/")
    assert caught.value.kind == "tlsFailed"
    assert caught.value.data["rules"] == ["transportSecurity.domains[0].minimumTLSVersion"]


def test_a_decision_made_before_a_policy_is_taken_back_by_it(
    governed: Governed, secure: ScriptedOrigin
) -> None:
    daemon, peer = governed({})
    session = peer.open("dev", tasks=["serverTrust"])
    fetch = peer.start_fetch(session, secure.url + "/")
    peer.answer(peer.challenge(), ACCEPT)
    assert peer.result(fetch)["status"] == 200
    change(daemon, peer, localhost(allowsLooseningTrust=False))
    fetch = peer.start_fetch(session, secure.url + "/")
    peer.dispose(peer.challenge(), "performDefaultHandling")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    # It is gone, and not only out of force.
    change(daemon, peer, {})
    assert peer.call("trust/list", {"session": session})["trust"] == []


def test_a_policy_that_comes_during_a_challenge_binds_the_answer(
    governed: Governed, secure: ScriptedOrigin
) -> None:
    daemon, peer = governed({})
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, secure.url + "/")
    challenge = peer.challenge()
    change(daemon, peer, localhost(allowsLooseningTrust=False))
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, ACCEPT)
    assert caught.value.kind == "dispositionNotAllowed"
    assert caught.value.data["rule"] == "transportSecurity.domains[0].allowsLooseningTrust"
    # It is still pending, and may be answered when the policy is another again.
    assert peer.call("challenge/describe", {"challenge": challenge["challenge"]})["waiterCount"] == 1
    change(daemon, peer, {})
    peer.answer(challenge, ACCEPT)
    assert peer.result(fetch)["status"] == 200


@contextmanager
def begun_handshake(peer: Peer, session: str) -> Iterator[tuple[Json, socket.socket, socket.socket]]:
    """A fetch, a listener that answers no ClientHello, and the first connection to it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        fetch = peer.start_fetch(session, f"https://localhost:{listener.getsockname()[1]}/")
        first, _ = listener.accept()
        with first:
            first.settimeout(PATIENCE)
            assert first.recv(1)
            yield fetch, listener, first


def test_a_handshake_that_has_begun_is_bound_by_a_policy_that_comes_meanwhile(
    governed: Governed, authority: Authority
) -> None:
    identity = authority.issue("slow")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    daemon, peer = governed({})
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
    with begun_handshake(peer, session) as (fetch, listener, first):
        change(daemon, peer, localhost(minimumTLSVersion="1.3"))
        second, _ = listener.accept()
        with pytest.raises(ssl.SSLError):
            context.wrap_socket(second, server_side=True)
        # The first hears no more.
        while first.recv(65536):
            pass
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "tlsFailed"
    assert caught.value.data["rules"] == ["transportSecurity.domains[0].minimumTLSVersion"]


def test_cleartext_in_line_is_bound_by_a_policy_that_comes_meanwhile(
    governed: Governed, origin: ScriptedOrigin
) -> None:
    gate = origin.gate()

    async def held(exchange: Exchange) -> None:
        await gate.opened()
        await exchange.respond(200)

    url = origin.serve("/held", held)
    daemon, peer = governed({})
    session = peer.open(configuration={"connectionsPerHost": 1})
    sent = peer.start_fetch(session, url)
    origin.wait_for_requests(1, "/held")
    in_line = peer.start_fetch(session, origin.serve("/next", fine))
    change(daemon, peer, {"defaults": {"allowsCleartext": False}})
    with pytest.raises(RemoteError) as caught:
        peer.result(in_line)
    assert caught.value.kind == "policyRefused"
    assert caught.value.data["rule"] == "transportSecurity.defaults.allowsCleartext"
    gate.open()
    # What has been sent cannot be taken back.
    assert peer.result(sent)["status"] == 200
    assert origin.requests_to("/next") == []


def test_a_rule_for_an_address_counts_however_it_is_spelled(governed: Governed) -> None:
    _, peer = governed({"domains": [{"domain": "0:0:0:0:0:0:0:1", "allowsLooseningTrust": False}]})
    pins = [{"host": "[0::1]", "publicKeys": [OTHER_PIN]}]
    session = peer.open(configuration={"tls": {"pins": pins}})
    trust = peer.call("explain", {"session": session, "url": "https://[::1]/"})["trust"]
    assert trust["pins"] == ["::1"]
    assert trust["rules"] == ["transportSecurity.domains[0].allowsLooseningTrust"]


@pytest.mark.parametrize("host", ["..", "a..b", "127.1", "127.0.0.1.", "*.127.0.0.1", "*.::1", "1::2::3"])
def test_a_pin_that_no_host_could_match_is_refused(peer: Peer, host: str) -> None:
    pins = [{"host": host, "publicKeys": [OTHER_PIN]}]
    parameters = {"configuration": {"tls": {"pins": pins}}}
    assert kind_of(peer.call, "session/open", parameters) == "invalidParams"


def test_explain_names_pins_and_rules(governed: Governed, authority: Authority) -> None:
    _, peer = governed(localhost(allowsLooseningTrust=False, minimumTLSVersion="1.3"))
    session = peer.open(configuration=pinned(authority, OTHER_PIN))
    trust = peer.call("explain", {"session": session, "url": "https://localhost/"})["trust"]
    assert trust["pins"] == ["localhost"]
    assert trust["rules"] == [
        "transportSecurity.domains[0].allowsLooseningTrust",
        "transportSecurity.domains[0].minimumTLSVersion",
    ]
