"""What ``explain`` says: the names are the protocol's."""

from __future__ import annotations

from typing import Any, TypedDict

__all__ = ["ExplainedCertificate", "Explanation", "IdentityDecision", "ProxyChoice"]


class IdentityDecision(TypedDict):
    """What was decided for the session to present an origin with, when it asks for these authorities."""

    distinguishedNames: list[str]
    #: ``identity``, with its id; ``none``; ``default`` handling.
    choice: str
    identity: str | None


class ExplainedCertificate(TypedDict):
    """Which client certificate an origin could be presented with."""

    decisions: list[IdentityDecision]
    #: Ids. Default handling takes the first that fits what the server asks for, which only a handshake tells.
    candidates: list[str]


class ProxyChoice(TypedDict):
    """Which setting names the proxy that leads to an origin, or takes it away."""

    #: ``session``, ``task`` or ``environment``.
    source: str
    setting: str
    #: The entry of ``except`` or ``no_proxy`` for which the origin is reached without the proxy.
    exception: str | None
    usable: bool


class Explanation(TypedDict):
    """What a fetch would meet; nothing has been sent."""

    url: str
    origin: str
    credential: dict[str, Any] | None
    preemptive: bool
    methods: list[str]
    authorizationHeader: str
    trust: dict[str, Any]
    clientCertificate: ExplainedCertificate
    proxy: str | None
    proxyChoice: ProxyChoice | None
    proxyCredential: dict[str, Any] | None
    proxyPreemptive: bool
    redirects: dict[str, Any]
    pendingChallenges: list[str]
    headers: list[list[str]]
