"""The AUTHENTICATE message that leaves the daemon, computed again as [MS-NLMP] says.

GSSAPI chooses time, client challenge and session key, so that the vectors of section 4.2.4 cannot be put
in: they prove the computation of the test, which is then applied to what was sent.
"""

from __future__ import annotations

import base64
import hashlib
import ssl
import struct
import time
from collections.abc import Callable

import pytest

from Integration import sentinels
from Integration.negotiate.ntlm.scene import DOMAIN, READER, SWITCHED_ON
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import Json
from Support import ntlm_messages as ntlm
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin

SERVER_CHALLENGE = bytes.fromhex("0123456789abcdef")
#: Now, as a FILETIME: a client refuses a time that is some days off.
TIME = struct.pack("<Q", (int(time.time()) + 11_644_473_600) * 10_000_000)


def utf16(text: str) -> bytes:
    return text.encode("utf-16-le")


INFO = ntlm.target_info({ntlm.DOMAIN: utf16(DOMAIN), ntlm.COMPUTER: utf16("WEB"), ntlm.TIMESTAMP: TIME})


class Server:
    """Sends one fixed challenge, and keeps the three messages."""

    def __init__(self, flags: int = ntlm.FLAGS) -> None:
        self.messages: list[bytes] = []
        self.flags = flags

    async def __call__(self, exchange: Exchange) -> None:
        scheme, _, text = (exchange.request.authorization or "").partition(" ")
        if scheme != "NTLM":
            return await exchange.respond(401, [("WWW-Authenticate", "NTLM")], b"")
        self.messages.append(base64.b64decode(text))
        if len(self.messages) > 1:
            return await exchange.respond(200, body=b"taken\n")
        self.messages.append(ntlm.challenge(SERVER_CHALLENGE, DOMAIN, INFO, self.flags))
        answer = base64.b64encode(self.messages[-1]).decode()
        await exchange.respond(401, [("WWW-Authenticate", f"NTLM {answer}")], b"")


def exchanged(
    peer: RealmPeer,
    origin: ScriptedOrigin,
    flags: int = ntlm.FLAGS,
    password: str = sentinels.PASSWORD,
    **configuration: Json,
) -> tuple[list[bytes], ntlm.Authenticate]:
    """What a fetch and the server say to each other."""
    server = Server(flags)
    url = origin.serve("/", server)
    session = peer.open(configuration={"methods": SWITCHED_ON, **configuration}, session=["ntlm"])
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.asked(), {**READER, "password": password})
    assert peer.result(fetch)["status"] == 200
    return server.messages, ntlm.Authenticate(server.messages[2])


def test_the_computation_of_the_tests_holds_the_vectors() -> None:
    """[MS-NLMP] 4.2.1 and 4.2.4."""
    key = ntlm.ntowf_v2("Password", "User", "Domain")
    assert key.hex() == "0c868a403bfd7a93a3001ef22ef02e3f"
    info = ntlm.target_info({ntlm.DOMAIN: utf16("Domain"), ntlm.COMPUTER: utf16("Server")})
    client_challenge = b"\xaa" * 8
    proof = ntlm.proof(key, SERVER_CHALLENGE, ntlm.temp(bytes(8), client_challenge, info))
    assert proof.hex() == "68cd0ab851e51c96aabc927bebef6a1c"
    lm_response = ntlm.proof(key, SERVER_CHALLENGE, client_challenge) + client_challenge
    assert lm_response.hex() == "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa"
    base_key = ntlm.session_base_key(key, proof)
    assert base_key.hex() == "8de40ccadbc14a82f15cb0ad0de95ca3"
    encrypted = ntlm.exchanged_key(base_key, b"\x55" * 16)
    assert encrypted.hex() == "c5dad2544fc9799094ce1ce90bc9d03e"
    assert ntlm.exchanged_key(base_key, encrypted) == b"\x55" * 16


def test_the_response_is_the_one_of_ntlm_v2(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    _, message = exchanged(peer, origin)
    assert (message.user, message.domain) == (sentinels.USER, DOMAIN)
    key = ntlm.ntowf_v2(sentinels.PASSWORD, sentinels.USER, DOMAIN)
    assert message.proof == ntlm.proof(key, SERVER_CHALLENGE, message.content)
    # With a timestamp of the server there is no response of LM, and the time is the server's (3.1.5.1.2).
    assert message.lm_response in (b"", bytes(24))
    assert message.content[:2] == b"\1\1" and message.content[8:16] == TIME
    assert message.content[16:24] != bytes(8), "the client's challenge is random"


@pytest.mark.parametrize("password", ["", "na\u00efve \u20ac", "\U0001f511 beyond the plane", "x" * 1000])
def test_the_password_is_hashed_as_utf16(peer: RealmPeer, origin: ScriptedOrigin, password: str) -> None:
    """[MS-NLMP] 3.3.1; a character beyond the first plane is two units."""
    _, message = exchanged(peer, origin, password=password)
    key = ntlm.ntowf_v2(password, sentinels.USER, DOMAIN)
    assert message.proof == ntlm.proof(key, SERVER_CHALLENGE, message.content)


def test_the_messages_are_protected_by_a_mic(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    messages, message = exchanged(peer, origin)
    key = ntlm.ntowf_v2(sentinels.PASSWORD, sentinels.USER, DOMAIN)
    base_key = ntlm.session_base_key(key, message.proof)
    session_key = ntlm.exchanged_key(base_key, message.encrypted_key)
    assert message.mic == ntlm.hmac_md5(session_key, messages[0] + messages[1] + message.without_mic)
    assert struct.unpack("<I", message.target_info[ntlm.FLAG_BITS])[0] & 2, "the MIC is announced"


@pytest.mark.parametrize("missing", [0x10, ntlm.SIGNING])
def test_a_server_that_does_not_sign_is_answered(
    peer: RealmPeer, origin: ScriptedOrigin, missing: int
) -> None:
    messages, message = exchanged(peer, origin, ntlm.FLAGS & ~missing)
    assert len(messages) == 3
    key = ntlm.ntowf_v2(sentinels.PASSWORD, sentinels.USER, DOMAIN)
    assert message.proof == ntlm.proof(key, SERVER_CHALLENGE, message.content)
    assert message.flags & 0x10 == 0
    # A MIC over a message that was not sent would be wrong.
    assert struct.unpack("<I", message.target_info.get(ntlm.FLAG_BITS, bytes(4)))[0] & 2 == 0


def test_the_response_names_the_server(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    _, message = exchanged(peer, origin)
    info = message.target_info
    assert info[ntlm.TARGET].decode("utf-16-le").lower() == "http/127.0.0.1"
    assert info[ntlm.COMPUTER] == utf16("WEB")
    assert info.get(ntlm.BINDING, bytes(16)) == bytes(16), "nothing is bound over cleartext"


def test_the_response_is_bound_to_the_certificate(
    peer: RealmPeer,
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    authority: Authority,
) -> None:
    roots = {"certificates": authority.certificate.read_text(), "exclusive": True}
    _, message = exchanged(peer, origins(tls_context), tls={"roots": roots})
    presented = (authority.directory / "scripted.pem").read_text()
    leaf = presented.partition("-----END CERTIFICATE-----")[0] + "-----END CERTIFICATE-----\n"
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(leaf)).digest()
    expected = ntlm.channel_binding(b"tls-server-end-point:" + digest)
    assert message.target_info[ntlm.BINDING] == expected


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"NTLMSSP\0\2\0\0\0",
        b"NTLMSSP\0\3\0\0\0" + bytes(64),
        ntlm.challenge(SERVER_CHALLENGE, DOMAIN, INFO)[:60],
        ntlm.challenge(SERVER_CHALLENGE, DOMAIN, b"\2\0\xff\xff"),
        bytes(40_000),
        ntlm.challenge(SERVER_CHALLENGE, "", INFO),
    ],
    ids=[
        *("empty", "cut", "a message of the client", "a name beyond the end", "a pair beyond the end"),
        *("zeros", "no name"),
    ],
)
def test_a_challenge_that_lies_is_refused(peer: RealmPeer, origin: ScriptedOrigin, answer: bytes) -> None:
    async def script(exchange: Exchange) -> None:
        text = f"NTLM {base64.b64encode(answer).decode()}" if exchange.request.authorization else "NTLM"
        await exchange.respond(401, [("WWW-Authenticate", text)], b"")

    session = peer.open(configuration={"methods": SWITCHED_ON}, session=["ntlm"])
    fetch = peer.start_fetch(session, origin.serve("/", script))
    peer.answer(peer.asked(), READER)
    if answer:
        error = peer.error(lambda: peer.result(fetch))
        assert (error.kind, error.data["reason"]) == ("authenticationFailed", "tokenRefused")
    else:
        assert peer.asked()["previousFailureCount"] == 1
    assert len([request for request in origin.requests if request.authorization]) == 1
