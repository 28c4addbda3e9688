"""Words of the protocol. Made from ``protocol/openrpc.json`` by ``protocol/generate``."""

from __future__ import annotations

from enum import Enum

__all__ = [
    "Disposition",
    "Persistence",
    "TrustScope",
]


class Disposition(str, Enum):
    """The answer to a challenge."""

    USE_CREDENTIAL = "useCredential"
    PERFORM_DEFAULT_HANDLING = "performDefaultHandling"
    CANCEL = "cancelAuthenticationChallenge"
    REJECT = "rejectProtectionSpace"


class Persistence(str, Enum):
    """How long a credential is kept. permanent is for passwords, tokens, decisions about certificates and client
    identities, in sessions with shared storage; synchronizable is for passwords and tokens there, on a host of a
    fleet. For everything else the answer is storageUnavailable (administrator.md 15.4).
    """

    NONE = "none"
    FOR_SESSION = "forSession"
    PERMANENT = "permanent"
    SYNCHRONIZABLE = "synchronizable"


class TrustScope(str, Enum):
    """What is accepted: the certificates as they were shown, or the server's key under any certificate."""

    CERTIFICATE = "certificate"
    PUBLIC_KEY = "publicKey"
