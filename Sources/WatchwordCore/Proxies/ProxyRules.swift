package import WatchwordVocabulary

/// Which proxy leads to which origin: a session's or a task's `proxies`, or the daemon's environment.
package struct ProxyRules: Sendable, Equatable {
  package enum Source: String, Sendable {
    case session
    case task
    case environment
  }

  /// One proxy, and the setting that names it.
  package struct Entry: Sendable, Equatable {
    /// `http`, `https` and `all`, or the name of a variable.
    package let name: String
    /// Nil: the value is no proxy's URL. What it was meant for is not sent past it.
    package let proxy: Proxy?

    package init(name: String, proxy: Proxy?) {
      self.name = name
      self.proxy = proxy
    }
  }

  package let source: Source
  package var http: Entry?
  package var https: Entry?
  /// For a scheme without an entry of its own.
  package var all: Entry?
  /// The origins that are reached without a proxy.
  package var exceptions: [ProxyException] = []

  package init(_ source: Source) { self.source = source }

  package var isEmpty: Bool { http == nil && https == nil && all == nil }

  /// How to reach the origin; nil: no setting concerns it.
  package func choice(for origin: Origin) -> ProxyChoice? {
    let own =
      switch origin.scheme {
      case .http: http
      case .https: https
      }
    guard let entry = own ?? all else { return nil }
    let exception = exceptions.first { $0.matches(origin) }
    return ProxyChoice(source: source, entry: entry, exception: exception?.text)
  }
}

/// The proxy that leads to an origin, and why; what `explain` reports.
package struct ProxyChoice: Sendable, Equatable {
  package let source: ProxyRules.Source
  package let entry: ProxyRules.Entry
  /// The exception that applies: the origin is reached without the proxy.
  package let exception: String?

  /// Nil when there is an exception.
  package var proxy: Proxy? { exception == nil ? entry.proxy : nil }
  /// Whether the setting that counts is no proxy's URL.
  package var isUnusable: Bool { exception == nil && entry.proxy == nil }
}
