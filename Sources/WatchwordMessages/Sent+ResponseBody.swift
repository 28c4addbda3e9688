package import WatchwordJSON
internal import WatchwordVocabulary

extension Sent {
  /// Where the bytes of a response's body are.
  package struct ResponseBody: SentObject {
    package enum Content: Sendable, Equatable {
      case bytes([UInt8])
      /// In a memory file that comes with the reply.
      case descriptor(size: Int)
      /// Delivered already.
      case size(Int)
      /// Delivered to a file that had the beginning, with what became of it: a word of `Continuation`.
      case partial(size: Int, continuation: String)
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

    /// Bytes that are in a memory file, or were delivered.
    package var size: Int {
      switch content {
      case .bytes(let bytes): bytes.count
      case .descriptor(let size), .size(let size), .partial(let size, _): size
      }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      content = try Self.content(object)
      isTruncated = try object.memberIfPresent("truncated") ?? false
      isVerified = try object.memberIfPresent("verified") ?? false
    }

    private static func content(_ object: ReadObject) throws(ReadFault) -> Content {
      if let text: String = try object.memberIfPresent("text") { return .bytes(Array(text.utf8)) }
      if let base64: String = try object.memberIfPresent("base64") {
        guard let bytes = Base64.decode(base64) else { throw ReadFault("is not base64", at: "base64") }
        return .bytes(bytes)
      }
      let size: Int = try object.member("size")
      if let continuation: String = try object.memberIfPresent("continuation") {
        return .partial(size: size, continuation: continuation)
      }
      let descriptor: Int? = try object.memberIfPresent("descriptor")
      return descriptor == nil ? .size(size) : .descriptor(size: size)
    }

    /// Bytes are written as text if they are valid text that JSON does not make much longer, else in base64.
    package func writeMembers(to writer: inout JSONWriter) {
      switch content {
      case .bytes(let bytes):
        bytes.withUnsafeBytes { raw in
          if TextCheck.isText(raw), !TextCheck.isBloated(raw) {
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
        writer.member("continuation", continuation)
      }
      if isTruncated { writer.member("truncated", true) }
      if isVerified { writer.member("verified", true) }
    }
  }
}

extension Sent {
  /// How a task ended: the parameters of `task/didFinish`.
  package enum TaskEnd: Readable {
    case result(FetchResult)
    case failure(TaskFailure)

    package init(reading node: JSONNode) throws(ReadFault) {
      self =
        node["error"] == nil
        ? .result(try FetchResult(reading: node)) : .failure(try TaskFailure(reading: node))
    }

    package func write(to writer: inout JSONWriter) {
      switch self {
      case .result(let result): result.write(to: &writer)
      case .failure(let failure): failure.write(to: &writer)
      }
    }
  }
}

extension Sent.TaskDidReceiveData {
  /// Writes the parameters for bytes that are lent, and makes no text of them.
  ///
  /// - Parameter offset: bytes of the body before these.
  package static func write(
    task: String, session: String, offset: Int64, bytes: UnsafeRawBufferPointer, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("task", task)
    writer.member("session", session)
    writer.member("offset", offset)
    writer.key("base64")
    writer.base64(bytes)
    writer.endObject()
  }
}
