internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `redirect/reply`: answers a redirect that `task/willRedirect` asked about.
package enum RedirectReply {
  /// Changes to the proposed request; nil leaves a part as it is.
  package struct Change: Sendable {
    package let url: String?
    package let method: String?
    package let headers: [HeaderField]?

    /// Bytes that are kept until the task ends.
    package var byteCount: Int {
      (headers ?? []).reduce(url?.utf8.count ?? 0) { $0 + $1.name.utf8.count + $1.valueByteCount }
    }
  }

  package struct Parameters: Sendable {
    package let task: String
    /// Nil: stop, and deliver the 3xx.
    package let request: Change?

    package init(_ object: JSONObject?) throws(RPCError) {
      (task, request) = try ParameterReader.decode(object) { reader throws(RPCError) in
        let task = try reader.name("task")
        guard let raw = reader.member("request") else { throw reader.fault("request", "is missing") }
        guard raw != .null else { return (task, nil) }
        let change = try reader.object("request") { reader throws(RPCError) in
          Change(
            url: try reader.optionalString("url", maximumBytes: Fetch.maximumURLBytes),
            method: try reader.optionalMethod("method"), headers: try reader.optionalHeaders("headers"))
        }
        return (task, change)
      }
    }
  }
}
