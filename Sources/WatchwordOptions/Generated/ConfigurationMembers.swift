/// The members of the configuration file.
///
/// Made from `protocol/configuration.json` by `protocol/generate`.
package enum ConfigurationMembers {
  /// The path of each member, and what it is for: the rows of a help.
  package static let rows: [(name: String, text: String)] = [
    (
      "logLevel",
      """
      the least severe lines that are logged; --log-level takes precedence at the start (trace, debug, info, \
      notice, warning, error, critical; default notice)
      """
    ),
    (
      "access",
      """
      user: only the daemon's own uid and root may connect; host: every uid, each with its own sessions \
      (user, host; default user)
      """
    ),
    (
      "agent",
      """
      when agents lock by themselves
      """
    ),
    (
      "agent.idleLockSeconds",
      """
      an agent that is not used for so long locks itself, or forgets (number, 0.1 to 315,360,000)
      """
    ),
    (
      "agent.lockOnSuspend",
      """
      agents lock, or forget, before the machine sleeps (true or false; default false)
      """
    ),
    (
      "historyFile",
      """
      where the histories of all uids are added, one JSON object with uid a line, without repetitions; mode \
      0600; beyond 16 MiB renamed to .1
      """
    ),
    (
      "historyJournal",
      """
      the socket, /run/systemd/journal/socket or that of a journal namespace, to which the histories of all \
      uids are sent as records of systemd's journal, without repetitions
      """
    ),
    (
      "restrictedSockets",
      """
      sockets whose connections are restricted
      """
    ),
    (
      "restrictedSockets[].path",
      """
      of the socket, each once
      """
    ),
    (
      "restrictedSockets[].session",
      """
      of its connections (default default)
      """
    ),
    (
      "restrictedSockets[].rules",
      """
      what its connections may fetch
      """
    ),
    (
      "restrictedSockets[].rules[].methods",
      """
      these methods; never TRACE or TRACK, whose response repeats the credential
      """
    ),
    (
      "restrictedSockets[].rules[].origin",
      """
      requests to this origin: a scheme, a host and perhaps a port
      """
    ),
    (
      "restrictedSockets[].rules[].path",
      """
      this path, or with * at its end every path that begins with its text; any query (default /*)
      """
    ),
    (
      "restrictedSockets[].rules[].headers",
      """
      header fields that requests may set beside those that carry no right, such as Accept
      """
    ),
    (
      "restrictedSockets[].rules[].requestBytes",
      """
      A request body of so many bytes (integer, 0 and more)
      """
    ),
    (
      "restrictedSockets[].rules[].responseBytes",
      """
      A result whose body has so many bytes, after decoding (integer, 0 and more)
      """
    ),
    (
      "restrictedSockets[].rules[].perMinute",
      """
      so many requests a minute, and as many at once (at least one); all connections of the restriction \
      together (number, 0.001 to 10,000,000)
      """
    ),
    (
      "pkcs11Modules",
      """
      PKCS#11 modules whose keys callers may use
      """
    ),
    (
      "kerberos",
      """
      what a credential may name, in sessions of every uid that may connect
      """
    ),
    (
      "kerberos.caches",
      """
      credential caches by name, which is not default
      """
    ),
    (
      "kerberos.keytabs",
      """
      keytabs by name
      """
    ),
    (
      "kerberos.keytabs.*.path",
      """
      of the keytab
      """
    ),
    (
      "kerberos.keytabs.*.principal",
      """
      that logs in
      """
    ),
    (
      "credentialSources",
      """
      sources that a credential may name, in sessions of every uid that may connect
      """
    ),
    (
      "credentialSources.*.kind",
      """
      of the source: file, systemd, oauth or gitHelper
      """
    ),
    (
      "credentialSources.*.path",
      """
      an absolute path
      """
    ),
    (
      "credentialSources.*.user",
      """
      of the password; left out: a token
      """
    ),
    (
      "credentialSources.*.origins",
      """
      the only origins that it serves, each scheme://host or scheme://host:port; left out or empty: every \
      origin
      """
    ),
    (
      "credentialSources.*.name",
      """
      the name of a credential of the daemon's unit, LoadCredential= in systemd.exec(5)
      """
    ),
    (
      "credentialSources.*.tokenEndpoint",
      """
      https, or http on a loopback address, without userinfo and fragment
      """
    ),
    (
      "credentialSources.*.grant",
      """
      clientCredentials (RFC 6749 §4.4), refreshToken (RFC 6749 §6) or deviceCode (RFC 8628): a person lets \
      the source have a token (clientCredentials, refreshToken, deviceCode)
      """
    ),
    (
      "credentialSources.*.deviceEndpoint",
      """
      as tokenEndpoint; for deviceCode, which requires it
      """
    ),
    (
      "credentialSources.*.clientIdentifier",
      """
      under which the server knows the client (RFC 6749 §2.2)
      """
    ),
    (
      "credentialSources.*.clientSecretFile",
      """
      as the path of a file
      """
    ),
    (
      "credentialSources.*.clientSecretIn",
      """
      header: by Basic (RFC 6749 §2.3.1), with both texts encoded as in a form (header, body; default \
      header)
      """
    ),
    (
      "credentialSources.*.refreshTokenFile",
      """
      for refreshToken, which requires it, and for deviceCode, which makes the file
      """
    ),
    (
      "credentialSources.*.scope",
      """
      words of ASCII with one space between them
      """
    ),
    (
      "credentialSources.*.audience",
      """
      whom the token is for, where the server wants to be told by this name
      """
    ),
    (
      "credentialSources.*.resource",
      """
      which servers the token is for, as absolute URIs without a fragment (RFC 8707)
      """
    ),
    (
      "credentialSources.*.roots",
      """
      PEM certificates that the endpoint's may end in, beside the system's; read once
      """
    ),
    (
      "credentialSources.*.command",
      """
      an absolute path and arguments
      """
    ),
    (
      "credentialSources.*.report",
      """
      tell it by store and erase what servers accept and refuse, as git does (true or false; default false)
      """
    ),
    (
      "vault",
      """
      how vaults open without a person
      """
    ),
    (
      "vault.systemdCredential",
      """
      what opens vaults
      """
    ),
    (
      "vault.secretService",
      """
      whether the Secret Service of a desktop session may open the vault (true or false; default true)
      """
    ),
    (
      "synchronization",
      """
      the store through which the hosts of a fleet share credentials
      """
    ),
    (
      "synchronization.endpoints",
      """
      URLs without a path: https, or http on a loopback address
      """
    ),
    (
      "synchronization.prefix",
      """
      what the names of the fleet's records begin with: visible characters of ASCII
      """
    ),
    (
      "synchronization.keyFile",
      """
      the same contents on every host of the fleet: at least 32 random octets, at most 65,536
      """
    ),
    (
      "synchronization.user",
      """
      A user of etcd; with passwordFile
      """
    ),
    (
      "synchronization.passwordFile",
      """
      as keyFile, with the user's password in one line; with user
      """
    ),
    (
      "synchronization.roots",
      """
      PEM certificates that the endpoints' may end in, beside the system's
      """
    ),
    (
      "synchronization.certificate",
      """
      the client certificate with its chain in PEM; with privateKey
      """
    ),
    (
      "synchronization.privateKey",
      """
      its key in PEM, in a file as keyFile; with certificate
      """
    ),
    (
      "transportSecurity",
      """
      what callers can be stricter than, and never looser
      """
    ),
    (
      "transportSecurity.defaults",
      """
      for every host
      """
    ),
    (
      "transportSecurity.defaults.allowsCleartext",
      """
      false: http is policyRefused, after redirects too (true or false; default true)
      """
    ),
    (
      "transportSecurity.defaults.allowsLooseningTrust",
      """
      false: a refused chain cannot be accepted, and roots of a caller do not count (true or false; default \
      true)
      """
    ),
    (
      "transportSecurity.defaults.minimumTLSVersion",
      """
      left out: the session's (1.2, 1.3)
      """
    ),
    (
      "transportSecurity.defaults.requiresForwardSecrecy",
      """
      only key exchanges with forward secrecy (true or false; default false)
      """
    ),
    (
      "transportSecurity.defaults.requiresRevocationCheck",
      """
      as tls.revocation required; a chain that fails it cannot be accepted (true or false; default false)
      """
    ),
    (
      "transportSecurity.defaults.pinnedPublicKeys",
      """
      A chain without one has the reason policy and cannot be accepted
      """
    ),
    (
      "transportSecurity.domains",
      """
      for some
      """
    ),
    (
      "transportSecurity.domains[].domain",
      """
      A host name or an address
      """
    ),
    (
      "transportSecurity.domains[].includesSubdomains",
      """
       (true or false; default false)
      """
    ),
    (
      "transportSecurity.domains[].allowsCleartext",
      """
      false: http is policyRefused, after redirects too (true or false; default true)
      """
    ),
    (
      "transportSecurity.domains[].allowsLooseningTrust",
      """
      false: a refused chain cannot be accepted, and roots of a caller do not count (true or false; default \
      true)
      """
    ),
    (
      "transportSecurity.domains[].minimumTLSVersion",
      """
      left out: the session's (1.2, 1.3)
      """
    ),
    (
      "transportSecurity.domains[].requiresForwardSecrecy",
      """
      only key exchanges with forward secrecy (true or false; default false)
      """
    ),
    (
      "transportSecurity.domains[].requiresRevocationCheck",
      """
      as tls.revocation required; a chain that fails it cannot be accepted (true or false; default false)
      """
    ),
    (
      "transportSecurity.domains[].pinnedPublicKeys",
      """
      A chain without one has the reason policy and cannot be accepted
      """
    ),
  ]

  /// A member of the file itself.
  package struct Outermost: Sendable {
    package let name: String
    /// As JSON; nil: there is none.
    package let defaultText: String?
    /// Whether a reload does not change it.
    package let needsStart: Bool
  }

  package static let outermost: [Outermost] = [
    Outermost(name: "logLevel", defaultText: "\"notice\"", needsStart: false),
    Outermost(name: "access", defaultText: "\"user\"", needsStart: true),
    Outermost(name: "agent", defaultText: nil, needsStart: false),
    Outermost(name: "historyFile", defaultText: nil, needsStart: true),
    Outermost(name: "historyJournal", defaultText: nil, needsStart: true),
    Outermost(name: "restrictedSockets", defaultText: "[]", needsStart: true),
    Outermost(name: "pkcs11Modules", defaultText: "[]", needsStart: false),
    Outermost(name: "kerberos", defaultText: "{}", needsStart: false),
    Outermost(name: "credentialSources", defaultText: "{}", needsStart: false),
    Outermost(name: "vault", defaultText: "{}", needsStart: true),
    Outermost(name: "synchronization", defaultText: nil, needsStart: true),
    Outermost(name: "transportSecurity", defaultText: "{}", needsStart: false),
  ]

  /// An object of the file.
  package struct Object: Sendable {
    /// Whether each member is right or wrong whatever the others are.
    package let isOfIndependentMembers: Bool
    /// None for an object whose members' names are chosen.
    package let names: [String]
  }

  /// The objects by their path; `[]` is an element of a list, `*` a member whose name is chosen.
  package static let objects: [String: Object] = [
    "": Object(
      isOfIndependentMembers: true,
      names: [
        "access", "agent", "credentialSources", "historyFile", "historyJournal", "kerberos", "logLevel",
        "pkcs11Modules", "restrictedSockets", "synchronization", "transportSecurity", "vault",
      ]),
    "agent": Object(
      isOfIndependentMembers: true,
      names: ["idleLockSeconds", "lockOnSuspend"]),
    "credentialSources": Object(
      isOfIndependentMembers: true,
      names: []),
    "credentialSources.*": Object(
      isOfIndependentMembers: false,
      names: [
        "audience", "clientIdentifier", "clientSecretFile", "clientSecretIn", "command", "deviceEndpoint",
        "grant", "kind", "name", "origins", "path", "refreshTokenFile", "report", "resource", "roots",
        "scope", "tokenEndpoint", "user",
      ]),
    "kerberos": Object(
      isOfIndependentMembers: true,
      names: ["caches", "keytabs"]),
    "kerberos.caches": Object(
      isOfIndependentMembers: true,
      names: []),
    "kerberos.keytabs": Object(
      isOfIndependentMembers: true,
      names: []),
    "kerberos.keytabs.*": Object(
      isOfIndependentMembers: false,
      names: ["path", "principal"]),
    "restrictedSockets[]": Object(
      isOfIndependentMembers: false,
      names: ["path", "rules", "session"]),
    "restrictedSockets[].rules[]": Object(
      isOfIndependentMembers: false,
      names: ["headers", "methods", "origin", "path", "perMinute", "requestBytes", "responseBytes"]),
    "synchronization": Object(
      isOfIndependentMembers: false,
      names: ["certificate", "endpoints", "keyFile", "passwordFile", "prefix", "privateKey", "roots", "user"]),
    "transportSecurity": Object(
      isOfIndependentMembers: true,
      names: ["defaults", "domains"]),
    "transportSecurity.defaults": Object(
      isOfIndependentMembers: true,
      names: [
        "allowsCleartext", "allowsLooseningTrust", "minimumTLSVersion", "pinnedPublicKeys",
        "requiresForwardSecrecy", "requiresRevocationCheck",
      ]),
    "transportSecurity.domains[]": Object(
      isOfIndependentMembers: false,
      names: [
        "allowsCleartext", "allowsLooseningTrust", "domain", "includesSubdomains", "minimumTLSVersion",
        "pinnedPublicKeys", "requiresForwardSecrecy", "requiresRevocationCheck",
      ]),
    "vault": Object(
      isOfIndependentMembers: true,
      names: ["secretService", "systemdCredential"]),
  ]
}
