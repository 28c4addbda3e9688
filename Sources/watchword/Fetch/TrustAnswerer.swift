internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// Answers for one fetch whether to trust a server's certificates: pins first, then `-k`, then the person.
final class TrustAnswerer {
  private let options: FetchTrust
  private let question: TrustQuestion?
  /// Why a pin refused a server.
  private(set) var refusal: Failure?

  /// nil when default evaluation decides alone.
  init?(_ options: FetchTrust, mayAsk: Bool) {
    question = mayAsk && !options.isInsecure ? TrustQuestion() : nil
    guard !options.pins.isEmpty || options.isInsecure || question != nil else { return nil }
    self.options = options
  }

  /// The verdicts that the delegate is asked about: a pin is checked on trusted chains, too.
  var verdicts: String { options.pins.isEmpty ? "refused" : "all" }

  /// Replies to the challenge; returns a short text about the reply.
  func answer(_ challenge: Sent.Challenge, through client: WatchwordClient) throws(ClientError) -> String {
    do throws(ClientError) {
      return try decide(challenge, client)
    } catch {
      guard case .refused(let remote) = error else { throw error }
      if remote.kind == .challengeNotPending { return "answered too late" }
      // For example, a policy forbids loosening: reported once, and not tried again.
      Diagnostics.report(Failure(remote))
      try ChallengeReply.cancel(challenge, through: client)
      return "cancelled"
    }
  }

  private func decide(_ challenge: Sent.Challenge, _ client: WatchwordClient) throws(ClientError) -> String {
    let trust = challenge.protectionSpace.serverTrust
    let isTrusted = trust?.verdict == "trusted"
    // As in curl, the keys are those of servers.
    if !options.pins.isEmpty, !challenge.protectionSpace.isProxy, !isPinned(trust) {
      refusal = mismatch(challenge, trust)
      try ChallengeReply.cancel(challenge, through: client)
      return "refused: not the pinned key"
    }
    if isTrusted {
      try ChallengeReply.send(.performDefaultHandling, to: challenge, through: client)
      return "left to default evaluation"
    }
    if options.isInsecure {
      try TrustReply.accept(.certificate, Persistence.none, challenge, through: client)
      report(challenge, trust)
      return "accepted"
    }
    guard let question else {
      try ChallengeReply.send(.performDefaultHandling, to: challenge, through: client)
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
      try ChallengeReply.cancel(challenge, through: client)
      return "refused"
    }
  }

  private func isPinned(_ trust: Sent.ServerTrust?) -> Bool {
    guard let key = trust?.certificates.first?.publicKey else { return false }
    return options.pins.contains(key)
  }

  private func mismatch(_ challenge: Sent.Challenge, _ trust: Sent.ServerTrust?) -> Failure {
    let origin = DisplayText.escaped(SpaceText.origin(of: challenge.protectionSpace))
    let key = trust?.certificates.first?.publicKey
    return Failure(
      "the key of \(origin) is not the pinned one",
      hint: key.map { "it is \(DisplayText.escaped($0))" }, exitCode: .trustRefused)
  }

  /// Printed with -s too: a user who loosens trust should find it in the log.
  private func report(_ challenge: Sent.Challenge, _ trust: Sent.ServerTrust?) {
    let origin = DisplayText.escaped(SpaceText.origin(of: challenge.protectionSpace))
    let excused = TrustReasonText.sentences(trust?.reasons ?? []).joined(separator: ", ")
    let key = (trust?.certificates.first?.publicKey).map { " (key \(DisplayText.escaped($0)))" }
    Diagnostics.write(
      "watchword: \(origin) is accepted although \(excused)\(key ?? "")\n"
        + "watchword: the reason given: \(options.reason ?? "")\n")
  }
}
