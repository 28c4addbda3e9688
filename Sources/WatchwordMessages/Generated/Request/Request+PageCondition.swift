package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `PageCondition` of the contract.
  package struct PageCondition: SentObject {
    package let status: Int?
    /// CSS selectors of types, ids, classes and attributes, one of which an element of the page matches.
    package let selector: String?

    package init(status: Int? = nil, selector: String? = nil) {
      self.status = status
      self.selector = selector
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let status { writer.member("status", status) }
      if let selector { writer.member("selector", selector) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      status = try object.memberIfPresent("status")
      selector = try object.memberIfPresent("selector")
    }
  }
}
