"""Watchword: HTTP fetches through the authentication sidecar ``watchwordd``.

``Client`` blocks, ``AsyncClient`` is for asyncio; both speak through one sans-IO core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _errors
from ._arguments import Body, FetchArguments, Timeouts
from ._ask import ask
from ._async_client import AsyncClient
from ._async_session import AsyncSession
from ._async_started import AsyncStream, AsyncTask
from ._challenges import (
    Answer,
    Challenge,
    ChallengeHandler,
    DeviceCode,
    Disposition,
    FailureResponse,
    Offer,
    ProposedCredential,
    UnusableOffer,
    Waiter,
    cancel,
    perform_default_handling,
    reject,
    trust_certificate,
    trust_public_key,
    use_credential,
    use_identity,
    use_no_credential,
    use_passphrase,
    use_token,
)
from ._client import Client
from ._connecting import default_socket_path
from ._credential_operations import ANY_PATH, AnyPath, ImportResult, ReadCredential, StoredCredential
from ._credentials import (
    Credential,
    IdentityCredential,
    KerberosCredential,
    Limits,
    Passphrase,
    Persistence,
    SourceCredential,
    Trust,
)
from ._details import ExchangeDetails, RequestHead
from ._errors import *  # noqa: F403
from ._generated import errors as _error_kinds
from ._generated.errors import *  # noqa: F403
from ._identities import Identity, StoredIdentity, TokenCertificate
from ._metrics import Exchange, Metrics
from ._multipart import FormFile
from ._operations import DaemonInfo
from ._pins import PinHandler, pin_handler
from ._reasons import TrustReason
from ._redirects import RedirectAnswer, RedirectHandler, RedirectProposal, follow, stop
from ._response import Headers, HeaderTypes, Redirect, Response, StatusError
from ._restrictions import FetchRule
from ._retry import Retry
from ._session import Session
from ._spaces import ProtectionSpace
from ._started import Stream, Task
from ._tasks import BodyDataSent, DataReceived, HeadReceived, Redirected, ResponseReceived, TaskEvent, TaskFinished
from ._terminal import terminal_turn
from ._trust import Certificate, ServerTrust, TrustDecision, TrustScope
from ._version import __version__
from ._watches import AsyncWatch, Watch

if TYPE_CHECKING:
    from .configuration import SessionConfiguration
    from .results import (
        Cookie,
        ExplainedCertificate,
        Explanation,
        HistoryEntry,
        IdentityDecision,
        ProxyChoice,
        SessionDescription,
        SessionSummary,
        StatusSnapshot,
        TaskDescription,
        TaskSummary,
        VaultReport,
    )

__all__ = [
    "ANY_PATH",
    "Answer",
    "AnyPath",
    "AsyncClient",
    "AsyncSession",
    "AsyncStream",
    "AsyncTask",
    "AsyncWatch",
    "Body",
    "BodyDataSent",
    "Certificate",
    "Challenge",
    "ChallengeHandler",
    "DeviceCode",
    "Client",
    "Cookie",
    "Credential",
    "DaemonInfo",
    "DataReceived",
    "Disposition",
    "Exchange",
    "ExchangeDetails",
    "ExplainedCertificate",
    "Explanation",
    "FailureResponse",
    "FetchArguments",
    "FetchRule",
    "FormFile",
    "HeaderTypes",
    "HeadReceived",
    "Headers",
    "HistoryEntry",
    "Identity",
    "IdentityCredential",
    "KerberosCredential",
    "IdentityDecision",
    "ImportResult",
    "Limits",
    "Metrics",
    "Offer",
    "Passphrase",
    "Persistence",
    "PinHandler",
    "ProposedCredential",
    "ProtectionSpace",
    "ProxyChoice",
    "ReadCredential",
    "Redirect",
    "RedirectAnswer",
    "RedirectHandler",
    "RedirectProposal",
    "Redirected",
    "RequestHead",
    "Response",
    "ResponseReceived",
    "Retry",
    "ServerTrust",
    "Session",
    "SessionConfiguration",
    "SessionDescription",
    "SessionSummary",
    "SourceCredential",
    "StatusError",
    "StatusSnapshot",
    "StoredCredential",
    "StoredIdentity",
    "Stream",
    "Task",
    "TaskDescription",
    "TaskEvent",
    "TaskFinished",
    "TaskSummary",
    "Timeouts",
    "TokenCertificate",
    "Trust",
    "TrustDecision",
    "TrustReason",
    "TrustScope",
    "UnusableOffer",
    "VaultReport",
    "Waiter",
    "Watch",
    "__version__",
    "ask",
    "cancel",
    "default_socket_path",
    "follow",
    "perform_default_handling",
    "pin_handler",
    "reject",
    "stop",
    "trust_certificate",
    "trust_public_key",
    "terminal_turn",
    "use_credential",
    "use_identity",
    "use_no_credential",
    "use_passphrase",
    "use_token",
    *_errors.__all__,
    *_error_kinds.__all__,
]


if not TYPE_CHECKING:  # else every name would be one of the package

    def __getattr__(name: str) -> object:
        """What no program needs at its start: types, and modules that need other packages."""
        if name in __all__:
            from . import configuration, results

            return getattr(configuration if name == "SessionConfiguration" else results, name)
        if name in ("httpx", "requests", "testing"):
            import importlib

            return importlib.import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
