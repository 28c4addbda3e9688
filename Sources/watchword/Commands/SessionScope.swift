internal import Glibc
internal import WatchwordClient
internal import WatchwordMessages

/// The sessions that a command opens or names.
enum SessionScope {
  /// Opens every named session of this user: only its holders may see and answer its challenges.
  static func openAll(_ client: WatchwordClient) throws(Failure) {
    for session in try named(client) { try open(session, client) }
  }

  /// Opens this session; as for a fetch, a missing one is created. Nil: `default`, which is always there.
  static func open(_ name: String?, _ client: WatchwordClient) throws(Failure) {
    guard let name else { return }
    try client.ask(Request.SessionOpen(name: name))
  }

  /// The names of this user's named sessions.
  static func named(_ client: WatchwordClient) throws(Failure) -> [String] {
    try client.ask(Request.SessionList()).sessions.filter { $0.named && $0.uid == Int(getuid()) }
      .map(\.session)
  }
}
