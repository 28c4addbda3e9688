internal import CDocument

/// The OpenRPC document for `rpc.discover`: `protocol/openrpc.json` in one line, as line framing requires.
package enum OpenRPCDocument {
  package static let text: [UInt8] = {
    var count = 0
    let start = document_openrpc(&count)
    return compacted(UnsafeRawBufferPointer(start: start, count: count))
  }()

  /// The text without the white space between its tokens.
  private static func compacted(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var isInString = false
    var isEscaped = false
    return text.filter { byte in
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        return true
      }
      isInString = byte == UInt8(ascii: "\"")
      return byte > 0x20
    }
  }
}
