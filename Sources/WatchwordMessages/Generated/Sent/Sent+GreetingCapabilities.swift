package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `GreetingCapabilities` of the contract.
  package struct GreetingCapabilities: SentObject {
    package let descriptors: Bool
    package let framings: [String]

    package init(descriptors: Bool, framings: [String]) {
      self.descriptors = descriptors
      self.framings = framings
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("descriptors", descriptors)
      writer.member("framings", framings)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      descriptors = try object.member("descriptors")
      framings = try object.member("framings")
    }
  }
}
