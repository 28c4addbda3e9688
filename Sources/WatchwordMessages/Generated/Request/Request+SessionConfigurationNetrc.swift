package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// Secret.
  package struct SessionConfigurationNetrc: SentObject {
    /// The text of a netrc file. Secret.
    package let text: Secret?
    /// Instead of text: a file that is not UTF-8. Secret.
    package let base64: Secret?

    package init(text: Secret? = nil, base64: Secret? = nil) {
      self.text = text
      self.base64 = base64
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let text { writer.member("text", text) }
      if let base64 { writer.member("base64", base64) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      text = try object.memberIfPresent("text")
      base64 = try object.memberIfPresent("base64")
    }
  }
}
