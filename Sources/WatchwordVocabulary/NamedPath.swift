/// Which of a user's credentials of one space a caller means (storage.md 9.9.7).
package enum NamedPath: Sendable, Equatable {
  case any
  /// What is kept for the whole space.
  case whole
  /// What another tool has stored for this path.
  case only(String)

  /// Those in whose place this one is kept.
  package init(of credential: Credential) {
    self = credential.givenPath.map(NamedPath.only) ?? .whole
  }

  package func includes(_ credential: Credential) -> Bool {
    switch self {
    case .any: true
    case .whole: credential.givenPath == nil
    case .only(let path): Bytewise(credential.givenPath) == Bytewise(path)
    }
  }
}
