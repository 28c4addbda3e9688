internal import CLinux

/// Why the daemon cannot listen; each text is for a person.
package enum ListenerFault: Error, Sendable {
  /// The directory is a link, somebody else's, or open to others: refused, not repaired.
  case looseDirectory(String)
  /// Another daemon has it.
  case inUse(String)
  case system(String)
  /// The libcurl that is loaded cannot be used.
  case unusableLibrary(String)

  package var text: String {
    switch self {
    case .looseDirectory(let text), .inUse(let text), .system(let text), .unusableLibrary(let text): text
    }
  }
}
