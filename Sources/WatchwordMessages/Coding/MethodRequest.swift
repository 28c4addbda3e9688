package import WatchwordJSON

/// What a client sends, as `protocol/openrpc.json` describes it. The types are in `Generated/Request`; members that
/// are nil are not sent.
package enum Request {}

/// The parameters of a method.
package protocol MethodRequest: SentObject {
  /// What the daemon replies.
  associatedtype Result: Readable
  static var method: String { get }
}

extension Sent {
  /// An object without members.
  package struct Empty: SentObject {
    package init() {}
    package init(_ object: ReadObject) {}
    package func writeMembers(to writer: inout JSONWriter) {}
  }
}

/// A value that is a word, or an object or a list.
package enum TextOr<Other: Readable>: Readable {
  case text(String)
  case other(Other)

  package init(reading value: JSONValue) throws(ReadFault) {
    if case .string(let text) = value { self = .text(text) } else { self = .other(try Other(reading: value)) }
  }
}
