"""Results as the protocol has them. Made from ``protocol/openrpc.json`` by ``protocol/generate``."""

from __future__ import annotations

from typing import Any, TypedDict

__all__ = [
    "ExplainedCertificate",
    "Explanation",
    "IdentityDecision",
    "ProxyChoice",
]


class IdentityDecision(TypedDict):
    """What was decided for the session to present an origin with, when it asks for these authorities."""

    #: When it asks for these.
    distinguishedNames: list[str]
    #: identity: the one with the id. default: default handling.
    choice: str
    identity: str | None


class ExplainedCertificate(TypedDict):
    """Which client certificate an origin could be presented with."""

    #: What was decided for the session to present this origin with.
    decisions: list[IdentityDecision]
    #: The identities that may go to this origin now, the session's own before the permanent ones. Default
    #: handling takes the first of them that fits what the server asks for, which is not known before.
    candidates: list[str]


class ProxyChoice(TypedDict):
    """Which setting names the proxy that leads to an origin, or takes it away."""

    source: str
    #: The member of proxies, or the variable of the daemon's environment.
    setting: str
    #: The entry of except, or of no_proxy, for which the origin is reached without the proxy.
    exception: str | None
    #: False: the variable is no proxy's URL, and a fetch fails.
    usable: bool


class Explanation(TypedDict):
    """What a fetch of a URL would do."""

    url: str
    origin: str
    #: What would be sent; null: none, the session's own Authorization field, or a URL with a password.
    credential: dict[str, Any] | None
    #: Whether it would be sent unasked.
    preemptive: bool
    #: The order in force.
    methods: list[str]
    #: What would set Authorization, unless the caller does.
    authorizationHeader: str
    trust: dict[str, Any]
    clientCertificate: ExplainedCertificate
    #: The proxy that leads to the origin, without userinfo; null: none.
    proxy: str | None
    #: Why: the setting that counts; null when no setting concerns the origin.
    proxyChoice: ProxyChoice | None
    #: What the proxy would get: as credential.
    proxyCredential: dict[str, Any] | None
    #: Whether it would be sent unasked.
    proxyPreemptive: bool
    redirects: dict[str, Any]
    pendingChallenges: list[str]
    #: The session's additional fields; sensitive values read <secret>.
    headers: list[list[str]]
