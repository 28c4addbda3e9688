package import WatchwordJSON

/// `peer/listen`: restricted connections on a listening socket of the caller's.
package enum PeerListen {
  package struct Parameters: Sendable {
    /// The index of the socket that was sent with the message.
    package let descriptor: Int
    package let restriction: PeerRestrict.Parameters

    package init(_ object: JSONObject?) throws(RPCError) {
      (descriptor, restriction) = try ParameterReader.decode(object) { reader throws(RPCError) in
        let indices = 0...Int64(Message.maximumDescriptors - 1)
        guard let index = try reader.optionalInteger("descriptor", in: indices) else {
          throw reader.fault("descriptor", "is missing")
        }
        return (Int(index), try PeerRestrict.Parameters(&reader))
      }
    }
  }
}
