internal import WatchwordCore
package import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordVocabulary

/// The id of a request: a string, an integer or null (JSON-RPC 2.0 §4).
///
/// Strings are compared byte by byte: the peer matches replies by its own equality, so ours must be the
/// strictest.
package enum RequestIdentifier: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case null

  /// Nil for a value that may not be an id, fractional numbers included.
  package init?(_ value: JSONNode) {
    if let text = value.text {
      self = .string(text)
    } else if let number = value.integer {
      self = .integer(number)
    } else if value.isNull {
      self = .null
    } else {
      return nil
    }
  }

  /// Its size: a caller can make it as long as a message.
  package var byteCount: Int {
    if case .string(let text) = self { text.utf8.count } else { 0 }
  }

  package static func == (left: RequestIdentifier, right: RequestIdentifier) -> Bool {
    switch (left, right) {
    case (.string(let text), .string(let other)): Bytewise(text) == Bytewise(other)
    case (.integer(let number), .integer(let other)): number == other
    case (.null, .null): true
    case (.string, _), (.integer, _), (.null, _): false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text): hasher.combine(Bytewise(text))
    case .integer(let number): hasher.combine(number)
    case .null: hasher.combine(0)
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .string(let text): writer.string(text)
    case .integer(let number): writer.integer(number)
    case .null: writer.null()
    }
  }
}
