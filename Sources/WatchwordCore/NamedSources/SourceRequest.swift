package import WatchwordVocabulary

/// What one of the administrator's sources is read for.
package struct SourceRequest: Sendable, Equatable {
  package enum Purpose: Sendable, Equatable {
    /// Tasks wait under the challenge of this id.
    case challenge(String)
    /// The credential of the space will end soon.
    case renewal
  }

  /// The source's name.
  package let name: String
  package let space: ProtectionSpace
  package let purpose: Purpose
  /// The `WWW-Authenticate` fields of the refusal, if there was one.
  package let challenges: [String]
  /// Credentials that the server has refused, and whether one of them is what the source gave for the same
  /// challenge.
  package var want = TokenStateMachine.Want()

  package init(_ name: String, for space: ProtectionSpace, purpose: Purpose, challenges: [String] = []) {
    self.name = name
    self.space = space
    self.purpose = purpose
    self.challenges = challenges
  }
}

/// What a source has given.
package struct SourceAnswer: Sendable, Equatable {
  package let kind: Credential.Kind
  /// Wall-clock seconds since 1970 after which it is not valid any more, if the source says so.
  package let notAfter: Double?
  /// What the source is told when a server has accepted or refused it; nil: nothing.
  package var receipt: Secret?

  package init(_ kind: Credential.Kind, notAfter: Double? = nil) {
    self.kind = kind
    self.notAfter = notAfter
  }

  /// The answer as a credential of a session.
  ///
  /// - Parameters:
  ///   - limits: the caller's.
  ///   - isPreemptive: whether it goes with the first request.
  ///   - prefix: of a key.
  package func credential(
    from name: String, persistence: Persistence, limits: CredentialLimits, isPreemptive: Bool,
    prefix: String = ""
  ) -> Credential {
    var own = limits
    own.notAfter = [limits.notAfter, notAfter].compactMap { $0 }.min()
    var credential = Credential(
      kind, persistence: persistence, limits: own,
      source: CredentialSource(
        name: name, limits: limits, receipt: receipt, isPreemptive: isPreemptive, prefix: prefix))
    credential.isPreemptive = isPreemptive
    credential.prefix = prefix
    return credential
  }
}
