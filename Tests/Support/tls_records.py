"""TLS 1.3 records (RFC 8446 §5) written by hand on a connection whose secrets are known."""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import hmac
import struct
from pathlib import Path

ALERT, HANDSHAKE, APPLICATION_DATA = 21, 22, 23

#: A `KeyUpdate` that asks for none in return.
KEY_UPDATE = b"\x18\0\0\x01\0"

#: A warning that a server may send at any time.
USER_CANCELED = b"\x01\x5a"

#: Lifetime, age and nonce; a ticket of eight bytes; no extensions.
NEW_SESSION_TICKET = b"\x04\0\0\x16" + struct.pack(">IIBB", 7200, 0, 1, 0) + b"\0\x08" + bytes(8) + b"\0\0"

#: The records are of AES-256-GCM with SHA-384, which OpenSSL prefers on both sides.
TAG_BYTES = 16
GET_TAG = 0x10


def server_secret(keylog: Path) -> bytes:
    """The newest secret that OpenSSL has logged for a server's application data."""
    found = [line for line in keylog.read_text().splitlines() if line.startswith("SERVER_TRAFFIC_SECRET_0 ")]
    return bytes.fromhex(found[-1].split()[2])


def _expand(secret: bytes, label: bytes, length: int) -> bytes:
    """HKDF-Expand-Label (RFC 8446 §7.1) of at most one block, with an empty context."""
    text = b"tls13 " + label
    information = struct.pack(">HB", length, len(text)) + text + b"\0"
    return hmac.digest(secret, information + b"\x01", hashlib.sha384)[:length]


class RecordWriter:
    """Protects records with a server's secret, from the first one after the handshake on."""

    def __init__(self, secret: bytes) -> None:
        library = ctypes.CDLL(ctypes.util.find_library("crypto"))
        library.EVP_aes_256_gcm.restype = library.EVP_CIPHER_CTX_new.restype = ctypes.c_void_p
        self._library = library
        self._context = ctypes.c_void_p(library.EVP_CIPHER_CTX_new())
        self._cipher = ctypes.c_void_p(library.EVP_aes_256_gcm())
        self._use(secret)

    def _use(self, secret: bytes) -> None:
        self._secret = secret
        self._vector = int.from_bytes(_expand(secret, b"iv", 12), "big")
        self._sequence = 0
        key = _expand(secret, b"key", 32)
        self._library.EVP_EncryptInit_ex(self._context, self._cipher, None, key, None)

    def record(self, kind: int, content: bytes = b"") -> bytes:
        inner = content + bytes([kind])
        header = struct.pack(">BHH", APPLICATION_DATA, 0x0303, len(inner) + TAG_BYTES)
        nonce = (self._vector ^ self._sequence).to_bytes(12, "big")
        self._sequence += 1
        size, tag = ctypes.c_int(), ctypes.create_string_buffer(TAG_BYTES)
        sealed = ctypes.create_string_buffer(len(inner))
        library, context = self._library, self._context
        library.EVP_EncryptInit_ex(context, None, None, None, nonce)
        library.EVP_EncryptUpdate(context, None, ctypes.byref(size), header, len(header))
        library.EVP_EncryptUpdate(context, sealed, ctypes.byref(size), inner, len(inner))
        library.EVP_EncryptFinal_ex(context, tag, ctypes.byref(size))
        library.EVP_CIPHER_CTX_ctrl(context, GET_TAG, TAG_BYTES, tag)
        return header + sealed.raw + tag.raw

    def key_update(self) -> bytes:
        """Announces the next key in a record of the old one (RFC 8446 §7.2)."""
        announced = self.record(HANDSHAKE, KEY_UPDATE)
        self._use(_expand(self._secret, b"traffic upd", hashlib.sha384().digest_size))
        return announced

    def close(self) -> None:
        self._library.EVP_CIPHER_CTX_free(self._context)
