import Testing
import WatchwordCore
internal import WatchwordVocabulary

@testable import WatchwordTransport

@Suite struct SentHeadsTests {
  private static func heads(_ texts: String..., hiding names: Set<String> = []) -> [ExchangeDetails
    .RequestHead]
  {
    var heads = SentHeads(hiding: names)
    for text in texts {
      Array(text.utf8).withUnsafeBytes { heads.noteHead($0) }
    }
    return heads.heads
  }

  @Test func aHeadIsReadWithoutItsSecrets() {
    let heads = Self.heads(
      "GET /a HTTP/1.1\r\nHost: a.test\r\nAuthorization: Basic c2VudGluZWw=\r\nX-Empty:\r\nX-Mine: s\r\n\r\n",
      hiding: ["x-mine"])
    let expected = ExchangeDetails.RequestHead(
      line: "GET /a HTTP/1.1",
      headers: [
        HeaderField("Host", "a.test"), HeaderField("Authorization", "Basic <secret>"),
        HeaderField("X-Empty", ""),
        HeaderField("X-Mine", "<secret>"),
      ])
    #expect(heads == [expected])
  }

  @Test func aFieldThatIsHiddenLaterIsHiddenFromThenOn() {
    var heads = SentHeads(hiding: [])
    heads.hide([HeaderField("X-Key", "k")])
    Array("GET / HTTP/2\r\nx-key: secret\r\n\r\n".utf8).withUnsafeBytes { heads.noteHead($0) }
    #expect(heads.heads.first?.headers == [HeaderField("x-key", "<secret>")])
  }

  /// What follows could begin in the middle of a secret.
  @Test(arguments: [
    "GET / HTTP/1.1\r\nAuthorization: Bas", "GET / HTTP/1.1\r\nAuthorization", "GET / HTTP/1.1\r\nX: 1\r\n",
    "GET / HTTP/1.1\r\n", "", "\r\n\r\n", "sentinel\r\n\r\n", "GET / HTTP/1.1\r\nno field\r\n\r\n",
    "GET / HTTP/1.1\r\nX: 1\r\n\r\nbody",
  ])
  func nothingIsTakenAfterAPartOfAHead(part: String) {
    #expect(Self.heads(part, "GET /second HTTP/1.1\r\nHost: a.test\r\n\r\n").isEmpty)
  }

  @Test func severalHeadsAreTakenAndNotAnyNumber() {
    let head = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"
    #expect(Self.heads(head, head).count == 2)
    var heads = SentHeads(hiding: [])
    for _ in 0..<100 { Array(head.utf8).withUnsafeBytes { heads.noteHead($0) } }
    #expect(heads.heads.count == 8)
  }
}
