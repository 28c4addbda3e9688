"""Certificate chains that no authority issues, written byte by byte, which cost a verifier much."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


def _tagged(tag: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def _sequence(*parts: bytes) -> bytes:
    return _tagged(0x30, *parts)


def _integer(value: int) -> bytes:
    return _tagged(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def _object(name: str) -> bytes:
    first, second, *others = (int(part) for part in name.split("."))
    octets = bytes([first * 40 + second])
    for part in others:
        groups = [part & 0x7F]
        while part := part >> 7:
            groups.append(part & 0x7F | 0x80)
        octets += bytes(reversed(groups))
    return _tagged(0x06, octets)


def _bits(content: bytes) -> bytes:
    return _tagged(0x03, b"\0", content)


def _name(text: str) -> bytes:
    return _sequence(_tagged(0x31, _sequence(_object("2.5.4.3"), _tagged(0x0C, text.encode()))))


def _extension(name: str, value: bytes, critical: bool = False) -> bytes:
    return _sequence(_object(name), *([b"\1\1\xff"] if critical else []), _tagged(0x04, value))


def _odd(bits: int) -> int:
    return secrets.randbits(bits) | 1 << bits - 1 | 1


@dataclass(frozen=True)
class PublicKey:
    """A key of which nobody has the other half, and what its signatures look like."""

    encoded: bytes
    algorithm: bytes
    #: Whoever verifies it does all of the work, and finds that it is none.
    signature: bytes


def dsa_key(bits: int) -> PublicKey:
    modulus, order = _odd(bits), _odd(256)
    parameters = _sequence(_integer(modulus), _integer(order), _integer(secrets.randbelow(modulus)))
    key = _bits(_integer(secrets.randbelow(modulus)))
    return PublicKey(
        _sequence(_sequence(_object("1.2.840.10040.4.1"), parameters), key),
        _sequence(_object("2.16.840.1.101.3.4.3.2")),
        _sequence(_integer(secrets.randbits(250) | 1), _integer(secrets.randbits(250) | 1)),
    )


def rsa_key(bits: int, exponent: int = 65537) -> PublicKey:
    algorithm = _sequence(_object("1.2.840.113549.1.1.1"), b"\5\0")
    key = _bits(_sequence(_integer(_odd(bits)), _integer(exponent)))
    signature = secrets.randbits(bits - 8).to_bytes((bits + 7) // 8, "big")
    algorithm_of_signature = _sequence(_object("1.2.840.113549.1.1.11"), b"\5\0")
    return PublicKey(_sequence(algorithm, key), algorithm_of_signature, signature)


def curve_key(field: int, a: int, b: int, x: int) -> PublicKey:
    """Over a curve without a name, its points without a coordinate: whoever reads one takes a square root."""
    width = (field.bit_length() + 7) // 8

    def octets(value: int) -> bytes:
        return value.to_bytes(width, "big")

    curve = _sequence(_tagged(0x04, octets(a)), _tagged(0x04, octets(b)))
    prime = _sequence(_object("1.2.840.10045.1.1"), _integer(field))
    base = _tagged(0x04, b"\2" + octets(x))
    parameters = _sequence(
        _integer(1), prime, curve, base, _integer(_odd(field.bit_length() - 1)), _integer(1)
    )
    return PublicKey(
        _sequence(_sequence(_object("1.2.840.10045.2.1"), parameters), _bits(b"\2" + octets(x))),
        _sequence(_object("1.2.840.10045.4.3.2")),
        _sequence(_integer(secrets.randbits(250) | 1), _integer(secrets.randbits(250) | 1)),
    )


def alternatives(names: Iterable[str]) -> bytes:
    value = _sequence(*(_tagged(0x82, name.encode()) for name in names))
    return _extension("2.5.29.17", value)


def constraints(names: Iterable[str]) -> bytes:
    """Permits the names and those below them."""
    subtrees = (_sequence(_tagged(0x82, name.encode())) for name in names)
    return _extension("2.5.29.30", _sequence(_tagged(0xA0, *subtrees)), critical=True)


def certificate(
    subject: str,
    issuer: str,
    key: bytes,
    signed_with: PublicKey,
    extensions: Sequence[bytes] = (),
    is_authority: bool = False,
) -> bytes:
    """In DER. `key` is a SubjectPublicKeyInfo."""
    basic = _extension("2.5.29.19", _sequence(b"\1\1\xff" if is_authority else b""), critical=True)
    body = _sequence(
        _tagged(0xA0, _integer(2)),
        _integer(secrets.randbits(64) | 1),
        signed_with.algorithm,
        _name(issuer),
        _sequence(_tagged(0x17, b"250101000000Z"), _tagged(0x17, b"490101000000Z")),
        _name(subject),
        key,
        _tagged(0xA3, _sequence(basic, *extensions)),
    )
    return _sequence(body, signed_with.algorithm, _bits(signed_with.signature))


def chain(
    leaf_key: bytes,
    issuers: Sequence[PublicKey],
    names: Sequence[bytes] = (),
    of_issuers: Sequence[bytes] = (),
) -> list[bytes]:
    """A server's certificate and those of the issuers above it, each signed by the next one above."""
    signers = [*issuers, issuers[-1]]
    shown = [certificate("leaf", "issuer 0", leaf_key, signers[0], names)]
    for number, key in enumerate(issuers):
        above = min(number + 1, len(issuers) - 1)
        shown.append(
            certificate(
                f"issuer {number}", f"issuer {above}", key.encoded, signers[number + 1], of_issuers, True
            )
        )
    return shown


def revocation_list(issuer: str, signed_with: PublicKey) -> bytes:
    """In DER. It lists nothing."""
    body = _sequence(
        _integer(1),
        signed_with.algorithm,
        _name(issuer),
        _tagged(0x17, b"250101000000Z"),
        _tagged(0x17, b"490101000000Z"),
    )
    return _sequence(body, signed_with.algorithm, _bits(signed_with.signature))


def pem(der: bytes, label: str = "CERTIFICATE") -> str:
    return f"-----BEGIN {label}-----\n{base64.encodebytes(der).decode()}-----END {label}-----\n"
