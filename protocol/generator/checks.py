"""What requests and the configuration use of hand-written Swift."""

from __future__ import annotations

from dataclasses import dataclass

#: It holds nothing but what is made.
FOLDER = "Sources/WatchwordProtocol/Generated/Requests"
#: The types of requests.
FILE = f"{FOLDER}/Parameters.swift"

CORE, VOCABULARY = "WatchwordCore", "WatchwordVocabulary"


@dataclass(frozen=True)
class Kind:
    """A type of Swift."""

    type: str
    #: The target that declares it, if it is another.
    module: str | None = None
    #: Whether the check reads an object member by member, so that no type is made for it.
    reads_members: bool = False
    #: Of an enumeration that is written by hand: Swift's cases of its words.
    cases: dict[str, str] | None = None


#: The check that leaves the value to the code that knows what it has to be.
LATER = "later"
#: The methods of `Parameter` that `x-check` names, by what they return.
CHECKS = {
    LATER: Kind("Parameter"),
    "absolutePath": Kind("String"),
    "bodyMode": Kind("Fetch.Output"),
    "cookieDomain": Kind("String"),
    "cookieName": Kind("String"),
    "cookiePath": Kind("String"),
    "cookieValue": Kind("String"),
    "credential": Kind("GivenCredential"),
    "credentialLimits": Kind("CredentialLimits", VOCABULARY),
    "delegateInterest": Kind("DelegateInterest", CORE),
    "delegateMethods": Kind("DelegateInterest.Methods", CORE),
    "fieldName": Kind("String"),
    "handshakeLimits": Kind("CredentialLimits", VOCABULARY),
    "headers": Kind("[HeaderField]", VOCABULARY),
    "host": Kind("String"),
    "hostPattern": Kind("HostPattern", CORE),
    "httpVersions": Kind("[SessionConfiguration.HTTPVersion]", CORE),
    "kerberos": Kind("GivenKerberos"),
    "loginForm": Kind("SessionConfiguration.Form", CORE),
    "method": Kind("String"),
    "methodToken": Kind("String"),
    "name": Kind("String"),
    "namedPath": Kind("NamedPath", VOCABULARY),
    # A session's configuration has a member of this name.
    "netrc": Kind("WatchwordCore.Netrc", CORE),
    "netrcOctets": Kind("WatchwordCore.Netrc", CORE),
    "newIdentity": Kind("NewIdentity", CORE),
    "offerMethods": Kind("[AuthenticationMethod]", VOCABULARY),
    "offerOrder": Kind("MethodPolicy.Order", CORE),
    "onlyNone": Kind("String"),
    "output": Kind("Fetch.Delivery"),
    "principal": Kind("String"),
    "protectionSpaces": Kind("[ProtectionSpace]", VOCABULARY),
    "protocolVersion": Kind("String"),
    "proxies": Kind("SessionConfiguration.Proxies", CORE),
    "publicKeys": Kind("[Fingerprint]", VOCABULARY),
    "requestBody": Kind("Fetch.Body"),
    "requestIdentifier": Kind("RequestIdentifier"),
    "resolutions": Kind("[SessionConfiguration.Resolution]", CORE),
    "restrictedFields": Kind("Set<String>"),
    "restrictedMethods": Kind("Set<String>"),
    "selector": Kind("Selector", CORE),
    "sessionConfiguration": Kind("SessionConfiguration", CORE),
    "sessionName": Kind("String"),
    "spaceMethods": Kind("[AuthenticationMethod]", VOCABULARY),
    "timestamp": Kind("Double"),
    "traceContext": Kind("TraceContext", VOCABULARY),
    "tokenURI": Kind("TokenURI", VOCABULARY),
}
#: Those that read the configuration file, beside these.
SETTING_CHECKS = {
    "clientIdentifier": Kind("String"),
    "endpoints": Kind("[RequestURL]", VOCABULARY),
    "filePath": Kind("String"),
    "grant": Kind("OAuthClient.Grant", CORE, cases={}),
    "helperCommand": Kind("[String]"),
    "journalPath": Kind("String"),
    "kerberosCaches": Kind("[String: String]"),
    "kerberosFiles": Kind("KerberosFiles", "WatchwordTransport"),
    "logLevel": Kind("Logger.Level", "Logging", cases={}),
    "modulePaths": Kind("[String]"),
    "namedSource": Kind("NamedSource"),
    "origins": Kind("Set<Origin>", VOCABULARY),
    "resources": Kind("[String]"),
    "restrictedSocket": Kind("WatchwordServer.RestrictedSocket"),
    "scope": Kind("String"),
    "secretPlace": Kind("OAuthClient.SecretPlace", CORE, cases={"header": "header", "body": "body"}),
    "socketPath": Kind("String"),
    "storePrefix": Kind("String"),
    "synchronizationSettings": Kind("SynchronizationSettings"),
    "systemdCredential": Kind("String"),
    "tokenEndpoint": Kind("RequestURL", VOCABULARY),
    "trustPolicy": Kind("TrustPolicy", CORE, reads_members=True),
}
#: The parameters of methods that are made from the generated ones.
TAKEN = {"ChallengeReplyParameters": "ChallengeReply.Parameters"}
