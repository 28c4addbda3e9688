package import WatchwordJSON

/// `$/cancelRequest`: ends another request of the same connection.
package enum CancelRequest {
  package struct Parameters: Sendable {
    package let identifier: RequestIdentifier

    package init(_ object: JSONObject?) throws(RPCError) {
      identifier = try ParameterReader.decode(object) { reader throws(RPCError) in
        guard let raw = reader.member("id"), let identifier = RequestIdentifier(raw) else {
          throw reader.fault("id", "must be a string, an integer or null")
        }
        return identifier
      }
    }
  }
}
