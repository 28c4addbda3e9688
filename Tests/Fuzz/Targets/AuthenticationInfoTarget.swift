internal import WatchwordCore
internal import WatchwordSecret

/// The `Authentication-Info` fields of one response, a line each: none is the proof of a password.
enum AuthenticationInfoTarget {
  private static let tickets: [DigestTicket] = ["auth", "auth-int", nil].compactMap { quality in
    let parameters = [#"realm="r""#, #"nonce="n""#] + (quality.map { [#"qop="\#($0)""#] } ?? [])
    let challenges = ChallengeHeaderParser.parse([OctetString("Digest " + parameters.joined(separator: ", "))]
    )
    guard let challenge = challenges.first.flatMap({ DigestChallenge($0) }),
      var authenticator = DigestAuthenticator(
        challenge: challenge, user: "reader", password: Secret("open sesame".utf8))
    else { return nil }
    return try? authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
  }

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    require(tickets.count == 3, "a ticket that cannot be made")
    guard let information = AuthenticationInfo(InputReader(input).lines.map { OctetString($0) }) else {
      return
    }
    if let nonce = information.nextNonce {
      require((1...DigestChallenge.maximumNonceBytes).contains(nonce.count), "a nonce beyond its bound")
    }
    for ticket in tickets {
      require(ticket.verification(of: information, body: .empty) != .verified, "a proof without the password")
    }
  }
}
