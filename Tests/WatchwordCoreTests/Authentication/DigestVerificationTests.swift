import Testing
import WatchwordCore
import WatchwordVocabulary

/// The server's half of Digest: `Authentication-Info` (RFC 7616 §3.5).
@Suite struct DigestVerificationTests {
  private let field = #"Digest realm="r", nonce="n1", qop="auth""#

  private func authenticator(_ field: String, password: String = "pw") throws -> DigestAuthenticator {
    let challenge = try #require(digestChallenge(field))
    return try #require(DigestAuthenticator(challenge: challenge, user: "u", password: secret(password)))
  }

  private func hash(_ algorithm: HashAlgorithm, _ text: String) throws -> String {
    try hashed(algorithm, text).hexadecimal
  }

  /// What a server that knows `password` says of `ticket`.
  private func proof(
    _ ticket: DigestTicket, _ algorithm: DigestAlgorithm = .md5, password: String = "pw", body: String? = nil
  ) throws -> String {
    let kind = algorithm.hash
    var first = try hash(kind, "u:r:\(password)")
    if algorithm.isSession { first = try hash(kind, "\(first):\(ticket.nonce):\(ticket.clientNonce)") }
    let second = try hash(kind, ":\(ticket.target)" + (try body.map { ":" + (try hash(kind, $0)) } ?? ""))
    guard let quality = ticket.quality else { return try hash(kind, "\(first):\(ticket.nonce):\(second)") }
    let digits = String(ticket.nonceCount, radix: 16)
    let count = String(repeating: "0", count: 8 - digits.count) + digits
    return try hash(
      kind, "\(first):\(ticket.nonce):\(count):\(ticket.clientNonce):\(quality.rawValue):\(second)")
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func serverThatKnowsThePasswordIsVerified(algorithm: DigestAlgorithm) throws {
    var authenticator = try authenticator(field + ", algorithm=\(algorithm.rawValue)")
    for index in 1...3 {
      let ticket = try authenticator.authorization(method: "GET", target: "/\(index)", clientNonce: "c")
        .ticket
      let right = try proof(ticket, algorithm)
      let value = "qop=auth, rspauth=\"\(right.uppercased())\", cnonce=\"c\", nc=0000000\(index)"
      #expect(authenticator.receive(authenticationInfo: [value], ticket: ticket) == .verified)
      let wrong = try proof(ticket, algorithm, password: "other")
      #expect(authenticator.receive(authenticationInfo: ["rspauth=\"\(wrong)\""], ticket: ticket) == .wrong)
    }
  }

  @Test func answerOfAnotherExchangeIsWrong() throws {
    var authenticator = try authenticator(field)
    let first = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c1").ticket
    let second = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c2").ticket
    let right = "rspauth=\"\(try proof(first))\""
    #expect(authenticator.receive(authenticationInfo: [right], ticket: second) == .wrong)
    #expect(authenticator.receive(authenticationInfo: [right + ", cnonce=c2"], ticket: first) == .wrong)
    #expect(authenticator.receive(authenticationInfo: [right + ", nc=00000002"], ticket: first) == .wrong)
    #expect(authenticator.receive(authenticationInfo: [right + ", nc=x"], ticket: first) == .wrong)
    #expect(
      authenticator.receive(authenticationInfo: [right, "cnonce=c1, nc=1"], ticket: first) == .verified)
  }

  @Test func exchangesOfAnEarlierNonceStillVerify() throws {
    var authenticator = try authenticator(field + ", algorithm=SHA-256-sess")
    let old = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c1").ticket
    #expect(authenticator.receive(authenticationInfo: ["nextnonce=\"n2\""], ticket: old) == .absent)
    let new = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c2").ticket
    #expect(new.nonce == "n2")
    #expect(new.nonceCount == 1)
    for ticket in [old, new, old] {
      let value = "rspauth=\"\(try proof(ticket, .sha256Session))\""
      #expect(authenticator.receive(authenticationInfo: [value], ticket: ticket) == .verified)
    }
  }

  @Test func nextNonceIsTakenOverUnlessTheServerIsAnotherOne() throws {
    var authenticator = try authenticator(field)
    let ticket = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    let wrong = ["nextnonce=\"n2\", rspauth=\"\(String(repeating: "0", count: 32))\""]
    #expect(authenticator.receive(authenticationInfo: wrong, ticket: ticket) == .wrong)
    #expect(authenticator.challenge.nonce == "n1")
    let right = ["nextnonce=\"n2\", rspauth=\"\(try proof(ticket))\""]
    #expect(authenticator.receive(authenticationInfo: right, ticket: ticket) == .verified)
    #expect(authenticator.challenge.nonce == "n2")
  }

  @Test func sameNonceAsNextKeepsItsCount() throws {
    var authenticator = try authenticator(field)
    let ticket = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    #expect(authenticator.receive(authenticationInfo: ["nextnonce=n1"], ticket: ticket) == .absent)
    let again = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    #expect(again.nonceCount == 2)
  }

  @Test func integrityOfTheResponseBodyIsChecked() throws {
    var authenticator = try authenticator(#"Digest realm="r", nonce="n1", qop="auth-int""#)
    let ticket = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    let info = ["qop=auth-int, rspauth=\"\(try proof(ticket, body: "served"))\""]
    let served = DigestBody.hashed(try hashed(.md5, "served"))
    #expect(authenticator.receive(authenticationInfo: info, ticket: ticket, body: served) == .verified)
    #expect(authenticator.receive(authenticationInfo: info, ticket: ticket, body: .empty) == .wrong)
    #expect(authenticator.receive(authenticationInfo: info, ticket: ticket) == .absent)
  }

  @Test(arguments: ["auth-int", "other", "auth-conf"])
  func qualityThatTheRequestDidNotUseIsWrong(claimed: String) throws {
    var authenticator = try authenticator(field)
    let ticket = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    let right = "rspauth=\"\(try proof(ticket))\""
    for info in [[right, "qop=\(claimed)"], ["qop=\(claimed), nextnonce=x"]] {
      #expect(authenticator.receive(authenticationInfo: info, ticket: ticket) == .wrong)
    }
    #expect(authenticator.receive(authenticationInfo: [right, "qop=AUTH"], ticket: ticket) == .verified)
  }

  @Test func qualityInAnswerToTheOldFormIsWrong() throws {
    var authenticator = try authenticator(#"Digest realm="r", nonce="n1""#)
    let ticket = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    let info = ["rspauth=\"\(try proof(ticket))\", qop=auth"]
    #expect(authenticator.receive(authenticationInfo: info, ticket: ticket) == .wrong)
  }

  @Test(arguments: [
    "", ",", "nextnonce", "nextnonce=", "nextnonce=\"", "nextnonce=\"\"", "nextnonce=a nextnonce=b",
    "nextnonce=a, nextnonce=b", "rspauth", "=", "nextnonce=\"a\u{1}\"",
  ])
  func malformedFieldSaysNothing(value: String) throws {
    var authenticator = try authenticator(field)
    let ticket = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    #expect(authenticator.receive(authenticationInfo: [value], ticket: ticket) == .absent)
    #expect(authenticator.challenge.nonce == "n1")
  }

  @Test func nextNonceIsBounded() throws {
    var authenticator = try authenticator(field)
    let ticket = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    let long = String(repeating: "n", count: DigestChallenge.maximumNonceBytes + 1)
    #expect(authenticator.receive(authenticationInfo: ["nextnonce=\(long)"], ticket: ticket) == .absent)
    #expect(authenticator.challenge.nonce == "n1")
  }

  @Test func answerWithoutQualityIsChecked() throws {
    var authenticator = try authenticator(#"Digest realm="r", nonce="n1""#)
    let ticket = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    let info = ["rspauth=\"\(try proof(ticket))\""]
    #expect(authenticator.receive(authenticationInfo: info, ticket: ticket) == .verified)
  }
}
