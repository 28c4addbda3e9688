package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `RequestBody` of the contract.
  package struct RequestBody: SentObject {
    package let text: String?
    package let base64: String?
    package let descriptor: Int?

    package init(text: String? = nil, base64: String? = nil, descriptor: Int? = nil) {
      self.text = text
      self.base64 = base64
      self.descriptor = descriptor
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let text { writer.member("text", text) }
      if let base64 { writer.member("base64", base64) }
      if let descriptor { writer.member("descriptor", descriptor) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      text = try object.memberIfPresent("text")
      base64 = try object.memberIfPresent("base64")
      descriptor = try object.memberIfPresent("descriptor")
    }
  }
}
