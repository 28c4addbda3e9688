package import WatchwordVocabulary

/// The parameters of `redirect/reply`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct RedirectReplyParameters: MethodParameters {
  /// The members of `request`.
  package struct Request: Sendable {
    package let url: String?
    package let method: String?
    package let headers: [HeaderField]?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      url = try reader["url"]?.string(maximumBytes: 16_384, minimumBytes: 1)
      method = try reader["method"]?.method(maximumBytes: 32)
      headers = try reader["headers"]?.headers(maximum: 256)
    }
  }

  package let task: String
  /// The request to make, members left out as proposed; null: stop and deliver the 3xx.
  package let request: Request?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    task = try reader.required("task").name(maximumBytes: 128)
    request = try reader.required("request").unlessNull?.object(Request.init)
  }
}
