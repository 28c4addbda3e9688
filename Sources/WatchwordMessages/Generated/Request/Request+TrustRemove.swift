package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `trust/remove`. Removes decisions about servers' certificates, by id, by origin, or
  /// all of them.
  package struct TrustRemove: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "trust/remove"

    package let session: String?
    package let trust: String?
    package let origin: String?

    package init(session: String? = nil, trust: String? = nil, origin: String? = nil) {
      self.session = session
      self.trust = trust
      self.origin = origin
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let trust { writer.member("trust", trust) }
      if let origin { writer.member("origin", origin) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      trust = try object.memberIfPresent("trust")
      origin = try object.memberIfPresent("origin")
    }
  }
}
