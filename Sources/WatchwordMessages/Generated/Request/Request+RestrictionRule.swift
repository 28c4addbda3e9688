package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// What is left out is not limited.
  package struct RestrictionRule: SentObject {
    /// These methods; never TRACE or TRACK, whose response repeats the credential.
    package let methods: [String]?
    /// Requests to this origin: a scheme, a host and perhaps a port.
    package let origin: String
    /// This path, or with * at its end every path that begins with its text; any query.
    package let path: String?
    /// Header fields that requests may set beside those of restricted.md 2.6.7.
    package let headers: [String]?
    /// A request body of so many bytes.
    package let requestBytes: Int?
    /// A result whose body has so many bytes, after decoding.
    package let responseBytes: Int?
    /// So many requests a minute, and as many at once (at least one); all connections of the restriction
    /// together.
    package let perMinute: Double?

    package init(
      methods: [String]? = nil, origin: String, path: String? = nil, headers: [String]? = nil,
      requestBytes: Int? = nil, responseBytes: Int? = nil, perMinute: Double? = nil
    ) {
      self.methods = methods
      self.origin = origin
      self.path = path
      self.headers = headers
      self.requestBytes = requestBytes
      self.responseBytes = responseBytes
      self.perMinute = perMinute
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let methods { writer.member("methods", methods) }
      writer.member("origin", origin)
      if let path { writer.member("path", path) }
      if let headers { writer.member("headers", headers) }
      if let requestBytes { writer.member("requestBytes", requestBytes) }
      if let responseBytes { writer.member("responseBytes", responseBytes) }
      if let perMinute { writer.member("perMinute", perMinute) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      methods = try object.memberIfPresent("methods")
      origin = try object.member("origin")
      path = try object.memberIfPresent("path")
      headers = try object.memberIfPresent("headers")
      requestBytes = try object.memberIfPresent("requestBytes")
      responseBytes = try object.memberIfPresent("responseBytes")
      perMinute = try object.memberIfPresent("perMinute")
    }
  }
}
