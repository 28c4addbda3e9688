/// What `watchword doctor` says about one topic.
package struct Finding: Sendable, Equatable {
  package enum Severity: String, Sendable {
    case good
    /// Nothing is wrong, but it explains what a person may wonder about.
    case note
    case problem
  }

  package let severity: Severity
  /// One word, such as `socket`.
  package let topic: String
  /// Lower case, without a full stop. Values of the host are in it as they are: a terminal gets it escaped.
  package let text: String
  /// What to do; nil when there is nothing to do.
  package let advice: String?

  package init(_ severity: Severity, _ topic: String, _ text: String, advice: String? = nil) {
    self.severity = severity
    self.topic = topic
    self.text = text
    self.advice = advice
  }
}
