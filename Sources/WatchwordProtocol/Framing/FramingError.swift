/// A violation of a connection's framing: later bytes cannot be separated, so the connection is closed.
package enum FramingError: Error, Sendable, Equatable {
  /// The first byte belongs to another protocol: an HTTP client or a browser must not be able to speak this one.
  case notJSONRPC(firstByte: UInt8)
  case messageTooLarge(limit: Int)
  case headerTooLarge(limit: Int)
  case missingContentLength
  case duplicateContentLength
  case malformedContentLength
  case malformedHeader

  /// The fault, for a person.
  package var text: String {
    switch self {
    case .notJSONRPC(let byte): "not a JSON-RPC connection: it begins with byte \(byte)"
    case .messageTooLarge(let limit): "message larger than \(limit) bytes"
    case .headerTooLarge(let limit): "message header larger than \(limit) bytes"
    case .missingContentLength: "message header without Content-Length"
    case .duplicateContentLength: "message header with more than one Content-Length"
    case .malformedContentLength: "Content-Length is not a number of bytes"
    case .malformedHeader: "message header line without a colon"
    }
  }
}
