package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `CookieToSet` of the contract.
  package struct CookieToSet: SentObject {
    package let name: String
    package let value: String
    package let domain: String
    package let path: String?
    package let expires: String?
    package let secure: Bool?
    package let httpOnly: Bool?

    package init(
      name: String, value: String, domain: String, path: String? = nil, expires: String? = nil,
      secure: Bool? = nil, httpOnly: Bool? = nil
    ) {
      self.name = name
      self.value = value
      self.domain = domain
      self.path = path
      self.expires = expires
      self.secure = secure
      self.httpOnly = httpOnly
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("value", value)
      writer.member("domain", domain)
      if let path { writer.member("path", path) }
      if let expires { writer.member("expires", expires) }
      if let secure { writer.member("secure", secure) }
      if let httpOnly { writer.member("httpOnly", httpOnly) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.member("name")
      value = try object.member("value")
      domain = try object.member("domain")
      path = try object.memberIfPresent("path")
      expires = try object.memberIfPresent("expires")
      secure = try object.memberIfPresent("secure")
      httpOnly = try object.memberIfPresent("httpOnly")
    }
  }
}
