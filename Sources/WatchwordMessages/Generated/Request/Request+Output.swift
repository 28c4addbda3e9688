package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `Output` of the contract.
  package struct Output: SentObject {
    package let descriptor: Int?
    /// The ETag of what the file already holds up to its current offset: continue there with Range and
    /// If-Range. See continuation in the result's body.
    package let resumeIfRange: String?
    package let digest: String?
    package let mode: String?

    package init(
      descriptor: Int? = nil, resumeIfRange: String? = nil, digest: String? = nil, mode: String? = nil
    ) {
      self.descriptor = descriptor
      self.resumeIfRange = resumeIfRange
      self.digest = digest
      self.mode = mode
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let descriptor { writer.member("descriptor", descriptor) }
      if let resumeIfRange { writer.member("resumeIfRange", resumeIfRange) }
      if let digest { writer.member("digest", digest) }
      if let mode { writer.member("mode", mode) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      descriptor = try object.memberIfPresent("descriptor")
      resumeIfRange = try object.memberIfPresent("resumeIfRange")
      digest = try object.memberIfPresent("digest")
      mode = try object.memberIfPresent("mode")
    }
  }
}
