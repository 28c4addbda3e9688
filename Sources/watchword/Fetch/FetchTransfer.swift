internal import CLinux
internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// One fetch from request to result: sends it, answers challenges, and delivers the body.
final class FetchTransfer {
  /// How it ended, unless it failed.
  enum Ending {
    case ended(ExitCode)
    /// --retry is for this; the response, if there was one.
    case mayPass(reason: String, response: JSONValue?)
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

  /// The members of the result, once the task has finished.
  private var result: JSONValue?
  private var task: String?
  /// The heads before the result's: the parameters of `task/didRedirect` and `task/didReceiveHead`.
  private var earlier: [JSONValue] = []
  private var wasAsked = false
  /// Whether the task has ended without a result.
  private var hasFailed = false
  /// Why this ends early although the daemon has reported no error.
  private var failure: Failure?

  init(
    _ request: FetchRequest, _ fetch: FetchCommand, _ conversation: FetchConversation, mayRetry: Bool
  ) throws(Failure) {
    self.fetch = fetch
    self.request = request
    self.conversation = conversation
    self.mayRetry = mayRetry
    client = conversation.client
    questioner = conversation.questioner
    target = try BodyTarget(try FetchOutput(fetch, url: request.url), fetch, mayRetry: mayRetry)
    trust = TrustAnswerer(fetch.trust, mayAsk: fetch.mayAsk && fetch.askpass == nil)
    // With --cert the certificate is already given.
    let mayAskForCertificate = fetch.mayAsk && fetch.askpass == nil && !conversation.hasIdentity
    certificates = mayAskForCertificate ? IdentityAnswerer(persistence: fetch.persistence) : nil
    log = TransferLog(isOn: fetch.isVerbose)
    progress = fetch.isSilent || fetch.isVerbose ? nil : Progress(beside: target)
  }

  func run() throws(Failure) -> Ending {
    if request.headers.showsSecret, !fetch.isSilent {
      Diagnostics.hint(
        "a secret in an argument is readable by every process; -H @FILE reads fields from a file")
    }
    client.onNotification = { [unowned self] (notification) throws(ClientError) in try take(notification) }
    try conversation.open(trust: trust, asksForCertificates: certificates != nil)
    do throws(ClientError) {
      try start()
    } catch {
      progress?.clear()
      if mayRetry, target.passed == 0 || !target.isStandardOutput, case .refused(let remote) = error,
        let reason = fetch.retry.reason(remote)
      {
        target.abandon()
        return .mayPass(reason: reason, response: nil)
      }
      if hasFailed { target.takeRest() }
      let path = target.pathOfBeginning
      target.abandon()
      target.endIfUnread(after: error)
      outcome.writeOut()
      throw trust?.refusal ?? Failure(error).hinting(path.map { "\($0) has only the beginning of the body" })
    }
    progress?.clear()
    if let failure {
      giveUp()
      target.abandon()
      if failure.message != nil { outcome.writeOut() }
      throw failure
    }
    if mayRetry, let result, let reason = fetch.retry.reason(result) {
      return .mayPass(reason: reason, response: result)
    }
    try target.complete()
    return .ended(try outcome.finish(target, couldAsk: questioner != nil, wasAsked: wasAsked))
  }

  /// The daemon would go on: this connection stays for the next URL.
  private func giveUp() {
    guard let task, result == nil else { return }
    conversation.abandoned.insert(task)
    _ = try? client.post("task/cancel") {
      $0.key("task")
      $0.string(task)
    }
  }

  private var outcome: FetchOutcome {
    FetchOutcome(fetch: fetch, request: request, result: result ?? .null, earlier: earlier, log: log)
  }

  // MARK: Steps

  private func start() throws(ClientError) {
    let session = conversation.session
    let url = try urlWithUser(in: session)
    let needsEvents =
      target.isGated || progress != nil || log.isOn || fetch.headPath != nil
      || fetch.isHead
    let fields = target.fieldsToResume
    log.request(request, url: url, fields: fields)
    let output = target.numberToSend
    let identifier = try client.post(
      needsEvents ? "task/start" : "fetch", descriptors: request.descriptors(output: output),
      reserving: request.size
    ) {
      request.write(to: &$0, session: session, url: url, fields: fields, writesOutput: output != nil)
    }
    target.didSend()
    guard needsEvents else {
      result = try client.reply(to: identifier)
      return
    }
    task = try client.reply(to: identifier)["task"]?.text
    try pump(task: task)
  }

  /// With -u, adds the user to the URL if the session would send another one.
  private func urlWithUser(in session: String?) throws(ClientError) -> String {
    guard let user = fetch.user else { return request.url }
    let name: WatchwordClient.Parameters = { writer in
      guard let session else { return }
      writer.key("session")
      writer.string(session)
    }
    let explained: JSONValue
    do throws(ClientError) {
      explained = try client.call("explain") { writer in
        name(&writer)
        writer.key("url")
        writer.string(request.url)
      }
    } catch {
      // A locked agent shows nothing, and has no other user.
      guard case .refused(let remote) = error, remote.kind == .agentLocked else { throw error }
      return request.url
    }
    let isOfAnotherUser = try client.call("credential/list", name)["credentials"]?.elements.contains {
      entry in
      guard let space = entry["protectionSpace"], let other = entry["user"]?.text else { return false }
      return entry["isDefault"]?.flag == true && other != user
        && SpaceText.origin(of: space, showsPort: true) == explained["origin"]?.text
    }
    return isOfAnotherUser == true ? URLText.settingUser(user, of: request.url) : request.url
  }

  /// Waits for the end of the task, and passes the body on meanwhile.
  private func pump(task: String?) throws(ClientError) {
    var isDescribing: Int64?
    while true {
      try client.notify()
      if failure != nil { return }
      let isFinished = result != nil
      if isFinished, target.readableNumber < 0 { return }
      let ready = caller_wait(
        isFinished ? -1 : client.number, target.readableNumber, progress?.patienceMilliseconds ?? -1, nil)
      if ready > 0, ready & 1 != 0 { try client.receive() }
      if ready > 0, ready & 2 != 0 { passBody() }
      guard let progress else { continue }
      if let identifier = isDescribing, let described = try? client.takeReply(to: identifier) {
        isDescribing = nil
        progress.received = Int(clamping: described["bytesReceived"]?.integer ?? 0)
      }
      if target.isGated { progress.received = target.passed }
      if progress.isDue(), !target.isGated, isDescribing == nil, !isFinished, let task {
        isDescribing = try client.post("task/describe") {
          $0.key("task")
          $0.string(task)
        }
      }
    }
  }

  private func passBody() {
    do throws(Failure) { try target.pass() } catch { failure = error }
  }

  // MARK: Notifications

  private func take(_ notification: WatchwordClient.Notification) throws(ClientError) {
    let parameters = notification.parameters
    if let task = parameters["task"]?.text, conversation.abandoned.contains(task) { return }
    switch notification.method {
    case "task/didReceiveChallenge", "session/didReceiveChallenge":
      wasAsked = true
      log.challenge(parameters)
      progress?.clear()
      let answered: String?
      switch parameters["protectionSpace"]?["authenticationMethod"]?.text {
      case "serverTrust": answered = try trust?.answer(parameters, through: client)
      case "clientCertificate": answered = try certificates?.answer(parameters, through: client)
      default: answered = try questioner?.answer(parameters, through: client)
      }
      log.note("challenge \(answered ?? "left to the session")")
    case "task/willRedirect":
      try redirect(parameters)
    case "task/didRedirect", "task/didReceiveHead":
      log.earlier(parameters)
      earlier.append(parameters)
      do throws(Failure) { try conversation.dump(parameters) } catch { failure = error }
    case "task/didReceiveResponse":
      log.response(parameters)
      progress?.total = ResponseHead.contentLength(of: parameters)
      progress?.sent = nil
      do throws(Failure) { try conversation.dump(parameters) } catch { failure = error }
      do throws(Failure) { try target.open(for: parameters, after: earlier) } catch { failure = error }
    case "task/didSendBodyData":
      progress?.sent = Int(clamping: parameters["bytesSent"]?.integer ?? 0)
      progress?.sentTotal = parameters["totalBytes"]?.integer.map { Int(clamping: $0) }
    case "task/didFinish":
      if let error = parameters["error"] {
        hasFailed = true
        throw .refused(RemoteError(error))
      }
      result = parameters
    default: break
    }
  }

  /// Follows with -L where the session leaves the choice to us; without it the daemon does not ask.
  private func redirect(_ parameters: JSONValue) throws(ClientError) {
    try client.call("redirect/reply") { writer in
      writer.key("task")
      writer.string(parameters["task"]?.text ?? "")
      writer.key("request")
      if fetch.session.followsRedirects {
        writer.beginObject()
        writer.endObject()
      } else {
        writer.null()
      }
    }
  }
}
