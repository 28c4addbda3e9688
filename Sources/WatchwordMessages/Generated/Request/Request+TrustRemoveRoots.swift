package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `trust/removeRoots`. Removes one of the user's certificate authorities, or all.
  package struct TrustRemoveRoots: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "trust/removeRoots"

    package let root: String?

    package init(root: String? = nil) {
      self.root = root
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let root { writer.member("root", root) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      root = try object.memberIfPresent("root")
    }
  }
}
