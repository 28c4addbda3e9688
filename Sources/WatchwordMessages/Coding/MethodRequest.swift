package import WatchwordJSON

/// What a client sends, as `protocol/openrpc.json` describes it. The types are in `Generated/Requests.swift`;
/// members that are nil are not sent.
package enum Request {}

/// The parameters of a method.
package protocol MethodRequest: EncodedObject {
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
package enum TextOr<Other: Sendable>: Sendable {
  case text(String)
  case other(Other)
}
