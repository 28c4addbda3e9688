package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The names of the input elements.
  package struct LoginFormRuleFields: SentObject {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("user", user)
      writer.member("password", password)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      user = try object.member("user")
      password = try object.member("password")
    }
  }
}
