package import WatchwordVocabulary

/// One request that needs a credential, as the server sees it that gets the credential: the input for
/// checking the limits.
package struct CredentialUse: Sendable {
  /// The URL of the request, or the root of the proxy that the request goes to first.
  package let url: RequestURL
  /// `CONNECT` for a tunnel through a proxy.
  package let method: String
  /// Of the proxy that gets the credential; nil: the origin does.
  package var proxyType: ProxyType?
  /// To the origin; none of its own where the proxy itself gets the credential.
  var route = RequestRoute()
  /// What follows the method in the request line to a proxy.
  var proxyTarget: String?
  /// Where the tunnel leads that the proxy is asked for; nil without one.
  var tunnelTarget: String?
  /// Whether the task may make the same request again (challenges.md 13.10).
  var isRepeatable = false
  /// What the task fetches.
  var taskURL: RequestURL?
  /// Onto which the request goes; nil: not yet known, or one that carries many requests at once.
  var connection: UInt64?
  /// Nil when nothing is sent, as in `explain`.
  package var task: TaskIdentifier?
  /// The process that the task runs for; nil when it is not known.
  package let process: ProcessIdentifier?
  /// Monotonic seconds.
  package let now: Double
  /// Seconds since 1970, for `notAfter`.
  package let wallClock: Double

  package init(url: RequestURL, method: String, process: ProcessIdentifier?, now: Double, wallClock: Double) {
    self.url = url
    self.method = method
    self.process = process
    self.now = now
    self.wallClock = wallClock
  }

  /// Through which it goes to the origin.
  var proxy: Proxy? { route.proxy }

  /// Whether the request goes to a proxy without a tunnel: no connection leads to the origin.
  var isForwarded: Bool { proxy.map { !$0.isTunnel(to: url.origin) } ?? false }

  var requestTarget: String { proxyTarget ?? url.requestTarget }
}
