// Made from `protocol/openrpc.json` by `protocol/generate`.

extension NamedSource {
  /// What a source of credentials asks.
  package enum Name: String, CaseIterable, Sendable {
    case file
    case systemd
    case gitHelper
    case oauth
  }
}

extension TaskDriver {
  /// waiting: for the answer to a challenge or a redirect.
  package enum State: String, CaseIterable, Sendable {
    case running
    case suspended
    case waiting
    case finished
  }
}
