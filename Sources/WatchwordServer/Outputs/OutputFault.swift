internal import WatchwordCore

enum OutputFault: Error, Sendable {
  /// The body exceeds this limit of the output.
  case tooLarge(BodyLimit)
  /// The uid would exceed its memory budget.
  case overBudget
  /// The body is not the part that was asked for, or has another length than its head says.
  case partMismatch
  /// Writing to the caller's descriptor failed, with this `errno`.
  case broken(Int32)
}
