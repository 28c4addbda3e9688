internal import WatchwordCore

enum OutputFault: Error, Sendable {
  /// The body exceeds this limit of the output.
  case tooLarge(BodyLimit)
  /// The uid would exceed its memory budget.
  case overBudget
  /// The body is longer than its head says.
  case contradiction
  /// Writing to the caller's descriptor failed, with this `errno`.
  case broken(Int32)
}
