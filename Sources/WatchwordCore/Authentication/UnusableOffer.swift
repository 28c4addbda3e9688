package import WatchwordVocabulary

/// A challenge of a response that cannot be answered, and why (challenges.md 6.3).
package struct UnusableOffer: Sendable, Equatable {
  package static let loginPageWithoutFields = UnusableOffer(
    scheme: AuthenticationMethod.htmlForm.rawValue, reason: .missingField)

  /// As the server spelled it, of at most 64 bytes; empty when no name could be read. Of a login page:
  /// `htmlForm`.
  package let scheme: String
  package let reason: Reason

  package init(scheme: String, reason: Reason) {
    self.scheme = String(decoding: scheme.utf8.prefix(64), as: UTF8.self)
    self.reason = reason
  }
}

/// Those of one response.
package struct UnusableOffers: Sendable, Equatable {
  /// Longest list; a response has room for thousands.
  package static let maximumListed = 16

  /// The first of them.
  package private(set) var listed: [UnusableOffer] = []
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ offer: UnusableOffer) {
    count += 1
    if listed.count < Self.maximumListed { listed.append(offer) }
  }

  /// Schemes that were not to be read are those of no method, or of one that is off here.
  mutating func nameDisabled(_ isMethod: (String) -> Bool) {
    listed = listed.map {
      $0.reason == .unknownMethod && isMethod($0.scheme.asciiLowercased)
        ? UnusableOffer(scheme: $0.scheme, reason: .disabled) : $0
    }
  }
}

/// A server, or an attacker on the path, offers less than before (challenges.md 6.5).
package struct WeakerOffer: Sendable, Equatable {
  package let origin: Origin
  package let previous: OfferStrength
  package let offered: OfferStrength
  /// False when the same was reported before, so that one server cannot fill a log.
  package let isNews: Bool
}
