internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON

/// The sessions that a command for people reads.
enum SessionScope {
  /// Opens every named session of this user: only its holders may see and answer its challenges.
  static func openAll(_ client: WatchwordClient) throws(Failure) {
    for session in try named(client) {
      try client.ask("session/open") {
        $0.key("name")
        $0.string(session)
      }
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
