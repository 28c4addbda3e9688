package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What became of the certificates of a text.
  package struct RootAddition: SentObject {
    /// How many were not there before.
    package let added: Int
    /// Those of the text, in its order.
    package let roots: [Sent.Root]

    package init(added: Int, roots: [Sent.Root]) {
      self.added = added
      self.roots = roots
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("added", added)
      writer.member("roots", roots)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      added = try object.member("added")
      roots = try object.member("roots")
    }
  }
}
