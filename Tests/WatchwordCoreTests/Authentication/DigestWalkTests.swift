import Testing
import WatchwordCore
import WatchwordVocabulary

/// Random walks of an authenticator against a server that checks everything it is sent, some 10,000 events.
@Suite struct DigestWalkTests {
  /// A server's side of RFC 7616, computed independently of the authenticator.
  private struct Server {
    let algorithm: DigestAlgorithm
    let quality: DigestQualityOfProtection?
    var nonce = 0
    var counts: Set<String> = []

    var challenge: DigestChallenge {
      DigestChallenge(
        realm: "r\"\\", nonce: "n\(nonce)", opaque: "o\(nonce)", algorithm: algorithm,
        algorithmToken: algorithm.rawValue, qualityOfProtection: quality.map { [$0] } ?? [])
    }

    func hash(_ text: String) throws -> String { try hashed(algorithm.hash, text).hexadecimal }

    func response(_ sent: [String: String], method: String, body: String) throws -> String {
      var first = try hash("u:r\"\\:pw")
      let nonce = sent["nonce", default: ""]
      let clientNonce = sent["cnonce", default: ""]
      if algorithm.isSession { first = try hash("\(first):\(nonce):\(clientNonce)") }
      let integrity = quality == .authInt ? ":" + (try hash(body)) : ""
      let second = try hash("\(method):\(sent["uri", default: ""])\(integrity)")
      guard let quality else { return try hash("\(first):\(nonce):\(second)") }
      return try hash(
        "\(first):\(nonce):\(sent["nc", default: ""]):\(clientNonce):\(quality.rawValue):\(second)")
    }
  }

  private struct Pending {
    let ticket: DigestTicket
    let sent: [String: String]
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func everyAnswerIsRightAndNoCountComesTwice(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let algorithm = random.pick(DigestAlgorithm.allCases)
    let choices: [DigestQualityOfProtection?] =
      algorithm.isSession ? [.auth, .authInt] : [.auth, .authInt, nil]
    var server = Server(algorithm: algorithm, quality: random.pick(choices))
    var authenticator = try #require(
      DigestAuthenticator(challenge: server.challenge, user: "u", password: secret("pw")))
    var pending: [Pending] = []

    for step in 0..<500 {
      let about = "seed \(seed), step \(step)"
      switch random.below(8) {
      case 0:
        server.nonce += 1
        let isTaken = authenticator.update(challenge: server.challenge)
        #expect(isTaken, "\(about)")
      case 1:
        let isTaken = authenticator.update(challenge: authenticator.challenge)
        #expect(isTaken, "\(about)")
      case 2...4:
        let method = random.pick(["GET", "PUT", "CONNECT"])
        let target = random.pick(["/", "/a?b=\"c\\", "host.test:443", "/%C3%A4"])
        let body = random.pick(["", "body"])
        let made = try authenticator.authorization(
          method: method, target: target, body: body.isEmpty ? .empty : .hashed(hashed(algorithm.hash, body)),
          clientNonce: random.text(of: "0123456789abcdef", count: 8..<33))
        let sent = digestParameters(text(of: made.value))
        #expect(sent["response"] == (try server.response(sent, method: method, body: body)), "\(about)")
        #expect(sent["uri"] == target, "\(about)")
        #expect(sent["realm"] == server.challenge.realm.text, "\(about)")
        #expect(sent["nonce"] == "n\(server.nonce)", "\(about)")
        if let count = sent["nc"] {
          #expect(server.counts.insert("\(server.nonce) \(count)").inserted, "\(about)")
        }
        pending.append(Pending(ticket: made.ticket, sent: sent))
      default:
        guard !pending.isEmpty else { continue }
        let exchange = pending.remove(at: random.below(pending.count))
        let proof = try server.response(exchange.sent, method: "", body: "served")
        let isWrong = random.oneIn(4)
        let claimed = isWrong ? String(proof.reversed()) + "0" : proof
        if random.oneIn(3), !isWrong { server.nonce += 1 }
        let info = "rspauth=\"\(claimed)\", nextnonce=\"n\(isWrong ? 9999 : server.nonce)\""
        let verification = authenticator.receive(
          authenticationInfo: [info], ticket: exchange.ticket,
          body: .hashed(try hashed(algorithm.hash, "served")))
        #expect(verification == (isWrong ? .wrong : .verified), "\(about)")
        #expect(authenticator.challenge.nonce == "n\(server.nonce)", "\(about)")
      }
    }
  }
}
