/// The members of `CookieToSet`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CookieToSetMembers: Sendable {
  package let name: String
  package let value: String
  package let domain: String
  package let path: String
  package let expires: Double?
  package let secure: Bool
  package let httpOnly: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    name = try reader.required("name").cookieName(maximumBytes: 4096)
    value = try reader.required("value").cookieValue(maximumBytes: 4096)
    domain = try reader.required("domain").cookieDomain(maximumBytes: 255)
    path = try reader["path"]?.cookiePath(maximumBytes: 4096) ?? "/"
    expires = try reader["expires"]?.unlessNull?.timestamp()
    secure = try reader["secure"]?.bool() ?? false
    httpOnly = try reader["httpOnly"]?.bool() ?? false
  }
}
