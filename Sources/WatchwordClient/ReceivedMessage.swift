internal import WatchwordJSON
internal import WatchwordMessages

/// The envelope of a message from the daemon (JSON-RPC 2.0).
struct ReceivedMessage: Readable {
  /// Nil for a reply.
  let method: String?
  let parameters: JSONValue
  let identifier: Int?
  let result: JSONValue?
  let error: JSONValue?
  /// How many descriptors came with it.
  let descriptors: Int

  init(reading value: JSONValue) throws(ReadFault) {
    let object = try ReadObject(reading: value)
    method = try object.memberIfPresent("method")
    parameters = try object.member("params")
    identifier = try object.member("id")
    result = try object.memberIfPresent("result")
    error = try object.memberIfPresent("error")
    descriptors = try object.member("descriptors")
  }
}
