internal import WatchwordPrimitives
package import WatchwordVocabulary

/// The paths that a rule names: one path, or with `*` at its end all that begin with its text.
package struct PathPattern: Sendable, Equatable, CustomStringConvertible {
  private let text: String
  private let isPrefix: Bool

  /// - Parameter url: whose path is the pattern without the `*`.
  /// - Returns: Nil for a path that a server may read as another one: it would allow more than it says.
  package init?(_ url: RequestURL, isPrefix: Bool) {
    guard !PathReading.mayClimb(url.path) else { return nil }
    text = url.path
    self.isPrefix = isPrefix
  }

  /// Compares octets: a path that means the same in another spelling is not covered.
  package func covers(_ path: String) -> Bool {
    guard isPrefix else { return text.hasBytes(of: path) }
    return text == "/" || PathReading.begins(path, with: text)
  }

  package var byteCount: Int { text.utf8.count }

  package var description: String { isPrefix ? text + "*" : text }
}
