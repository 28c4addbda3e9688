package import WatchwordJSON

/// The parameters of `status/subscribe`.
package struct StatusSubscribeParameters: Sendable {
  /// Shortest time between two notifications.
  package let intervalSeconds: Double

  package init(_ object: JSONObject?) throws(RPCError) {
    intervalSeconds = try ParameterReader.decode(object) { reader throws(RPCError) in
      try reader.optionalNumber("intervalSeconds", in: 0.1...3600) ?? 1
    }
  }
}
