import Testing

@testable import WatchwordCore

@Suite struct SetCookieTests {
  private static let now: Int64 = 1_000_000

  private func read(_ text: String) -> SetCookie? {
    Array(text.utf8).withUnsafeBytes { SetCookie($0, now: Self.now) }
  }

  private func text(_ cookie: SetCookie?) -> String? {
    cookie.map { String(decoding: $0.name, as: UTF8.self) + "=" + String(decoding: $0.value, as: UTF8.self) }
  }

  @Test(arguments: [
    ("a=1", "a=1"), (" a = 1 ;x", "a=1"), ("a=", "a="), ("a=b=c", "a=b=c"), ("a=\"q\"", "a=\"q\""),
    ("a=x y, z", "a=x y, z"), ("a b=1", "a b=1"), ("a=é", "a=é"),
  ]) func nameAndValueAreWithoutTheSpaceAround(_ field: String, _ pair: String) {
    #expect(text(read(field)) == pair)
  }

  @Test(arguments: ["", ";", "a", "=1", " = 1", "; a=1", "a=\u{1}", "a=x\ty", "a\u{7F}=1", "a;b=1"])
  func whatHasNoNameOrAControlCharacterIsNoCookie(_ field: String) {
    #expect(read(field) == nil)
  }

  @Test func lengthIsBounded() {
    let longest = "n=" + String(repeating: "v", count: CookieLimits.pairBytes - 1)
    #expect(read(longest) != nil)
    #expect(read(longest + "v") == nil)
    let attribute =
      "; x=" + String(repeating: "y", count: CookieLimits.setCookieBytes - longest.utf8.count - 4)
    #expect(read(longest + attribute) != nil)
    #expect(read(longest + attribute + "y") == nil)
  }

  @Test func attributesAreReadWhateverTheirCase() throws {
    let cookie = try #require(
      read("a=1; SECURE; HttpOnly; pAtH=/x/; Domain=.Shop.Example; Max-Age=10; Unknown=1"))
    #expect(cookie.isSecure && cookie.isHTTPOnly && cookie.path == "/x/" && cookie.domain == "shop.example")
    #expect(cookie.expires == Self.now + 10)
  }

  @Test func theLastOfSeveralCounts() throws {
    let cookie = try #require(read("a=1; Path=/x; Path=/y; Domain=a.test; Domain=b.test"))
    #expect(cookie.path == "/y" && cookie.domain == "b.test")
  }

  @Test func aDomainWithoutNameIsNone() {
    #expect(read("a=1; Domain=")?.domain == nil && read("a=1; Domain")?.domain == nil)
  }

  @Test(arguments: [("x", nil), ("", nil), ("\"/q\"", "/q"), ("/", "/")] as [(String, String?)])
  func aPathBeginsWithASlash(_ given: String, _ path: String?) {
    #expect(read("a=1; Path=\(given)")?.path == path)
  }

  @Test(
    arguments: [
      ("Max-Age=0", 1), ("Max-Age=-5", 1), ("Max-Age=soon", 1), ("Max-Age=\"7\"", now + 7),
      ("Max-Age=+7", now + 7),
      ("Max-Age=99999999999999999999", .max), ("Max-Age=9223372036854775807", .max),
      ("Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT", now + 5),
      ("Expires=Thu, 01 Jan 1970 00:01:00 GMT", 60), ("Expires=never", nil), ("", nil),
    ] as [(String, Int64?)]) func itExpires(_ attribute: String, _ moment: Int64?)
  {
    #expect(read("a=1; \(attribute)")?.expires == moment)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Tue, 29 Feb 2028 23:59:59 GMT", 1_835_481_599),
    ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("01 Jan 1601 00:00:00", -11_644_473_600),
    ("6 november 94 8:49:37x", 784_111_777),
  ]) func datesAreRead(_ text: String, _ seconds: Int64) {
    #expect(CookieDate.seconds(text.utf8) == seconds)
  }

  @Test(arguments: [
    "", "Nov 1994", "32 Nov 1994 08:49:37", "6 Nov 1600 08:49:37", "6 Nov 1994 24:00:00",
    "6 Nov 1994 08:60:00",
    "6 Nov 1994 08:49", "6 Xyz 1994 08:49:37", "6 Nov 12345 08:49:37",
  ]) func whatIsNoDateIsNone(_ text: String) {
    #expect(CookieDate.seconds(text.utf8) == nil)
  }
}
