internal import WatchwordVocabulary

/// Login forms (methods.md 16): the credential is posted once, and the cookies that come of it authenticate
/// the session.
extension AuthenticationStateMachine {
  struct Logins {
    /// What a form was filled in with, until the repeated request shows whether that was enough.
    var open: SentCredential?
    /// Whether the form of the last refusal was fetched for the login that follows.
    var isFormFresh = false
    /// The logins of the session that were made before the task's own request.
    var known: [Origin: Int] = [:]
  }

  /// Whether a login was made and no response has shown yet that it was enough.
  var hasOpenLogin: Bool { logins.open != nil }

  /// Whether a form is filled in next.
  var hasLoginNext: Bool { next.choice.flatMap { form(for: $0) } != nil }

  /// The response is a login page.
  ///
  /// - Parameters:
  ///   - form: nil when it is the answer to a login and has no form: the one before is filled in again.
  ///   - isFresh: whether it must not be fetched again, because that would repeat the task's own request.
  func metForm(_ form: LoginForm?, in head: ResponseHead, isFresh: Bool, _ attempt: Attempt) -> Step {
    var offers: [Offer] = []
    if let form = form ?? refusal?.offers.first?.form, !policy.disabled.contains(.htmlForm) {
      offers = [Offer(form, at: attempt.use.url)]
    }
    refusal = Refusal(response: head, offers: offers, weakerOffer: nil)
    let filled = logins.open ?? sent.flatMap { $0.space.isLoginForm ? $0 : nil }
    logins.open = nil
    phase = .idle
    // While it keeps its turn, no other page comes between.
    logins.isFormFresh = isFresh || turn != nil
    let step: Step
    if let filled {
      roundCount += 1
      step = credentialRefused(filled, attempt)
    } else {
      step = Step(outcome: choose(attempt))
    }
    if step.outcome != .retry {
      logins.isFormFresh = isFresh
      releaseTurn(attempt.memory)
    }
    return step
  }

  /// The form was posted, and the answer passes the rule's test: the request itself is sent again.
  func loggedIn(_ attempt: Attempt) {
    attempt.memory.logins[attempt.use.url.origin, default: 0] += 1
    logins.open = sent
  }

  /// The repeated request has a response that is not a login page.
  func loginSettled(_ head: ResponseHead, _ attempt: Attempt) -> TrialReport? {
    guard let filled = logins.open.take() else { return nil }
    return head.status < 500 ? accepted(filled, attempt) : abandonTrial(filled.space)
  }

  // MARK: One at a time

  /// Whether the page is not fetched, or its form not posted, before another task has done so.
  ///
  /// Each page that a server sends may take the place of the cookies that another one depends on, and a
  /// changed password costs one failed login.
  func waitsForPage(_ attempt: Attempt) -> Bool {
    !takesLoginTurn(attempt)
  }

  func takesLoginTurn(_ attempt: Attempt) -> Bool {
    let space = ProtectionSpace(origin: attempt.use.url.origin, realm: nil, authenticationMethod: .htmlForm)
    if let task = attempt.use.task { attempt.memory.turns.begin(space, task) }
    defer { turn?.isForLogin = true }
    return takesTurn(space, attempt)
  }

  /// The task's own request is about to be made, with the cookies of these logins.
  func noteLogins(_ memory: SessionMemory) { logins.known = memory.logins }

  /// Whether another task has logged in since this one's own request, which led it to the page, was made.
  func hasNewLogin(_ attempt: Attempt) -> Bool {
    logins.known[attempt.use.url.origin] != attempt.memory.logins[attempt.use.url.origin]
  }

  /// Another task has logged in: its cookies may be enough.
  func forgoLogin(_ memory: SessionMemory) -> TrialReport? {
    releaseTurn(memory)
    guard hasLoginNext, let choice = next.choice else { return nil }
    next = .nothing
    guard case .own(let space) = choice else { return nil }
    return abandonTrial(space)
  }

  /// The page has been fetched again for the login that follows.
  func renew(_ form: LoginForm, in head: ResponseHead, for use: CredentialUse) {
    let offer = Offer(form, at: use.url)
    refusal = Refusal(response: head, offers: [offer], weakerOffer: nil)
    logins.isFormFresh = true
    switch next.choice {
    case .own(let space):
      guard let own = spaces[space]?.own,
        let made = try? Authenticator(offer: offer, credential: own.credential)
      else { return }
      spaces[space]?.own?.authenticator = made
    case .cached(let key, _, let isRepeated):
      next = .choice(.cached(key, offer: offer, isRepeated: isRepeated))
    case .unasked, .renewed, nil: break
    }
  }

  /// The form that this choice fills in.
  func form(for choice: Choice) -> LoginForm? {
    switch choice {
    case .own(let space): space.isLoginForm ? offer(for: space)?.form : nil
    case .cached(let key, let offer, _): key.space.isLoginForm ? offer?.form : nil
    case .unasked, .renewed: nil
    }
  }
}

extension ProtectionSpace {
  var isLoginForm: Bool { authenticationMethod == .htmlForm }
}

extension Offer {
  /// The parameters say where the page is, and where the form leads.
  fileprivate init(_ form: LoginForm, at url: RequestURL) {
    self.init(
      authenticationMethod: .htmlForm, realm: nil,
      parameters: [
        AuthenticationParameter("page", OctetString(url.textWithoutQuery)),
        AuthenticationParameter(
          "action", OctetString(String((form.action ?? "").prefix { $0 != "?" && $0 != "#" }))),
      ], form: form)
  }
}
