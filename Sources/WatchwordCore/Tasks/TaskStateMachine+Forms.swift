internal import WatchwordVocabulary

/// Login forms: a page that a rule of the session names is filled in, posted, and the task's request made
/// again (methods.md 16).
extension TaskStateMachine {
  /// What a task has met of login forms, and what it does about them.
  struct FormProgress: Sendable {
    /// The form that is being posted.
    var login: Login?
    /// Whether the page is fetched once more, for the form that is about to be posted.
    var isRenewing = false
    /// Whether the response is the page of a rule, and no form on it has both fields.
    var lacksField = false
    /// Whether the response is a login form, or the answer to one that does not say yes.
    var isRefusal = false
    /// Whether the task waits for the login, or the login page, of another one.
    var isLoginAwaited = false
    /// The task's own request, where it may have to be made again behind a login form.
    var ownRequest: RequestStep?

    /// A form on its way.
    struct Login: Sendable {
      let rule: FormRule
      /// Redirects of the answer that were followed.
      var redirects = 0
    }
  }

  /// The rule by which the response may be a login page.
  func formRule(for head: ResponseHead, _ context: Context) -> FormRule? {
    guard mayMeetForm(context) else { return nil }
    return context.forms.first { $0.mayBeMet(by: head, at: currentStep.url) }
  }

  func mayMeetForm(_ context: Context) -> Bool {
    !context.forms.isEmpty && currentStep.method != "HEAD" && !authentication.isOnBoundConnection
  }

  /// What the parser has found in the part of the page that it was given.
  ///
  /// - Parameter isOver: whether the exchange has ended; the rest may still arrive otherwise.
  func pageRead(_ reading: PageReading, _ rule: FormRule, isOver: Bool, _ context: Context)
    -> [Effect]
  {
    guard let head else { return [] }
    forms.lacksField = reading.lacksField
    if forms.login != nil { return loginJudged(reading, head, isOver: isOver, context) }
    guard reading.isSelected, let form = reading.form else {
      // Another task has signed in since.
      if forms.isRenewing { return proceedAfterPage(.beginAgain, isOver: isOver, context) }
      return judged(head, isOver: isOver, context)
    }
    forms.isRefusal = true
    // The caller has chosen how its request authenticates.
    if hasCallerAuthorization { return judged(head, isOver: isOver, context) }
    return met(form, head, isOver: isOver, context)
  }

  /// Nothing is asked about the page: the response is like any other.
  private func judged(_ head: ResponseHead, isOver: Bool, _ context: Context) -> [Effect] {
    let outcome = judge(head, context)
    return proceedAfterPage(continuation(after: outcome, head, context), isOver: isOver, context)
  }

  /// The page is a login form that has to be filled in.
  private func met(_ form: PageReading.Form, _ head: ResponseHead, isOver: Bool, _ context: Context)
    -> [Effect]
  {
    switch form {
    case .unusable(let fault): return finish(.authentication(.loginForm(fault)))
    case .usable(let form):
      guard target(of: form, context) != nil else { return finish(.authentication(.loginForm(.otherOrigin))) }
      guard forms.isRenewing else { return offered(form, head, isOver: isOver, context) }
      forms.isRenewing = false
      authentication.renew(form, in: head, for: use(context))
      return proceedAfterPage(.retry, isOver: isOver, context)
    }
  }

  private func offered(_ form: LoginForm?, _ head: ResponseHead, isOver: Bool, _ context: Context)
    -> [Effect]
  {
    let isFresh = currentStep.method != "GET"
    let outcome = reported(authentication.metForm(form, in: head, isFresh: isFresh, attempt(context)))
    return proceedAfterPage(continuation(after: outcome, head, context), isOver: isOver, context)
  }

  /// Goes on with the response whose page was read.
  private func proceedAfterPage(_ continuation: Continuation, isOver: Bool, _ context: Context) -> [Effect] {
    if case .fail(let failure) = continuation { return finish(failure) }
    guard isOver else { return receive(continuation) }
    _ = authentication.bodyEnded(.unknown, attempt(context))
    return continuation == .finish ? deliverHeld() : proceed(continuation, context)
  }

  // MARK: Posting

  /// Where the form is posted: to the page's own origin, or nowhere.
  private func target(of form: LoginForm, _ context: Context) -> RequestURL? {
    guard let action = form.action, !action.isEmpty else { return currentStep.url.withoutUserinfo }
    guard case .resolved(let url) = context.resolve(action, base(of: form, context)),
      url.origin == currentStep.url.origin
    else { return nil }
    return url.withoutUserinfo
  }

  /// A base that is no URL does not count (HTML, "Set the frozen base URL").
  private func base(of form: LoginForm, _ context: Context) -> RequestURL {
    guard let base = form.base, case .resolved(let url) = context.resolve(base, currentStep.url) else {
      return currentStep.url
    }
    return url
  }

  func submit(
    _ form: LoginForm, _ content: Secret, through proxy: ProxyHop?, _ context: Context
  ) -> [Effect] {
    guard let head, let rule = formRule(for: head, context) ?? forms.login?.rule,
      let url = target(of: form, context)
    else { return finish(.authentication(.loginForm(.otherOrigin))) }
    forms.login = FormProgress.Login(rule: rule)
    // Servers compare them with their own to refuse forms of other sites (RFC 6454 §7).
    let fields = [
      HeaderField("Content-Type", "application/x-www-form-urlencoded"),
      HeaderField("Origin", currentStep.url.originText), HeaderField("Referer", currentStep.url.text),
    ]
    return sendForLogin(
      ExchangeRequest(url: url, method: "POST", headers: loginFields + fields, proxy: proxy, form: content))
  }

  /// The caller's fields, without those that are about its own request.
  private var loginFields: [HeaderField] {
    let names = [
      "range", "origin", "referer", "expect", "transfer-encoding", "trailer", "digest", "repr-digest",
    ]
    return fieldsForOrigin.filter { field in
      let name = field.name.asciiLowercased
      return !name.hasPrefix("content-") && !name.hasPrefix("if-") && !names.contains(name)
    }
  }

  func sendForLogin(_ request: ExchangeRequest) -> [Effect] {
    head = nil
    return begin(request.with(repetition))
  }

  func followLogin(to url: RequestURL, _ context: Context) -> [Effect] {
    repetition = Repetition()
    switch prepareProxy(context) {
    case .ready(let proxy):
      return sendForLogin(ExchangeRequest(url: url, method: "GET", headers: loginFields, proxy: proxy))
    case .waiting(let effects):
      forgetLogin()
      return effects
    }
  }

  /// Makes the task's own request again, with the cookies of a login, which may be another task's.
  func beginAgain(insteadOfLogin isForgone: Bool, _ context: Context) -> [Effect] {
    var effects: [Effect] = []
    if isForgone {
      effects = authentication.forgoLogin(context.memory).map { [.report($0)] } ?? []
    } else {
      authentication.loggedIn(attempt(context))
    }
    authentication.endExchange()
    forms.login = nil
    forms.isRenewing = false
    forms.isLoginAwaited = false
    repetition = Repetition()
    if let own = forms.ownRequest { currentStep = own }
    authentication.endRepetitions()
    proxyAuthentication?.endRepetitions()
    authentication.noteLogins(context.memory)
    proxyChoice = proxies?.choice(for: currentStep.url.origin)
    switch prepareProxy(context) {
    case .ready(let proxy): return effects + exchange(nil, isLate: false, through: proxy)
    case .waiting(let waiting): return effects + waiting
    }
  }

  /// Before a page or a form that another task may have seen to, or sees to now; nil: the task goes on with
  /// what it sends.
  func awaitLogin(_ context: Context) -> [Effect]? {
    let fillsIn = authentication.hasLoginNext
    if redirects.isEmpty, !fillsIn { authentication.noteLogins(context.memory) }
    let isLedToPage =
      !redirects.isEmpty && !fillsIn && forms.login == nil
      && context.forms.contains { $0.covers(currentStep.url) }
    guard isLedToPage || fillsIn else { return nil }
    if authentication.hasNewLogin(attempt(context)) {
      return beginAgain(insteadOfLogin: true, context)
    }
    guard isLedToPage, authentication.waitsForPage(attempt(context)) else { return nil }
    forms.isLoginAwaited = true
    releaseProxyConnection(context)
    phase = .awaitingTurn
    return []
  }

  /// A proxy has refused the exchange: the page is fetched as if nothing of it had been seen.
  func forgetLogin() {
    forms.login = nil
    forms.isRenewing = false
  }

  // MARK: The answer

  /// What the head means to a login, or to one that may follow; nil for a response like any other.
  func loginGoesOn(with head: ResponseHead, _ context: Context) -> [Effect]? {
    if forms.login != nil { return loginReceived(head, context) }
    if let rule = formRule(for: head, context) { return receive(.readPage(rule)) }
    // The login page is gone: another task has signed in since.
    return forms.isRenewing ? receive(.beginAgain) : nil
  }

  func loginReceived(_ head: ResponseHead, _ context: Context) -> [Effect] {
    guard let login = forms.login else { return [] }
    let success = login.rule.success
    if success.status == head.status, success.selector == nil, !head.isPage || head.isRedirect {
      return receive(.beginAgain)
    }
    if let url = redirect(of: head, context) {
      guard login.redirects < redirectPolicy.limit else { return finish(.redirect(.tooManyRedirects)) }
      forms.login?.redirects += 1
      return receive(.followLogin(url))
    }
    if head.status >= 500, success.status != head.status {
      return loginUndecided(head, context)
    }
    guard head.isPage else { return loginJudged(.nothing, head, isOver: false, context) }
    return receive(.readPage(login.rule), .read(login.rule.question(about: success)))
  }

  /// The answer says nothing about the credential (challenges.md 7.3): it is the result.
  private func loginUndecided(_ head: ResponseHead, _ context: Context) -> [Effect] {
    forms.login = nil
    forms.isRefusal = true
    let outcome = judge(head, context)
    return receive(continuation(after: outcome, head, context))
  }

  /// Whether the login succeeded: the rule's test passes, and the page is not the form again.
  private func loginJudged(
    _ reading: PageReading, _ head: ResponseHead, isOver: Bool, _ context: Context
  ) -> [Effect] {
    guard let rule = forms.login?.rule else { return [] }
    if reading.form == nil, rule.success.holds(for: head, reading) {
      return proceedAfterPage(.beginAgain, isOver: isOver, context)
    }
    forms.login = nil
    forms.isRefusal = true
    if let form = reading.form { return met(form, head, isOver: isOver, context) }
    return offered(nil, head, isOver: isOver, context)
  }

  /// Where the answer leads on the same origin; another one is not followed, since the task's own request
  /// goes there.
  private func redirect(of head: ResponseHead, _ context: Context) -> RequestURL? {
    guard head.isRedirect, let location = head.headers.first("location"),
      case .resolved(let url) = context.resolve(location, currentStep.url),
      url.origin == currentStep.url.origin
    else { return nil }
    return url.withoutUserinfo
  }
}

extension FormRule.Condition {
  /// Without members every response passes that is no error.
  fileprivate func holds(for head: ResponseHead, _ reading: PageReading) -> Bool {
    if status == nil, selector == nil { return head.status < 400 }
    return (status == nil || status == head.status) && (selector == nil || reading.isSelected)
  }
}

extension ResponseHead {
  /// The answer to a form is fetched with GET, whatever the status says: the content is not posted again.
  fileprivate var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

extension RequestURL {
  /// As a field `Origin` has it.
  fileprivate var originText: String { String(text.dropLast(requestTarget.count)) }
}
