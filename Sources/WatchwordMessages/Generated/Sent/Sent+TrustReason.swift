package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `TrustReason` of the contract.
  package struct TrustReason: SentObject {
    /// More may be added.
    package let reason: String
    /// 0 is the leaf.
    package let depth: Int

    package init(reason: String, depth: Int) {
      self.reason = reason
      self.depth = depth
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("reason", reason)
      writer.member("depth", depth)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      reason = try object.member("reason")
      depth = try object.member("depth")
    }
  }
}
