package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `InitializeCapabilities` of the contract.
  package struct InitializeCapabilities: SentObject {
    /// This connection can receive descriptors.
    package let descriptors: Bool?

    package init(descriptors: Bool? = nil) {
      self.descriptors = descriptors
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let descriptors { writer.member("descriptors", descriptors) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      descriptors = try object.memberIfPresent("descriptors")
    }
  }
}
