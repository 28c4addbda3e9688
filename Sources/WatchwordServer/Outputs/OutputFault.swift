internal import WatchwordCore

enum OutputFault: Error, Sendable {
  /// The body is larger than the output may take.
  case tooLarge(BodyLimit)
  /// The daemon would keep more for the uid than it may.
  case overBudget
  /// The body is longer than its head says.
  case contradiction
  /// Writing to the caller's descriptor failed, with this `errno`.
  case broken(Int32)
}
