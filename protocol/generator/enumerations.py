"""The enumerations of the contract, in Swift and for those who call Python."""

from __future__ import annotations

import re
import textwrap
from typing import Any, NamedTuple

from . import schema
from .faults import ContractFault
from .schema import Schema
from .text import SOURCE, WIDTH, capitalized, swift_name, wrapped

#: The enumeration of Swift that is made of each, by its target; a name with a dot is within another type.
TARGETS = {
    "WatchwordVocabulary": {
        "AuthenticationMethod": "AuthenticationMethod",
        "Disposition": "Disposition",
        "Retry": "ErrorKind.Retry",
        "Hop": "Hop",
        "IdentityFault": "IdentityFault",
        "IdentityKeyType": "IdentityKeyType",
        "Persistence": "Persistence",
        "ProxyType": "ProxyType",
        "TrustFault": "TrustReason",
        "TrustScope": "TrustScope",
        "Unanswered": "UnansweredMeaning",
    },
    "WatchwordCore": {
        "HTTPVersion": "AllowedVersions.HTTP",
        "IPVersion": "AllowedVersions.IP",
        "TLSVersion": "AllowedVersions.TLS",
        "BodyLimit": "BodyLimit",
        "CallersWay": "CallersWay.Choice",
        "ChallengeOutcome": "ChallengeOutcome",
        "ClientCertificateFault": "ClientCertificateFault",
        "ConnectionFault": "ConnectionFault",
        "Processed": "ConnectionLoss.Processed",
        "CredentialFault": "CredentialFault",
        "TrustVerdicts": "DelegateInterest.TrustVerdicts",
        "HandshakeFault": "HandshakeFault",
        "HistoryOutcome": "HistoryEntry.Outcome",
        "Mechanism": "InnerMechanism",
        "IntegrityAlgorithm": "IntegrityAlgorithm",
        "Expectation": "IntegrityFault.Source",
        "LoginFormFault": "LoginFormFault",
        "DigestPreemptive": "MethodPolicy.Digest.Preemptive",
        "NegotiationFault": "NegotiationFault",
        "Continuation": "PartialDownload.Continuation",
        "PassedOverReason": "PassedOver.Reason",
        "ProposedSource": "ProposedCredential.Source",
        "ProxySource": "ProxyRules.Source",
        "RedirectPolicy": "RedirectPolicy.Mode",
        "RestrictionFault": "RestrictionFault.Reason",
        "SOCKSFault": "SOCKSFault",
        "CookiePolicy": "SessionConfiguration.Cookies",
        "CredentialStorage": "SessionConfiguration.CredentialStorage",
        "Revocation": "SessionConfiguration.Revocation",
        "SourceFault": "SourceFault",
        "SuspendLock": "SuspendWatch.State",
        "SynchronizationFault": "SynchronizationFault",
        "SynchronizationState": "SynchronizationStateMachine.State",
        "TimeoutPhase": "TimeoutPhase",
        "UnusableReason": "UnusableOffer.Reason",
        "VaultState": "VaultLifecycle.State",
    },
    "WatchwordProtocol": {"Feature": "Feature", "SessionEnd": "SessionEnd"},
    "WatchwordServer": {
        "SourceKind": "NamedSource.Name",
        "ProxyFault": "ProxyFault",
        "TaskState": "TaskDriver.State",
    },
    "WatchwordVault": {"VaultOpener": "Vault.Opener.Kind"},
}
#: With which the names of Swift's cases begin where the words are numbers.
PREFIXES = {"HTTPVersion": "http", "IPVersion": "ipv", "TLSVersion": "tls"}
#: Enumerations with the words of another, whose type they have.
SAME = {"Protocol": "ProxyType"}
#: Those of the package's interface. Other words are plain strings there: a newer daemon may say more.
PYTHON = ("Disposition", "Persistence", "TrustScope")
#: What a person would not write as the wire says it.
PYTHON_NAMES = {"cancelAuthenticationChallenge": "CANCEL", "rejectProtectionSpace": "REJECT"}


class EnumerationFault(ContractFault):
    """No enumeration can be made:"""


class SwiftType(NamedTuple):
    """What is made of an enumeration."""

    name: str
    #: The target that declares it.
    module: str


def swift(document: dict[str, Any]) -> dict[str, str]:
    """The files of each target by their paths."""
    schemas = document["components"]["schemas"]
    for name, other in SAME.items():
        if _words(name, schemas) != _words(other, schemas):
            raise EnumerationFault(f"{name} has not the words of {other}")
    return {
        f"Sources/{target}/Generated/{kind}/{kind}.swift": _file(made, schemas)
        for target, types in TARGETS.items()
        for kind, made in _kinds(types).items()
        if made
    }


def _kinds(types: dict[str, str]) -> dict[str, dict[str, str]]:
    """By the folder: those within another type use that, and all folders use the others."""
    nested = {name: path for name, path in types.items() if "." in path}
    return {
        "Enumerations": {name: path for name, path in types.items() if name not in nested},
        "NestedEnumerations": nested,
    }


def swift_type(name: str) -> SwiftType | None:
    """The type of a schema, if Swift has one."""
    name = SAME.get(name, name)
    return next((SwiftType(types[name], target) for target, types in TARGETS.items() if name in types), None)


def swift_cases(name: str, words: list[str]) -> dict[str, str]:
    """The names of the cases by the words: `sha-256` is `sha256`."""
    cases = {}
    for word in words:
        first, *rest = re.split(r"[^A-Za-z0-9]+", PREFIXES.get(name, "") + word)
        cases[word] = first + "".join(map(capitalized, rest))
        if not re.match("[a-z]", cases[word]):
            raise EnumerationFault(f"{name}: {word} is no name of a case")
    if len(set(cases.values())) < len(words):
        raise EnumerationFault(f"{name}: two words are one name of a case")
    return cases


def _words(name: str, schemas: dict[str, Schema]) -> list[str]:
    words = schema.values(schemas.get(name, {}))
    if words is None:
        raise EnumerationFault(f"{name} is no enumeration of the contract")
    return words


def _file(types: dict[str, str], schemas: dict[str, Schema]) -> str:
    lines = [f"// Made from `{SOURCE}` by `protocol/generate`."]
    for name, path in types.items():
        outer, _, own = path.rpartition(".")
        indent = "  " if outer else ""
        declared = [indent + line for line in _enumeration(own, name, schemas, len(indent))]
        lines += ["", *([f"extension {outer} {{", *declared, "}"] if outer else declared)]
    return "\n".join(lines) + "\n"


def _enumeration(own: str, name: str, schemas: dict[str, Schema], indent: int) -> list[str]:
    words = _words(name, schemas)
    value = schemas[name]
    lines = [
        *wrapped(value.get("description", ""), "/// ", indent),
        f"package enum {own}: String, CaseIterable, Sendable {{",
    ]
    meanings = value.get("x-words", {})
    for word, case in swift_cases(name, words).items():
        if word in meanings:
            lines += wrapped(f"{capitalized(meanings[word])}.", "  /// ", indent)
        lines.append(f"  case {swift_name(case)}" + ("" if case == word else f' = "{word}"'))
    return [*lines, "}"]


def python(document: dict[str, Any]) -> str:
    """A class for each."""
    schemas = document["components"]["schemas"]
    return (
        f'"""Words of the protocol. Made from ``{SOURCE}`` by ``protocol/generate``."""\n\n'
        "from __future__ import annotations\n\n"
        "from enum import Enum\n\n"
        "__all__ = [\n"
        + "".join(f'    "{name}",\n' for name in PYTHON)
        + "]\n"
        + "".join(_python_class(name, schemas[name]) for name in PYTHON)
    )


def _python_class(name: str, schema: dict[str, Any]) -> str:
    lines = textwrap.wrap(schema["description"], WIDTH)
    if len(lines) > 1:
        lines.append("")
    return (
        f"\n\nclass {name}(str, Enum):\n"
        + textwrap.indent('"""' + "\n".join(lines) + '"""\n', "    ")
        + "\n"
        + "".join(f'    {_python_name(word)} = "{word}"\n' for word in schema["enum"])
    )


def _python_name(word: str) -> str:
    return PYTHON_NAMES.get(word) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).upper()
