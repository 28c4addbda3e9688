"""Every enumeration is in `protocol/openrpc.json` once, and Swift has the same words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from Integration.contract import document, errors
from Integration.contract import documented as words
from Integration.swift_enumerations import enumerations
from Support.daemon import PROJECT

#: The enumeration of the contract that one of Swift restates.
SAME = {
    "SuspendWatch.State": "SuspendLock",
    "CredentialFault": "CredentialFault",
    "UnusableOffer.Reason": "UnusableReason",
    "ChallengeOutcome": "ChallengeOutcome",
    "DelegateInterest.TrustVerdicts": "TrustVerdicts",
    "ProposedCredential.Source": "ProposedSource",
    "SessionConfiguration.CredentialStorage": "CredentialStorage",
    "SessionConfiguration.Cookies": "CookiePolicy",
    "AllowedVersions.HTTP": "HTTPVersion",
    "AllowedVersions.IP": "IPVersion",
    "AllowedVersions.TLS": "TLSVersion",
    "SessionConfiguration.Revocation": "Revocation",
    "MethodPolicy.Digest.Preemptive": "DigestPreemptive",
    "SourceFault": "SourceFault",
    "ClientCertificateFault": "ClientCertificateFault",
    "ConnectionFault": "ConnectionFault",
    "HandshakeFault": "HandshakeFault",
    "ConnectionLoss.Processed": "Processed",
    "PassedOver.Reason": "PassedOverReason",
    "CallersWay.Choice": "CallersWay",
    "Feature": "Feature",
    "PartialDownload.Continuation": "Continuation",
    "TimeoutPhase": "TimeoutPhase",
    "HistoryEntry.Outcome": "HistoryOutcome",
    "IntegrityAlgorithm": "IntegrityAlgorithm",
    "IntegrityFault.Source": "Expectation",
    "NegotiationFault": "NegotiationFault",
    "InnerMechanism": "Mechanism",
    "ProxyRules.Source": "ProxySource",
    "RedirectPolicy.Mode": "RedirectPolicy",
    "RestrictionFault.Reason": "RestrictionFault",
    "LoginFormFault": "LoginFormFault",
    "ProxyFault": "ProxyFault",
    "SOCKSFault": "SOCKSFault",
    "SynchronizationFault": "SynchronizationFault",
    "SynchronizationStateMachine.State": "SynchronizationState",
    "BodyLimit": "BodyLimit",
    "VaultLifecycle.State": "VaultState",
    "SessionEnd": "SessionEnd",
    "NamedSource.Name": "SourceKind",
    "TaskDriver.State": "TaskState",
    "Vault.Opener.Kind": "VaultOpener",
    "AuthenticationMethod": "AuthenticationMethod",
    "IdentityFault": "IdentityFault",
    "IdentityKeyType": "IdentityKeyType",
    "TrustReason": "TrustFault",
    "Disposition": "Disposition",
    "ErrorKind.Retry": "Retry",
    "Hop": "Hop",
    "Persistence": "Persistence",
    "ProxyType": "ProxyType",
    "TrustScope": "TrustScope",
    "FetchParameters.Cookies": "FetchCookies",
    "UnansweredMeaning": "Unanswered",
}
#: Words of one message, or a part of the words of another.
PART = {
    "CredentialChange": "CredentialChange",
    "VaultRekeyParameters.Opener": "VaultOpener",
    "WebScheme": "ProxyType",
}
#: Some of their words are in a message.
WHOLE = {"VaultExport.Fault": "ImportFault"}
#: Words that no message has: of HTTP, of files, and of people.
ELSEWHERE = {
    "StatusParts.Order",
    "ConfigurationFile.Access",
    "DigestAlgorithm",
    "DigestQualityOfProtection",
    "ErrorKind",
    "Finding.Severity",
    "MethodName",
    "NetrcFault.Kind",
    "OAuthClient.Grant",
    "OAuthClient.SecretPlace",
    "ReadableStore.Method",
    "RedirectFault",
    "SourceReport.Operation",
    "SynchronizationMark.Pending",
    "VaultRecord.Kind",
}
#: Reasons of errors that are no words: what the system reports, and one word only.
FREE = {("outputFailed", "reason"), ("malformedResponse", "reason")}
#: Enumerations of one member of one message.
INLINE = 2


@pytest.fixture(scope="module")
def swift() -> dict[str, list[str]]:
    return enumerations(PROJECT / "Sources")


def test_every_enumeration_of_swift_is_that_of_the_contract(swift: dict[str, list[str]]) -> None:
    assert set(swift) == set(SAME) | set(PART) | set(WHOLE) | ELSEWHERE
    differing = {
        name: sorted(set(swift[name]) ^ set(words(same)))
        for name, same in SAME.items()
        if sorted(swift[name]) != sorted(words(same))
    }
    assert differing == {}
    foreign = {name: set(swift[name]) - set(words(whole)) for name, whole in PART.items()}
    assert not any(foreign.values()), foreign
    unknown = {name: set(words(part)) - set(swift[name]) for name, part in WHOLE.items()}
    assert not any(unknown.values()), unknown


def test_every_reason_of_an_error_names_its_enumerations() -> None:
    members = {
        (row["kind"], name): member.get("enumerations", [])
        for row in errors().values()
        for name, member in row.get("data", {}).items()
    }
    assert {place for place, named in members.items() if place[1] == "reason" and not named} == FREE
    assert all(words(name) for named in members.values() for name in named)


def test_the_methods_of_swift_are_those_of_the_contract(swift: dict[str, list[str]]) -> None:
    methods = {entry["name"] for entry in document()["methods"]}
    assert set(swift["MethodName"]) == methods | {"$/cancelRequest"}


def listed(value: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every enumeration of the document with its place."""
    if isinstance(value, dict):
        if isinstance(value.get("enum"), list):
            yield place, tuple(sorted(value["enum"]))
        for name, inner in value.items():
            yield from listed(inner, (*place, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from listed(inner, (*place, str(index)))


def test_no_enumeration_is_in_the_contract_twice() -> None:
    places: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for place, enumeration in listed(document()):
        if len(enumeration) >= INLINE and place[-1] != "DelegateMethod":
            places.setdefault(enumeration, []).append(place)
    # Two that mean something else may have the same words.
    assert {words: found for words, found in places.items() if len(found) > 1 and not named(found)} == {}


def named(places: list[tuple[str, ...]]) -> bool:
    return all(len(place) == len(("components", "schemas", "Name")) for place in places)


def test_cases_in_all_spellings_are_read(tmp_path: Path) -> None:
    (tmp_path / "A.swift").write_text(
        "package struct A {\n"
        "  package enum B: String, Sendable {\n"
        "    case a, b\n"
        "    /// Doc.\n"
        '    case c = "see", `default`\n'
        "    case long,\n"
        "      longer\n"
        "    var text: String {\n"
        "      switch self {\n"
        '      case .a: "x"\n'
        "      default: true\n"
        "      }\n"
        "    }\n"
        "  }\n"
        "}\n"
        "enum C: Int { case d }\n"
        "enum D: String {\n"
        "  case e\n"
        "}\n"
    )
    assert enumerations(tmp_path) == {"A.B": ["a", "b", "see", "default", "long", "longer"], "D": ["e"]}
