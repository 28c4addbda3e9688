import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Octets of a server that are not UTF-8, from the field to the answer.
struct OctetStringTests {
  private var memory = SessionMemory()

  /// A Digest challenge in a field with these octets for realm, nonce and opaque.
  private func challenge(_ octets: [UInt8], nonce: [UInt8] = Array("n".utf8)) -> HeaderField {
    let parts: [[UInt8]] = [
      Array("Digest qop=\"auth\", algorithm=SHA-256, realm=\"".utf8), octets, Array("\", nonce=\"".utf8),
      nonce,
      Array("\", opaque=\"".utf8), octets, Array("\"".utf8),
    ]
    return HeaderField("WWW-Authenticate", octets: parts.flatMap(\.self))
  }

  private mutating func asked(_ field: HeaderField) -> TaskScene {
    var scene = TaskScene()
    scene.begin(memory)
    scene.head(401, [field], memory)
    scene.end(memory)
    return scene
  }

  @Test func aTextIsItsOctetsAndIsShownWithReplacements() {
    #expect(OctetString("é") == OctetString(octets: [0xC3, 0xA9]))
    #expect(OctetString("é") != OctetString(octets: [0xE9]))
    #expect(OctetString(octets: [0x61, 0xE9]).text == "a\u{FFFD}")
    #expect(!OctetString(octets: [0xE9]).isUTF8 && OctetString("é").isUTF8)
    // The replacement itself is UTF-8, and another text than what it replaces.
    #expect(OctetString("\u{FFFD}") != OctetString(octets: [0xE9]))
  }

  @Test func aFieldKeepsItsOctetsBesideItsText() {
    let field = HeaderField("X", octets: [0x61, 0xE9])
    #expect(field.value == "aé" && field.octetString == OctetString(octets: [0x61, 0xE9]))
    let utf8 = HeaderField("X", octets: [0xC3, 0xA9])
    #expect(utf8.value == "é" && utf8 == HeaderField("X", "é") && utf8.octetString == "é")
  }

  @Test(arguments: [[0xE9], [0xC3, 0xA9], [0x80, 0xFF, 0x22, 0x5C].filter { $0 > 0x7F }] as [[UInt8]])
  mutating func octetsGoBackAndIntoTheHashAsTheyCame(_ octets: [UInt8]) throws {
    var scene = asked(challenge(octets, nonce: octets + [0x31]))
    #expect(scene.question?.space.realm == OctetString(octets: octets))
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    let sent = try #require(scene.authorizationOctets)
    let fields = OctetString(octets: sent)
    let given = try #require(ChallengeHeaderParser.parse([fields]).first)
    #expect(given.value(of: "realm")?.octets == octets)
    #expect(given.value(of: "nonce")?.octets == octets + [0x31])
    #expect(given.value(of: "opaque")?.octets == octets)
    func hash(_ parts: [UInt8]...) throws -> [UInt8] {
      guard var hash = Hash(.sha256) else { throw DigestFault.hashUnavailable }
      for part in parts { hash.update(part) }
      return Array(hash.finish().hexadecimal.utf8)
    }
    let first = try hash(Array("joe:".utf8), octets, Array(":x".utf8))
    let second = try hash(Array("GET:/d/x".utf8))
    let response = try hash(first, Array(":".utf8), octets + [0x31], Array(":00000001:c:auth:".utf8), second)
    #expect(given.value(of: "response")?.octets == response)
  }

  @Test mutating func twoRealmsThatDifferInAnOctetAreTwoSpaces() {
    var scene = asked(challenge([0xE9]))
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
    for other in [[0xC3, 0xA9], [0xEA], [0xEF, 0xBF, 0xBD]] as [[UInt8]] {
      let task = asked(challenge(other))
      #expect(task.question != nil && task.question?.previousFailureCount == 0)
    }
    #expect(asked(challenge([0xE9], nonce: [0x32])).question?.previousFailureCount != 0)
  }

  @Test mutating func aNextNonceKeepsItsOctets() throws {
    var scene = asked(challenge([0x72]))
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(
      200, [HeaderField("Authentication-Info", octets: Array("nextnonce=\"".utf8) + [0xFF, 0x22])],
      with: memory)
    var next = TaskScene()
    next.begin(memory)
    let sent = OctetString(octets: try #require(next.authorizationOctets))
    #expect(ChallengeHeaderParser.parse([sent]).first?.value(of: "nonce")?.octets == [0xFF])
  }
}
