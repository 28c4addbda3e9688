package import WatchwordVocabulary

/// Which authentication methods a session may use, and in which order (configuration `methods`).
package struct MethodPolicy: Sendable, Equatable {
  package enum Order: Sendable, Equatable {
    case list([AuthenticationMethod])
    /// In the server's order.
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
  /// Whether `method` may use a credential on a hop when it was not given in reply to this challenge.
  ///
  /// A cleartext password over a network that others can read needs consent: the session's, or an explicit reply.
  package func allowsStored(_ method: AuthenticationMethod, over origin: Origin) -> Bool {
    method != .basic || basicOverCleartext || origin.isSecure || origin.isLoopback
  }
}
