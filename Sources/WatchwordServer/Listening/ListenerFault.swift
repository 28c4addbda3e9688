internal import CLinux

/// Why the daemon cannot listen; each text is for a person.
package enum ListenerFault: Error, Sendable {
  /// The directory is a link, belongs to another user, or is open to others: refused, not repaired.
  case looseDirectory(String)
  /// Another daemon uses it.
  case inUse(String)
  case system(String)
  /// The loaded libcurl cannot be used.
  case unusableLibrary(String)

  package var text: String {
    switch self {
    case .looseDirectory(let text), .inUse(let text), .system(let text), .unusableLibrary(let text): text
    }
  }
}
