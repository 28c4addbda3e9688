import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordVocabulary

/// Replies of token endpoints as deployed servers spell them.
@Suite struct TokenMembersTests {
  private static func members(_ text: String, type: String = "application/json") -> TokenReply.Members? {
    let head = ResponseHead(status: 200, headers: [HeaderField("Content-Type", type)])
    return Array(text.utf8).withUnsafeBytes { TokenReply.members(head, $0, isOfDevice: true) }
  }

  @Test(arguments: ["application/json; charset=utf-8", "text/json", "Application/Vnd.Token+JSON"])
  func typesOfJSONAreRead(_ type: String) {
    #expect(Self.members(#"{"expires_in": 60}"#, type: type)?.expiresIn == 60)
  }

  @Test(arguments: ["text/html", "text/plain", "application/jsonp", "image/svg+json", "json"])
  func otherTypesAreNot(_ type: String) {
    #expect(Self.members(#"{"expires_in": 60}"#, type: type) == nil)
  }

  @Test func numbersMayBeStringsOfDigits() {
    let read = Self.members(#"{"expires_in": "3600", "interval": "5"}"#)
    #expect(read?.expiresIn == 3600 && read?.interval == 5)
    for text in ["", "-1", "1e9", " 1", "nan", "12345678901"] {
      #expect(Self.members(#"{"expires_in": "\#(text)"}"#) == nil, "\(text)")
    }
  }

  @Test func theOldNameOfThePageIsRead() {
    #expect(Self.members(#"{"verification_url": "https://a.test/"}"#)?.verificationURI == "https://a.test/")
    let both = #"{"verification_url": "https://a.test/", "verification_uri": "https://b.test/"}"#
    #expect(Self.members(both)?.verificationURI == "https://b.test/")
  }
}
