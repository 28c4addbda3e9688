package enum BodyAnswer: Sendable {
  case taken
  case pause
  /// The rest is not needed: the exchange ends here without an error. Its connection is closed, or its stream reset.
  case enough
}
