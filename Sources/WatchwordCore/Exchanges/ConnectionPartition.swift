package import WatchwordVocabulary

/// Connections of one session that may serve the same exchanges; partitions never share a connection.
///
/// A connection depends on the decisions under which it was opened (challenges.md 10.7), so these are part of
/// the key for its reuse.
package struct ConnectionPartition: Sendable, Hashable {
  package enum Ground: Sendable, Hashable {
    /// Default evaluation or a decision of the session.
    case common
    /// A decision of the session: for tasks whose delegates take every chain.
    case decided
    /// A decision for some tasks only; its connections are closed when these tasks have ended.
    case grant(UInt64)
  }

  package let ground: Ground
  /// Whether the origin requests a client certificate and a delegate takes that question. Without a delegate,
  /// default handling has presented one or none, which is no answer for tasks that have one.
  package var isAskedForIdentities: Bool

  /// The one connection of a connection-bound credential; nil: connections without one.
  package var bound: UInt64?

  /// The way through a proxy; nil: the connections lead to the origins themselves.
  package var proxy: ProxyRoute?

  /// The versions of TLS, HTTP and IP of tasks that exclude some; nil: the session's.
  package var versions: AllowedVersions?

  package init(_ ground: Ground, isAskedForIdentities: Bool = false, proxy: ProxyRoute? = nil) {
    self.ground = ground
    self.isAskedForIdentities = isAskedForIdentities
    self.proxy = proxy
  }

  /// Whether it is one connection that a credential of a connection-bound method belongs to, at either hop.
  package var isOneConnection: Bool { bound != nil || proxy?.bound != nil }

  /// Whether its connections depend on what this one stands for, at the origin or at the proxy.
  package func dependsOn(_ ground: Ground) -> Bool {
    self.ground == ground || proxy?.partition.ground == ground
  }

  /// A proxy, what it was sent, and the decisions about itself: two tasks for which one of them differs share
  /// no tunnel.
  package final class ProxyRoute: Sendable, Hashable {
    package let proxy: Proxy
    /// Of what the proxy was sent.
    private let credential: CredentialMark?
    /// Of the handshake with an HTTPS proxy.
    package let partition: ConnectionPartition
    /// The one connection of a connection-bound credential of the proxy.
    package let bound: UInt64?

    package init(
      _ proxy: Proxy, credential: Credential.Kind?, partition: ConnectionPartition, bound: UInt64? = nil
    ) {
      self.proxy = proxy
      self.credential = credential.map(CredentialMark.init)
      self.partition = partition
      self.bound = bound
    }

    package static func == (left: ProxyRoute, right: ProxyRoute) -> Bool {
      left === right
        || (left.proxy == right.proxy && left.credential == right.credential
          && left.partition == right.partition && left.bound == right.bound)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(proxy) }
  }

  package static let common = ConnectionPartition(.common)
  package static let decided = ConnectionPartition(.decided)
  package static func grant(_ number: UInt64) -> ConnectionPartition { ConnectionPartition(.grant(number)) }
}

/// The versions of TLS, HTTP and IP that a connection may use.
///
/// Those of the session, or fewer where a task asks for fewer. A task never adds one: a minimum of the
/// session, as that of the administrator's policy, is for all of its tasks.
package struct AllowedVersions: Sendable, Hashable {
  package private(set) var minimumTLS: TLS
  package private(set) var maximumTLS: TLS
  package private(set) var allowsHTTP2: Bool
  /// The only one; nil: both.
  package private(set) var ip: IP?

  init(minimumTLS: TLS, maximumTLS: TLS, allowsHTTP2: Bool) {
    self.minimumTLS = minimumTLS
    self.maximumTLS = maximumTLS
    self.allowsHTTP2 = allowsHTTP2
  }

  /// Whether no version of TLS is left.
  package var isEmpty: Bool { minimumTLS == .tls13 && maximumTLS == .tls12 }

  /// Without what a task excludes; members that are nil exclude nothing.
  package func narrowed(
    minimumTLS minimum: TLS?, maximumTLS maximum: TLS?, httpVersions: [HTTP]?, ip: IP? = nil
  ) -> AllowedVersions {
    var narrowed = self
    if minimum == .tls13 { narrowed.minimumTLS = .tls13 }
    if maximum == .tls12 { narrowed.maximumTLS = .tls12 }
    if let httpVersions, !httpVersions.contains(.http2) { narrowed.allowsHTTP2 = false }
    narrowed.ip = ip ?? narrowed.ip
    return narrowed
  }
}
