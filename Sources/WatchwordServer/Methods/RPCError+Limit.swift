internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

extension RPCError {
  /// The uid would exceed its memory budget.
  static let overBudget = RPCError(
    .limitExceeded, "more than \(Limits.bytesPerUID) bytes of requests, replies and configurations are kept",
    details: ["limit": .string("bytesPerUid")])
}
