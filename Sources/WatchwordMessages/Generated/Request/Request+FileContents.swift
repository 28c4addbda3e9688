package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `FileContents` of the contract.
  package struct FileContents: SentObject {
    /// Base64. Secret.
    package let base64: Secret?
    package let descriptor: Int?

    package init(base64: Secret? = nil, descriptor: Int? = nil) {
      self.base64 = base64
      self.descriptor = descriptor
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let base64 { writer.member("base64", base64) }
      if let descriptor { writer.member("descriptor", descriptor) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      base64 = try object.memberIfPresent("base64")
      descriptor = try object.memberIfPresent("descriptor")
    }
  }
}
