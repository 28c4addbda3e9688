internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// The URLs of one command: one after the other, or with `-Z` several at the same time, each again as
/// `--retry` says.
final class FetchQueue {
  /// One URL, and how often it was tried.
  private struct Attempt {
    let fetch: FetchCommand
    let request: FetchRequest
    let number: Int
    /// When it begins; a retry waits.
    var start = 0.0

    /// How many may follow.
    var left: Int { request.isReplayable ? fetch.retry.count - number + 1 : 0 }
  }

  private let conversation: FetchConversation
  private let trust: FetchTrust
  private var commands: ArraySlice<FetchCommand>
  /// Of the first URL, made when the command line was checked.
  private var first: FetchRequest?
  /// In the order in which they began.
  private var running: [(attempt: Attempt, transfer: FetchTransfer)] = []
  private var paused: [Attempt] = []
  /// For the next daemon, once this one has finished the others; with the failure where there is none.
  private var turnedAway: [(attempt: Attempt, failure: Failure)] = []
  private var renewals = 0
  /// Daemons that may follow one another during one command.
  private static let mostRenewals = 3
  private var exitCode = ExitCode.success
  /// Of a URL whose page is missing for want of a credential or a decision.
  private var refusal: ExitCode?
  private var isAlone = true

  init(
    _ commands: [FetchCommand], trust: FetchTrust, first: FetchRequest?, _ conversation: FetchConversation
  ) {
    self.commands = commands[...]
    self.trust = trust
    self.first = first
    self.conversation = conversation
  }

  /// The exit code is that of the URL that ended last; with several at once, of the one that failed last.
  func run(atOnce most: Int) throws(Failure) -> ExitCode {
    isAlone = most == 1
    listen()
    while true {
      while turnedAway.isEmpty, running.count + (isAlone ? paused.count : 0) < most,
        let fetch = commands.popFirst()
      {
        begin(fetch)
      }
      for attempt in takeDue() { start(attempt) }
      if running.isEmpty, !turnedAway.isEmpty {
        startAtNextDaemon()
        continue
      }
      guard !running.isEmpty || !paused.isEmpty else { break }
      let client = conversation.client
      do throws(ClientError) {
        try client.notify()
        if !running.contains(where: \.transfer.isOver) { try wait(client) }
      } catch {
        for entry in running { entry.transfer.lose(error) }
      }
      concludeEnded()
    }
    return exitCode == .success ? refusal ?? .success : exitCode
  }

  // MARK: Starting

  private func begin(_ checked: FetchCommand) {
    var fetch = checked
    fetch.trust = trust
    do throws(Failure) {
      // The others are made when they begin: each may have a file open.
      let request: FetchRequest
      if let made = first.take() { request = made } else { request = try FetchRequest(fetch) }
      start(Attempt(fetch: fetch, request: request, number: 1))
    } catch {
      note(error, of: fetch)
    }
  }

  private func start(_ attempt: Attempt) {
    do throws(Failure) {
      let transfer = try FetchTransfer(
        attempt.request, attempt.fetch, conversation, mayRetry: attempt.left > 0, isAlone: isAlone)
      running.append((attempt, transfer))
      do throws(Failure) {
        try transfer.begin()
      } catch {
        running.removeLast()
        throw error
      }
    } catch {
      if conversation.isTurnedAway, renewals < Self.mostRenewals {
        return turnedAway.append((attempt, error))
      }
      note(error, of: attempt.fetch)
    }
  }

  private func startAtNextDaemon() {
    renewals += 1
    let entries = turnedAway
    turnedAway = []
    guard conversation.renew() else {
      for entry in entries { note(entry.failure, of: entry.attempt.fetch) }
      (commands, paused) = ([], [])
      return
    }
    listen()
    for entry in entries { start(entry.attempt) }
  }

  private func listen() {
    conversation.client.onNotification = { [unowned self] (notification) throws(ClientError) in
      deliver(notification)
    }
  }

  /// Those whose pause is over.
  private func takeDue() -> [Attempt] {
    guard !paused.isEmpty else { return [] }
    let now = MonotonicClock.seconds
    let due = paused.filter { $0.start <= now }
    paused.removeAll { $0.start <= now }
    return due
  }

  // MARK: Waiting

  private func wait(_ client: WatchwordClient) throws(ClientError) {
    var watched = running.map { pollfd(fd: $0.transfer.readableNumber, events: Int16(POLLIN), revents: 0) }
    let listens = running.contains { !$0.transfer.isFinished }
    watched.append(pollfd(fd: listens ? client.number : -1, events: Int16(POLLIN), revents: 0))
    let ready = poll(&watched, nfds_t(watched.count), patienceMilliseconds)
    if ready > 0, watched.last?.revents != 0 { try client.receive() }
    for (index, entry) in running.enumerated() {
      if ready > 0, watched[index].revents != 0 { entry.transfer.passBody() }
      entry.transfer.showState()
    }
  }

  /// Until a pause is over or there is something to show; -1 for as long as it takes.
  private var patienceMilliseconds: Int32 {
    var patience = running.compactMap(\.transfer.patienceMilliseconds).min()
    if let start = paused.map(\.start).min() {
      let pause = Int32(min(max(0, (start - MonotonicClock.seconds) * 1000).rounded(.up), 600_000))
      patience = min(patience ?? pause, pause)
    }
    return patience ?? -1
  }

  private func deliver(_ notification: Notification) {
    if case .taskDidReceiveChallenge(let challenge) = notification,
      challenge.protectionSpace.authenticationMethod != "serverTrust"
    {
      for entry in running { entry.transfer.noteQuestion() }
    }
    transfer(of: notification.task)?.receive(notification)
  }

  /// The daemon tells of a task before its reply to the request was read.
  private func transfer(of task: String?) -> FetchTransfer? {
    if let task, conversation.abandoned.contains(task) { return nil }
    let transfers = running.map(\.transfer)
    return transfers.first { $0.task == task } ?? transfers.first { $0.task == nil } ?? transfers.first
  }

  // MARK: Ending

  private func concludeEnded() {
    let ended = running.filter(\.transfer.isOver)
    running.removeAll(where: \.transfer.isOver)
    for (attempt, transfer) in ended {
      do throws(Failure) {
        switch try transfer.conclude() {
        case .ended(let exitCode): if isAlone { self.exitCode = exitCode }
        case .mayPass(let reason, let response): pause(attempt, reason, response)
        case .isForNextDaemon(let failure):
          guard renewals < Self.mostRenewals else { throw failure }
          turnedAway.append((attempt, failure))
          continue
        }
      } catch {
        note(error, of: attempt.fetch)
      }
      // Nothing more can be fetched.
      if transfer.hasLostDaemon { (commands, paused) = ([], []) }
    }
  }

  private func pause(_ attempt: Attempt, _ reason: String, _ response: HeadText?) {
    let seconds = attempt.fetch.retry.seconds(before: attempt.number, after: response)
    if !attempt.fetch.isSilent {
      Diagnostics.hint(
        "\(reason): trying again in \(Quantity.seconds(seconds)), \(attempt.left) times at most")
    }
    paused.append(
      Attempt(
        fetch: attempt.fetch, request: attempt.request, number: attempt.number + 1,
        start: MonotonicClock.seconds + seconds))
  }

  private func note(_ failure: Failure, of fetch: FetchCommand) {
    let hasNewHint = failure.hint.map(conversation.isNew) ?? true
    fetch.report(hasNewHint ? failure : Failure(failure.message, exitCode: failure.exitCode))
    exitCode = failure.exitCode
    if [.authenticationRefused, .trustRefused].contains(failure.exitCode) { refusal = failure.exitCode }
    if fetch.endsAtFailure { giveUpAll() }
  }

  private func giveUpAll() {
    commands = []
    paused = []
    turnedAway = []
    for entry in running { entry.transfer.giveUp() }
    running = []
  }
}

extension Notification {
  /// The task that it is about; nil for what concerns no task, or more than one.
  fileprivate var task: String? {
    switch self {
    case .taskDidReceiveChallenge(let challenge), .sessionDidReceiveChallenge(let challenge): challenge.task
    case .taskWillRedirect(let redirect): redirect.task
    case .taskDidRedirect(let redirect): redirect.task
    case .taskDidReceiveHead(let head): head.task
    case .taskDidReceiveResponse(let response): response.task
    case .taskDidReceiveData(let data): data.task
    case .taskDidSendBodyData(let progress): progress.task
    case .taskDidFinish(.result(let result)): result.task
    case .taskDidFinish(.failure(let failure)): failure.task
    case .challengeDidSettle, .credentialDidChange, .sessionDidInvalidate, .statusDidChange, .other:
      nil
    }
  }
}
