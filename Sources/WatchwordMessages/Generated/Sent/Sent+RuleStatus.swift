package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A rule with what it limits (null: nothing), and what connections have made of it.
  package struct RuleStatus: SentObject {
    package let methods: [String]?
    package let origin: String
    package let path: String
    package let headers: [String]
    package let requestBytes: Int?
    package let responseBytes: Int?
    package let perMinute: Double?
    /// Requests that it has allowed.
    package let uses: Int

    package init(
      methods: [String]?, origin: String, path: String, headers: [String], requestBytes: Int?,
      responseBytes: Int?, perMinute: Double?, uses: Int
    ) {
      self.methods = methods
      self.origin = origin
      self.path = path
      self.headers = headers
      self.requestBytes = requestBytes
      self.responseBytes = responseBytes
      self.perMinute = perMinute
      self.uses = uses
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("methods", methods)
      writer.member("origin", origin)
      writer.member("path", path)
      writer.member("headers", headers)
      writer.member("requestBytes", requestBytes)
      writer.member("responseBytes", responseBytes)
      writer.member("perMinute", perMinute)
      writer.member("uses", uses)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      methods = try object.member("methods")
      origin = try object.member("origin")
      path = try object.member("path")
      headers = try object.member("headers")
      requestBytes = try object.member("requestBytes")
      responseBytes = try object.member("responseBytes")
      perMinute = try object.member("perMinute")
      uses = try object.member("uses")
    }
  }
}
