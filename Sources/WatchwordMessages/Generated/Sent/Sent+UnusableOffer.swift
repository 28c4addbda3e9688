package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A challenge of a response that cannot be answered.
  package struct UnusableOffer: SentObject {
    /// As the server spelled it, the first 64 bytes; empty when no name could be read; htmlForm for a login
    /// page.
    package let scheme: String
    package let reason: String

    package init(scheme: String, reason: String) {
      self.scheme = scheme
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("scheme", scheme)
      writer.member("reason", reason)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      scheme = try object.member("scheme")
      reason = try object.member("reason")
    }
  }
}
