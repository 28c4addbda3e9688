package import WatchwordJSON

/// How messages are separated on a connection; the first received byte decides, for both directions.
package enum Framing: Sendable, Equatable {
  /// One JSON value per line.
  case line
  /// `Content-Length: n`, an empty line, n bytes: the Language Server Protocol's base protocol.
  case contentLength

  /// Puts the frame around `writer`'s text from `start` on.
  package func close(_ bytes: inout WipedBytes, from start: Int) {
    switch self {
    case .line:
      bytes.append(UInt8(ascii: "\n"))
    case .contentLength:
      bytes.insert("Content-Length: \(bytes.count - start)\r\n\r\n".utf8, at: start)
    }
  }
}
