package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The certificate authorities of the user.
  package struct RootList: SentObject {
    /// In the order in which they were added.
    package let roots: [Sent.Root]

    package init(roots: [Sent.Root]) {
      self.roots = roots
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("roots", roots)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      roots = try object.member("roots")
    }
  }
}
