internal import WatchwordJSON

/// Formats a value of the daemon as JSON text on one line.
enum JSONText {
  static func of(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
