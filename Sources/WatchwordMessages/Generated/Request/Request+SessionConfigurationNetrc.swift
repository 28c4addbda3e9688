package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// Secret.
  package struct SessionConfigurationNetrc: SentObject {
    /// The text of a netrc file. Secret.
    package let text: Secret

    package init(text: Secret) {
      self.text = text
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("text", text)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      text = try object.member("text")
    }
  }
}
