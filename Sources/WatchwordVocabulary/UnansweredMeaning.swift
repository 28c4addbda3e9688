/// What a challenge means that was not answered in time (configuration `challenges.unanswered`).
package enum UnansweredMeaning: String, Sendable, CaseIterable {
  case cancel
  case performDefaultHandling
  case deliver
}
