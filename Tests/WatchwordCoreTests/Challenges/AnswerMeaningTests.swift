import Testing
import WatchwordCore
import WatchwordVocabulary

/// The table of dispositions, row by row (challenges.md 5.1).
@Suite struct AnswerMeaningTests {
  static let responses: [AuthenticationMethod] = [.basic, .digest, .bearer, .negotiate, .ntlm, .htmlForm]

  @Test(arguments: responses)
  func anAnswerToAResponse(_ method: AuthenticationMethod) {
    let space = ProtectionSpace(origin: TrustScene.origin, realm: nil, authenticationMethod: method)
    expect(
      space,
      [
        .reply(.useCredential): .trial,
        .reply(.performDefaultHandling): .nextOffer(confirms: true),
        .reply(.rejectProtectionSpace): .excludeOffer,
        .reply(.cancelAuthenticationChallenge): .cancelled,
        .noDelegate: .nextOffer(confirms: false),
        .unanswered(.cancel): .cancelled,
        .unanswered(.performDefaultHandling): .nextOffer(confirms: false),
        .unanswered(.deliver): .refusal,
      ])
  }

  @Test func anAnswerAboutAChainWithFaultsFailsClosed() {
    expect(TrustScene.space(), trust(byDefault: .serverTrustRejected))
  }

  @Test func defaultHandlingAcceptsAChainWithoutFaults() {
    expect(TrustScene.space(TrustScene.trust(1, [])), trust(byDefault: .defaultDecision))
  }

  @Test func anAnswerToACertificateRequest() {
    let space = ProtectionSpace(
      origin: TrustScene.origin,
      certificateRequest: CertificateRequest(issuers: [], keyTypes: []))
    expect(
      space,
      [
        .reply(.useCredential): .decision,
        .reply(.performDefaultHandling): .defaultDecision,
        .reply(.rejectProtectionSpace): .noCertificate,
        .reply(.cancelAuthenticationChallenge): .cancelled,
        .noDelegate: .defaultDecision,
        .unanswered(.cancel): .cancelled,
        .unanswered(.performDefaultHandling): .defaultDecision,
        .unanswered(.deliver): .noCertificate,
      ])
  }

  @Test func anAnswerToALockedAgent() {
    expect(
      .agentUnlock(before: TrustScene.origin),
      [
        .reply(.useCredential): .refusal,
        .reply(.performDefaultHandling): .refusal,
        .reply(.rejectProtectionSpace): .refusal,
        .reply(.cancelAuthenticationChallenge): .cancelled,
        .noDelegate: .refusal,
        .unanswered(.cancel): .cancelled,
        .unanswered(.performDefaultHandling): .refusal,
        .unanswered(.deliver): .refusal,
      ])
  }

  private func trust(byDefault meaning: AnswerMeaning) -> [AnswerMeaning.Answer: AnswerMeaning] {
    [
      .reply(.useCredential): .decision,
      .reply(.performDefaultHandling): meaning,
      .reply(.rejectProtectionSpace): .serverTrustRejected,
      .reply(.cancelAuthenticationChallenge): .serverTrustRejected,
      .noDelegate: meaning,
      .unanswered(.cancel): .serverTrustRejected,
      .unanswered(.performDefaultHandling): meaning,
      .unanswered(.deliver): .serverTrustRejected,
    ]
  }

  private func expect(_ space: ProtectionSpace, _ table: [AnswerMeaning.Answer: AnswerMeaning]) {
    let answers =
      Disposition.allCases.map { AnswerMeaning.Answer.reply($0) }
      + UnansweredMeaning.allCases.map { .unanswered($0) } + [.noDelegate]
    for answer in answers {
      #expect(AnswerMeaning(of: answer, to: space) == table[answer], "\(answer)")
    }
  }
}
