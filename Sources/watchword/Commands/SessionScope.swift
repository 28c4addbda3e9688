internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON

/// The sessions that a command opens or names.
enum SessionScope {
  /// Opens every named session of this user: only its holders may see and answer its challenges.
  static func openAll(_ client: WatchwordClient) throws(Failure) {
    for session in try named(client) { try open(session, client) }
  }

  /// Opens this session; as for a fetch, a missing one is created. Nil: `default`, which is always there.
  static func open(_ name: String?, _ client: WatchwordClient) throws(Failure) {
    guard let name else { return }
    try client.ask("session/open") {
      $0.key("name")
      $0.string(name)
    }
  }

  /// The names of this user's named sessions.
  static func named(_ client: WatchwordClient) throws(Failure) -> [String] {
    try client.ask("session/list")["sessions"]?.elements.compactMap { session in
      guard session["named"]?.flag == true, session["uid"]?.integer == Int64(getuid()) else { return nil }
      return session["session"]?.text
    } ?? []
  }

  /// Writes the member `session` when one is named.
  static func write(_ name: String?, to writer: inout JSONWriter) {
    guard let name else { return }
    writer.key("session")
    writer.string(name)
  }
}
