import Testing
import WatchwordProtocol

@Suite struct CookieParametersTests {
  @Test func aCookieIsReadWithItsDefaults() throws {
    let text = #"{"session":"s","cookie":{"name":"n","value":"v","domain":"A.Test"}}"#
    let set = try CookieSetParameters(try parameters(text))
    #expect(set.session == "s")
    #expect((set.cookie.name, set.cookie.value, set.cookie.domain) == ("n", "v", "a.test"))
    #expect((set.cookie.path, set.cookie.expires) == ("/", nil))
    #expect(!set.cookie.secure && !set.cookie.httpOnly)
  }

  @Test func everyMemberOfACookieIsRead() throws {
    let text = #"""
      {"cookie":{"name":"n","value":"","domain":".a.test","path":"/p","expires":"2026-11-21T12:05:00Z",
       "secure":true,"httpOnly":true}}
      """#
    let cookie = try CookieSetParameters(try parameters(text)).cookie
    #expect((cookie.value, cookie.domain, cookie.path) == ("", ".a.test", "/p"))
    #expect(cookie.expires == 1_795_262_700 && cookie.secure && cookie.httpOnly)
  }

  /// A combining accent behind a separator makes one character of the two, and still two in what is sent.
  @Test func whatIsWrongWithACookieIsNamed() {
    MethodUnderTest.cookieSet.expectRefusals(
      [
        (#"1"#, ""), ("{}", ".name"), (#"{"name":"n"}"#, ".value"), (#"{"name":"n","value":"v"}"#, ".domain"),
        (#"{"name":"","value":"v","domain":"d"}"#, ".name"),
        (#"{"name":"a=b","value":"v","domain":"d"}"#, ".name"),
        (#"{"name":"n","value":"v;w","domain":"d"}"#, ".value"),
        (#"{"name":"n","value":"v;\u0301 Domain=e","domain":"d"}"#, ".value"),
        (#"{"name":"n","value":"v\tw","domain":"d"}"#, ".value"),
        (#"{"name":"n","value":"v\t\u0301w","domain":"d"}"#, ".value"),
        (#"{"name":"n","value":"v\nw","domain":"d"}"#, ".value"),
        (#"{"name":"n","value":"v","domain":""}"#, ".domain"),
        (#"{"name":"n","value":"v","domain":"d\te"}"#, ".domain"),
        (#"{"name":"n","value":"v","domain":"d e"}"#, ".domain"),
        (#"{"name":"n","value":"v","domain":"d;e"}"#, ".domain"),
        (#"{"name":"n","value":"v","domain":"ban\u212a"}"#, ".domain"),
        (#"{"name":"n","value":"v","domain":"d","path":"p"}"#, ".path"),
        (#"{"name":"n","value":"v","domain":"d","path":""}"#, ".path"),
        (#"{"name":"n","value":"v","domain":"d","path":"/\n"}"#, ".path"),
        (#"{"name":"n","value":"v","domain":"d","path":"/p;q"}"#, ".path"),
        (#"{"name":"n","value":"v","domain":"d","expires":1}"#, ".expires"),
        (#"{"name":"n","value":"v","domain":"d","expires":"never"}"#, ".expires"),
        (#"{"name":"n","value":"v","domain":"d","secure":1}"#, ".secure"),
        (#"{"name":"n","value":"v","domain":"d","sameSite":"lax"}"#, ".sameSite"),
      ].map { "{\"cookie\":\($0.0)} => .cookie\($0.1)" }.joined(separator: "\n"))
    #expect(MethodUnderTest.cookieSet.verdict("{}") == "invalidParams params.cookie")
  }

  @Test func cookiesAreListedAndRemovedByWhatIsGiven() {
    MethodUnderTest.cookieList.expectAccepted("{}\n" + #"{"session":"s","url":"http://a.test/"}"#)
    MethodUnderTest.cookieList.expectRefusals(#"{"url":1} => .url"# + "\n" + #"{"domain":"d"} => .domain"#)
    MethodUnderTest.cookieRemove.expectAccepted("{}\n" + #"{"session":"s","domain":"d","name":"n"}"#)
    MethodUnderTest.cookieRemove.expectRefusals(
      #"""
      {"domain":null} => .domain
      {"name":1} => .name
      {"path":"/"} => .path
      """#)
  }
}
