internal import WatchwordPrimitives
package import WatchwordSecret

/// The users and passwords of a netrc file, by host (messages.md 14.7).
package struct Netrc: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// Lowercased; compared exactly with the host of an origin.
    package let machine: String
    package let user: String
    package let password: Secret
  }

  /// As the caller gave it.
  package let text: Secret
  /// Those that have a user and a password, in their order. What follows `default` is for no host that it names, and
  /// is left out.
  package let entries: [Entry]
  /// Lines with words that mean nothing and were passed over: the first of them.
  package let unknownLines: [Int]

  static let maximumUnknownLines = 16

  package init(text: Secret) throws(NetrcFault) {
    self.text = text
    var reader = NetrcReader()
    entries = try text.withBytes { (bytes) throws(NetrcFault) in try reader.read(bytes) }
    unknownLines = reader.unknownLines
  }

  /// Its entries are copies of what is in the text; each has two texts and a secret.
  package var heldBytes: Int { 2 * text.count + entries.count * 3 * HeldBytes.text(0) }

  package static func == (left: Netrc, right: Netrc) -> Bool { left.text == right.text }
}
