/// Why a source gave nothing that can be used.
package enum SourceFault: String, Error, Sendable, CaseIterable {
  /// The file is not there, cannot be read, is not a regular file, or belongs to others.
  case unreadable
  /// Other users may read the file.
  case looseMode
  case tooLarge
  case empty
  /// What a program said is not in the format of git's credential helpers, or holds a control character.
  case malformed
  /// A password where a token is needed, or the other way round.
  case unfit
  case notStarted
  /// A program did not end in time; it was killed.
  case timedOut

  package var text: String {
    switch self {
    case .unreadable: "it cannot be read"
    case .looseMode: "other users may read it: its mode must be 0600"
    case .tooLarge: "it is too large"
    case .empty: "it has no credential"
    case .malformed: "what it says is malformed"
    case .unfit: "its credential does not fit the method"
    case .notStarted: "its program cannot be started"
    case .timedOut: "its program did not end in time"
    }
  }
}
