package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A cookie of a session.
  package struct Cookie: SentObject {
    package let name: String
    package let value: String
    package let domain: String
    package let path: String
    package let expires: String?
    package let secure: Bool
    package let httpOnly: Bool

    package init(
      name: String, value: String, domain: String, path: String, expires: String?, secure: Bool,
      httpOnly: Bool
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
      writer.member("path", path)
      writer.member("expires", expires)
      writer.member("secure", secure)
      writer.member("httpOnly", httpOnly)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.member("name")
      value = try object.member("value")
      domain = try object.member("domain")
      path = try object.member("path")
      expires = try object.member("expires")
      secure = try object.member("secure")
      httpOnly = try object.member("httpOnly")
    }
  }
}
