enum OutputAnswer: Sendable {
  case taken
  /// Nothing was taken; offer the same bytes again after `onDrained`.
  case full
  case failed(OutputFault)
}
