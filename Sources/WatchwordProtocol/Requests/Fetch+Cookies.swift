package import WatchwordCore

extension FetchParameters {
  /// Whether the task has cookies of its own, which end with it (messages.md 10.5): a fetch does not log in the next
  /// program, unless its caller has chosen a session or asks for that.
  ///
  /// - Parameter isChosen: whether the caller has chosen the session, by name or as a private one.
  /// - Throws: `invalidParams` when the session's login forms need its cookies.
  package func hasOwnCookies(
    in session: SessionConfiguration, isChosen: Bool
  ) throws(RPCError) -> Bool {
    switch cookies {
    case .session: return false
    case .task:
      guard session.forms.isEmpty else {
        throw .invalidParams("params.cookies", "the session's login forms need its cookies")
      }
      return true
    case nil: return !isChosen && session.forms.isEmpty
    }
  }
}
