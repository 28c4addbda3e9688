internal import WatchwordJSON
internal import WatchwordProtocol

extension RPCError {
  /// The uid would make the daemon keep more than it may.
  static let overBudget = RPCError(
    .limitExceeded, "more than \(Limits.bytesPerUID) bytes of requests, replies and configurations are kept",
    details: ["limit": .string("bytesPerUid")])
}
