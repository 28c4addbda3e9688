package import WatchwordJSON
internal import WatchwordMessages

/// Writes the JSON-RPC 2.0 frame of an outgoing message straight into a buffer.
package enum Envelope {
  package static func result(
    to writer: inout JSONWriter, _ identifier: RequestIdentifier, descriptors: Int = 0,
    _ body: (inout JSONWriter) -> Void
  ) {
    open(&writer, identifier)
    count(&writer, descriptors)
    writer.key("result")
    body(&writer)
    writer.endObject()
  }

  package static func error(to writer: inout JSONWriter, _ identifier: RequestIdentifier, _ error: RPCError) {
    open(&writer, identifier)
    writer.key("error")
    error.write(to: &writer)
    writer.endObject()
  }

  package static func notification(
    to writer: inout JSONWriter, _ method: StaticString, descriptors: Int = 0,
    _ parameters: (inout JSONWriter) -> Void
  ) {
    open(&writer, nil)
    writer.key("method")
    writer.string(method)
    count(&writer, descriptors)
    writer.key("params")
    parameters(&writer)
    writer.endObject()
  }

  private static func open(_ writer: inout JSONWriter, _ identifier: RequestIdentifier?) {
    writer.beginObject()
    writer.key("jsonrpc")
    writer.string("2.0" as StaticString)
    if let identifier {
      writer.key("id")
      identifier.write(to: &writer)
    }
  }

  private static func count(_ writer: inout JSONWriter, _ descriptors: Int) {
    guard descriptors > 0 else { return }
    writer.key("descriptors")
    writer.integer(descriptors)
  }
}
