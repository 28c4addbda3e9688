package import WatchwordVocabulary

/// A usable Digest challenge (RFC 7616 §3.3): realm and nonce present, algorithm and qop known.
package struct DigestChallenge: Sendable, Equatable {
  package var realm: OctetString
  package var nonce: OctetString
  package var opaque: OctetString?
  package var algorithm: DigestAlgorithm
  /// `algorithm` as the server spelled it, for sending it back; nil when it was absent. It is then left out
  /// of the request too, because servers of RFC 2069 and 2617 expect that.
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

/// The algorithms of RFC 7616 §6.1; strength rises with the hash, `-sess` does not change it.
package enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  case md5 = "MD5"
  case md5Session = "MD5-sess"
  case sha256 = "SHA-256"
  case sha256Session = "SHA-256-sess"
  case sha512256 = "SHA-512-256"
  case sha512256Session = "SHA-512-256-sess"
}

package enum DigestQualityOfProtection: String, Sendable, Hashable {
  case auth
  case authInt = "auth-int"
}

/// Why a Digest value cannot be made from a user and a password.
package enum DigestFault: Error, Sendable, Equatable {
  /// The nonce has been used 4,294,967,295 times: send without it, and take the nonce of the new challenge.
  case nonceExhausted
  /// The server offers `auth-int` only, and the body has not been hashed.
  case bodyHashNeeded
  /// As `bodyHashNeeded`, but the body can be read: nothing has changed, try again with the hash.
  case bodyUnread
  case hashUnavailable
}

extension DigestChallenge {
  /// Longest nonce, in bytes; it is sent with every exchange, and servers limit a request's header fields to
  /// 8 KiB.
  package static let maximumNonceBytes = 2048

  /// The challenge in `raw`; nil when it cannot be answered.
  package init?(_ raw: RawChallenge) {
    guard case .success(let challenge) = Self.read(raw) else { return nil }
    self = challenge
  }

  /// The challenge in `raw`, or why it cannot be answered (challenges.md 6.3).
  ///
  /// A `qop` without a value is that of a server of RFC 2069, which knows none. A `-sess` algorithm without
  /// `qop` cannot be answered: its A1 needs a cnonce, which is sent with `qop` only. Values that RFC 7616
  /// §3.3 takes from a list are compared without regard to case, as deployed servers spell them.
  static func read(_ raw: RawChallenge) -> Result<DigestChallenge, Offer.NotAnOffer> {
    func fault(_ reason: UnusableOffer.Reason) -> Result<DigestChallenge, Offer.NotAnOffer> {
      .failure(Offer.NotAnOffer(reason: reason))
    }
    guard raw.token68 == nil else { return fault(.unexpectedToken) }
    guard let realm = raw.value(of: "realm") else { return fault(.missingRealm) }
    guard let nonce = raw.value(of: "nonce"), !nonce.isEmpty else { return fault(.missingNonce) }
    guard nonce.count <= Self.maximumNonceBytes else { return fault(.nonceTooLong) }

    let algorithmToken = raw.value(of: "algorithm")?.text
    guard let algorithm = algorithmToken.map(DigestAlgorithm.init(ignoringCase:)) ?? .md5,
      algorithm.hash.isAvailable
    else { return fault(.unknownAlgorithm) }

    let named = (raw.value(of: "qop")?.text ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }
    let qualities = named.compactMap { DigestQualityOfProtection(rawValue: $0.asciiLowercased) }
    guard !qualities.isEmpty || (named.isEmpty && !algorithm.isSession) else { return fault(.unknownQop) }

    return .success(
      DigestChallenge(
        realm: realm, nonce: nonce, opaque: raw.value(of: "opaque"), algorithm: algorithm,
        algorithmToken: algorithmToken, qualityOfProtection: qualities,
        isStale: raw.value(of: "stale")?.text.asciiLowercased == "true",
        domain: raw.value(of: "domain")?.text.split { $0 == " " || $0 == "\t" }.map(String.init) ?? [],
        userhash: raw.value(of: "userhash")?.text.asciiLowercased == "true",
        isUTF8: raw.value(of: "charset")?.text.asciiLowercased == "utf-8"))
  }
}

extension DigestAlgorithm {
  package init?(ignoringCase token: String) {
    let wanted = token.asciiLowercased
    guard let found = Self.allCases.first(where: { $0.rawValue.asciiLowercased == wanted }) else {
      return nil
    }
    self = found
  }

  package var hash: HashAlgorithm {
    switch self {
    case .md5, .md5Session: .md5
    case .sha256, .sha256Session: .sha256
    case .sha512256, .sha512256Session: .sha512256
    }
  }

  /// Whether A1 includes nonce and cnonce (RFC 7616 §3.4.2).
  package var isSession: Bool {
    switch self {
    case .md5Session, .sha256Session, .sha512256Session: true
    case .md5, .sha256, .sha512256: false
    }
  }

  /// Greater is stronger; `-sess` is ignored.
  package var strength: Int {
    switch self {
    case .md5, .md5Session: 0
    case .sha256, .sha256Session: 1
    case .sha512256, .sha512256Session: 2
    }
  }
}
