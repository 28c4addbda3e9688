internal import WatchwordMessages
internal import WatchwordVocabulary

/// Finds out that a fetch waits for the answer to a challenge that another process was asked: nothing is
/// asked here, and the person would see nothing.
struct OthersChallenge {
  private static let firstSeconds = 1.0

  private var next: Double
  private var interval = OthersChallenge.firstSeconds
  private var pending: WatchwordClient.Pending<Sent.ChallengeList>?

  init() { next = MonotonicClock.seconds + Self.firstSeconds }

  /// For how long nothing is to be done.
  var patienceMilliseconds: Int32 {
    pending == nil ? Int32(min(max(0, (next - MonotonicClock.seconds) * 1000).rounded(.up), 600_000)) : -1
  }

  /// What to tell the person; nil as long as there is nothing. A session that shows no challenges to this
  /// process tells nothing.
  mutating func text(of task: String, in session: String?, _ client: WatchwordClient) -> String? {
    do throws(ClientError) {
      if let asked = pending {
        guard let list = try client.takeReply(to: asked) else { return nil }
        pending = nil
        return list.challenges.compactMap(\.value).first { challenge in
          challenge.waiters.contains { $0.task == task }
        }.map { Self.text(of: $0, for: task) }
      }
      guard MonotonicClock.seconds >= next else { return nil }
      interval *= 2
      next = MonotonicClock.seconds + interval
      pending = try client.post(Request.ChallengeList(session: session))
    } catch {
      (pending, next) = (nil, .infinity)
    }
    return nil
  }

  /// The task that came first is the one whose process was asked, unless that is ours: then a delegate of the
  /// session was.
  private static func text(of challenge: Sent.Challenge, for task: String) -> String {
    let first = challenge.waiters.first
    let asked = first.flatMap { $0.task == task ? nil : "\(SessionText.process(of: $0)) was asked; " } ?? ""
    return "waits for the answer to \(SpaceText.text(of: challenge.protectionSpace)): "
      + "\(asked)watchword answer \(DisplayText.escaped(challenge.challenge)) answers it"
  }
}
