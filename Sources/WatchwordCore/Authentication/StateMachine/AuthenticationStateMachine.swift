package import WatchwordVocabulary

/// The authentication of one task towards one kind of hop, its origins or its proxies: what to send, what a
/// refusal means, what comes next.
///
/// An object that its task owns. Without I/O: each event brings an ``Attempt``, with the request, the time and
/// the session's memory. The machine knows nothing of who is asked, which is the board's business.
///
/// Its rules lie in one file each: the states between two exchanges (`+Phases`), what an exchange carries
/// (`+Sending`), what the server's answer says of it (`+Responses`, challenges.md 7), when only the nonce was
/// refused (`+Nonces`), which one belongs to the connection (`+Connections`), who sends it next and whether
/// it may be sent twice (`+Turns`), which offer and credential are next (`+Choosing`, challenges.md 6.4 and
/// storage.md 9.2.1), who tries a credential that no server has judged (`+Trials`, challenges.md 12.8), what
/// a disposition means (`+Answers`, challenges.md 5.1), how a connection is authenticated, token by token
/// (`+Negotiation`, methods.md 14), and how a form (`+Forms`, methods.md 16). What `explain` expects of all
/// that is in `+Expectation`.
package final class AuthenticationStateMachine {
  /// What the task does next.
  package enum Outcome: Sendable, Equatable {
    /// The response is no refusal; go on with it.
    case proceed
    /// Send the request again, with what `prepare` chooses.
    case retry
    /// The same, when another task has found out whether the server still accepts the credential.
    case retryInTurn
    /// Verify the server's last token before anything of the response is delivered.
    indirect case verify(NegotiationStep)
    case ask(Subject)
    /// The refusal is the result.
    case deliver
    case fail(AuthenticationFailure)
  }

  /// What a question is about, which ``question(about:_:)`` makes when it is asked.
  package struct Subject: Sendable, Equatable {
    let space: ProtectionSpace
    /// The offers of the refusal from this one on.
    let offers: ArraySlice<Offer>
    let confirmation: ConfirmedUse?
  }

  /// The outcome of a credential that this task was given to try for all waiting tasks.
  package enum TrialReport: Sendable {
    indirect case accepted(
      Credential, space: ProtectionSpace, authenticator: Authenticator, scope: PreemptiveScope)
    /// The proxy has accepted the userinfo of its URL, which no other task was waiting for.
    indirect case acceptedFromURL(
      Credential, space: ProtectionSpace, authenticator: Authenticator, scope: PreemptiveScope)
    /// The account's record of this number, which the task took from outside the session.
    indirect case acceptedPermanent(
      UInt64, Credential, space: ProtectionSpace, authenticator: Authenticator, scope: PreemptiveScope)
    case refused(Credential.Kind)
    /// The server said nothing about it: an error of its own, or one that did not prove itself.
    case inconclusive
  }

  package struct Step: Sendable {
    package let outcome: Outcome
    package var report: TrialReport?
    /// The refusal offers less than the server did before.
    package var weakerOffer: WeakerOffer?
  }

  /// The response that is being dealt with, and what it offers to this session.
  struct Refusal: Sendable {
    /// Nil from a SOCKS proxy.
    let response: ResponseHead?
    let offers: [Offer]
    var unusableOffers = UnusableOffers()
    let weakerOffer: WeakerOffer?
    /// Whether it has a challenge, which may be one that cannot be answered.
    var namesSomething: Bool { !offers.isEmpty || unusableOffers.count > 0 }
    /// Questions that it has raised, and the space of the last one, which may be decided about again.
    var questionCount = 0
    var questioned: ProtectionSpace?
  }

  /// Refusals that one task takes altogether: five in each of a dozen spaces. A server that names another
  /// realm every time would otherwise never end.
  static let roundLimit = 64
  /// Questions that one response may raise: its head may offer thousands of realms.
  package static let questionLimit = 16

  /// What all machines of a session have in common.
  package final class Settings: Sendable {
    let policy: MethodPolicy
    let refusalBudget: Int
    /// Connections that one credential may have at a time.
    let connectionLimit: Int
    /// Origins to which the daemon's own tickets may be sent.
    let ambientOrigins: Set<Origin>
    /// Makes the client's nonce of a Digest answer: the machine has no randomness of its own.
    let clientNonce: @Sendable () -> String

    package init(
      policy: MethodPolicy, refusalBudget: Int, connectionLimit: Int = 6, ambientOrigins: Set<Origin> = [],
      clientNonce: @escaping @Sendable () -> String
    ) {
      self.policy = policy
      self.refusalBudget = refusalBudget
      self.connectionLimit = connectionLimit
      self.ambientOrigins = ambientOrigins
      self.clientNonce = clientNonce
    }
  }

  /// The hop that asks.
  let hop: Hop
  let settings: Settings

  /// What the task has met in each space; absent: nothing yet.
  var spaces: [ProtectionSpace: SpaceRecord] = [:]
  /// The last one; kept after it is over, since it also says where a Digest credential may go.
  var refusal: Refusal?
  /// What the next exchange carries.
  var next = Next.nothing
  /// What the exchange carries that has been prepared, runs or is over.
  var phase = Phase.idle
  /// While it sends in turn or waits for that.
  var turn: Turn?
  /// The negotiation of this task on its connection; nil while it has none.
  var negotiation: Negotiation?
  /// The last refusal that the session knew of when the task began; nil before that.
  var beganAfter: UInt64?
  /// What this task tries, or waits for another one to try.
  var trial: Trial?
  /// What it has posted into login forms.
  var logins = Logins()
  var staleCount = 0
  /// Requests without a credential for a nonce of their connection.
  var requestsForNonce = 0
  /// Refusals, and with them every question after the first of a response.
  var roundCount = 0
  /// Credentials that were refused.
  private(set) var refusalCount = 0
  /// What the task's URL named; redirects to the same origin do not carry it on.
  var userinfo: (origin: Origin, userinfo: RequestURL.Userinfo)?

  package init(for hop: Hop, _ settings: Settings) {
    self.hop = hop
    self.settings = settings
  }

  var policy: MethodPolicy { settings.policy }
  /// The method of the credential that the running exchange carries.
  package var methodInUse: AuthenticationMethod? { sent?.space.authenticationMethod }

  /// Whether the last refusal names something that this session could answer.
  var hasOffers: Bool { refusal?.offers.isEmpty == false }

  /// What the last refusal names that cannot be answered.
  var unusableOffers: UnusableOffers { refusal?.unusableOffers ?? UnusableOffers() }

  /// How the body of the response has to be hashed; nil when nothing depends on it.
  package var responseHash: HashAlgorithm? {
    if case .unproved(_, let sent, _) = phase { sent.ticket?.algorithm.hash } else { nil }
  }

  /// Whether the prepared exchange shares the nonce of this space with others.
  func sharesNonce(of space: ProtectionSpace) -> Bool { prepared?.choice.sharedSpace == space }

  /// The server, or the realm, has refused a credential: wherever it is from, no task uses it again.
  ///
  /// - Returns: the task's own credential if that was refused; it is removed.
  func noteRefusal(of sent: SentCredential, _ memory: SessionMemory) -> SpaceRecord.OwnCredential? {
    refusalCount += 1
    memory.noteRefused(sent.kind, in: sent.space)
    memory.refusedOutside.note(sent.kind, in: sent.space)
    memory.trials.noteRefusal(of: CredentialTrials.Key(sent.kind, in: sent.space))
    // It was tried for any realm.
    if let trial, trial.kind == sent.kind { memory.trials.noteRefusal(of: trial.key) }
    if let entry = sent.entry { memory.refused(entry.key, generation: entry.generation) }
    guard let mine = spaces[sent.space, default: SpaceRecord()].noteRefusal(of: sent) else { return nil }
    if let number = mine.permanentNumber { memory.permanent.drop(number) }
    if mine.source == .netrc { memory.netrc.noteRefusal(of: sent.kind.user, in: sent.space) }
    if mine.source == .url { memory.noteRefusedUserinfo(mine.credential.kind, in: sent.space) }
    return mine
  }

  /// Whether the task's own credential, which it was about to send, was refused to another task meanwhile:
  /// then it is not sent.
  func dropsRefused(_ choice: Choice, _ memory: SessionMemory) -> Bool {
    guard case .own(let space) = choice, let mine = spaces[space]?.own,
      memory.refusedOutside.hasRefused(mine.credential.kind, in: space, after: mine.chosenAfter)
    else { return false }
    spaces[space]?.noteRefusalToOthers(of: mine.credential.kind)
    return true
  }

  func record(of space: ProtectionSpace) -> SpaceRecord { spaces[space] ?? SpaceRecord() }

  /// The offer of the last refusal that asks for this space.
  func offer(for space: ProtectionSpace) -> Offer? {
    refusal?.offers.first { $0.protectionSpace(of: space.origin, proxyType: space.proxyType) == space }
  }

  /// The credential that the prepared exchange carries, as far as it is known before it has a connection.
  func credentialCarried(_ memory: SessionMemory) -> Credential.Kind? {
    switch prepared?.choice {
    case .own(let space): spaces[space]?.own?.credential.kind
    case .cached(let key, _, _), .unasked(let key): memory.entry(key)?.credential.kind
    case .renewed(let renewal): renewal.kind
    case nil: nil
    }
  }

  /// What the URL that the task began with said of this origin, or the proxy's URL of its proxy.
  func named(_ use: CredentialUse) -> RequestURL.Userinfo? {
    use.url.userinfo ?? (userinfo?.origin == use.url.origin ? userinfo?.userinfo : nil)
  }

  /// Whether the task's question is its own: the URL speaks for this task alone. A proxy is the session's.
  func isAlone(_ use: CredentialUse) -> Bool { use.proxyType == nil && named(use) != nil }
}

/// Why authentication ends a task without a response to deliver.
package enum AuthenticationFailure: Sendable, Equatable {
  case userCancelled
  /// The server did not prove itself: Digest `rspauth` (RFC 7616 §3.5), or the last token of Negotiate (RFC
  /// 4559 §5).
  case serverNotAuthenticated
  /// A credential for Negotiate or NTLM could not be used, and no delegate can be asked for another one.
  case negotiation(NegotiationFault)
  /// The administrator's source gives no credential, and no delegate can be asked for one.
  case source(SourceFailure)
  /// A login form that a rule of the session names cannot be posted.
  case loginForm(LoginFormFault)
}

extension AuthenticationStateMachine {
  /// What the machine needs from outside for one request that may carry a credential.
  struct Attempt {
    /// The request, as the hop sees it that gets the credential.
    var use: CredentialUse
    /// Whether a delegate can be asked.
    let canAsk: ChallengeBoard.CanAsk
    /// The session's.
    let memory: SessionMemory
  }
}

extension Offer {
  /// The space that it asks for at the hop of this request.
  func protectionSpace(for use: CredentialUse) -> ProtectionSpace {
    protectionSpace(of: use.url.origin, proxyType: use.proxyType)
  }
}
