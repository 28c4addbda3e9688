package import WatchwordJSON
internal import WatchwordVocabulary

/// The contents of one frame.
package enum Incoming: Sendable, Equatable {
  case single(Message)
  /// Answered with an array of the replies, in any order.
  case batch([Message])

  /// Sorts a JSON value into messages; never fails as a whole.
  package init(_ value: JSONValue) {
    switch value {
    case .array(let elements) where elements.isEmpty:
      self = .single(.invalid(.null, RPCError(.invalidRequest, "empty batch")))
    case .array(let elements) where elements.count > Message.maximumBatch:
      self = .single(
        .invalid(
          .null,
          RPCError(
            .limitExceeded, "batch of more than \(Message.maximumBatch) messages",
            details: ["limit": .string("batch")])))
    case .array(let elements):
      self = .batch(elements.map(Message.init))
    case .object, .null, .bool, .integer, .real, .string, .secret:
      self = .single(Message(value))
    }
  }
}
