"""The dictionaries that the daemon sends: results of methods, and what notifications carry.

Made from ``protocol/openrpc.json`` by ``protocol/generate``, where they have the same names.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

__all__ = [
    "AcceptedReply",
    "AddedIdentity",
    "AddedRestriction",
    "AgentLock",
    "Certificate",
    "Challenge",
    "ChallengeDidSettle",
    "ChallengeError",
    "ChallengeFailureResponse",
    "ChallengeList",
    "ChallengeOutcome",
    "ConfiguredSession",
    "Continuation",
    "Cookie",
    "CookieList",
    "CookiePolicy",
    "CredentialChange",
    "CredentialDidChange",
    "CredentialLimits",
    "CredentialList",
    "CredentialStorage",
    "DigestPreemptive",
    "Disposition",
    "DroppedFromSession",
    "Empty",
    "Error",
    "ErrorData",
    "ExchangeDetails",
    "ExchangeMetrics",
    "Expectation",
    "ExplainedCertificate",
    "ExplainedCredential",
    "ExplainedKey",
    "ExplainedRedirects",
    "ExplainedTrust",
    "Explanation",
    "ExportReport",
    "FetchResult",
    "FieldOctets",
    "Greeting",
    "GreetingCapabilities",
    "Histogram",
    "History",
    "HistoryEntry",
    "Holder",
    "HolderDelegate",
    "Hop",
    "Identity",
    "IdentityDecision",
    "IdentityLimits",
    "IdentityList",
    "ImportReport",
    "LoginFormRule",
    "LoginFormRuleFields",
    "Metrics",
    "Offer",
    "OfferStrength",
    "OpenRPCDocument",
    "OpenedSession",
    "PageCondition",
    "Persistence",
    "Processed",
    "ProposedCredential",
    "ProtectionSpace",
    "ProtectionSpaceName",
    "Proxies",
    "ProxiesObject",
    "ProxyChoice",
    "ProxySource",
    "PrunedSessions",
    "ReadCredential",
    "Redirect",
    "RedirectPolicy",
    "RefusedSource",
    "Reloaded",
    "Removal",
    "RequestHead",
    "ResponseBody",
    "ResponseBodyBase64",
    "ResponseBodyDescriptor",
    "ResponseBodySize",
    "ResponseBodyText",
    "Restarting",
    "Restriction",
    "RestrictionLastViolation",
    "RetriedCredentials",
    "Retry",
    "Revocation",
    "Root",
    "RootAddition",
    "RootList",
    "RootsStatus",
    "RuleStatus",
    "ServerConfiguration",
    "ServerSetting",
    "ServerTrust",
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
    "SessionDescription",
    "SessionDidInvalidate",
    "SessionDidReceiveChallenge",
    "SessionEnd",
    "SessionList",
    "SessionReference",
    "SessionStatus",
    "SessionSummary",
    "SourceStatus",
    "StatusDidChange",
    "StatusSnapshot",
    "Stopping",
    "StoredCredential",
    "Subscribed",
    "SynchronizationStatus",
    "TaskDescription",
    "TaskDidFinish",
    "TaskDidReceiveChallenge",
    "TaskDidReceiveData",
    "TaskDidReceiveHead",
    "TaskDidReceiveResponse",
    "TaskDidRedirect",
    "TaskDidSendBodyData",
    "TaskFailure",
    "TaskList",
    "TaskReference",
    "TaskState",
    "TaskSummary",
    "TaskWillRedirect",
    "TaskWillRedirectRequest",
    "TaskWillRedirectResponse",
    "TimeoutPhase",
    "Timeouts",
    "TokenCertificate",
    "TokenList",
    "TrustDecision",
    "TrustList",
    "TrustReason",
    "TrustScope",
    "TrustVerdicts",
    "Unanswered",
    "Unsubscribed",
    "UnusableOffer",
    "VaultReport",
    "VaultState",
    "VaultStatus",
    "Verdict",
    "Waiter",
]


class GreetingCapabilities(TypedDict):
    descriptors: bool
    framings: list[Literal["line", "contentLength"]]


class Greeting(TypedDict):
    """How the daemon answers initialize."""

    name: Literal["watchwordd"]
    version: str
    protocolVersion: Literal["1"]
    capabilities: GreetingCapabilities
    #: What earlier daemons of this version of the protocol have not.
    features: list[str]
    pid: int
    uid: int
    limits: dict[str, float]


class Empty(TypedDict):
    """That a method has done its work; no members in this version."""


class OpenRPCDocument(TypedDict):
    """This document."""

    openrpc: str
    info: dict[str, Any]
    methods: list[Any]


class _OpenedSession(TypedDict, total=False):
    #: What of the configuration does not count, for a person: at present unknown words of netrc (messages.md
    #: 14.7).
    warnings: list[str]


class OpenedSession(_OpenedSession):
    """A session that a connection holds from now on."""

    session: str
    #: False when the session existed.
    created: bool


class SessionReference(TypedDict):
    """The session that a request was about."""

    session: str


class DroppedFromSession(TypedDict):
    """How much a session has lost by a change of its settings."""

    #: Credentials of the session.
    credentials: int
    #: Decisions about servers.
    trust: int
    #: Client certificates of the session.
    identities: int
    #: Cookies.
    cookies: int


class _ConfiguredSession(TypedDict, total=False):
    #: As those of session/open.
    warnings: list[str]


class ConfiguredSession(_ConfiguredSession):
    """What session/configure has changed."""

    session: str
    #: The paths of the members whose values are others now.
    changed: list[str]
    dropped: DroppedFromSession


class SessionSummary(TypedDict):
    """A session with the numbers of what it has."""

    session: str
    uid: int
    named: bool
    holders: int
    tasks: int
    credentials: int
    trust: int
    identities: int
    connections: int
    pendingChallenges: int
    restrictions: int
    #: Since a caller has named, joined or left it, or one of its tasks has begun or ended; 0 while a task
    #: runs.
    unusedSeconds: float


class SessionList(TypedDict):
    """The sessions of the caller's uid."""

    #: Each with the numbers of what it has.
    sessions: list[SessionSummary]


class PrunedSessions(TypedDict):
    """The sessions that session/prune has ended."""

    sessions: list[str]


#: About which chains serverTrust asks.
TrustVerdicts = Literal["all", "refused"]


class _HolderDelegate(TypedDict, total=False):
    trustVerdicts: TrustVerdicts


class HolderDelegate(_HolderDelegate):
    tasks: list[str]
    session: list[str]


class Holder(TypedDict):
    """A connection that has the session open."""

    #: 0: a process of another pid namespace.
    pid: int
    uid: int
    #: A hint for display.
    executable: str | None
    #: What it called itself in initialize.
    name: str | None
    #: The version it named there.
    version: str | None
    delegate: HolderDelegate
    #: What restricts it; null: nothing.
    restriction: str | None


class RuleStatus(TypedDict):
    """A rule with what it limits (null: nothing), and what connections have made of it."""

    methods: list[str] | None
    origin: str
    path: str
    headers: list[str]
    requestBytes: int | None
    responseBytes: int | None
    perMinute: float | None
    #: Requests that it has allowed.
    uses: int


class RestrictionLastViolation(TypedDict):
    time: str
    reason: str
    origin: str | None


class Restriction(TypedDict):
    """What restricted connections of a session may fetch, and what they have made of it."""

    restriction: str
    rules: list[RuleStatus]
    #: The path of the administrator's socket that it is of.
    socket: str | None
    #: Those that it restricts now.
    connections: int
    uses: int
    violations: int
    lastViolation: RestrictionLastViolation | None
    secondsLeft: float | None


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


class SessionDescription(TypedDict):
    """A session with its holders, restrictions and configuration."""

    session: str
    uid: int
    named: bool
    holders: list[Holder]
    tasks: int
    credentials: int
    trust: int
    identities: int
    connections: int
    pendingChallenges: int
    restrictions: list[Restriction]
    #: Complete, with the defaults filled in. Secrets in its headers read <secret>.
    configuration: SessionConfiguration


class _ResponseBodyText(TypedDict, total=False):
    truncated: Literal[True]
    verified: Literal[True]


class ResponseBodyText(_ResponseBodyText):
    text: str


class _ResponseBodyBase64(TypedDict, total=False):
    truncated: Literal[True]
    verified: Literal[True]


class ResponseBodyBase64(_ResponseBodyBase64):
    base64: str


class _ResponseBodyDescriptor(TypedDict, total=False):
    truncated: Literal[True]
    verified: Literal[True]


class ResponseBodyDescriptor(_ResponseBodyDescriptor):
    descriptor: int
    size: int


#: What became of a partial file.
Continuation = Literal["continued", "restarted", "complete", "discarded"]


class _ResponseBodySize(TypedDict, total=False):
    truncated: Literal[True]
    verified: Literal[True]
    #: With output.resumeIfRange: what became of the file. discarded and complete leave it as it was.
    continuation: Continuation


class ResponseBodySize(_ResponseBodySize):
    size: int


#: Where the response's body is: inline text (valid UTF-8 without zero bytes), inline base64, in a memory file
#: that came with the reply, or already delivered (size only). truncated: it is the beginning of a refusal or
#: redirect, whose page was held while a question was pending. verified: it has the digests that the caller or
#: the origin expects of it.
ResponseBody = Union[ResponseBodyText, ResponseBodyBase64, ResponseBodyDescriptor, ResponseBodySize]


_RedirectReserved = TypedDict("_RedirectReserved", {"from": "str"})


class Redirect(_RedirectReserved):
    """URLs without userinfo."""

    status: int
    to: str


class UnusableOffer(TypedDict):
    """A challenge of a response that cannot be answered."""

    #: As the server spelled it, the first 64 bytes; empty when no name could be read; htmlForm for a login
    #: page.
    scheme: str
    reason: str


class Certificate(TypedDict):
    #: RFC 4514.
    subject: str
    #: RFC 4514.
    issuer: str
    serialNumber: str
    notBefore: str
    notAfter: str
    subjectAlternativeNames: list[str]
    keyType: str
    keyBits: int
    #: Of the certificate.
    sha256: str
    #: sha256/ and the base64 of the SHA-256 of the SPKI.
    publicKey: str
    pem: str


class RequestHead(TypedDict):
    """The head of a request as it was sent. The values of fields that carry a secret read `<secret>`."""

    #: The request line, such as GET /staff HTTP/1.1.
    line: str
    #: Header fields as sent, in order; Host stands for :authority of HTTP/2.
    headers: list[list[str]]


class _ExchangeDetails(TypedDict, total=False):
    #: Address and port at the other end of the connection, such as 192.0.2.1:443 or [2001:db8::1]:443; of the
    #: proxy where there is one. Left out when unknown.
    remoteAddress: str
    #: Of TLS with the origin; left out without it.
    tlsVersion: str
    #: Of TLS with the origin, by its name in IANA's registry, such as TLS_AES_256_GCM_SHA384.
    cipherSuite: str
    #: The origin's own, without those of its issuers.
    certificate: Certificate


class ExchangeDetails(_ExchangeDetails):
    """Over which connection an exchange was made, and what was sent."""

    #: Whether the connection goes to a proxy.
    isProxyConnection: bool
    #: On a connection that was open already.
    reused: bool
    #: What was sent: the request, and before it the one for a tunnel, if any. In a notification, what was
    #: sent since the one before.
    requests: list[RequestHead]


class _ExchangeMetrics(TypedDict, total=False):
    #: What has authenticated the connection inside of negotiate.
    mechanism: str
    #: Only with exchangeDetails in the request.
    details: ExchangeDetails


class ExchangeMetrics(_ExchangeMetrics):
    """One HTTP request and its response."""

    url: str
    #: 0: the server did not take the client certificate, and has done nothing of the request.
    status: int
    #: What its Authorization field was, if any.
    authenticationMethod: str | None
    protocol: str | None
    #: On a connection that was open already.
    reused: bool
    nameLookupSeconds: float
    connectSeconds: float
    tlsSeconds: float
    firstByteSeconds: float
    totalSeconds: float
    bytesSent: int
    bytesReceived: int


class Metrics(TypedDict):
    """What the task cost. bytesSent and bytesReceived are sums over its exchanges, totalSeconds is the task's
    from start to finish; protocol, reused and the other times are those of the last exchange.
    """

    protocol: str | None
    reused: bool
    nameLookupSeconds: float
    connectSeconds: float
    tlsSeconds: float
    firstByteSeconds: float
    #: Spent waiting for replies to challenges.
    challengeWaitSeconds: float
    totalSeconds: float
    bytesSent: int
    bytesReceived: int
    exchanges: list[ExchangeMetrics]


class _FetchResult(TypedDict, total=False):
    #: Those that were followed, in order.
    redirects: list[Redirect]
    #: Whether the response is a login page by the session's `forms`, or the refusal of a login, and not what
    #: was asked for (methods.md 16.10).
    loginPage: bool
    #: Of a 401, a 407 or a login page: its challenges that cannot be answered, the first 16 of them
    #: (challenges.md 6.3).
    unusableOffers: list[UnusableOffer]
    #: How many there are, when the list does not have them all.
    unusableOfferCount: int
    #: Only with metrics in the request.
    metrics: Metrics


class FetchResult(_FetchResult):
    """What a task brought."""

    task: str
    session: str
    #: The final URL, without userinfo.
    url: str
    status: int
    headers: list[list[str]]
    body: ResponseBody


class TaskReference(TypedDict):
    """The task that a request was about."""

    task: str


#: waiting: for the answer to a challenge or a redirect.
TaskState = Literal["running", "suspended", "waiting", "finished"]


class TaskSummary(TypedDict):
    """A task."""

    task: str
    session: str
    #: Without userinfo.
    url: str
    method: str
    state: TaskState
    detached: bool
    bytesReceived: int


class TaskList(TypedDict):
    """The tasks of a session."""

    tasks: list[TaskSummary]


#: Whether and how it makes sense to try again.
Retry = Literal["never", "same", "newCredential", "later"]


#: The source of the digest that a body must have.
Expectation = Literal["caller", "origin"]


#: One end of a connection.
Hop = Literal["origin", "proxy"]


#: What has taken too long.
TimeoutPhase = Literal["connect", "request", "resource"]


class TrustReason(TypedDict):
    #: More may be added.
    reason: str
    #: 0 is the leaf.
    depth: int


#: Whether the server may have processed a request.
Processed = Literal["no", "unknown"]


class _ErrorData(TypedDict, total=False):
    #: invalidParams: where, as params.configuration.redirects.limit or params.headers[2][1].
    #: configurationInvalid: a member of the file, as transportSecurity.domains[0].domain.
    path: str
    #: sessionConfigurationDiffers: the paths that differ.
    members: list[str]
    #: limitExceeded, bodyTooLarge: the name of the limit.
    limit: str
    #: digestMismatch: by which algorithm.
    algorithm: str
    #: digestMismatch: whose digest the body does not have.
    expectedBy: Expectation
    #: Errors of an exchange or of its authentication, digestMismatch: which hop failed.
    hop: Hop
    #: Errors at the hop proxy: its URL, without userinfo.
    proxy: str
    #: Transport errors, digestMismatch: the URL of the exchange, without userinfo and query.
    url: str
    #: timedOut: what took too long.
    phase: TimeoutPhase
    #: More detail, for people.
    reason: str
    #: serverTrustRejected: all faults found.
    reasons: list[TrustReason]
    #: connectionLost: whether the server has processed the request.
    processed: Processed
    #: policyRefused, dispositionNotAllowed: the administrator's rule.
    rule: str
    #: tlsFailed: the administrator's rules that may be the cause.
    rules: list[str]


class ErrorData(_ErrorData):
    """Members of error.data."""

    kind: str
    retry: Retry


class Error(TypedDict):
    """Why a request or a task failed. data carries further members by kind."""

    code: int
    #: For people; never holds a secret.
    message: str
    data: ErrorData


class _TaskDescription(TypedDict, total=False):
    #: Of a detached task that has finished.
    result: FetchResult
    #: Of a detached task that has failed.
    error: Error


class TaskDescription(_TaskDescription):
    """A task, with the result or the error of a detached one that has finished."""

    task: str
    session: str
    #: Without userinfo.
    url: str
    method: str
    state: TaskState
    detached: bool
    bytesReceived: int


class AcceptedReply(TypedDict):
    """That a reply counts."""

    accepted: Literal[True]


#: Of default evaluation.
Verdict = Literal["trusted", "refused"]


class ServerTrust(TypedDict):
    """A certificate chain and what default evaluation says about it."""

    #: As presented, leaf first.
    certificates: list[Certificate]
    verdict: Verdict
    reasons: list[TrustReason]


class _ProtectionSpace(TypedDict, total=False):
    realmBytes: str
    #: Of clientCertificate only: the keys whose signatures the server takes.
    keyTypes: list[str]


class ProtectionSpace(_ProtectionSpace):
    """What one credential opens."""

    protocol: str
    host: str
    port: int
    realm: str | None
    authenticationMethod: str
    isProxy: bool
    proxyType: str | None
    #: True only over TLS to that hop.
    receivesCredentialSecurely: bool
    #: The raw parameters of the first offer, with their names in lower case; none for a question of a TLS
    #: handshake. When a person must enter a code: verificationUri, userCode and perhaps
    #: verificationUriComplete instead (methods.md 9.10.7).
    parameters: dict[str, str]
    distinguishedNames: list[str] | None
    serverTrust: ServerTrust | None


class _Offer(TypedDict, total=False):
    realmBytes: str


class Offer(_Offer):
    """One way to satisfy the server."""

    authenticationMethod: str
    realm: str | None
    #: Every raw parameter that the server sent, by lowercased name.
    parameters: dict[str, str]


class ProposedCredential(TypedDict):
    """The user that the session would use, or the one that was just refused. Never a secret."""

    #: Null for a token, and for tickets.
    user: str | None
    #: ambient: the tickets of the daemon's uid.
    source: str


class ChallengeFailureResponse(TypedDict):
    status: int
    headers: list[list[str]]


class OfferStrength(TypedDict):
    authenticationMethod: str
    #: Null except for Digest.
    algorithm: str | None


class _ChallengeError(TypedDict, total=False):
    #: Of sourceFailed: the name of the source.
    source: str
    #: Of sourceFailed: why it gave nothing (administrator.md 15.3.8).
    reason: str
    #: Of confirmUse.
    process: int | None
    #: Of weakerOffer.
    previous: OfferStrength
    #: Of weakerOffer.
    offered: OfferStrength


class ChallengeError(_ChallengeError):
    #: weakerOffer: the origin has offered something stronger for this realm before. confirmUse:
    #: performDefaultHandling lets this process use a stored credential with the limit confirm. sourceFailed:
    #: the administrator's source of this name gave nothing. Words of NegotiationFault: why a credential for
    #: negotiate or ntlm could not be used.
    kind: str


class Waiter(TypedDict):
    """A task that waits for the answer and its process."""

    task: str
    #: Null for a detached task whose connection is gone.
    pid: int | None
    uid: int
    #: A hint for display, never a right.
    executable: str | None


class _Challenge(TypedDict, total=False):
    #: Only when the task has chosen a proxy of its own: its URL without userinfo, through which the
    #: credential goes (storage.md 9.2.7).
    proxy: str
    #: Only when a `Host` field of the task or its session names another server than the URL: its value in
    #: lower case, with `\x` and two digits for each octet that is not of ASCII. The credential goes to that
    #: server (storage.md 9.2.7).
    hostField: str
    #: What callers of the session have chosen of the way to the server that asks, and neither the user nor
    #: the administrator (storage.md 9.6.12).
    callersWays: list[str]
    #: Only when a person must enter a code: the name of the source that waits for it. The page and the code
    #: are in parameters of the protection space (methods.md 9.10.8).
    source: str
    #: How many are left, when offers does not list them all.
    offerCount: int
    #: The challenges of the response that cannot be answered: the first 16 of them (challenges.md 6.3).
    unusableOffers: list[UnusableOffer]
    #: How many there are, when the list does not have them all.
    unusableOfferCount: int
    #: Only for clientCertificate: the ids of the identities that fit, the session's own before the permanent
    #: ones. Default handling presents the first.
    identities: list[str]
    #: The processes that were asked, the one that can still answer last.
    asked: list[int]


class Challenge(_Challenge):
    """One question put to a delegate."""

    #: An id, unique for the life of the daemon and not guessable.
    challenge: str
    session: str
    #: The task that it describes: the one that raised it, or, when that no longer waits, another one that
    #: does.
    task: str
    #: Without userinfo. Its query is shown to the connection of the task only.
    url: str
    origin: str
    #: What the challenge is about.
    protectionSpace: ProtectionSpace
    #: The offers of the response that are left for this task, in the order in which they are tried: the first
    #: 16 of them. The challenge is about the first. Empty for serverTrust and clientCertificate.
    offers: list[Offer]
    #: Never a secret (challenges.md 2.8).
    proposedCredential: ProposedCredential | None
    #: Refusals in this protection space during this task, also of credentials that another task tried while
    #: this one waited, and credentials that could not be used for the same reason again.
    previousFailureCount: int
    #: Status and header fields of the refusing response, without Set-Cookie, Set-Cookie2, Authentication-Info
    #: and Proxy-Authentication-Info; null for a question of a handshake.
    failureResponse: ChallengeFailureResponse | None
    #: A typed reason; more kinds may be added.
    error: ChallengeError | None
    #: The tasks that wait under the challenge with their processes: the first 4,096 of them.
    waiters: list[Waiter]
    #: How many wait in all.
    waiterCount: int
    #: For how long it has waited for a reply.
    waitedSeconds: float
    #: When the default is applied.
    deadline: str


class ChallengeList(TypedDict):
    """Pending challenges."""

    challenges: list[Challenge]


class _ProtectionSpaceName(TypedDict, total=False):
    #: Left out: any realm, until a server accepts the credential.
    realm: str | None
    realmBytes: str
    #: Of key only: the header field that carries it, in lower case.
    field: str
    #: Of a proxy only.
    proxyType: str


class ProtectionSpaceName(_ProtectionSpaceName):
    """A protection space as lists show it."""

    protocol: str
    host: str
    port: int
    authenticationMethod: str
    isProxy: bool


#: How long a credential is kept. permanent is for passwords, tokens, decisions about certificates and client
#: identities, in sessions with shared storage; synchronizable is for passwords and tokens there, on a host of
#: a fleet. For everything else the answer is storageUnavailable (administrator.md 15.4).
Persistence = Literal["none", "forSession", "permanent", "synchronizable"]


class CredentialLimits(TypedDict, total=False):
    """Where and how long a credential is good. Checked on listing as well as on use."""

    #: Expires after this time without use.
    idleSeconds: float
    #: Expires this time after it was given.
    lifetimeSeconds: float
    #: Expires at this time.
    notAfter: str
    #: Only for these paths and below.
    pathPrefixes: list[str]
    #: Only for these HTTP methods.
    methods: list[str]
    #: Expires after this number of exchanges.
    maximumUses: int
    #: A use for another process raises a challenge first.
    confirm: bool


class _StoredCredential(TypedDict, total=False):
    #: For named: the administrator's source.
    sourceName: str
    #: Of key only: what stands in front of it in its field.
    prefix: str


class StoredCredential(_StoredCredential):
    """A credential as lists show it: never its secret."""

    protectionSpace: ProtectionSpaceName
    user: str | None
    kind: str
    persistence: Persistence
    #: Whether it is the space's default user.
    isDefault: bool
    source: str
    #: Whether credential/read gives its secret back.
    readable: bool
    #: Whether it was given to go with the first request (storage.md 9.4.6).
    preemptive: bool
    #: Those it was given; empty when none.
    limits: CredentialLimits
    #: Exchanges it was sent with.
    uses: int
    lastUsed: str | None
    created: str
    #: Until its limits end it.
    secondsLeft: float | None


class CredentialList(TypedDict):
    """The credentials of a session."""

    credentials: list[StoredCredential]


class ReadCredential(TypedDict):
    """What credential/read says beside the secret."""

    user: str | None
    kind: Literal["password", "token"]
    #: Bytes of the secret.
    size: int
    #: Until its limits end it.
    secondsLeft: float | None


class Removal(TypedDict):
    """How many there were of what is removed."""

    removed: int


class RetriedCredentials(TypedDict):
    """How many refused credentials may be sent once more."""

    retried: int


class _HistoryEntry(TypedDict, total=False):
    realmBytes: str
    #: Of key only: its header field.
    field: str
    #: Only of a client certificate that was presented or refused; pid is null, since a handshake can serve
    #: several processes.
    identity: str
    #: Only for restricted (restricted.md 2.6.5).
    reason: str
    #: Only for restricted.
    restriction: str
    #: The because of the reply to a challenge.
    because: str
    #: Of the last request that it happened to; missing when that had none (messages.md 5.1.12).
    traceparent: str


class HistoryEntry(_HistoryEntry):
    """What became of a credential, a challenge or a request of a restricted connection; never a secret."""

    #: When it happened last.
    time: str
    outcome: str
    session: str
    #: That of a proxy, too; null when a restricted connection named none, and for what happened to the agent.
    origin: str | None
    #: Of the protection space, or null.
    authenticationMethod: str | None
    #: Of the protection space, or null; one of more than 256 bytes is left out.
    realm: str | None
    #: Of the protection space.
    isProxy: bool
    #: Of the credential, at most 256 bytes; null for a token and for a challenge.
    user: str | None
    #: The process that the request was for.
    pid: int | None
    #: The processes that were asked.
    asked: list[int]
    #: The process that answered, or that had given the credential to the session; null when there is none, or
    #: it has gone.
    answeredBy: int | None
    #: How often the same happened.
    uses: int


class History(TypedDict):
    """What became of the credentials and challenges of the caller's uid."""

    #: Newest first (storage.md 7.3.1).
    entries: list[HistoryEntry]


#: What is accepted: the certificates as they were shown, or the server's key under any certificate.
TrustScope = Literal["certificate", "publicKey"]


class IdentityLimits(TypedDict, total=False):
    """How long and how often an identity is presented. A use is a handshake: one for every request on its
    connection. Checked on listing as well as on use; at its limit it is gone with its key, and its
    connections are used no more.
    """

    #: Gone after this long without a handshake.
    idleSeconds: float
    #: Gone this long after it was given.
    lifetimeSeconds: float
    #: Gone at this time.
    notAfter: str
    #: Gone after so many handshakes.
    maximumUses: int


class TrustDecision(TypedDict):
    """A decision about a server's certificates: the session's own, or a permanent one."""

    #: Its id: in the session a number, of the uid p and a number.
    trust: str
    origin: str
    #: Of the server's certificate when it was decided: RFC 4514.
    subject: str
    scope: TrustScope
    #: Of the server's certificate when it was decided.
    sha256: str
    publicKey: str
    #: As the reasons of a verdict.
    excused: list[TrustReason]
    persistence: Persistence
    #: Handshakes that it has let through.
    uses: int
    lastUsed: str | None
    created: str
    limits: IdentityLimits
    #: Until a limit ends it.
    secondsLeft: float | None


class TrustList(TypedDict):
    """Decisions about servers' certificates."""

    #: Those of the session, then the permanent ones.
    trust: list[TrustDecision]


class Root(TypedDict):
    """A certificate authority of the user."""

    #: RFC 4514.
    subject: str
    #: RFC 4514.
    issuer: str
    notBefore: str
    notAfter: str
    #: Of the certificate; trust/removeRoots takes it.
    sha256: str


class RootAddition(TypedDict):
    """What became of the certificates of a text."""

    #: How many were not there before.
    added: int
    #: Those of the text, in its order.
    roots: list[Root]


class RootList(TypedDict):
    """The certificate authorities of the user."""

    #: In the order in which they were added.
    roots: list[Root]


class AddedIdentity(TypedDict):
    """A client identity that a session or the vault has."""

    #: Its id, which is made from the certificate.
    identity: str


class Identity(TypedDict):
    """A client certificate of a session or of its uid. Never its key."""

    identity: str
    #: The only one that it is for, when it came in a reply; null: any that asks for it.
    origin: str | None
    #: RFC 4514.
    subject: str
    #: RFC 4514.
    issuer: str
    serialNumber: str
    notBefore: str
    notAfter: str
    keyType: str
    keyBits: int
    sha256: str
    publicKey: str
    #: The URI of its key; null: in memory.
    pkcs11: str | None
    #: Certificates that are presented, without the root.
    chainLength: int
    persistence: Persistence
    #: Those it was given; empty when none.
    limits: IdentityLimits
    #: Handshakes that it was presented in.
    uses: int
    lastUsed: str | None
    created: str
    #: Until its limits end it.
    secondsLeft: float | None


class IdentityList(TypedDict):
    """Client identities."""

    #: The session's own and then the permanent ones, of both the one added last first.
    identities: list[Identity]


class TokenCertificate(TypedDict):
    """A certificate that a token shows without a login."""

    #: The URI of its key.
    pkcs11: str
    #: RFC 4514.
    subject: str
    #: RFC 4514.
    issuer: str
    serialNumber: str
    notBefore: str
    notAfter: str
    keyType: str
    keyBits: int
    sha256: str
    publicKey: str


class TokenList(TypedDict):
    """Certificates of tokens."""

    #: Those that tokens show without login.
    identities: list[TokenCertificate]


class Cookie(TypedDict):
    """A cookie of a session."""

    name: str
    value: str
    domain: str
    path: str
    expires: str | None
    secure: bool
    httpOnly: bool


class CookieList(TypedDict):
    """The cookies of a session."""

    cookies: list[Cookie]


class _ExplainedCredential(TypedDict, total=False):
    #: Left out: any realm.
    realm: str | None
    realmBytes: str
    #: Of passedOver: why it does not count.
    reason: str


class ExplainedCredential(_ExplainedCredential):
    """Which credential a server or a proxy would get; never the secret."""

    user: str | None
    authenticationMethod: str
    source: str


class ExplainedKey(TypedDict):
    """A key that a server would get; never the secret."""

    #: The header field, in lower case.
    field: str
    source: str


class ExplainedTrust(TypedDict):
    """How the certificate of an origin would be evaluated."""

    evaluation: Literal["default"]
    #: Those about this origin.
    decisions: list[TrustDecision]
    #: The session's pins for this host, by their host patterns.
    pins: list[str]
    #: The administrator's rules that bind this host, as they are named in the daemon's configuration.
    rules: list[str]
    #: The user's certificate authority that the last accepted chain of this origin ended in; null when it was
    #: another one, or there was none.
    root: Root | None


class IdentityDecision(TypedDict):
    """What was decided for the session to present an origin with, when it asks for these authorities."""

    #: When it asks for these.
    distinguishedNames: list[str]
    #: identity: the one with the id. default: default handling.
    choice: Literal["identity", "none", "default"]
    identity: str | None


class ExplainedCertificate(TypedDict):
    """Which client certificate an origin could be presented with."""

    #: What was decided for the session to present this origin with.
    decisions: list[IdentityDecision]
    #: The identities that may go to this origin now, the session's own before the permanent ones. Default
    #: handling takes the first of them that fits what the server asks for, which is not known before.
    candidates: list[str]


#: Where the setting of a proxy is.
ProxySource = Literal["session", "task", "environment"]


class ProxyChoice(TypedDict):
    """Which setting names the proxy that leads to an origin, or takes it away."""

    source: ProxySource
    #: The member of proxies, or the variable of the daemon's environment.
    setting: str
    #: The entry of except, or of no_proxy, for which the origin is reached without the proxy.
    exception: str | None
    #: False: the variable is no proxy's URL, and a fetch fails.
    usable: bool


class ExplainedRedirects(TypedDict):
    """How redirects would be treated."""

    policy: RedirectPolicy
    limit: int


class _RefusedSource(TypedDict, total=False):
    #: It is not read before this time, unless credential/retry ends the pause. Left out: it is read when it
    #: is needed.
    readAfter: str


class RefusedSource(_RefusedSource):
    """One of the administrator's sources whose credential a server has refused."""

    #: Its name in the administrator's configuration.
    source: str
    protectionSpace: ProtectionSpaceName


class _Explanation(TypedDict, total=False):
    #: The keys that would be sent in fields of their own (storage.md 9.4.9).
    keys: list[ExplainedKey]
    #: The challenges of the origin's last refusal in this session that cannot be answered: the first 16 of
    #: them.
    unusableOffers: list[UnusableOffer]
    #: How many there are, when the list does not have them all.
    unusableOfferCount: int
    #: As unusableOffers, of the proxy.
    proxyUnusableOffers: list[UnusableOffer]
    #: How many there are, when the list does not have them all.
    proxyUnusableOfferCount: int
    #: A credential that does not count for this request, with its reason: a kept one, or a refused one of a
    #: URL or a netrc. Limits are a reason where no other credential would be used.
    passedOver: ExplainedCredential
    #: As passedOver, for the proxy.
    proxyPassedOver: ExplainedCredential
    #: What callers of the session have chosen of the way to this origin, as in a challenge.
    callersWays: list[str]
    #: As callersWays, of the proxy.
    proxyCallersWays: list[str]
    #: Only when a `Host` field names another server than the URL, as in a challenge.
    hostField: str
    #: Sources whose credential the origin or the proxy has refused (storage.md 9.7.9).
    refusedSources: list[RefusedSource]


class Explanation(_Explanation):
    """What a fetch of a URL would do."""

    url: str
    origin: str
    #: What would be sent; null: none, the session's own Authorization field, or a URL with a password.
    credential: ExplainedCredential | None
    #: Whether it would be sent unasked.
    preemptive: bool
    #: The order in force.
    methods: list[str]
    #: What would set Authorization, unless the caller does.
    authorizationHeader: Literal["session", "none"]
    trust: ExplainedTrust
    clientCertificate: ExplainedCertificate
    #: The proxy that leads to the origin, without userinfo; null: none.
    proxy: str | None
    #: Why: the setting that counts; null when no setting concerns the origin.
    proxyChoice: ProxyChoice | None
    #: What the proxy would get: as credential.
    proxyCredential: ExplainedCredential | None
    #: Whether it would be sent unasked.
    proxyPreemptive: bool
    redirects: ExplainedRedirects
    pendingChallenges: list[str]
    #: The session's additional fields; sensitive values read <secret>.
    headers: list[list[str]]


class AddedRestriction(TypedDict):
    """What restricts connections of a session."""

    session: str
    #: Its id, as in status.
    restriction: str


#: What can be done with a vault.
VaultState = Literal["none", "open", "locked", "forgotten", "unavailable"]


class VaultStatus(TypedDict):
    """The vault of the caller's uid."""

    #: Where it is or would be made; null when the daemon has no state directory.
    path: str | None
    state: VaultState
    #: Permanent credentials in memory.
    credentials: int
    #: Permanent decisions about servers' certificates in memory.
    trust: int
    #: Permanent client identities in memory.
    identities: int
    #: Records that did not open when it was read; of an open one.
    unreadable: int
    #: What has opened it; of an open one.
    opensWith: str | None
    #: All that opens it, what has opened it first; of an open one.
    openers: list[str]
    #: Why it is unavailable, or how the keyring that has its key is unlocked, for a person.
    reason: str | None


class RootsStatus(TypedDict):
    """The certificate authorities of the caller's uid."""

    #: Their file, which may not exist; null when the daemon has no state directory.
    path: str | None
    count: int
    #: Why the file is not used, for a person.
    reason: str | None


class _SourceStatus(TypedDict, total=False):
    #: Of oauth: whether it has a token that is valid.
    token: bool
    #: Of oauth with the grant deviceCode: whether a person has a code to enter now.
    awaitsPerson: bool


class SourceStatus(_SourceStatus):
    """A source of credentials that the administrator has configured."""

    #: Its name in the administrator's configuration.
    source: str
    kind: str
    validUntil: str | None
    #: Why it gave nothing the last time (administrator.md 15.3.8).
    lastError: str | None


class SynchronizationStatus(TypedDict):
    """The store of the fleet."""

    #: idle: no uid of this host can be synchronized. waiting: it is tried again after lastError.
    state: str
    #: The endpoint in use, or the one to be tried next.
    endpoint: str
    #: Of the fleet's store, up to which the caller's uid has everything; null before it was read.
    revision: int | None
    #: Changes of the uid that the store does not have yet.
    pending: int
    #: Why the store could not be used the last time (administrator.md 15.4.6).
    lastError: str | None


class _SessionStatus(TypedDict, total=False):
    #: As in SessionSummary.
    unusedSeconds: float
    #: Sources whose credential a server has refused (storage.md 9.7.9).
    refusedSources: list[RefusedSource]


class SessionStatus(_SessionStatus):
    """A session as status shows it."""

    session: str
    uid: int
    named: bool
    holders: list[Holder]
    tasks: int
    credentials: list[StoredCredential]
    trust: int
    identities: int
    connections: int
    pendingChallenges: int
    restrictions: list[Restriction]


class Histogram(TypedDict):
    """How many times took how long, since the daemon started."""

    #: In seconds, ascending.
    bounds: list[float]
    #: How many took at most so long, and longer than the bound before; one more than `bounds`: those that
    #: took longer than all.
    counts: list[int]
    #: Of all, in seconds.
    sum: float


class StatusSnapshot(TypedDict):
    """What the daemon is doing."""

    version: str
    pid: int
    uptimeSeconds: float
    socket: str
    #: The daemon's memory.
    residentBytes: int
    #: What is kept for callers: the sum over all uids of what bytesPerUid and reservedBytesPerUid count.
    #: Memory files are not resident, and count.
    countedBytes: int
    #: Whether the agent of the caller's uid is locked; then sessions and history show nothing of it
    #: (storage.md 9.11).
    locked: bool
    #: Whether agents lock before the machine sleeps (storage.md 9.11.14, storage.md 9.11.16).
    suspendLock: str
    #: The vault of the caller's uid: its state, what opens it, and how much it keeps (administrator.md
    #: 7.2.12).
    vault: VaultStatus
    #: The certificate authorities of the caller's uid (challenges.md 10.14).
    roots: RootsStatus
    #: The administrator's sources of credentials; empty for other uids than the daemon's own and root
    #: (administrator.md 15.3.9).
    sources: list[SourceStatus]
    #: The store of the fleet; null when none is configured.
    synchronization: SynchronizationStatus | None
    #: Those of the caller's uid; root sees all.
    sessions: list[SessionStatus]
    #: Pending ones that the caller is entitled to: those of sessions that it holds.
    challenges: list[Challenge]
    #: How long the oldest pending challenge of `sessions` has waited for a reply; null without one.
    oldestChallengeSeconds: float | None
    #: The last 16 entries of credential/history (storage.md 7.3.2).
    history: list[HistoryEntry]
    counters: dict[str, int]
    #: How long tasks took, with the time in which they waited for replies.
    taskSeconds: Histogram
    #: How long challenges waited for the reply that was accepted.
    replySeconds: Histogram
    limits: dict[str, float]
    #: How much of a limit is in use, by its name.
    usage: dict[str, int]


class Subscribed(TypedDict):
    """That snapshots come from now on."""

    subscribed: Literal[True]


class Unsubscribed(TypedDict):
    """That no more snapshots come."""

    subscribed: Literal[False]


class VaultReport(TypedDict):
    """What a reading of the whole vault has found."""

    #: Those that open, and one beside the decisions.
    records: int
    credentials: int
    #: Decisions about servers' certificates.
    trust: int
    #: Client certificates with their keys.
    identities: int
    #: Records that do not open, or that this version does not understand.
    unreadable: int
    #: SQLite's, about the file, or null.
    complaint: str | None


class ExportReport(TypedDict):
    """What an export has."""

    #: How many the file has.
    credentials: int
    #: How many decisions about servers' certificates the file has.
    trust: int
    #: How many client certificates with their keys the file has.
    identities: int


class ImportReport(TypedDict):
    """What became of what an export has."""

    added: int
    #: Older ones of the vault.
    replaced: int
    #: Those that have expired, and those of whose users the vault has the same or a newer one.
    skipped: int


class AgentLock(TypedDict):
    """Whether the agent of the caller's uid is locked."""

    locked: bool


class ServerSetting(TypedDict):
    """A member of the configuration file."""

    #: As transportSecurity; of the outermost object.
    name: str
    #: In use, as the file has it; else the default, null where there is none.
    value: str | float | bool | list[Any] | dict[str, Any] | None
    #: Whether the file does not have it.
    isDefault: bool


class ServerConfiguration(TypedDict):
    """The settings of the daemon in use (administrator.md 15.1)."""

    #: Of the file; null when the daemon has no place for one.
    path: str | None
    #: Whether the file was there when it was read last.
    isRead: bool
    #: Whether --configuration names it; else it is the uid's own.
    isGiven: bool
    members: list[ServerSetting]


class Reloaded(TypedDict):
    """That the daemon has read its configuration."""

    reloaded: Literal[True]


class Stopping(TypedDict):
    """That the daemon stops."""

    stopping: Literal[True]


class Restarting(TypedDict):
    """That the next daemon can serve, and this one stops."""

    restarting: Literal[True]


#: Of ``session/didReceiveChallenge``. To the session delegate that is asked about serverTrust,
#: clientCertificate, negotiate or ntlm. Answer with challenge/reply.
SessionDidReceiveChallenge = Challenge


#: Of ``task/didReceiveChallenge``. To the connection that is asked, in every other case. Answer with
#: challenge/reply.
TaskDidReceiveChallenge = Challenge


#: How a challenge was settled.
ChallengeOutcome = Literal["answered", "default", "deadline", "withdrawn"]


#: The answer to a challenge.
Disposition = Literal[
    "useCredential",
    "performDefaultHandling",
    "cancelAuthenticationChallenge",
    "rejectProtectionSpace",
]


class ChallengeDidSettle(TypedDict):
    """Of ``challenge/didSettle``. A challenge is over. To the holders that were asked."""

    challenge: str
    session: str
    outcome: ChallengeOutcome
    #: Null unless answered.
    disposition: Disposition | None


class TaskWillRedirectResponse(TypedDict):
    status: int
    headers: list[list[str]]


class TaskWillRedirectRequest(TypedDict):
    url: str
    method: str
    headers: list[list[str]]


class TaskWillRedirect(TypedDict):
    """Of ``task/willRedirect``. With the policy ask. Answer with redirect/reply."""

    task: str
    session: str
    response: TaskWillRedirectResponse
    #: The request that following would make.
    request: TaskWillRedirectRequest


_TaskDidRedirectReserved = TypedDict("_TaskDidRedirectReserved", {"from": "str"})


class _TaskDidRedirect(TypedDict, total=False):
    #: Only with exchangeDetails in the request.
    details: ExchangeDetails


class TaskDidRedirect(_TaskDidRedirectReserved, _TaskDidRedirect):
    """Of ``task/didRedirect``. A redirect was followed. Of task/start; of fetch only with output stream."""

    task: str
    session: str
    status: int
    to: str
    #: As in metrics.
    protocol: str
    #: Of the redirect itself.
    headers: list[list[str]]


class _TaskDidReceiveHead(TypedDict, total=False):
    #: Only with exchangeDetails in the request.
    details: ExchangeDetails


class TaskDidReceiveHead(_TaskDidReceiveHead):
    """Of ``task/didReceiveHead``. The head of a response that is not the result: of a refusal that was answered,
    or of a proxy's refusal or reply to CONNECT. Of task/start; of fetch only with output stream.
    """

    task: str
    session: str
    #: Whose response it is.
    hop: Hop
    #: Which the task wanted, also of a reply to CONNECT.
    url: str
    status: int
    #: As in metrics.
    protocol: str
    headers: list[list[str]]


class _TaskDidReceiveResponse(TypedDict, total=False):
    #: Whether the response is a login page by the session's `forms`, or the refusal of a login, and not what
    #: was asked for (methods.md 16.10).
    loginPage: bool
    #: Only with exchangeDetails in the request.
    details: ExchangeDetails


class TaskDidReceiveResponse(_TaskDidReceiveResponse):
    """Of ``task/didReceiveResponse``. The final response's head. Of task/start; of fetch only with output
    stream.
    """

    task: str
    session: str
    url: str
    status: int
    #: As in metrics.
    protocol: str
    headers: list[list[str]]


class TaskDidReceiveData(TypedDict):
    """Of ``task/didReceiveData``. A piece of the body. With output stream."""

    task: str
    session: str
    offset: int
    base64: str


class TaskDidSendBodyData(TypedDict):
    """Of ``task/didSendBodyData``. Progress of the request body. Of task/start with a body."""

    task: str
    session: str
    bytesSent: int
    totalBytes: int | None


class TaskFailure(TypedDict):
    """How a task has failed."""

    task: str
    session: str
    error: Error


#: Of ``task/didFinish``. The last notification of a task: the members of fetch's result, or error. Of
#: task/start.
TaskDidFinish = Union[FetchResult, TaskFailure]


#: many: more than 64 have changed at once, as after an import.
CredentialChange = Literal["added", "removed", "replaced", "many"]


class CredentialDidChange(TypedDict):
    """Of ``credential/didChange``. A session's credentials, or the uid's permanent identities, changed. To the
    session's holders that are not restricted.
    """

    session: str
    #: Null with many, and for an identity that is for any origin.
    protectionSpace: ProtectionSpaceName | None
    user: str | None
    #: Null but for a permanent identity.
    identity: str | None
    #: many: more than 64 have changed at once, as after an import.
    change: CredentialChange
    #: How many have changed; 1 but with many.
    count: int


#: Why a session is gone.
SessionEnd = Literal["invalidated", "finished", "idle", "shutdown"]


class SessionDidInvalidate(TypedDict):
    """Of ``session/didInvalidate``. The session is gone. To the session's holders."""

    session: str
    reason: SessionEnd


#: Of ``status/didChange``. A new snapshot. To the connections of status/subscribe.
StatusDidChange = StatusSnapshot
