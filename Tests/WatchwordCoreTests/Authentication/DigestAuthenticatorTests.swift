import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct DigestAuthenticatorTests {
  private let field = #"Digest realm="r", nonce="n1", qop="auth", opaque="o""#

  private func authenticator(_ field: String, user: String = "reader", password: String = "pw") throws
    -> DigestAuthenticator
  {
    let challenge = try #require(digestChallenge(field))
    return try #require(DigestAuthenticator(challenge: challenge, user: user, password: secret(password)))
  }

  static func check(_ vector: DigestVectors.Vector) throws {
    // One vector of curl's leaves out the realm, which the parser does not let through.
    let field = vector.challenge.contains("realm=") ? vector.challenge : vector.challenge + ", realm=\"\""
    let challenge = try #require(digestChallenge(field), "\(vector.name)")
    var authenticator = try #require(
      DigestAuthenticator(challenge: challenge, user: vector.user, password: secret(vector.password)))
    let made = try authenticator.authorization(
      method: vector.method, target: vector.target, clientNonce: vector.clientNonce ?? "unused")
    let sent = digestParameters(text(of: made.value))
    #expect(sent["response"] == vector.response, "\(vector.name)")
    #expect(sent["qop"] == vector.quality, "\(vector.name)")
    #expect(sent["nc"] == vector.quality.map { _ in "00000001" }, "\(vector.name)")
    #expect(sent["cnonce"] == (vector.quality == nil ? nil : vector.clientNonce), "\(vector.name)")
    #expect(sent["uri"] == vector.target, "\(vector.name)")
    #expect(sent["realm"] == challenge.realm.text, "\(vector.name)")
    #expect(sent["nonce"] == challenge.nonce.text, "\(vector.name)")
    #expect(sent["opaque"] == challenge.opaque?.text, "\(vector.name)")
    for (name, value) in vector.also {
      switch name {
      case "absent": for name in value.split(separator: ",") { #expect(sent[String(name)] == nil) }
      case "username_hash": #expect(sent["username"] == value, "\(vector.name)")
      default: #expect(sent[name] == value, "\(vector.name)")
      }
    }
  }

  @Test(arguments: DigestVectors.all.indices)
  func computesWhatOthersCompute(index: Int) throws {
    try Self.check(DigestVectors.all[index])
  }

  /// Responses that their sources print or compute wrongly: RFC 7616 §3.9.2 (erratum 4897), RFC 2069 §2.4 (erratum 749),
  /// and Apache HttpComponents' `userhash` (Apache-2.0), which hashes the hash of the user name.
  @Test func doesNotComputeWhatItsSourceHasWrong() throws {
    for (name, wrong) in [
      ("rfc7616-3.9.2-erratum4897", "ae66e67d6b427bd3f120414a82e4acff38e8ecd9101d6c861229025f607a79dd"),
      ("rfc2069-2.4-erratum749", "e966c932a9242554e42c8ee200cec7f6"),
      ("apache-userhash-rfc", "3b6561ceb73e5ffe9314a695179f23f9"),
    ] {
      let vector = try #require(DigestVectors.all.first { $0.name == name })
      try Self.check(vector)
      #expect(vector.response != wrong, "\(name)")
    }
  }

  /// chromium net/http/http_auth_handler_digest_unittest.cc (BSD-3-Clause), at an origin and at a proxy.
  @Test func anEmptyMethodIsHashedAsItIs() throws {
    var authenticator = try authenticator(
      #"Digest realm="Oblivion", nonce="nonce-value""#, user: "foo", password: "bar")
    let made = try authenticator.authorization(method: "", target: "/path/to/resource", clientNonce: "unused")
    #expect(digestParameters(text(of: made.value))["response"] == "6779f90bd0d658f937c1af967614fe84")
  }

  @Test func fieldIsSpelledAsRFC7616Has() throws {
    var authenticator = try authenticator(
      ##"Digest realm="a \"b\" \\c", nonce="n", algorithm=sha-256, qop="auth,auth-int", opaque="\"""##,
      user: #"re"ad\er"#)
    let made = try authenticator.authorization(method: "GET", target: #"/x?"y\"#, clientNonce: "c")
    let value = text(of: made.value)
    let response = try #require(digestParameters(value)["response"])
    #expect(
      value == ##"Digest username="re\"ad\\er", realm="a \"b\" \\c", nonce="n", algorithm=sha-256, "##
        + ##"opaque="\"", uri="/x?\"y\\", qop=auth, nc=00000001, cnonce="c", response="\##(response)""##)
    #expect(response.utf8.count == 64)
  }

  @Test func userBeyondASCIIIsSentAsTheServerCanReadIt() throws {
    let cases = [
      ("", #"username="Jäsøn D'oe""#),
      (", charset=UTF-8", "username*=UTF-8''J%C3%A4s%C3%B8n%20D%27oe,"),
      (", algorithm=SHA-256", "username*=UTF-8''J%C3%A4s%C3%B8n%20D%27oe,"),
    ]
    for (more, expected) in cases {
      var authenticator = try authenticator(field + more, user: "Jäsøn D'oe")
      let value = text(
        of: try authenticator.authorization(method: "GET", target: "/", clientNonce: "c").value)
      #expect(value.contains(expected))
    }
  }

  @Test func countRisesWithEveryCall() throws {
    var authenticator = try authenticator(field)
    for expected in ["00000001", "00000002", "00000003"] {
      let made = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c")
      #expect(digestParameters(text(of: made.value))["nc"] == expected)
    }
    for _ in 4...0x1A { _ = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c") }
    let made = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c")
    #expect(digestParameters(text(of: made.value))["nc"] == "0000001b")
    #expect(made.ticket.nonceCount == 0x1B)
  }

  @Test func newNonceStartsTheCountAgainAndTheSameOneDoesNot() throws {
    var authenticator = try authenticator(field)
    _ = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c")
    let same = try #require(digestChallenge(field + ", stale=true"))
    let takesSame = authenticator.update(challenge: same)
    #expect(takesSame)
    let again = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c")
    #expect(again.ticket.nonceCount == 2)
    let fresh = try #require(digestChallenge(#"Digest realm="r", nonce="n2", qop="auth", stale=true"#))
    let takesFresh = authenticator.update(challenge: fresh)
    #expect(takesFresh)
    let made = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c")
    #expect(made.ticket.nonceCount == 1)
    let sent = digestParameters(text(of: made.value))
    #expect(sent["nonce"] == "n2")
    #expect(sent["opaque"] == nil)
  }

  @Test func updatedAuthenticatorEqualsAFreshOne() throws {
    var updated = try authenticator(field)
    _ = try updated.authorization(method: "GET", target: "/", clientNonce: "c")
    let next = #"Digest realm="r", nonce="n2", qop="auth", userhash=true"#
    let challenge = try #require(digestChallenge(next))
    let isTaken = updated.update(challenge: challenge)
    #expect(isTaken)
    var fresh = try authenticator(next)
    let first = try updated.authorization(method: "PUT", target: "/y", clientNonce: "d")
    let second = try fresh.authorization(method: "PUT", target: "/y", clientNonce: "d")
    #expect(first.value == second.value)
    #expect(first.ticket == second.ticket)
  }

  @Test(arguments: [#"Digest realm="s", nonce="n2""#, #"Digest realm="r", nonce="n2", algorithm=SHA-256"#])
  func otherRealmOrHashNeedsThePasswordAgain(other: String) throws {
    var authenticator = try authenticator(field)
    let challenge = try #require(digestChallenge(other))
    let isTaken = authenticator.update(challenge: challenge)
    #expect(!isTaken)
    #expect(authenticator.challenge.nonce == "n1")
  }

  @Test func sessionKeepsItsFirstClientNonceForANonce() throws {
    let session = #"Digest realm="r", nonce="n1", qop="auth", algorithm=MD5-sess"#
    var authenticator = try authenticator(session)
    let first = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c1")
    let second = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c2")
    #expect(first.ticket.clientNonce == "c1")
    #expect(second.ticket.clientNonce == "c1")
    #expect(digestParameters(text(of: second.value))["cnonce"] == "c1")
    let next = try #require(digestChallenge(session.replacing("n1", with: "n2")))
    let isTaken = authenticator.update(challenge: next)
    #expect(isTaken)
    let third = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c3")
    #expect(third.ticket.clientNonce == "c3")
  }

  @Test func bodyHashIsNeededOnlyWhereNothingElseIsOffered() throws {
    var both = try authenticator(#"Digest realm="r", nonce="n", qop="auth-int,auth""#)
    #expect(!both.needsBodyHash)
    let either = try both.authorization(method: "PUT", target: "/", body: .unknown, clientNonce: "c")
    #expect(either.ticket.quality == .auth)
    var integrity = try authenticator(#"Digest realm="r", nonce="n", qop="auth-int""#)
    #expect(integrity.needsBodyHash)
    #expect(throws: DigestFault.bodyHashNeeded) {
      try integrity.authorization(method: "PUT", target: "/", body: .unknown, clientNonce: "c")
    }
    let made = try integrity.authorization(method: "PUT", target: "/", body: .empty, clientNonce: "c")
    #expect(made.ticket.nonceCount == 1)
  }

  @Test func bodyIsPartOfTheAnswer() throws {
    var authenticator = try authenticator(#"Digest realm="r", nonce="n", qop="auth-int""#)
    let made = try authenticator.authorization(
      method: "PUT", target: "/x", body: .hashed(hashed(.md5, "bo", "dy")), clientNonce: "c")
    #expect(digestParameters(text(of: made.value))["response"] == "33d039a159a03c4c66e5f02aa063636a")
  }

  @Test func refusedCharactersMakeNoAuthenticator() throws {
    let challenge = try #require(digestChallenge(field))
    for (user, password) in [("a\r\nb", "p"), ("a", "p\u{0}"), ("a\u{7F}", "")] {
      #expect(DigestAuthenticator(challenge: challenge, user: user, password: secret(password)) == nil)
    }
  }
}
