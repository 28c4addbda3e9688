// Made from `protocol/openrpc.json` by `protocol/generate`.

/// What failed at a proxy or on the way through it; reason of proxyFailed.
package enum ProxyFault: String, CaseIterable, Sendable {
  /// Its name was not resolved.
  case nameNotResolved
  /// There is no connection to it.
  case connectionFailed
  /// The connection through it was lost.
  case connectionLost
  /// Its answer is not HTTP.
  case malformedResponse
  /// Its header fields are too large.
  case headersTooLarge
  /// It sends without end what is no part of a response.
  case flood
  /// It answered CONNECT with a status other than 2xx and 407.
  case refused
  /// A variable of the daemon's environment has no URL of a proxy.
  case malformedURL
  /// Any other fault of the transport.
  case other
}
