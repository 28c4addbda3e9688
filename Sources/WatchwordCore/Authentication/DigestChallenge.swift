package import WatchwordVocabulary

/// A usable Digest challenge (RFC 7616 §3.3): realm and nonce present, algorithm and qop known.
package struct DigestChallenge: Sendable, Equatable {
  package var realm: OctetString
  package var nonce: OctetString
  package var opaque: OctetString?
  package var algorithm: DigestAlgorithm
  /// `algorithm` as the server spelled it, for sending it back; nil when it was absent. It is then left out of the
  /// request too, because servers of RFC 2069 and 2617 expect that.
  package var algorithmToken: String?
  /// The known qop values offered; empty for the RFC 2069 form, which sends none.
  package var qualityOfProtection: [DigestQualityOfProtection]
  package var isStale: Bool
  /// URIs of `domain`, as sent; empty when absent.
  package var domain: [String]
  package var userhash: Bool
  /// Whether user and password are to be encoded as UTF-8 (`charset=UTF-8`).
  package var isUTF8: Bool

  package init(
    realm: OctetString, nonce: OctetString, opaque: OctetString? = nil, algorithm: DigestAlgorithm = .md5,
    algorithmToken: String? = nil, qualityOfProtection: [DigestQualityOfProtection] = [.auth],
    isStale: Bool = false,
    domain: [String] = [], userhash: Bool = false, isUTF8: Bool = false
  ) {
    self.realm = realm
    self.nonce = nonce
    self.opaque = opaque
    self.algorithm = algorithm
    self.algorithmToken = algorithmToken
    self.qualityOfProtection = qualityOfProtection
    self.isStale = isStale
    self.domain = domain
    self.userhash = userhash
    self.isUTF8 = isUTF8
  }
}

extension DigestChallenge {
  /// `auth` if it is offered; nil, the RFC 2069 form, if no quality is.
  var quality: DigestQualityOfProtection? {
    qualityOfProtection.contains(.auth) ? .auth : qualityOfProtection.first
  }

  /// The algorithm that must hash a request's body; nil when no hash is needed.
  var bodyAlgorithm: DigestAlgorithm? { quality == .authInt ? algorithm : nil }
}
