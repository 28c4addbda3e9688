import WatchwordVocabulary

@testable import WatchwordCore

/// The bytes of a secret as text: tests look, the product cannot.
func text(of secret: Secret) -> String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }

func secret(_ text: String) -> Secret { Secret(Array(text.utf8)) }

/// The challenge in the value of a `WWW-Authenticate` field, usable or not.
func digestChallenge(_ field: String) -> DigestChallenge? {
  ChallengeHeaderParser.parse([field]).first { $0.scheme == "digest" }.flatMap(DigestChallenge.init)
}

/// The parameters of an `Authorization: Digest` value, unquoted.
func digestParameters(_ value: String) -> [String: String] {
  let parameters = ChallengeHeaderParser.parse([value]).first?.parameters ?? []
  return Dictionary(parameters.map { ($0.name, $0.value.text) }) { first, _ in first }
}

extension ChallengeHeaderParser {
  static func parse(_ fieldValues: [String]) -> [RawChallenge] { parse(fieldValues.map { OctetString($0) }) }
}

extension OfferSelection {
  /// Those that can be tried.
  static func offers(
    in fieldValues: [OctetString], policy: MethodPolicy,
    supportedMethods: Set<AuthenticationMethod> = supportedMethods
  ) -> [Offer] {
    read(fieldValues, policy: policy, supportedMethods: supportedMethods).offers
  }

  static func offers(in fieldValues: [String], policy: MethodPolicy) -> [Offer] {
    offers(in: fieldValues.map { OctetString($0) }, policy: policy)
  }
}

extension Offer {
  /// Nil for a challenge that cannot be answered.
  init?(_ challenge: RawChallenge) {
    guard case .success(let offer) = Self.read(challenge) else { return nil }
    self = offer
  }
}

/// The hash of `pieces` one after the other.
func hashed(_ algorithm: HashAlgorithm, _ pieces: String...) throws -> HashValue {
  guard var hash = Hash(algorithm) else { throw DigestFault.hashUnavailable }
  for piece in pieces { hash.update(piece) }
  return hash.finish()
}

extension DigestAuthenticator {
  /// What a task does with `Authentication-Info`: judges it by the ticket, and takes over its nonce if it is right.
  mutating func receive(
    authenticationInfo fields: [String], ticket: DigestTicket, body: DigestBody = .unknown
  ) -> DigestVerification {
    guard let information = AuthenticationInfo(fields.map { OctetString($0) }) else { return .absent }
    let verification = ticket.verification(of: information, body: body)
    if verification != .wrong { takeOver(information) }
    return verification
  }
}
