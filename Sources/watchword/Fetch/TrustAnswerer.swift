internal import WatchwordMessages
internal import WatchwordVocabulary

/// Answers for one fetch whether to trust a server's certificates that are refused: `-k`, or the person.
final class TrustAnswerer {
  private let options: FetchTrust
  private let question: TrustQuestion?
  /// Whether what is accepted is in the history only.
  private let isSilent: Bool

  /// nil when default evaluation decides alone.
  init?(_ options: FetchTrust, mayAsk: Bool, isSilent: Bool) {
    self.isSilent = isSilent
    question = mayAsk && !options.isInsecure ? TrustQuestion() : nil
    guard options.isInsecure || question != nil else { return nil }
    self.options = options
  }

  /// Replies to the challenge; returns a short text about the reply.
  func answer(_ challenge: Sent.Challenge, through client: WatchwordClient) throws(ClientError) -> String {
    do throws(ClientError) {
      return try decide(challenge, client)
    } catch {
      guard case .refused(let remote) = error else { throw error }
      if remote.kind == .challengeNotPending { return "answered too late" }
      // For example, a policy forbids loosening: reported once, and not tried again.
      Diagnostics.report(Failure(remote))
      try ReplySender.cancel(challenge, through: client)
      return "cancelled"
    }
  }

  private func decide(_ challenge: Sent.Challenge, _ client: WatchwordClient) throws(ClientError) -> String {
    let trust = challenge.protectionSpace.serverTrust
    if options.isInsecure {
      try TrustReply.accept(
        .certificate, Persistence.none, challenge, because: options.reasonForHistory, through: client)
      if !isSilent { report(challenge, trust) }
      return "accepted"
    }
    guard let question else {
      try ReplySender.send(.performDefaultHandling, to: challenge, through: client)
      return "left to default evaluation"
    }
    return try ask(question, about: challenge, client)
  }

  private func ask(
    _ question: TrustQuestion, about challenge: Sent.Challenge, _ client: WatchwordClient
  ) throws(ClientError) -> String {
    guard try question.beginDialog(about: challenge, through: client) else { return "answered elsewhere" }
    defer { question.endDialog() }
    switch try question.ask(about: challenge, through: client) {
    case .once:
      try TrustReply.accept(.certificate, Persistence.none, challenge, through: client)
      return "accepted once"
    case .session:
      try TrustReply.accept(.certificate, .forSession, challenge, through: client)
      return "accepted for the session"
    case .always:
      do throws(ClientError) {
        try TrustReply.accept(.certificate, .permanent, challenge, through: client)
        return "accepted for ever"
      } catch {
        guard case .refused(let remote) = error, remote.kind == .storageUnavailable else { throw error }
        // Nothing has changed: other answers are possible.
        Diagnostics.report(Failure(remote))
        return try ask(question, about: challenge, client)
      }
    case .settledElsewhere: return "answered elsewhere"
    case .no, .nothing:
      try ReplySender.cancel(challenge, through: client)
      return "refused"
    }
  }

  private func report(_ challenge: Sent.Challenge, _ trust: Sent.ServerTrust?) {
    let origin = DisplayText.escaped(SpaceText.origin(of: challenge.protectionSpace))
    let excused = TrustReasonText.sentences(trust?.reasons ?? []).joined(separator: ", ")
    let key = (trust?.certificates.first?.publicKey).map { " (key \(DisplayText.escaped($0)))" }
    Diagnostics.write(
      "watchword: \(origin) is accepted although \(excused)\(key ?? "")\n"
        + "watchword: the reason given: \(options.reason ?? "")\n")
  }
}
