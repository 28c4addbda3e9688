internal import WatchwordCore
internal import WatchwordVocabulary

/// The `Authentication-Info` fields of one response, a line each: the proof of a password is that one alone.
enum AuthenticationInfoTarget {
  /// The right proofs, worked out elsewhere (RFC 7616 §3.5). The fuzzer finds them: it sees what is compared.
  private static let proofs = [
    ("auth", "20f62fc04b1f1ffc0a228d9e8fd26b00"),
    ("auth-int", "58ec86fb1e8537f1dc6c541527c4ba26"),
    (nil, "069adecb86e07b78730e9df1222348d4"),
  ]

  private static let tickets: [(DigestTicket, proof: String)] = proofs.compactMap { quality, proof in
    let parameters = [#"realm="r""#, #"nonce="n""#] + (quality.map { [#"qop="\#($0)""#] } ?? [])
    let challenges = ChallengeHeaderParser.parse([OctetString("Digest " + parameters.joined(separator: ", "))]
    )
    guard let challenge = challenges.first.flatMap({ DigestChallenge($0) }),
      var authenticator = DigestAuthenticator(
        challenge: challenge, user: "reader", password: Secret("open sesame".utf8))
    else { return nil }
    let made = try? authenticator.authorization(method: "GET", target: "/", clientNonce: "c")
    return made.map { ($0.ticket, proof) }
  }

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    require(tickets.count == 3, "a ticket that cannot be made")
    guard let information = AuthenticationInfo(InputReader(input).lines.map { OctetString($0) }) else {
      return
    }
    if let nonce = information.nextNonce {
      require((1...DigestChallenge.maximumNonceBytes).contains(nonce.count), "a nonce beyond its bound")
    }
    for (ticket, proof) in tickets where ticket.verification(of: information, body: .empty) == .verified {
      require(information.responseHash?.lowercased() == proof, "a proof without the password")
    }
  }
}
