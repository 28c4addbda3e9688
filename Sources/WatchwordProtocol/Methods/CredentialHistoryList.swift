internal import WatchwordCore
package import WatchwordJSON

/// `credential/history`: what became of the account's credentials.
package enum CredentialHistoryList {
  package struct Parameters: Sendable {
    package let limit: Int
    package let user: String?
    /// A URL's scheme, host and perhaps port.
    package let origin: String?

    package init(_ object: JSONObject?) throws(RPCError) {
      (limit, user, origin) = try ParameterReader.decode(object) { reader throws(RPCError) in
        let limit = try reader.optionalInteger("limit", in: 1...Int64(CredentialHistory.capacity))
        return (
          limit.map { Int($0) } ?? defaultLimit, try reader.optionalString("user"),
          try reader.optionalString("origin", maximumBytes: 1024)
        )
      }
    }
  }

  package static let defaultLimit = 100
}
