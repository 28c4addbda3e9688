"""Chains that no honest server shows: too long, too large, in circles, another one each time."""

from __future__ import annotations

import itertools
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.wire import Peer, RemoteError, kind_of
from Support.certificates import Authority, Identity
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core

Origins = Callable[..., ScriptedOrigin]


async def fine(exchange: Exchange) -> None:
    await exchange.respond(200, body=b"fine")


def serving(origins: Origins, identity: Identity, directory: Path, *others: Path) -> ScriptedOrigin:
    """An origin that shows the identity's certificate and the others behind it."""
    chain = directory / "chain.pem"
    chain.write_text("".join(path.read_text() for path in (identity.certificate, *others)))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, identity.key)
    origin = origins(context)
    origin.serve("/", fine)
    return origin


def asked(peer: Peer, origin: ScriptedOrigin) -> tuple[int, dict[str, object]]:
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, origin.url + "/")
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["serverTrust"]["verdict"] == "refused"
    return fetch, challenge


def still_works(peer: Peer) -> None:
    assert peer.call("ping") == {}


def test_a_hundred_issuers_are_told_and_refused(
    peer: Peer, origins: Origins, authority: Authority, tmp_path: Path
) -> None:
    *issuers, last = itertools.accumulate(
        range(100), lambda above, number: above.subordinate(f"issuer{number}"), initial=authority
    )
    identity = last.issue("deep")
    paths = [issuer.certificate for issuer in reversed([*issuers, last])]
    origin = serving(origins, identity, tmp_path, *paths)
    roots = {"tls": {"roots": {"certificates": authority.pem, "exclusive": True}}}
    with pytest.raises(RemoteError) as caught:
        peer.fetch(peer.open(configuration=roots), origin.url + "/")
    assert caught.value.kind == "serverTrustRejected"
    assert "pathLength" in [reason["reason"] for reason in caught.value.data["reasons"]]
    fetch, challenge = asked(peer, origin)
    shown = challenge["protectionSpace"]["serverTrust"]["certificates"]  # type: ignore[index]
    assert 1 < len(shown) <= 64
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"


def test_no_reason_is_hidden_behind_many_others(
    peer: Peer, origins: Origins, authority: Authority, tmp_path: Path
) -> None:
    above = Identity(authority.certificate, authority.key)
    paths: list[Path] = []
    # Not critical, and without the identifiers of keys: three faults each.
    careless = "basicConstraints=CA:TRUE\nsubjectKeyIdentifier=none\nauthorityKeyIdentifier=none\n"
    for number in range(18):
        bad = Authority(authority.directory, above)._sign(f"careless{number}", careless)
        above = bad
        paths.insert(0, bad.certificate)
    leaf = Authority(authority.directory, above).issue("elsewhere", alternatives="DNS:elsewhere.example")
    origin = serving(origins, leaf, tmp_path, *paths)
    fetch, challenge = asked(peer, origin)
    reasons = challenge["protectionSpace"]["serverTrust"]["reasons"]  # type: ignore[index]
    assert {"reason": "hostMismatch", "depth": 0} in reasons
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"


def test_ten_megabytes_of_certificates_end_the_handshake(
    peer: Peer, origins: Origins, authority: Authority, tmp_path: Path
) -> None:
    identity = authority.issue("large")
    # Few large ones: the server reads them, too.
    names = ",".join(f"DNS:host{number}.filler.example.test" for number in range(1000))
    filler = authority.issue("filler", names).certificate
    copies = 10 * 1024 * 1024 // len(ssl.PEM_cert_to_DER_cert(filler.read_text())) + 1
    origin = serving(origins, identity, tmp_path, *[filler] * copies)
    session = peer.open(tasks=["serverTrust"])
    assert kind_of(peer.fetch, session, origin.url + "/") == "tlsFailed"
    peer.nothing_asked()


def test_issuers_in_a_circle_are_an_unknown_issuer(
    peer: Peer, origins: Origins, authority: Authority, tmp_path: Path
) -> None:
    one = Authority(tmp_path / "one")
    other = one.subordinate("other")
    # The first authority once more, now issued by the one that it has issued.
    circle = other.subordinate("Watchword test root", key=one.key)
    identity = other.issue("circle")
    origin = serving(origins, identity, tmp_path, other.certificate, circle.certificate)
    fetch, challenge = asked(peer, origin)
    reasons = challenge["protectionSpace"]["serverTrust"]["reasons"]  # type: ignore[index]
    assert "unknownIssuer" in [reason["reason"] for reason in reasons]
    peer.dispose(challenge, "rejectProtectionSpace")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"


def test_a_server_with_another_chain_each_time_is_given_up(
    peer: Peer, origins: Origins, authority: Authority
) -> None:
    contexts: list[ssl.SSLContext] = []
    for number in range(20):
        identity = authority.issue(f"changing{number}")
        contexts.append(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
        contexts[-1].load_cert_chain(identity.certificate, identity.key)
    turns = iter(contexts)

    def another(connection: ssl.SSLSocket, name: str | None, context: ssl.SSLContext) -> None:
        connection.context = next(turns)

    contexts[0].sni_callback = another  # type: ignore[assignment]
    origin = origins(contexts[0])
    origin.serve("/", fine)
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, origin.url + "/")
    shown: list[str] = []
    for _ in range(8):
        challenge = peer.challenge()
        shown.append(challenge["protectionSpace"]["serverTrust"]["certificates"][0]["subject"])
        peer.answer(challenge, {"trust": "certificate", "persistence": "forSession"})
    assert len(set(shown)) == 8
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    assert origin.requests == []
    still_works(peer)
