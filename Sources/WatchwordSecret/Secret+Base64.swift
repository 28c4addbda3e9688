internal import WatchwordPrimitives

/// Octets that travel in a text of JSON (RFC 4648 §4).
extension Secret {
  /// Nil for what is no base64.
  package static func decoded(_ base64: Secret) -> Secret? {
    base64.withBytes { text in
      let characters = text.bindMemory(to: UInt8.self)
      guard let count = Base64.decodedCount(characters) else { return nil }
      var isDecoded = false
      let secret = Secret(count: count) { isDecoded = Base64.decode(characters, into: $0) }
      return isDecoded ? secret : nil
    }
  }

  package var base64: Secret {
    withBytes { bytes in
      Secret(count: Base64.encodedCount(of: bytes.count)) { Base64.encode(bytes, into: $0) }
    }
  }
}
