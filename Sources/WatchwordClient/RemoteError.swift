package import WatchwordJSON

/// An error as the daemon put it: `protocol/errors.json` lists the kinds.
package struct RemoteError: Error, Sendable {
  package let code: Int64
  /// The closed list's name, as `userCancelledAuthentication`; empty when the daemon gave none.
  package let kind: String
  /// For people; holds no secret.
  package let message: String
  /// The `data` member: `kind`, `retry` and what belongs to the kind.
  package let data: JSONValue

  package init(_ error: JSONValue) {
    code = error["code"]?.integer ?? 0
    message = error["message"]?.text ?? "unknown error"
    data = error["data"] ?? .null
    kind = data["kind"]?.text ?? ""
  }
}
