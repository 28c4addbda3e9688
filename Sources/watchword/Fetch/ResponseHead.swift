internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordPrimitives

/// The head of a response as on the wire, as far as the daemon reports it.
enum ResponseHead {
  /// Status line and fields with an empty line after them. The meaningless reason phrase is left out (RFC 9112 §4).
  static func text(of response: JSONValue) -> String {
    var text = "\(version(of: response)) \(response["status"]?.integer ?? 0)\r\n"
    for (name, value) in response["headers"]?.fields ?? [] { text += "\(name): \(value)\r\n" }
    return text + "\r\n"
  }

  static func contentLength(of response: JSONValue) -> Int? {
    response["headers"]?.fields.last { $0.name.asciiLowercased == "content-length" }.flatMap { Int($0.value) }
  }

  static func version(of response: JSONValue) -> String {
    let name = response["protocol"]?.text ?? response["metrics"]?["protocol"]?.text
    return name == "h2" ? "HTTP/2" : "HTTP/1.1"
  }
}
