package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `credential/history`. Lists what happened to the uid's credentials: which delegates
  /// were asked, which answered, and which credential went to which server for which process.
  package struct CredentialHistory: MethodRequest {
    package typealias Result = Sent.History
    package static let method = "credential/history"

    package let limit: Int?
    package let user: String?
    package let origin: String?

    package init(limit: Int? = nil, user: String? = nil, origin: String? = nil) {
      self.limit = limit
      self.user = user
      self.origin = origin
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let limit { writer.member("limit", limit) }
      if let user { writer.member("user", user) }
      if let origin { writer.member("origin", origin) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      limit = try object.memberIfPresent("limit")
      user = try object.memberIfPresent("user")
      origin = try object.memberIfPresent("origin")
    }
  }
}
