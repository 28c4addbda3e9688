"""What a server makes a client compute in a handshake is bounded: no call of OpenSSL can be divided."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.wire import Peer, RemoteError, kind_of
from Support import odd_chains
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin
from Support.tls_server import TLSServer

pytestmark = [pytest.mark.core, pytest.mark.threads]

Origins = Callable[..., ScriptedOrigin]

#: The curve of P-256, whose parameters a certificate may spell out.
P256 = (
    0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF,
    0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFC,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
)


async def fine(exchange: Exchange) -> None:
    await exchange.respond(200, body=b"fine")


def openssl(*arguments: str) -> bytes:
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True).stdout


def serving(
    origins: Origins,
    directory: Path,
    issuers: list[odd_chains.PublicKey],
    names: list[bytes] | None = None,
    of_issuers: list[bytes] | None = None,
    presented: int = 100,
) -> ScriptedOrigin:
    """An origin whose certificate has these issuers above it, and that presents at most so many of them."""
    key, chain = directory / "leaf.key", directory / "chain.pem"
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(key))
    public = openssl("pkey", "-in", str(key), "-pubout", "-outform", "DER")
    shown = odd_chains.chain(public, issuers, names or [], of_issuers or [])
    chain.write_text("".join(odd_chains.pem(der) for der in shown[:presented]))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.load_cert_chain(chain, key)
    origin = origins(context)
    origin.serve("/", fine)
    return origin


def refused_unasked(peer: Peer, origin: ScriptedOrigin) -> list[dict[str, object]]:
    """The reasons for which the task ended, of which the delegate was not told."""
    session = peer.open(tasks=["serverTrust"])
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, origin.url + "/")
    assert caught.value.kind == "serverTrustRejected"
    peer.nothing_asked()
    assert origin.requests == []
    return list(caught.value.data["reasons"])


@pytest.mark.parametrize(
    "key",
    [
        lambda: odd_chains.dsa_key(2048),
        lambda: odd_chains.rsa_key(8200),
        lambda: odd_chains.rsa_key(2048, exponent=(1 << 64) + 1),
    ],
    ids=["dsa", "long", "exponent"],
)
def test_no_signature_is_verified_with_a_key_that_costs_much(
    peer: Peer, origins: Origins, tmp_path: Path, key: Callable[[], odd_chains.PublicKey]
) -> None:
    origin = serving(origins, tmp_path, [odd_chains.rsa_key(2048), key()])
    # Nothing else was looked for.
    assert refused_unasked(peer, origin) == [{"reason": "tooComplex", "depth": 2}]


def test_no_key_is_read_whose_curve_has_no_name(peer: Peer, origins: Origins, tmp_path: Path) -> None:
    origin = serving(origins, tmp_path, [odd_chains.rsa_key(2048), odd_chains.curve_key(*P256)])
    assert refused_unasked(peer, origin) == [{"reason": "tooComplex", "depth": 0}]


def test_names_are_not_compared_with_constraints_without_end(
    peer: Peer, origins: Origins, tmp_path: Path
) -> None:
    names = [odd_chains.alternatives(f"n{number}.test" for number in range(300))]
    constraints = [odd_chains.constraints(f"c{number}.test" for number in range(250))]
    origin = serving(origins, tmp_path, [odd_chains.rsa_key(2048)], names, constraints)
    assert {"reason": "tooComplex", "depth": 1} in refused_unasked(peer, origin)


def test_what_is_too_complex_is_not_looked_at_any_further(
    peer: Peer, origins: Origins, tmp_path: Path
) -> None:
    """The host is compared with the constraints of each issuer, too: the same work once more."""
    names = [odd_chains.alternatives(["localhost", *(f"n{number}.test" for number in range(300))])]
    constraints = [odd_chains.constraints(f"c{number}.test" for number in range(250))]
    origin = serving(origins, tmp_path, [odd_chains.rsa_key(2048)], names, constraints)
    reasons = [one["reason"] for one in refused_unasked(peer, origin)]
    assert "tooComplex" in reasons
    # No issuer permits the host.
    assert "nameConstraint" not in reasons


def test_a_root_of_the_caller_is_bounded_as_well(peer: Peer, origins: Origins, tmp_path: Path) -> None:
    key, name = odd_chains.dsa_key(2048), "issuer 0"
    root = odd_chains.pem(odd_chains.certificate(name, name, key.encoded, key, is_authority=True))
    origin = serving(origins, tmp_path, [key], presented=1)
    roots = {"tls": {"roots": {"certificates": root, "exclusive": True}}}
    with pytest.raises(RemoteError) as caught:
        peer.fetch(peer.open(configuration=roots), origin.url + "/")
    assert {"reason": "tooComplex", "depth": 1} in caught.value.data["reasons"]
    costly = odd_chains.curve_key(*P256)
    odd = odd_chains.pem(odd_chains.certificate(name, name, costly.encoded, costly, is_authority=True))
    configuration = {"tls": {"roots": {"certificates": odd, "exclusive": True}}}
    assert kind_of(peer.open, configuration=configuration) == "invalidParams"


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (lambda: odd_chains.dsa_key(2048), "tooComplex"),
        (lambda: odd_chains.rsa_key(2048), "revocationUnknown"),
    ],
    ids=["costly", "usual"],
)
def test_no_revocation_list_is_verified_with_a_key_that_costs_much(
    peer: Peer, origins: Origins, tmp_path: Path, key: Callable[[], odd_chains.PublicKey], reason: str
) -> None:
    """That its signature is wrong is found by verifying it."""
    issuer, name = key(), "issuer 0"
    root = odd_chains.certificate(name, name, issuer.encoded, issuer, is_authority=True)
    listed = odd_chains.pem(odd_chains.revocation_list(name, issuer), "X509 CRL")
    origin = serving(origins, tmp_path, [issuer], presented=1)
    roots = {"roots": {"certificates": odd_chains.pem(root), "exclusive": True}}
    with pytest.raises(RemoteError) as caught:
        peer.fetch(peer.open(configuration={"tls": {**roots, "revocationLists": listed}}), origin.url + "/")
    found = {one["reason"] for one in caught.value.data["reasons"]}
    assert reason in found
    assert found.isdisjoint({"tooComplex", "revocationUnknown"} - {reason})


@pytest.mark.parametrize("options", [("-tls1_2", "-cipher", "DHE"), ("-tls1_3", "-groups", "ffdhe2048")])
def test_no_secret_is_exchanged_over_a_finite_field(
    peer: Peer, authority: Authority, tmp_path: Path, options: tuple[str, ...]
) -> None:
    key = tmp_path / "rsa.key"
    openssl("genrsa", "-out", str(key), "2048")
    identity = authority._sign("finite", "subjectAltName=DNS:localhost\n", key)
    server = TLSServer(tmp_path / "server.log", identity, *options)
    try:
        session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
        assert kind_of(peer.fetch, session, server.url) == "tlsFailed"
    finally:
        server.stop()
