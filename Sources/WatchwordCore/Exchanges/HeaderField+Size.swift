internal import WatchwordPrimitives
package import WatchwordVocabulary

extension HeaderField {
  /// Bytes that it takes.
  package var heldBytes: Int { HeldBytes.text(name.utf8.count + valueByteCount) }
}

extension ResponseHead {
  /// Bytes that it takes.
  package var heldBytes: Int { headers.reduce(0) { $0 + $1.heldBytes } }
}
