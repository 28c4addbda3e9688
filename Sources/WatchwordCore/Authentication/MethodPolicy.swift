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
  package var digest = Digest()
  package var negotiate = Negotiate()

  /// What Digest may do (methods.md 8.8).
  package struct Digest: Sendable, Equatable {
    package var preemptive = Preemptive.auto

    package init() {}
  }

  /// What Negotiate may do (methods.md 14).
  package struct Negotiate: Sendable, Equatable {
    /// Origins to which the tickets of the daemon's account are sent without a reply, as the caller spelled
    /// them.
    package var ambientOrigins: [String] = []
    /// Whether the server may act with the user's tickets.
    package var delegates = false
    /// Whether NTLM may be the mechanism inside a negotiation.
    package var allowsNTLM = false

    package init() {}
  }

  package init() {}
}

extension MethodPolicy {
  /// Whether a credential may go with the first request, before a server has asked for it. Which server
  /// answers is not known then, so a token, too, needs consent over cleartext.
  func allowsFirst(over origin: Origin) -> Bool {
    basicOverCleartext || origin.isSecure || origin.isLoopback
  }

  /// Whether `method` is one that a challenge can ask for in this session.
  func mayAnswer(_ method: AuthenticationMethod) -> Bool { method != .key && !disabled.contains(method) }

  /// Whether `method` may use a credential on a hop when it was not given in reply to this challenge.
  ///
  /// A cleartext password over a network that others can read needs consent: the session's, or an explicit
  /// reply.
  package func allowsStored(_ method: AuthenticationMethod, over origin: Origin) -> Bool {
    switch method {
    case .basic, .htmlForm, .key: basicOverCleartext || origin.isSecure || origin.isLoopback
    case .digest, .bearer, .negotiate, .ntlm, .serverTrust, .clientCertificate, .agentUnlock: true
    }
  }
}
