package import WatchwordJSON

/// An error from the daemon: `protocol/errors.json` lists the kinds.
package struct RemoteError: Error, Sendable {
  package let code: Int64
  /// A name of the closed list, such as `userCancelledAuthentication`; empty when the daemon sent none.
  package let kind: String
  /// For people; contains no secret.
  package let message: String
  /// The `data` member: `kind`, `retry` and the members of the kind.
  package let data: JSONValue

  package init(_ error: JSONValue) {
    code = error["code"]?.integer ?? 0
    message = error["message"]?.text ?? "unknown error"
    data = error["data"] ?? .null
    kind = data["kind"]?.text ?? ""
  }
}
