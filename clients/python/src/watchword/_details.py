"""Over which connection an exchange was made, and what was sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._json import Reader
from ._trust import Certificate, read_certificate

__all__ = ["ExchangeDetails", "RequestHead", "read_details"]


@dataclass(frozen=True)
class RequestHead:
    """The head of a request as it was sent; the values of fields that carry a secret read ``<secret>``."""

    #: Such as ``GET /staff HTTP/1.1``.
    line: str
    headers: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class ExchangeDetails:
    """Over which connection an exchange was made, and what was sent."""

    #: Address and port, such as ``[2001:db8::1]:443``; the proxy's where there is one, None when unknown.
    remote_address: str | None
    is_proxy_connection: bool
    reused: bool
    #: What was sent: the request, and before it the one for a tunnel. In an event, what was sent since the one before.
    requests: Sequence[RequestHead]
    #: Of TLS with the origin, as the next two: ``1.2`` or ``1.3``.
    tls_version: str | None = None
    #: IANA's name.
    cipher_suite: str | None = None
    #: The origin's own. All of it but the fingerprints is text that the server chose.
    certificate: Certificate | None = None


def read_details(parent: Reader) -> ExchangeDetails | None:
    """The member ``details`` of an exchange or a head."""
    r = parent.object_or_none("details")
    if r is None:
        return None
    certificate = r.object_or_none("certificate")
    return ExchangeDetails(
        remote_address=r.string_or_none("remoteAddress"),
        is_proxy_connection=r.boolean("isProxyConnection", False),
        reused=r.boolean("reused", False),
        requests=[RequestHead(head.string("line"), head.pairs("headers", ())) for head in r.objects("requests", ())],
        tls_version=r.string_or_none("tlsVersion"),
        cipher_suite=r.string_or_none("cipherSuite"),
        certificate=None if certificate is None else read_certificate(certificate),
    )
