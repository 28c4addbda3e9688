// Made from `protocol/openrpc.json` by `protocol/generate`.

extension ErrorKind {
  /// Whether and how it makes sense to try again.
  package enum Retry: String, CaseIterable, Sendable {
    case never
    case same
    case newCredential
    case later
  }
}
