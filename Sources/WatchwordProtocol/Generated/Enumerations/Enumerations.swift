// Made from `protocol/openrpc.json` by `protocol/generate`.

/// What was added to the protocol.
package enum Feature: String, CaseIterable, Sendable {
  /// `session/configure` changes settings of a session (messages.md 4.16).
  case configure
  /// `session/open` with `bySettings` and `variant` (messages.md 4.14).
  case bySettings
  /// `redirects`, `tls`, `httpVersions` and `cookies` of a fetch.
  case taskSettings
  /// `ipVersion` and `maximumBytesPerSecond` of a fetch.
  case connectionSettings
  /// Credentials that go with the first request (storage.md 9.4.6).
  case preemptive
  /// Keys in a header field of their own (storage.md 9.4.9).
  case key
  /// `trust/addRoots`, `trust/listRoots` and `trust/removeRoots` (storage.md 6.6).
  case userRoots
  /// `loginPage` of a response (methods.md 16.10).
  case loginPage
  /// `callersWays` of a challenge and of `explain` (challenges.md 2.4).
  case callersWays
  /// `hostField` of a challenge and of `explain` (storage.md 9.2.7).
  case hostField
  /// A pin of every origin, and one that no reply goes past (messages.md 14.3).
  case strictPins
  /// `exchangeDetails` of a fetch (messages.md 5.2.8).
  case exchangeDetails
  /// `traceparent` of a fetch (messages.md 5.1.12).
  case traceContext
  /// `because` of a reply to a challenge (storage.md 7.3.3).
  case because
  /// `server/restart` (messages.md 11.12).
  case restart
}

/// Why a session is gone.
package enum SessionEnd: String, CaseIterable, Sendable {
  case invalidated
  case finished
  case idle
  case shutdown
}
