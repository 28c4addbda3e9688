package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `cookie/remove`. Removes cookies by domain, by name, by both, or all.
  package struct CookieRemove: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "cookie/remove"

    package let session: String?
    package let domain: String?
    package let name: String?

    package init(session: String? = nil, domain: String? = nil, name: String? = nil) {
      self.session = session
      self.domain = domain
      self.name = name
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let domain { writer.member("domain", domain) }
      if let name { writer.member("name", name) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      domain = try object.memberIfPresent("domain")
      name = try object.memberIfPresent("name")
    }
  }
}
