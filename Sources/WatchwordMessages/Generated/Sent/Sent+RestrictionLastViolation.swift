package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `RestrictionLastViolation` of the contract.
  package struct RestrictionLastViolation: SentObject {
    package let time: String
    package let reason: String
    package let origin: String?

    package init(time: String, reason: String, origin: String?) {
      self.time = time
      self.reason = reason
      self.origin = origin
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("time", time)
      writer.member("reason", reason)
      writer.member("origin", origin)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      time = try object.member("time")
      reason = try object.member("reason")
      origin = try object.member("origin")
    }
  }
}
