package import WatchwordJSON
internal import WatchwordVocabulary

/// The contents of one frame.
package enum Incoming: Sendable {
  case single(Message)
  /// Answered with an array of the replies, in any order.
  case batch([Message])

  /// Sorts a JSON value into messages; never fails as a whole.
  package init(_ value: JSONNode) {
    guard value.kind == .array else {
      self = .single(Message(value))
      return
    }
    let count = value.count
    guard count > 0 else {
      self = .single(.invalid(.null, RPCError(.invalidRequest, "empty batch")))
      return
    }
    guard count <= Message.maximumBatch else {
      self = .single(
        .invalid(
          .null,
          RPCError(
            .limitExceeded, "batch of more than \(Message.maximumBatch) messages",
            details: ["limit": .string("batch")])))
      return
    }
    self = .batch(value.elements.map { Message($0) })
  }
}
