internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON

/// What the snapshot only counts: a session's holders and credentials by name.
struct SessionDetails {
  let session: String
  /// Without this very process.
  let holders: [JSONValue]
  let credentials: [JSONValue]

  static func all(_ client: WatchwordClient) throws(Failure) -> [SessionDetails] {
    var details: [SessionDetails] = []
    for session in try SessionScope.named(client) {
      let description = try client.ask("session/describe") { SessionScope.write(session, to: &$0) }
      let list = try client.ask("credential/list") { SessionScope.write(session, to: &$0) }
      let holders = description["holders"]?.elements.filter { $0["pid"]?.integer != Int64(getpid()) } ?? []
      details.append(
        SessionDetails(session: session, holders: holders, credentials: list["credentials"]?.elements ?? []))
    }
    return details
  }
}
