package enum TimeoutPhase: String, Sendable {
  case connect
  case request
  case resource
}
