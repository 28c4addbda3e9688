enum OutputAnswer: Sendable {
  case taken
  /// Refused all bytes; offer them again after `onDrained`.
  case full
  case failed(OutputFault)
}
