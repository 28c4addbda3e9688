import Testing
import WatchwordCore
import WatchwordTransport
import WatchwordVocabulary

@Suite struct URLParserTests {
  @Test(
    arguments: [
      ("http://Example.COM", "http://example.com/"),
      ("HTTPS://example.com:443/a?b#c", "https://example.com/a?b"),
      ("http://example.com:8080", "http://example.com:8080/"),
      ("http://h/a/./b/../c", "http://h/a/c"),
      ("http://h/a/%2e%2E/b", "http://h/b"),
      ("http://h/a b?c d", "http://h/a%20b?c%20d"),
      ("http://h/ü?é", "http://h/%C3%BC?%C3%A9"),
      ("http://h/\"<>\\^`{|}", "http://h/%22%3C%3E%5C%5E%60%7B%7C%7D"),
      ("http://h/%zz%2f", "http://h/%zz%2f"),
      ("http://h?q=1", "http://h/?q=1"),
      ("http://h/?", "http://h/?"),
      ("http://bücher.example/", "http://xn--bcher-kva.example/"),
      ("http://[0:0:0:0:0:0:0:1]:8080/", "http://[::1]:8080/"),
      ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
      ("http://127.1/", "http://127.0.0.1/"),
      ("http://0x7f000001/", "http://127.0.0.1/"),
      ("http://example.com./", "http://example.com./"),
      ("http://my_host/", "http://my_host/"),
    ]
  )
  func urlHasOneSpelling(_ text: String, _ expected: String) throws {
    #expect(try URLParser.parse(text).text == expected)
  }

  @Test(
    arguments: [
      ("", URLFault.notAbsolute), ("example.com/", .notAbsolute), ("/path", .notAbsolute),
      ("http:/h/p", .notAbsolute), ("http:///h/p", .notAbsolute), ("http:h", .notAbsolute),
      ("http://", .notAbsolute), ("http://?q", .badHost), ("http://@/", .badHost),
      ("ftp://h/", .unsupportedScheme), ("file:///etc/passwd", .unsupportedScheme),
      ("javascript:alert(1)", .unsupportedScheme), ("gopher://h", .unsupportedScheme),
      ("http://h\r\nX: y/", .controlCharacter), ("http://h/\u{0}", .controlCharacter),
      ("http://h/\u{7F}", .controlCharacter), ("http://u%0d%0a@h/", .controlCharacter),
      ("http://u:p%00@h/", .controlCharacter), ("http://u:%zz@h/", .badUserinfo),
      ("http://%ff@h/", .badUserinfo), ("http://a@b@c/", .badUserinfo),
      ("http://h\\@evil.example/", .badHost), ("http://h evil/", .badHost), ("http://h%00/", .badHost),
      ("http://h%2Fevil/", .badHost), ("http://h%40evil/", .badHost), ("http://h%0d%0aX/", .badHost),
      ("http://1.2.3.256/", .badHost), ("http://1.2.3.4.5/", .badHost), ("http://a..b/", .badHost),
      ("http://.h/", .badHost), ("http://h$/", .badHost), ("http://%65xample.com/", .badHost),
      ("http://0x7f%2e1/", .badHost), ("http://[::1/", .badHost),
      ("http://[::1]x/", .badPort), ("http://[1::2::3]/", .badHost),
      ("http://[fe80::1%25eth0]/", .zoneIdentifier), ("http://[::1%eth0]/", .zoneIdentifier),
      ("http://h:0/", .badPort), ("http://h:65536/", .badPort), ("http://h:-1/", .badPort),
      ("http://h:8x/", .badPort), ("http://h:80:80/", .badPort),
    ]
  )
  func malformedURLIsRefused(_ text: String, _ fault: URLFault) {
    #expect(throws: fault) { try URLParser.parse(text) }
  }

  @Test(
    arguments: [
      "http://h", "http://h/", "http://h/?", "http://h/a?", "http://h?q", "http://h/a?b?c",
      "http://h/a?/../b",
      "http://h/./a", "http://h/a/../b", "http://h/a/..", "http://h/.", "http://h/.well-known/x",
      "http://h/a.b/c..",
      "http://h/%2e%2E/b", "http://h/a%2Fb%2e", "http://h//a", "http://h/a b#c", "http://u:p@h/a",
      "http://h/ü?é",
      "http://H:80/a", "https://h/a", "http://127.1/a", "http://[0::1]:8080/a?b", "http://h:/a",
    ])
  func knownAuthorityChangesNoURL(_ text: String) throws {
    let url = try URLParser.parse(text)
    var authorities = KnownAuthorities()
    for _ in 1...2 {
      #expect(try authorities.parse(text) == url)
      #expect(try authorities.parse(text).text == url.text)
      _ = try authorities.parse("http://other/")
    }
    #expect(throws: URLFault.badPort) { try authorities.parse("http://h:0/a") }
  }

  @Test func theSameURLAgainIsNotParsedUnlessItsTextHasAPassword() throws {
    var authorities = KnownAuthorities()
    #expect(try authorities.parse("http://h/a") === authorities.parse("http://h/a"))
    #expect(try authorities.parse("http://u:p@h/a") !== authorities.parse("http://u:p@h/a"))
    #expect(try authorities.parse("http://h/a").userinfo == nil)
  }

  @Test func moreAuthoritiesThanAreRememberedAreParsed() throws {
    var authorities = KnownAuthorities()
    for number in [1, 2, 1] + Array(1...200) {
      #expect(try authorities.parse("http://h\(number)/a").origin.host == "h\(number)")
    }
  }

  @Test func longURLIsRefused() {
    let path = String(repeating: "a", count: URLParser.maximumLength)
    #expect(throws: URLFault.tooLong) { try URLParser.parse("http://h/" + path) }
  }

  @Test func userinfoIsCutOffAndDecodedOnce() throws {
    let url = try URLParser.parse("http://us%25er:p%40ss%2500@h/p")
    #expect(url.userinfo?.user == "us%er")
    #expect(url.userinfo?.password == Secret("p@ss%00".utf8))
    #expect(url.text == "http://h/p")
    #expect(try URLParser.parse("http://u@h/").userinfo?.password == nil)
    #expect(try URLParser.parse("http://u:@h/").userinfo?.password == Secret([UInt8]()))
    #expect(try URLParser.parse("http://h/a@b:c").userinfo == nil)
  }

  @Test(
    arguments: [
      ("http://o.test/x", "http://o.test/x"), ("//o.test/x", "https://o.test/x"), ("/x", "https://h:8443/x"),
      ("x", "https://h:8443/a/x"), ("../x", "https://h:8443/x"), ("./", "https://h:8443/a/"),
      ("?y", "https://h:8443/a/b?y"), ("", "https://h:8443/a/b?q"), ("#f", "https://h:8443/a/b?q"),
      ("x#f", "https://h:8443/a/x"), ("%2e%2e/x", "https://h:8443/x"), ("x y", "https://h:8443/a/x%20y"),
      ("http://u:p@o.test/", "http://o.test/"), ("../../../x", "https://h:8443/x"),
      ("/\u{301}x", "https://h:8443/%CC%81x"), ("?\u{301}", "https://h:8443/a/b?%CC%81"),
      ("x#\u{301}", "https://h:8443/a/x"),
    ]
  )
  func locationIsResolvedAgainstTheRequest(_ location: String, _ expected: String) throws {
    let base = try URLParser.parse("https://u:p@h:8443/a/b?q")
    let url = try URLParser.resolve(location: location, against: base)
    #expect(url.text == expected)
    #expect(url.userinfo == nil)
  }

  @Test(arguments: [
    "javascript:x", "file:///x", "http://", "//", "http://a@b@c", "\r\nX: y", "data:,x", "//\u{301}",
  ])
  func badLocationIsRefused(_ location: String) throws {
    let base = try URLParser.parse("http://h/")
    #expect(throws: URLFault.self) { try URLParser.resolve(location: location, against: base) }
  }

  /// No text may trap, and what is accepted must be accepted again as the same.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func anyTextIsParsedOrRefused(_ seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    let pieces = [
      "http", "https", ":", "//", "/", "@", "?", "#", "[", "]", "::1", "h", ".", "..", "%", "%2e", "%00", "ü",
      "80", "\\", " ", "\n", "1", "0x7f", "xn--", "é", "\u{3002}", "-", "_", "{", "e\u{301}",
    ]
    for _ in 0..<50 {
      var text = next(4) == 0 ? "" : "http://"
      for _ in 0..<next(12) { text += pieces[next(pieces.count)] }
      guard let url = try? URLParser.parse(text) else { continue }
      #expect(try URLParser.parse(url.text).text == url.text, "\(text)")
      #expect(!url.text.contains("@") || text.contains("@"))
    }
  }
}
