package import WatchwordJSON
package import WatchwordVocabulary

/// An error from the daemon: `protocol/errors.json` lists the kinds.
package struct RemoteError: Error, Sendable {
  package let code: Int64
  /// Nil when the daemon sent none, or one that this version does not know.
  package let kind: ErrorKind?
  /// For people; contains no secret.
  package let message: String
  /// The `data` member: `kind`, `retry` and the members of the kind.
  package let data: JSONValue

  package init(_ error: JSONValue) {
    code = error["code"]?.integer ?? 0
    message = error["message"]?.text ?? "unknown error"
    data = error["data"] ?? .null
    kind = data["kind"]?.text.flatMap(ErrorKind.init)
  }
}
