/// The two URL schemes that Watchword fetches; after redirects too.
package enum WebScheme: String, Sendable, Hashable, CaseIterable {
  case http
  case https

  package var defaultPort: UInt16 {
    switch self {
    case .http: 80
    case .https: 443
    }
  }
}
