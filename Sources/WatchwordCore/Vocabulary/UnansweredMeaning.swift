/// What a challenge that nobody answered in time means (configuration `challenges.unanswered`).
package enum UnansweredMeaning: String, Sendable, CaseIterable {
  case cancel
  case performDefaultHandling
  case deliver
}
