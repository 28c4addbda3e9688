package import WatchwordVocabulary

/// Over which connection an exchange was made, and what was sent.
///
/// A reference: the head of a response and the metrics of its exchange have the same.
package final class ExchangeDetails: Sendable, Equatable {
  /// What was agreed on in the TLS handshake with the origin.
  package struct Security: Sendable, Equatable {
    package let version: AllowedVersions.TLS?
    /// IANA's name.
    package let cipherSuite: String?
    /// The origin's own; nil when it cannot be read.
    package let certificate: Certificate?

    package init(version: AllowedVersions.TLS?, cipherSuite: String?, certificate: Certificate?) {
      self.version = version
      self.cipherSuite = cipherSuite
      self.certificate = certificate
    }
  }

  /// The head of a request, without its secrets.
  package struct RequestHead: Sendable, Equatable {
    package let line: String
    package let headers: [HeaderField]

    package init(line: String, headers: [HeaderField]) {
      self.line = line
      self.headers = headers
    }
  }

  /// `192.0.2.1:443`, `[2001:db8::1]:443`, of the proxy where there is one; nil: unknown.
  package let remoteAddress: String?
  package let isProxyConnection: Bool
  package let isReused: Bool
  /// Nil without TLS with the origin.
  package let security: Security?
  package let requests: [RequestHead]

  package init(
    remoteAddress: String?, isProxyConnection: Bool, isReused: Bool, security: Security?,
    requests: [RequestHead]
  ) {
    self.remoteAddress = remoteAddress
    self.isProxyConnection = isProxyConnection
    self.isReused = isReused
    self.security = security
    self.requests = requests
  }

  package static func == (left: ExchangeDetails, right: ExchangeDetails) -> Bool {
    left === right
      || left.remoteAddress == right.remoteAddress && left.isProxyConnection == right.isProxyConnection
        && left.isReused == right.isReused && left.security == right.security
        && left.requests == right.requests
  }

  /// Bytes that they take.
  package var heldBytes: Int {
    let heads = requests.reduce(0) { $0 + HeldBytes.text($1.line.utf8.count) + $1.headers.heldBytes }
    return heads + HeldBytes.text(security?.certificate?.byteCount ?? 0)
  }
}

extension Certificate {
  /// Of its texts and of itself.
  fileprivate var byteCount: Int {
    subjectAlternativeNames.reduce(subject.utf8.count + issuer.utf8.count + der.count) { $0 + $1.utf8.count }
  }
}
