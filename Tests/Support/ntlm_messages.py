"""The messages of NTLM and what is computed for them ([MS-NLMP] sections 2.2 and 3.3.2)."""

from __future__ import annotations

import hashlib
import hmac
import struct
from dataclasses import dataclass

from spnego._ntlm_raw.crypto import rc4k
from spnego._ntlm_raw.md4 import md4

SIGNATURE = b"NTLMSSP\0"
#: Unicode, target name, sign, NTLM, always sign, a domain's name, extended session security, target info,
#: version, 128 bits, key exchange.
FLAGS = (
    0x00000001
    | 0x4
    | 0x10
    | 0x200
    | 0x8000
    | 0x10000
    | 0x80000
    | 0x800000
    | 0x2000000
    | 0x20000000
    | 0x40000000
)

#: Of the pairs in the target info ([MS-NLMP] 2.2.2.1).
END, COMPUTER, DOMAIN, FLAG_BITS, TIMESTAMP, TARGET, BINDING = 0, 1, 2, 6, 7, 9, 10


def hmac_md5(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, "md5").digest()


def ntowf_v2(password: str, user: str, domain: str) -> bytes:
    """The key that is made of the password (3.3.2)."""
    key: bytes = md4(password.encode("utf-16-le"))
    return hmac_md5(key, (user.upper() + domain).encode("utf-16-le"))


def temp(time: bytes, client_challenge: bytes, target_info: bytes) -> bytes:
    """What the client adds to the server's challenge."""
    return b"\1\1" + bytes(6) + time + client_challenge + bytes(4) + target_info + bytes(4)


def proof(key: bytes, server_challenge: bytes, content: bytes) -> bytes:
    """NTProofStr."""
    return hmac_md5(key, server_challenge + content)


def session_base_key(key: bytes, proof: bytes) -> bytes:
    return hmac_md5(key, proof)


def exchanged_key(base_key: bytes, key: bytes) -> bytes:
    """RC4 is its own inverse: from the random key to the encrypted one, and back."""
    made: bytes = rc4k(base_key, key)
    return made


def pairs(data: bytes) -> dict[int, bytes]:
    """The pairs of a target info."""
    found: dict[int, bytes] = {}
    while True:
        number, count = struct.unpack_from("<HH", data)
        if number == END:
            return found
        found[number] = data[4 : 4 + count]
        data = data[4 + count :]


def target_info(values: dict[int, bytes]) -> bytes:
    listed = b"".join(struct.pack("<HH", number, len(value)) + value for number, value in values.items())
    return listed + bytes(4)


#: NTLMSSP_NEGOTIATE_SIGN and NTLMSSP_NEGOTIATE_ALWAYS_SIGN.
SIGNING = 0x10 | 0x8000


def challenge(server_challenge: bytes, target: str, info: bytes, flags: int = FLAGS) -> bytes:
    """A CHALLENGE_MESSAGE (2.2.1.2)."""
    name = target.encode("utf-16-le")
    start = 56
    return (
        SIGNATURE
        + struct.pack("<I", 2)
        + struct.pack("<HHI", len(name), len(name), start)
        + struct.pack("<I", flags)
        + server_challenge
        + bytes(8)
        + struct.pack("<HHI", len(info), len(info), start + len(name))
        + bytes.fromhex("0a00614a0000000f")
        + name
        + info
    )


@dataclass(frozen=True)
class Authenticate:
    """An AUTHENTICATE_MESSAGE (2.2.1.3)."""

    data: bytes

    def _field(self, offset: int) -> bytes:
        count, _, start = struct.unpack_from("<HHI", self.data, offset)
        return self.data[start : start + count]

    @property
    def lm_response(self) -> bytes:
        return self._field(12)

    @property
    def nt_response(self) -> bytes:
        return self._field(20)

    @property
    def domain(self) -> str:
        return self._field(28).decode("utf-16-le")

    @property
    def user(self) -> str:
        return self._field(36).decode("utf-16-le")

    @property
    def encrypted_key(self) -> bytes:
        return self._field(52)

    @property
    def flags(self) -> int:
        return int(struct.unpack_from("<I", self.data, 60)[0])

    @property
    def mic(self) -> bytes:
        return self.data[72:88]

    @property
    def without_mic(self) -> bytes:
        return self.data[:72] + bytes(16) + self.data[88:]

    @property
    def proof(self) -> bytes:
        return self.nt_response[:16]

    @property
    def content(self) -> bytes:
        """What the proof is of, beside the server's challenge."""
        return self.nt_response[16:]

    @property
    def target_info(self) -> dict[int, bytes]:
        return pairs(self.content[28:])


def channel_binding(data: bytes) -> bytes:
    """The hash of a `gss_channel_bindings_struct` without addresses (3.1.5.1.2)."""
    return hashlib.md5(bytes(16) + struct.pack("<I", len(data)) + data).digest()
