/// Which authentication methods a session lets be used, and in which order (configuration `methods`).
package struct MethodPolicy: Sendable, Equatable {
  package enum Order: Sendable, Equatable {
    case list([AuthenticationMethod])
    /// As the server listed them.
    case server
  }

  /// By strength (challenges.md 6.4).
  package static let defaultOrder: [AuthenticationMethod] = [.negotiate, .bearer, .digest, .ntlm, .basic]

  package var order: Order = .list(defaultOrder)
  package var disabled: Set<AuthenticationMethod> = [.ntlm]
  /// Whether stored and URL credentials may be used for Basic over cleartext beyond loopback.
  package var basicOverCleartext = false
  /// Whether a weaker offer than one seen before from the same origin is refused (challenges.md 6.6).
  package var strongestOnly = false

  package init() {}
}

extension MethodPolicy {
  /// Whether a credential that nobody gave in answer to this very challenge may be used by `method` on a hop.
  ///
  /// A password in clear over a network that others can read takes the session's consent; an explicit reply is one.
  package func allowsStored(_ method: AuthenticationMethod, over origin: Origin) -> Bool {
    method != .basic || basicOverCleartext || origin.isSecure || origin.isLoopback
  }
}
