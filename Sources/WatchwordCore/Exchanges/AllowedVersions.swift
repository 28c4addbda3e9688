/// The versions of TLS and HTTP that a connection may use.
///
/// Those of the session, or fewer where a task asks for fewer. A task never adds one: a minimum of the session, as that of
/// the administrator's policy, is for all of its tasks.
package struct AllowedVersions: Sendable, Hashable {
  package private(set) var minimumTLS: SessionConfiguration.TLSBound
  package private(set) var maximumTLS: SessionConfiguration.TLSBound
  package private(set) var allowsHTTP2: Bool

  /// Those of a session.
  package init(_ configuration: SessionConfiguration) {
    minimumTLS = configuration.tls.minimumVersion
    maximumTLS = configuration.tls.maximumVersion
    allowsHTTP2 = configuration.httpVersions.contains(.http2)
  }

  /// Whether no version of TLS is left.
  package var isEmpty: Bool { minimumTLS == .tls13 && maximumTLS == .tls12 }

  /// Without what a task excludes; members that are nil exclude nothing.
  package func narrowed(
    minimumTLS minimum: SessionConfiguration.TLSBound?, maximumTLS maximum: SessionConfiguration.TLSBound?,
    httpVersions: [SessionConfiguration.HTTPVersion]?
  ) -> AllowedVersions {
    var narrowed = self
    if minimum == .tls13 { narrowed.minimumTLS = .tls13 }
    if maximum == .tls12 { narrowed.maximumTLS = .tls12 }
    if let httpVersions, !httpVersions.contains(.http2) { narrowed.allowsHTTP2 = false }
    return narrowed
  }
}
