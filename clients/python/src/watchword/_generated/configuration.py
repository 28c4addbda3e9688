"""A session's configuration, as a dictionary.

Made from ``protocol/openrpc.json`` by ``protocol/generate``, where they have the same names.
"""

from __future__ import annotations

from typing import Literal, TypedDict, Union

__all__ = [
    "CookiePolicy",
    "CredentialStorage",
    "DigestPreemptive",
    "FieldOctets",
    "LoginFormRule",
    "LoginFormRuleFields",
    "PageCondition",
    "Proxies",
    "ProxiesObject",
    "RedirectPolicy",
    "Revocation",
    "SessionConfiguration",
    "SessionConfigurationAddresses",
    "SessionConfigurationChallenges",
    "SessionConfigurationLimits",
    "SessionConfigurationMethods",
    "SessionConfigurationMethodsDigest",
    "SessionConfigurationMethodsNegotiate",
    "SessionConfigurationNetrc",
    "SessionConfigurationRedirects",
    "SessionConfigurationTls",
    "SessionConfigurationTlsPin",
    "SessionConfigurationTlsRoots",
    "Timeouts",
    "Unanswered",
]


#: Whether a session goes by what is permanent.
CredentialStorage = Literal["shared", "private"]


#: Whether a Digest nonce that has served is sent again. auto: until the server answers that with 400 or 403.
DigestPreemptive = Literal["auto", "always", "never"]


class SessionConfigurationMethodsDigest(TypedDict, total=False):
    """What Digest may do."""

    #: Whether a nonce that has served goes with the next request, before the server asks (methods.md 8.8).
    preemptive: DigestPreemptive


class SessionConfigurationMethodsNegotiate(TypedDict, total=False):
    """What Negotiate may do."""

    #: Origins, or proxies as http://host:port or https://host:port, to which the tickets of the daemon's uid
    #: are sent without a reply (methods.md 14.9, methods.md 15.13).
    ambientOrigins: list[str]
    #: Whether the server may act with the user's tickets.
    delegate: bool
    #: Whether NTLM may be the mechanism inside a negotiation (methods.md 14.10).
    allowNTLM: bool


class SessionConfigurationMethods(TypedDict, total=False):
    """Authentication methods."""

    #: Which offers come first: a list, or the server's order. Methods left out come after those named, by
    #: strength (challenges.md 6.4).
    order: list[str] | Literal["serverOrder"]
    #: Methods that are no offers at all.
    disabled: list[str]
    #: Whether stored and URL credentials may be used for Basic over http to a host other than loopback, and
    #: credentials, tokens too, go there with the first request. An explicit reply is always possible
    #: (challenges.md 6.7).
    basicOverCleartext: bool
    #: Only the strongest offer of a response counts, and none weaker than any that the origin made before
    #: (challenges.md 6.6).
    strongestOnly: bool
    #: What Digest may do.
    digest: SessionConfigurationMethodsDigest
    #: What Negotiate may do.
    negotiate: SessionConfigurationMethodsNegotiate


#: What the deadline of a challenge answers.
Unanswered = Literal["cancel", "performDefaultHandling", "deliver"]


class SessionConfigurationChallenges(TypedDict, total=False):
    """How challenges end."""

    #: How long a challenge waits for its reply.
    deadlineSeconds: float
    #: What the deadline answers (challenges.md 5.11).
    unanswered: Unanswered
    #: Refusals per protection space and task before the 401 is delivered.
    refusalBudget: int


class _SessionConfigurationTlsRoots(TypedDict, total=False):
    #: Only these roots instead of these and the system's.
    exclusive: bool


class SessionConfigurationTlsRoots(_SessionConfigurationTlsRoots):
    """Further roots, or other ones."""

    #: Certificates in PEM, 512 at most.
    certificates: str


class _SessionConfigurationTlsPin(TypedDict, total=False):
    #: A chain without one is counted (pins.reported) and logged, and goes on.
    reportOnly: bool
    #: Whether a reply may accept a chain without one.
    excusable: bool


class SessionConfigurationTlsPin(_SessionConfigurationTlsPin):
    #: A host, *. and a name: every host below it, at any depth; or *: every origin.
    host: str
    #: Of which the chain has to hold one: the server's key or that of an issuer.
    publicKeys: list[str]


#: What must be known about revocation.
Revocation = Literal["off", "stapled", "required", "stapleRequired"]


class SessionConfigurationTls(TypedDict, total=False):
    """TLS to origins."""

    #: Further roots, or with exclusive the only ones; at most 1 MiB.
    roots: SessionConfigurationTlsRoots | None
    #: Not above the maximum.
    minimumVersion: str
    #: Not below the minimum.
    maximumVersion: str
    #: Every rule for a host has to be met; else pinMismatch (messages.md 14.3).
    pins: list[SessionConfigurationTlsPin]
    #: stapled: an OCSP response that the server sends is checked; required: there has to be a good one, or a
    #: list of the certificate's issuer. What a certificate itself insists on (RFC 7633) is checked with off,
    #: too (messages.md 14.4).
    revocation: Revocation
    #: PEM, at most 1 MiB and 512 lists, each for 64 distribution points at most. A certificate whose issuer
    #: has a list here is looked up in it; a list that has expired says nothing, which is revocationUnknown.
    revocationLists: str | None


_ProxiesObjectReservedOptional = TypedDict("_ProxiesObjectReservedOptional", {"except": "list[str]"}, total=False)


class _ProxiesObject(TypedDict, total=False):
    #: For http origins. Secret.
    http: str | None
    #: For https origins. Secret.
    https: str | None
    #: For origins whose scheme has no proxy of its own. Secret.
    all: str | None


class ProxiesObject(_ProxiesObjectReservedOptional, _ProxiesObject):
    pass


#: The proxies that lead to origins: those of the daemon's own environment, none, or by their URLs. A URL is
#: scheme, host, perhaps user, password and port (without one 1080, and 443 for https); its scheme is http,
#: https, socks4, socks4a, socks5 or socks5h.
Proxies = Union[Literal["environment", "none"], ProxiesObject]


#: What a 3xx does. manual: deliver it. ask: task/willRedirect.
RedirectPolicy = Literal["follow", "manual", "ask"]


class SessionConfigurationRedirects(TypedDict, total=False):
    """What a 3xx does (messages.md, section 9)."""

    #: follow; manual: deliver the 3xx; ask: task/willRedirect.
    policy: RedirectPolicy
    #: Redirects in one task.
    limit: int
    #: Whether https may lead to http.
    allowDowngrade: bool


class Timeouts(TypedDict, total=False):
    """They do not run while the task waits for a reply to a challenge or to a redirect."""

    #: Until connected, TLS included.
    connectSeconds: float
    #: Without a byte of progress.
    requestSeconds: float
    #: For the whole task, without the time in which it waits for a reply or is suspended.
    resourceSeconds: float


class FieldOctets(TypedDict):
    """An HTTP field value that is not UTF-8. It goes to the server octet for octet."""

    #: Base64. No control character but tab. Secret.
    base64: str


#: Which cookies a session keeps. originOnly: those whose domain is exactly the host that set them.
CookiePolicy = Literal["accept", "originOnly", "never"]


class SessionConfigurationLimits(TypedDict, total=False):
    """Bounds on response bodies."""

    #: The largest body that travels inside a reply.
    inlineBodyBytes: int
    #: The largest body that travels as a memory file (output auto).
    memoryBodyBytes: int
    #: The largest body after decoding; null: no limit.
    decodedBodyBytes: int | None


class SessionConfigurationAddresses(TypedDict, total=False):
    """Where the session may connect."""

    #: host:port to address, instead of name resolution; each host and port once.
    resolve: dict[str, str]
    #: The only origins that this session fetches, each scheme://host or scheme://host:port; null: all.
    allowOrigins: list[str] | None
    #: Refuse loopback, link-local and private addresses, checked when connecting.
    refusePrivate: bool


class SessionConfigurationNetrc(TypedDict, total=False):
    #: The text of a netrc file. Secret.
    text: str
    #: Instead of text: a file that is not UTF-8. Secret.
    base64: str


class PageCondition(TypedDict, total=False):
    status: int
    #: CSS selectors of types, ids, classes and attributes, one of which an element of the page matches.
    selector: str


class LoginFormRuleFields(TypedDict):
    """The names of the input elements."""

    user: str
    password: str


class _LoginFormRule(TypedDict, total=False):
    #: What else the response must be like.
    when: PageCondition | None
    #: What the answer to the form must be like; without members: no error, and not the form again.
    success: PageCondition | None


class LoginFormRule(_LoginFormRule):
    """A page that is a login form, and how it is filled in."""

    #: The page's URL, whose path may end in *; without a query it is for every query.
    page: str
    #: The names of the input elements.
    fields: LoginFormRuleFields


class SessionConfiguration(TypedDict, total=False):
    """A session's settings, all optional. They count when the session is made, and change with session/configure
    (messages.md 4.16).
    """

    #: Whether the session goes by what is permanent and may add to it; private: an ephemeral session, without
    #: permanent credentials and decisions.
    credentialStorage: CredentialStorage
    #: Authentication methods.
    methods: SessionConfigurationMethods
    #: How challenges end.
    challenges: SessionConfigurationChallenges
    #: TLS to origins.
    tls: SessionConfigurationTls
    #: Which proxies lead to the origins of the session (messages.md 14.8).
    proxies: Proxies
    #: What a 3xx does (messages.md, section 9).
    redirects: SessionConfigurationRedirects
    #: Defaults for the session's tasks.
    timeouts: Timeouts
    #: Fields added to every request of the session that does not set them itself.
    headers: list[list[str | FieldOctets]]
    #: Which cookies the session keeps (messages.md, section 10).
    cookies: CookiePolicy
    #: Not in this version: only none (messages.md 14.2).
    cache: Literal["none"]
    #: How long a named session outlives its last holder and task.
    idleSeconds: float
    #: Connections to one host, those of HTTP/2 and of HTTP/1.1 counted apart; with 1, of all together.
    connectionsPerHost: int
    #: HTTP versions to use; the server chooses among them.
    httpVersions: list[str]
    #: Bounds on response bodies.
    limits: SessionConfigurationLimits
    #: Where the session may connect.
    addresses: SessionConfigurationAddresses
    #: Users and passwords of hosts, which the session may use (messages.md 14.7).
    netrc: SessionConfigurationNetrc | None
    #: Pages that are login forms: a task that meets one raises a challenge (messages.md 14.14).
    forms: list[LoginFormRule]
