internal import Glibc
internal import WatchwordMessages

/// The daemon's snapshots as they come. Nothing but the first one is waited for: a daemon that is stopped or
/// busy stops neither the keys nor the signals of the program that shows them.
final class StatusFeed {
  private let client: WatchwordClient
  private var latest: Sent.StatusSnapshot?
  private var lists: [WatchwordClient.Pending<Request.ChallengeList.Result>] = []
  /// What the daemon shows a holder of the sessions.
  private var whole: WatchwordClient.Pending<Request.Status.Result>?
  private var asked: Set<String> = []

  let first: Sent.StatusSnapshot

  init(_ client: WatchwordClient) throws(Failure) {
    self.client = client
    let shown = try client.ask(Request.Status())
    first = try HiddenChallenges.reveal(in: shown, client) ? try client.ask(Request.Status()) : shown
    client.onNotification = { [weak self] (notification) throws(ClientError) in
      guard case .statusDidChange(let snapshot) = notification, let self else { return }
      asked = []
      try note(snapshot)
    }
    try client.ask(Request.StatusSubscribe(intervalSeconds: 1))
  }

  /// For waiting.
  var number: Int32 { client.number }

  /// The newest one, once.
  func takeLatest() -> Sent.StatusSnapshot? { latest.take() }

  /// Receives what can be read.
  func receive() throws(Failure) {
    do throws(ClientError) {
      try client.receive()
      try client.notify()
      try takeReplies()
    } catch {
      throw Failure(error)
    }
  }

  private func takeReplies() throws(ClientError) {
    var waiting: [WatchwordClient.Pending<Request.ChallengeList.Result>] = []
    for list in lists {
      do throws(ClientError) {
        if try client.takeReply(to: list) == nil { waiting.append(list) }
      } catch {
        // The session may have gone.
        guard case .refused = error else { throw error }
      }
    }
    lists = waiting
    guard let whole, let snapshot = try client.takeReply(to: whole) else { return }
    self.whole = nil
    try note(snapshot)
  }

  /// A snapshot that lacks challenges is asked for again, once for each session, and shown then.
  private func note(_ snapshot: Sent.StatusSnapshot) throws(ClientError) {
    guard whole == nil else { return }
    let hidden = HiddenChallenges.sessions(of: snapshot).filter { asked.insert($0).inserted }
    guard !hidden.isEmpty else {
      latest = snapshot
      return
    }
    for session in hidden { lists.append(try client.post(Request.ChallengeList(session: session))) }
    whole = try client.post(Request.Status())
  }
}

/// Challenges that a snapshot lacks: the daemon shows a challenge only to the holders of its session.
///
/// To list the challenges of a session is to hold it. A command holds no other session, because repeated
/// status commands would keep it from becoming idle.
enum HiddenChallenges {
  /// Holds their sessions; says whether there is one.
  static func reveal(
    in snapshot: Sent.StatusSnapshot, _ client: WatchwordClient
  ) throws(Failure) -> Bool {
    let hidden = sessions(of: snapshot)
    for session in hidden { try client.ask(Request.ChallengeList(session: session)) }
    return !hidden.isEmpty
  }

  /// The sessions of this uid that have some.
  static func sessions(of snapshot: Sent.StatusSnapshot) -> [String] {
    let shown = Set(snapshot.challenges.compactMap { $0.value?.session })
    return snapshot.sessions.compactMap(\.value).filter { session in
      session.pendingChallenges > 0 && session.named && session.uid == Int(getuid())
        && !shown.contains(session.session)
    }.map(\.session)
  }
}
