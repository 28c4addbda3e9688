package enum BodyAnswer: Sendable {
  case taken
  case pause
  /// The rest is not wanted: the exchange ends here, and well. Its connection is closed, or its stream reset.
  case enough
}
