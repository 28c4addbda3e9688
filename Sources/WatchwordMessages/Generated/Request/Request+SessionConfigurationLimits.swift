package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// Bounds on response bodies.
  package struct SessionConfigurationLimits: SentObject {
    /// The largest body that travels inside a reply.
    package let inlineBodyBytes: Int?
    /// The largest body that travels as a memory file (output auto).
    package let memoryBodyBytes: Int?
    /// The largest body after decoding; null: no limit.
    package let decodedBodyBytes: Int?

    package init(inlineBodyBytes: Int? = nil, memoryBodyBytes: Int? = nil, decodedBodyBytes: Int? = nil) {
      self.inlineBodyBytes = inlineBodyBytes
      self.memoryBodyBytes = memoryBodyBytes
      self.decodedBodyBytes = decodedBodyBytes
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let inlineBodyBytes { writer.member("inlineBodyBytes", inlineBodyBytes) }
      if let memoryBodyBytes { writer.member("memoryBodyBytes", memoryBodyBytes) }
      if let decodedBodyBytes { writer.member("decodedBodyBytes", decodedBodyBytes) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      inlineBodyBytes = try object.memberIfPresent("inlineBodyBytes")
      memoryBodyBytes = try object.memberIfPresent("memoryBodyBytes")
      decodedBodyBytes = try object.memberIfPresent("decodedBodyBytes")
    }
  }
}
