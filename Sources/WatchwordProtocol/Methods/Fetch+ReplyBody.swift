package import WatchwordCore
package import WatchwordJSON

extension Fetch {
  /// Where the bytes of the result are.
  package struct ReplyBody: SentObject {
    package enum Content: Sendable {
      case bytes([UInt8])
      case descriptor(size: Int64)
      case size(Int64)
      case partial(size: Int64, PartialDownload.Continuation)
    }

    package let content: Content
    /// Whether the body is only the beginning of the server's (challenges.md 4.6).
    package let isTruncated: Bool
    /// Whether it has the digests that the caller or the server expects of it.
    package let isVerified: Bool

    package init(_ content: Content, isTruncated: Bool = false, isVerified: Bool = false) {
      self.content = content
      self.isTruncated = isTruncated
      self.isVerified = isVerified
    }

    /// Bytes are written as text if they are valid text, else in base64.
    package func writeMembers(to writer: inout JSONWriter) {
      switch content {
      case .bytes(let bytes):
        bytes.withUnsafeBytes { raw in
          if TextCheck.isText(raw) {
            writer.key("text")
            writer.stringBytes(raw)
          } else {
            writer.key("base64")
            writer.base64(raw)
          }
        }
      case .descriptor(let size):
        writer.member("descriptor", 0)
        writer.member("size", size)
      case .size(let size):
        writer.member("size", size)
      case .partial(let size, let continuation):
        writer.member("size", size)
        writer.member("continuation", continuation.rawValue)
      }
      if isTruncated { writer.member("truncated", true) }
      if isVerified { writer.member("verified", true) }
    }
  }
}
