package import WatchwordJSON

/// What the daemon sends, as `protocol/openrpc.json` describes it: results of methods, and parameters of
/// notifications.
///
/// The types are in `Generated/SentObjects.swift`. The daemon fills them from the values of Core and writes
/// them; a client of it reads them.
package enum Sent {}

/// An object that encodes itself.
package protocol EncodedObject: Sendable {
  func writeMembers(to writer: inout JSONWriter)
}

extension EncodedObject {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }
}

/// One that can be read from what was encoded, too.
package protocol SentObject: EncodedObject, Readable {
  init(_ object: ReadObject) throws(ReadFault)
}

extension SentObject {
  package init(reading node: JSONNode) throws(ReadFault) { try self.init(ReadObject(reading: node)) }

  package static var absent: Self? { try? Self(ReadObject.empty) }
}

/// A value of which the text is made once and sent often; who receives it has the value.
package enum Encoded<Value: SentObject>: Readable {
  case text([UInt8])
  case value(Value)

  package init(reading node: JSONNode) throws(ReadFault) { self = .value(try Value(reading: node)) }

  /// Nil for a text that was made here.
  package var value: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.raw(text)
    case .value(let value): value.write(to: &writer)
    }
  }
}
