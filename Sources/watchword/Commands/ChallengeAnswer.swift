internal import WatchwordMessages
internal import WatchwordSecret
internal import WatchwordVocabulary

/// A command's reply to a challenge of another process.
enum ChallengeAnswer {
  case disposition(Disposition)
  case credential(Questioner.Answer)
  case kerberos(KerberosFile)
  /// One of the administrator's sources, by name.
  case source(String)
  /// For a server's certificates; with the persistence of a choice on the terminal.
  case trust(TrustScope, Persistence?)
  /// A client certificate of the session, by its id.
  case identity(String)
  /// A client certificate in a file, whose key may need a passphrase.
  case certificate(IdentityGiver)
  /// Neither certificate nor password.
  case none

  var size: Int {
    guard case .credential(let credential) = self else { return 0 }
    return credential.secret.count * 6
  }

  /// What goes with the message.
  var descriptors: [Int32] {
    guard case .kerberos(let file) = self else { return [] }
    return file.descriptors
  }

  var disposition: Disposition {
    guard case .disposition(let disposition) = self else { return .useCredential }
    return disposition
  }

  /// The member `credential`, also of `credential/set`; nil: none.
  ///
  /// - Parameters:
  ///   - first: where it goes with the first request; nil: it waits for a challenge.
  ///   - prefix: of a key.
  func credential(
    _ persistence: Persistence?, _ first: FirstRequest? = nil, prefix: String? = nil
  ) -> Request.Credential? {
    switch self {
    case .disposition, .none: nil
    case .credential(let answer): answer.credential(persistence, first, prefix: prefix)
    case .kerberos(let file): file.credential(persistence)
    case .source(let name):
      Request.Credential(
        persistence: persistence, preemptive: first.map { _ in true }, limits: first?.limits, prefix: prefix,
        source: name)
    case .trust(let scope, let chosen): TrustReply.credential(scope, persistence ?? chosen)
    case .identity(let identifier): IdentityReply.credential(.text(identifier), persistence)
    case .certificate(let giver):
      IdentityReply.credential(.other(giver.file.material(passphrase: giver.passphrase)), persistence)
    }
  }
}
