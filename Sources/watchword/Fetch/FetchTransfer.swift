internal import CLinux
internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// One fetch from request to result: sends it, answers challenges, and delivers the body.
final class FetchTransfer {
  /// How it ended, unless it failed.
  enum Ending {
    case ended(ExitCode)
    /// --retry is for this; the response, if there was one.
    case mayPass(reason: String, response: HeadText?)
    /// The daemon stops, and has done nothing that another try would do twice; the failure where there is no
    /// next one.
    case isForNextDaemon(Failure)
  }

  private let fetch: FetchCommand
  private let request: FetchRequest
  private let conversation: FetchConversation
  private let mayRetry: Bool
  private let target: BodyTarget
  private let trust: TrustAnswerer?
  private let certificates: IdentityAnswerer?
  private let log: TransferLog
  private let progress: Progress?
  private let client: WatchwordClient
  private let questioner: Questioner?

  /// Once the task has finished.
  private var result: Sent.FetchResult?
  /// Once the daemon has taken the request.
  private(set) var task: String?
  /// The heads before the result's.
  private var earlier: [HeadText] = []
  /// The result's, once it has arrived.
  private var head: HeadText?
  private var wasAsked = false
  /// The origin of the URL, once a redirect was followed, and whether another one is asked now.
  private var home: String?
  private var isAway = false
  /// Whether the task has ended without a result.
  private var hasFailed = false
  /// The daemon's error, or that of a reply to it.
  private var error: ClientError?
  /// Why this ends early although the daemon has reported no error.
  private var failure: Failure?
  /// Until it is known whether somebody else is asked.
  private var others: OthersChallenge?
  /// The question how much has arrived, for the line of progress.
  private var isDescribing: WatchwordClient.Pending<Sent.TaskDescription>?

  init(
    _ request: FetchRequest, _ fetch: FetchCommand, _ conversation: FetchConversation, mayRetry: Bool,
    isAlone: Bool
  ) throws(Failure) {
    self.fetch = fetch
    self.request = request
    self.conversation = conversation
    self.mayRetry = mayRetry
    client = conversation.client
    questioner = conversation.questioner
    target = try BodyTarget(try FetchOutput(fetch, url: request.url), fetch, mayRetry: mayRetry)
    trust = TrustAnswerer(
      fetch.trust, mayAsk: fetch.mayAsk && fetch.askpass == nil, isSilent: fetch.isSilent)
    // With --cert the certificate is already given.
    let mayAskForCertificate = fetch.mayAsk && fetch.askpass == nil && !conversation.hasIdentity
    certificates = mayAskForCertificate ? IdentityAnswerer(persistence: fetch.persistence) : nil
    log = TransferLog(isOn: fetch.isVerbose)
    progress = fetch.isSilent || fetch.isVerbose || !isAlone ? nil : Progress(beside: target)
  }

  // MARK: The course, as `FetchQueue` leads it

  /// The pipe of the body, once it may be read; -1 before, and after its end.
  var readableNumber: Int32 { target.readableNumber }

  /// Whether messages of the daemon still matter.
  var isFinished: Bool { result != nil || isBroken }

  /// Whether there is nothing more to wait for.
  var isOver: Bool { isBroken || result != nil && target.readableNumber < 0 }

  private var isBroken: Bool { error != nil || failure != nil }

  /// For how long there is nothing to show; nil for as long as it takes.
  var patienceMilliseconds: Int32? {
    let others = isUnasked ? others?.patienceMilliseconds : nil
    return [progress?.patienceMilliseconds, others].compactMap(\.self).filter { $0 >= 0 }.min()
  }

  /// Whether it may wait for what somebody else is asked.
  private var isUnasked: Bool { !wasAsked && head == nil && !isFinished }

  /// Sends the request; a refusal is found in ``conclude()``.
  func begin() throws(Failure) {
    // A person can do something about it; a script's log would have it each time.
    if request.headers.showsSecret, !fetch.isSilent, isatty(STDERR_FILENO) == 1 {
      Diagnostics.warn(
        "a secret in an argument is readable by every process; -H @FILE reads fields from a file")
    }
    if let warning = fetch.timeWarning, !fetch.isSilent { Diagnostics.warn(warning) }
    try conversation.open(for: request.url, trust: trust, asksForCertificates: certificates != nil)
    if fetch.isPreemptive { try conversation.giveFirst(for: request.url) }
    do throws(ClientError) { try start() } catch { self.error = error }
    if !fetch.isSilent { others = OthersChallenge() }
  }

  func receive(_ notification: Notification) {
    do throws(ClientError) { try handle(notification) } catch { self.error = error }
  }

  func passBody() {
    do throws(Failure) { try target.pass() } catch { failure = error }
  }

  /// Shows how far it is, or whose answer it waits for, when that is due.
  func showState() {
    showProgress()
    guard isUnasked, let task, let text = others?.text(of: task, in: conversation.session, client) else {
      return
    }
    others = nil
    if conversation.isNew(text) { Diagnostics.write("watchword: \(text)\n") }
  }

  private func showProgress() {
    guard let progress else { return }
    if let pending = isDescribing, let described = try? client.takeReply(to: pending) {
      isDescribing = nil
      progress.received = described.bytesReceived
    }
    if target.isGated { progress.received = target.passed }
    guard progress.isDue(), !target.isGated, isDescribing == nil, !isFinished, let task else { return }
    isDescribing = try? client.post(Request.TaskDescribe(task: task))
  }

  /// The daemon has gone; a result that has arrived stays one.
  func lose(_ error: ClientError) {
    if !isFinished { self.error = error }
  }

  /// Whether the connection is of no use any more.
  var hasLostDaemon: Bool {
    switch error {
    case .connectionLost, .unintelligible, .foreignDaemon, .noDaemon: true
    case .refused, .unreadable, nil: false
    }
  }

  /// Another transfer of this command was asked for a credential, maybe for this one, too.
  func noteQuestion() { wasAsked = true }

  /// Delivers the body and says how the transfer has ended.
  func conclude() throws(Failure) -> Ending {
    progress?.clear()
    if let error { return try conclude(after: error) }
    if let failure {
      giveUp()
      target.abandon()
      if failure.message != nil { outcome.writeOut(after: failure) }
      throw failure
    }
    let head = result.map { HeadText($0) }
    if mayRetry, let head, let reason = fetch.reasonToRetry(head) {
      return .mayPass(reason: reason, response: head)
    }
    if let head, fetch.withholdsBody(of: head) {
      target.withhold()
    } else if let head, fetch.isUnchanged(head) {
      target.abandon()
    } else {
      try target.complete(modified: fetch.keepsTime ? head?.modified : nil)
    }
    return .ended(
      try outcome.finish(
        target, couldAsk: questioner != nil, wasAsked: wasAsked,
        kept: { withheldHint ?? keptCredentialHint(afterRefusal: $0) }))
  }

  private func conclude(after error: ClientError) throws(Failure) -> Ending {
    if !hasFailed { giveUp() }
    if error.isTurnedAway || error.isInterrupted && request.isHarmless && request.isReplayable && head == nil
    {
      target.abandon()
      return .isForNextDaemon(Failure(error))
    }
    if mayRetry, target.passed == 0 || !target.isStandardOutput, case .refused(let remote) = error,
      let reason = fetch.retry.reason(remote)
    {
      target.abandon()
      return .mayPass(reason: reason, response: nil)
    }
    if hasFailed { target.takeRest() }
    let path = target.pathOfBeginning
    let hasBegun = head != nil || path != nil
    target.abandon()
    target.endIfUnread(after: error)
    let failure =
      refusalOfGiven(error) ?? endOfRedirects(error)
      ?? Failure(error, hasBegun: hasBegun).hinting(
        path.map { "\($0) has only the beginning of the body" } ?? hint(after: error)
      ).naming(fetch.isOneOfSeveral ? shownURL : nil)
    outcome.writeOut(after: failure)
    throw failure
  }

  /// The daemon would go on: this connection stays for the other URLs.
  func giveUp() {
    guard let task, result == nil else { return }
    conversation.abandoned.insert(task)
    _ = try? client.post(Request.TaskCancel(task: task))
  }

  private var outcome: FetchOutcome {
    FetchOutcome(
      fetch: fetch, request: request, result: result, heads: earlier + (head.map { [$0] } ?? []), log: log,
      path: target.path)
  }

  /// A redirect has led to a server that asks for what the options give.
  private var withheldHint: String? {
    guard isAway, questioner?.givenIsWithheld == true, let home else { return nil }
    return "what the options give is for \(DisplayText.escaped(home)), and a redirect led to another server"
  }

  /// Nobody was asked, and the caller has given no credential.
  private func keptCredentialHint(afterRefusal isRefusal: Bool, atProxy isAtProxy: Bool = false) -> String? {
    guard !wasAsked, !fetch.isSilent || fetch.showsErrors, !request.headers.contains("authorization") else {
      return nil
    }
    let explain = Request.Explain(
      session: conversation.session, url: result?.url ?? URLText.settingUser(nil, of: request.url),
      method: request.method, headers: request.headers.sent(), proxies: conversation.proxies)
    return KeptCredentialHint(
      request: explain, name: fetch.session.name, isOfSettings: fetch.session.isOfSettings
    ).text(afterRefusal: isRefusal, atProxy: isAtProxy, client)
  }

  /// A server refused the secret of an option; there was no person to ask for another one.
  private func refusalOfGiven(_ error: ClientError) -> Failure? {
    guard case .refused(let remote) = error, remote.kind == .userCancelledAuthentication,
      questioner?.givenIsRefused == true
    else { return nil }
    return Failure(
      "the server has refused the secret that the command was given", hint: "it is not sent twice",
      exitCode: .authenticationRefused)
  }

  /// The error has no URL: it is about all of them.
  private func endOfRedirects(_ error: ClientError) -> Failure? {
    guard case .refused(let remote) = error, remote.kind == .tooManyRedirects else { return nil }
    return Failure(
      "\(shownURL): too many redirects",
      hint: "-v shows where they lead, and --max-redirs follows up to \(FetchLimits.mostRedirects)",
      exitCode: .tooManyRedirects)
  }

  private var shownURL: String {
    DisplayText.escaped(URLText.settingUser(nil, of: request.url), longest: 500)
  }

  /// A refusal of the proxy is no result.
  private func hint(after error: ClientError) -> String? {
    guard case .refused(let remote) = error else { return nil }
    guard remote.kind == .proxyAuthenticationFailed else { return nil }
    if let hint = keptCredentialHint(afterRefusal: true, atProxy: true) { return hint }
    guard questioner == nil, let proxy = remote.proxy else { return nil }
    let place: String
    switch fetch.session.place {
    case .named("default"): place = ""
    case .named(let name): place = "--session \(DisplayText.escaped(name)) "
    // Their sessions may end with the fetch: what is permanent counts in all of them.
    case .bySettings, .ownPrivate: place = "--persistence permanent "
    }
    return "watchword credentials set --proxy \(place)-u USER \(DisplayText.escaped(proxy)) "
      + "keeps a password for the proxy"
  }

  // MARK: Steps

  private func start() throws(ClientError) {
    let session = conversation.session
    let url = try urlWithUser(in: session)
    let fields = target.fieldsToResume
    log.request(request, url: url, fields: fields)
    let output = target.numberToSend
    let descriptors = request.descriptors(output: output)
    let pending = try client.post(
      request.start(
        session: session, url: url, fields: fields, proxies: conversation.proxies, writesOutput: output != nil
      ),
      descriptors: descriptors, reserving: request.size)
    target.didSend()
    task = try client.reply(to: pending).task
  }

  /// With -u, adds the user to the URL if the session would send another one.
  private func urlWithUser(in session: String?) throws(ClientError) -> String {
    guard let user = fetch.user else { return request.url }
    let explained: Sent.Explanation
    do throws(ClientError) {
      explained = try client.call(Request.Explain(session: session, url: request.url))
    } catch {
      // A locked agent shows nothing, and has no other user.
      guard case .refused(let remote) = error, remote.kind == .agentLocked else { throw error }
      return request.url
    }
    let credentials = try client.call(Request.CredentialList(session: session)).credentials
    let isOfAnotherUser = credentials.compactMap(\.value).contains { entry in
      guard let other = entry.user else { return false }
      return entry.isDefault && other != user
        && SpaceText.origin(of: entry.protectionSpace, showsPort: true) == explained.origin
    }
    return isOfAnotherUser ? URLText.settingUser(user, of: request.url) : request.url
  }

  // MARK: Notifications

  private func handle(_ notification: Notification) throws(ClientError) {
    switch notification {
    case .taskDidReceiveChallenge(let challenge), .sessionDidReceiveChallenge(let challenge):
      try answer(challenge)
    case .taskWillRedirect(let proposed):
      // Follows with -L where the session leaves the choice to us; without it the daemon does not ask.
      let request = fetch.session.followsRedirects ? Request.RedirectReplyRequest() : nil
      try client.call(Request.RedirectReply(task: proposed.task, request: request))
    case .taskDidRedirect(let redirect):
      log.redirect(redirect)
      follow(redirect)
      pass(HeadText(redirect))
    case .taskDidReceiveHead(let head):
      log.response(HeadText(head), from: head.url, details: head.details, of: head.hop)
      pass(HeadText(head))
    case .taskDidReceiveResponse(let response):
      log.response(HeadText(response), from: response.url, details: response.details)
      begin(HeadText(response))
    case .taskDidSendBodyData(let sent):
      progress?.sent = sent.bytesSent
      progress?.sentTotal = sent.totalBytes
    case .taskDidFinish(.result(let result)): self.result = result
    case .taskDidFinish(.failure(let failure)):
      hasFailed = true
      throw .refused(RemoteError(failure.error.node))
    case .taskDidReceiveData, .challengeDidSettle, .credentialDidChange, .sessionDidInvalidate,
      .statusDidChange, .other:
      break
    }
  }

  private func follow(_ redirect: Sent.TaskDidRedirect) {
    let home = home ?? URLText.origin(of: redirect.from)
    self.home = home
    isAway = URLText.origin(of: redirect.to) != home
  }

  /// A head before the result's.
  private func pass(_ head: HeadText) {
    earlier.append(head)
    do throws(Failure) { try conversation.dump(head) } catch { failure = error }
  }

  private func answer(_ challenge: Sent.Challenge) throws(ClientError) {
    // One about the server itself is no question for a credential.
    if challenge.protectionSpace.authenticationMethod != "serverTrust" { wasAsked = true }
    log.challenge(challenge)
    progress?.clear()
    let answered: String?
    switch challenge.protectionSpace.authenticationMethod {
    case _ where conversation.methods.isForProxyOnly(challenge.protectionSpace):
      try ReplySender.send(.rejectProtectionSpace, to: challenge, through: client)
      answered = "rejected: --proxy-negotiate is for the proxy"
    case "serverTrust": answered = try trust?.answer(challenge, through: client)
    case "clientCertificate": answered = try certificates?.answer(challenge, through: client)
    default: answered = try questioner?.answer(challenge, isAway: isAway, through: client)
    }
    log.note("challenge \(answered ?? "left to the session")")
  }

  /// The head of the result has arrived.
  private func begin(_ head: HeadText) {
    self.head = head
    progress?.total = head.contentLength
    progress?.sent = nil
    do throws(Failure) { try conversation.dump(head) } catch { failure = error }
    do throws(Failure) { try target.open(for: head, after: earlier) } catch { failure = error }
  }
}
