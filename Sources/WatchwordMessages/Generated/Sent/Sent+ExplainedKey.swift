package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A key that a server would get; never the secret.
  package struct ExplainedKey: SentObject {
    /// The header field, in lower case.
    package let field: String
    package let source: String

    package init(field: String, source: String) {
      self.field = field
      self.source = source
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("field", field)
      writer.member("source", source)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      field = try object.member("field")
      source = try object.member("source")
    }
  }
}
