package import WatchwordJSON

/// How messages are separated on a connection; the first received byte decides, for both directions.
package enum Framing: Sendable, Equatable {
  /// One JSON value per line.
  case line
  /// `Content-Length: n`, an empty line, n bytes: the Language Server Protocol's base protocol.
  case contentLength

  /// What stands in front of a text of `count` bytes.
  package func header(_ count: Int) -> String {
    switch self {
    case .line: ""
    case .contentLength: "Content-Length: \(count)\r\n\r\n"
    }
  }

  /// What stands behind a text.
  package var trailer: String {
    switch self {
    case .line: "\n"
    case .contentLength: ""
    }
  }

  /// Puts the frame around `writer`'s text from `start` on.
  ///
  /// - Parameter elsewhere: bytes of the text that are not in `bytes`.
  package func close(_ bytes: inout WipedBytes, from start: Int, elsewhere: Int = 0) {
    bytes.insert(header(bytes.count - start + elsewhere).utf8, at: start)
    bytes.append(contentsOf: trailer.utf8)
  }
}
