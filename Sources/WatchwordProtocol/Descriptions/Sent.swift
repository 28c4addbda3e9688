package import WatchwordJSON

/// What the daemon sends, as `protocol/openrpc.json` describes it: results of methods, and parameters of notifications.
///
/// The types are in `Generated/Sent`. What makes one from the values of Core is beside this file.
package enum Sent {}

/// An object that encodes itself.
package protocol SentObject: Sendable {
  func writeMembers(to writer: inout JSONWriter)
}

extension SentObject {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }
}

/// A value of the daemon that is sent as an object.
package protocol Describing {
  associatedtype Form: SentObject
  var sent: Form { get }
}

extension Describing {
  package func write(to writer: inout JSONWriter) { sent.write(to: &writer) }
}

/// A value whose text is made once and sent often.
package struct EncodedJSON: Sendable {
  let text: [UInt8]

  package init(_ text: [UInt8]) { self.text = text }
}
