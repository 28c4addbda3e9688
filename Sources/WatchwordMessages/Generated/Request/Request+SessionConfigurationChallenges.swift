package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// How challenges end.
  package struct SessionConfigurationChallenges: SentObject {
    /// How long a challenge waits for its reply.
    package let deadlineSeconds: Double?
    /// What the deadline answers (challenges.md 5.11).
    package let unanswered: String?
    /// Refusals per protection space and task before the 401 is delivered.
    package let refusalBudget: Int?

    package init(deadlineSeconds: Double? = nil, unanswered: String? = nil, refusalBudget: Int? = nil) {
      self.deadlineSeconds = deadlineSeconds
      self.unanswered = unanswered
      self.refusalBudget = refusalBudget
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let deadlineSeconds { writer.member("deadlineSeconds", deadlineSeconds) }
      if let unanswered { writer.member("unanswered", unanswered) }
      if let refusalBudget { writer.member("refusalBudget", refusalBudget) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      deadlineSeconds = try object.memberIfPresent("deadlineSeconds")
      unanswered = try object.memberIfPresent("unanswered")
      refusalBudget = try object.memberIfPresent("refusalBudget")
    }
  }
}
