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
  /// Credentials that the server has refused, and whether one of them is what the source gave for the same challenge.
  package var want = TokenStateMachine.Want()

  package init(_ name: String, for space: ProtectionSpace, purpose: Purpose, challenges: [String] = []) {
    self.name = name
    self.space = space
    self.purpose = purpose
    self.challenges = challenges
  }
}
