"""One class for each kind of error reply. Made from ``protocol/errors.json`` by ``protocol/generate``.

::

    RequestError
        ParseError InvalidRequest MethodNotFound InvalidParams InternalError
    SessionError
        SessionNotFound SessionInvalidated SessionConfigurationDiffers LimitExceeded NotPermitted
        MessageTooLarge ShuttingDown DescriptorUnusable ConfigurationInvalid RestartFailed Restricted
        SessionHasTasks
    TaskError
        TaskNotFound TaskCancelled RequestCancelled TaskIdentifierInUse BodyNotReplayable TooManyRedirects
        RedirectRefused RedirectNotPending OutputFailed BodyTooLarge DigestMismatch TooManyExchanges
        TaskInterrupted
    ChallengeError
        ChallengeNotPending DispositionNotAllowed CredentialUnusable UserCancelledAuthentication
        ServerTrustRejected ServerNotAuthenticated AuthenticationFailed ProxyAuthenticationFailed
        CredentialSourceFailed
    TransportError
        TransportFailed NameNotResolved ConnectionFailed ConnectionLost TimedOut MalformedResponse TLSFailed
        AddressRefused HeadersTooLarge ContentDecodingFailed PolicyRefused ProxyFailed
    StorageError
        StorageUnavailable CredentialNotFound VaultDamaged AgentLocked
"""

from __future__ import annotations

from .._errors import (
    ChallengeError,
    RequestError,
    SessionError,
    StorageError,
    TaskError,
    TransportError,
    error_kind,
    strings,
    text,
)
from .._reasons import TrustReason

__all__ = [
    "AddressRefused",
    "AgentLocked",
    "AuthenticationFailed",
    "BodyNotReplayable",
    "BodyTooLarge",
    "ChallengeNotPending",
    "ConfigurationInvalid",
    "ConnectionFailed",
    "ConnectionLost",
    "ContentDecodingFailed",
    "CredentialNotFound",
    "CredentialSourceFailed",
    "CredentialUnusable",
    "DescriptorUnusable",
    "DigestMismatch",
    "DispositionNotAllowed",
    "HeadersTooLarge",
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "LimitExceeded",
    "MalformedResponse",
    "MessageTooLarge",
    "MethodNotFound",
    "NameNotResolved",
    "NotPermitted",
    "OutputFailed",
    "ParseError",
    "PolicyRefused",
    "ProxyAuthenticationFailed",
    "ProxyFailed",
    "RedirectNotPending",
    "RedirectRefused",
    "RequestCancelled",
    "RestartFailed",
    "Restricted",
    "ServerNotAuthenticated",
    "ServerTrustRejected",
    "SessionConfigurationDiffers",
    "SessionHasTasks",
    "SessionInvalidated",
    "SessionNotFound",
    "ShuttingDown",
    "StorageUnavailable",
    "TLSFailed",
    "TaskCancelled",
    "TaskIdentifierInUse",
    "TaskInterrupted",
    "TaskNotFound",
    "TimedOut",
    "TooManyExchanges",
    "TooManyRedirects",
    "TransportFailed",
    "UserCancelledAuthentication",
    "VaultDamaged",
]


@error_kind(-32700, "parseError", "never")
class ParseError(RequestError):
    """The bytes are not one JSON text within the limits: bad JSON or UTF-8, a duplicate key, a lone surrogate,
    \\u0000, too deep. The reply has id null. The connection continues with the next message; when the framing
    itself is broken, it is closed.
    """


@error_kind(-32600, "invalidRequest", "never")
class InvalidRequest(RequestError):
    """JSON, but not a JSON-RPC 2.0 request: wrong or missing jsonrpc, method not a string, a fractional or
    structured id, params that are neither object nor array, an empty batch.
    """


@error_kind(-32601, "methodNotFound", "never")
class MethodNotFound(RequestError):
    """No method has this name in this version."""


@error_kind(-32602, "invalidParams", "never")
class InvalidParams(RequestError):
    """A parameter is missing, unknown, of the wrong type or outside its limits; data.path names it."""

    @property
    def path(self) -> str | None:
        """The place of the parameter, such as params.headers[2]."""
        return text(self.data.get("path"))


@error_kind(-32603, "internalError", "later")
class InternalError(RequestError):
    """The daemon failed at something that is not the caller's fault; its log says more."""


@error_kind(1000, "sessionNotFound", "never")
class SessionNotFound(SessionError):
    """No session of this uid has this id, or it is private to another connection."""


@error_kind(1001, "sessionInvalidated", "never")
class SessionInvalidated(SessionError):
    """The session was finished or invalidated while this request needed it."""


@error_kind(1002, "sessionConfigurationDiffers", "never")
class SessionConfigurationDiffers(SessionError):
    """The session exists with another configuration; data.members lists the paths that differ."""

    @property
    def members(self) -> list[str]:
        """The paths of the members that differ."""
        return strings(self.data.get("members"))


@error_kind(1003, "limitExceeded", "later")
class LimitExceeded(SessionError):
    """A limit of the daemon is reached; data.limit names it as in status."""

    @property
    def limit(self) -> str | None:
        """The name of the limit, as in status."""
        return text(self.data.get("limit"))


@error_kind(1004, "notPermitted", "never")
class NotPermitted(SessionError):
    """This peer may not do this: an administrator's method from a uid that is neither the daemon's nor root."""


@error_kind(1005, "messageTooLarge", "never")
class MessageTooLarge(SessionError):
    """A message is longer than the limit messageBytes; the connection is closed after this error."""


@error_kind(1006, "shuttingDown", "later")
class ShuttingDown(SessionError):
    """The daemon is stopping and takes no new work."""


@error_kind(1007, "descriptorUnusable", "never")
class DescriptorUnusable(SessionError):
    """A descriptor did not arrive, is closed, has the wrong access mode, or is of a kind that is refused
    (directory, device, O_PATH); or the file of a credential cannot be read, is empty or is too large; or a
    file is no export of a vault that can be read.
    """

    @property
    def path(self) -> str | None:
        """The parameter that names the descriptor, such as params.body.descriptor."""
        return text(self.data.get("path"))

    @property
    def reason(self) -> str | None:
        """For vault/import: why the file is none that it can read. One of: notAnExport, newerVersion, truncated,
        altered, tooLarge, tooCostly, unusable.
        """
        return text(self.data.get("reason"))


@error_kind(1008, "configurationInvalid", "never")
class ConfigurationInvalid(SessionError):
    """The daemon's configuration file cannot be read or is wrong; the message says what is wrong in it,
    data.path which member. Nothing changed: the configuration that was read before holds.
    """

    @property
    def path(self) -> str | None:
        """The member of the file, such as `transportSecurity.domains[0].domain`; missing when the file is not
        JSON.
        """
        return text(self.data.get("path"))


@error_kind(1013, "restartFailed", "later")
class RestartFailed(SessionError):
    """The next daemon could not be started, or cannot serve; the message says why. Nothing changed: this daemon
    goes on.
    """


@error_kind(1010, "restricted", "never")
class Restricted(SessionError):
    """This connection is restricted, and its rules do not allow this; data.reason says what they do not allow."""

    @property
    def reason(self) -> str | None:
        """What the rules do not allow. For member, data.path names the parameter of fetch. One of: call, member,
        session, origin, path, method, field, requestBytes, rate, responseBytes, expired.
        """
        return text(self.data.get("reason"))

    @property
    def origin(self) -> str | None:
        """The origin of the refused request; missing when there is none yet, and when a redirect leads to no
        http or https URL.
        """
        return text(self.data.get("origin"))

    @property
    def path(self) -> str | None:
        """For member: the parameter."""
        return text(self.data.get("path"))

    @property
    def retrySeconds(self) -> list[str]:
        """For rate: when the next request is allowed."""
        return strings(self.data.get("retrySeconds"))


@error_kind(1012, "sessionHasTasks", "later")
class SessionHasTasks(SessionError):
    """session/configure would let another server be reached or trusted while tasks of the session run. Nothing
    changed.
    """


@error_kind(1100, "taskNotFound", "never")
class TaskNotFound(TaskError):
    """No task of this uid has this id, or its kept result has expired."""


@error_kind(1101, "taskCancelled", "never")
class TaskCancelled(TaskError):
    """The task was cancelled with task/cancel, or its session was invalidated."""


@error_kind(1102, "requestCancelled", "never")
class RequestCancelled(TaskError):
    """The caller cancelled this request with $/cancelRequest."""


@error_kind(1103, "taskIdentifierInUse", "never")
class TaskIdentifierInUse(TaskError):
    """The task id the caller chose belongs to another task."""

    @property
    def path(self) -> str | None:
        """The parameter: params.task."""
        return text(self.data.get("path"))


@error_kind(1104, "bodyNotReplayable", "same")
class BodyNotReplayable(TaskError):
    """The request body has to be sent again (after a 401 or a 307) but came from a pipe whose bytes are gone."""


@error_kind(1105, "tooManyRedirects", "never")
class TooManyRedirects(TaskError):
    """The task met more redirects than the session's redirects.limit."""


@error_kind(1106, "redirectRefused", "never")
class RedirectRefused(TaskError):
    """A redirect goes where the session does not allow: https to http, or to a URL that is not http or https."""


@error_kind(1107, "redirectNotPending", "never")
class RedirectNotPending(TaskError):
    """No redirect of this task waits for a reply: late, unknown, or already answered."""


@error_kind(1108, "outputFailed", "never")
class OutputFailed(TaskError):
    """Writing the body, or an export, to the caller's descriptor failed; data.reason says how."""

    @property
    def reason(self) -> str | None:
        """What the system reports."""
        return text(self.data.get("reason"))


@error_kind(1109, "bodyTooLarge", "never")
class BodyTooLarge(TaskError):
    """The response body exceeds the limit of the chosen output, of the session or of the fetch."""

    @property
    def limit(self) -> str | None:
        """Which bound. One of: inlineBodyBytes, memoryBodyBytes, decodedBodyBytes, maximumBodyBytes."""
        return text(self.data.get("limit"))


@error_kind(1110, "digestMismatch", "never")
class DigestMismatch(TaskError):
    """The whole response body arrived, and it does not have the digest that the caller gave or that the origin
    sent in Repr-Digest or Content-Digest (RFC 9530). What was written to a descriptor stays there.
    """

    @property
    def algorithm(self) -> str | None:
        """The algorithm of the digest. One of: sha-256, sha-512."""
        return text(self.data.get("algorithm"))

    @property
    def expectedBy(self) -> str | None:
        """Where the digest comes from. One of: caller, origin."""
        return text(self.data.get("expectedBy"))


@error_kind(1111, "tooManyExchanges", "never")
class TooManyExchanges(TaskError):
    """The task made 64 exchanges without a redirect, an answer or the refusal of another credential. The
    daemon's log has a warning; please report it.
    """


@error_kind(1112, "taskInterrupted", "later")
class TaskInterrupted(TaskError):
    """The daemon stopped before the task ended. The server may have processed the request."""


@error_kind(1200, "challengeNotPending", "never")
class ChallengeNotPending(ChallengeError):
    """No challenge with this id waits for this connection's reply: late, unknown, already settled, or of another
    connection.
    """


@error_kind(1201, "dispositionNotAllowed", "never")
class DispositionNotAllowed(ChallengeError):
    """The administrator's policy forbids this disposition here. Nothing changed; the challenge is still pending."""

    @property
    def rule(self) -> str | None:
        """The administrator's rule."""
        return text(self.data.get("rule"))


@error_kind(1202, "credentialUnusable", "newCredential")
class CredentialUnusable(ChallengeError):
    """The credential cannot be used for this method: wrong type, a control character, a colon in a Basic user
    name, an identity whose key needs a passphrase, does not match, or whose certificate has expired or is for
    something else; data.reason says which. Nothing changed; the challenge is still pending.
    """

    @property
    def reason(self) -> str | None:
        """Why it cannot be used. One of: wrongKind, controlCharacter, colonInUser, notUTF8, malformedToken,
        tooLong, unknownIdentity, unknownName, otherOrigin, sourceFailed, callersWay, notPreemptive,
        confirmationNeeded, otherAccount, certificatesUnreadable, keyUnreadable, pkcs12Unreadable,
        passphraseNeeded, wrongPassphrase, keyMismatch, expired, notYetValid, wrongPurpose, unsupported,
        tooWeak, tooLarge, outOfMemory, tokenUnavailable, tokenAmbiguous, tokenLocked, certificateMissing.
        """
        return text(self.data.get("reason"))

    @property
    def sourceReason(self) -> str | None:
        """Of sourceFailed, when the source gave nothing: why. One of: unreadable, looseMode, tooLarge, empty,
        malformed, unfit, notStarted, timedOut, unreachable, untrusted, unavailable, redirected,
        clientRefused, grantRefused, requestRefused, tokensRefused, accessDenied, codeExpired, promptNeeded,
        unwritable, overloaded, withdrawn, expired, stopped.
        """
        return text(self.data.get("sourceReason"))


@error_kind(1203, "userCancelledAuthentication", "newCredential")
class UserCancelledAuthentication(ChallengeError):
    """The task ended because its challenge was cancelled, by a reply or by the deadline."""


@error_kind(1204, "serverTrustRejected", "never")
class ServerTrustRejected(ChallengeError):
    """The origin's certificate chain was refused; data.reasons lists reasons with depths."""

    @property
    def reasons(self) -> list[TrustReason]:
        """What default evaluation found; empty when an answer refused a good certificate."""
        return TrustReason.all_of(self.data.get("reasons"))


@error_kind(1205, "serverNotAuthenticated", "never")
class ServerNotAuthenticated(ChallengeError):
    """The server did not prove itself: its Digest rspauth is wrong, or the last token of Negotiate is missing or
    wrong.
    """


@error_kind(1206, "authenticationFailed", "newCredential")
class AuthenticationFailed(ChallengeError):
    """The credential for Negotiate or NTLM could not be used, and no delegate could be asked for another one; or
    a login form cannot be posted. data.reason says why.
    """

    @property
    def reason(self) -> str | None:
        """Why: of Negotiate and NTLM, or of a login form. One of: ticketMissing, ticketExpired,
        credentialRefused, credentialMalformed, serverUnknown, kdcUnreachable, clockSkew, timedOut,
        tokenRefused, mechanismRefused, unavailable, failed, tooLarge, notPosted, unsupportedEncoding,
        otherOrigin.
        """
        return text(self.data.get("reason"))


@error_kind(1207, "proxyAuthenticationFailed", "newCredential")
class ProxyAuthenticationFailed(ChallengeError):
    """The proxy still asks for a credential: there is none, or it was refused. data.status and data.headers are
    the proxy's, without a body; a SOCKS proxy has neither.
    """

    @property
    def status(self) -> list[str]:
        """407; missing for SOCKS."""
        return strings(self.data.get("status"))

    @property
    def headers(self) -> list[str]:
        """Header fields of the proxy's response; missing for SOCKS."""
        return strings(self.data.get("headers"))


@error_kind(1208, "credentialSourceFailed", "later")
class CredentialSourceFailed(ChallengeError):
    """The administrator's source of the credential gave none, and no delegate could be asked for one;
    data.source is its name, data.reason says why.
    """

    @property
    def source(self) -> str | None:
        """The name of the source in the administrator's configuration."""
        return text(self.data.get("source"))

    @property
    def reason(self) -> str | None:
        """Why it gave nothing (administrator.md 15.3.8). One of: unreadable, looseMode, tooLarge, empty,
        malformed, unfit, notStarted, timedOut, unreachable, untrusted, unavailable, redirected,
        clientRefused, grantRefused, requestRefused, tokensRefused, accessDenied, codeExpired, promptNeeded,
        unwritable, overloaded, withdrawn, expired, stopped.
        """
        return text(self.data.get("reason"))


@error_kind(1300, "transportFailed", "later")
class TransportFailed(TransportError):
    """An exchange failed in a way that no other kind names."""


@error_kind(1301, "nameNotResolved", "later")
class NameNotResolved(TransportError):
    """The host name has no address."""


@error_kind(1302, "connectionFailed", "later")
class ConnectionFailed(TransportError):
    """No connection could be made: refused or unreachable."""

    @property
    def reason(self) -> str | None:
        """What the system reports; missing for anything else. One of: connectionRefused, hostUnreachable,
        networkUnreachable.
        """
        return text(self.data.get("reason"))


@error_kind(1303, "connectionLost", "same")
class ConnectionLost(TransportError):
    """The connection ended in the middle of an exchange; data.processed is no, or unknown: the server may have
    processed the request.
    """

    @property
    def processed(self) -> str | None:
        """Whether the server may have processed the request. One of: no, unknown."""
        return text(self.data.get("processed"))

    @property
    def responseBegan(self) -> bool:
        """Whether some of the response had arrived."""
        return self.data.get("responseBegan") is True


@error_kind(1304, "timedOut", "later")
class TimedOut(TransportError, TimeoutError):
    """A timeout passed; data.phase is connect, request or resource."""

    @property
    def phase(self) -> str | None:
        """What has taken too long. One of: connect, request, resource."""
        return text(self.data.get("phase"))


@error_kind(1305, "malformedResponse", "never")
class MalformedResponse(TransportError):
    """The origin's response is not HTTP, contradicts itself, or is not the part of a file that was asked for;
    data.reason is flood, range or missing.
    """

    @property
    def reason(self) -> str | None:
        """flood: the origin sends without end what is no part of a response. range: with output.resumeIfRange,
        the body is not the part that was asked for.
        """
        return text(self.data.get("reason"))


@error_kind(1306, "tlsFailed", "never")
class TLSFailed(TransportError):
    """The TLS handshake failed for a reason other than trust; data.reason, when there is one, says which."""

    @property
    def reason(self) -> str | None:
        """What the server said of the client certificate, that the token with its key did not sign, or what was
        wrong with the handshake; missing for any other reason. One of: certificateRequired,
        certificateRequiredLater, certificateRefused, tokenFailed, plainHTTP, notTLS, handshakeFailure,
        protocolVersion, unrecognizedName.
        """
        return text(self.data.get("reason"))

    @property
    def rules(self) -> list[str]:
        """The administrator's rules that ask for more than the session does."""
        return strings(self.data.get("rules"))


@error_kind(1307, "addressRefused", "never")
class AddressRefused(TransportError):
    """The session's address policy forbids this origin or the address it resolves to."""


@error_kind(1308, "headersTooLarge", "never")
class HeadersTooLarge(TransportError):
    """The response's header section exceeds its limit in bytes or in fields."""


@error_kind(1309, "contentDecodingFailed", "never")
class ContentDecodingFailed(TransportError):
    """The response's content coding is unknown, nested too deep, broken or cut short."""


@error_kind(1310, "policyRefused", "never")
class PolicyRefused(TransportError):
    """The administrator's policy forbids this fetch; data.rule names the rule."""

    @property
    def rule(self) -> str | None:
        """The administrator's rule."""
        return text(self.data.get("rule"))


@error_kind(1311, "proxyFailed", "later")
class ProxyFailed(TransportError):
    """The proxy, or the connection that leads through it, failed; data.reason says how."""

    @property
    def reason(self) -> str | None:
        """What failed, or what a SOCKS proxy answered. One of: nameNotResolved, connectionFailed,
        connectionLost, malformedResponse, headersTooLarge, flood, refused, malformedURL, other,
        malformedReply, noAcceptableMethod, generalFailure, connectionNotAllowed, networkUnreachable,
        hostUnreachable, connectionRefused, timeToLiveExpired, commandNotSupported, addressTypeNotSupported.
        """
        return text(self.data.get("reason"))

    @property
    def status(self) -> list[str]:
        """The proxy's answer to CONNECT, for refused."""
        return strings(self.data.get("status"))

    @property
    def headers(self) -> list[str]:
        """Header fields of that answer."""
        return strings(self.data.get("headers"))

    @property
    def processed(self) -> str | None:
        """For connectionLost: whether the server may have processed the request. One of: no, unknown."""
        return text(self.data.get("processed"))


@error_kind(1400, "storageUnavailable", "later")
class StorageUnavailable(StorageError):
    """The storage that this persistence needs is not there. Nothing changed; a challenge is still pending."""


@error_kind(1401, "credentialNotFound", "never")
class CredentialNotFound(StorageError):
    """No stored credential matches."""


@error_kind(1402, "vaultDamaged", "later")
class VaultDamaged(StorageError):
    """The file of the uid's vault is empty, truncated, altered or no vault, or its key does not fit. It is left
    as it is, and nothing permanent is kept. Where less than a page is missing at its end, one record is lost
    and the others are used.
    """


@error_kind(1403, "agentLocked", "later")
class AgentLocked(StorageError):
    """The agent or the vault of the uid is locked; agent/unlock opens it with its passphrase."""
