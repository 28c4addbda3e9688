internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordVocabulary

/// Why the daemon could not be called, or its error.
enum ClientError: Error {
  /// No process listens at the path, and no daemon could be started or was allowed to be.
  case noDaemon(path: String, reason: NoDaemonReason)
  /// The process behind the socket belongs to another user, who could read every secret sent to it.
  case foreignDaemon(path: String, uid: UInt32)
  case connectionLost
  /// The received bytes are no message of the protocol.
  case unintelligible
  /// A message is not as the contract of this program describes it.
  case unreadable(ReadFault)
  /// A request larger than the daemon's limit cannot be sent.
  case refused(RemoteError)
}

/// An error from the daemon: `protocol/errors.json` lists the kinds, and the members of `data` that each has.
struct RemoteError: Error, Sendable {
  let code: Int
  /// Nil when the daemon sent none, or one that this version does not know.
  let kind: ErrorKind?
  /// For people; contains no secret.
  let message: String
  /// The parameter or the setting that is wrong.
  let path: String?
  /// A word of the kind.
  let reason: String?
  /// Of the request that failed.
  let url: String?
  /// Whether some of a response had arrived when the connection was lost.
  let responseBegan: Bool
  /// The URL of the proxy that it happened at.
  let proxy: String?
  /// The settings that differ.
  let members: [String]
  /// The faults of the chain that was not accepted.
  let reasons: [Sent.TrustReason]

  /// Lenient: an error must not be lost for what it has besides.
  init(_ error: JSONNode?) {
    let object = error.flatMap { try? ReadObject(reading: $0) }
    let data = error?["data"].flatMap { try? ReadObject(reading: $0) }
    code = (try? object?.member("code")) ?? 0
    message = (try? object?.member("message")) ?? "unknown error"
    kind = (try? data?.member("kind")).flatMap { ErrorKind(rawValue: $0) }
    path = try? data?.member("path")
    reason = try? data?.member("reason")
    url = try? data?.member("url")
    responseBegan = (try? data?.member("responseBegan")) ?? false
    proxy = try? data?.member("proxy")
    members = (try? data?.member("members")) ?? []
    reasons = (try? data?.member("reasons")) ?? []
  }
}
