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
      "credentialSources",
      """
      sources that a credential may name, in sessions of every uid that may connect
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
      "transportSecurity.domains",
      """
      for some
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

  /// The objects by their path; `[]` is an element of a list, `*` a member whose name is chosen.
  package static let objects: [String: ConfigurationObject] = [
    "": ConfigurationObject(
      isOfIndependentMembers: true,
      names: [
        "access", "agent", "credentialSources", "historyFile", "historyJournal", "kerberos", "logLevel",
        "pkcs11Modules", "restrictedSockets", "synchronization", "transportSecurity", "vault",
      ]),
    "agent": ConfigurationObject(
      isOfIndependentMembers: true,
      names: ["idleLockSeconds", "lockOnSuspend"]),
    "credentialSources": ConfigurationObject(
      isOfIndependentMembers: true,
      names: []),
    "credentialSources.*": ConfigurationObject(
      isOfIndependentMembers: false,
      names: [
        "audience", "clientIdentifier", "clientSecretFile", "clientSecretIn", "command", "deviceEndpoint",
        "grant", "kind", "name", "origins", "path", "refreshTokenFile", "report", "resource", "roots",
        "scope", "tokenEndpoint", "user",
      ]),
    "kerberos": ConfigurationObject(
      isOfIndependentMembers: true,
      names: ["caches", "keytabs"]),
    "kerberos.caches": ConfigurationObject(
      isOfIndependentMembers: true,
      names: []),
    "kerberos.keytabs": ConfigurationObject(
      isOfIndependentMembers: true,
      names: []),
    "kerberos.keytabs.*": ConfigurationObject(
      isOfIndependentMembers: false,
      names: ["path", "principal"]),
    "restrictedSockets[]": ConfigurationObject(
      isOfIndependentMembers: false,
      names: ["path", "rules", "session"]),
    "restrictedSockets[].rules[]": ConfigurationObject(
      isOfIndependentMembers: false,
      names: ["headers", "methods", "origin", "path", "perMinute", "requestBytes", "responseBytes"]),
    "synchronization": ConfigurationObject(
      isOfIndependentMembers: false,
      names: ["certificate", "endpoints", "keyFile", "passwordFile", "prefix", "privateKey", "roots", "user"]),
    "transportSecurity": ConfigurationObject(
      isOfIndependentMembers: true,
      names: ["defaults", "domains"]),
    "transportSecurity.defaults": ConfigurationObject(
      isOfIndependentMembers: true,
      names: [
        "allowsCleartext", "allowsLooseningTrust", "minimumTLSVersion", "pinnedPublicKeys",
        "requiresForwardSecrecy", "requiresRevocationCheck",
      ]),
    "transportSecurity.domains[]": ConfigurationObject(
      isOfIndependentMembers: false,
      names: [
        "allowsCleartext", "allowsLooseningTrust", "domain", "includesSubdomains", "minimumTLSVersion",
        "pinnedPublicKeys", "requiresForwardSecrecy", "requiresRevocationCheck",
      ]),
    "vault": ConfigurationObject(
      isOfIndependentMembers: true,
      names: ["secretService", "systemdCredential"]),
  ]
}
