internal import WatchwordJSON
internal import WatchwordMessages

/// Formats a value of the daemon as JSON text on one line.
enum JSONText {
  static func of(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  static func of(_ object: some SentObject) -> String {
    var writer = JSONWriter()
    object.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
