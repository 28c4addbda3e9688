/// The versions of TLS and HTTP that a connection may use.
///
/// Those of the session, or fewer where a task asks for fewer. A task never adds one: a minimum of the session, as that of
/// the administrator's policy, is for all of its tasks.
package struct AllowedVersions: Sendable, Hashable {
  package enum TLS: String, Sendable, CaseIterable {
    case tls12 = "1.2"
    case tls13 = "1.3"
  }

  package enum HTTP: String, Sendable, CaseIterable {
    case http2 = "2"
    case http11 = "1.1"
  }

  package private(set) var minimumTLS: TLS
  package private(set) var maximumTLS: TLS
  package private(set) var allowsHTTP2: Bool

  init(minimumTLS: TLS, maximumTLS: TLS, allowsHTTP2: Bool) {
    self.minimumTLS = minimumTLS
    self.maximumTLS = maximumTLS
    self.allowsHTTP2 = allowsHTTP2
  }

  /// Whether no version of TLS is left.
  package var isEmpty: Bool { minimumTLS == .tls13 && maximumTLS == .tls12 }

  /// Without what a task excludes; members that are nil exclude nothing.
  package func narrowed(
    minimumTLS minimum: TLS?, maximumTLS maximum: TLS?, httpVersions: [HTTP]?
  ) -> AllowedVersions {
    var narrowed = self
    if minimum == .tls13 { narrowed.minimumTLS = .tls13 }
    if maximum == .tls12 { narrowed.maximumTLS = .tls12 }
    if let httpVersions, !httpVersions.contains(.http2) { narrowed.allowsHTTP2 = false }
    return narrowed
  }
}
